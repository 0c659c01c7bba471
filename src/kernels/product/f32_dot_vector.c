/* Products of a vector and a matrix. They are bound by memory, so the matrix is read once and in its own order; a packed one, and one that
 * lies column by column, in four sequential streams, which memory serves fastest.
 *
 * Summation is pairwise over blocks of 64 terms (rows) or 128 (columns). The sum of a block is of level 0, the sum of two sums of
 * level n is of level n + 1, and at most one sum of each level is kept, as a binary counter keeps its digits: block number b has as
 * many carries as b has trailing ones. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/product/dot.h"
#include "kernels/product/level_sums.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/half_lanes.h"
#include "kernels/simd128.h"

enum { ROW_BLOCK = 64, COLUMN_BLOCK = 128, LEVELS = HLO_SUM_LEVELS };
/* The sums of all levels of a strip of columns have so many floats: they stay in L1, and segments of rows are long. */
enum { STRIP_FLOATS = 8192 };
enum { PANEL = HLO_F32_DOT_PANEL, PANELS = 4 }; /* PANELS make a strip of a packed matrix: their sums are eight vectors */

/* ---- Rows: a strip of columns at a time ---- */

/* The neutral element of addition: +0 would turn a sum of -0 into +0. */
#define NOTHING wasm_f32x4_splat(-0.0f)

/* sums[j] += the weighted sum of four rows. Reading more rows at once was slower. */
static void add_4_rows(const float *weights, ptrdiff_t weight_stride, const float *matrix, ptrdiff_t row_stride, int columns,
                       float *sums) {
  const float *row0 = matrix, *row1 = row0 + row_stride, *row2 = row1 + row_stride, *row3 = row2 + row_stride;
  float w0 = weights[0], w1 = weights[weight_stride], w2 = weights[2 * weight_stride], w3 = weights[3 * weight_stride];
  v128_t v0 = wasm_f32x4_splat(w0), v1 = wasm_f32x4_splat(w1), v2 = wasm_f32x4_splat(w2), v3 = wasm_f32x4_splat(w3);
  int j = 0;
#define ADD_4(at)                                                                               \
  {                                                                                             \
    v128_t sum = wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_mul(v0, wasm_v128_load(row0 + (at))), \
                                               wasm_f32x4_mul(v1, wasm_v128_load(row1 + (at)))), \
                                wasm_f32x4_add(wasm_f32x4_mul(v2, wasm_v128_load(row2 + (at))), \
                                               wasm_f32x4_mul(v3, wasm_v128_load(row3 + (at))))); \
    wasm_v128_store(sums + (at), wasm_f32x4_add(wasm_v128_load(sums + (at)), sum));             \
  }
  for (; j + 8 <= columns; j += 8) {
    ADD_4(j)
    ADD_4(j + 4)
  }
  if (j + 4 <= columns) {
    ADD_4(j)
    j += 4;
  }
#undef ADD_4
  for (; j < columns; j++) sums[j] += (w0 * row0[j] + w1 * row1[j]) + (w2 * row2[j] + w3 * row3[j]);
}

/* sums[j] += the weighted sum of `rows` rows. Of fewer than eight columns, rows are read on behind their last column while the matrix goes
 * on there; up to eight sums are overwritten. */
static void add_rows(const float *weights, ptrdiff_t weight_stride, const float *matrix, ptrdiff_t row_stride, int columns, int rows,
                     float *sums) {
  int wide = columns > 4 ? 8 : 4;
  for (; columns < 8 && rows >= 4 && (rows - 4) * row_stride + columns >= wide; rows -= 4, weights += 4 * weight_stride, matrix += 4 * row_stride)
    add_4_rows(weights, weight_stride, matrix, row_stride, wide, sums);
  for (; rows >= 4; rows -= 4, weights += 4 * weight_stride, matrix += 4 * row_stride)
    add_4_rows(weights, weight_stride, matrix, row_stride, columns, sums);
  for (; rows > 0; rows--, weights += weight_stride, matrix += row_stride)
    for (int j = 0; j < columns; j++) sums[j] += *weights * matrix[j];
}

/* ---- Narrow elements that are widened in registers ---- */

/* Returns whether a matrix is widened in registers: of 16 bits, or of s8 with scales of f32, of which `rows` rows have the same. */
static bool widens_in_registers(const hlo_narrow_form *form, int rows) {
  const hlo_narrow_stage *stage = &form->stages[0];
  if (form->format == HLO_NARROW_F16 || form->format == HLO_NARROW_BF16) return form->stage_count == 1 && stage->rounding == HLO_ROUND_F32 && stage->is_plain;
  return hlo_narrow_is_scaled_s8(form, rows);
}

HLO_EIGHT eight_of_s8(const char *at, v128_t low_scale, v128_t high_scale) {
  hlo_eight x = hlo_eight_of_s8(at);
  return (hlo_eight){wasm_f32x4_mul(x.low, low_scale), wasm_f32x4_mul(x.high, high_scale)};
}

/* add_4_rows of eight narrow columns at a time, as many as there are: rows lie `step` bytes apart. */
typedef void narrow_rows_4(const float *weights, ptrdiff_t weight_stride, const char *rows, ptrdiff_t step, const float *scales,
                           ptrdiff_t scale_stride, int columns, float *sums);
#define NARROW_ROWS(name, EIGHT_OF, bytes)                                                                                            \
  static void name(const float *weights, ptrdiff_t weight_stride, const char *rows, ptrdiff_t step, const float *scales,              \
                   ptrdiff_t scale_stride, int columns, float *sums) {                                                               \
    const struct hlo_half_constants *halves = hlo_half_constants_at();                                                               \
    v128_t v0 = wasm_v128_load32_splat(weights), v1 = wasm_v128_load32_splat(weights + weight_stride);                               \
    v128_t v2 = wasm_v128_load32_splat(weights + 2 * weight_stride), v3 = wasm_v128_load32_splat(weights + 3 * weight_stride);       \
    v128_t low = wasm_v128_load32_splat(scales), high = low;                                                                         \
    for (; columns >= 8; columns -= 8, rows += 8 * bytes, sums += 8, scales += scale_stride) {                                       \
      if (scale_stride) low = wasm_v128_load(scales), high = wasm_v128_load(scales + 4);                                             \
      hlo_eight a = EIGHT_OF(rows), b = EIGHT_OF(rows + step), c = EIGHT_OF(rows + 2 * step), d = EIGHT_OF(rows + 3 * step);         \
      SUM_ROWS(low, 0) SUM_ROWS(high, 4)                                                                                             \
    }                                                                                                                                \
    (void)halves, (void)low, (void)high;                                                                                             \
  }
#define SUM_ROWS(half, at)                                                                                                           \
  wasm_v128_store(sums + at, wasm_f32x4_add(wasm_v128_load(sums + at),                                                               \
      wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_mul(v0, a.half), wasm_f32x4_mul(v1, b.half)),                                         \
                     wasm_f32x4_add(wasm_f32x4_mul(v2, c.half), wasm_f32x4_mul(v3, d.half)))));
#define OF_S8(at) eight_of_s8(at, low, high)
#define OF_F16(at) hlo_eight_of_f16(wasm_v128_load(at), halves)
#define OF_BF16(at) hlo_eight_of_bf16(wasm_v128_load(at))
NARROW_ROWS(s8_rows_4, OF_S8, 1)
NARROW_ROWS(f16_rows_4, OF_F16, 2)
NARROW_ROWS(bf16_rows_4, OF_BF16, 2)

/* Returns what adds rows of a form; NULL: they are widened in memory. */
static narrow_rows_4 *narrow_rows_of(const hlo_narrow_matrix *m) {
  static narrow_rows_4 *const by_format[] = {[HLO_NARROW_BF16] = bf16_rows_4, [HLO_NARROW_F16] = f16_rows_4, [HLO_NARROW_S8] = s8_rows_4};
  bool strides = !m->arrays[0][HLO_NARROW_SCALE] || m->form->stages[0].values[HLO_NARROW_SCALE].n_stride <= 1;
  return strides && widens_in_registers(m->form, 4) ? by_format[m->form->format] : NULL;
}

/* Adds rows of a narrow matrix, which are widened four at a time: in registers, where there are four rows and eight columns. Requires that the
 * row is a multiple of 4. */
static void add_narrow_rows(const float *weights, ptrdiff_t weight_stride, const hlo_narrow_matrix *matrix, int64_t row, int64_t column,
                            int columns, int rows, float *sums) {
  float lines[4 * HLO_NARROW_LINE];
  const hlo_narrow_form *form = matrix->form;
  narrow_rows_4 *add = narrow_rows_of(matrix);
  ptrdiff_t bytes = hlo_narrow_bytes(form->format), step = (ptrdiff_t)form->k_stride * bytes;
  ptrdiff_t scale_stride = matrix->arrays[0][HLO_NARROW_SCALE] ? (ptrdiff_t)form->stages[0].values[HLO_NARROW_SCALE].n_stride * 8 : 0;
  for (int done = 0, count; done < rows; done += count, weights += count * weight_stride) {
    count = rows - done < 4 ? rows - done : 4;
    int whole = add && count == 4 ? columns & ~7 : 0;
    if (whole) {
      const char *at = (const char *)matrix->data + (form->offset + column) * bytes + (row + done) * step;
      add(weights, weight_stride, at, step, hlo_narrow_value(matrix, 0, HLO_NARROW_SCALE, row + done, column), scale_stride, whole, sums);
    }
    if (whole == columns) continue;
    hlo_narrow_widen(matrix, row + done, count, column + whole, columns - whole, lines, HLO_NARROW_LINE);
    add_rows(weights, weight_stride, lines, HLO_NARROW_LINE, columns - whole, count, sums + whole);
  }
}

#define EACH_PANEL(DO) DO(0) DO(1) DO(2) DO(3)
#define ONE_PANEL(DO) DO(0)
#define BEGIN(s)                                      \
  const float *panel##s = panels + s * panel_stride; \
  v128_t low##s = NOTHING, high##s = NOTHING;
#define WEIGHT(r) v128_t weight##r = wasm_v128_load32_splat(weights + r * weight_stride);
#define TERM(r, row) wasm_f32x4_mul(weight##r, wasm_v128_load((row) + r * PANEL))
#define ADD_1(sum, row) sum = wasm_f32x4_add(sum, TERM(0, row));
#define ADD_4(sum, row) \
  sum = wasm_f32x4_add(sum, wasm_f32x4_add(wasm_f32x4_add(TERM(0, row), TERM(1, row)), wasm_f32x4_add(TERM(2, row), TERM(3, row))));
#define ROW(s) ADD_1(low##s, panel##s) ADD_1(high##s, panel##s + 4) panel##s += PANEL;
#define FOUR_ROWS(s) ADD_4(low##s, panel##s) ADD_4(high##s, panel##s + 4) panel##s += 4 * PANEL;
#define END(s)                               \
  wasm_v128_store(sums + s * PANEL, low##s); \
  wasm_v128_store(sums + s * PANEL + 4, high##s);

/* The same for four panels, or for one. Terms are added in the same order. */
#define SUM_PANELS(name, EACH)                                                                                                         \
  static void name(const float *weights, ptrdiff_t weight_stride, const float *panels, ptrdiff_t panel_stride, int rows, float *sums) { \
    EACH(BEGIN)                                                                                                                        \
    for (; rows >= 4; rows -= 4, weights += 4 * weight_stride) {                                                                       \
      WEIGHT(0) WEIGHT(1) WEIGHT(2) WEIGHT(3)                                                                                          \
      EACH(FOUR_ROWS)                                                                                                                  \
    }                                                                                                                                  \
    for (; rows > 0; rows--, weights += weight_stride) {                                                                               \
      WEIGHT(0)                                                                                                                        \
      EACH(ROW)                                                                                                                        \
    }                                                                                                                                  \
    EACH(END)                                                                                                                          \
  }
SUM_PANELS(sum_four_panels, EACH_PANEL)
SUM_PANELS(sum_one_panel, ONE_PANEL)

static void sum_panels(const float *weights, ptrdiff_t weight_stride, const float *panels, ptrdiff_t panel_stride, int count, int rows,
                       float *sums) {
  if (count == PANELS) sum_four_panels(weights, weight_stride, panels, panel_stride, rows, sums);
  else
    for (int i = 0; i < count; i++) sum_one_panel(weights, weight_stride, panels + i * panel_stride, 0, rows, sums + i * PANEL);
}

/* to[j] = from[j] + to[j], in this order. */
static void add_sums(const float *from, float *to, int count) {
  int j = 0;
  for (; j + 4 <= count; j += 4) wasm_v128_store(to + j, wasm_f32x4_add(wasm_v128_load(from + j), wasm_v128_load(to + j)));
  for (; j < count; j++) to[j] = from[j] + to[j];
}

/* A matrix that is read as it is (or in panels: row_stride 0), or a part of a narrow one, from `row` and `column` on. */
typedef struct rows_of {
  const float *matrix;
  ptrdiff_t row_stride;
  const hlo_narrow_matrix *narrow; /* NULL: the matrix is of f32 */
  int64_t row, column;
} rows_of;

/* sums[j] = the weighted sum of `rows` rows from row p on. Sums are overwritten up to a multiple of eight. */
static void sum_rows(const rows_of *m, const float *weights, ptrdiff_t weight_stride, int p, int columns, int rows, float *sums) {
  for (int j = 0; j < (columns + 7 & ~7); j += 4) wasm_v128_store(sums + j, NOTHING);
  if (m->narrow) add_narrow_rows(weights, weight_stride, m->narrow, m->row + p, m->column, columns, rows, sums);
  else add_rows(weights, weight_stride, m->matrix + p * m->row_stride, m->row_stride, columns, rows, sums);
}

/* Computes one strip of the output. `levels` has `strip` floats for each level. */
static void rows_strip(const float *vector, ptrdiff_t vector_stride, const rows_of *m, int k, int columns, float *levels, int strip,
                       float *out) {
  int blocks = (int)hlo_ceil_div(k, ROW_BLOCK);
  for (int block = 0; block < blocks; block++) {
    int p = block * ROW_BLOCK, end = p + ROW_BLOCK < k ? p + ROW_BLOCK : k, level = 0;
    while (block >> level & 1) level++;
    float *sums = levels + level * strip;
    const float *weights = vector + p * vector_stride;
    if (m->row_stride) sum_rows(m, weights, vector_stride, p, columns, end - p, sums);
    else
      sum_panels(weights, vector_stride, m->matrix + (ptrdiff_t)p * PANEL, (ptrdiff_t)k * PANEL, columns / PANEL, end - p, sums);
    for (int lower = 0; lower < level; lower++) add_sums(levels + lower * strip, sums, columns);
  }
  bool first = true;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    if (first) memcpy(out, levels + level * strip, (size_t)columns * sizeof *out);
    else add_sums(levels + level * strip, out, columns);
    first = false;
  }
}

static void dot_rows(const float *vector, int64_t vector_stride, const rows_of *m, int most, int64_t k, int64_t n, float *out) {
  assert(k > 0 && k < (int64_t)1 << 29);
  _Alignas(16) float levels[STRIP_FLOATS];
  int count = 1;
  while (hlo_ceil_div(k, ROW_BLOCK) >> count) count++;
  int strip = m->row_stride ? STRIP_FLOATS / count & ~63 : PANELS * PANEL;
  if (strip > most) strip = most;
  for (int64_t j = 0; j < n; j += strip) {
    rows_of part = *m;
    part.column += j;
    if (!m->narrow) part.matrix += m->row_stride ? j : j * k;
    rows_strip(vector, (ptrdiff_t)vector_stride, &part, (int)k, (int)(n - j < strip ? n - j : strip), levels, strip, out + j);
  }
}

void hlo_f32_dot_rows_simd128(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride,
                              int64_t k, int64_t n, float *out) {
  dot_rows(vector, vector_stride, &(rows_of){matrix, (ptrdiff_t)row_stride, NULL, 0, 0}, STRIP_FLOATS, k, n, out);
}

void hlo_narrow_dot_rows(const float *vector, int64_t vector_stride, const hlo_narrow_matrix *matrix, int64_t row, int64_t column,
                         int64_t k, int64_t n, float *out) {
  dot_rows(vector, vector_stride, &(rows_of){NULL, 1, matrix, row, column}, HLO_NARROW_LINE, k, n, out);
}

/* A piece has a power of two of blocks: the sum of a whole one is the sum of one level. */
int64_t hlo_f32_dot_rows_piece(int64_t k, int64_t most) {
  int64_t rows = ROW_BLOCK;
  while (hlo_ceil_div(k, rows) > most) rows *= 2;
  return rows;
}

void hlo_f32_dot_rows_join(float *sums, int64_t piece, int64_t k, int64_t n, float *out) {
  float *levels[LEVELS];
  int64_t whole = hlo_ceil_div(k, ROW_BLOCK) / (piece / ROW_BLOCK);
  for (int64_t i = 0; i < whole; i++) {
    float *sum = sums + i * n;
    int level = 0;
    for (; i >> level & 1; level++) add_sums(levels[level], sum, (int)n);
    levels[level] = sum;
  }
  float *sum = whole < hlo_ceil_div(k, piece) ? sums + whole * n : NULL;
  for (int level = 0; whole >> level; level++) {
    if (!(whole >> level & 1)) continue;
    if (sum) add_sums(levels[level], sum, (int)n);
    else sum = levels[level];
  }
  memcpy(out, sum, (size_t)n * sizeof *out);
}

/* ---- Columns: four at a time, one of each quarter, share loads of the vector ---- */

/* Writes the sums of the lanes of four columns. */
static void join_4(v128_t a, v128_t b, v128_t c, v128_t d, float *out) {
  v128_t ab = wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 1, 4, 5), wasm_i32x4_shuffle(a, b, 2, 3, 6, 7));
  v128_t cd = wasm_f32x4_add(wasm_i32x4_shuffle(c, d, 0, 1, 4, 5), wasm_i32x4_shuffle(c, d, 2, 3, 6, 7));
  wasm_v128_store(out, wasm_f32x4_add(wasm_i32x4_shuffle(ab, cd, 0, 2, 4, 6), wasm_i32x4_shuffle(ab, cd, 1, 3, 5, 7)));
}

/* Writes the totals of four columns that lie `apart` from each other. */
static void total_4(v128_t levels[4][LEVELS], int64_t blocks, int64_t apart, float *out) {
  float totals[4];
  join_4(hlo_levels_sum(levels[0], blocks), hlo_levels_sum(levels[1], blocks), hlo_levels_sum(levels[2], blocks), hlo_levels_sum(levels[3], blocks), totals);
  for (int c = 0; c < 4; c++) out[c * apart] = totals[c];
}

/* The same of one column. */
static float total(const v128_t *levels, int64_t blocks) {
  v128_t sum = hlo_levels_sum(levels, blocks);
  sum = wasm_f32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1);
}

/* A matrix that is read as it is, or a narrow one from `column` on. */
typedef struct columns_of {
  const float *matrix;
  int64_t column_stride;
  const hlo_narrow_matrix *narrow; /* NULL: the matrix is of f32 */
  int64_t column;
} columns_of;

/* Returns rows p to p + count of some columns; *stride gets what leads from one to the next. `lines` has COLUMN_BLOCK floats for each. */
static const float *block_of(const columns_of *m, int64_t column, int64_t columns, int64_t p, int64_t count, float *lines, int64_t *stride) {
  *stride = m->column_stride;
  if (!m->narrow) return m->matrix + column * m->column_stride + p;
  *stride = COLUMN_BLOCK;
  hlo_narrow_widen(m->narrow, m->column + column, columns, p, count, lines, COLUMN_BLOCK);
  return lines;
}

#define STEP(c) \
  sum##c##0 = wasm_f32x4_add(sum##c##0, wasm_f32x4_mul(x, wasm_v128_load(column##c + i)));    \
  sum##c##1 = wasm_f32x4_add(sum##c##1, wasm_f32x4_mul(y, wasm_v128_load(column##c + i + 4)));

/* Four columns of a block, term by term. */
#define SUM_BLOCK(weights, count)                                                                                    \
  v128_t zero = wasm_f32x4_splat(0);                                                                                \
  v128_t sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero, sum20 = zero, sum21 = zero, sum30 = zero, sum31 = zero; \
  for (int i = 0; i < count; i += 8) {                                                                              \
    v128_t x = wasm_v128_load(weights + i), y = wasm_v128_load(weights + i + 4);                                    \
    STEP(0) STEP(1) STEP(2) STEP(3)                                                                                 \
  }

/* Sums the first `whole` terms, a multiple of 8, of four columns that lie `apart` from each other: 1 where they are widened. */
static void columns_4(const float *vector, const columns_of *m, int64_t column, int64_t apart, int64_t whole, float *out) {
  float lines[4 * COLUMN_BLOCK];
  v128_t levels[4][LEVELS];
  int64_t block = 0, stride;
  for (int64_t p = 0; p < whole; block++, p += COLUMN_BLOCK) {
    int count = whole - p < COLUMN_BLOCK ? (int)(whole - p) : COLUMN_BLOCK;
    const float *column0 = block_of(m, column, 4, p, count, lines, &stride), *column1 = column0 + apart * stride;
    const float *column2 = column1 + apart * stride, *column3 = column2 + apart * stride, *weights = vector + p;
    SUM_BLOCK(weights, count)
    hlo_levels_carry(levels[0], block, wasm_f32x4_add(sum00, sum01));
    hlo_levels_carry(levels[1], block, wasm_f32x4_add(sum10, sum11));
    hlo_levels_carry(levels[2], block, wasm_f32x4_add(sum20, sum21));
    hlo_levels_carry(levels[3], block, wasm_f32x4_add(sum30, sum31));
  }
  total_4(levels, block, apart, out);
}

/* The same of so many columns as are a multiple of four, each of one block or less, to the same bits. Returns how many. */
static int64_t short_columns(const float *vector, const float *matrix, int64_t stride, int whole, int64_t n, float *out) {
  int64_t j = 0;
  for (; j + 4 <= n; j += 4, matrix += 4 * stride) {
    const float *column0 = matrix, *column1 = column0 + stride, *column2 = column1 + stride, *column3 = column2 + stride;
    SUM_BLOCK(vector, whole)
    join_4(wasm_f32x4_add(sum00, sum01), wasm_f32x4_add(sum10, sum11), wasm_f32x4_add(sum20, sum21), wasm_f32x4_add(sum30, sum31), out + j);
  }
  return j;
}

/* The same for one column. */
static float column_1(const float *vector, const columns_of *m, int64_t column, int64_t whole) {
  float lines[COLUMN_BLOCK];
  v128_t levels[LEVELS];
  int64_t block = 0, stride;
  for (int64_t p = 0; p < whole; block++, p += COLUMN_BLOCK) {
    int64_t count = whole - p < COLUMN_BLOCK ? whole - p : COLUMN_BLOCK;
    const float *column0 = block_of(m, column, 1, p, count, lines, &stride);
    v128_t low = wasm_f32x4_splat(0), high = low;
    for (int64_t i = 0; i < count; i += 8) {
      low = wasm_f32x4_add(low, wasm_f32x4_mul(wasm_v128_load(vector + p + i), wasm_v128_load(column0 + i)));
      high = wasm_f32x4_add(high, wasm_f32x4_mul(wasm_v128_load(vector + p + i + 4), wasm_v128_load(column0 + i + 4)));
    }
    hlo_levels_carry(levels, block, wasm_f32x4_add(low, high));
  }
  return total(levels, block);
}

/* Four columns of 16 bits, which are widened in registers. */
typedef struct narrow_columns {
  const char *at[4];
  int64_t apart; /* columns from one of the four to the next */
} narrow_columns;

static narrow_columns begin_columns(const hlo_narrow_matrix *m, int64_t column, int64_t apart) {
  narrow_columns n = {.apart = apart};
  for (int c = 0; c < 4; c++) n.at[c] = (const char *)m->data + (m->form->offset + (column + c * apart) * m->form->n_stride) * 2;
  return n;
}

#define EACH_COLUMN(DO, argument) DO(0, argument) DO(1, argument) DO(2, argument) DO(3, argument)
#define NARROW_STEP(c, EIGHT_OF)                                                \
  {                                                                            \
    hlo_eight w = EIGHT_OF(c);                                                 \
    sum##c##0 = wasm_f32x4_add(sum##c##0, wasm_f32x4_mul(x, w.low));           \
    sum##c##1 = wasm_f32x4_add(sum##c##1, wasm_f32x4_mul(y, w.high));          \
  }
#define CARRY(c, _) hlo_levels_carry(levels[c], block, wasm_f32x4_add(sum##c##0, sum##c##1));

/* columns_4, to the same bits. */
#define NARROW_COLUMNS(name, EIGHT_OF)                                                                                         \
  static void name(const float *vector, narrow_columns n, int64_t whole, float *out) {                                        \
    const struct hlo_half_constants *halves = hlo_half_constants_at();                                                        \
    v128_t levels[4][LEVELS];                                                                                                 \
    int64_t block = 0;                                                                                                        \
    for (int64_t p = 0; p < whole; block++, p += COLUMN_BLOCK) {                                                              \
      int64_t count = whole - p < COLUMN_BLOCK ? whole - p : COLUMN_BLOCK;                                                    \
      v128_t zero = wasm_f32x4_splat(0);                                                                                      \
      v128_t sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero, sum20 = zero, sum21 = zero, sum30 = zero, sum31 = zero;  \
      for (int64_t i = p; i < p + count; i += 8) {                                                                            \
        v128_t x = wasm_v128_load(vector + i), y = wasm_v128_load(vector + i + 4);                                            \
        EACH_COLUMN(NARROW_STEP, EIGHT_OF)                                                                                    \
      }                                                                                                                       \
      EACH_COLUMN(CARRY, 0)                                                                                                   \
    }                                                                                                                         \
    total_4(levels, block, n.apart, out);                                                                                     \
    (void)halves;                                                                                                             \
  }
#define COLUMN_OF_F16(c) OF_F16(n.at[c] + 2 * i)
#define COLUMN_OF_BF16(c) OF_BF16(n.at[c] + 2 * i)
NARROW_COLUMNS(f16_columns_4, COLUMN_OF_F16)
NARROW_COLUMNS(bf16_columns_4, COLUMN_OF_BF16)

typedef void narrow_columns_4(const float *vector, narrow_columns n, int64_t whole, float *out);

/* Returns what multiplies columns of a form; NULL: they are widened in memory, or multiplied by narrow_bytes.c. */
static narrow_columns_4 *narrow_columns_of(const hlo_narrow_form *form) {
  if (form->format == HLO_NARROW_S8 || !widens_in_registers(form, 8)) return NULL;
  return form->format == HLO_NARROW_F16 ? f16_columns_4 : bf16_columns_4;
}

static void dot_columns(const float *vector, const float *prepared, const columns_of *m, int64_t k, int64_t n, float *out) {
  assert(k > 0);
  float lines[COLUMN_BLOCK];
  int64_t whole = k & ~(int64_t)7, j = 0, stride;
  narrow_columns_4 *narrow = m->narrow ? narrow_columns_of(m->narrow->form) : NULL;
  bool are_bytes = m->narrow && hlo_bytes_are_columns(m->narrow->form), widens = m->narrow && !narrow;
  if (!m->narrow && whole <= COLUMN_BLOCK) j = short_columns(vector, m->matrix, m->column_stride, (int)whole, n, out);
  else if (are_bytes) hlo_bytes_columns(m->narrow, vector, prepared, m->column, n / 4, (int)whole, out), j = n & ~(int64_t)3;
  for (int64_t fours = (n - j) / 4, apart = widens ? 1 : fours, i = 0; i < fours; i++) {
    int64_t column = widens ? j + 4 * i : j + i;
    if (narrow) narrow(vector, begin_columns(m->narrow, m->column + column, apart), whole, out + column);
    else columns_4(vector, m, column, apart, whole, out + column);
  }
  for (j = n - (n - j) % 4; j < n; j++) out[j] = column_1(vector, m, j, whole);
  for (j = 0; j < n && whole < k; j++) {
    const float *last = block_of(m, j, 1, whole, k - whole, lines, &stride);
    float rest = 0;
    for (int64_t p = whole; p < k; p++) rest += vector[p] * last[p - whole];
    out[j] += rest;
  }
}

void hlo_f32_dot_columns_simd128(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n,
                                 float *out) {
  dot_columns(vector, NULL, &(columns_of){matrix, column_stride, NULL, 0}, k, n, out);
}

size_t hlo_narrow_prepared_bytes(const hlo_narrow_form *form) { return hlo_bytes_are_columns(form) ? hlo_bytes_prepared_bytes(form->k) : 0; }

void hlo_narrow_prepare(const hlo_narrow_form *form, const float *vector, float *prepared) {
  if (hlo_bytes_are_columns(form)) hlo_bytes_prepare(form, vector, prepared);
}

void hlo_narrow_dot_columns(const float *vector, const float *prepared, const hlo_narrow_matrix *matrix, int64_t column, int64_t k, int64_t n, float *out) {
  dot_columns(vector, prepared, &(columns_of){NULL, 0, matrix, column}, k, n, out);
}
