/* The micro-kernel: eight vectors of running sums, two of rhs and one of lhs fit V8's sixteen registers. */
#include <assert.h>

#include "kernels/f32_dot.h"
#include "kernels/simd128.h"

void hlo_f32_dot_4x8_scalar(int64_t k, const float *lhs, const float *rhs, int64_t rhs_stride, float *tile) {
  assert(k > 0);
  for (int64_t begin = 0; begin < k; begin += HLO_DOT_RUN) {
    int64_t end = begin + HLO_DOT_RUN < k ? begin + HLO_DOT_RUN : k;
    for (int r = 0; r < HLO_DOT_ROWS; r++)
      for (int c = 0; c < HLO_DOT_COLUMNS; c++) {
        float sum = 0;
        for (int64_t p = begin; p < end; p++) sum += lhs[p * HLO_DOT_ROWS + r] * rhs[p * rhs_stride + c];
        float *place = tile + r * HLO_DOT_COLUMNS + c;
        *place = begin == 0 ? sum : *place + sum;
      }
  }
}

/* One step of k: row r of the tile grows by lhs[r] * rhs. */
#define ROW(r)                                                                 \
  x = wasm_v128_load32_splat(lhs + (r));                                       \
  sum##r##0 = wasm_f32x4_add(sum##r##0, wasm_f32x4_mul(x, low));               \
  sum##r##1 = wasm_f32x4_add(sum##r##1, wasm_f32x4_mul(x, high));

#define STORE(r)                                                               \
  wasm_v128_store(tile + (r)*8, sum##r##0);                                    \
  wasm_v128_store(tile + (r)*8 + 4, sum##r##1);

#define ADD(r)                                                                                        \
  wasm_v128_store(tile + (r)*8, wasm_f32x4_add(wasm_v128_load(tile + (r)*8), sum##r##0));             \
  wasm_v128_store(tile + (r)*8 + 4, wasm_f32x4_add(wasm_v128_load(tile + (r)*8 + 4), sum##r##1));

void hlo_f32_dot_4x8_simd128(int64_t k, const float *lhs, const float *rhs, int64_t rhs_stride, float *tile) {
  assert(k > 0);
  const float *const end = lhs + k * HLO_DOT_ROWS;
  for (bool first = true; lhs < end; first = false) {
    const float *stop = end - lhs > HLO_DOT_RUN * HLO_DOT_ROWS ? lhs + HLO_DOT_RUN * HLO_DOT_ROWS : end;
    v128_t zero = wasm_f32x4_splat(0), x, low, high;
    v128_t sum00 = zero, sum01 = zero, sum10 = zero, sum11 = zero;
    v128_t sum20 = zero, sum21 = zero, sum30 = zero, sum31 = zero;
#ifdef __clang__
#pragma clang loop unroll(disable) /* a second step in flight spills registers: measured at three quarters of the speed */
#endif
    for (; lhs < stop; lhs += HLO_DOT_ROWS, rhs += rhs_stride) {
      low = wasm_v128_load(rhs);
      high = wasm_v128_load(rhs + 4);
      ROW(0) ROW(1) ROW(2) ROW(3)
    }
    if (first) {
      STORE(0) STORE(1) STORE(2) STORE(3)
    } else {
      ADD(0) ADD(1) ADD(2) ADD(3)
    }
  }
}
