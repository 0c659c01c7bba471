/* Columns of s8 with scales, times a vector of integers (kernels/product/fixed_vector.h), four columns at a time. A unit of the vector and its
 * rows of a column are multiplied exactly: as halves of s16, or as four digits of s8 where hosts multiply bytes in fours, to the same bits. Then
 * the four sums are a vector, which is scaled. A wide unit takes several passes. Where integers would not do, all is done in f32. */
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"
#include "kernels/product/byte_quads.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/level_sums.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

enum { COLUMNS = 4, UNIT = HLO_FIXED_UNIT, BLOCK = 128, READY = 8 /* blocks that are multiplied at once */, CHUNK = READY * BLOCK, SIXTEEN = 16 };

#define INLINE static inline __attribute__((always_inline))

typedef enum sum_way { SUM_HALVES, SUM_UNITS /* whole ones, by a function of relaxed SIMD */, SUM_FLOATS } sum_way;

/* A vector is prepared as [way][passes]. */
typedef struct prepared_vector {
  sum_way *way;
  hlo_fixed_pass *passes;
} prepared_vector;

static int64_t most_passes(int64_t whole) { return 2 * hlo_ceil_div(whole, UNIT); }

static prepared_vector parts_of(const float *prepared) {
  sum_way *way = (sum_way *)(uintptr_t)prepared;
  return (prepared_vector){way, (hlo_fixed_pass *)(way + 4)};
}

bool hlo_bytes_are_columns(const hlo_narrow_form *form) {
  return hlo_narrow_is_scaled_s8(form, 8) && hlo_narrow_along_k(form) && form->k < INT32_MAX;
}

size_t hlo_bytes_prepared_bytes(int64_t k) { return 4 * sizeof(sum_way) + (size_t)most_passes(k) * sizeof(hlo_fixed_pass); }

static void make_halves(const int32_t *whole, int count, int bias, hlo_fixed_pass *pass) {
  pass->first[0] = pass->first[1] = 0;
  for (int i = 0; i < count; i++) pass->halves_by_eight[i / 8][0][i % 8] = hlo_fixed_upper(whole[i]), pass->halves_by_eight[i / 8][1][i % 8] = hlo_fixed_lower(whole[i]);
}

static void make_digits(const int32_t *whole, int count, int bias, hlo_fixed_pass *pass) {
  pass->first[0] = pass->first[1] = 0;
  for (int i = 0; i < UNIT; i++) {
    int32_t left = whole[i];
    for (int d = HLO_FIXED_DIGITS - 1; d >= 0; d--) {
      int8_t digit = (int8_t)left;
      left = (left - digit) >> 8;
      pass->digits_by_sixteen[i / SIXTEEN][d][i % SIXTEEN] = digit;
      pass->first[d / 2] -= bias * digit * (d % 2 ? 1 : 256);
    }
  }
}

void hlo_bytes_prepare(const hlo_narrow_form *form, const float *vector, float *prepared) {
  int64_t whole = form->k & ~(int64_t)7;
  prepared_vector v = parts_of(prepared);
  bool units = hlo_narrow_has_units(form), digits = units && !hlo_byte_mode_in_pairs();
  float allowance = hlo_fixed_allowance(form->k);
  int bias = hlo_byte_mode_now() == HLO_BYTES_UNSIGNED ? 128 : 0;
  hlo_fixed_pass *pass = v.passes, *end = pass + most_passes(whole);
  *v.way = units ? SUM_UNITS : SUM_HALVES;
  for (int64_t p = 0; p < whole && pass; p += UNIT)
    pass = hlo_fixed_passes(vector + p, whole - p < UNIT ? (int)(whole - p) : UNIT, allowance, false, digits ? make_digits : make_halves, bias, pass, end);
  if (!pass) *v.way = SUM_FLOATS;
}

#ifdef __wasm__
/* Units are multiplied so only where a function of relaxed SIMD has taken this place. */
void hlo_byte_blocks(const char *column, ptrdiff_t apart, const hlo_fixed_pass *passes, int units, const float (*scales)[COLUMNS], float (*out)[COLUMNS], uint32_t flipped, int in_halves) {
  __builtin_trap();
}
#else
/* Returns the product of a pass and a column. */
static float product_of_pass(const hlo_fixed_pass *pass, const char *column, uint32_t flipped, bool in_halves) {
  int64_t sum = (int64_t)pass->first[0] * (1 << HLO_FIXED_HALF) + pass->first[1];
  for (int i = 0; i < UNIT; i++) {
    int byte = (uint8_t)column[i] ^ (flipped & 255), weight = flipped ? byte : (int8_t)byte;
    if (in_halves) sum += weight * (pass->halves_by_eight[i / 8][0][i % 8] * ((int64_t)1 << HLO_FIXED_HALF) + pass->halves_by_eight[i / 8][1][i % 8]);
    for (int d = 0; !in_halves && d < HLO_FIXED_DIGITS; d++) sum += (int64_t)pass->digits_by_sixteen[i / SIXTEEN][d][i % SIXTEEN] * weight * ((int64_t)1 << 8 * (HLO_FIXED_DIGITS - 1 - d));
  }
  int64_t upper = (sum + (1 << (HLO_FIXED_HALF - 1))) >> HLO_FIXED_HALF;
  return ((float)upper * (1 << HLO_FIXED_HALF) + (float)(sum - upper * (1 << HLO_FIXED_HALF))) * pass->unit;
}

void hlo_byte_blocks(const char *column, ptrdiff_t apart, const hlo_fixed_pass *passes, int units, const float (*scales)[COLUMNS], float (*out)[COLUMNS], uint32_t flipped, int in_halves) {
  for (int unit = 0; unit < units; unit++, column += UNIT) {
    const hlo_fixed_pass *pass = passes;
    while (passes++->goes_on) continue;
    for (int c = 0; c < COLUMNS; c++) {
      float sum = product_of_pass(pass, column + c * apart, flipped, in_halves), *to = &out[unit / 4][c];
      for (const hlo_fixed_pass *next = pass + 1; next < passes; next++) sum += product_of_pass(next, column + c * apart, flipped, in_halves);
      sum *= scales[unit][c];
      *to = unit % 4 ? *to + sum : sum;
    }
  }
}
#endif

/* ---- Four columns ---- */

typedef struct column_sums {
  const char *at;  /* the first column */
  ptrdiff_t apart; /* bytes from one of the four to the next */
  const float *vector;
  const hlo_fixed_pass *pass; /* the first of the next unit */
  struct column_scales {
    hlo_narrow_format format;
    const char *at;        /* of the first column and the next group */
    ptrdiff_t apart, step; /* bytes from column to column, and from group to group */
    int group;             /* rows that have the same */
  } scales;
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
INLINE v128_t sum_pass(const column_sums *t, const hlo_fixed_pass *pass, int i, int end) {
  EACH_COLUMN(BEGIN)
  for (; i < end; i += 8) {
    v128_t upper = wasm_v128_load(pass->halves_by_eight[i % UNIT / 8][0]), lower = wasm_v128_load(pass->halves_by_eight[i % UNIT / 8][1]);
    EACH_COLUMN(STEP)
  }
  v128_t upper = SUM_LANES(wasm_i32x4_add, upper0, upper1, upper2, upper3), lower = SUM_LANES(wasm_i32x4_add, lower0, lower1, lower2, lower3);
  v128_t carried = wasm_i32x4_shr(wasm_i32x4_add(lower, wasm_i32x4_splat(1 << (HLO_FIXED_HALF - 1))), HLO_FIXED_HALF);
  upper = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_add(upper, carried)), wasm_f32x4_splat(1 << HLO_FIXED_HALF));
  return wasm_f32x4_add(upper, wasm_f32x4_convert_i32x4(wasm_i32x4_sub(lower, wasm_i32x4_shl(carried, HLO_FIXED_HALF))));
}

/* The same of all passes of the unit, scaled. */
INLINE v128_t sum_integers(column_sums *t, int i, int end, v128_t scales) {
  const hlo_fixed_pass *pass = t->pass;
  v128_t sum = wasm_f32x4_splat(-0.0f);
  for (bool goes_on = true; goes_on; goes_on = pass++->goes_on) sum = wasm_f32x4_add(sum, wasm_f32x4_mul(sum_pass(t, pass, i, end), wasm_f32x4_splat(pass->unit)));
  if (end % UNIT == 0) t->pass = pass;
  return wasm_f32x4_mul(sum, scales);
}

/* The same in f32: the product of a large element and a weight without its scale might be infinite. */
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

#define FIRST_FOUR 0, 8, 1, 9, 2, 10, 3, 11
#define LAST_FOUR 4, 12, 5, 13, 6, 14, 7, 15
#define LOAD_HALVES(c) v128_t r##c = wasm_v128_load(at + c * s->apart);
/* Four units of four columns, from the halves of columns that are interleaved: unit by unit. */
#define STORE_HALVES(to, EIGHT)                                                                                                                   \
  {                                                                                                                                               \
    v128_t a = wasm_i16x8_shuffle(r0, r1, EIGHT), b = wasm_i16x8_shuffle(r2, r3, EIGHT);                                                          \
    wasm_v128_store(to, wasm_i32x4_shuffle(a, b, 0, 4, 1, 5));                                                                                    \
    wasm_v128_store(to + 2, wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));                                                                                \
  }
/* Reads the scales of the units from row p on. */
static void read_scales(const struct column_scales *s, int p, int units, float (*scales)[COLUMNS]) {
  hlo_narrow_format format = s->format;
  if (format != HLO_NARROW_F32 && s->group == UNIT && s->step == sizeof(int16_t) && units >= 8) {
    int16_t halves[CHUNK / UNIT][COLUMNS];
    for (int u = 0; u < units; u += 8) {
      if (u > units - 8) u = units - 8;
      const char *at = s->at + (p / UNIT + u) * s->step;
      EACH_COLUMN(LOAD_HALVES)
      STORE_HALVES(halves + u, FIRST_FOUR)
      STORE_HALVES(halves + u + 4, LAST_FOUR)
    }
    hlo_narrow_run_plain(format, NULL, halves, units * COLUMNS, scales[0]);
    return;
  }
  for (int u = 0; u < units; u++, p += UNIT)
    wasm_v128_store(scales[u], u > 0 && p % s->group ? wasm_v128_load(scales[u - 1]) : scales_of(format, s->at + p / s->group * s->step, s->apart));
}

/* Returns the sums of four columns, by whole units. */
static v128_t sum_units(column_sums *t, int whole) {
  hlo_byte_blocks_kernel *volatile multiply = hlo_byte_blocks; /* by its place in the table */
  v128_t levels[HLO_SUM_LEVELS];
  int chunk = 0;
  for (int p = 0; p < whole; p += CHUNK) {
    _Alignas(16) float scales[CHUNK / UNIT][COLUMNS];
    v128_t ready[READY + 1];
    int units = (whole - p < CHUNK ? whole - p : CHUNK) / UNIT;
    read_scales(&t->scales, p, units, scales);
    multiply(t->at + p, t->apart, t->pass, units, (const float(*)[COLUMNS])scales, (float(*)[COLUMNS])ready, hlo_byte_mode_now() == HLO_BYTES_UNSIGNED ? 0x80808080u : 0, hlo_byte_mode_in_pairs());
    hlo_levels_join(ready, (units + 3) / 4, 1);
    hlo_levels_carry(levels, chunk++, ready[0]);
    for (; p + CHUNK < whole && units > 0; t->pass++) units -= !t->pass->goes_on;
  }
  return hlo_levels_sum(levels, chunk);
}

/* Returns the same by parts of units that have the same scales. */
static v128_t sum_blocks(column_sums *t, bool floats, int whole) {
  const struct column_scales *s = &t->scales;
  v128_t levels[HLO_SUM_LEVELS], scales, sum = wasm_f32x4_splat(0);
  for (int p = 0, part, left = 0; p < whole; left -= part) {
    if (left == 0) left = s->group, scales = scales_of(s->format, s->at + p / s->group * s->step, s->apart);
    part = UNIT - p % UNIT;
    if (part > left) part = left;
    if (part > whole - p) part = whole - p;
    sum = wasm_f32x4_add(sum, floats ? sum_floats(t, p, p + part, scales) : sum_integers(t, p, p + part, scales));
    p += part;
    if (p % BLOCK && p < whole) continue;
    hlo_levels_carry(levels, (p - 1) / BLOCK, sum);
    sum = wasm_f32x4_splat(0);
  }
  return hlo_levels_sum(levels, hlo_ceil_div(whole, BLOCK));
}

void hlo_bytes_columns(const hlo_narrow_matrix *m, const float *vector, const float *prepared, int64_t column, int64_t fours, int whole, float *out) {
  const hlo_narrow_form *form = m->form;
  const hlo_narrow_values *scale = &form->stages[0].values[HLO_NARROW_SCALE];
  ptrdiff_t bytes = m->arrays[0][HLO_NARROW_SCALE] ? hlo_narrow_bytes(scale->format) : 0, next = (ptrdiff_t)scale->n_stride * bytes;
  prepared_vector v = parts_of(prepared);
  column_sums t = {.at = (const char *)m->data + form->offset + column * form->n_stride, .apart = (ptrdiff_t)(fours * form->n_stride), .vector = vector,
                   .scales = {scale->format, hlo_narrow_value_in(m, 0, HLO_NARROW_SCALE, 0, column), (ptrdiff_t)fours * next, (ptrdiff_t)scale->g_stride * bytes,
                              form->group < whole ? (int)form->group : whole}};
  for (int64_t i = 0; i < fours; i++, t.at += form->n_stride, t.scales.at += next) {
    float four[COLUMNS];
    t.pass = v.passes;
    wasm_v128_store(four, *v.way == SUM_UNITS ? sum_units(&t, whole) : sum_blocks(&t, *v.way == SUM_FLOATS, whole));
    for (int c = 0; c < COLUMNS; c++) out[i + c * fours] = four[c];
  }
}
