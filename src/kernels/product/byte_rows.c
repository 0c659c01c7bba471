/* A few rows times a matrix of bytes that is read as it lies. Unsigned bytes are read as signed ones that are 128 less, for which each row has
 * 128 times its sum added. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/team.h"
#include "kernels/product/byte_dot.h"
#include "kernels/simd128.h"

enum { STRIP = 1024 /* sums of a row, which stay in L1 */, AT_ONCE = 16 /* bytes of a vector */ };

typedef struct byte_rows {
  const hlo_byte_dot *dot;
  const int16_t *lhs;
  const int8_t *rhs;
  int32_t *out;
  int64_t share;
  uint32_t more[HLO_BYTE_ROWS]; /* what each row adds to all its sums */
} byte_rows;

static uint32_t flip_of(const byte_rows *b) { return b->dot->operands[1].is_signed ? 0 : 128; }

static int32_t byte_at(const byte_rows *b, int64_t p, int64_t j) {
  return (int8_t)(b->rhs[p * b->dot->rhs_k_stride + j * b->dot->rhs_n_stride] ^ (int8_t)flip_of(b));
}

#define DOT(sum, x, eight) sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(x, eight))

/* Columns are contiguous: four at a time share loads of the row. Where fewer are left, the last one is read again. */
static void along_k(const byte_rows *b, const int16_t *x, uint32_t more, int64_t first, int64_t count, int32_t *out) {
  int64_t k = b->dot->k, whole = k - k % AT_ONCE;
  v128_t flip = wasm_i8x16_splat((int8_t)flip_of(b));
  for (int64_t j = 0; j < count; j += 4) {
    const int8_t *at[4];
    v128_t sums[4];
    for (int c = 0; c < 4; c++) {
      at[c] = b->rhs + (first + (j + c < count ? j + c : count - 1)) * b->dot->rhs_n_stride;
      sums[c] = wasm_i32x4_splat(0);
    }
    for (int64_t p = 0; p < whole; p += AT_ONCE) {
      v128_t low = wasm_v128_load(x + p), high = wasm_v128_load(x + p + 8);
#define COLUMN(c)                                               \
  {                                                             \
    v128_t y = wasm_v128_xor(wasm_v128_load(at[c] + p), flip);  \
    DOT(sums[c], low, wasm_i16x8_extend_low_i8x16(y));          \
    DOT(sums[c], high, wasm_i16x8_extend_high_i8x16(y));        \
  }
      COLUMN(0) COLUMN(1) COLUMN(2) COLUMN(3)
    }
    for (int c = 0; c < 4 && j + c < count; c++) {
      uint32_t lanes[4], sum = more;
      wasm_v128_store(lanes, sums[c]);
      for (int lane = 0; lane < 4; lane++) sum += lanes[lane];
      for (int64_t p = whole; p < k; p++) sum += (uint32_t)(x[p] * byte_at(b, p, first + j + c));
      out[j + c] = (int32_t)sum;
    }
  }
}

/* Rows are contiguous: pairs of rows are interleaved, two pairs at a time. Rows behind the last are the last again, times zero. */
static void along_n(const byte_rows *b, const int16_t *x, uint32_t more, int64_t first, int64_t count, int32_t *out) {
  int64_t k = b->dot->k, whole = count - count % AT_ONCE, step = b->dot->rhs_k_stride;
  v128_t flip = wasm_i8x16_splat((int8_t)flip_of(b));
  for (int64_t j = 0; j < count; j++) out[j] = (int32_t)more;
  for (int64_t p = 0; p < k; p += 4) {
    const int8_t *rows[4];
    int16_t weights[4];
    for (int r = 0; r < 4; r++) {
      rows[r] = b->rhs + (p + r < k ? p + r : k - 1) * step + first;
      weights[r] = p + r < k ? x[p + r] : 0;
    }
    v128_t x0 = wasm_v128_load32_splat(weights), x1 = wasm_v128_load32_splat(weights + 2);
    for (int64_t j = 0; j < whole; j += AT_ONCE) {
#define ROW(r) wasm_v128_xor(wasm_v128_load(rows[r] + j), flip)
      v128_t a0 = ROW(0), b0 = ROW(1), a1 = ROW(2), b1 = ROW(3);
      v128_t low0 = wasm_i8x16_shuffle(a0, b0, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t high0 = wasm_i8x16_shuffle(a0, b0, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      v128_t low1 = wasm_i8x16_shuffle(a1, b1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t high1 = wasm_i8x16_shuffle(a1, b1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#define FOUR(at, extend, half)                                   \
  {                                                              \
    v128_t sum = wasm_v128_load(out + j + at);                   \
    DOT(sum, x0, wasm_i16x8_extend_##extend##_i8x16(half##0));   \
    DOT(sum, x1, wasm_i16x8_extend_##extend##_i8x16(half##1));   \
    wasm_v128_store(out + j + at, sum);                          \
  }
      FOUR(0, low, low) FOUR(4, high, low) FOUR(8, low, high) FOUR(12, high, high)
    }
    for (int64_t j = whole; j < count; j++) {
      uint32_t sum = (uint32_t)out[j];
      for (int r = 0; r < 4; r++) sum += (uint32_t)(weights[r] * (int8_t)(rows[r][j] ^ (int8_t)flip_of(b)));
      out[j] = (int32_t)sum;
    }
  }
}

static void run_columns(void *context, int64_t unit, int thread) {
  const byte_rows *b = context;
  const hlo_byte_dot *dot = b->dot;
  int64_t n = dot->dot.n, end = (unit + 1) * b->share < n ? (unit + 1) * b->share : n;
  int64_t strip = dot->rhs_k_stride == 1 ? 4 : STRIP; /* which all rows read before the next */
  for (int64_t j = unit * b->share, count; j < end; j += count) {
    count = end - j < strip ? end - j : strip;
    for (int64_t i = 0; i < dot->dot.m; i++)
      (dot->rhs_k_stride == 1 ? along_k : along_n)(b, b->lhs + i * 2 * dot->dot.k, b->more[i], j, count, b->out + i * n + j);
  }
}

void hlo_byte_rows_dot(const hlo_byte_dot *dot, const int16_t *lhs, const void *rhs, int32_t *out, hlo_team *team) {
  assert(dot->dot.m <= HLO_BYTE_ROWS && (dot->rhs_k_stride == 1 || dot->rhs_n_stride == 1));
  double nanoseconds = (double)dot->dot.m * (double)dot->dot.n * (double)dot->k / 16;
  byte_rows b = {dot, lhs, rhs, out, hlo_team_share(team, dot->dot.n, 64, nanoseconds), {0}};
  for (int64_t i = 0; flip_of(&b) && i < dot->dot.m; i++)
    for (int64_t p = 0; p < dot->k; p++) b.more[i] += (uint32_t)lhs[i * 2 * dot->dot.k + p] * 128;
  hlo_team_run(team, hlo_ceil_div(dot->dot.n, b.share), nanoseconds, run_columns, &b);
}
