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

/* Adds up `count` > 0 blocks of so many vectors, in the order of the levels: by fours, and then what these gave. The first becomes the sum; there is room for
 * a multiple of four blocks. */
static inline __attribute__((always_inline)) void hlo_levels_join(v128_t *blocks, int count, int vectors) {
  for (; count > 1; count = (count + 3) / 4) {
    for (int v = count * vectors; v % (4 * vectors); v++) blocks[v] = wasm_f32x4_splat(-0.0f); /* which adds nothing, whatever is added to it */
    v128_t *to = blocks;
    for (const v128_t *from = blocks, *end = blocks + count * vectors; from < end; from += 4 * vectors)
      for (int v = 0; v < vectors; v++)
        *to++ = wasm_f32x4_add(wasm_f32x4_add(from[v], from[vectors + v]), wasm_f32x4_add(from[2 * vectors + v], from[3 * vectors + v]));
  }
}

#endif
