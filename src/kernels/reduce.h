/* Folding one run of adjacent dimensions: out[o, i] = op over r of in[o, r, i].
 *
 * in       outer * reduced * inner elements
 * out      outer * inner elements; does not overlap `in`
 * Requires reduced > 0. The init value of a reduction is the caller's to add. Floating-point sums are pairwise over
 * blocks of 128 elements (sixteen running sums of eight terms each), so errors grow with the logarithm of `reduced`;
 * SIMD kernels fold in the very order of their twins. Never fail, never allocate. */
#ifndef HLO_KERNELS_REDUCE_H
#define HLO_KERNELS_REDUCE_H

#include "base/checked.h"

typedef void hlo_reduce_kernel(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner);

/* HLO_REDUCE(name, set, type, opcode) */
#define HLO_REDUCE(name, set, type, opcode) hlo_reduce_kernel hlo_##name##_##set, hlo_##name##_scalar;
#include "kernels/reduce.def"
#undef HLO_REDUCE

#endif
