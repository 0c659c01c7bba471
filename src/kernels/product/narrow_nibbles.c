/* Integers of 4 bits in panels of eight columns. Eight rows of a panel are two vectors, one of columns 0 to 3 and one of columns 4 to 7: a
 * lane is a column, and its bits 4 i to 4 i + 3 are row i. So a mask gives the integers of four columns, and zeros, scales and sums of columns
 * are vectors. Integers with a sign are stored with 8 added. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"
#include "kernels/product/dot.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

enum { COLUMNS = 8, ROWS = 8, ROW_BYTES = 32, BLOCK = 64, LEVELS = 40, BIAS = 8, AHEAD = 8 }; /* ROW_BYTES: of eight rows of a panel */

size_t hlo_nibble_bytes(int64_t k, int64_t n) {
  assert(k % ROWS == 0);
  return (size_t)(hlo_ceil_div(n, COLUMNS) * (k / ROWS) * ROW_BYTES);
}

void hlo_nibble_pack(const void *elements, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *panels) {
  const uint8_t *from = elements;
  uint8_t *to = panels;
  memset(to, 0, hlo_nibble_bytes(k, n));
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS, to += ROW_BYTES)
      for (int64_t j = 0; j < COLUMNS && c + j < n; j++)
        for (int r = 0; r < ROWS; r++)
          to[4 * j + r / 2] |= (uint8_t)(((from[(p + r) * k_stride + (c + j) * n_stride] & 15) ^ (is_signed ? BIAS : 0)) << (r % 2 * 4));
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

/* ---- Values ---- */

typedef struct panel_values {
  v128_t zero[2], scale[2], more[2];
  v128_t bias; /* what is added to stored integers that have a sign */
  struct value_reader {
    const char *at;         /* the value of the panel's first column */
    ptrdiff_t stride, step; /* from column to column, and from group to group, in bytes; step 0: all groups have the same */
    hlo_narrow_format format;
    int left;               /* groups from `at` on */
    v128_t ahead[AHEAD];    /* values of 16 bits of this group and those behind it, from `next` on */
    int next;
  } readers[HLO_NARROW_VALUES];
  int columns;
} panel_values;

#define FOUR_FLOATS(at, i) wasm_f32x4_make(*(const float *)(at + i * stride), *(const float *)(at + (i + 1) * stride), \
                                            *(const float *)(at + (i + 2) * stride), *(const float *)(at + (i + 3) * stride))
#define HALF(i) *(const int16_t *)(at + i * stride)

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

#define LOWER(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define INTERLEAVE(from, to, i) to[2 * i] = LOWER(from[i], from[i + 4]), to[2 * i + 1] = UPPER(from[i], from[i + 4]);
#define TRANSPOSE(from, to) INTERLEAVE(from, to, 0) INTERLEAVE(from, to, 1) INTERLEAVE(from, to, 2) INTERLEAVE(from, to, 3)

/* Reads values of 16 bits that lie one after another in each column, of several groups at once, where there are so many. */
static bool read_ahead(struct value_reader *r) {
  if (r->next < AHEAD) return true;
  if (r->step != sizeof(int16_t) || r->stride == r->step || r->left < AHEAD) return false;
  v128_t a[AHEAD], b[AHEAD];
  for (int c = 0; c < COLUMNS; c++) a[c] = wasm_v128_load(r->at + c * r->stride);
  TRANSPOSE(a, b)
  TRANSPOSE(b, a)
  TRANSPOSE(a, r->ahead)
  r->next = 0;
  return true;
}

static void read_one(panel_values *v, int which, v128_t *two) {
  struct value_reader *r = &v->readers[which];
  hlo_eight read;
  if (v->columns < COLUMNS) read = read_fewer(r->format, r->at, r->stride, v->columns);
  else if (r->format != HLO_NARROW_F32 && read_ahead(r)) read = eight_of(r->format, r->ahead[r->next++]);
  else read = read_eight(r->format, r->at, r->stride);
  two[0] = read.low;
  two[1] = read.high;
}

/* Reads the values of a panel in the group of row p. */
static void read_values(const hlo_narrow_matrix *m, int64_t p, int64_t column, panel_values *v) {
  v128_t *to[] = {v->zero, v->scale, v->more};
  v->bias = wasm_f32x4_splat(m->form->is_signed ? BIAS : 0);
  v->columns = m->form->n - column < COLUMNS ? (int)(m->form->n - column) : COLUMNS;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *values = &m->form->stages[0].values[w];
    int bytes = m->arrays[0][w] ? hlo_narrow_bytes(values->format) : 0;
    struct value_reader *r = &v->readers[w];
    r->at = hlo_narrow_value_in(m, 0, w, p, column);
    r->stride = (ptrdiff_t)values->n_stride * bytes, r->step = (ptrdiff_t)values->g_stride * bytes;
    r->format = values->format;
    r->left = (int)(hlo_ceil_div(m->form->k, m->form->group) - p / m->form->group), r->next = AHEAD;
    assert(v->readers[w].step == 0 || values->group == m->form->group);
    read_one(v, w, to[w]);
  }
}

/* Reads those of the next group. */
static void read_next(panel_values *v) {
  v128_t *to[] = {v->zero, v->scale, v->more};
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    struct value_reader *r = &v->readers[w];
    if (!r->step) continue;
    r->at += r->step, r->left--;
    read_one(v, w, to[w]);
  }
}

/* ---- A vector times the panels ----
 *
 * Integers are multiplied where they stand in their lane, 16^r times too large, by elements of the vector that are as much smaller and
 * 2^28 times too large, so that none loses digits. The sum of a group's x * (q - zero) is scaled once, and `more` times the sum of its x
 * added. Blocks of 64 rows are added as in f32_dot_vector.c. Where a result is not finite, the weights are widened. */

enum { LIFT = 28 };

size_t hlo_nibble_scratch_bytes(int64_t k) { return (size_t)(k + k / ROWS) * sizeof(float); }

/* Returns how much too large the integers of row r are: those of the last row are shifted. */
static float place_of(int r) { return (float)(1 << 4 * r % LIFT); }

void hlo_nibble_prepare(const float *vector, int64_t k, float *prepared) {
  float *sums = prepared + k;
  for (int64_t p = 0; p < k; p += ROWS) {
    float sum = 0;
    for (int r = 0; r < ROWS; r++) {
      float x = vector[p + r];
      sum += x;
      prepared[p + r] = x * ((float)(1 << LIFT) / place_of(r));
    }
    sums[p / ROWS] = sum;
  }
}

/* The zeros of a group, as large as the integers of each row. */
typedef v128_t row_zeros[ROWS][2];

static void read_zeros(const panel_values *v, row_zeros zeros) {
  for (int r = 0; r < ROWS; r++)
    for (int s = 0; s < 2; s++) zeros[r][s] = wasm_f32x4_mul(wasm_f32x4_add(v->zero[s], v->bias), wasm_f32x4_splat(place_of(r)));
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

/* A panel that is being added up. */
typedef struct panel_sum {
  const hlo_narrow_matrix *m;
  int64_t column;
  const char *panel;
  const float *vector, *prepared;
  panel_values values;
  int left; /* rows of the present group */
  row_zeros zeros;
} panel_sum;

/* Sums a block of rows from row p on. */
static void sum_block(panel_sum *t, int p, int end, v128_t *sums) {
  const hlo_narrow_form *form = t->m->form;
  const hlo_narrow_stage *stage = &form->stages[0];
  bool from_0 = stage->has_no_zero && !form->is_signed;
  for (int part; p < end; p += part, t->left -= part) {
    if (t->left == 0) {
      read_next(&t->values);
      t->left = (int)form->group;
      if (t->values.readers[HLO_NARROW_ZERO].step) read_zeros(&t->values, t->zeros);
    }
    part = t->left < end - p ? t->left : end - p;
    v128_t products[2], x = wasm_f32x4_splat(0);
    (from_0 ? sum_rows : sum_rows_from_zero)(t->panel + p / ROWS * ROW_BYTES, t->zeros, t->prepared + p, part, products);
    for (int i = p / ROWS; i < (p + part) / ROWS; i++) x = wasm_f32x4_add(x, wasm_v128_load32_splat(t->prepared + form->k + i));
    for (int s = 0; s < 2; s++) {
      v128_t scaled = wasm_f32x4_mul(wasm_f32x4_mul(products[s], wasm_f32x4_splat(1.0f / (1 << LIFT))), t->values.scale[s]);
      sums[s] = wasm_f32x4_add(sums[s], stage->has_no_more ? scaled : wasm_f32x4_add(scaled, wasm_f32x4_mul(x, t->values.more[s])));
    }
  }
}

/* The same by widened weights. */
static void sum_widened(panel_sum *t, int p, int end, v128_t *sums) {
  float panel[BLOCK * COLUMNS], eight[COLUMNS];
  hlo_nibble_panels(t->m, t->column, COLUMNS, p, end - p, panel);
  hlo_f32_dot_rows_simd128(t->vector + p, 1, panel, COLUMNS, end - p, COLUMNS, eight);
  sums[0] = wasm_v128_load(eight), sums[1] = wasm_v128_load(eight + 4);
}

/* Adds up the blocks of a panel. */
static void sum_panel(panel_sum *t, void (*sum_of)(panel_sum *t, int p, int end, v128_t *sums), float *eight) {
  v128_t levels[LEVELS][2], all[2];
  int k = (int)t->m->form->k, blocks = (k + BLOCK - 1) / BLOCK;
  for (int block = 0; block < blocks; block++) {
    int p = block * BLOCK, level = 0;
    v128_t sums[2] = {wasm_f32x4_splat(-0.0f), wasm_f32x4_splat(-0.0f)};
    sum_of(t, p, p + BLOCK < k ? p + BLOCK : k, sums);
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

void hlo_nibble_dot(const hlo_narrow_matrix *m, const float *vector, const float *prepared, int64_t column, int64_t columns, float *out) {
  const hlo_narrow_form *form = m->form;
  panel_sum t = {.m = m, .vector = vector, .prepared = prepared};
  assert(column % COLUMNS == 0 && form->stage_count == 1 && form->group % ROWS == 0 && form->k > 0);
  for (int64_t c = 0; c < columns; c += COLUMNS) {
    int64_t count = columns - c < COLUMNS ? columns - c : COLUMNS;
    float eight[COLUMNS];
    t.column = column + c, t.left = (int)form->group;
    t.panel = (const char *)m->data + t.column / COLUMNS * (form->k / ROWS) * ROW_BYTES;
    read_values(m, 0, t.column, &t.values);
    read_zeros(&t.values, t.zeros);
    sum_panel(&t, sum_block, eight);
    if (!is_finite(eight, count)) sum_panel(&t, sum_widened, eight);
    memcpy(out + c, eight, (size_t)count * sizeof *out);
  }
}

/* ---- Panels of f32 ---- */

#define STORE(l, r, s)                                                                                     \
  x = wasm_f32x4_convert_i32x4(wasm_v128_and(wasm_u32x4_shr(l, 4 * r), mask));                             \
  x = wasm_f32x4_mul(wasm_f32x4_sub(wasm_f32x4_sub(x, v->bias), v->zero[s]), v->scale[s]);                 \
  wasm_v128_store(to + COLUMNS * r + 4 * s, wasm_f32x4_add(x, v->more[s]));
#define STORE_ROW(r) STORE(low, r, 0) STORE(high, r, 1)
static void widen_rows(const char *panel, const panel_values *v, int rows, float *to) {
  const v128_t mask = wasm_i32x4_splat(15);
  v128_t x;
  for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, to += ROWS * COLUMNS) {
    v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);
    STORE_ROW(0) STORE_ROW(1) STORE_ROW(2) STORE_ROW(3) STORE_ROW(4) STORE_ROW(5) STORE_ROW(6) STORE_ROW(7)
  }
}

void hlo_nibble_panels(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  const hlo_narrow_form *form = m->form;
  assert(column % COLUMNS == 0 && k_begin % ROWS == 0);
  for (int64_t c = column, end = column + columns; c < end; c += COLUMNS) {
    const char *from = (const char *)m->data + (c / COLUMNS * (form->k / ROWS) + k_begin / ROWS) * ROW_BYTES;
    panel_values values;
    read_values(m, k_begin, c, &values);
    for (int64_t p = k_begin, rows; p < k_begin + k_count; p += rows, from += rows / ROWS * ROW_BYTES, panels += rows * COLUMNS) {
      int64_t left = k_begin + k_count - p, in_group = form->group - p % form->group;
      rows = left < in_group ? left : in_group;
      if (p > k_begin) read_next(&values);
      widen_rows(from, &values, (int)rows, panels);
    }
  }
}
