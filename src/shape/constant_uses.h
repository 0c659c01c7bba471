/* What a plan reads of large constants (shared_array.h): the dense elements of some, the packed form of others. While a plan is made both are
 * noted; once it is made, the packed forms are. A constant is never both: one that is noted twice stays dense, and the plan is made anew. */
#ifndef HLO_SHAPE_CONSTANT_USES_H
#define HLO_SHAPE_CONSTANT_USES_H

#include "base/arena.h"
#include "base/status.h"
#include "shape/literal.h"
#include "shape/shared_array.h"

/* A constant in the form of a kernel. */
typedef struct hlo_packed {
  const void *bytes; /* set once the plan is made */
} hlo_packed;

typedef struct hlo_constant_use hlo_constant_use;
typedef struct hlo_constant_uses {
  hlo_arena *arena; /* of the plan */
  hlo_constant_use *dense, *packed;
  hlo_constant_use *kept_dense; /* what is not to be packed; lives in another arena */
} hlo_constant_uses;

/* Returns the elements of a constant; those of a large one are pinned until the uses are released. NULL: no memory. */
const void *hlo_constant_dense(hlo_constant_uses *uses, const hlo_literal *literal, hlo_status *status);
/* Notes that a large constant is wanted packed. NULL: it has to be read as it is, or there is no memory, which the status says. */
hlo_packed *hlo_constant_pack(hlo_constant_uses *uses, const hlo_literal *literal, const hlo_packing *packing, hlo_status *status);
/* Makes the packed forms. Where one cannot be made, *again is set, and the constant is added to kept_dense, in `arena`: the plan has to be
 * made anew. */
bool hlo_constant_uses_finish(hlo_constant_uses *uses, hlo_arena *arena, bool *again, hlo_status *status);
void hlo_constant_uses_release(hlo_constant_uses *uses);

/* Returns the bytes of constants that are read as they are, each of which counts once. */
size_t hlo_constant_uses_dense_bytes(const hlo_constant_uses *uses);
/* Returns the bytes of packed forms, and how many of them and of pinned elements other plans use as well. */
size_t hlo_constant_uses_packed_bytes(const hlo_constant_uses *uses);
size_t hlo_constant_uses_shared_bytes(const hlo_constant_uses *uses);

#endif
