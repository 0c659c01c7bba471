/* Columns are taken COLUMNS at a time, whose sums stay in the cache. The inner loops are plain, for the compiler to vectorise. */
#include "kernels/window/running_total.h"

enum { COLUMNS = 256 };

static inline void add_line(double *sums, const float *in, int64_t width) {
  for (int64_t i = 0; i < width; i++) sums[i] += in[i];
}

static inline void put_line(const double *sums, float *out, int64_t width) {
  for (int64_t i = 0; i < width; i++) out[i] = (float)sums[i];
}

void hlo_f32_running_sum(const hlo_running_total *t, const float *in, float init, float *out) {
  for (int64_t column = 0; column < t->group; column += COLUMNS) {
    int64_t width = t->group - column < COLUMNS ? t->group - column : COLUMNS;
    double sums[COLUMNS];
    for (int64_t i = 0; i < width; i++) sums[i] = init;
    for (int64_t step = 0; step < t->positions; step++) {
      int64_t position = t->backward ? t->positions - 1 - step : step, element = position - t->shift;
      if (element >= 0 && element < t->in_size) add_line(sums, in + element * t->group + column, width);
      put_line(sums, out + position * t->group + column, width);
    }
  }
}
