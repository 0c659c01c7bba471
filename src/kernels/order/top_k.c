/* The best k so far are kept in order. Most elements are compared with the last of them, and no more. */
#include "kernels/order/top_k.h"

#include "kernels/simd128.h"

/* The best elements so far, greatest key first. */
typedef struct kept {
  int32_t *keys, *indices;
  int64_t count, most;
} kept;

static inline int32_t key_of(hlo_top_k_order order, uint32_t x) {
  return (int32_t)(x ^ ((uint32_t)((int32_t)x >> 31) & order.signs) ^ order.flips);
}

/* Takes an element into the best k, if it is one of them. */
static void offer(kept *k, int32_t key, int64_t index) {
  int64_t at = k->count;
  if (at < k->most) k->count++;
  else if (key <= k->keys[--at]) return;
  for (; at > 0 && k->keys[at - 1] < key; at--) k->keys[at] = k->keys[at - 1], k->indices[at] = k->indices[at - 1];
  k->keys[at] = key;
  k->indices[at] = (int32_t)index;
}

static __attribute__((noinline)) void offer_all(kept *k, hlo_top_k_order order, const uint32_t *in, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++) offer(k, key_of(order, in[i]), i);
}

static void put(const kept *k, const uint32_t *in, uint32_t *out) {
  for (int64_t i = 0; i < k->count; i++) out[i] = in[k->indices[i]];
}

void hlo_top_k_scalar(hlo_top_k_order order, const uint32_t *in, int64_t count, int64_t k, uint32_t *out, int32_t *indices, int32_t *keys) {
  kept best = {.keys = keys, .indices = indices, .most = k};
  offer_all(&best, order, in, 0, count);
  put(&best, in, out);
}

void hlo_top_k_simd128(hlo_top_k_order order, const uint32_t *in, int64_t count, int64_t k, uint32_t *out, int32_t *indices, int32_t *keys) {
  kept best = {.keys = keys, .indices = indices, .most = k};
  v128_t signs = wasm_i32x4_splat((int32_t)order.signs), flips = wasm_i32x4_splat((int32_t)order.flips);
  int64_t i = k;
  offer_all(&best, order, in, 0, k);
  for (; i + 4 <= count; i += 4) {
    v128_t x = wasm_v128_load(in + i);
    v128_t key = wasm_v128_xor(wasm_v128_xor(x, wasm_v128_and(wasm_i32x4_shr(x, 31), signs)), flips);
    if (wasm_v128_any_true(wasm_i32x4_gt(key, wasm_i32x4_splat(keys[k - 1])))) offer_all(&best, order, in, i, i + 4);
  }
  offer_all(&best, order, in, i, count);
  put(&best, in, out);
}
