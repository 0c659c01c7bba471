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

/* Adds up `count` > 0 blocks of so many vectors, in the order of the levels: by fours, and then what these gave. The first becomes the sum. */
static inline __attribute__((always_inline)) void hlo_levels_join(v128_t *blocks, int count, int vectors) {
  for (int left = count; left > 1; left = (count + 3) / 4, count = left) {
    v128_t *to = blocks;
    for (const v128_t *from = blocks; left > 0; from += 4 * vectors, left -= 4)
      for (int v = 0; v < vectors; v++, to++) {
        const v128_t *x = from + v;
        if (left >= 4) *to = wasm_f32x4_add(wasm_f32x4_add(x[0], x[vectors]), wasm_f32x4_add(x[2 * vectors], x[3 * vectors]));
        else *to = left == 1 ? x[0] : left == 2 ? wasm_f32x4_add(x[0], x[vectors]) : wasm_f32x4_add(wasm_f32x4_add(x[0], x[vectors]), x[2 * vectors]);
      }
  }
}

#endif
