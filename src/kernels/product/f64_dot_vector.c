/* Products of a f64 vector and a matrix, which is read once and in its own order. Runs of terms are summed, and then the runs. */
#include <assert.h>

#include "kernels/product/dot.h"
#include "kernels/product/product.h"
#include "kernels/simd128.h"

enum { RUN = HLO_PRODUCT_RUN, STRIP = 512 }; /* terms of a run; columns whose sums stay in L1 */

/* sums[j] += the weighted sum of four rows, or of one. */
static void add_4_rows(const double *weights, ptrdiff_t weight_stride, const double *row0, ptrdiff_t row_stride, int columns, double *sums) {
  const double *row1 = row0 + row_stride, *row2 = row1 + row_stride, *row3 = row2 + row_stride;
  double w0 = weights[0], w1 = weights[weight_stride], w2 = weights[2 * weight_stride], w3 = weights[3 * weight_stride];
  v128_t v0 = wasm_f64x2_splat(w0), v1 = wasm_f64x2_splat(w1), v2 = wasm_f64x2_splat(w2), v3 = wasm_f64x2_splat(w3);
  int j = 0;
  for (; j + 2 <= columns; j += 2) {
    v128_t low = wasm_f64x2_add(wasm_f64x2_mul(v0, wasm_v128_load(row0 + j)), wasm_f64x2_mul(v1, wasm_v128_load(row1 + j)));
    v128_t high = wasm_f64x2_add(wasm_f64x2_mul(v2, wasm_v128_load(row2 + j)), wasm_f64x2_mul(v3, wasm_v128_load(row3 + j)));
    wasm_v128_store(sums + j, wasm_f64x2_add(wasm_v128_load(sums + j), wasm_f64x2_add(low, high)));
  }
  if (j < columns) sums[j] += (w0 * row0[j] + w1 * row1[j]) + (w2 * row2[j] + w3 * row3[j]);
}

static void add_row(double weight, const double *row, int columns, double *sums) {
  v128_t weights = wasm_f64x2_splat(weight);
  int j = 0;
  for (; j + 2 <= columns; j += 2)
    wasm_v128_store(sums + j, wasm_f64x2_add(wasm_v128_load(sums + j), wasm_f64x2_mul(weights, wasm_v128_load(row + j))));
  if (j < columns) sums[j] += weight * row[j];
}

void hlo_f64_dot_rows_simd128(const double *vector, int64_t vector_stride, const double *matrix, int64_t row_stride, int64_t k, int64_t n,
                              double *out) {
  assert(k > 0);
  double of_run[STRIP];
  for (int64_t strip = 0; strip < n; strip += STRIP, out += STRIP, matrix += STRIP) {
    int columns = n - strip < STRIP ? (int)(n - strip) : STRIP;
    for (int64_t begin = 0; begin < k; begin += RUN) {
      double *sums = begin ? of_run : out;
      int64_t p = begin, end = k - begin < RUN ? k : begin + RUN;
      for (int j = 0; j < columns; j++) sums[j] = 0;
      for (; p + 4 <= end; p += 4) add_4_rows(vector + p * vector_stride, (ptrdiff_t)vector_stride, matrix + p * row_stride, (ptrdiff_t)row_stride, columns, sums);
      for (; p < end; p++) add_row(vector[p * vector_stride], matrix + p * row_stride, columns, sums);
      if (begin) add_row(1, sums, columns, out);
    }
  }
}

/* Returns the sum of two vectors' lanes, that of x in the first lane. */
static inline v128_t join(v128_t x, v128_t y) { return wasm_f64x2_add(wasm_i64x2_shuffle(x, y, 0, 2), wasm_i64x2_shuffle(x, y, 1, 3)); }

#define EACH_COLUMN(DO) DO(0) DO(1) DO(2) DO(3)
#define BEGIN(c) v128_t total##c = zero;
#define BEGIN_RUN(c) v128_t low##c = zero, high##c = zero;
#define ADD_TERMS(c)                                                                                    \
  low##c = wasm_f64x2_add(low##c, wasm_f64x2_mul(x, wasm_v128_load(matrix + c * apart + p)));           \
  high##c = wasm_f64x2_add(high##c, wasm_f64x2_mul(y, wasm_v128_load(matrix + c * apart + p + 2)));
#define ADD_RUN(c) total##c = wasm_f64x2_add(total##c, wasm_f64x2_add(low##c, high##c));

/* Sums the first `whole` terms, a multiple of 4, of four columns that lie `apart` from each other. */
static void columns_4(const double *vector, const double *matrix, ptrdiff_t apart, int64_t whole, double sums[4]) {
  const v128_t zero = wasm_f64x2_splat(0);
  EACH_COLUMN(BEGIN)
  for (int64_t p = 0; p < whole;) {
    int64_t end = whole - p < RUN ? whole : p + RUN;
    EACH_COLUMN(BEGIN_RUN)
    for (; p < end; p += 4) {
      v128_t x = wasm_v128_load(vector + p), y = wasm_v128_load(vector + p + 2);
      EACH_COLUMN(ADD_TERMS)
    }
    EACH_COLUMN(ADD_RUN)
  }
  wasm_v128_store(sums, join(total0, total1));
  wasm_v128_store(sums + 2, join(total2, total3));
}

/* Four columns, one of each quarter, share loads of the vector; those that are left over are computed four times. */
void hlo_f64_dot_columns_simd128(const double *vector, const double *matrix, int64_t column_stride, int64_t k, int64_t n, double *out) {
  assert(k > 0);
  int64_t whole = k & ~(int64_t)3, quarter = n / 4;
  for (int64_t j = 0; j < quarter + n % 4; j++) {
    bool is_last = j >= quarter;
    int64_t first = is_last ? j + 3 * quarter : j, apart = is_last ? 0 : quarter;
    double sums[4];
    columns_4(vector, matrix + first * column_stride, (ptrdiff_t)(apart * column_stride), whole, sums);
    for (int c = 0; c < (is_last ? 1 : 4); c++) {
      const double *column = matrix + (first + c * apart) * column_stride;
      for (int64_t p = whole; p < k; p++) sums[c] += vector[p] * column[p];
      out[first + c * apart] = sums[c];
    }
  }
}
