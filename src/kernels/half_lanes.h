/* Eight floats of 16 bits, or integers of 8, as two vectors of f32. */
#ifndef HLO_KERNELS_HALF_LANES_H
#define HLO_KERNELS_HALF_LANES_H

#include "kernels/simd128.h"

typedef struct hlo_eight {
  v128_t low, high;
} hlo_eight;

/* Begins a function that returns eight floats. */
#define HLO_EIGHT static inline __attribute__((always_inline)) hlo_eight

/* Lanes of 32 bits from their halves. */
HLO_EIGHT hlo_eight_of_halves(v128_t lower, v128_t upper) {
  return (hlo_eight){wasm_i16x8_shuffle(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11), wasm_i16x8_shuffle(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15)};
}

HLO_EIGHT hlo_eight_of_bf16(v128_t x) { return hlo_eight_of_halves(wasm_i32x4_splat(0), x); }

HLO_EIGHT hlo_eight_of_s8(const char *at) {
  v128_t x = wasm_i16x8_load8x8(at), low = wasm_i32x4_extend_low_i16x8(x), high = wasm_i32x4_extend_high_i16x8(x);
  HLO_HIDE(low) /* the compiler would take lanes out and convert them one by one */
  HLO_HIDE(high)
  return (hlo_eight){wasm_f32x4_convert_i32x4(low), wasm_f32x4_convert_i32x4(high)};
}

/* Any f16, as the upper bits of each lane. Subnormal ones are not computed as subnormal floats, which are slow: they get an exponent, and
 * lose 2^-14 again. */
static inline v128_t hlo_f32_of_any_f16(v128_t x) {
  v128_t magnitude = wasm_u32x4_shr(wasm_v128_and(x, wasm_i32x4_splat(0x7fffffff)), 3), bias = wasm_i32x4_splat(112 << 23);
  v128_t is_small = wasm_i32x4_lt(magnitude, wasm_i32x4_splat(1 << 23));
  v128_t is_special = wasm_i32x4_gt(magnitude, wasm_i32x4_splat(0x0f7fffff));
  v128_t bits = wasm_i32x4_add(magnitude, wasm_i32x4_add(bias, wasm_v128_and(is_special, bias)));
  bits = wasm_i32x4_sub(bits, wasm_v128_and(is_small, wasm_i32x4_splat(-(1 << 23))));
  bits = wasm_f32x4_sub(bits, wasm_v128_and(is_small, wasm_i32x4_splat(113 << 23)));
  return wasm_v128_or(bits, wasm_v128_and(x, wasm_i32x4_splat(INT32_MIN)));
}

#define EIGHT(x) x, x, x, x, x, x, x, x
/* Constants of hlo_eight_of_f16, which take less time to load than engines take to make them anew. */
static const struct hlo_half_constants {
  _Alignas(16) int16_t least[8], most[8], kept[8], bias[8];
} hlo_half_constants = {{EIGHT(0x800)}, {EIGHT((int16_t)0xefff)}, {EIGHT((int16_t)0x8fff)}, {EIGHT(112 << 7)}};
static inline const struct hlo_half_constants *hlo_half_constants_at(void) {
  const struct hlo_half_constants *at = &hlo_half_constants;
  HLO_HIDE(at)
  return at;
}

/* Returns numbers that are greater than `most` for a zero, a subnormal number, infinity and NaN. */
static inline v128_t hlo_f16_distance(v128_t x, const struct hlo_half_constants *c) {
  return wasm_i16x8_sub(wasm_i16x8_shl(x, 1), wasm_v128_load(c->least));
}
static inline bool hlo_f16_has_extreme(v128_t distance, const struct hlo_half_constants *c) {
  return wasm_v128_any_true(wasm_u16x8_gt(distance, wasm_v128_load(c->most)));
}

/* Eight numbers of which none is zero, subnormal, infinite or NaN have both halves of their bits made for all at once. */
HLO_EIGHT hlo_eight_of_ordinary_f16(v128_t x, const struct hlo_half_constants *c) {
  v128_t top = wasm_i16x8_add(wasm_v128_and(wasm_i16x8_shr(x, 3), wasm_v128_load(c->kept)), wasm_v128_load(c->bias));
  return hlo_eight_of_halves(wasm_i16x8_shl(x, 13), top);
}

HLO_EIGHT hlo_eight_of_f16(v128_t x, const struct hlo_half_constants *c) {
  if (!hlo_f16_has_extreme(hlo_f16_distance(x, c), c)) return hlo_eight_of_ordinary_f16(x, c);
  hlo_eight upper = hlo_eight_of_bf16(x);
  return (hlo_eight){hlo_f32_of_any_f16(upper.low), hlo_f32_of_any_f16(upper.high)};
}

#undef EIGHT
#endif
