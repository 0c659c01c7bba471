/* Special functions: by series where these converge fast; elsewhere shifted to large arguments, and by asymptotic expansions.
 *
 * M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions: 6.1, 6.3, 6.4 (gamma, digamma, polygamma), 9.6, 9.7 (Bessel),
 * 23.1, 23.2 (Bernoulli numbers, Euler-Maclaurin, zeta). */
#include "numbers/scalar_special.h"

#include <math.h>

#include "numbers/double_double.h"

static const hlo_dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* The Bernoulli numbers B2, B4, ... */
enum { BERNOULLI_COUNT = 12 };
static const struct {
  double over, under;
} bernoulli[BERNOULLI_COUNT] = {
    {1, 6}, {-1, 30}, {1, 42}, {-1, 30}, {5, 66}, {-691, 2730}, {7, 6}, {-3617, 510}, {43867, 798}, {-174611, 330},
    {854513, 138}, {-236364091, 2730},
};

static bool is_whole(double x) { return x == floor(x); }
static bool is_even(double x) { return fmod(x, 2) == 0; }

/* ---- Bessel ---- */

/* I1(x) = x/2 sum (x^2/4)^k / (k! (k+1)!); no term is negative, so nothing cancels. */
static double bessel_series(double x) {
  hlo_dd square = hlo_dd_scale(hlo_dd_product(x, x), -2), term = hlo_dd_from(x / 2), sum = term;
  for (int k = 1; term[0] > sum[0] * 0x1p-60; k++) {
    term = hlo_dd_divide(hlo_dd_multiply(term, square), hlo_dd_from((double)k * (k + 1)));
    sum = hlo_dd_add(sum, term);
  }
  return hlo_dd_round(sum);
}

/* The expansion (1 - 3/(8x) + 3(-5)/(2! (8x)^2) - ...) / sqrt(2 pi x) for large x; the sum here leaves out the 1. */
static double bessel_asymptotic(double x) {
  double term = 1, rest = 0;
  for (int k = 1; k < 60 && fabs(term) > 0x1p-60; k++) {
    double odd = 2 * k - 1;
    rest += term *= -(4 - odd * odd) / (8 * k * x);
  }
  return (1 + rest) / sqrt(2 * pi[0] * x);
}

double hlo_bessel_i1e(double x) {
  double size = fabs(x);
  if (isnan(x) || x == 0) return x;
  return copysign(isinf(x) ? 0 : size < 22 ? bessel_series(size) * exp(-size) : bessel_asymptotic(size), x);
}

/* ---- Gamma ---- */

enum { FAR = 24 }; /* from here on Stirling's series is as exact as double-doubles are */

/* The rest of log gamma beyond Stirling's formula, sum B2k / (2k (2k - 1)) x^(1 - 2k); or the derivative of that rest. */
static hlo_dd stirling_rest(hlo_dd inverse, bool derivative) {
  hlo_dd square = hlo_dd_square(inverse), power = derivative ? hlo_dd_negate(square) : inverse, sum = hlo_dd_from(0);
  for (int k = 0; k < BERNOULLI_COUNT; k++, power = hlo_dd_multiply(power, square)) {
    double under = bernoulli[k].under * (2 * k + 2) * (derivative ? 1 : 2 * k + 1);
    sum = hlo_dd_add(sum, hlo_dd_multiply(hlo_dd_divide(hlo_dd_from(bernoulli[k].over), hlo_dd_from(under)), power));
  }
  return sum;
}

/* Requires x > 0: ln y - 1/(2y) + the rest at y = x + n, less 1/x + ... + 1/(x + n - 1). */
static hlo_dd digamma_right(hlo_dd x) {
  hlo_dd one = hlo_dd_from(1), sum = hlo_dd_from(0);
  for (; x[0] < FAR; x = hlo_dd_add(x, one)) sum = hlo_dd_subtract(sum, hlo_dd_divide(one, x));
  hlo_dd inverse = hlo_dd_divide(one, x);
  sum = hlo_dd_subtract(hlo_dd_add(sum, hlo_dd_log(x)), hlo_dd_scale(inverse, -1));
  return hlo_dd_add(sum, stirling_rest(inverse, true));
}

/* Requires x > 0: (y - 1/2) ln y - y + ln(2 pi) / 2 + the rest at y = x + n, less ln(x ... (x + n - 1)). */
static hlo_dd lgamma_right(hlo_dd x) {
  hlo_dd one = hlo_dd_from(1), product = one;
  for (; x[0] < FAR; x = hlo_dd_add(x, one)) product = hlo_dd_multiply(product, x);
  hlo_dd sum = hlo_dd_multiply(hlo_dd_add(x, hlo_dd_from(-0.5)), hlo_dd_log(x));
  sum = hlo_dd_add(hlo_dd_subtract(sum, x), hlo_dd_scale(hlo_dd_log(hlo_dd_scale(pi, 1)), -1));
  return hlo_dd_subtract(hlo_dd_add(sum, stirling_rest(hlo_dd_divide(one, x), false)), hlo_dd_log(product));
}

/* Returns pi times the distance of x to the nearest whole number. */
static hlo_dd angle_of(double x) { return hlo_dd_times(pi, x - floor(x + 0.5)); }

/* For x < 0.5 by reflection: digamma(1 - x) - pi / tan(pi x). */
static double digamma_left(double x) {
  hlo_dd sine, cosine, angle = angle_of(x);
  if (fabs(angle[0]) < 0x1p-300) return -pi[0] / angle[0];
  hlo_dd_sincos(angle, &sine, &cosine);
  hlo_dd cotangent = hlo_dd_divide(hlo_dd_multiply(pi, cosine), sine);
  return hlo_dd_round(hlo_dd_subtract(digamma_right(hlo_dd_sum(1, -x)), cotangent));
}

/* For negative x by reflection: ln |pi / sin(pi x)| - lgamma(1 - x). */
static double lgamma_left(double x) {
  if (x > -0x1p-300) return -log(-x);
  hlo_dd sine, cosine, angle = angle_of(x);
  hlo_dd_sincos(angle[0] < 0 ? hlo_dd_negate(angle) : angle, &sine, &cosine);
  hlo_dd logarithm = hlo_dd_subtract(hlo_dd_log(pi), hlo_dd_log(sine));
  return hlo_dd_round(hlo_dd_subtract(logarithm, lgamma_right(hlo_dd_sum(1, -x))));
}

double hlo_digamma(double x) {
  if (isnan(x) || (x <= 0 && is_whole(x))) return NAN;
  if (x > 1e300) return log(x);
  return x < 0.5 ? digamma_left(x) : hlo_dd_round(digamma_right(hlo_dd_from(x)));
}

/* Beside its zeros 1 and 2, lgamma is the distance to the zero times the slope halfway there. */
double hlo_lgamma(double x) {
  double from_zero = x - (x < 1.5 ? 1 : 2);
  if (isnan(x)) return x;
  if (x <= 0 && is_whole(x)) return INFINITY;
  if (x > 1e290) return x * (log(x) - 1);
  if (fabs(from_zero) < 0x1p-27) return 0 + from_zero * hlo_dd_round(digamma_right(hlo_dd_sum(x, -from_zero / 2)));
  return x < 0 ? lgamma_left(x) : hlo_dd_round(lgamma_right(hlo_dd_from(x)));
}

/* ---- Inverse error function ---- */

/* S. Winitzki's approximation (2008), which is right to 0.2 %, then Halley's iteration, which cubes the error. */
double hlo_erf_inv(double x) {
  const double a = 0.147;
  double size = fabs(x);
  if (size == 1) return x * INFINITY;
  if (!(size < 1)) return NAN;
  if (size < 0x1p-30) return x * sqrt(pi[0]) / 2;
  double l = log1p(-size) + log1p(size), t = 2 / (pi[0] * a) + l / 2;
  double y = sqrt(sqrt(t * t - l / a) - t);
  for (int i = 0; i < 3; i++) {
    double error = size < 0.5 ? erf(y) - size : (1 - size) - erfc(y);
    double step = error / (2 / sqrt(pi[0]) * exp(-y * y));
    y -= step / (1 + y * step);
  }
  return copysign(y, x);
}

/* ---- Zeta ---- */

/* Returns q^-x for q = hi + lo. */
static double power(hlo_dd q, double x) { return pow(q[0], -x) * (1 - x * (q[1] / q[0])); }

/* Requires q > 0: sums the terms up to q + n, where n is large enough for the Euler-Maclaurin formula to give the rest. */
static double zeta_right(double x, double q) {
  double sum = 0, error = 0, enough = 12 + x / 3;
  hlo_dd at = hlo_dd_from(q);
  for (int k = 1; at[0] < enough; k++) {
    double term = power(at, x), before = sum;
    sum += term;
    error += term - (sum - before);
    if (isinf(sum) || term <= sum * 0x1p-70) return sum; /* "or equal": both may be 0 */
    at = hlo_dd_sum(q, k);
  }
  double last = power(at, x), rest = last * at[0] / (x - 1) + last / 2, factor = x * last / at[0];
  for (int k = 0; k < BERNOULLI_COUNT; k++) {
    double term = bernoulli[k].over / bernoulli[k].under * (factor /= (2. * k + 1) * (2. * k + 2));
    rest += term;
    if (!(fabs(term) > fabs(rest) * 0x1p-60)) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2) / (at[0] * at[0]);
  }
  return sum + (error + rest);
}

/* Requires q < 0 between two whole numbers, and x whole. The terms with a negative base are (-1)^x times terms of positive
 * bases, and these are a difference of two zetas. */
static double zeta_left(double x, double q) {
  double distance = -q - floor(-q);
  double left = zeta_right(x, distance) - zeta_right(x, 1 - q);
  return (is_even(x) ? left : -left) + zeta_right(x, 1 - distance);
}

double hlo_zeta(double x, double q) {
  if (isnan(x) || isnan(q) || x < 1) return NAN;
  if (x == 1) return INFINITY;
  if (q <= 0) {
    if (is_whole(q)) return is_even(x) ? INFINITY : NAN;
    if (!is_whole(x)) return NAN;
  }
  if (isinf(q)) return 0;
  if (isinf(x)) return q > 1 ? 0 : q == 1 ? 1 : q > 0 ? INFINITY : NAN;
  return q > 0 ? zeta_right(x, q) : zeta_left(x, q);
}

/* polygamma(n, x) = (-1)^(n+1) n! zeta(n + 1, x). */
double hlo_polygamma(double n, double x) {
  if (isnan(n) || isnan(x) || n < 0 || !is_whole(n)) return NAN;
  if (n == 0) return hlo_digamma(x);
  double zeta = hlo_zeta(n + 1, x), size = copysign(exp(hlo_lgamma(n + 1) + log(fabs(zeta))), zeta);
  if (n < 170) {
    hlo_dd factorial = hlo_dd_from(1);
    for (int k = 2; k <= n; k++) factorial = hlo_dd_times(factorial, k);
    size = factorial[0] * zeta;
  }
  return is_even(n) ? -size : size;
}

/* ---- Neighbours ---- */

double hlo_next_after(hlo_type type, double x, double y) {
  if (isnan(x) || isnan(y)) return NAN;
  if (x == y) return y;
  if (x == 0) return copysign(hlo_float_decode(type, 1), y);
  uint64_t bits = hlo_float_encode(type, fabs(x));
  bool outwards = x > 0 ? y > x : y < x;
  return copysign(hlo_float_decode(type, outwards ? bits + 1 : bits - 1), x);
}
