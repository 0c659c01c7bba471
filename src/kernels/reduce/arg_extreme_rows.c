/* A row of f32 is read twice, for the value and then for its place: that is faster than carrying places along. Four short rows become columns. */
#include "kernels/reduce/arg_extreme_rows.h"

#include <math.h>

#include "base/built_small.h"
#include "kernels/reduce/reduce.h"
#include "kernels/simd128.h"

enum { FEW = 16, SHORT = 32, LINE = 4 /* vectors of a cache line */ };

#define ARG_EXTREME(name, type, STEPS)                                                                               \
  void name(const void *array, int64_t rows, int64_t width, bool least, void *found, int32_t *places) {              \
    const type *in = array;                                                                                          \
    for (int64_t r = 0; r < rows; r++, in += width) {                                                                \
      type value = in[0];                                                                                            \
      int32_t place = 0;                                                                                             \
      STEPS                                                                                                          \
      ((type *)found)[r] = value;                                                                                    \
      places[r] = place;                                                                                             \
    }                                                                                                                \
  }
#define OF_FLOATS                                                           \
  for (int32_t i = 1; i < width; i++) {                                     \
    if (least ? value < in[i] : value > in[i]) continue;                    \
    if (isnan(value)) break;                                                \
    if (value != in[i]) place = i;                                          \
    value = in[i];                                                          \
  }
/* In short rows nobody knows which way branches go: choices are masks. */
#define OF_INTEGERS                                                         \
  for (int32_t i = 1; i < width && width <= FEW; i++) {                     \
    int32_t change = -(least ? in[i] < value : in[i] > value);              \
    place ^= (place ^ i) & change;                                          \
    value ^= (value ^ in[i]) & change;                                      \
  }                                                                         \
  for (int32_t i = 1; i < width && width > FEW; i++) {                      \
    if (least ? value <= in[i] : value >= in[i]) continue;                  \
    place = i;                                                              \
    value = in[i];                                                          \
  }
ARG_EXTREME(hlo_f32_arg_extreme_scalar, float, OF_FLOATS)
static HLO_SMALL ARG_EXTREME(of_f64_rows, double, OF_FLOATS)
static HLO_SMALL ARG_EXTREME(of_s64_rows, int64_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_s32, int32_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_u32, uint32_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_s16, int16_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_u16, uint16_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_s8, int8_t, OF_INTEGERS)
static HLO_SMALL ARG_EXTREME(of_few_u8, uint8_t, OF_INTEGERS)

/* Floats of 16 bits by their bits: magnitudes are ordered as integers, and what is greater than infinity is no number. */
static HLO_SMALL void of_halves(const uint16_t *in, int64_t rows, int64_t width, bool least, int infinity, uint16_t *found, int32_t *places) {
  for (int64_t r = 0; r < rows; r++, in += width) {
    int value = 0;
    for (int64_t i = 0; i < width; i++) {
      int magnitude = in[i] & 0x7fff, number = in[i] > magnitude ? -magnitude : magnitude;
      bool is_number = magnitude <= infinity;
      if (i > 0 && is_number && (least ? value < number : value > number)) continue;
      if (i == 0 || !is_number || value != number) places[r] = (int32_t)i;
      found[r] = in[i];
      value = number;
      if (!is_number) break;
    }
  }
}
#define HALVES(name, infinity)                                                                                       \
  static void name(const void *in, int64_t rows, int64_t width, bool least, void *found, int32_t *places) {          \
    of_halves(in, rows, width, least, infinity, found, places);                                                      \
  }
HALVES(of_f16, 0x7c00)
HALVES(of_bf16, 0x7f80)

/* Bytes: what the greatest is, and then where. */
static HLO_SMALL void of_u8(const void *array, int64_t rows, int64_t width, bool least, void *found, int32_t *places) {
  const uint8_t *in = array;
  if (width < FEW) {
    of_few_u8(array, rows, width, least, found, places);
    return;
  }
  for (int64_t r = 0; r < rows; r++, in += width) {
    uint8_t value = in[0];
    int64_t i = 0;
    v128_t most = wasm_i8x16_splat((int8_t)value);
    for (; i + 16 <= width; i += 16) most = least ? wasm_u8x16_min(most, wasm_v128_load(in + i)) : wasm_u8x16_max(most, wasm_v128_load(in + i));
    for (; i < width; i++)
      if (least ? in[i] < value : in[i] > value) value = in[i];
    uint8_t lanes[16];
    wasm_v128_store(lanes, most);
    for (int n = 0; n < 16; n++)
      if (least ? lanes[n] < value : lanes[n] > value) value = lanes[n];
    v128_t all = wasm_i8x16_splat((int8_t)value);
    for (i = 0; i + 16 <= width && !wasm_v128_any_true(wasm_i8x16_eq(wasm_v128_load(in + i), all)); i += 16) continue;
    while (in[i] != value) i++;
    ((uint8_t *)found)[r] = value;
    places[r] = (int32_t)i;
  }
}

/* ---- Columns ---- */

static inline void store_places(int32_t *to, v128_t places) { wasm_v128_store(to, places); }
static inline void store_long_places(int32_t *to, v128_t places) { wasm_v128_store64_lane(to, wasm_i32x4_shuffle(places, places, 0, 2, 0, 2), 0); }

/* Columns, `count` vectors of them at a time; the last ones may have been among those before. */
#define COLUMNS(name, count, type, shape, lanes, places_shape, store)                                                                     \
  static void name(const void *array, int64_t columns, int64_t width, bool least, void *found, int32_t *places) {                         \
    for (int64_t done = 0; done < columns; done += lanes * count) {                                                                       \
      int64_t j = done + lanes * count <= columns ? done : columns - lanes * count;                                                       \
      const type *row = (const type *)array + j;                                                                                          \
      v128_t value[count], place[count];                                                                                                  \
      for (int n = 0; n < count; n++) value[n] = wasm_v128_load(row + lanes * n), place[n] = wasm_i32x4_splat(0);                          \
      for (int64_t i = 1; i < width; i++) {                                                                                               \
        row += columns;                                                                                                                   \
        for (int n = 0; n < count; n++) {                                                                                                 \
          v128_t next = wasm_v128_load(row + lanes * n);                                                                                  \
          v128_t keeps = wasm_v128_or(least ? wasm_##shape##_lt(value[n], next) : wasm_##shape##_gt(value[n], next), wasm_##shape##_ne(value[n], value[n])); \
          place[n] = wasm_v128_bitselect(place[n], wasm_##places_shape##_splat((int32_t)i), wasm_v128_or(keeps, wasm_##shape##_eq(value[n], next))); \
          value[n] = wasm_v128_bitselect(value[n], next, keeps);                                                                          \
        }                                                                                                                                 \
      }                                                                                                                                   \
      for (int n = 0; n < count; n++) {                                                                                                   \
        wasm_v128_store((type *)found + j + lanes * n, value[n]);                                                                         \
        store(places + j + lanes * n, place[n]);                                                                                          \
      }                                                                                                                                   \
    }                                                                                                                                     \
  }
COLUMNS(of_f32_fours, 1, float, f32x4, 4, i32x4, store_places)
COLUMNS(of_f32_lines, LINE, float, f32x4, 4, i32x4, store_places)
COLUMNS(of_s32_lines, LINE, int32_t, i32x4, 4, i32x4, store_places)
COLUMNS(of_f64_lines, LINE, double, f64x2, 2, i64x2, store_long_places)
COLUMNS(of_s64_lines, LINE, int64_t, i64x2, 2, i64x2, store_long_places)

static inline void store_words(int32_t *to, v128_t halves) {
  wasm_v128_store(to, wasm_u32x4_extend_low_u16x8(halves));
  wasm_v128_store(to + 4, wasm_u32x4_extend_high_u16x8(halves));
}

/* Sixteen columns at a time, whose places are bytes. */
static HLO_SMALL void of_u8_columns(const void *array, int64_t columns, int64_t width, bool least, void *found, int32_t *places) {
  const uint8_t *in = array;
  uint8_t *values = found;
  for (int64_t done = 0; done < columns; done += 16) {
    int64_t j = done + 16 <= columns ? done : columns - 16;
    const uint8_t *row = in + j;
    v128_t value = wasm_v128_load(row), place = wasm_i8x16_splat(0);
    for (int64_t i = 1; i < width; i++) {
      v128_t next = wasm_v128_load(row += columns), chosen = least ? wasm_u8x16_min(value, next) : wasm_u8x16_max(value, next);
      place = wasm_v128_bitselect(place, wasm_i8x16_splat((int8_t)i), wasm_i8x16_eq(value, chosen));
      value = chosen;
    }
    wasm_v128_store(values + j, value);
    store_words(places + j, wasm_u16x8_extend_low_u8x16(place));
    store_words(places + j + 8, wasm_u16x8_extend_high_u8x16(place));
  }
}

/* Short rows of eight bytes, eight at a time: they become columns. */
static void of_eight_bytes(hlo_arg_extreme_kernel *of_columns, hlo_arg_extreme_kernel *of_rows, const int64_t *in, int64_t rows, int64_t width, bool least, int64_t *found, int32_t *places) {
  enum { ROWS = 8 };
  int64_t r = 0, columns[ROWS * SHORT];
  for (; width <= SHORT && r + ROWS <= rows; r += ROWS, in += ROWS * width) {
    for (int64_t i = 0; i < width; i++)
      for (int j = 0; j < ROWS; j++) columns[ROWS * i + j] = in[j * width + i];
    of_columns(columns, ROWS, width, least, found + r, places + r);
  }
  of_rows(in, rows - r, width, least, found + r, places + r);
}
static void of_f64(const void *in, int64_t rows, int64_t width, bool least, void *found, int32_t *places) { of_eight_bytes(of_f64_lines, of_f64_rows, in, rows, width, least, found, places); }
static void of_s64(const void *in, int64_t rows, int64_t width, bool least, void *found, int32_t *places) { of_eight_bytes(of_s64_lines, of_s64_rows, in, rows, width, least, found, places); }

/* ---- The choice ---- */

hlo_arg_extreme_kernel *hlo_arg_extreme_kernel_of(hlo_type type) {
  switch (type) {
  case HLO_TYPE_F32: return hlo_f32_arg_extreme_simd128;
  case HLO_TYPE_F16: return of_f16;
  case HLO_TYPE_BF16: return of_bf16;
  case HLO_TYPE_F64: return of_f64;
  case HLO_TYPE_S64: return of_s64;
  case HLO_TYPE_S32: return of_s32;
  case HLO_TYPE_U32: return of_u32;
  case HLO_TYPE_S16: return of_s16;
  case HLO_TYPE_U16: return of_u16;
  case HLO_TYPE_S8: return of_s8;
  case HLO_TYPE_U8: case HLO_TYPE_PRED: return of_u8;
  default: return NULL;
  }
}

hlo_arg_extreme_kernel *hlo_arg_extreme_columns_of(hlo_type type, int64_t columns) {
  bool is_line = columns * hlo_type_bytes(type) >= HLO_ARG_EXTREME_LINE;
  switch (type) {
  case HLO_TYPE_F32: return is_line ? of_f32_lines : of_f32_fours;
  case HLO_TYPE_F64: return is_line ? of_f64_lines : NULL;
  case HLO_TYPE_S32: return is_line ? of_s32_lines : NULL;
  case HLO_TYPE_S64: return is_line ? of_s64_lines : NULL;
  case HLO_TYPE_U8: case HLO_TYPE_PRED: return of_u8_columns;
  default: return NULL;
  }
}

/* ---- f32 ---- */

/* Returns whether one of 16 elements equals the value, which is in all lanes. */
static inline bool has(const float *in, v128_t value) {
  v128_t equal = wasm_f32x4_eq(wasm_v128_load(in), value);
  for (int n = 1; n < 4; n++) equal = wasm_v128_or(equal, wasm_f32x4_eq(wasm_v128_load(in + 4 * n), value));
  return wasm_v128_any_true(equal);
}

void hlo_f32_arg_extreme_simd128(const void *array, int64_t rows, int64_t width, bool least, void *found, int32_t *places) {
  const float *in = array;
  float *values = found;
  hlo_reduce_kernel *reduce = least ? hlo_f32_reduce_minimum_simd128 : hlo_f32_reduce_maximum_simd128;
  int64_t r = 0;
  for (; width <= SHORT && r + 4 <= rows; r += 4, in += 4 * width) {
    float columns[4 * SHORT];
    for (int j = 0; j < 4; j++)
      for (int64_t i = 0; i < width; i++) columns[4 * i + j] = in[j * width + i];
    of_f32_fours(columns, 4, width, least, values + r, places + r);
  }
  for (; r < rows; r++, in += width) {
    float value;
    int64_t i = 0, last = width - 1;
    reduce(in, &value, 1, width, 1);
    if (isnan(value))
      while (!isnan(in[i])) i++;
    else
      for (; i + 16 <= width && !has(in + i, wasm_f32x4_splat(value)); i += 16) continue;
    while (!isnan(value) && in[i] != value) i++;
    while (value == 0 && in[last] != 0) last--;
    values[r] = value == 0 ? in[last] : isnan(value) ? in[i] : value;
    places[r] = (int32_t)i;
  }
}
