/* Products of a vector and a matrix. They are bound by memory, so the matrix is read once and in its own order; a packed one is read
 * in four sequential streams, which memory serves fastest.
 *
 * Summation is pairwise over blocks of 64 terms (rows) or 128 (columns). The sum of a block is of level 0, the sum of two sums of
 * level n is of level n + 1, and at most one sum of each level is kept, as a binary counter keeps its digits: block number b has as
 * many carries as b has trailing ones. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/product/dot.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

enum { ROW_BLOCK = 64, COLUMN_BLOCK = 128, LEVELS = 40 };
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
#undef ADD_4
  for (; j < columns; j++) sums[j] += (w0 * row0[j] + w1 * row1[j]) + (w2 * row2[j] + w3 * row3[j]);
}

/* sums[j] += the weighted sum of `rows` rows. */
static void add_rows(const float *weights, ptrdiff_t weight_stride, const float *matrix, ptrdiff_t row_stride, int columns, int rows,
                     float *sums) {
  for (; rows >= 4; rows -= 4, weights += 4 * weight_stride, matrix += 4 * row_stride)
    add_4_rows(weights, weight_stride, matrix, row_stride, columns, sums);
  for (; rows > 0; rows--, weights += weight_stride, matrix += row_stride)
    for (int j = 0; j < columns; j++) sums[j] += *weights * matrix[j];
}

/* Adds rows of a narrow matrix, which are widened four at a time. */
static void add_narrow_rows(const float *weights, ptrdiff_t weight_stride, const hlo_narrow_matrix *matrix, int64_t row, int64_t column,
                            int columns, int rows, float *sums) {
  float lines[4 * HLO_NARROW_LINE];
  for (int done = 0, count; done < rows; done += count, weights += count * weight_stride) {
    count = rows - done < 4 ? rows - done : 4;
    hlo_narrow_widen(matrix, row + done, count, column, columns, lines, HLO_NARROW_LINE);
    add_rows(weights, weight_stride, lines, HLO_NARROW_LINE, columns, count, sums);
  }
}

#define EACH_PANEL(DO) DO(0) DO(1) DO(2) DO(3)
#define BEGIN(s)                                                         \
  const float *panel##s = panels + (s < last ? s : last) * panel_stride; \
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

/* The same for four panels. Terms are added in the same order. Where the matrix ends before the fourth panel, panels behind the `last`
 * one read that once more. */
static void sum_panels(const float *weights, ptrdiff_t weight_stride, const float *panels, ptrdiff_t panel_stride, int last, int rows,
                       float *sums) {
  EACH_PANEL(BEGIN)
  for (; rows >= 4; rows -= 4, weights += 4 * weight_stride) {
    WEIGHT(0) WEIGHT(1) WEIGHT(2) WEIGHT(3)
    EACH_PANEL(FOUR_ROWS)
  }
  for (; rows > 0; rows--, weights += weight_stride) {
    WEIGHT(0)
    EACH_PANEL(ROW)
  }
  EACH_PANEL(END)
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

/* sums[j] = the weighted sum of `rows` rows from row p on. Up to three floats behind the last sum are overwritten. */
static void sum_rows(const rows_of *m, const float *weights, ptrdiff_t weight_stride, int p, int columns, int rows, float *sums) {
  for (int j = 0; j < columns; j += 4) wasm_v128_store(sums + j, NOTHING);
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
      sum_panels(weights, vector_stride, m->matrix + (ptrdiff_t)p * PANEL, (ptrdiff_t)k * PANEL, (columns - 1) / PANEL, end - p, sums);
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

/* ---- Columns: four at a time share loads of the vector ---- */

/* Adds the sum of block number `block` to the levels. */
static void carry(v128_t *levels, int64_t block, v128_t sum) {
  int level = 0;
  for (; block >> level & 1; level++) sum = wasm_f32x4_add(levels[level], sum);
  levels[level] = sum;
}

/* Returns the sum of all levels after `blocks` blocks, and of its four lanes. */
static float total(const v128_t *levels, int64_t blocks) {
  v128_t sum = wasm_f32x4_splat(0);
  for (int level = 0; blocks >> level; level++)
    if (blocks >> level & 1) sum = wasm_f32x4_add(levels[level], sum);
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

/* Sums the first `whole` terms, a multiple of 8, of four columns. */
static void columns_4(const float *vector, const columns_of *m, int64_t column, int64_t whole, float *out) {
  float lines[4 * COLUMN_BLOCK];
  v128_t levels[4][LEVELS];
  int64_t block = 0, stride;
  for (int64_t p = 0; p < whole; block++, p += COLUMN_BLOCK) {
    int64_t count = whole - p < COLUMN_BLOCK ? whole - p : COLUMN_BLOCK;
    const float *column0 = block_of(m, column, 4, p, count, lines, &stride), *column1 = column0 + stride;
    const float *column2 = column1 + stride, *column3 = column2 + stride, *weights = vector + p;
    v128_t zero = wasm_f32x4_splat(0);
    v128_t sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero, sum20 = zero, sum21 = zero, sum30 = zero, sum31 = zero;
    for (int64_t i = 0; i < count; i += 8) {
      v128_t x = wasm_v128_load(weights + i), y = wasm_v128_load(weights + i + 4);
      STEP(0) STEP(1) STEP(2) STEP(3)
    }
    carry(levels[0], block, wasm_f32x4_add(sum00, sum01));
    carry(levels[1], block, wasm_f32x4_add(sum10, sum11));
    carry(levels[2], block, wasm_f32x4_add(sum20, sum21));
    carry(levels[3], block, wasm_f32x4_add(sum30, sum31));
  }
  for (int c = 0; c < 4; c++) out[c] = total(levels[c], block);
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
    carry(levels, block, wasm_f32x4_add(low, high));
  }
  return total(levels, block);
}

static void dot_columns(const float *vector, const columns_of *m, int64_t k, int64_t n, float *out) {
  assert(k > 0);
  float lines[COLUMN_BLOCK];
  int64_t whole = k & ~(int64_t)7, j = 0, stride;
  for (; j + 4 <= n; j += 4) columns_4(vector, m, j, whole, out + j);
  for (; j < n; j++) out[j] = column_1(vector, m, j, whole);
  for (j = 0; j < n && whole < k; j++) {
    const float *last = block_of(m, j, 1, whole, k - whole, lines, &stride);
    float rest = 0;
    for (int64_t p = whole; p < k; p++) rest += vector[p] * last[p - whole];
    out[j] += rest;
  }
}

void hlo_f32_dot_columns_simd128(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n,
                                 float *out) {
  dot_columns(vector, &(columns_of){matrix, column_stride, NULL, 0}, k, n, out);
}

void hlo_narrow_dot_columns(const float *vector, const hlo_narrow_matrix *matrix, int64_t column, int64_t k, int64_t n, float *out) {
  dot_columns(vector, &(columns_of){NULL, 0, matrix, column}, k, n, out);
}

/* ---- Columns that are packed: a vector holds one term of four columns where columns_4 has four terms of one ---- */

enum { TERMS = 8 }; /* a block of terms has so many sums: term p goes to sum p % TERMS */

/* Adds the sum of a block to the levels, for each of the four lanes that the vectors of columns_4 have. */
static void carry_4(v128_t (*levels)[4], int64_t block, v128_t sums[4]) {
  int level = 0;
  for (; block >> level & 1; level++)
    for (int i = 0; i < 4; i++) sums[i] = wasm_f32x4_add(levels[level][i], sums[i]);
  for (int i = 0; i < 4; i++) levels[level][i] = sums[i];
}

static v128_t total_4(v128_t (*levels)[4], int64_t blocks) {
  v128_t zero = wasm_f32x4_splat(0), sums[4] = {zero, zero, zero, zero};
  for (int level = 0; blocks >> level; level++)
    for (int i = 0; i < 4 && (blocks >> level & 1); i++) sums[i] = wasm_f32x4_add(levels[level][i], sums[i]);
  return wasm_f32x4_add(wasm_f32x4_add(sums[0], sums[2]), wasm_f32x4_add(sums[1], sums[3]));
}

#define EACH_TERM(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BEGIN_TERM(t) v128_t sum##t = wasm_f32x4_splat(0);
#define ADD_TERM(t) \
  sum##t = wasm_f32x4_add(sum##t, wasm_f32x4_mul(wasm_v128_load32_splat(vector + p + t), wasm_v128_load(panel + (p + t) * PANEL)));

/* Sums the first `whole` terms, a multiple of TERMS, of four columns of a panel, which begins with them. */
static void packed_columns_4(const float *vector, const float *panel, int64_t whole, float *out) {
  v128_t levels[LEVELS][4];
  int64_t block = 0;
  for (int64_t p = 0; p < whole; block++) {
    EACH_TERM(BEGIN_TERM)
    for (int64_t end = p + COLUMN_BLOCK < whole ? p + COLUMN_BLOCK : whole; p < end; p += TERMS) {
      EACH_TERM(ADD_TERM)
    }
    v128_t sums[4] = {wasm_f32x4_add(sum0, sum4), wasm_f32x4_add(sum1, sum5), wasm_f32x4_add(sum2, sum6), wasm_f32x4_add(sum3, sum7)};
    carry_4(levels, block, sums);
  }
  wasm_v128_store(out, total_4(levels, block));
}

/* Sums them of one column whose terms lie `stride` apart. */
static float strided_column(const float *vector, const float *column, int64_t stride, int64_t whole) {
  v128_t levels[LEVELS];
  int64_t block = 0;
  for (int64_t p = 0; p < whole; block++) {
    v128_t low = wasm_f32x4_splat(0), high = low;
    for (int64_t end = p + COLUMN_BLOCK < whole ? p + COLUMN_BLOCK : whole; p < end; p += TERMS) {
      float terms[TERMS];
      for (int t = 0; t < TERMS; t++) terms[t] = column[(p + t) * stride];
      low = wasm_f32x4_add(low, wasm_f32x4_mul(wasm_v128_load(vector + p), wasm_v128_load(terms)));
      high = wasm_f32x4_add(high, wasm_f32x4_mul(wasm_v128_load(vector + p + 4), wasm_v128_load(terms + 4)));
    }
    carry(levels, block, wasm_f32x4_add(low, high));
  }
  return total(levels, block);
}

void hlo_f32_dot_columns_packed_simd128(const float *vector, const float *panels, int64_t k, int64_t n, float *out) {
  assert(k > 0);
  int64_t whole = k & ~(int64_t)(TERMS - 1), tail = n % PANEL;
  for (int64_t j = 0; j < n; j++) {
    int64_t width = j < n - tail ? PANEL : tail, first = j < n - tail ? j / PANEL * PANEL : n - tail;
    const float *column = panels + first * k + (j - first);
    if (width == PANEL && j % 4 == 0) packed_columns_4(vector, column, whole, out + j);
    else if (width < PANEL) out[j] = strided_column(vector, column, width, whole);
    if (whole == k) continue;
    float rest = 0;
    for (int64_t p = whole; p < k; p++) rest += vector[p] * column[p * width];
    out[j] += rest;
  }
}
