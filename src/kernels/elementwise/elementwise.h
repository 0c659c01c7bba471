/* Element-wise kernels: one signature for every operation and type.
 *
 * operands  as many arrays as the operation takes; operand i holds `count` elements, or a single one, which stands
 *           for `count` equal ones, where bit i of `scalars` is set. At least one operand is an array.
 * result    `count` elements; may be the very array of an operand whose elements are as large, and overlaps no other
 *
 * Nothing need be aligned beyond its element. Never fail, never allocate.
 *
 * A new kernel is a row of scalar_ops.def and a body beside those of its type. */
#ifndef HLO_KERNELS_ELEMENTWISE_ELEMENTWISE_H
#define HLO_KERNELS_ELEMENTWISE_ELEMENTWISE_H

#include "base/checked.h"

typedef void hlo_elementwise_kernel(const void *const *operands, unsigned scalars, void *result, int64_t count);

enum { HLO_ELEMENTWISE_MAX_OPERANDS = 3 };

/* The operations of scalar_ops.def, by name: HLO_SCALAR_f32_add. They are what fused loops compute. */
typedef enum hlo_scalar_op {
  HLO_SCALAR_NONE,
#define HLO_SCALAR(name, ...) HLO_SCALAR_##name,
#include "kernels/elementwise/scalar_ops.def"
  HLO_SCALAR_COUNT
} hlo_scalar_op;

/* The kernel of each operation, and its scalar twin, which says what it computes (where the set is `scalar`, the kernel itself). */
#define HLO_SCALAR(name, set, ...) hlo_elementwise_kernel hlo_##name##_##set, hlo_##name##_scalar;
#include "kernels/elementwise/scalar_ops.def"

/* NULL for HLO_SCALAR_NONE. */
hlo_elementwise_kernel *hlo_scalar_kernel(hlo_scalar_op op);

#endif
