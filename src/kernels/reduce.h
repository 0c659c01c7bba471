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
#ifndef HLO_KERNELS_REDUCE_H
#define HLO_KERNELS_REDUCE_H

#include "base/checked.h"

typedef void hlo_reduce_kernel(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner);

/* HLO_REDUCE(name, type, opcode) */
#define HLO_REDUCE(name, type, opcode) hlo_reduce_kernel hlo_##name##_simd128;
#include "kernels/reduce.def"
#undef HLO_REDUCE

#endif
