/* A weight: an array that is loaded once and outlives the programs that use it as a constant. Its owners count their references.
 *
 * Its bytes are one block, row-major, in one of two forms:
 *   unpacked  one element after another, as hlo_literal has them, so that hlo_literal_wrap can take them as they are
 *   packed    of types with fewer than 8 bits: elements fill each byte from its lowest bits up, as E(n) does in a layout. A file's
 *             s4 and u4 stay two in a byte; hlo_weight_unpack gives elements to what wants them one in a byte.
 * The block is not initialised: whoever loads the weight writes all of it. Only the thread that allocates may keep and release. */
#ifndef HLO_SHAPE_WEIGHT_H
#define HLO_SHAPE_WEIGHT_H

#include "base/arena.h"
#include "base/status.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

enum { HLO_WEIGHT_ALIGNMENT = 64 };

/* The weights that live, and their bytes. */
typedef struct hlo_weight_count {
  int weights;
  int64_t bytes;
} hlo_weight_count;

typedef struct hlo_weight {
  const hlo_shape *shape; /* a static array without layout */
  void *data;             /* HLO_WEIGHT_ALIGNMENT-byte aligned, of a multiple of these bytes; never NULL */
  size_t bytes;           /* of the elements alone */
  bool packed;            /* of the two forms above */
  int references;
  hlo_arena arena;        /* of the shape */
  hlo_weight_count *count; /* where it is counted; or NULL */
  hlo_shared_array *shared; /* that has `data` for its home, which may hold elements in another form; NULL: no program has bound it */
} hlo_weight;

/* Makes a weight with one reference. The shape is a static array; its layout is row-major without tiles, or none, and E(n) with the bits of
 * its type packs it. Fails with UNSUPPORTED where it is another, and with OUT_OF_MEMORY. */
hlo_weight *hlo_weight_make(const hlo_shape *shape, hlo_weight_count *count, hlo_status *status);
hlo_weight *hlo_weight_keep(hlo_weight *weight);  /* adds a reference */
void hlo_weight_release(hlo_weight *weight);      /* takes one; frees the weight with the last. NULL is allowed */
static inline void *hlo_weight_data(const hlo_weight *weight) { return weight->data; }

/* Returns the elements as programs share them, one for all, with a reference of the caller's own. NULL: no memory. */
hlo_shared_array *hlo_weight_share(hlo_weight *weight, hlo_status *status);
/* Writes all elements, unpacked, with signs extended. False: they are shared in another order, and there is no memory. */
bool hlo_weight_read(hlo_weight *weight, void *elements, hlo_status *status);

/* Writes `count` elements from the `first` on, likewise. Requires that the weight has them, and is not shared. */
void hlo_weight_unpack(const hlo_weight *weight, int64_t first, int64_t count, void *elements);
/* Clears what an unpacked weight's bytes hold beside the bits of its type, or extends signs into them: a file may hold anything there. */
void hlo_weight_clear_unused_bits(hlo_weight *weight);

#endif
