/* Element functions of complex numbers: textbook formulas in double-double arithmetic, rounded once.
 *
 * For finite numbers, each part is right to within an ulp. Zeros, whose signs double-doubles lose, infinities and NaN give what C's Annex G says, except
 * that e^(x + iy) is (NaN, NaN) for infinite y. W. Kahan, "Branch cuts for complex elementary
 * functions", 1987, has the formulas of the inverse functions, in which nothing cancels. */
#include <math.h>

#include "graph/opcode.h"
#include "numbers/double_double.h"
#include "reference/complex/complex_double_double.h"
#include "reference/complex/complex_functions.h"
#include "shape/element_type.h"

typedef hlo_scalar complex_function(double x, double y);

static const double pi = 3.14159265358979323846;
enum { HUGE_EXPONENT = 100 }; /* beyond this, adding 1 does not change z^2 */

static hlo_scalar make(double re, double im) { return (hlo_scalar){.f = re, .im = im}; }
static hlo_scalar rounded(hlo_cdd z) { return make(hlo_dd_round(z.re), hlo_dd_round(z.im)); }
static hlo_scalar no_value(void) { return make(NAN, NAN); }
static bool is_finite(double x, double y) { return isfinite(x) && isfinite(y); }
static bool is_zero(double x, double y) { return x == 0 && y == 0; }

/* i conj(z): f(i conj(z)) = i conj(g(z)) gives sin from sinh, tan from tanh, and likewise their inverses. */
static hlo_scalar swapped(hlo_scalar z) { return make(z.im, z.f); }

/* True if one part is so much smaller than the other that adding its square does not change the other's. */
static bool is_far_smaller(double small, double large) { return fabs(small) < 0x1p-60 * fabs(large); }

/* ---- Powers of e ---- */

static hlo_scalar exponential(double x, double y) {
  if (y == 0) return make(exp(x), y);
  if (!isfinite(y) || isnan(x)) return no_value();
  if (isinf(x)) return make((x > 0 ? x : 0) * cos(y), (x > 0 ? x : 0) * sin(y));
  hlo_dd sine, cosine;
  hlo_dd_sincos(hlo_dd_from(y), &sine, &cosine);
  return hlo_dd_exp_times(hlo_dd_from(x), cosine, sine);
}

/* The real part is e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2). */
static hlo_scalar exponential_minus_one(double x, double y) {
  if (y == 0) return make(expm1(x), y);
  if (x > 100 || !is_finite(x, y)) {
    hlo_scalar power = exponential(x, y);
    return make(power.f - 1, power.im);
  }
  hlo_dd sine, cosine, half_sine, half_cosine, less_one = hlo_dd_expm1(hlo_dd_from(fmax(x, -800)));
  hlo_dd_sincos(hlo_dd_from(y), &sine, &cosine);
  hlo_dd_sincos(hlo_dd_from(y / 2), &half_sine, &half_cosine);
  hlo_dd real = hlo_dd_subtract(hlo_dd_multiply(less_one, cosine), hlo_dd_scale(hlo_dd_square(half_sine), 1));
  return make(hlo_dd_round(real), hlo_dd_exp_times(hlo_dd_from(x), cosine, sine).im);
}

/* Computes 1 / (1 + e^-z) or e^z / (1 + e^z), whichever has the smaller power. */
static hlo_scalar logistic(double x, double y) {
  hlo_scalar small = exponential(-fabs(x), x < 0 ? y : -y);
  if (!is_finite(x, y) || fabs(x) > 300) return x < 0 ? small : make(1 + 0 * small.f, -small.im);
  hlo_dd sine, cosine;
  int exponent;
  hlo_dd power = hlo_dd_exp(hlo_dd_from(-fabs(x)), &exponent);
  power = hlo_dd_scale(power, exponent);
  hlo_dd_sincos(hlo_dd_from(x < 0 ? y : -y), &sine, &cosine);
  hlo_cdd e = {hlo_dd_multiply(power, cosine), hlo_dd_multiply(power, sine)}, one = hlo_cdd_from(1, 0);
  hlo_scalar result = rounded(hlo_cdd_divide(x < 0 ? e : one, hlo_cdd_add(one, e)));
  return y == 0 ? make(result.f, y) : result;
}

/* ---- Hyperbolic and circular functions ---- */

/* Computes sinh and cosh of any finite x, as double-doubles times 2^result. */
static int scaled_sinhcosh(double x, hlo_dd *sinh_x, hlo_dd *cosh_x) {
  int exponent;
  if (fabs(x) < 300) {
    hlo_dd_sinhcosh(hlo_dd_from(x), sinh_x, cosh_x);
    return 0;
  }
  *cosh_x = hlo_dd_exp(hlo_dd_from(fmin(fabs(x), 3000)), &exponent);
  *sinh_x = x < 0 ? hlo_dd_negate(*cosh_x) : *cosh_x;
  return exponent - 1;
}

/* Returns a b; zero times infinity or NaN is zero here. */
static double product(double a, double b) { return a == 0 || b == 0 ? copysign(0, a) * copysign(1, b) : a * b; }

/* Computes sinh x cos y + i cosh x sin y, or the same with sinh and cosh exchanged. */
static hlo_scalar hyperbolic(double x, double y, bool exchanged) {
  double size = fabs(x) + 1, along = exchanged ? size : x, across = exchanged ? x : size;
  if (isinf(x) && !isfinite(y)) return make(exchanged ? fabs(x) : x, NAN);
  if (!is_finite(x, y)) return make(product(along, cos(y)), product(across, y == 0 ? y : sin(y)));
  hlo_dd parts[2], sine, cosine;
  int exponent = scaled_sinhcosh(x, &parts[0], &parts[1]), up = fabs(x) < 0x1p-400 ? 400 : 0;
  hlo_dd_sincos(hlo_dd_from(y), &sine, &cosine);
  hlo_scalar result = make(hlo_dd_scaled_product(cosine, parts[exchanged], exponent),
                           hlo_dd_scaled_product(hlo_dd_scale(parts[!exchanged], up), sine, exponent - up));
  if (x == 0 && !exchanged) result.f = x * cosine[0];
  if (y == 0) result.im = exchanged ? copysign(y, x) * copysign(1, y) : y;
  else if (x == 0 && exchanged) result.im = x * sine[0];
  return result;
}

static hlo_scalar hyperbolic_sine(double x, double y) { return hyperbolic(x, y, false); }
static hlo_scalar hyperbolic_cosine(double x, double y) { return hyperbolic(x, y, true); }

/* tanh z = (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y). */
static hlo_scalar hyperbolic_tangent(double x, double y) {
  if (isinf(x)) return make(copysign(1, x), isfinite(y) ? copysign(0, sin(2 * y)) : 0);
  if (!is_finite(x, y)) return make(x == 0 ? x : NAN, y == 0 ? y : NAN);
  hlo_dd sinh_x, cosh_x, sine, cosine;
  hlo_dd_sincos(hlo_dd_from(y), &sine, &cosine);
  if (fabs(x) > 40) {
    hlo_dd twice = hlo_dd_from(-2 * fmin(fabs(x), 1000)), across = hlo_dd_multiply(sine, cosine);
    return make(copysign(1, x), y == 0 ? y : hlo_dd_exp_times(twice, across, hlo_dd_scale(across, 2)).im);
  }
  hlo_dd_sinhcosh(hlo_dd_from(x), &sinh_x, &cosh_x);
  hlo_dd norm = hlo_dd_add(hlo_dd_square(sinh_x), hlo_dd_square(cosine));
  return make(x == 0 ? x : hlo_dd_scaled_product(hlo_dd_divide(cosh_x, norm), sinh_x, 0),
              y == 0 ? y : hlo_dd_scaled_product(hlo_dd_divide(cosine, norm), sine, 0));
}

static hlo_scalar sine(double x, double y) { return swapped(hyperbolic_sine(y, x)); }
static hlo_scalar tangent(double x, double y) { return swapped(hyperbolic_tangent(y, x)); }
static hlo_scalar cosine(double x, double y) {
  hlo_scalar result = hyperbolic_cosine(y, x);
  return make(result.f, -result.im);
}

/* ---- Logarithms ---- */

static hlo_scalar logarithm(double x, double y) {
  double angle = atan2(y, x);
  if (isinf(x) || isinf(y)) return make(INFINITY, angle);
  if (isnan(x) || isnan(y)) return no_value();
  if (is_zero(x, y)) return make(-INFINITY, angle);
  return make(hlo_dd_round(hlo_cdd_log_abs(x, y)), angle);
}

/* Uses |1 + z|^2 - 1 = 2x + x^2 + y^2, summed exactly; where this is far below 0, 1 + x is exact. */
static hlo_scalar log_plus_one(double x, double y) {
  if (!is_finite(x, y) || fmax(fabs(x), fabs(y)) > 0x1p500) return logarithm(x + 1, y);
  hlo_dd xx = hlo_dd_product(x, x), yy = hlo_dd_product(y, y);
  hlo_dd less_one = hlo_dd_total((double[]){2 * x, xx[0], xx[1], yy[0], yy[1]}, 5);
  if (less_one[0] < -0.7) return logarithm(1 + x, y);
  return make(hlo_dd_round(hlo_dd_log1p(less_one)) / 2, atan2(y, 1 + x));
}

/* ---- Roots ---- */

static hlo_scalar square_root(double x, double y) {
  if (isinf(y)) return make(INFINITY, y);
  if (isinf(x)) {
    if (isnan(y)) return x > 0 ? make(x, y) : make(y, INFINITY);
    return x > 0 ? make(x, copysign(0, y)) : make(0, copysign(INFINITY, y));
  }
  if (isnan(x) || isnan(y)) return no_value();
  if (is_zero(x, y)) return make(0, y);
  hlo_scalar root = rounded(hlo_cdd_sqrt(hlo_cdd_from(x, y)));
  return make(fabs(root.f), copysign(root.im, y));
}

static hlo_scalar reciprocal_square_root(double x, double y) {
  if (isinf(x) || isinf(y)) return make(isinf(x) && x < 0 && !isinf(y) ? 0 * (y + 1) : 0, copysign(0, -y));
  if (isnan(x) || isnan(y)) return no_value();
  if (is_zero(x, y)) return make(INFINITY, NAN);
  if (is_far_smaller(y, x)) {
    double large = 1 / sqrt(fabs(x)), small = fabs(y / x) * (large / 2);
    return x > 0 ? make(large, copysign(small, -y)) : make(small, copysign(large, -y));
  }
  int exponent = hlo_cdd_exponent(x, y) & ~1;
  hlo_cdd root = hlo_cdd_sqrt(hlo_cdd_scaled(x, y, exponent));
  return rounded(hlo_cdd_scale(hlo_cdd_divide(hlo_cdd_from(1, 0), root), -exponent / 2));
}

static hlo_scalar cube_root(double x, double y) {
  if (isnan(x) || isnan(y)) return no_value();
  if (is_zero(x, y)) return make(0, y);
  if (!is_finite(x, y)) return exponential(INFINITY, atan2(y, x) / 3);
  if (x > 0 && is_far_smaller(y, x)) return make(cbrt(x), y * (cbrt(x) / x / 3));
  return hlo_cdd_power(x, y, (hlo_cdd){hlo_dd_divide(hlo_dd_from(1), hlo_dd_from(3)), hlo_dd_from(0)});
}

/* ---- Inverse functions ---- */

typedef struct roots {
  hlo_cdd minus, plus; /* sqrt(1 - z), sqrt(1 + z) */
} roots;

static roots roots_of(double x, double y) {
  hlo_cdd minus = {hlo_dd_sum(1, -x), hlo_dd_from(-y)}, plus = {hlo_dd_sum(1, x), hlo_dd_from(y)};
  roots r = {hlo_cdd_from(0, -y), hlo_cdd_from(0, y)};
  if (minus.re[0] != 0 || y != 0) r.minus = hlo_cdd_sqrt(minus);
  if (plus.re[0] != 0 || y != 0) r.plus = hlo_cdd_sqrt(plus);
  return r;
}

/* Returns a b - c d. */
static hlo_dd cross(hlo_dd a, hlo_dd b, hlo_dd c, hlo_dd d) {
  return hlo_dd_subtract(hlo_dd_multiply(a, b), hlo_dd_multiply(c, d));
}

static bool is_huge(double x, double y) { return !is_zero(x, y) && hlo_cdd_exponent(x, y) > HUGE_EXPONENT; }

/* Returns log |2 z|. */
static double log_twice(double x, double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return hlo_dd_round(hlo_dd_add(hlo_cdd_log_abs(x, y), hlo_dd_log(hlo_dd_from(2))));
}

static hlo_scalar arc_sine(double x, double y) {
  if (isinf(x) && isnan(y)) return make(y, x);
  if (isnan(x) || isnan(y)) return make(x == 0 ? x : NAN, y == 0 || isinf(y) ? y : NAN);
  if (is_huge(x, y)) return make(atan2(x, fabs(y)), copysign(log_twice(x, y), y));
  roots r = roots_of(x, y);
  hlo_dd real = hlo_dd_atan2(hlo_dd_from(x), cross(r.minus.re, r.plus.re, r.minus.im, r.plus.im));
  hlo_dd imaginary = hlo_dd_asinh(cross(r.minus.re, r.plus.im, r.minus.im, r.plus.re));
  return make(hlo_dd_round(real), copysign(hlo_dd_round(imaginary), y));
}

/* acos z, not as pi / 2 - asin z, whose real part may cancel. */
static hlo_scalar arc_cosine(double x, double y) {
  double imaginary = arc_sine(x, y).im;
  if (isnan(y)) return make(x == 0 ? pi / 2 : NAN, imaginary);
  if (isnan(x)) return make(NAN, isinf(y) ? -y : NAN);
  if (is_huge(x, y)) return make(atan2(fabs(y), x), -imaginary);
  roots r = roots_of(x, y);
  return make(2 * hlo_dd_round(hlo_dd_atan2(r.minus.re, r.plus.re)), -imaginary);
}

static hlo_scalar inverse_hyperbolic_sine(double x, double y) { return swapped(arc_sine(y, x)); }

static hlo_scalar inverse_hyperbolic_cosine(double x, double y) {
  hlo_scalar a = arc_cosine(x, y);
  return make(fabs(a.im), copysign(a.f, y));
}

/* For x >= 0, atanh z = log1p(4x / ((1 - x)^2 + y^2)) / 4 + i atan2(2y, 1 - x^2 - y^2) / 2. */
static hlo_scalar inverse_hyperbolic_tangent_right(double x, double y) {
  if (is_huge(x, y)) {
    int exponent = hlo_cdd_exponent(x, y);
    double right = ldexp(x, -exponent), up = ldexp(y, -exponent);
    return make(ldexp(right / (right * right + up * up), -exponent), copysign(pi / 2, y));
  }
  if (x == 1 && fabs(y) < 0x1p-400) return make((log(2) - log(fabs(y))) / 2, y == 0 ? y : copysign(pi / 4, y));
  hlo_dd xx = hlo_dd_product(x, x), yy = hlo_dd_product(y, y);
  hlo_dd norm = hlo_dd_add(hlo_dd_square(hlo_dd_sum(1, -x)), yy);
  hlo_dd below = hlo_dd_total((double[]){1, -xx[0], -xx[1], -yy[0], -yy[1]}, 5);
  double real = is_far_smaller(x, norm[0]) ? x / hlo_dd_round(norm)
                                            : hlo_dd_round(hlo_dd_log1p(hlo_dd_divide(hlo_dd_from(4 * x), norm))) / 4;
  return make(real, hlo_dd_round(hlo_dd_atan2(hlo_dd_from(2 * y), below)) / 2);
}

static hlo_scalar inverse_hyperbolic_tangent(double x, double y) {
  if (isinf(x) || isinf(y)) return make(copysign(0, x), isnan(y) ? y : copysign(pi / 2, y));
  if (isnan(x) || isnan(y)) return make(x == 0 ? x : NAN, NAN);
  hlo_scalar result = inverse_hyperbolic_tangent_right(fabs(x), y);
  return make(copysign(result.f, x), result.im);
}

static hlo_scalar arc_tangent(double x, double y) { return swapped(inverse_hyperbolic_tangent(y, x)); }

/* Returns re sqrt(1 - z^2) + i |im asin z|. For huge z, sqrt(1 - z^2) is about -i z or i z. */
static hlo_scalar asin_acos_kernel(double x, double y) {
  double imaginary = fabs(arc_sine(x, y).im);
  if (!is_finite(x, y) || is_huge(x, y)) return make(fabs(y), imaginary);
  roots r = roots_of(x, y);
  return make(hlo_dd_round(cross(r.minus.re, r.plus.re, r.minus.im, r.plus.im)), imaginary);
}

/* ---- The rest ---- */

/* z^2 = (x - y) (x + y) + i 2 x y. The smaller part is doubled, as twice the larger may overflow where the product does not. */
static hlo_scalar square(double x, double y) {
  double imaginary = fabs(x) < fabs(y) ? 2 * x * y : x * (2 * y);
  if (!is_finite(x, y) || is_zero(x, y)) return make(fabs(x) == fabs(y) ? 0 * x * y : (x - y) * (x + y), imaginary);
  int exponent = hlo_cdd_exponent(x, y);
  double a = ldexp(x, -exponent), b = ldexp(y, -exponent);
  return make(ldexp((a - b) * (a + b), 2 * exponent), imaginary);
}

static hlo_scalar sign(double x, double y) {
  if (isnan(x) || isnan(y)) return no_value();
  if (is_zero(x, y)) return make(x, y);
  if (!is_finite(x, y)) return make(x / INFINITY, y / INFINITY);
  int exponent = hlo_cdd_exponent(x, y);
  hlo_cdd scaled = hlo_cdd_scaled(x, y, exponent);
  hlo_dd size = hlo_dd_sqrt(hlo_cdd_norm(scaled));
  return rounded((hlo_cdd){hlo_dd_divide(scaled.re, size), hlo_dd_divide(scaled.im, size)});
}

hlo_scalar hlo_complex_function(hlo_opcode opcode, hlo_scalar z) {
  static complex_function *const functions[HLO_OPCODE_COUNT] = {
      [HLO_OP_ACOS] = arc_cosine,
      [HLO_OP_ACOSH] = inverse_hyperbolic_cosine,
      [HLO_OP_ASIN] = arc_sine,
      [HLO_OP_ASINH] = inverse_hyperbolic_sine,
      [HLO_OP_ASIN_ACOS_KERNEL] = asin_acos_kernel,
      [HLO_OP_ATAN] = arc_tangent,
      [HLO_OP_ATANH] = inverse_hyperbolic_tangent,
      [HLO_OP_CBRT] = cube_root,
      [HLO_OP_COSH] = hyperbolic_cosine,
      [HLO_OP_COSINE] = cosine,
      [HLO_OP_EXPONENTIAL] = exponential,
      [HLO_OP_EXPONENTIAL_MINUS_ONE] = exponential_minus_one,
      [HLO_OP_LOG] = logarithm,
      [HLO_OP_LOG_PLUS_ONE] = log_plus_one,
      [HLO_OP_LOGISTIC] = logistic,
      [HLO_OP_RSQRT] = reciprocal_square_root,
      [HLO_OP_SIGN] = sign,
      [HLO_OP_SINE] = sine,
      [HLO_OP_SINH] = hyperbolic_sine,
      [HLO_OP_SQRT] = square_root,
      [HLO_OP_SQUARE] = square,
      [HLO_OP_TAN] = tangent,
      [HLO_OP_TANH] = hyperbolic_tangent,
  };
  return functions[opcode] ? functions[opcode](z.f, z.im) : z;
}
