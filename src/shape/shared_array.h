/* The elements of a large constant, which modules and plans share: once in memory, as they are or packed for a kernel.
 *
 * The elements lie at `home`, memory of an owner. They may be
 *
 *   dense    row-major, as in a literal, for all that read them so; while someone does (a pin), they stay dense;
 *   packed   in the order that a kernel reads fastest, for all plans that hold that form.
 *
 * Packing moves: a packed form takes the place of the dense elements where it fits there and can be undone, so that memory holds the
 * elements once. Dense elements are restored when they are asked for: in place if no plan holds the packed form, else as a copy. An array
 * may begin packed, in a home that has no room for dense elements: these are in a block of their own while someone reads them. */
#ifndef HLO_SHAPE_SHARED_ARRAY_H
#define HLO_SHAPE_SHARED_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A way to pack. Two with the same functions and the same bytes of geometry make the same form. */
typedef struct hlo_packing {
  /* Writes `packed_bytes`. The blocks do not overlap, and are 16-byte aligned. False: there is no memory. */
  bool (*pack)(const void *geometry, const void *dense, void *packed);
  /* Undoes that; NULL: packing loses elements or widens them, so that dense ones have to be kept as well. */
  bool (*unpack)(const void *geometry, const void *packed, void *dense);
  const void *geometry;
  size_t geometry_bytes, packed_bytes;
} hlo_packing;

typedef struct hlo_shared_array hlo_shared_array;

/* Makes an array of `bytes` at `home`, 16-byte aligned, with one reference. release(owner) is called once nobody refers to it, and never on
 * failure; until then the array may write to its home. */
hlo_shared_array *hlo_shared_array_new(void *home, size_t bytes, void (*release)(void *owner), void *owner, hlo_status *status);
/* The same of `bytes` that lie at `home` in the form of a packing, which can be undone and done again without failing. */
hlo_shared_array *hlo_shared_array_new_packed(void *home, const hlo_packing *packing, size_t bytes, void (*release)(void *owner), void *owner,
                                              hlo_status *status);
/* Sets what is called once nobody refers to the array, where that was NULL. */
void hlo_shared_array_own(hlo_shared_array *array, void (*release)(void *owner), void *owner);
/* The same with a zeroed home of its own. */
hlo_shared_array *hlo_shared_array_make(size_t bytes, hlo_status *status);
hlo_shared_array *hlo_shared_array_retain(hlo_shared_array *array);
void hlo_shared_array_release(hlo_shared_array *array); /* NULL is ignored */
size_t hlo_shared_array_bytes(const hlo_shared_array *array);

/* Returns the dense elements, which stay where they are until as many calls of unpin as of pin. NULL: no memory. */
const void *hlo_shared_array_pin(hlo_shared_array *array, hlo_status *status);
void hlo_shared_array_unpin(hlo_shared_array *array);

/* Returns whether a plan may have this form without a second copy of the elements: they have it, or nobody uses another form of them. */
bool hlo_shared_array_may_pack(const hlo_shared_array *array, const hlo_packing *packing);
/* Returns the packed form, which stays where it is until as many calls of unhold as of hold. Requires hlo_shared_array_may_pack. NULL: no
 * memory. */
const void *hlo_shared_array_hold(hlo_shared_array *array, const hlo_packing *packing, hlo_status *status);
void hlo_shared_array_unhold(hlo_shared_array *array);

/* Returns how many pins and holds there are. */
int hlo_shared_array_users(const hlo_shared_array *array);
/* Returns the bytes that its forms take beside its home. */
size_t hlo_shared_array_extra_bytes(const hlo_shared_array *array);

#endif
