/* Products of a vector and a matrix: bound by memory, so the matrix is read once, in its own order.
 *
 * Sums are pairwise over blocks of 64 (rows) or 128 (columns) terms, combined like the carries of a counter. */
#include <assert.h>

#include "kernels/f32_dot.h"
#include "kernels/simd128.h"

enum { ROW_BLOCK = 64, STRIP = 256, COLUMN_BLOCK = 128, LEVELS = 40 };

void hlo_f32_dot_rows_scalar(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride,
                             int64_t k, int64_t n, float *out) {
  hlo_f32_dot dot = {.m = 1, .n = n, .k = k, .lhs_k_stride = vector_stride, .rhs_k_stride = row_stride,
                     .rhs_n_stride = 1, .out_n_stride = 1};
  hlo_f32_dot_scalar(&dot, vector, matrix, out, NULL);
}

void hlo_f32_dot_columns_scalar(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n,
                                float *out) {
  hlo_f32_dot dot = {.m = 1, .n = n, .k = k, .lhs_k_stride = 1, .rhs_k_stride = 1, .rhs_n_stride = column_stride,
                     .out_n_stride = 1};
  hlo_f32_dot_scalar(&dot, vector, matrix, out, NULL);
}

/* ---- Rows: a strip of columns at a time ---- */

/* sums[j] (+)= the weighted sum of eight rows. */
static void add_8_rows(const float *weights, int64_t weight_stride, const float *matrix, int64_t row_stride,
                       int64_t columns, bool first, float *sums) {
  v128_t w[8];
  const float *row[8];
  for (int r = 0; r < 8; r++) {
    w[r] = wasm_f32x4_splat(weights[r * weight_stride]);
    row[r] = matrix + r * row_stride;
  }
#define PAIR(r) wasm_f32x4_add(wasm_f32x4_mul(w[r], wasm_v128_load(row[r] + j)), \
                               wasm_f32x4_mul(w[r + 1], wasm_v128_load(row[r + 1] + j)))
  int64_t j = 0;
  for (; j + 4 <= columns; j += 4) {
    v128_t sum = wasm_f32x4_add(wasm_f32x4_add(PAIR(0), PAIR(2)), wasm_f32x4_add(PAIR(4), PAIR(6)));
    wasm_v128_store(sums + j, first ? sum : wasm_f32x4_add(wasm_v128_load(sums + j), sum));
  }
#undef PAIR
  for (; j < columns; j++) {
    float terms[8];
    for (int r = 0; r < 8; r++) terms[r] = weights[r * weight_stride] * row[r][j];
    float sum = ((terms[0] + terms[1]) + (terms[2] + terms[3])) + ((terms[4] + terms[5]) + (terms[6] + terms[7]));
    sums[j] = first ? sum : sums[j] + sum;
  }
}

static void add_row(float weight, const float *row, int64_t columns, bool first, float *sums) {
  for (int64_t j = 0; j < columns; j++) sums[j] = first ? weight * row[j] : sums[j] + weight * row[j];
}

static void add_sums(const float *from, float *to, int64_t count) {
  for (int64_t j = 0; j < count; j++) to[j] = from[j] + to[j];
}

static void rows_strip(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride, int64_t k,
                       int64_t columns, float *out) {
  _Alignas(16) float levels[24][STRIP]; /* k < 2^30 */
  int64_t blocks = hlo_ceil_div(k, ROW_BLOCK);
  for (int64_t block = 0; block < blocks; block++) {
    int64_t p = block * ROW_BLOCK, end = p + ROW_BLOCK < k ? p + ROW_BLOCK : k;
    int level = 0;
    while (block >> level & 1) level++;
    float *sums = levels[level];
    for (bool first = true; p < end; first = false) {
      int64_t rows = p + 8 <= end ? 8 : 1;
      if (rows == 8) add_8_rows(vector + p * vector_stride, vector_stride, matrix + p * row_stride, row_stride, columns, first, sums);
      else add_row(vector[p * vector_stride], matrix + p * row_stride, columns, first, sums);
      p += rows;
    }
    for (int lower = 0; lower < level; lower++) add_sums(levels[lower], sums, columns);
  }
  bool first = true;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    for (int64_t j = 0; j < columns; j++) out[j] = first ? levels[level][j] : levels[level][j] + out[j];
    first = false;
  }
}

void hlo_f32_dot_rows_simd128(const float *vector, int64_t vector_stride, const float *matrix, int64_t row_stride,
                              int64_t k, int64_t n, float *out) {
  assert(k > 0 && k < (int64_t)1 << 29);
  for (int64_t j = 0; j < n; j += STRIP)
    rows_strip(vector, vector_stride, matrix + j, row_stride, k, n - j < STRIP ? n - j : STRIP, out + j);
}

/* ---- Columns: four at a time share the vector ---- */

static void carry(v128_t *levels, int64_t block, v128_t sum) {
  int level = 0;
  for (; block >> level & 1; level++) sum = wasm_f32x4_add(levels[level], sum);
  levels[level] = sum;
}

/* The sum of the counter's levels and of the four lanes. */
static float total(const v128_t *levels, int64_t blocks) {
  v128_t sum = wasm_f32x4_splat(0);
  for (int level = 0; blocks >> level; level++)
    if (blocks >> level & 1) sum = wasm_f32x4_add(levels[level], sum);
  sum = wasm_f32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1);
}

#define STEP(c) \
  sum##c##0 = wasm_f32x4_add(sum##c##0, wasm_f32x4_mul(x, wasm_v128_load(column##c + p)));    \
  sum##c##1 = wasm_f32x4_add(sum##c##1, wasm_f32x4_mul(y, wasm_v128_load(column##c + p + 4)));

/* Four columns; `whole` terms of each, a multiple of 8. */
static void columns_4(const float *vector, const float *matrix, int64_t column_stride, int64_t whole, float *out) {
  const float *column0 = matrix, *column1 = matrix + column_stride;
  const float *column2 = matrix + 2 * column_stride, *column3 = matrix + 3 * column_stride;
  v128_t levels[4][LEVELS];
  int64_t block = 0;
  for (int64_t p = 0; p < whole; block++) {
    v128_t zero = wasm_f32x4_splat(0);
    v128_t sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero, sum20 = zero, sum21 = zero, sum30 = zero, sum31 = zero;
    for (int64_t end = p + COLUMN_BLOCK < whole ? p + COLUMN_BLOCK : whole; p < end; p += 8) {
      v128_t x = wasm_v128_load(vector + p), y = wasm_v128_load(vector + p + 4);
      STEP(0) STEP(1) STEP(2) STEP(3)
    }
    carry(levels[0], block, wasm_f32x4_add(sum00, sum01));
    carry(levels[1], block, wasm_f32x4_add(sum10, sum11));
    carry(levels[2], block, wasm_f32x4_add(sum20, sum21));
    carry(levels[3], block, wasm_f32x4_add(sum30, sum31));
  }
  for (int c = 0; c < 4; c++) out[c] = total(levels[c], block);
}

static float column(const float *vector, const float *matrix, int64_t whole) {
  v128_t levels[LEVELS];
  int64_t block = 0;
  for (int64_t p = 0; p < whole; block++) {
    v128_t low = wasm_f32x4_splat(0), high = low;
    for (int64_t end = p + COLUMN_BLOCK < whole ? p + COLUMN_BLOCK : whole; p < end; p += 8) {
      low = wasm_f32x4_add(low, wasm_f32x4_mul(wasm_v128_load(vector + p), wasm_v128_load(matrix + p)));
      high = wasm_f32x4_add(high, wasm_f32x4_mul(wasm_v128_load(vector + p + 4), wasm_v128_load(matrix + p + 4)));
    }
    carry(levels, block, wasm_f32x4_add(low, high));
  }
  return total(levels, block);
}

void hlo_f32_dot_columns_simd128(const float *vector, const float *matrix, int64_t column_stride, int64_t k, int64_t n,
                                 float *out) {
  assert(k > 0);
  int64_t whole = k & ~(int64_t)7, j = 0;
  for (; j + 4 <= n; j += 4) columns_4(vector, matrix + j * column_stride, column_stride, whole, out + j);
  for (; j < n; j++) out[j] = column(vector, matrix + j * column_stride, whole);
  for (j = 0; j < n && whole < k; j++) {
    float rest = 0;
    for (int64_t p = whole; p < k; p++) rest += vector[p] * matrix[j * column_stride + p];
    out[j] += rest;
  }
}
