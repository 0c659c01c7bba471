/* Transcendental functions: of f32 in double, rounded once; of f64 by the functions of the C library (in WebAssembly those of
 * src/numbers). */
#include "kernels/elementwise/elementwise_loops.h"

/* e^x / (1 + e^x) keeps the tail of large negative x that 1 / (1 + e^-x) loses. */
static double logistic(double x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  double power = exp(x);
  return power / (1 + power);
}

#define MATH_UNARY(name, function)                                  \
  HLO_UNARY_SCALAR(f32_##name, float, float, function((double)x))   \
  HLO_UNARY_SCALAR(f64_##name, double, double, function(x))

MATH_UNARY(cbrt, cbrt)
MATH_UNARY(cosine, cos)
MATH_UNARY(erf, erf)
MATH_UNARY(exponential, exp)
HLO_UNARY_SCALAR(f32_exponential_at_most_one, float, float, exp((double)x))
MATH_UNARY(exponential_minus_one, expm1)
MATH_UNARY(log, log)
MATH_UNARY(log_plus_one, log1p)
MATH_UNARY(logistic, logistic)
MATH_UNARY(round_nearest_afz, round)
MATH_UNARY(rsqrt, 1 / sqrt)
MATH_UNARY(sine, sin)
MATH_UNARY(tan, tan)
MATH_UNARY(tanh, tanh)

HLO_BINARY_LOOP(HLO_TWIN_LOOP, f32_power, float, float, pow(x, y))
HLO_BINARY_SCALAR(f32_atan2, float, float, atan2(x, y))
HLO_BINARY_LOOP(HLO_TWIN_LOOP, f32_remainder, float, float, fmod(x, y))
HLO_BINARY_SCALAR(f64_power, double, double, pow(x, y))
HLO_BINARY_SCALAR(f64_atan2, double, double, atan2(x, y))
HLO_BINARY_SCALAR(f64_remainder, double, double, fmod(x, y))
