/* Element functions of real floating-point numbers: computed as doubles, rounded once when stored. */
#include <math.h>

#include "graph/opcode.h"
#include "numbers/scalar_special.h"
#include "reference/functions.h"
#include "shape/element_type.h"

/* e^x / (1 + e^x) keeps the tail of large negative x that 1 / (1 + e^-x) loses. */
static double logistic(double x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  double e = exp(x);
  return e / (1 + e);
}

/* Requires x >= 0, or NaN. */
static double inverse_sinh(double x) {
  return x > 0x1p60 ? log(x) + log(2) : log1p(x + x * x / (1 + sqrt(1 + x * x)));
}

/* Returns (e^x + sign e^-x) / 2: cosh for sign 1, sinh for -1. */
static double hyperbolic(double x, int sign) {
  double size = fabs(x), less_one = expm1(size), root = exp(size / 2);
  if (size > 22) return root / 2 * root;
  return sign < 0 ? (less_one + less_one / (less_one + 1)) / 2 : 1 + less_one * less_one / (2 * (less_one + 1));
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/* NaN comes through functions as it is, its sign too, which a bitcast shows; libraries' functions may make another of it. */
double hlo_reference_unary_real(hlo_opcode opcode, hlo_type type, double x) {
  if (isnan(x) && opcode != HLO_OP_ABS && opcode != HLO_OP_NEGATE && opcode != HLO_OP_IMAG) return x;
  switch (opcode) {
  case HLO_OP_ABS: return fabs(x);
  case HLO_OP_ACOS: return 2 * atan2(sqrt(1 - x), sqrt(1 + x));
  case HLO_OP_ACOSH: return 2 * inverse_sinh(sqrt((x - 1) / 2));
  case HLO_OP_ASIN: return atan2(x, sqrt((1 - x) * (1 + x)));
  case HLO_OP_ASINH: return copysign(inverse_sinh(fabs(x)), x);
  case HLO_OP_ATAN: return atan(x);
  case HLO_OP_ATANH: return copysign(log1p(2 * fabs(x) / (1 - fabs(x))) / 2, x);
  case HLO_OP_BESSEL_I1E: return hlo_bessel_i1e(x);
  case HLO_OP_CBRT: return cbrt(x);
  case HLO_OP_CEIL: return ceil(x);
  case HLO_OP_COSH: return hyperbolic(x, 1);
  case HLO_OP_COSINE: return cos(x);
  case HLO_OP_DIGAMMA: return hlo_digamma(x);
  case HLO_OP_ERF: return erf(x);
  case HLO_OP_ERF_INV: return hlo_erf_inv(x);
  case HLO_OP_ERFC: return erfc(x);
  case HLO_OP_EXPONENTIAL: return exp(x);
  case HLO_OP_EXPONENTIAL_MINUS_ONE: return expm1(x);
  case HLO_OP_FLOOR: return floor(x);
  case HLO_OP_IMAG: return 0;
  case HLO_OP_LGAMMA: return hlo_lgamma(x);
  case HLO_OP_LOG: return log(x);
  case HLO_OP_LOG_PLUS_ONE: return log1p(x);
  case HLO_OP_LOGISTIC: return logistic(x);
  case HLO_OP_NEGATE: return -x;
  case HLO_OP_ROUND_NEAREST_AFZ: return round(x);
  case HLO_OP_ROUND_NEAREST_EVEN: return rint(x);
  case HLO_OP_RSQRT: return 1 / sqrt(x);
  case HLO_OP_SIGN: return sign(x);
  case HLO_OP_SINE: return sin(x);
  case HLO_OP_SINH: return copysign(hyperbolic(fabs(x), -1), x);
  case HLO_OP_SQRT: return sqrt(x);
  case HLO_OP_SQUARE: return x * x;
  case HLO_OP_TAN: return tan(x);
  case HLO_OP_TANH: return tanh(x);
  default: return x; /* real */
  }
}

/* maximum and minimum of IEEE 754-2019: NaN wins, +0 is greater than -0. */
static double maximum(double lhs, double rhs) {
  if (isnan(lhs)) return lhs;
  if (isnan(rhs)) return rhs;
  if (lhs == 0 && rhs == 0) return signbit(lhs) ? rhs : lhs;
  return lhs > rhs ? lhs : rhs;
}

static double minimum(double lhs, double rhs) {
  if (isnan(lhs)) return lhs;
  if (isnan(rhs)) return rhs;
  if (lhs == 0 && rhs == 0) return signbit(lhs) ? lhs : rhs;
  return lhs < rhs ? lhs : rhs;
}

double hlo_reference_binary_real(hlo_opcode opcode, hlo_type type, double lhs, double rhs) {
  switch (opcode) {
  case HLO_OP_ADD: return lhs + rhs;
  case HLO_OP_ATAN2: return atan2(lhs, rhs);
  case HLO_OP_DIVIDE: return lhs / rhs;
  case HLO_OP_MAXIMUM: return maximum(lhs, rhs);
  case HLO_OP_MINIMUM: return minimum(lhs, rhs);
  case HLO_OP_MULTIPLY: return lhs * rhs;
  case HLO_OP_NEXT_AFTER: return hlo_next_after(type, lhs, rhs);
  case HLO_OP_POLYGAMMA: return hlo_polygamma(lhs, rhs);
  case HLO_OP_POWER: return pow(lhs, rhs);
  case HLO_OP_REMAINDER: return fmod(lhs, rhs);
  case HLO_OP_ZETA: return hlo_zeta(lhs, rhs);
  default: return lhs - rhs; /* subtract */
  }
}
