/* Element functions of two complex numbers. */
#include <math.h>

#include "reference/complex_double_double.h"
#include "reference/functions.h"

static hlo_scalar make(double re, double im) { return (hlo_scalar){.f = re, .im = im}; }
static bool is_finite(hlo_scalar z) { return isfinite(z.f) && isfinite(z.im); }
static bool is_zero(hlo_scalar z) { return z.f == 0 && z.im == 0; }
static bool is_nan(hlo_scalar z) { return isnan(z.f) || isnan(z.im); }
static int exponent_of(hlo_scalar z) { return hlo_cdd_exponent(z.f, z.im); }
static hlo_cdd scaled(hlo_scalar z, int exponent) { return hlo_cdd_scaled(z.f, z.im, exponent); }

static hlo_scalar multiply(hlo_scalar a, hlo_scalar b) {
  return make(a.f * b.f - a.im * b.im, a.f * b.im + a.im * b.f);
}

/* Annex G: an infinity over anything finite is infinite, anything finite over an infinity is zero. */
static hlo_scalar divide_special(hlo_scalar a, hlo_scalar b) {
  bool a_infinite = isinf(a.f) || isinf(a.im), b_infinite = isinf(b.f) || isinf(b.im);
  if (is_zero(b) && !(isnan(a.f) && isnan(a.im)))
    return make(copysign(INFINITY, b.f) * a.f, copysign(INFINITY, b.f) * a.im);
  double scale = 0;
  if (a_infinite && is_finite(b)) {
    a = make(copysign(isinf(a.f) ? 1 : 0, a.f), copysign(isinf(a.im) ? 1 : 0, a.im));
    scale = INFINITY;
  } else if (b_infinite && is_finite(a)) {
    b = make(copysign(isinf(b.f) ? 1 : 0, b.f), copysign(isinf(b.im) ? 1 : 0, b.im));
  } else {
    return make(NAN, NAN);
  }
  return make(scale * (a.f * b.f + a.im * b.im), scale * (a.im * b.f - a.f * b.im));
}

static hlo_scalar divide(hlo_scalar a, hlo_scalar b) {
  if (!is_finite(a) || !is_finite(b) || is_zero(b)) return divide_special(a, b);
  if (is_zero(a)) return make(a.f * b.f + a.im * b.im, a.im * b.f - a.f * b.im);
  int up = exponent_of(a), down = exponent_of(b);
  hlo_cdd quotient = hlo_cdd_divide(scaled(a, up), scaled(b, down));
  return make(ldexp(hlo_dd_round(quotient.re), up - down), ldexp(hlo_dd_round(quotient.im), up - down));
}

/* e^(w log z). */
static hlo_scalar power(hlo_scalar z, hlo_scalar w) {
  if (is_zero(w)) return make(1, 0);
  if (is_zero(z)) return w.f > 0 ? make(0, 0) : is_nan(w) ? make(NAN, NAN) : make(INFINITY, NAN);
  if (!is_finite(z) || !is_finite(w)) {
    hlo_scalar l = hlo_reference_unary_complex(HLO_OP_LOG, HLO_TYPE_C128, z);
    return hlo_reference_unary_complex(HLO_OP_EXPONENTIAL, HLO_TYPE_C128, multiply(w, l));
  }
  return hlo_cdd_power(z.f, z.im, hlo_cdd_from(w.f, w.im));
}

/* -i log((x + i y) / sqrt(x^2 + y^2)). */
static hlo_scalar arc_tangent_2(hlo_scalar y, hlo_scalar x) {
  if ((y.im == 0 && x.im == 0) || (is_zero(y) && is_zero(x))) return make(atan2(y.f, x.f), 0);
  if (!is_finite(y) || !is_finite(x)) return make(NAN, NAN);
  int exponent = is_zero(y) ? exponent_of(x) : is_zero(x) ? exponent_of(y) : (int)fmax(exponent_of(y), exponent_of(x));
  hlo_cdd a = scaled(x, exponent), b = scaled(y, exponent);
  hlo_cdd squares = hlo_cdd_add(hlo_cdd_multiply(a, a), hlo_cdd_multiply(b, b));
  hlo_cdd sum = {hlo_dd_subtract(a.re, b.im), hlo_dd_add(a.im, b.re)};
  if (squares.re[0] == 0 && squares.im[0] == 0) return make(NAN, INFINITY); /* x = +-i y: a pole */
  hlo_cdd w = hlo_cdd_divide(sum, hlo_cdd_sqrt(squares));
  hlo_dd less_one = hlo_dd_add(hlo_cdd_norm(w), hlo_dd_from(-1));
  hlo_dd log_size = less_one[0] > -0.7 ? hlo_dd_log1p(less_one) : hlo_dd_log(hlo_cdd_norm(w));
  return make(hlo_dd_round(hlo_dd_atan2(w.im, w.re)), -hlo_dd_round(log_size) / 2);
}

/* Lexicographic; NaN wins. */
static bool less(hlo_scalar a, hlo_scalar b) { return a.f < b.f || (a.f == b.f && a.im < b.im); }

static hlo_scalar greater_of(hlo_scalar a, hlo_scalar b) { return is_nan(a) ? a : is_nan(b) || less(a, b) ? b : a; }
static hlo_scalar lesser_of(hlo_scalar a, hlo_scalar b) { return is_nan(a) ? a : is_nan(b) || less(b, a) ? b : a; }

hlo_scalar hlo_reference_binary_complex(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  switch (opcode) {
  case HLO_OP_ADD: return make(lhs.f + rhs.f, lhs.im + rhs.im);
  case HLO_OP_SUBTRACT: return make(lhs.f - rhs.f, lhs.im - rhs.im);
  case HLO_OP_MULTIPLY: return multiply(lhs, rhs);
  case HLO_OP_DIVIDE: return divide(lhs, rhs);
  case HLO_OP_POWER: return power(lhs, rhs);
  case HLO_OP_ATAN2: return arc_tangent_2(lhs, rhs);
  case HLO_OP_MAXIMUM: return greater_of(lhs, rhs);
  default: return lesser_of(lhs, rhs); /* minimum */
  }
}
