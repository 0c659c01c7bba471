/* The greatest element of each row, or the least, and where it stands first: a NaN, if there is one. Of zeros, which are equal, the
 * value is the last. Rows of `width` > 0 elements; never fails, never allocates. */
#ifndef HLO_KERNELS_F32_ARG_EXTREME_H
#define HLO_KERNELS_F32_ARG_EXTREME_H

#include "base/checked.h"

typedef void hlo_f32_arg_extreme_kernel(const float *in, int64_t rows, int64_t width, bool least, float *values, int32_t *places);
hlo_f32_arg_extreme_kernel hlo_f32_arg_extreme_simd128, hlo_f32_arg_extreme_scalar;

#endif
