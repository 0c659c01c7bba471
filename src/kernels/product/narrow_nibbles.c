/* Integers of 4 bits in panels of eight columns. Eight rows of a panel are two vectors, one of columns 0 to 3 and one of columns 4 to 7: a
 * lane is a column, and its bits 4 i to 4 i + 3 are row i. So a mask gives the integers of four columns, and zeros, scales and sums of columns
 * are vectors. Integers with a sign are stored with 8 added. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/dot.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"
#include "shape/element_type.h"

enum { COLUMNS = 8, ROWS = 8, ROW_BYTES = 32, BLOCK = 64, LEVELS = 40, BIAS = 8, GROUPS = 64, FOUR = 4 }; /* ROW_BYTES: of eight rows of a panel */

size_t hlo_nibble_bytes(int64_t k, int64_t n) {
  assert(k % ROWS == 0);
  return (size_t)(hlo_ceil_div(n, COLUMNS) * (k / ROWS) * ROW_BYTES);
}

/* Joins eight elements of a column, of a byte each. */
static uint32_t join_eight(const uint8_t *from, int64_t k_stride, bool is_signed) {
  uint64_t x = 0;
  if (k_stride == 1) memcpy(&x, from, sizeof x);
  else
    for (int r = 0; r < ROWS; r++) x |= (uint64_t)from[r * k_stride] << 8 * r;
  x = (x & 0x0f0f0f0f0f0f0f0f) ^ (is_signed ? 0x0808080808080808 : 0);
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return (uint32_t)(x | x >> 16);
}

void hlo_nibble_pack(const void *elements, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *panels) {
  const uint8_t *from = elements;
  uint32_t *to = panels;
  assert(k % ROWS == 0);
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS)
      for (int64_t j = c; j < c + COLUMNS; j++) *to++ = j < n ? join_eight(from + p * k_stride + j * n_stride, k_stride, is_signed) : 0;
}

void hlo_nibble_unpack(const void *panels, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *elements) {
  const uint8_t *from = panels;
  uint8_t *to = elements;
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS, from += ROW_BYTES)
      for (int64_t j = 0; j < COLUMNS && c + j < n; j++)
        for (int r = 0; r < ROWS; r++) {
          uint8_t bits = from[4 * j + r / 2] >> (r % 2 * 4) & 15;
          to[(p + r) * k_stride + (c + j) * n_stride] = is_signed ? (uint8_t)(bits - BIAS) : bits;
        }
}

void hlo_nibble_column(const void *panels, int64_t k, int64_t column, bool is_signed, void *elements) {
  const uint8_t *from = (const uint8_t *)panels + column / COLUMNS * (k / ROWS) * ROW_BYTES + column % COLUMNS * 4;
  uint8_t *to = elements;
  for (int64_t p = 0; p < k; p++) {
    uint8_t bits = from[p / ROWS * ROW_BYTES + p % ROWS / 2] >> (p % 2 * 4) & 15;
    to[p] = is_signed ? (uint8_t)(bits - BIAS) : bits;
  }
}

/* Returns where the value of a column and a group lies among packed ones. */
static int64_t place_in_panels(int64_t column, int64_t group, int64_t groups) { return (column / COLUMNS * groups + group) * COLUMNS + column % COLUMNS; }

void hlo_nibble_values_copy(const char *from, int64_t bytes, int64_t n_stride, int64_t g_stride, int64_t n, int64_t groups, bool packs, char *to) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t g = 0; g < groups; g++) {
      int64_t dense = (j * n_stride + g * g_stride) * bytes, packed = place_in_panels(j, g, groups) * bytes;
      memcpy(to + (packs ? packed : dense), from + (packs ? dense : packed), (size_t)bytes);
    }
}

/* ---- Values ---- */

/* Zeros, scales and what is added, of a panel's columns in some groups. */
typedef struct panel_values {
  v128_t bias; /* what is added to stored integers that have a sign */
  struct value_reader {
    const char *at;         /* the value of the panel's first column in the first group */
    ptrdiff_t stride, step; /* from column to column, and from group to group, in bytes; step 0: all groups have the same */
    hlo_narrow_format format;
    v128_t read[GROUPS][2];
  } readers[HLO_NARROW_VALUES];
  int columns, first, end, groups; /* groups that were read: from first to end, of all groups */
  int ahead;                       /* how many are read at once */
} panel_values;

#define FOUR_FLOATS(at, i) wasm_f32x4_make(*(const float *)(at + i * stride), *(const float *)(at + (i + 1) * stride), \
                                            *(const float *)(at + (i + 2) * stride), *(const float *)(at + (i + 3) * stride))
#define HALF(i) *(const int16_t *)(at + i * stride)

#define INLINE static inline __attribute__((always_inline))

static hlo_eight eight_of(hlo_narrow_format format, v128_t halves) { return format == HLO_NARROW_F16 ? hlo_eight_of_f16(halves, hlo_half_constants_at()) : hlo_eight_of_bf16(halves); }

/* Reads eight values that lie `stride` bytes apart. */
static hlo_eight read_eight(hlo_narrow_format format, const char *at, ptrdiff_t stride) {
  if (format == HLO_NARROW_F32)
    return stride == sizeof(float) ? (hlo_eight){wasm_v128_load(at), wasm_v128_load(at + 16)} : (hlo_eight){FOUR_FLOATS(at, 0), FOUR_FLOATS(at, 4)};
  v128_t halves = stride == sizeof(int16_t) ? wasm_v128_load(at) : wasm_i16x8_make(HALF(0), HALF(1), HALF(2), HALF(3), HALF(4), HALF(5), HALF(6), HALF(7));
  return eight_of(format, halves);
}

/* The same where there are fewer columns: the last values are 0. */
static hlo_eight read_fewer(hlo_narrow_format format, const char *at, ptrdiff_t stride, int columns) {
  _Alignas(16) char copy[COLUMNS * sizeof(float)] = {0};
  int bytes = hlo_narrow_bytes(format);
  for (int i = 0; i < columns * bytes; i += bytes, at += stride) memcpy(copy + i, at, (size_t)bytes);
  return read_eight(format, copy, bytes);
}

static hlo_eight read_group(const panel_values *v, const struct value_reader *r, int group) {
  const char *at = r->at + group * r->step;
  return v->columns < COLUMNS ? read_fewer(r->format, at, r->stride, v->columns) : read_eight(r->format, at, r->stride);
}

#define STORE_EIGHT(i, eight) read = eight, wasm_v128_store(to[i], read.low), wasm_v128_store(to[i] + 1, read.high);
#define EACH_OF_FOUR(DO) DO(0) DO(1) DO(2) DO(3)
#define CHECK_ORDINARY(i) extreme = wasm_u16x8_max(extreme, hlo_f16_distance(x[i], halves));
#define STORE_ORDINARY(i) STORE_EIGHT(i, hlo_eight_of_ordinary_f16(x[i], halves))

#define LOAD(i) x[i] = wasm_v128_load(at + i * step);
/* Reads values of 16 bits that lie as they are needed, of four groups at once. */
static void read_along(const struct value_reader *r, int first, int end, v128_t (*to)[2]) {
  const struct hlo_half_constants *halves = hlo_half_constants_at();
  hlo_narrow_format format = r->format;
  ptrdiff_t step = r->step;
  hlo_eight read;
  for (int g = first; g < end; g += FOUR, to += FOUR) {
    if (g + FOUR > end) to -= g + FOUR - end, g = end - FOUR;
    const char *at = r->at + g * step;
    v128_t x[FOUR], extreme = wasm_i32x4_splat(0);
    EACH_OF_FOUR(LOAD)
    EACH_OF_FOUR(CHECK_ORDINARY)
    if (format == HLO_NARROW_F16 && !hlo_f16_has_extreme(extreme, halves)) {
      EACH_OF_FOUR(STORE_ORDINARY)
    } else {
      for (int i = 0; i < FOUR; i++) STORE_EIGHT(i, eight_of(format, x[i]))
    }
  }
}

/* Reads the values of a group, and of those behind it. */
static __attribute__((noinline)) void read_groups(panel_values *v, int group) {
  v->first = group;
  v->end = v->groups - group < v->ahead ? v->groups : group + v->ahead;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    struct value_reader *r = &v->readers[w];
    if (!r->step) continue;
    if (r->format != HLO_NARROW_F32 && r->stride == sizeof(int16_t) && v->columns == COLUMNS && v->end - group >= FOUR) {
      read_along(r, group, v->end, r->read);
      continue;
    }
    for (int g = group; g < v->end; g++) {
      hlo_eight read = read_group(v, r, g);
      r->read[g - group][0] = read.low, r->read[g - group][1] = read.high;
    }
  }
}

/* Begins a panel. Values are read as they are asked for, of `ahead` <= GROUPS groups at once. */
static void begin_values(const hlo_narrow_matrix *m, int64_t column, int ahead, panel_values *v) {
  v->ahead = ahead;
  v->bias = wasm_f32x4_splat(m->form->is_signed ? BIAS : 0);
  v->columns = m->form->n - column < COLUMNS ? (int)(m->form->n - column) : COLUMNS;
  v->first = v->end = 0, v->groups = (int)hlo_ceil_div(m->form->k, m->form->group);
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *values = &m->form->stages[0].values[w];
    int bytes = m->arrays[0][w] ? hlo_narrow_bytes(values->format) : 0;
    struct value_reader *r = &v->readers[w];
    if (values->in_panels) {
      r->at = (const char *)m->arrays[0][w] + place_in_panels(column, 0, v->groups) * bytes;
      r->stride = bytes, r->step = COLUMNS * bytes;
    } else {
      r->at = hlo_narrow_value_in(m, 0, w, 0, column);
      r->stride = (ptrdiff_t)values->n_stride * bytes, r->step = (ptrdiff_t)values->g_stride * bytes;
    }
    r->format = values->format;
    assert(r->step == 0 || values->group == m->form->group);
    if (r->step) continue;
    hlo_eight read = read_group(v, r, 0);
    r->read[0][0] = read.low, r->read[0][1] = read.high;
  }
}

/* Returns two vectors. */
static inline const v128_t *value_of(panel_values *v, int which, int group) {
  struct value_reader *r = &v->readers[which];
  if (!r->step) return r->read[0];
  if (group >= v->end || group < v->first) read_groups(v, group);
  return r->read[group - v->first];
}

/* ---- A vector times the panels ----
 *
 * Elements of the vector are integers of 32 bits (kernels/product/fixed_vector.h); the halves of lanes are two rows, which one instruction
 * multiplies; where hosts multiply bytes in fours, they are four digits of s8 instead, to the same bits. A wide unit takes several passes. Where a
 * zero may be no integer, or integers would not do, all is done in f32: weights are multiplied where they stand in their lane,
 * 16^r times too large, by elements of the vector that are as much smaller and 2^28 times too large. The sum of a group's x * (q - zero) is
 * scaled once, and `more` times the sum of its x added. Blocks of 64 rows are added as in f32_dot_vector.c. Where a result is not finite, the
 * weights are widened. */

enum { UNIT = HLO_FIXED_UNIT, LIFT = 28, CHUNK = 2048 /* rows of panels that are multiplied at once */, READY = CHUNK / BLOCK /* blocks of them */, STREAMS = 4 };
_Static_assert(CHUNK <= GROUPS * UNIT, "all groups of a chunk are read at once");

typedef enum sum_way { SUM_HALVES, SUM_DIGITS, SUM_FLOATS, SUM_WIDENED } sum_way;

/* A vector is prepared as [way][passes, or floats][sums of eight rows]. */
typedef struct prepared_vector {
  sum_way *way;
  hlo_nibble_pass *passes;
  float *floats, *sums;
} prepared_vector;

static int64_t most_passes(int64_t k) { return 2 * hlo_ceil_div(k, UNIT); }

static prepared_vector parts_of(const float *prepared, int64_t k) {
  sum_way *way = (sum_way *)(uintptr_t)prepared;
  hlo_nibble_pass *passes = (hlo_nibble_pass *)(way + 4);
  return (prepared_vector){way, passes, (float *)passes, (float *)(passes + most_passes(k))};
}

size_t hlo_nibble_scratch_bytes(int64_t k) { return 4 * sizeof(sum_way) + (size_t)most_passes(k) * sizeof(hlo_nibble_pass) + (size_t)(k / ROWS) * sizeof(float); }

/* Returns how much too large the integers of row r are: those of the last row are shifted. */
static float place_of(int r) { return (float)(1 << 4 * r % LIFT); }

static void make_halves(const int32_t *whole, int count, int16_t *made) {
  for (int i = 0; i < count; i++) {
    int r = i % ROWS;
    int16_t *pair = made + 2 * (i - r) + r % (ROWS / 2) * 4 + r / (ROWS / 2);
    pair[0] = hlo_fixed_upper(whole[i]), pair[2] = hlo_fixed_lower(whole[i]);
  }
}

/* A digit that is negative takes one from the next: so do bytes to which 128 is added. */
static v128_t digits_of(v128_t whole) {
  const v128_t carry = wasm_i32x4_splat(0x00808080);
  return wasm_v128_xor(wasm_i32x4_add(whole, carry), carry);
}

#define STORE_LANE(x, lane) wasm_v128_store(made++, wasm_i32x4_shuffle(x, x, lane, lane, lane, lane));
#define STORE_LANES(x) STORE_LANE(x, 0) STORE_LANE(x, 1) STORE_LANE(x, 2) STORE_LANE(x, 3)
static void make_digits(const int32_t *whole, int bias, hlo_nibble_pass *pass) {
  v128_t upper = wasm_i32x4_splat(0), lower = upper;
  int8_t(*made)[4][4] = pass->digits;
  for (int i = 0; i < UNIT; i += ROWS) {
    v128_t a = digits_of(wasm_v128_load(whole + i)), b = digits_of(wasm_v128_load(whole + i + 4));
    v128_t x = wasm_i8x16_shuffle(a, b, 3, 11, 19, 27, 7, 15, 23, 31, 2, 10, 18, 26, 6, 14, 22, 30);
    v128_t y = wasm_i8x16_shuffle(a, b, 1, 9, 17, 25, 5, 13, 21, 29, 0, 8, 16, 24, 4, 12, 20, 28);
    STORE_LANES(x)
    STORE_LANES(y)
    upper = wasm_i32x4_add(upper, hlo_i32x4_sum_fours(x)), lower = wasm_i32x4_add(lower, hlo_i32x4_sum_fours(y));
  }
  int32_t sums[2 * HLO_FIXED_DIGITS];
  wasm_v128_store(sums, upper);
  wasm_v128_store(sums + 4, lower);
  for (int d = 0; d < HLO_FIXED_DIGITS; d++) wasm_v128_store(pass->first[d], wasm_i32x4_splat(-bias * (sums[2 * d] + sums[2 * d + 1])));
}

/* Makes the passes of a unit, and returns the end of them; NULL: they would be too many, or elements are not finite. */
static hlo_nibble_pass *make_passes(const float *x, int count, float allowance, bool digits, int bias, hlo_nibble_pass *pass, const hlo_nibble_pass *end) {
  float left[UNIT];
  memcpy(left, x, (size_t)count * sizeof *left);
  for (bool is_wide = true; is_wide; pass++) {
    int32_t whole[UNIT];
    float unit = pass == end ? 0 : hlo_fixed_split(left, x, count, allowance, whole, &is_wide);
    if (unit == 0) return NULL;
    wasm_v128_store(pass->unit, wasm_f32x4_splat(unit));
    wasm_v128_store(pass->upper_unit, wasm_f32x4_splat(unit * (1 << HLO_FIXED_HALF)));
    pass->goes_on = is_wide;
    if (digits) make_digits(whole, bias, pass);
    else make_halves(whole, count, pass->halves);
  }
  return pass;
}

void hlo_nibble_prepare(const hlo_narrow_form *form, const float *vector, float *prepared) {
  int64_t k = form->k;
  prepared_vector v = parts_of(prepared, k);
  bool digits = hlo_narrow_has_digits(form), whole = form->stages[0].has_no_zero;
  float allowance = hlo_fixed_allowance(k);
  hlo_nibble_pass *pass = v.passes, *end = pass + most_passes(k);
  for (int64_t p = 0; p < k; p++) v.sums[p / ROWS] = (p % ROWS ? v.sums[p / ROWS] : 0) + vector[p];
  for (int64_t p = 0; whole && p < k; p += UNIT) {
    const float *sums = v.sums + p / ROWS;
    pass = make_passes(vector + p, k - p < UNIT ? (int)(k - p) : UNIT, allowance, digits, form->is_signed ? BIAS : 0, pass, end);
    if (!pass) whole = false;
    else if (digits) wasm_v128_store(pass[-1].sum, wasm_f32x4_splat(sums[0] + sums[1] + sums[2] + sums[3]));
  }
  *v.way = !whole ? SUM_FLOATS : digits ? SUM_DIGITS : SUM_HALVES;
  for (int64_t p = 0; !whole && p < k; p++) v.floats[p] = vector[p] * ((float)(1 << LIFT) / place_of(p % ROWS));
}

#ifdef __wasm__
/* Vectors have digits only where a function of relaxed SIMD has taken this place. */
void hlo_nibble_blocks(const hlo_nibble_task *task) { __builtin_trap(); }
#else
/* Returns the product of a pass and a column. */
static float product_of_pass(const hlo_nibble_pass *pass, const char *panel, int column) {
  int64_t sum = 0;
  for (int d = 0; d < HLO_FIXED_DIGITS; d++) {
    int32_t of_digit = pass->first[d][0];
    for (int p = 0; p < UNIT; p++) {
      int r = p % ROWS, q = (uint8_t)panel[p / ROWS * ROW_BYTES + 4 * column + r / 2] >> (r % 2 * 4) & 15;
      of_digit += pass->digits[(p / ROWS * HLO_FIXED_DIGITS + d) * 2 + r % 2][0][r / 2] * q;
    }
    sum = sum * 256 + of_digit;
  }
  return (float)sum * pass->unit[0];
}

static float value_at(const char *values, int column, bool halves) {
  return halves ? (float)hlo_float_decode(HLO_TYPE_F16, ((const uint16_t *)values)[column]) : ((const float *)values)[column];
}

static void multiply_panel(const hlo_nibble_task *t, int number) {
  const char *panel = t->panel + number * t->panel_apart, *scale = t->scale + number * t->scale_apart, *more = t->more ? t->more + number * t->more_apart : NULL;
  float(*out)[COLUMNS] = (float(*)[COLUMNS])((char *)t->out + number * t->out_apart);
  const hlo_nibble_pass *pass = t->passes, *next;
  for (int unit = 0, left = t->left; unit < t->units; unit++, panel += UNIT / ROWS * ROW_BYTES, pass = next) {
    for (next = pass; next++->goes_on;) continue;
    for (int j = 0; j < COLUMNS; j++) {
      float sum = product_of_pass(pass, panel, j), *to = &out[unit / 2][j];
      for (const hlo_nibble_pass *p = pass + 1; p < next; p++) sum += product_of_pass(p, panel, j);
      sum *= value_at(scale, j, t->halves);
      if (more) sum += next[-1].sum[0] * value_at(more, j, t->halves);
      *to = unit % 2 ? *to + sum : sum;
    }
    if (--left) continue;
    left = t->group, scale += t->scale_step;
    if (more) more += t->more_step;
  }
}

void hlo_nibble_blocks(const hlo_nibble_task *task) {
  for (int i = 0; i < task->panels; i++) multiply_panel(task, i);
}
#endif

/* The zeros of a group, as large as the integers of each row. */
typedef v128_t row_zeros[ROWS][2];

static void place_zeros(const v128_t *zero, v128_t bias, row_zeros zeros) {
  for (int r = 0; r < ROWS; r++)
    for (int s = 0; s < 2; s++) zeros[r][s] = wasm_f32x4_mul(wasm_f32x4_add(zero[s], bias), wasm_f32x4_splat(place_of(r)));
}

/* Constants that are made anew for every use take longer than these take to load. */
static const int32_t row_masks[] = {15, 15 << 4, 15 << 8, 15 << 12, 15 << 16, 15 << 20, 15 << 24};
#define FROM_0(x, r, s) wasm_f32x4_convert_i32x4(r == 7 ? wasm_u32x4_shr(x, 28) : wasm_v128_and(x, wasm_v128_load32_splat(&masks[r])))
#define FROM_ZERO(x, r, s) wasm_f32x4_sub(FROM_0(x, r, s), zeros[r][s])

#define ADD_TWO(sum, VALUE, l, r, s) \
  sum = wasm_f32x4_add(sum, wasm_f32x4_add(wasm_f32x4_mul(x, VALUE(l, r, s)), wasm_f32x4_mul(y, VALUE(l, (r + 1), s))));
#define TWO_ROWS(VALUE, r)                                                                               \
  {                                                                                                      \
    v128_t x = wasm_v128_load32_splat(vector + r), y = wasm_v128_load32_splat(vector + r + 1);           \
    ADD_TWO(a, VALUE, low, r, 0)                                                                         \
    ADD_TWO(b, VALUE, high, r, 1)                                                                        \
  }
/* Adds up x * q of some rows of one group. */
#define SUM_ROWS(name, VALUE)                                                                                      \
  static void name(const char *panel, row_zeros zeros, const float *vector, int rows, v128_t *sums) {              \
    const int32_t *masks = row_masks;                                                                              \
    HLO_HIDE(masks)                                                                                                \
    v128_t a = wasm_f32x4_splat(0), b = a;                                                                         \
    for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, vector += ROWS) {                                           \
      v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);                                       \
      TWO_ROWS(VALUE, 0) TWO_ROWS(VALUE, 2) TWO_ROWS(VALUE, 4) TWO_ROWS(VALUE, 6)                                  \
    }                                                                                                              \
    sums[0] = a, sums[1] = b;                                                                                      \
  }
SUM_ROWS(sum_rows, FROM_0)
SUM_ROWS(sum_rows_from_zero, FROM_ZERO)

#define DOT(sum, x, y) sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(x, y))
/* Rows r and r + 4, which are the halves of lanes. */
#define TWO_HALVES(VALUE, r)                                                                                        \
  {                                                                                                                 \
    v128_t upper = wasm_v128_load32_splat(x + 4 * r), lower = wasm_v128_load32_splat(x + 4 * r + 2), y = VALUE(low, r), z = VALUE(high, r); \
    DOT(upper_low, upper, y);                                                                                       \
    DOT(lower_low, lower, y);                                                                                       \
    DOT(upper_high, upper, z);                                                                                      \
    DOT(lower_high, lower, z);                                                                                      \
  }
#define UNSIGNED(q, r) (r == 3 ? wasm_u16x8_shr(q, 12) : wasm_v128_and(r ? wasm_u16x8_shr(q, 4 * r) : q, mask))
#define SIGNED(q, r) wasm_i16x8_sub(UNSIGNED(q, r), bias)
static const int16_t integer_constants[] = {15, BIAS};
/* Adds up x * q of some rows of one group and pass, in its unit. */
#define SUM_INTEGERS(name, VALUE)                                                                                   \
  static void name(const char *panel, const int16_t *x, int rows, v128_t *sums) {                                   \
    const int16_t *constants = integer_constants;                                                                   \
    HLO_HIDE(constants)                                                                                             \
    const v128_t mask = wasm_v128_load16_splat(constants), bias = wasm_v128_load16_splat(constants + 1);            \
    const v128_t scale = wasm_f32x4_splat(1 << HLO_FIXED_HALF);                                                         \
    v128_t upper_low = wasm_i32x4_splat(0), lower_low = upper_low, upper_high = upper_low, lower_high = upper_low;  \
    for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, x += 2 * ROWS) {                                             \
      v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);                                        \
      TWO_HALVES(VALUE, 0) TWO_HALVES(VALUE, 1) TWO_HALVES(VALUE, 2) TWO_HALVES(VALUE, 3)                           \
    }                                                                                                               \
    (void)bias;                                                                                                     \
    sums[0] = JOINED(upper_low, lower_low), sums[1] = JOINED(upper_high, lower_high);                               \
  }
#define JOINED(upper, lower) \
  wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(upper), scale), wasm_f32x4_convert_i32x4(lower))
SUM_INTEGERS(sum_unsigned, UNSIGNED)
SUM_INTEGERS(sum_signed, SIGNED)

/* A panel that is being added up. */
typedef struct panel_sum {
  const hlo_narrow_matrix *m;
  int64_t column;
  const char *panel;
  const float *vector;
  prepared_vector prepared;
  const hlo_nibble_pass *pass; /* the first of the next unit */
  panel_values values;
  _Alignas(16) float ready[STREAMS][READY + 1][COLUMNS]; /* sums of blocks, and room for one more */
} panel_sum;

/* Sums rows of one group in f32. */
static void sum_floats(panel_sum *t, int group, int p, int rows, v128_t *sums) {
  const hlo_narrow_form *form = t->m->form;
  row_zeros zeros;
  bool from_0 = form->stages[0].has_no_zero && !form->is_signed;
  if (!from_0) place_zeros(value_of(&t->values, HLO_NARROW_ZERO, group), t->values.bias, zeros);
  (from_0 ? sum_rows : sum_rows_from_zero)(t->panel + p / ROWS * ROW_BYTES, zeros, t->prepared.floats + p, rows, sums);
  for (int s = 0; s < 2; s++) sums[s] = wasm_f32x4_mul(sums[s], wasm_f32x4_splat(1.0f / (1 << LIFT)));
}

/* Sums rows of one group and unit as integers. */
static void sum_passes(panel_sum *t, int p, int rows, v128_t *sums) {
  const hlo_nibble_pass *pass = t->pass;
  sums[0] = sums[1] = wasm_f32x4_splat(-0.0f);
  for (bool goes_on = true; goes_on; goes_on = pass++->goes_on) {
    v128_t products[2], unit = wasm_v128_load(pass->unit);
    (t->m->form->is_signed ? sum_signed : sum_unsigned)(t->panel + p / ROWS * ROW_BYTES, pass->halves + p % UNIT * 2, rows, products);
    for (int s = 0; s < 2; s++) sums[s] = wasm_f32x4_add(sums[s], wasm_f32x4_mul(products[s], unit));
  }
  if ((p + rows) % UNIT == 0) t->pass = pass;
}

/* Sums a block of rows from row p on. */
static void sum_block(panel_sum *t, int p, int end, v128_t *sums) {
  const hlo_narrow_form *form = t->m->form;
  int length = (int)form->group, group = p / length, left = (group + 1) * length - p;
  bool has_more = !form->stages[0].has_no_more, floats = *t->prepared.way == SUM_FLOATS;
  for (int part; p < end; p += part) {
    if (left == 0) left = length, group++;
    part = UNIT - p % UNIT;
    if (part > left) part = left;
    if (part > end - p) part = end - p;
    left -= part;
    v128_t products[2];
    const float *x = t->prepared.sums + p / ROWS;
    if (floats) sum_floats(t, group, p, part, products);
    else sum_passes(t, p, part, products);
    const v128_t *scale = value_of(&t->values, HLO_NARROW_SCALE, group), *more = value_of(&t->values, HLO_NARROW_MORE, group);
    v128_t all = wasm_f32x4_splat(0);
    for (int i = 0; has_more && i < part / ROWS; i++) all = wasm_f32x4_add(all, wasm_v128_load32_splat(x + i));
    for (int s = 0; s < 2; s++) {
      v128_t scaled = wasm_f32x4_mul(products[s], scale[s]);
      sums[s] = wasm_f32x4_add(sums[s], has_more ? wasm_f32x4_add(scaled, wasm_f32x4_mul(all, more[s])) : scaled);
    }
  }
}

/* Returns whether the values of all panels lie behind one another as the kernel reads them. */
static bool are_streamed(const panel_sum *t, hlo_narrow_format format) {
  int bytes = hlo_narrow_bytes(format);
  for (int w = HLO_NARROW_SCALE; w <= HLO_NARROW_MORE - t->m->form->stages[0].has_no_more; w++) {
    const struct value_reader *r = &t->values.readers[w];
    if (r->format != format || r->stride != bytes || r->step != COLUMNS * bytes) return false;
  }
  return true;
}

/* Multiplies rows of panels digit by digit: of this one, and of those behind it by `apart` panels. */
static void multiply_digits(panel_sum *t, int p, int units, int panels, int apart) {
  const hlo_narrow_form *form = t->m->form;
  int length = (int)form->group, group = p / length;
  bool halves = are_streamed(t, HLO_NARROW_F16), streamed = halves || are_streamed(t, HLO_NARROW_F32);
  const char *at[HLO_NARROW_VALUES] = {0};
  int steps[HLO_NARROW_VALUES] = {0};
  for (int w = HLO_NARROW_SCALE; w <= HLO_NARROW_MORE - form->stages[0].has_no_more; w++) {
    const struct value_reader *r = &t->values.readers[w];
    at[w] = streamed ? r->at + group * r->step : (const char *)value_of(&t->values, w, group);
    steps[w] = streamed ? (int)r->step : r->step ? COLUMNS * sizeof(float) : 0;
  }
  hlo_nibble_task task = {
      .panel = t->panel + p / ROWS * ROW_BYTES, .passes = t->pass, .out = t->ready[0], .scale = at[HLO_NARROW_SCALE], .more = at[HLO_NARROW_MORE], .panels = panels,
      .panel_apart = apart * (int)form->k / ROWS * ROW_BYTES, .out_apart = sizeof t->ready[0], .scale_apart = apart * t->values.groups * steps[HLO_NARROW_SCALE],
      .more_apart = apart * t->values.groups * steps[HLO_NARROW_MORE], .scale_step = steps[HLO_NARROW_SCALE], .more_step = steps[HLO_NARROW_MORE], .units = units,
      .group = length / UNIT, .left = (length - p % length) / UNIT, .halves = halves};
  hlo_nibble_blocks_kernel *volatile multiply = hlo_nibble_blocks; /* by its place in the table */
  multiply(&task);
}

/* Adds up blocks, in the order in which sum_panel does. */
static void add_blocks(float (*ready)[COLUMNS], int blocks, v128_t *sums) {
  for (int size = 1; size < blocks; size *= 2)
    for (int i = 0; i + size < blocks; i += 2 * size)
      for (int c = 0; c < COLUMNS; c += 4) wasm_v128_store(ready[i] + c, wasm_f32x4_add(wasm_v128_load(ready[i] + c), wasm_v128_load(ready[i + size] + c)));
  sums[0] = wasm_v128_load(ready[0]), sums[1] = wasm_v128_load(ready[0] + 4);
}

/* Sums a chunk of blocks digit by digit. */
static void sum_digits(panel_sum *t, int p, int end, v128_t *sums) {
  int units = (end - p) / UNIT;
  multiply_digits(t, p, units, 1, 0);
  add_blocks(t->ready[0], (units + 1) / 2, sums);
  for (; end < t->m->form->k && units > 0; t->pass++) units -= !t->pass->goes_on;
}

/* Sums a block by widened weights. */
static void sum_widened(panel_sum *t, int p, int end, v128_t *sums) {
  float panel[BLOCK * COLUMNS], eight[COLUMNS];
  hlo_nibble_panels(t->m, t->column, COLUMNS, p, end - p, panel);
  hlo_f32_dot_rows_simd128(t->vector + p, 1, panel, COLUMNS, end - p, COLUMNS, eight);
  sums[0] = wasm_v128_load(eight), sums[1] = wasm_v128_load(eight + 4);
}

/* Adds up the blocks of a panel. */
static void sum_panel(panel_sum *t, sum_way way, float *eight) {
  v128_t levels[LEVELS][2], all[2];
  int k = (int)t->m->form->k, rows = way == SUM_DIGITS ? CHUNK : BLOCK, blocks = (k + rows - 1) / rows;
  for (int block = 0; block < blocks; block++) {
    int p = block * rows, level = 0, end = p + rows < k ? p + rows : k;
    v128_t sums[2] = {wasm_f32x4_splat(-0.0f), wasm_f32x4_splat(-0.0f)};
    if (way == SUM_DIGITS) sum_digits(t, p, end, sums);
    else if (way == SUM_WIDENED) sum_widened(t, p, end, sums);
    else sum_block(t, p, end, sums);
    for (; block >> level & 1; level++)
      for (int s = 0; s < 2; s++) sums[s] = wasm_f32x4_add(levels[level][s], sums[s]);
    levels[level][0] = sums[0], levels[level][1] = sums[1];
  }
  bool first = true;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    for (int s = 0; s < 2; s++) all[s] = first ? levels[level][s] : wasm_f32x4_add(levels[level][s], all[s]);
    first = false;
  }
  wasm_v128_store(eight, all[0]);
  wasm_v128_store(eight + 4, all[1]);
}

static bool is_finite(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!(values[i] - values[i] == 0)) return false;
  return true;
}

static void begin_panel(panel_sum *t, int64_t column) {
  const hlo_narrow_form *form = t->m->form;
  t->column = column;
  t->panel = (const char *)t->m->data + column / COLUMNS * (form->k / ROWS) * ROW_BYTES;
  t->pass = t->prepared.passes;
  begin_values(t->m, column, GROUPS, &t->values);
}

/* Returns whether whole panels can be multiplied at once. */
static bool are_whole(const panel_sum *t) {
  return *t->prepared.way == SUM_DIGITS && t->m->form->k <= CHUNK && (are_streamed(t, HLO_NARROW_F16) || are_streamed(t, HLO_NARROW_F32));
}

/* Multiplies `panels` <= STREAMS panels that lie `apart` columns from each other. */
static void dot_panels(panel_sum *t, int panels, int64_t apart, float *out) {
  int units = (int)t->m->form->k / UNIT;
  multiply_digits(t, 0, units, panels, (int)(apart / COLUMNS));
  for (int i = 0; i < panels; i++, out += apart) {
    v128_t sums[2];
    add_blocks(t->ready[i], (units + 1) / 2, sums);
    wasm_v128_store(out, sums[0]);
    wasm_v128_store(out + 4, sums[1]);
  }
}

/* Multiplies one panel by way of `way`, or by widened weights where that does not give finite numbers. */
static void dot_panel(panel_sum *t, sum_way way, int64_t columns, float *out) {
  float eight[COLUMNS];
  int64_t count = columns < COLUMNS ? columns : COLUMNS;
  sum_panel(t, way, eight);
  if (way != SUM_WIDENED && !is_finite(eight, count)) sum_panel(t, SUM_WIDENED, eight);
  memcpy(out, eight, (size_t)count * sizeof *out);
}

void hlo_nibble_dot(const hlo_narrow_matrix *m, const float *vector, const float *prepared, int64_t column, int64_t columns, float *out) {
  panel_sum t;
  int64_t c = 0, apart = columns / (COLUMNS * STREAMS) * COLUMNS, side_by_side = apart * STREAMS;
  t.m = m, t.vector = vector, t.prepared = parts_of(prepared, m->form->k);
  assert(column % COLUMNS == 0 && m->form->stage_count == 1 && m->form->group % ROWS == 0 && m->form->k > 0);
  begin_panel(&t, column);
  if (are_whole(&t)) {
    for (; c < apart; c += COLUMNS) begin_panel(&t, column + c), dot_panels(&t, STREAMS, apart, out + c);
    for (c = side_by_side; c + COLUMNS <= columns; c += COLUMNS) begin_panel(&t, column + c), dot_panels(&t, 1, 0, out + c);
    for (int64_t done = 0; done < c; done += COLUMNS)
      if (!is_finite(out + done, COLUMNS)) begin_panel(&t, column + done), dot_panel(&t, SUM_WIDENED, COLUMNS, out + done);
  }
  for (; c < columns; c += COLUMNS) begin_panel(&t, column + c), dot_panel(&t, *t.prepared.way, columns - c, out + c);
}

/* ---- Panels of f32 ---- */

#define STORE(from, l, r, s)                                                        \
  x = wasm_f32x4_mul(from(l, r, s), scale[s]);                                    \
  wasm_v128_store(to + COLUMNS * r + 4 * s, wasm_f32x4_add(x, more[s]));
#define STORED(l, r, s) wasm_f32x4_convert_i32x4(wasm_v128_and(wasm_u32x4_shr(l, 4 * r), mask))
#define LESS_ZERO(l, r, s) wasm_f32x4_sub(wasm_f32x4_sub(STORED(l, r, s), v->bias), zero[s])
#define STORE_ROW(from, r) STORE(from, low, r, 0) STORE(from, high, r, 1)
#define STORE_ROWS(from)                                                            \
  for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, to += ROWS * COLUMNS) {        \
    v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);          \
    STORE_ROW(from, 0) STORE_ROW(from, 1) STORE_ROW(from, 2) STORE_ROW(from, 3)     \
    STORE_ROW(from, 4) STORE_ROW(from, 5) STORE_ROW(from, 6) STORE_ROW(from, 7)     \
  }
static void widen_rows(const char *panel, panel_values *v, bool from_0, int group, int rows, float *to) {
  const v128_t *zero = value_of(v, HLO_NARROW_ZERO, group), *scale = value_of(v, HLO_NARROW_SCALE, group), *more = value_of(v, HLO_NARROW_MORE, group);
  const v128_t mask = wasm_i32x4_splat(15);
  v128_t x;
  if (from_0) {
    STORE_ROWS(STORED)
  } else {
    STORE_ROWS(LESS_ZERO)
  }
}

void hlo_nibble_panels(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  const hlo_narrow_form *form = m->form;
  int groups = (int)((k_begin + k_count - 1) / form->group - k_begin / form->group + 1), ahead = groups < COLUMNS ? COLUMNS : groups < GROUPS ? groups : GROUPS;
  assert(column % COLUMNS == 0 && k_begin % ROWS == 0);
  for (int64_t c = column, end = column + columns; c < end; c += COLUMNS) {
    const char *from = (const char *)m->data + (c / COLUMNS * (form->k / ROWS) + k_begin / ROWS) * ROW_BYTES;
    panel_values values;
    begin_values(m, c, ahead, &values);
    for (int64_t p = k_begin, rows; p < k_begin + k_count; p += rows, from += rows / ROWS * ROW_BYTES, panels += rows * COLUMNS) {
      int64_t left = k_begin + k_count - p, in_group = form->group - p % form->group;
      rows = left < in_group ? left : in_group;
      widen_rows(from, &values, form->stages[0].has_no_zero && !form->is_signed, (int)(p / form->group), (int)rows, panels);
    }
  }
}
