/* Plain loops without branches, which compilers vectorise, but for halves. */
#include "kernels/convert/widen.h"

#include "base/float_bits.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/half_lanes.h"
#include "kernels/simd128.h"

static inline float from_f16(uint16_t half) {
  uint32_t magnitude = hlo_float_bits(hlo_float_of_bits((uint32_t)(half & 0x7fff) << 13) * 0x1p112f); /* exact for subnormals, too */
  return hlo_float_of_bits(magnitude | (uint32_t)(half & 0x8000) << 16 | ((half & 0x7c00) == 0x7c00 ? 0x7f800000u : 0));
}

static inline uint16_t to_f16(float value) {
  uint32_t bits = hlo_float_bits(value), magnitude = bits & 0x7fffffff;
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  /* the sum is rounded where a subnormal's last bit is */
  uint32_t small = hlo_float_bits(hlo_float_of_bits(magnitude) + 0.5f) - hlo_float_bits(0.5f);
  uint32_t half = magnitude < 113u << 23 ? small : magnitude >= 143u << 23 ? 0x7c00 : normal;
  return (uint16_t)((magnitude > 0x7f800000 ? 0x7e00 : half) | (bits >> 16 & 0x8000));
}

static inline float from_bf16(uint16_t brain) { return hlo_float_of_bits((uint32_t)brain << 16); }

static inline uint16_t to_bf16(float value) {
  uint32_t bits = hlo_float_bits(value);
  return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#define EACH(name, from_type, to_type, convert)                        \
  void hlo_##name(const void *from_data, int64_t count, void *to_data) { \
    const from_type *from = from_data;                                 \
    to_type *to = to_data;                                             \
    HLO_LONE_LOOP                                                      \
    for (size_t i = 0; i < (size_t)count; i++) to[i] = (to_type)convert(from[i]); \
  }
EACH(widen_bf16_f32, uint16_t, float, from_bf16)
EACH(widen_s8_s32, int8_t, int32_t, )
EACH(widen_u8_s32, uint8_t, int32_t, )
EACH(widen_s16_s32, int16_t, int32_t, )
EACH(widen_u16_s32, uint16_t, int32_t, )
EACH(widen_f32_f64, float, double, )
EACH(narrow_f32_bf16, float, uint16_t, to_bf16)
EACH(narrow_s32_s8, int32_t, uint8_t, )
EACH(narrow_s32_s16, int32_t, uint16_t, )

/* ---- Halves ---- */

void hlo_widen_f16_f32(const void *from_data, int64_t count, void *to_data) {
  const uint16_t *from = from_data;
  float *to = to_data;
  const struct hlo_half_constants *constants = hlo_half_constants_at();
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    hlo_eight x = hlo_eight_of_f16(wasm_v128_load(from + i), constants);
    wasm_v128_store(to + i, x.low);
    wasm_v128_store(to + i + 4, x.high);
  }
  HLO_TWIN_LOOP
  for (; i < count; i++) to[i] = from_f16(from[i]);
}

/* As the recipe of convert.def does it. */
static inline v128_t f16_of_f32(v128_t x, const int32_t *c) {
#define C(n) wasm_v128_load32_splat(c + n)
  v128_t size = wasm_f32x4_pmin(wasm_v128_and(x, C(7)), C(0)), power = wasm_i32x4_max(wasm_v128_and(size, C(1)), C(2));
  v128_t sum = wasm_i32x4_sub(wasm_f32x4_add(size, wasm_i32x4_add(power, C(3))), power);
  v128_t half = wasm_i32x4_sub(wasm_i32x4_add(sum, wasm_u32x4_shr(power, 13)), C(4));
  return wasm_v128_or(wasm_u32x4_min(half, C(5)), wasm_v128_and(wasm_u32x4_shr(x, 16), C(6)));
#undef C
}

void hlo_narrow_f32_f16(const void *from_data, int64_t count, void *to_data) {
  static const int32_t constants[] = {143 << 23, 0x7f800000, 113 << 23, 13 << 23, (13 << 23) + (113 << 10), 0x7e00, 0x8000, 0x7fffffff};
  const int32_t *c = constants;
  const float *from = from_data;
  uint16_t *to = to_data;
  int64_t i = 0;
  HLO_HIDE(c)
  for (; i + 8 <= count; i += 8)
    wasm_v128_store(to + i, wasm_u16x8_narrow_i32x4(f16_of_f32(wasm_v128_load(from + i), c), f16_of_f32(wasm_v128_load(from + i + 4), c)));
  HLO_TWIN_LOOP
  for (; i < count; i++) to[i] = to_f16(from[i]);
}
