/* Element functions of two complex numbers. */
#include <math.h>

#include "graph/opcode.h"
#include "numbers/double_double.h"
#include "reference/complex/complex_double_double.h"
#include "reference/complex/complex_functions.h"
#include "shape/element_type.h"

static hlo_scalar make(double re, double im) { return (hlo_scalar){.f = re, .im = im}; }
static bool is_finite(hlo_scalar z) { return isfinite(z.f) && isfinite(z.im); }
static bool is_zero(hlo_scalar z) { return z.f == 0 && z.im == 0; }
static bool is_nan(hlo_scalar z) { return isnan(z.f) || isnan(z.im); }
static int exponent_of(hlo_scalar z) { return hlo_cdd_exponent(z.f, z.im); }
static hlo_cdd scaled(hlo_scalar z, int exponent) { return hlo_cdd_scaled(z.f, z.im, exponent); }

/* As Annex G says, an infinity divided by a finite number is infinite, a finite number divided by an infinity is zero. */
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

/* z^w = e^(w log z); of 1 and of infinity as of real numbers, where log z times w would be NaN. */
static hlo_scalar power(hlo_scalar z, hlo_scalar w) {
  if (is_zero(w)) return make(1, 0);
  if (is_zero(z)) return w.f > 0 ? make(0, 0) : is_nan(w) ? make(NAN, NAN) : make(INFINITY, NAN);
  if (!is_finite(z) || !is_finite(w)) {
    if (z.im == 0 && z.f == 1 && !is_nan(w)) return make(1, 0);
    if (z.im == 0 && z.f == INFINITY && w.im == 0 && !is_nan(w)) return make(w.f > 0 ? INFINITY : 0, 0);
    hlo_scalar l = hlo_complex_function(HLO_OP_LOG, z);
    return hlo_complex_function(HLO_OP_EXPONENTIAL, make(w.f * l.f - w.im * l.im, w.f * l.im + w.im * l.f));
  }
  return hlo_cdd_power(z.f, z.im, hlo_cdd_from(w.f, w.im));
}

/* ---- atan2 ---- */

/* Returns a b - c d, exactly. Requires factors of moderate size. */
static hlo_dd cross(double a, double b, double c, double d) {
  hlo_dd ab = hlo_dd_product(a, b), cd = hlo_dd_product(c, d);
  return hlo_dd_total((double[]){ab[0], ab[1], -cd[0], -cd[1]}, 4);
}

/* Returns log(1 + 4 ratio 2^exponent) / 4, for a ratio of moderate size. */
static double quarter_log(hlo_dd ratio, int exponent) {
  if (ilogb(ratio[0]) + exponent < -120) return ldexp(hlo_dd_round(ratio), exponent);
  if (exponent > 200)
    return hlo_dd_round(hlo_dd_add(hlo_dd_log(hlo_dd_scale(ratio, 2)), hlo_dd_times(hlo_dd_log(hlo_dd_from(2)), exponent))) / 4;
  hlo_dd less_one = hlo_dd_scale(ratio, exponent + 2);
  return hlo_dd_round(less_one[0] < 1 ? hlo_dd_log1p(less_one) : hlo_dd_log(hlo_dd_add(less_one, hlo_dd_from(1)))) / 4;
}

/* y and x, each scaled by its own exponent, as digits of a tiny one would be lost at the scale of the other. */
typedef struct quotient {
  hlo_scalar y, x;
  int y_exponent, x_exponent, most; /* most: the larger exponent */
} quotient;

/* The imaginary part is log(|x - i y|^2 / |x + i y|^2) / 4. The two squares differ by 4 (x.re y.im - x.im y.re), so that nothing
 * cancels in the logarithm of their quotient however near 1 it is. sum is x + i y, difference x - i y, at the scale of q->most. */
static double arc_tangent_2_imaginary(const quotient *q, hlo_cdd sum, hlo_cdd difference) {
  hlo_dd area = cross(q->x.f, q->y.im, q->x.im, q->y.f);
  if (area[0] == 0) return 0;
  hlo_cdd smaller = area[0] < 0 ? difference : sum;
  int exponent = hlo_cdd_exponent(smaller.re[0], smaller.im[0]);
  hlo_dd ratio = hlo_dd_divide(area[0] < 0 ? hlo_dd_negate(area) : area, hlo_cdd_norm(hlo_cdd_scale(smaller, -exponent)));
  return copysign(quarter_log(ratio, q->x_exponent + q->y_exponent - 2 * (q->most + exponent)), area[0]);
}

/* The real part is the angle of w = (x + i y) / sqrt(x^2 + y^2). Modulo pi it also is half the angle of
 * |x|^2 - |y|^2 + 2 i (x.re y.re + x.im y.im), which keeps the digits of a tiny angle. */
static double arc_tangent_2_real(const quotient *q, hlo_dd norms, hlo_cdd w) {
  double angle = hlo_dd_round(hlo_dd_atan2(w.im, w.re));
  hlo_dd along = cross(q->x.f, q->y.f, -q->x.im, q->y.im);
  if (!(norms[0] > 0)) return angle;
  if (along[0] == 0) return w.re[0] > 0 ? 0 : fabs(angle);
  hlo_dd ratio = hlo_dd_divide(along, norms);
  int exponent = q->x_exponent + q->y_exponent - 2 * q->most;
  if (ilogb(ratio[0]) + exponent > -40) return angle;
  return w.re[0] > 0 ? ldexp(hlo_dd_round(ratio), exponent) : copysign(angle, -ratio[0]);
}

/* atan2(y, x) = -i log((x + i y) / sqrt(x^2 + y^2)). */
static hlo_scalar arc_tangent_2(hlo_scalar y, hlo_scalar x) {
  if ((y.im == 0 && x.im == 0) || (is_zero(y) && is_zero(x))) return make(atan2(y.f, x.f), 0);
  if (!is_finite(y) || !is_finite(x)) return make(NAN, NAN);
  int up = exponent_of(is_zero(y) ? x : y), along = exponent_of(is_zero(x) ? y : x), most = up > along ? up : along;
  quotient q = {{.f = ldexp(y.f, -up), .im = ldexp(y.im, -up)}, {.f = ldexp(x.f, -along), .im = ldexp(x.im, -along)}, up, along, most};
  hlo_cdd a = scaled(x, most), b = scaled(y, most);
  hlo_cdd sum = {hlo_dd_subtract(a.re, b.im), hlo_dd_add(a.im, b.re)}, difference = {hlo_dd_add(a.re, b.im), hlo_dd_subtract(a.im, b.re)};
  /* x^2 + y^2 as (x + i y) (x - i y), as it would cancel near x = +-i y; its imaginary part exactly, whose sign decides between two roots. */
  hlo_cdd squares = {hlo_cdd_multiply(sum, difference).re, hlo_dd_scale(cross(a.re[0], a.im[0], -b.re[0], b.im[0]), 1)};
  if (squares.re[0] == 0 && squares.im[0] == 0) return make(NAN, INFINITY); /* x = +-i y: a pole */
  hlo_dd norms = hlo_dd_subtract(hlo_cdd_norm(a), hlo_cdd_norm(b));
  hlo_cdd w = hlo_cdd_divide(sum, hlo_cdd_sqrt(squares));
  return make(arc_tangent_2_real(&q, norms, w), arc_tangent_2_imaginary(&q, sum, difference));
}

/* ---- Order ---- */

/* Complex numbers compare by their real parts, then by their imaginary parts; NaN wins. */
static bool less(hlo_scalar a, hlo_scalar b) { return a.f < b.f || (a.f == b.f && a.im < b.im); }

static hlo_scalar greater_of(hlo_scalar a, hlo_scalar b) { return is_nan(a) ? a : is_nan(b) || less(a, b) ? b : a; }
static hlo_scalar lesser_of(hlo_scalar a, hlo_scalar b) { return is_nan(a) ? a : is_nan(b) || less(b, a) ? b : a; }

hlo_scalar hlo_complex_function_of_two(hlo_opcode opcode, hlo_scalar lhs, hlo_scalar rhs) {
  switch (opcode) {
  case HLO_OP_DIVIDE: return divide(lhs, rhs);
  case HLO_OP_POWER: return power(lhs, rhs);
  case HLO_OP_ATAN2: return arc_tangent_2(lhs, rhs);
  case HLO_OP_MAXIMUM: return greater_of(lhs, rhs);
  default: return lesser_of(lhs, rhs); /* minimum */
  }
}
