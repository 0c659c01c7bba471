/* Transcendental functions: of f32 in double, rounded once; of f64 by the functions of src/numbers for pairs, or else by those of the C library
 * (in WebAssembly they are of src/numbers, too). */
#include "kernels/elementwise/elementwise_loops.h"
#include "numbers/pair.h"

static double logistic(double x) { return HLO_LANE_OF_PAIR(hlo_logistic, x); }

#define MATH_UNARY(name, function)                                  \
  HLO_UNARY_SCALAR(f32_##name, float, float, function((double)x))   \
  HLO_UNARY_SCALAR(f64_##name, double, double, function(x))

MATH_UNARY(cbrt, cbrt)
MATH_UNARY(cosine, cos)
MATH_UNARY(erf, erf)
MATH_UNARY(round_nearest_afz, round)
MATH_UNARY(rsqrt, 1 / sqrt)
MATH_UNARY(sine, sin)
MATH_UNARY(tan, tan)

/* Loops over pairs; an element that is left is one by itself. */
typedef double unaligned_pair __attribute__((vector_size(16), aligned(8)));
#define PAIR_UNARY(name, function, of_pair)                                                         \
  HLO_UNARY_SCALAR(f32_##name, float, float, function((double)x))                                   \
  void hlo_f64_##name##_scalar(HLO_KERNEL_PARAMETERS) {                                             \
    const double *in = operands[0];                                                                 \
    double *out = result;                                                                           \
    int64_t i = 0;                                                                                  \
    for (; i + 2 <= count; i += 2) *(unaligned_pair *)(out + i) = of_pair(*(const unaligned_pair *)(in + i)); \
    if (i < count) out[i] = of_pair(hlo_pair_of(in[i]))[0];                                         \
  }

PAIR_UNARY(exponential, exp, hlo_exp_pair)
PAIR_UNARY(exponential_minus_one, expm1, hlo_expm1_pair)
PAIR_UNARY(log, log, hlo_log_pair)
PAIR_UNARY(log_plus_one, log1p, hlo_log1p_pair)
PAIR_UNARY(logistic, logistic, hlo_logistic_pair)
PAIR_UNARY(tanh, tanh, hlo_tanh_pair)
HLO_UNARY_SCALAR(f32_exponential_at_most_one, float, float, exp((double)x))
HLO_UNARY_SCALAR(f32_exponential_or_zero, float, float, x < -80 ? 0 : exp((double)x))

#define PAIR_BINARY(name, of_pair)                                                     \
  void hlo_f64_##name##_scalar(HLO_KERNEL_PARAMETERS) {                                \
    const double *lhs = operands[0], *rhs = operands[1];                               \
    double *out = result;                                                              \
    for (int64_t i = 0; i < count; i += 2) {                                           \
      int64_t next = i + (i + 1 < count);                                              \
      hlo_pair x = {lhs[i * HLO_STEP(0)], lhs[next * HLO_STEP(0)]};                    \
      hlo_pair value = of_pair(x, (hlo_pair){rhs[i * HLO_STEP(1)], rhs[next * HLO_STEP(1)]}); \
      out[i] = value[0], out[next] = value[1];                                         \
    }                                                                                  \
  }

PAIR_BINARY(power, hlo_pow_pair)
PAIR_BINARY(atan2, hlo_atan2_pair)
PAIR_BINARY(remainder, hlo_fmod_pair)
HLO_BINARY_LOOP(HLO_TWIN_LOOP, f32_power, float, float, pow(x, y))
HLO_BINARY_SCALAR(f32_atan2, float, float, atan2(x, y))
HLO_BINARY_LOOP(HLO_TWIN_LOOP, f32_remainder, float, float, fmod(x, y))
