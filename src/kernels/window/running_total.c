/* Columns are taken COLUMNS at a time, whose sums stay in the cache. */
#include "kernels/window/running_total.h"

#include "kernels/simd128.h"

enum { COLUMNS = 256 };

static inline void add_line(double *sums, const float *in, int64_t width) {
  int64_t i = 0;
  for (; i + 2 <= width; i += 2)
    wasm_v128_store(sums + i, wasm_f64x2_add(wasm_v128_load(sums + i), wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(in + i))));
  if (i < width) sums[i] += in[i];
}

static inline void put_line(const double *sums, float *out, int64_t width) {
  int64_t i = 0;
  for (; i + 2 <= width; i += 2) {
    v128_t two = wasm_f32x4_demote_f64x2_zero(wasm_v128_load(sums + i));
    wasm_v128_store64_lane(out + i, two, 0);
  }
  if (i < width) out[i] = (float)sums[i];
}

void hlo_f32_running_sum(const hlo_running_total *t, const float *in, float init, float *out) {
  for (int64_t column = 0; column < t->group; column += COLUMNS) {
    int64_t width = t->group - column < COLUMNS ? t->group - column : COLUMNS;
    double sums[COLUMNS];
    for (int64_t i = 0; i < width; i++) sums[i] = init;
    for (int64_t step = 0; step < t->positions; step++) {
      int64_t position = hlo_running_total_position(t, step), element = position - t->shift;
      if (element >= 0 && element < t->in_size) add_line(sums, in + element * t->group + column, width);
      put_line(sums, out + position * t->group + column, width);
    }
  }
}
