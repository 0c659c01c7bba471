/* The line kernels of all types, from one text. */
#include "kernels/linear/linear.h"

#define TEMPLATE "kernels/linear/lines.inc"
#include "kernels/linear/each_type.inc"

#define KERNELS(type) {type##_combine, type##_sum, type##_scale, type##_largest, type##_most, type##_squares, type##_get, type##_set}
const hlo_line_kernels hlo_line_kernels_of[4] = {
    [HLO_LINEAR_F32] = KERNELS(f32), [HLO_LINEAR_F64] = KERNELS(f64), [HLO_LINEAR_C64] = KERNELS(c64), [HLO_LINEAR_C128] = KERNELS(c128)};
