/* Pairwise sums of vectors, as f32_dot_vector.c explains: at most one sum of each level is kept. */
#ifndef HLO_KERNELS_PRODUCT_LEVEL_SUMS_H
#define HLO_KERNELS_PRODUCT_LEVEL_SUMS_H

#include <stdint.h>

#include "kernels/simd128.h"

enum { HLO_SUM_LEVELS = 40 };

/* Adds the sum of block number `block` to the levels. */
static inline void hlo_levels_carry(v128_t *levels, int64_t block, v128_t sum) {
  int level = 0;
  for (; block >> level & 1; level++) sum = wasm_f32x4_add(levels[level], sum);
  levels[level] = sum;
}

/* Returns the sum of all levels after `blocks` blocks. */
static inline v128_t hlo_levels_sum(const v128_t *levels, int64_t blocks) {
  v128_t sum = wasm_f32x4_splat(0);
  for (int level = 0; blocks >> level; level++)
    if (blocks >> level & 1) sum = wasm_f32x4_add(levels[level], sum);
  return sum;
}

#endif
