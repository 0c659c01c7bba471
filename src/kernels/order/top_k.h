/* The k greatest elements of a line of 32-bit elements, and their places, for small k.
 *
 * order    elements are compared as s32 numbers x ^ ((x >> 31) & signs) ^ flips: for floats in total order, signs is 0x7fffffff; for u32,
 *          flips is 0x80000000; for the least elements instead of the greatest, flips is inverted
 * in       `count` elements
 * out      the k greatest, the greatest first; of equal ones, the one that comes first in the line
 * indices  their places
 * keys     scratch for k words
 *
 * Requires 0 < k <= count. Takes k steps for each element that is among the k greatest of those up to it. Never fail, never allocate. */
#ifndef HLO_KERNELS_ORDER_TOP_K_H
#define HLO_KERNELS_ORDER_TOP_K_H

#include <stdint.h>

typedef struct hlo_top_k_order {
  uint32_t signs, flips;
} hlo_top_k_order;

typedef void hlo_top_k_kernel(hlo_top_k_order order, const uint32_t *in, int64_t count, int64_t k, uint32_t *out, int32_t *indices, int32_t *keys);
hlo_top_k_kernel hlo_top_k_simd128, hlo_top_k_scalar;

#endif
