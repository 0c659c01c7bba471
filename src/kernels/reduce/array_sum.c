/* Sums of arrays: blocks of sums stay in the cache while the arrays go by. */
#include "kernels/reduce/array_sum.h"

enum { BLOCK = 512 };

void hlo_f32_array_sum(const float *const *arrays, int count, float *sum, int64_t elements) {
  double sums[BLOCK];
  for (int64_t first = 0; first < elements; first += BLOCK) {
    int64_t size = elements - first < BLOCK ? elements - first : BLOCK;
    for (int64_t i = 0; i < size; i++) sums[i] = arrays[0][first + i];
    for (int n = 1; n < count; n++)
      for (int64_t i = 0; i < size; i++) sums[i] += arrays[n][first + i];
    for (int64_t i = 0; i < size; i++) sum[first + i] = (float)sums[i];
  }
}

void hlo_f64_array_sum(const double *const *arrays, int count, double *sum, int64_t elements) {
  for (int64_t first = 0; first < elements; first += BLOCK) {
    int64_t end = elements - first < BLOCK ? elements : first + BLOCK;
    for (int64_t i = first; i < end; i++) sum[i] = arrays[0][i];
    for (int n = 1; n < count; n++)
      for (int64_t i = first; i < end; i++) sum[i] += arrays[n][i];
  }
}
