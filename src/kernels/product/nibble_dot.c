/* A vector times nibbles in panels (narrow_nibbles.c).
 *
 * Elements of the vector are integers of 32 bits (kernels/product/fixed_vector.h); the halves of lanes are two rows, which one instruction
 * multiplies; where hosts multiply bytes, in pairs or in fours, they are four digits of s8 instead, to the same bits. A wide unit takes several passes. Where a
 * zero may be no integer, or integers would not do, all is done in f32: weights are multiplied where they stand in their lane,
 * 16^r times too large, by elements of the vector that are as much smaller and 2^28 times too large. The sum of a group's x * (q - zero) is
 * scaled once, and `more` times the sum of its x added. Blocks of 64 rows are added as in f32_dot_vector.c. Where a result is not finite, the
 * weights are widened. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/product/byte_quads.h"
#include "kernels/product/digit_units.h"
#include "kernels/product/dot.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/level_sums.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/product/nibble_values.h"
#include "kernels/simd128.h"
#include "shape/element_type.h"

enum { COLUMNS = HLO_NIBBLE_COLUMNS, ROWS = HLO_NIBBLE_ROWS, ROW_BYTES = HLO_NIBBLE_ROW_BYTES, BIAS = HLO_NIBBLE_BIAS, GROUPS = HLO_NIBBLE_GROUPS };
enum { UNIT = HLO_FIXED_UNIT, BLOCK = 64, LEVELS = HLO_SUM_LEVELS, LIFT = 28, CHUNK = 2048 /* rows of panels that are multiplied at once */, READY = CHUNK / BLOCK /* blocks of them */, STREAMS = 4, VECTORS = COLUMNS / 4 /* of the sums of a panel */ };
_Static_assert(CHUNK <= GROUPS * UNIT, "all groups of a chunk are read at once");

typedef enum sum_way { SUM_HALVES, SUM_DIGITS, SUM_FLOATS, SUM_WIDENED } sum_way;

/* A vector is prepared as [way][passes, or floats][sums of eight rows]. */
typedef struct prepared_vector {
  sum_way *way;
  hlo_fixed_pass *passes;
  float *floats, *sums;
} prepared_vector;

static int64_t most_passes(int64_t k) { return 2 * hlo_ceil_div(k, UNIT); }

static prepared_vector parts_of(const float *prepared, int64_t k) {
  sum_way *way = (sum_way *)(uintptr_t)prepared;
  hlo_fixed_pass *passes = (hlo_fixed_pass *)(way + 4);
  return (prepared_vector){way, passes, (float *)passes, (float *)(passes + most_passes(k))};
}

size_t hlo_nibble_scratch_bytes(int64_t k) { return 4 * sizeof(sum_way) + (size_t)most_passes(k) * sizeof(hlo_fixed_pass) + (size_t)(k / ROWS) * sizeof(float); }

/* Returns how much too large the integers of row r are: those of the last row are shifted. */
static float place_of(int r) { return (float)(1 << 4 * r % LIFT); }

static void make_halves(const int32_t *whole, int count, int bias, hlo_fixed_pass *pass) {
  for (int i = 0; i < count; i++) {
    int r = i % ROWS;
    int16_t *pair = pass->halves + 2 * (i - r) + r % (ROWS / 2) * 4 + r / (ROWS / 2);
    pair[0] = hlo_fixed_upper(whole[i]), pair[2] = hlo_fixed_lower(whole[i]);
  }
}

/* A digit that is negative takes one from the next: so do bytes to which 128 is added. */
static v128_t digits_of(v128_t whole) {
  const v128_t carry = wasm_i32x4_splat(0x00808080);
  return wasm_v128_xor(wasm_i32x4_add(whole, carry), carry);
}

/* Bytes of two vectors in turn: engines know these shuffles, and need no list of places for them. */
#define LOW_BYTES(a, b) wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_BYTES(a, b) wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

static void make_digits(const int32_t *whole, int count, int bias, hlo_fixed_pass *pass) {
  v128_t upper = wasm_i32x4_splat(0), lower = upper;
  for (int i = 0; i < UNIT; i += ROWS) {
    v128_t a = digits_of(wasm_v128_load(whole + i)), b = digits_of(wasm_v128_load(whole + i + 4));
    v128_t first = LOW_BYTES(a, b), second = HIGH_BYTES(a, b);                        /* of rows 0 and 4, 1 and 5; 2 and 6, 3 and 7 */
    v128_t even = LOW_BYTES(first, second), odd = HIGH_BYTES(first, second);          /* a lane is a digit, the lowest first */
    v128_t x = wasm_i32x4_shuffle(even, odd, 3, 7, 2, 6), y = wasm_i32x4_shuffle(even, odd, 1, 5, 0, 4);
    wasm_v128_store(pass->digits[i], x);
    wasm_v128_store(pass->digits[i + 4], y);
    if (bias) upper = wasm_i32x4_add(upper, hlo_i32x4_sum_fours(x)), lower = wasm_i32x4_add(lower, hlo_i32x4_sum_fours(y));
  }
  int32_t sums[2 * HLO_FIXED_DIGITS];
  wasm_v128_store(sums, upper);
  wasm_v128_store(sums + 4, lower);
  for (int half = 0; half < 2; half++) {
    const int32_t *of = sums + 4 * half;
    pass->first[half] = -bias * (256 * (of[0] + of[1]) + of[2] + of[3]);
  }
}

/* Sums of eight: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), of some rows or of a unit. */
#define TWO_FOURS(x) wasm_f32x4_add(wasm_v128_load(x), wasm_v128_load(x + 4))
static float sum_of_eight(const float *x) {
  v128_t sum = TWO_FOURS(x);
  sum = wasm_f32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 0, 1));
  return wasm_f32x4_extract_lane(wasm_f32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 1, 0, 3, 2)), 0);
}

static v128_t two_sums(v128_t a, v128_t b) { return wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)); }

static void sum_unit(const float *x, float *sums) {
  v128_t a = two_sums(TWO_FOURS(x), TWO_FOURS(x + 8)), b = two_sums(TWO_FOURS(x + 16), TWO_FOURS(x + 24));
  wasm_v128_store(sums, wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 1, 4, 5), wasm_i32x4_shuffle(a, b, 2, 3, 6, 7)));
}

void hlo_nibble_prepare(const hlo_narrow_form *form, const float *vector, float *prepared) {
  int64_t k = form->k;
  prepared_vector v = parts_of(prepared, k);
  bool digits = hlo_narrow_has_units(form), whole = form->stages[0].has_no_zero;
  float allowance = hlo_fixed_allowance(k);
  hlo_fixed_pass *pass = v.passes, *end = pass + most_passes(k);
  for (int64_t p = 0, left; (left = k - p) > 0; p += left < UNIT ? ROWS : UNIT) {
    if (left < UNIT) v.sums[p / ROWS] = sum_of_eight(vector + p);
    else sum_unit(vector + p, v.sums + p / ROWS);
  }
  for (int64_t p = 0; whole && p < k; p += UNIT) {
    const float *sums = v.sums + p / ROWS;
    pass = hlo_fixed_passes(vector + p, k - p < UNIT ? (int)(k - p) : UNIT, allowance, !form->stages[0].has_no_more, digits ? make_digits : make_halves, form->is_signed ? BIAS : 0, pass, end);
    if (!pass) whole = false;
    else if (digits) pass[-1].sum = sums[0] + sums[1] + sums[2] + sums[3];
  }
  *v.way = !whole ? SUM_FLOATS : digits ? SUM_DIGITS : SUM_HALVES;
  for (int64_t p = 0; !whole && p < k; p++) v.floats[p] = vector[p] * ((float)(1 << LIFT) / place_of(p % ROWS));
}

#ifdef __wasm__
/* Vectors have digits only where a function of relaxed SIMD has taken this place. */
void hlo_nibble_blocks(const hlo_nibble_task *task) { __builtin_trap(); }
#else
/* Returns the product of a pass and a column. */
static float product_of_pass(const hlo_fixed_pass *pass, const char *panel, int column) {
  int32_t halves[2] = {pass->first[0], pass->first[1]};
  for (int d = 0; d < HLO_FIXED_DIGITS; d++)
    for (int p = 0; p < UNIT; p++) {
      int r = p % ROWS, q = (uint8_t)panel[p / ROWS * ROW_BYTES + 4 * column + r / 2] >> (r % 2 * 4) & 15;
      halves[d / 2] += pass->digits[(p / ROWS * HLO_FIXED_DIGITS + d) * 2 + r % 2][r / 2] * q * (d % 2 ? 1 : 256);
    }
  return (float)halves[0] * pass->upper_unit + (float)halves[1] * pass->unit;
}

static float value_at(const char *values, int column, bool halves) {
  return halves ? (float)hlo_float_decode(HLO_TYPE_F16, ((const uint16_t *)values)[column]) : ((const float *)values)[column];
}

static void multiply_panel(const hlo_nibble_task *t, int number) {
  const char *panel = t->panel + number * t->panel_apart, *scale = t->scale + number * t->scale_apart, *more = t->more ? t->more + number * t->more_apart : NULL;
  float(*out)[COLUMNS] = (float(*)[COLUMNS])((char *)t->out + number * t->out_apart);
  const hlo_fixed_pass *pass = t->passes, *next;
  for (int unit = 0, left = t->left; unit < t->units; unit++, panel += UNIT / ROWS * ROW_BYTES, pass = next) {
    for (next = pass; next++->goes_on;) continue;
    for (int j = 0; j < COLUMNS; j++) {
      float sum = product_of_pass(pass, panel, j), *to = &out[unit / 2][j];
      for (const hlo_fixed_pass *p = pass + 1; p < next; p++) sum += product_of_pass(p, panel, j);
      sum *= value_at(scale, j, t->halves);
      if (more) sum += next[-1].sum * value_at(more, j, t->halves);
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
#define INTEGER(x, r) wasm_f32x4_convert_i32x4(r == 7 ? wasm_u32x4_shr(x, 28) : wasm_v128_and(x, wasm_v128_load32_splat(&masks[r])))
#define FROM_ZERO(x, r, s) wasm_f32x4_sub(INTEGER(x, r), zeros[r][s])

#define ADD_TWO(sum, l, r, s) \
  sum = wasm_f32x4_add(sum, wasm_f32x4_add(wasm_f32x4_mul(x, FROM_ZERO(l, r, s)), wasm_f32x4_mul(y, FROM_ZERO(l, (r + 1), s))));
#define TWO_ROWS(r)                                                                                      \
  {                                                                                                      \
    v128_t x = wasm_v128_load32_splat(vector + r), y = wasm_v128_load32_splat(vector + r + 1);           \
    ADD_TWO(a, low, r, 0)                                                                                \
    ADD_TWO(b, high, r, 1)                                                                               \
  }
/* Adds up x * (q - zero) of some rows of one group. */
static void sum_rows(const char *panel, row_zeros zeros, const float *vector, int rows, v128_t *sums) {
  const int32_t *masks = row_masks;
  HLO_HIDE(masks)
  v128_t a = wasm_f32x4_splat(0), b = a;
  for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, vector += ROWS) {
    v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);
    TWO_ROWS(0) TWO_ROWS(2) TWO_ROWS(4) TWO_ROWS(6)
  }
  sums[0] = a, sums[1] = b;
}

#define DOT(sum, x, y) sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(x, y))
#define NIBBLES(q, r) wasm_i16x8_sub(r == 3 ? wasm_u16x8_shr(q, 12) : wasm_v128_and(r ? wasm_u16x8_shr(q, 4 * r) : q, mask), bias)
/* Rows r and r + 4, which are the halves of lanes. */
#define TWO_HALVES(r)                                                                                               \
  {                                                                                                                 \
    v128_t upper = wasm_v128_load32_splat(x + 4 * r), lower = wasm_v128_load32_splat(x + 4 * r + 2), y = NIBBLES(low, r), z = NIBBLES(high, r); \
    DOT(upper_low, upper, y);                                                                                       \
    DOT(lower_low, lower, y);                                                                                       \
    DOT(upper_high, upper, z);                                                                                      \
    DOT(lower_high, lower, z);                                                                                      \
  }
#define JOINED(upper, lower) \
  wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(upper), scale), wasm_f32x4_convert_i32x4(lower))
static const int16_t integer_mask = 15;
/* Adds up x * (q - subtracted) of some rows of one group and pass, in its unit. */
static void sum_integers(const char *panel, const int16_t *x, int rows, int subtracted, v128_t *sums) {
  const int16_t *constant = &integer_mask;
  HLO_HIDE(constant)
  const v128_t mask = wasm_v128_load16_splat(constant), bias = wasm_i16x8_splat((int16_t)subtracted);
  const v128_t scale = wasm_f32x4_splat(1 << HLO_FIXED_HALF);
  v128_t upper_low = wasm_i32x4_splat(0), lower_low = upper_low, upper_high = upper_low, lower_high = upper_low;
  for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, x += 2 * ROWS) {
    v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);
    TWO_HALVES(0) TWO_HALVES(1) TWO_HALVES(2) TWO_HALVES(3)
  }
  sums[0] = JOINED(upper_low, lower_low), sums[1] = JOINED(upper_high, lower_high);
}

/* A panel that is being added up. */
typedef struct panel_sum {
  const hlo_narrow_matrix *m;
  int64_t column;
  const char *panel;
  const float *vector;
  prepared_vector prepared;
  const hlo_fixed_pass *pass; /* the first of the next unit */
  hlo_nibble_values values;
  v128_t ready[STREAMS][READY + 1][VECTORS]; /* sums of blocks, and room for one more */
} panel_sum;

/* Sums rows of one group in f32. */
static void sum_floats(panel_sum *t, int group, int p, int rows, v128_t *sums) {
  row_zeros zeros;
  place_zeros(hlo_nibble_value(&t->values, HLO_NARROW_ZERO, group), t->values.bias, zeros);
  sum_rows(t->panel + p / ROWS * ROW_BYTES, zeros, t->prepared.floats + p, rows, sums);
  for (int s = 0; s < 2; s++) sums[s] = wasm_f32x4_mul(sums[s], wasm_f32x4_splat(1.0f / (1 << LIFT)));
}

/* Sums rows of one group and unit as integers. */
static void sum_passes(panel_sum *t, int p, int rows, v128_t *sums) {
  const hlo_fixed_pass *pass = t->pass;
  sums[0] = sums[1] = wasm_f32x4_splat(-0.0f);
  for (bool goes_on = true; goes_on; goes_on = pass++->goes_on) {
    v128_t products[2], unit = wasm_f32x4_splat(pass->unit);
    sum_integers(t->panel + p / ROWS * ROW_BYTES, pass->halves + p % UNIT * 2, rows, t->m->form->is_signed ? BIAS : 0, products);
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
    const v128_t *scale = hlo_nibble_value(&t->values, HLO_NARROW_SCALE, group), *more = hlo_nibble_value(&t->values, HLO_NARROW_MORE, group);
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
    const hlo_nibble_reader *r = &t->values.readers[w];
    if (r->format != format || r->stride != bytes || r->step != COLUMNS * bytes) return false;
  }
  return true;
}

/* Returns the product, digit by digit, of rows of panels: of this one, and of those behind it by `apart` panels. */
static hlo_nibble_task task_of(panel_sum *t, int p, int units, int panels, int apart) {
  const hlo_narrow_form *form = t->m->form;
  int length = (int)form->group, group = p / length;
  bool halves = are_streamed(t, HLO_NARROW_F16), streamed = halves || are_streamed(t, HLO_NARROW_F32);
  const char *at[HLO_NARROW_VALUES] = {0};
  int steps[HLO_NARROW_VALUES] = {0};
  for (int w = HLO_NARROW_SCALE; w <= HLO_NARROW_MORE - form->stages[0].has_no_more; w++) {
    const hlo_nibble_reader *r = &t->values.readers[w];
    at[w] = streamed ? r->at + group * r->step : (const char *)hlo_nibble_value(&t->values, w, group);
    steps[w] = streamed ? (int)r->step : r->step ? COLUMNS * sizeof(float) : 0;
  }
  return (hlo_nibble_task){
      .panel = t->panel + p / ROWS * ROW_BYTES, .passes = t->pass, .out = (float(*)[COLUMNS])t->ready[0], .scale = at[HLO_NARROW_SCALE], .more = at[HLO_NARROW_MORE], .panels = panels,
      .panel_apart = apart * (int)form->k / ROWS * ROW_BYTES, .out_apart = sizeof t->ready[0], .scale_apart = apart * t->values.groups * steps[HLO_NARROW_SCALE],
      .more_apart = apart * t->values.groups * steps[HLO_NARROW_MORE], .scale_step = steps[HLO_NARROW_SCALE], .more_step = steps[HLO_NARROW_MORE], .units = units,
      .group = length / UNIT, .left = (length - p % length) / UNIT, .halves = halves,
      .in_pairs = hlo_byte_mode_in_pairs()};
}

static void multiply_digits(const hlo_nibble_task *task) {
  hlo_nibble_blocks_kernel *volatile multiply = hlo_nibble_blocks; /* by its place in the table */
  multiply(task);
}

/* Sums a chunk of blocks digit by digit. */
static void sum_digits(panel_sum *t, int p, int end, v128_t *sums) {
  int units = (end - p) / UNIT;
  hlo_nibble_task task = task_of(t, p, units, 1, 0);
  multiply_digits(&task);
  hlo_levels_join(t->ready[0][0], (units + 1) / 2, VECTORS);
  sums[0] = t->ready[0][0][0], sums[1] = t->ready[0][0][1];
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

/* Returns whether eight numbers are finite. */
static bool are_finite(const float *eight) {
  v128_t a = wasm_v128_load(eight), b = wasm_v128_load(eight + 4), nothing = wasm_f32x4_add(wasm_f32x4_sub(a, a), wasm_f32x4_sub(b, b)); /* or NaN */
  return !wasm_v128_any_true(nothing);
}

static void begin_panel(panel_sum *t, int64_t column) {
  const hlo_narrow_form *form = t->m->form;
  t->column = column;
  t->panel = (const char *)t->m->data + column / COLUMNS * (form->k / ROWS) * ROW_BYTES;
  t->pass = t->prepared.passes;
  hlo_nibble_values_begin(t->m, column, GROUPS, &t->values);
}

/* Returns whether whole panels can be multiplied at once. */
static bool are_whole(const panel_sum *t) {
  return *t->prepared.way == SUM_DIGITS && t->m->form->k <= CHUNK && (are_streamed(t, HLO_NARROW_F16) || are_streamed(t, HLO_NARROW_F32));
}

/* Multiplies `count` panels from column `column` on, each with those that lie `apart` columns behind it, which are `streams` <= STREAMS. */
static void dot_panels(panel_sum *t, int64_t column, int64_t count, int streams, int64_t apart, float *out) {
  if (count == 0) return;
  begin_panel(t, column);
  int k = (int)t->m->form->k, units = k / UNIT;
  hlo_nibble_task task = task_of(t, 0, units, streams, (int)(apart / COLUMNS));
  for (; count > 0; count--, out += COLUMNS) {
    multiply_digits(&task);
    for (int i = 0; i < streams; i++) {
      v128_t *blocks = t->ready[i][0];
      hlo_levels_join(blocks, (units + 1) / 2, VECTORS);
      memcpy(out + i * apart, blocks, sizeof *t->ready[i]);
    }
    task.panel += k / ROWS * ROW_BYTES;
    task.scale += t->values.groups * task.scale_step;
    if (task.more) task.more += t->values.groups * task.more_step;
  }
}

/* Multiplies one panel by way of `way`, or by widened weights where that does not give finite numbers. */
static void dot_panel(panel_sum *t, sum_way way, int64_t columns, float *out) {
  float eight[COLUMNS];
  int64_t count = columns < COLUMNS ? columns : COLUMNS;
  sum_panel(t, way, eight);
  for (int64_t c = count; c < COLUMNS; c++) eight[c] = 0;
  if (way != SUM_WIDENED && !are_finite(eight)) sum_panel(t, SUM_WIDENED, eight);
  memcpy(out, eight, (size_t)count * sizeof *out);
}

void hlo_nibble_dot(const hlo_narrow_matrix *m, const float *vector, const float *prepared, int64_t column, int64_t columns, float *out) {
  panel_sum t;
  int64_t c = 0, apart = columns / (COLUMNS * STREAMS) * COLUMNS, side_by_side = apart * STREAMS;
  t.m = m, t.vector = vector, t.prepared = parts_of(prepared, m->form->k);
  assert(column % COLUMNS == 0 && m->form->stage_count == 1 && m->form->group % ROWS == 0 && m->form->k > 0);
  begin_panel(&t, column);
  if (are_whole(&t)) {
    dot_panels(&t, column, apart / COLUMNS, STREAMS, apart, out);
    dot_panels(&t, column + side_by_side, (columns - side_by_side) / COLUMNS, 1, 0, out + side_by_side);
    c = columns / COLUMNS * COLUMNS;
    for (int64_t done = 0; done < c; done += COLUMNS)
      if (!are_finite(out + done)) begin_panel(&t, column + done), dot_panel(&t, SUM_WIDENED, COLUMNS, out + done);
  }
  for (; c < columns; c += COLUMNS) begin_panel(&t, column + c), dot_panel(&t, *t.prepared.way, columns - c, out + c);
}
