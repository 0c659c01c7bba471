/* The greatest few of a line of 32-bit elements, and where they are.
 *
 * in       `count` elements, ordered as s32 once changed: x ^ (its sign bit all over & signs) ^ flips. Floats by total order:
 *          signs 0x7fffffff; u32: flips 0x80000000; the least instead of the greatest: flips inverted.
 * out      the k greatest, greatest first; of equal ones that which comes first
 * indices  their places
 * keys     scratch for k words
 * Requires 0 < k <= count. Time grows with k times how often one element is greater than those before it. */
#ifndef HLO_KERNELS_TOP_K_H
#define HLO_KERNELS_TOP_K_H

#include "base/checked.h"

typedef struct hlo_top_k_order {
  uint32_t signs, flips;
} hlo_top_k_order;

typedef void hlo_top_k_kernel(hlo_top_k_order order, const uint32_t *in, int64_t count, int64_t k, uint32_t *out, int32_t *indices, int32_t *keys);
hlo_top_k_kernel hlo_top_k_simd128, hlo_top_k_scalar;

#endif
