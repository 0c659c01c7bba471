/* Element-wise kernels: one signature for every operation and type.
 *
 * operands  as many arrays as the operation takes; operand i holds `count` elements, or a single one, which stands
 *           for `count` equal ones, where bit i of `scalars` is set. At least one operand is an array.
 * result    `count` elements; may be the very array of an operand whose elements are as large, and overlaps no other
 *
 * Nothing need be aligned beyond its element. Never fail, never allocate. */
#ifndef HLO_KERNELS_ELEMENTWISE_H
#define HLO_KERNELS_ELEMENTWISE_H

#include "base/checked.h"

typedef void hlo_elementwise_kernel(const void *const *operands, unsigned scalars, void *result, int64_t count);

enum { HLO_ELEMENTWISE_MAX_OPERANDS = 3 };

/* Each kernel, and for SIMD ones the scalar twin that says what they compute. */
#define HLO_ELEMENTWISE(name, set, arity, type, result, opcode, variant) \
  hlo_elementwise_kernel hlo_##name##_##set, hlo_##name##_scalar;
#include "kernels/elementwise.def"
#undef HLO_ELEMENTWISE

/* select(pred, on_true, on_false) by element size in bytes: pred is one byte an element. */
hlo_elementwise_kernel hlo_select_1_simd128, hlo_select_1_scalar;
hlo_elementwise_kernel hlo_select_2_simd128, hlo_select_2_scalar;
hlo_elementwise_kernel hlo_select_4_simd128, hlo_select_4_scalar;
hlo_elementwise_kernel hlo_select_8_scalar;
hlo_elementwise_kernel hlo_select_16_scalar;

/* exponential's bits where no operand is above zero (NaN may be among them), in fewer instructions. */
hlo_elementwise_kernel hlo_f32_exponential_at_most_one_simd128, hlo_f32_exponential_at_most_one_scalar;

#endif
