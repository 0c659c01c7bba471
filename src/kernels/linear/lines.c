/* The line kernels of all types, from one text. */
#include "kernels/linear/linear.h"

#define NAME(x) f32_##x
#define NUMBER float
#define PARTS 1
#define SWAP(x) x
#define FOUR_LANES
#include "kernels/linear/lines.inc"
#undef NAME
#undef V
#undef AT
#undef PARTS
#undef SWAP
#define NAME(x) c64_##x
#define PARTS 2
#define SWAP(x) __builtin_shufflevector(x, x, 1, 0, 3, 2)
#include "kernels/linear/lines.inc"
#undef FOUR_LANES
#undef NAME
#undef NUMBER
#undef V
#undef AT
#undef PARTS
#undef SWAP
#define NAME(x) f64_##x
#define NUMBER double
#define PARTS 1
#define SWAP(x) x
#include "kernels/linear/lines.inc"
#undef NAME
#undef V
#undef AT
#undef PARTS
#undef SWAP
#define NAME(x) c128_##x
#define PARTS 2
#define SWAP(x) __builtin_shufflevector(x, x, 1, 0)
#include "kernels/linear/lines.inc"

#define KERNELS(type) {type##_combine, type##_sum, type##_scale, type##_largest, type##_squares, type##_get, type##_set}
const hlo_line_kernels hlo_line_kernels_of[4] = {
    [HLO_LINEAR_F32] = KERNELS(f32), [HLO_LINEAR_F64] = KERNELS(f64), [HLO_LINEAR_C64] = KERNELS(c64), [HLO_LINEAR_C128] = KERNELS(c128)};
