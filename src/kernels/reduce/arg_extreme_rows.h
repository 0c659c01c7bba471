/* The greatest element of each row, or the least, and its first place; a NaN, if there is one.
 *
 * in              rows * width elements, width > 0
 * values, places  one of each row. Zeros of either sign are equal: if zero is the greatest, the place is that of the first zero, but the value
 *                 is the last zero
 *
 * The arrays do not overlap. Never fail, never allocate. */
#ifndef HLO_KERNELS_REDUCE_ARG_EXTREME_ROWS_H
#define HLO_KERNELS_REDUCE_ARG_EXTREME_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "shape/element_type.h"

typedef void hlo_arg_extreme_kernel(const void *in, int64_t rows, int64_t width, bool least, void *values, int32_t *places);
hlo_arg_extreme_kernel hlo_f32_arg_extreme_simd128, hlo_f32_arg_extreme_scalar;
enum { HLO_ARG_EXTREME_LINE = 64 /* bytes of columns: kernels read so many at once, where there are */ };
/* Returns the kernel of a type, NULL if it has none. */
hlo_arg_extreme_kernel *hlo_arg_extreme_kernel_of(hlo_type type);
/* The same of a kernel that takes, instead of rows, so many columns of `width` rows: at least 16 bytes of columns, and of bytes less than 256 rows. */
hlo_arg_extreme_kernel *hlo_arg_extreme_columns_of(hlo_type type, int64_t columns);

#endif
