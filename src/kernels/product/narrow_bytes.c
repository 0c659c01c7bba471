/* Columns of s8 with scales, times a vector of integers (kernels/product/fixed_vector.h), four columns at a time. A unit of the vector and its
 * rows of a column are multiplied exactly: as halves of s16, or as four digits of s8 where hosts multiply bytes in fours, to the same bits. Then
 * the four sums are a vector, which is scaled. A wide unit is multiplied in f32. */
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"
#include "kernels/product/byte_quads.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/level_sums.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

enum { COLUMNS = 4, UNIT = HLO_FIXED_UNIT, BLOCK = 128, READY = 32 /* units that are multiplied at once */, SIXTEEN = 16 };

#define INLINE static inline __attribute__((always_inline))

/* A vector is prepared as [of every eight rows, upper halves and lower halves; or digits][units][first sums of digits]. */
typedef struct prepared_vector {
  float *rows, *units;
  int32_t (*first)[2];
} prepared_vector;

static prepared_vector parts_of(const float *prepared, int64_t whole) {
  float *rows = (float *)(uintptr_t)prepared, *units = rows + whole;
  return (prepared_vector){rows, units, (int32_t(*)[2])(units + hlo_ceil_div(whole, UNIT))};
}

bool hlo_bytes_are_columns(const hlo_narrow_form *form) {
  return hlo_narrow_is_scaled_s8(form, 8) && hlo_narrow_along_k(form) && form->k < INT32_MAX;
}

size_t hlo_bytes_prepared_bytes(int64_t k) { return (size_t)(k + 3 * hlo_ceil_div(k, UNIT)) * sizeof(float); }

static void make_halves(const int32_t *whole, int count, int16_t *made) {
  for (int i = 0; i < count; i++) {
    int16_t *halves = made + i / 8 * 16 + i % 8;
    halves[0] = hlo_fixed_upper(whole[i]), halves[8] = hlo_fixed_lower(whole[i]);
  }
}

/* `bias`: what is added to every byte of a column, to make it unsigned. */
static void make_digits(const int32_t *whole, int bias, int8_t *made, int32_t *first) {
  first[0] = first[1] = 0;
  for (int i = 0; i < UNIT; i++) {
    int32_t left = whole[i];
    for (int d = HLO_FIXED_DIGITS - 1; d >= 0; d--) {
      int8_t digit = (int8_t)left;
      left = (left - digit) >> 8;
      made[(i / SIXTEEN * HLO_FIXED_DIGITS + d) * SIXTEEN + i % SIXTEEN] = digit;
      first[d / 2] -= bias * digit * (d % 2 ? 1 : 256);
    }
  }
}

void hlo_bytes_prepare(const hlo_narrow_form *form, const float *vector, float *prepared) {
  int64_t whole = form->k & ~(int64_t)7;
  prepared_vector v = parts_of(prepared, whole);
  bool digits = hlo_narrow_has_digits(form);
  float allowance = hlo_fixed_allowance(form->k);
  for (int64_t p = 0; p < whole; p += UNIT) {
    int32_t made[UNIT];
    int count = whole - p < UNIT ? (int)(whole - p) : UNIT;
    float unit = v.units[p / UNIT] = hlo_fixed_make(vector + p, count, allowance, made);
    if (unit == 0) memset(made, 0, sizeof made);
    if (digits) make_digits(made, hlo_byte_mode_now() == HLO_BYTES_UNSIGNED ? 128 : 0, (int8_t *)(v.rows + p), v.first[p / UNIT]);
    else make_halves(made, count, (int16_t *)(v.rows + p));
  }
}

#ifdef __wasm__
/* Vectors have digits only where a function of relaxed SIMD has taken this place. */
void hlo_byte_units(const char *column, ptrdiff_t apart, const int8_t *digits, const int32_t (*first)[2], int units, float (*out)[COLUMNS], uint32_t flipped) { __builtin_trap(); }
#else
void hlo_byte_units(const char *column, ptrdiff_t apart, const int8_t *digits, const int32_t (*first)[2], int units, float (*out)[COLUMNS], uint32_t flipped) {
  for (; units > 0; units--, column += UNIT, digits += HLO_FIXED_DIGITS * UNIT, first++, out++)
    for (int c = 0; c < COLUMNS; c++) {
      int64_t sum = (int64_t)(*first)[0] * (1 << HLO_FIXED_HALF) + (*first)[1];
      for (int i = 0; i < UNIT; i++) {
        int byte = (uint8_t)column[c * apart + i] ^ (flipped & 255), weight = flipped ? byte : (int8_t)byte;
        for (int d = 0; d < HLO_FIXED_DIGITS; d++)
          sum += (int64_t)digits[(i / SIXTEEN * HLO_FIXED_DIGITS + d) * SIXTEEN + i % SIXTEEN] * weight * ((int64_t)1 << 8 * (HLO_FIXED_DIGITS - 1 - d));
      }
      int64_t upper = (sum + (1 << (HLO_FIXED_HALF - 1))) >> HLO_FIXED_HALF;
      (*out)[c] = (float)upper * (1 << HLO_FIXED_HALF) + (float)(sum - upper * (1 << HLO_FIXED_HALF));
    }
}
#endif

/* ---- Four columns ---- */

typedef struct column_sums {
  const char *at;  /* the first column */
  ptrdiff_t apart; /* bytes from one of the four to the next */
  const float *vector;
  prepared_vector prepared;
  _Alignas(16) float ready[READY][COLUMNS]; /* products of units, digit by digit */
} column_sums;

#define EACH_COLUMN(DO) DO(0) DO(1) DO(2) DO(3)

/* Reads four scales that lie `apart` bytes from each other. */
INLINE v128_t scales_of(hlo_narrow_format format, const char *at, ptrdiff_t apart) {
#define AS(type, c) *(const type *)(at + c * apart)
  if (format == HLO_NARROW_F32) return wasm_f32x4_make(AS(float, 0), AS(float, 1), AS(float, 2), AS(float, 3));
  const int16_t one = 0x3c00; /* what is not read must be an ordinary number */
  v128_t halves = wasm_i16x8_make(AS(int16_t, 0), AS(int16_t, 1), AS(int16_t, 2), AS(int16_t, 3), one, one, one, one);
#undef AS
  return (format == HLO_NARROW_F16 ? hlo_eight_of_f16(halves, hlo_half_constants_at()) : hlo_eight_of_bf16(halves)).low;
}

/* Two neighbours of each of two vectors, or two halves, as one vector. */
#define NEIGHBOURS(add, a, b) add(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7))
#define HALVES(add, a, b) add(wasm_i32x4_shuffle(a, b, 0, 1, 4, 5), wasm_i32x4_shuffle(a, b, 2, 3, 6, 7))
#define SUM_LANES(add, a, b, c, d) NEIGHBOURS(add, HALVES(add, a, b), HALVES(add, c, d))

#define BEGIN(c)                         \
  const char *at##c = t->at + c * t->apart; \
  v128_t upper##c = wasm_i32x4_splat(0), lower##c = upper##c;
#define STEP(c)                                                          \
  {                                                                      \
    v128_t w = wasm_i16x8_load8x8(at##c + i);                            \
    upper##c = wasm_i32x4_add(upper##c, wasm_i32x4_dot_i16x8(upper, w)); \
    lower##c = wasm_i32x4_add(lower##c, wasm_i32x4_dot_i16x8(lower, w)); \
  }
/* Multiplies rows i to end of a unit. */
INLINE v128_t sum_integers(const column_sums *t, int i, int end) {
  EACH_COLUMN(BEGIN)
  for (; i < end; i += 8) {
    v128_t upper = wasm_v128_load(t->prepared.rows + i), lower = wasm_v128_load(t->prepared.rows + i + 4);
    EACH_COLUMN(STEP)
  }
  v128_t upper = SUM_LANES(wasm_i32x4_add, upper0, upper1, upper2, upper3), lower = SUM_LANES(wasm_i32x4_add, lower0, lower1, lower2, lower3);
  v128_t carried = wasm_i32x4_shr(wasm_i32x4_add(lower, wasm_i32x4_splat(1 << (HLO_FIXED_HALF - 1))), HLO_FIXED_HALF);
  upper = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_add(upper, carried)), wasm_f32x4_splat(1 << HLO_FIXED_HALF));
  return wasm_f32x4_add(upper, wasm_f32x4_convert_i32x4(wasm_i32x4_sub(lower, wasm_i32x4_shl(carried, HLO_FIXED_HALF))));
}

/* The same in f32, and scaled: the product of a large element and a weight without its scale might be infinite. */
static v128_t sum_floats(const column_sums *t, int begin, int end, v128_t scales) {
  float each[COLUMNS];
  v128_t sums[COLUMNS];
  wasm_v128_store(each, scales);
  for (int c = 0; c < COLUMNS; c++) {
    v128_t scale = wasm_v128_load32_splat(each + c), sum = wasm_f32x4_splat(0);
    for (int i = begin; i < end; i += 8) {
      hlo_eight w = hlo_eight_of_s8(t->at + c * t->apart + i);
      v128_t low = wasm_f32x4_mul(wasm_v128_load(t->vector + i), wasm_f32x4_mul(w.low, scale));
      v128_t high = wasm_f32x4_mul(wasm_v128_load(t->vector + i + 4), wasm_f32x4_mul(w.high, scale));
      sum = wasm_f32x4_add(sum, wasm_f32x4_add(low, high));
    }
    sums[c] = sum;
  }
  return SUM_LANES(wasm_f32x4_add, sums[0], sums[1], sums[2], sums[3]);
}

/* Multiplies the next units digit by digit. */
static void make_ready(column_sums *t, int p, int whole) {
  int end = whole - p < READY * UNIT ? whole : p + READY * UNIT;
  hlo_byte_units_kernel *volatile multiply = hlo_byte_units; /* by its place in the table */
  multiply(t->at + p, t->apart, (const int8_t *)(t->prepared.rows + p), (const int32_t(*)[2])t->prepared.first + p / UNIT, (end - p) / UNIT, t->ready,
           hlo_byte_mode_now() == HLO_BYTES_UNSIGNED ? 0x80808080u : 0);
}

void hlo_bytes_columns(const hlo_narrow_matrix *m, const float *vector, const float *prepared, int64_t column, int64_t apart, int whole, float *out) {
  const hlo_narrow_form *form = m->form;
  const hlo_narrow_values *scale = &form->stages[0].values[HLO_NARROW_SCALE];
  hlo_narrow_format format = scale->format;
  ptrdiff_t bytes = m->arrays[0][HLO_NARROW_SCALE] ? hlo_narrow_bytes(format) : 0;
  ptrdiff_t scale_apart = (ptrdiff_t)(apart * scale->n_stride) * bytes, scale_step = (ptrdiff_t)scale->g_stride * bytes;
  const char *scale_at = hlo_narrow_value_in(m, 0, HLO_NARROW_SCALE, 0, column);
  column_sums t;
  t.at = (const char *)m->data + form->offset + column * form->n_stride, t.apart = (ptrdiff_t)(apart * form->n_stride);
  t.vector = vector, t.prepared = parts_of(prepared, whole);
  bool digits = hlo_narrow_has_digits(form);
  int group = form->group < whole ? (int)form->group : whole, left = 0;
  v128_t levels[HLO_SUM_LEVELS], scales, sum = wasm_f32x4_splat(0);
  for (int p = 0, part; p < whole; left -= part) {
    if (left == 0) left = group, scales = scales_of(format, scale_at, scale_apart), scale_at += scale_step;
    if (digits && p % (READY * UNIT) == 0) make_ready(&t, p, whole);
    part = UNIT - p % UNIT;
    if (part > left) part = left;
    if (part > whole - p) part = whole - p;
    float unit = t.prepared.units[p / UNIT];
    v128_t products;
    if (unit == 0) products = sum_floats(&t, p, p + part, scales);
    else products = wasm_f32x4_mul(wasm_f32x4_mul(digits ? wasm_v128_load(t.ready[p / UNIT % READY]) : sum_integers(&t, p, p + part), wasm_f32x4_splat(unit)), scales);
    sum = wasm_f32x4_add(sum, products);
    p += part;
    if (p % BLOCK && p < whole) continue;
    hlo_levels_carry(levels, (p - 1) / BLOCK, sum);
    sum = wasm_f32x4_splat(0);
  }
  float four[COLUMNS];
  wasm_v128_store(four, hlo_levels_sum(levels, hlo_ceil_div(whole, BLOCK)));
  for (int c = 0; c < COLUMNS; c++) out[c * apart] = four[c];
}
