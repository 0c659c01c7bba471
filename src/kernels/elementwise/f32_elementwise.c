/* f32 arithmetic, rounding, comparison and clamp. */
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/simd128.h"

static inline float maximum(float x, float y) {
  if (x > y) return x;
  if (x < y) return y;
  return x == y ? (signbit(x) ? y : x) : x + y; /* unordered: a NaN */
}

static inline float minimum(float x, float y) {
  if (x < y) return x;
  if (x > y) return y;
  return x == y ? (signbit(x) ? x : y) : x + y;
}

static inline float sign(float x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/* 1 or -1; zeros and NaN stay as they are. */
static inline v128_t sign_f32x4(v128_t x) {
  v128_t magnitude = wasm_f32x4_gt(wasm_f32x4_abs(x), wasm_f32x4_splat(0));
  v128_t signed_one = wasm_v128_or(wasm_f32x4_splat(1), wasm_v128_and(x, wasm_f32x4_splat(-0.0f)));
  return wasm_v128_bitselect(signed_one, x, magnitude);
}

HLO_BINARY_SIMD128(f32_add, float, 4, wasm_f32x4_splat, x + y, wasm_f32x4_add(x, y))
HLO_BINARY_SIMD128(f32_subtract, float, 4, wasm_f32x4_splat, x - y, wasm_f32x4_sub(x, y))
HLO_BINARY_SIMD128(f32_multiply, float, 4, wasm_f32x4_splat, x * y, wasm_f32x4_mul(x, y))
HLO_BINARY_SIMD128(f32_divide, float, 4, wasm_f32x4_splat, x / y, wasm_f32x4_div(x, y))
HLO_BINARY_SIMD128(f32_maximum, float, 4, wasm_f32x4_splat, maximum(x, y), hlo_f32x4_max(x, y))
HLO_BINARY_SIMD128(f32_minimum, float, 4, wasm_f32x4_splat, minimum(x, y), hlo_f32x4_min(x, y))

HLO_UNARY_SIMD128(f32_negate, float, 4, -x, wasm_f32x4_neg(x))
HLO_UNARY_SIMD128(f32_abs, float, 4, fabsf(x), wasm_f32x4_abs(x))
HLO_UNARY_SIMD128(f32_sqrt, float, 4, sqrtf(x), wasm_f32x4_sqrt(x))
HLO_UNARY_SIMD128(f32_floor, float, 4, floorf(x), wasm_f32x4_floor(x))
HLO_UNARY_SIMD128(f32_ceil, float, 4, ceilf(x), wasm_f32x4_ceil(x))
HLO_UNARY_SIMD128(f32_round_nearest_even, float, 4, rintf(x), hlo_f32x4_nearest(x))
HLO_UNARY_SIMD128(f32_sign, float, 4, sign(x), sign_f32x4(x))

HLO_COMPARE_SIMD128(f32_equal, float, wasm_f32x4_splat, ==, wasm_f32x4_eq)
HLO_COMPARE_SIMD128(f32_not_equal, float, wasm_f32x4_splat, !=, wasm_f32x4_ne)
HLO_COMPARE_SIMD128(f32_greater_equal, float, wasm_f32x4_splat, >=, wasm_f32x4_ge)
HLO_COMPARE_SIMD128(f32_greater, float, wasm_f32x4_splat, >, wasm_f32x4_gt)
HLO_COMPARE_SIMD128(f32_less_equal, float, wasm_f32x4_splat, <=, wasm_f32x4_le)
HLO_COMPARE_SIMD128(f32_less, float, wasm_f32x4_splat, <, wasm_f32x4_lt)

HLO_UNARY_SCALAR(f32_is_finite, float, uint8_t, isfinite(x) != 0)

/* min(max(operand, min), max), with operands in the order min, operand, max. */
HLO_TERNARY_LOOP(HLO_TWIN_LOOP, f32_clamp, float, minimum(maximum(y, x), z))

void hlo_f32_clamp_simd128(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 7);
  const float *low = operands[0], *in = operands[1], *high = operands[2];
  float *out = result;
  v128_t x = wasm_f32x4_splat(count ? *low : 0), z = wasm_f32x4_splat(count ? *high : 0);
  v128_t y = wasm_f32x4_splat(count ? *in : 0);
  int64_t done = 0;
  for (; done + 4 <= count; done += 4) {
    if (HLO_STEP(0)) x = wasm_v128_load(low + done);
    if (HLO_STEP(1)) y = wasm_v128_load(in + done);
    if (HLO_STEP(2)) z = wasm_v128_load(high + done);
    wasm_v128_store(out + done, hlo_f32x4_min(hlo_f32x4_max(y, x), z));
  }
  HLO_REST(f32_clamp, 3, sizeof(float), sizeof(float));
}
