/* The loops that widen runs of narrow elements: eight elements at a time, and the last ones in a buffer that is filled up. */
#include <assert.h>
#include <string.h>

#include "kernels/convert/widen.h"
#include "kernels/half_lanes.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

int hlo_narrow_bytes(hlo_narrow_format format) { return format == HLO_NARROW_F32 ? 4 : format <= HLO_NARROW_F16 ? 2 : 1; }

/* ---- Eight elements of each format ---- */

#define INLINE static inline __attribute__((always_inline))

INLINE hlo_eight load_f32(const float *table, const char *from) { return (hlo_eight){wasm_v128_load(from), wasm_v128_load(from + 16)}; }

INLINE hlo_eight load_bf16(const float *table, const char *from) { return hlo_eight_of_bf16(wasm_v128_load(from)); }

INLINE hlo_eight load_s8(const float *table, const char *from) { return hlo_eight_of_s8(from); }

INLINE hlo_eight load_u8(const float *table, const char *from) {
  v128_t x = wasm_u16x8_load8x8(from), low = wasm_u32x4_extend_low_u16x8(x), high = wasm_u32x4_extend_high_u16x8(x);
  HLO_HIDE(low) /* as hlo_eight_of_s8 does */
  HLO_HIDE(high)
  return (hlo_eight){wasm_f32x4_convert_i32x4(low), wasm_f32x4_convert_i32x4(high)};
}

INLINE hlo_eight load_table(const float *table, const char *from) {
  const uint8_t *x = (const uint8_t *)from;
  return (hlo_eight){wasm_f32x4_make(table[x[0]], table[x[1]], table[x[2]], table[x[3]]),
                 wasm_f32x4_make(table[x[4]], table[x[5]], table[x[6]], table[x[7]])};
}

/* ---- Runs ---- */

INLINE void store(float *to, hlo_eight x) {
  wasm_v128_store(to, x.low);
  wasm_v128_store(to + 4, x.high);
}

INLINE v128_t computed(v128_t x, v128_t zero, v128_t scale, v128_t more) {
  return wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_sub(x, zero), scale), more);
}

/* Formats whose elements are computed with as they are loaded; all others are widened first. */
#define EACH_DIRECT(DO) DO(f32, 4) DO(s8, 1) DO(u8, 1)

/* Runs DO(from, to, i) for every eight elements, and once for the rest, by way of memory for hlo_eight. */
#define EIGHT_BY_EIGHT(bytes, DO)                                \
  int i = 0;                                                     \
  for (; i + 8 <= count; i += 8) DO(from + i * bytes, to + i, i) \
  if (i < count) {                                               \
    char last[8 * bytes] = {0};                                  \
    float made[8];                                               \
    memcpy(last, from + i * bytes, (size_t)(count - i) * bytes); \
    DO(last, made, i)                                            \
    memcpy(to + i, made, (size_t)(count - i) * sizeof *to);      \
  }

#define PLAIN(name, bytes)                                                                              \
  static void plain_##name(const float *table, const char *from, int count, float *to) {                 \
    EIGHT_BY_EIGHT(bytes, PLAIN_##name)                                                                  \
  }
#define PLAIN_STEP(name, from, to) store(to, load_##name(table, from));
#define PLAIN_f32(from, to, i) PLAIN_STEP(f32, from, to)
#define PLAIN_bf16(from, to, i) PLAIN_STEP(bf16, from, to)
#define PLAIN_s8(from, to, i) PLAIN_STEP(s8, from, to)
#define PLAIN_u8(from, to, i) PLAIN_STEP(u8, from, to)
#define PLAIN_table(from, to, i) PLAIN_STEP(table, from, to)
EACH_DIRECT(PLAIN) PLAIN(bf16, 2) PLAIN(table, 1)
static void plain_f16(const float *table, const char *from, int count, float *to) { hlo_widen_f16_f32(from, count, to); }

/* Runs of one value of each after another: the first is `first` elements long, all others `group`. */
#define GROUPS(name, bytes)                                                                                                            \
  static void groups_##name(const float *table, const char *all, int length, int first, int group, const float *three, bool scales, float *out) { \
    for (int done = 0, count = first; done < length; done += count, count = group, three += HLO_NARROW_VALUES) {                        \
      v128_t scale = wasm_f32x4_splat(three[HLO_NARROW_SCALE]);                                                                         \
      const char *from = all + done * bytes;                                                                                            \
      float *to = out + done;                                                                                                           \
      if (count > length - done) count = length - done;                                                                                 \
      if (scales) {                                                                                                                     \
        EIGHT_BY_EIGHT(bytes, SCALED_##name)                                                                                            \
      } else {                                                                                                                          \
        v128_t zero = wasm_f32x4_splat(three[HLO_NARROW_ZERO]), more = wasm_f32x4_splat(three[HLO_NARROW_MORE]);                        \
        EIGHT_BY_EIGHT(bytes, GROUPS_##name)                                                                                            \
      }                                                                                                                                 \
    }                                                                                                                                   \
  }
#define SCALED_STEP(name, from, to)                                                             \
  {                                                                                             \
    hlo_eight x = load_##name(table, from);                                                         \
    store(to, (hlo_eight){wasm_f32x4_mul(x.low, scale), wasm_f32x4_mul(x.high, scale)});            \
  }
#define GROUPS_STEP(name, from, to)                                                              \
  {                                                                                              \
    hlo_eight x = load_##name(table, from);                                                          \
    store(to, (hlo_eight){computed(x.low, zero, scale, more), computed(x.high, zero, scale, more)}); \
  }
#define SCALED_f32(from, to, i) SCALED_STEP(f32, from, to)
#define GROUPS_f32(from, to, i) GROUPS_STEP(f32, from, to)
#define SCALED_s8(from, to, i) SCALED_STEP(s8, from, to)
#define GROUPS_s8(from, to, i) GROUPS_STEP(s8, from, to)
#define SCALED_u8(from, to, i) SCALED_STEP(u8, from, to)
#define GROUPS_u8(from, to, i) GROUPS_STEP(u8, from, to)
EACH_DIRECT(GROUPS)

typedef void plain_run(const float *table, const char *from, int count, float *to);
typedef void groups_run(const float *table, const char *from, int count, int first, int group, const float *three, bool scales, float *to);
static const struct {
  plain_run *plain;
  groups_run *groups; /* NULL: there is none */
} runs[] = {
    [HLO_NARROW_F32] = {plain_f32, groups_f32}, [HLO_NARROW_BF16] = {plain_bf16, NULL}, [HLO_NARROW_F16] = {plain_f16, NULL},
    [HLO_NARROW_S8] = {plain_s8, groups_s8}, [HLO_NARROW_U8] = {plain_u8, groups_u8}, [HLO_NARROW_TABLE] = {plain_table, NULL},
};

void hlo_narrow_run_plain(hlo_narrow_format format, const float *table, const void *from, int count, float *to) {
  assert(format < HLO_NARROW_NIBBLES);
  runs[format].plain(table, from, count, to);
}

void hlo_narrow_run_groups(hlo_narrow_format format, const float *table, const void *from, int count, int first, int group,
                           const float *three, bool scales, float *to) {
  assert(format < HLO_NARROW_NIBBLES && first > 0 && group > 0);
  groups_run *groups = runs[format].groups;
  if (!groups) runs[format].plain(table, from, count, to), groups = groups_f32, from = to;
  groups(table, from, count, first, group, three, scales, to);
}

/* Where scales alone are given, nothing else is computed. */
void hlo_narrow_run_each(hlo_narrow_format format, const float *table, const void *from, int count, const float *const *values, float *to) {
  const float *zeros = values[HLO_NARROW_ZERO], *scales = values[HLO_NARROW_SCALE], *more = values[HLO_NARROW_MORE];
  int i = 0;
  hlo_narrow_run_plain(format, table, from, count, to);
  if (!zeros && !more) {
    for (; i + 4 <= count; i += 4) wasm_v128_store(to + i, wasm_f32x4_mul(wasm_v128_load(to + i), wasm_v128_load(scales + i)));
    for (; i < count; i++) to[i] *= scales[i];
    return;
  }
  for (; i + 4 <= count; i += 4)
    wasm_v128_store(to + i, computed(wasm_v128_load(to + i), wasm_v128_load(zeros + i), wasm_v128_load(scales + i), wasm_v128_load(more + i)));
  for (; i < count; i++) {
    float scaled = (to[i] - zeros[i]) * scales[i];
    to[i] = scaled + more[i];
  }
}

void hlo_narrow_round(hlo_narrow_rounding rounding, float *values, int count) {
  uint16_t narrow[HLO_NARROW_LINE];
  if (rounding == HLO_ROUND_F32) return;
  assert(count <= HLO_NARROW_LINE);
  bool is_bf16 = rounding == HLO_ROUND_BF16;
  (is_bf16 ? hlo_narrow_f32_bf16 : hlo_narrow_f32_f16)(values, count, narrow);
  hlo_narrow_run_plain(is_bf16 ? HLO_NARROW_BF16 : HLO_NARROW_F16, NULL, narrow, count, values);
}
