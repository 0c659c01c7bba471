/* Folding one run of adjacent dimensions: out[o, i] = op over r of in[o, r, i].
 *
 * in       outer * reduced * inner elements
 * out      outer * inner elements; does not overlap `in`
 * Requires reduced > 0. The init value of a reduction is the caller's to add. Never fail, never allocate.
 *
 * Floating-point sums and products have one order, so that errors grow with the logarithm of `reduced`. Columns (inner > 1) are
 * folded in runs of 16 rows. A row is folded in blocks of 128 elements, eight to each of sixteen lanes, whose halves meet until
 * there is one. Totals of runs and blocks are combined like the carries of a binary counter: totals 2^k apart meet at level k,
 * which makes the whole a balanced tree. What is left of a row, sixteens in lanes and then elements one after another, comes last. */
#ifndef HLO_KERNELS_REDUCE_REDUCE_H
#define HLO_KERNELS_REDUCE_REDUCE_H

#include "base/checked.h"

typedef void hlo_reduce_kernel(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner);

/* The reductions of reduce.def, by name: HLO_REDUCE_f32_add. */
typedef enum hlo_reduce_op {
#define HLO_REDUCE(kind, name, ...) HLO_REDUCE_##kind##_##name,
#include "kernels/reduce/reduce.def"
  HLO_REDUCE_COUNT
} hlo_reduce_op;

#define HLO_REDUCE(kind, name, ...) hlo_reduce_kernel hlo_##kind##_reduce_##name##_simd128;
#include "kernels/reduce/reduce.def"

hlo_reduce_kernel *hlo_reduction_kernel(hlo_reduce_op op);
/* The bits of the element whose folding changes nothing: -0 for a sum of floats. */
uint64_t hlo_reduction_identity(hlo_reduce_op op);

#endif
