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
EACH(narrow_f32_f16, float, uint16_t, to_f16)
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

/* ---- Pairs of bytes ---- */

static void widen_bytes(const void *from, bool is_signed, int64_t begin, int64_t end, int16_t *to) {
  HLO_TWIN_LOOP
  for (int64_t i = begin; i < end; i++) to[i] = is_signed ? ((const int8_t *)from)[i] : ((const uint8_t *)from)[i];
  if (end & 1) to[end] = 0;
}

void hlo_widen_byte_rows_scalar(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to) {
  for (int64_t r = 0; r < rows; r++) widen_bytes((const char *)from + r * k, is_signed, 0, k, to + r * (k + (k & 1)));
}

void hlo_widen_byte_rows_simd128(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to) {
  const char *in = from;
  for (int64_t r = 0; r < rows; r++, in += k, to += k + (k & 1)) {
    int64_t done = 0;
    for (; done + 8 <= k; done += 8) wasm_v128_store(to + done, is_signed ? wasm_i16x8_load8x8(in + done) : wasm_u16x8_load8x8(in + done));
    widen_bytes(in, is_signed, done, k, to);
  }
}
