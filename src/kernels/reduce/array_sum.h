/* Sums of arrays, element by element: those of a reduction among devices. */
#ifndef HLO_KERNELS_REDUCE_ARRAY_SUM_H
#define HLO_KERNELS_REDUCE_ARRAY_SUM_H

#include <stdint.h>

/* sum[i] = arrays[0][i] + arrays[1][i] + ..., in this order, in double precision and rounded once. count >= 1; `sum` overlaps no array. */
void hlo_f32_array_sum(const float *const *arrays, int count, float *sum, int64_t elements);
void hlo_f64_array_sum(const double *const *arrays, int count, double *sum, int64_t elements);

#endif
