/* f64 arithmetic, rounding, comparison and clamp. */
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/simd128.h"

static inline double maximum(double x, double y) {
  if (x > y) return x;
  if (x < y) return y;
  return x == y ? (signbit(x) ? y : x) : x + y; /* unordered: a NaN */
}

static inline double minimum(double x, double y) {
  if (x < y) return x;
  if (x > y) return y;
  return x == y ? (signbit(x) ? x : y) : x + y;
}

static inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

HLO_BINARY_SIMD128(f64_add, double, 2, wasm_f64x2_splat, x + y, wasm_f64x2_add(x, y))
HLO_BINARY_SIMD128(f64_subtract, double, 2, wasm_f64x2_splat, x - y, wasm_f64x2_sub(x, y))
HLO_BINARY_SIMD128(f64_multiply, double, 2, wasm_f64x2_splat, x * y, wasm_f64x2_mul(x, y))
HLO_BINARY_SIMD128(f64_divide, double, 2, wasm_f64x2_splat, x / y, wasm_f64x2_div(x, y))
HLO_BINARY_SIMD128(f64_maximum, double, 2, wasm_f64x2_splat, maximum(x, y), hlo_f64x2_max(x, y))
HLO_BINARY_SIMD128(f64_minimum, double, 2, wasm_f64x2_splat, minimum(x, y), hlo_f64x2_min(x, y))

HLO_UNARY_SIMD128(f64_negate, double, 2, -x, wasm_f64x2_neg(x))
HLO_UNARY_SIMD128(f64_abs, double, 2, fabs(x), wasm_f64x2_abs(x))
HLO_UNARY_SIMD128(f64_sqrt, double, 2, sqrt(x), wasm_f64x2_sqrt(x))
HLO_UNARY_SIMD128(f64_floor, double, 2, floor(x), hlo_f64x2_floor(x))
HLO_UNARY_SIMD128(f64_ceil, double, 2, ceil(x), hlo_f64x2_ceil(x))
HLO_UNARY_SCALAR(f64_round_nearest_even, double, double, rint(x))
HLO_UNARY_SCALAR(f64_sign, double, double, sign(x))
HLO_UNARY_SCALAR(f64_is_finite, double, uint8_t, isfinite(x) != 0)

HLO_BINARY_SCALAR(f64_equal, double, uint8_t, x == y)
HLO_BINARY_SCALAR(f64_not_equal, double, uint8_t, x != y)
HLO_BINARY_SCALAR(f64_greater_equal, double, uint8_t, x >= y)
HLO_BINARY_SCALAR(f64_greater, double, uint8_t, x > y)
HLO_BINARY_SCALAR(f64_less_equal, double, uint8_t, x <= y)
HLO_BINARY_SCALAR(f64_less, double, uint8_t, x < y)

HLO_TERNARY_SCALAR(f64_clamp, double, minimum(maximum(y, x), z))
