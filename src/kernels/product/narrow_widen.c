/* The loops that widen runs of narrow elements: eight elements at a time, and the last ones in a buffer that is filled up. */
#include <assert.h>
#include <string.h>

#include "kernels/elementwise/widen.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

int hlo_narrow_bytes(hlo_narrow_format format) { return format == HLO_NARROW_F32 ? 4 : format <= HLO_NARROW_F16 ? 2 : 1; }

typedef struct eight {
  v128_t low, high;
} eight;

/* ---- Eight elements of each format ---- */

#define INLINE static inline __attribute__((always_inline))

INLINE eight load_f32(const float *table, const char *from) { return (eight){wasm_v128_load(from), wasm_v128_load(from + 16)}; }

INLINE eight load_bf16(const float *table, const char *from) {
  v128_t x = wasm_v128_load(from), zero = wasm_i32x4_splat(0);
  return (eight){wasm_i16x8_shuffle(zero, x, 0, 8, 1, 9, 2, 10, 3, 11), wasm_i16x8_shuffle(zero, x, 4, 12, 5, 13, 6, 14, 7, 15)};
}

/* The number of a half whose bits are the upper ones of each lane. Subnormal halves are not computed as subnormal floats, which are slow:
 * they get an exponent, and lose 2^-14 again. */
INLINE v128_t from_half(v128_t x) {
  v128_t magnitude = wasm_u32x4_shr(wasm_v128_and(x, wasm_i32x4_splat(0x7fffffff)), 3), bias = wasm_i32x4_splat(112 << 23);
  v128_t is_small = wasm_i32x4_lt(magnitude, wasm_i32x4_splat(1 << 23));
  v128_t is_special = wasm_i32x4_gt(magnitude, wasm_i32x4_splat(0x0f7fffff));
  v128_t bits = wasm_i32x4_add(magnitude, wasm_i32x4_add(bias, wasm_v128_and(is_special, bias)));
  bits = wasm_i32x4_sub(bits, wasm_v128_and(is_small, wasm_i32x4_splat(-(1 << 23))));
  bits = wasm_f32x4_sub(bits, wasm_v128_and(is_small, wasm_i32x4_splat(113 << 23)));
  return wasm_v128_or(bits, wasm_v128_and(x, wasm_i32x4_splat(INT32_MIN)));
}

INLINE eight load_f16(const float *table, const char *from) {
  eight x = load_bf16(table, from);
  return (eight){from_half(x.low), from_half(x.high)};
}

/* The compiler would take four lanes out and convert them one by one, if it saw where they come from. */
INLINE eight converted(v128_t low, v128_t high) {
  HLO_HIDE(low)
  HLO_HIDE(high)
  return (eight){wasm_f32x4_convert_i32x4(low), wasm_f32x4_convert_i32x4(high)};
}
INLINE eight load_s8(const float *table, const char *from) {
  v128_t x = wasm_i16x8_load8x8(from);
  return converted(wasm_i32x4_extend_low_i16x8(x), wasm_i32x4_extend_high_i16x8(x));
}
INLINE eight load_u8(const float *table, const char *from) {
  v128_t x = wasm_u16x8_load8x8(from);
  return converted(wasm_u32x4_extend_low_u16x8(x), wasm_u32x4_extend_high_u16x8(x));
}

INLINE eight load_table(const float *table, const char *from) {
  const uint8_t *x = (const uint8_t *)from;
  return (eight){wasm_f32x4_make(table[x[0]], table[x[1]], table[x[2]], table[x[3]]),
                 wasm_f32x4_make(table[x[4]], table[x[5]], table[x[6]], table[x[7]])};
}

/* ---- Runs ---- */

INLINE void store(float *to, eight x) {
  wasm_v128_store(to, x.low);
  wasm_v128_store(to + 4, x.high);
}

INLINE v128_t computed(v128_t x, v128_t zero, v128_t scale, v128_t more) {
  return wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_sub(x, zero), scale), more);
}

#define EACH_FORMAT(DO) DO(f32, 4) DO(bf16, 2) DO(f16, 2) DO(s8, 1) DO(u8, 1) DO(table, 1)

/* Runs DO(from, to, i) for every eight elements, and once for the rest, by way of memory for eight. */
#define EIGHT_BY_EIGHT(bytes, DO)                                \
  int64_t i = 0;                                                 \
  for (; i + 8 <= count; i += 8) DO(from + i * bytes, to + i, i) \
  if (i < count) {                                               \
    char last[8 * bytes] = {0};                                  \
    float made[8];                                               \
    memcpy(last, from + i * bytes, (size_t)(count - i) * bytes); \
    DO(last, made, i)                                            \
    memcpy(to + i, made, (size_t)(count - i) * sizeof *to);      \
  }

#define PLAIN(name, bytes)                                                                              \
  static void plain_##name(const float *table, const char *from, int64_t count, float *to) {             \
    EIGHT_BY_EIGHT(bytes, PLAIN_##name)                                                                  \
  }
#define PLAIN_STEP(name, from, to) store(to, load_##name(table, from));
#define PLAIN_f32(from, to, i) PLAIN_STEP(f32, from, to)
#define PLAIN_bf16(from, to, i) PLAIN_STEP(bf16, from, to)
#define PLAIN_f16(from, to, i) PLAIN_STEP(f16, from, to)
#define PLAIN_s8(from, to, i) PLAIN_STEP(s8, from, to)
#define PLAIN_u8(from, to, i) PLAIN_STEP(u8, from, to)
#define PLAIN_table(from, to, i) PLAIN_STEP(table, from, to)
EACH_FORMAT(PLAIN)

#define SAME(name, bytes)                                                                                              \
  static void same_##name(const float *table, const char *from, int64_t count, const float *three, float *to) {       \
    v128_t zero = wasm_f32x4_splat(three[0]), scale = wasm_f32x4_splat(three[1]), more = wasm_f32x4_splat(three[2]);  \
    EIGHT_BY_EIGHT(bytes, SAME_##name)                                                                                 \
  }
#define SAME_STEP(name, from, to) \
  {                               \
    eight x = load_##name(table, from); \
    store(to, (eight){computed(x.low, zero, scale, more), computed(x.high, zero, scale, more)}); \
  }
#define SAME_f32(from, to, i) SAME_STEP(f32, from, to)
#define SAME_bf16(from, to, i) SAME_STEP(bf16, from, to)
#define SAME_f16(from, to, i) SAME_STEP(f16, from, to)
#define SAME_s8(from, to, i) SAME_STEP(s8, from, to)
#define SAME_u8(from, to, i) SAME_STEP(u8, from, to)
#define SAME_table(from, to, i) SAME_STEP(table, from, to)
EACH_FORMAT(SAME)

typedef void plain_run(const float *table, const char *from, int64_t count, float *to);
typedef void same_run(const float *table, const char *from, int64_t count, const float *three, float *to);
static const struct {
  plain_run *plain;
  same_run *same;
} runs[] = {
#define ROW(name, bytes) {plain_##name, same_##name},
    EACH_FORMAT(ROW)
#undef ROW
};

void hlo_narrow_run_plain(hlo_narrow_format format, const float *table, const void *from, int64_t count, float *to) {
  assert(format < HLO_NARROW_NIBBLES);
  runs[format].plain(table, from, count, to);
}

void hlo_narrow_run_same(hlo_narrow_format format, const float *table, const void *from, int64_t count, const float *three, float *to) {
  assert(format < HLO_NARROW_NIBBLES);
  runs[format].same(table, from, count, three, to);
}

static v128_t value_at(const hlo_narrow_run *run, int which, int64_t i) { return wasm_v128_load(run->values[which] + i * run->step[which]); }

void hlo_narrow_run_each(hlo_narrow_format format, const float *table, const void *from, int64_t count, const hlo_narrow_run *run, float *to) {
  int64_t i = 0;
  hlo_narrow_run_plain(format, table, from, count, to);
  for (; i + 4 <= count; i += 4)
    wasm_v128_store(to + i, computed(wasm_v128_load(to + i), value_at(run, HLO_NARROW_ZERO, i), value_at(run, HLO_NARROW_SCALE, i),
                                     value_at(run, HLO_NARROW_MORE, i)));
  for (; i < count; i++) {
    float three[HLO_NARROW_VALUES];
    for (int w = 0; w < HLO_NARROW_VALUES; w++) three[w] = run->values[w][i * run->step[w]];
    float scaled = (to[i] - three[HLO_NARROW_ZERO]) * three[HLO_NARROW_SCALE];
    to[i] = scaled + three[HLO_NARROW_MORE];
  }
}

void hlo_narrow_round(hlo_narrow_rounding rounding, float *values, int64_t count) {
  uint16_t narrow[HLO_NARROW_LINE * 8];
  if (rounding == HLO_ROUND_F32) return;
  assert(count <= HLO_NARROW_LINE * 8);
  bool is_bf16 = rounding == HLO_ROUND_BF16;
  (is_bf16 ? hlo_narrow_f32_bf16 : hlo_narrow_f32_f16)(values, count, narrow);
  hlo_narrow_run_plain(is_bf16 ? HLO_NARROW_BF16 : HLO_NARROW_F16, NULL, narrow, count, values);
}
