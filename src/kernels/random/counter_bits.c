/* Threefry-2x32 of 20 rounds and Philox-4x32 of 10 (SC 2011, see reference/ops/random_bits.h); each lane has a counter of its own. */
#include "kernels/random/counter_bits.h"

#include <assert.h>

#include "kernels/simd128.h"

/* Loads the four words of counters counter + i to counter + i + 3, one counter a lane. */
static void load_counters(const uint64_t counter[2], uint64_t i, v128_t lanes[4]) {
  uint32_t words[4][4];
  for (int l = 0; l < 4; l++) {
    uint64_t low = counter[0] + i + (uint64_t)l, high = counter[1] + (low < counter[0]);
    words[0][l] = (uint32_t)low, words[1][l] = (uint32_t)(low >> 32);
    words[2][l] = (uint32_t)high, words[3][l] = (uint32_t)(high >> 32);
  }
  for (int w = 0; w < 4; w++) lanes[w] = wasm_v128_load(words[w]);
}

void hlo_threefry_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]) {
  static const uint8_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
  keys[2] = keys[0] ^ keys[1] ^ 0x1BD11BDA;
  assert(count >= 0 && count % 4 == 0);
  for (int64_t i = 0; i < count; i += 4) {
    v128_t lanes[4];
    load_counters(counter, (uint64_t)i, lanes);
    v128_t x = wasm_i32x4_add(lanes[0], wasm_i32x4_splat((int32_t)keys[0]));
    v128_t y = wasm_i32x4_add(lanes[1], wasm_i32x4_splat((int32_t)keys[1]));
    for (uint32_t group = 0; group < 5; group++) {
      for (int round = 0; round < 4; round++) {
        int left = rotations[group % 2][round];
        x = wasm_i32x4_add(x, y);
        y = wasm_v128_xor(wasm_v128_or(wasm_i32x4_shl(y, (uint32_t)left), wasm_u32x4_shr(y, (uint32_t)(32 - left))), x);
      }
      x = wasm_i32x4_add(x, wasm_i32x4_splat((int32_t)keys[(group + 1) % 3]));
      y = wasm_i32x4_add(y, wasm_i32x4_splat((int32_t)(keys[(group + 2) % 3] + group + 1)));
    }
    wasm_v128_store(words[0] + i, x);
    wasm_v128_store(words[1] + i, y);
  }
}

/* Multiplies each lane by a constant, to the low and the high 32 bits of the product. */
static void multiply_wide(v128_t x, uint32_t by, v128_t *low, v128_t *high) {
  v128_t factor = wasm_i32x4_splat((int32_t)by);
  v128_t first = wasm_u64x2_extmul_low_u32x4(x, factor), last = wasm_u64x2_extmul_high_u32x4(x, factor);
  *low = wasm_i32x4_shuffle(first, last, 0, 2, 4, 6);
  *high = wasm_i32x4_shuffle(first, last, 1, 3, 5, 7);
}

void hlo_philox_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]) {
  assert(count >= 0 && count % 4 == 0);
  for (int64_t i = 0; i < count; i += 4) {
    uint32_t low_key = (uint32_t)key, high_key = (uint32_t)(key >> 32);
    v128_t c[4];
    load_counters(counter, (uint64_t)i, c);
    for (int round = 0; round < 10; round++) {
      v128_t even_low, even_high, odd_low, odd_high;
      multiply_wide(c[0], 0xD2511F53, &even_low, &even_high);
      multiply_wide(c[2], 0xCD9E8D57, &odd_low, &odd_high);
      c[0] = wasm_v128_xor(wasm_v128_xor(odd_high, c[1]), wasm_i32x4_splat((int32_t)low_key));
      c[2] = wasm_v128_xor(wasm_v128_xor(even_high, c[3]), wasm_i32x4_splat((int32_t)high_key));
      c[1] = odd_low, c[3] = even_low;
      low_key += 0x9E3779B9;
      high_key += 0xBB67AE85;
    }
    for (int w = 0; w < 4; w++) wasm_v128_store(words[w] + i, c[w]);
  }
}
