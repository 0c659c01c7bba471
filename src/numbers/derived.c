/* Functions that follow in a few lines from exp, log, pow, sin and cos, or need none of them. */
#include <math.h>
#include <stdbool.h>

#include "numbers/elementary.h"
#include "numbers/two_sum.h"

/* ---- From exp and log ---- */

/* For small x, where e^x - 1 would cancel, expm1 is the series x + x^2/2 + x^3/6 + ... */
double hlo_expm1(double x) {
  if (!(fabs(x) < 1)) return hlo_exp(x) - 1;
  if (x == 0) return x;
  double rest = 0;
  for (int n = 20; n > 1; n--) rest = (x / n) * (1 + rest);
  return x + x * rest;
}

/* Computes log u for u = 1 + x rounded, and adds the effect of that rounding. */
double hlo_log1p(double x) {
  double u = 1 + x, log = hlo_log(u);
  return x == 0 ? x : u > 0 && u < INFINITY ? log - ((u - 1) - x) / u : log;
}

double hlo_tanh(double x) {
  double size = fabs(x), less_one = hlo_expm1(2 * size);
  return copysign(size < 0.5 ? less_one / (less_one + 2) : 1 - 2 / (less_one + 2), x);
}

/* A rough root, and one step of Newton's method. */
double hlo_cbrt(double x) {
  double size = fabs(x), root = hlo_exp(hlo_log(size) / 3);
  return root > 0 && root < INFINITY ? copysign(root - (root - size / (root * root)) / 3, x) : x;
}

/* ---- The error function ---- */

/* Requires |x| < 0.5: the series 2 / sqrt(pi) sum (-1)^n x^(2n+1) / (n! (2n+1)). */
static double erf_near_zero(double x) {
  double square = x * x, rest = 0;
  for (int n = 13; n > 0; n--) rest = square * ((1 - 2 * n) / (n * (2 * n + 1.0))) * (1 + rest);
  hlo_two first = hlo_two_product(0x1.20dd750429b6dp+0, x);
  return first.hi + (first.lo + first.hi * rest);
}

/* Requires x >= 0.5: integrates 2 x e^(-x^2-t^2) / pi / (x^2 + t^2) over t > 0 by trapezoids of width h, and adds the residues
 * at the poles +-ix (C. Chiarella, A. Reichel, "On the evaluation of integrals related to the error function", 1968). The
 * error is e^(-pi^2/h^2). h is chosen so that e^(-h^2) = 13/16, the first powers of which are exact in a double. */
static double erfc_far(double x) {
  hlo_two square = hlo_two_product(x, x);
  double power = hlo_exp(-square.hi), weight = 1, ratio = 13. / 16, sum = 0.5 / square.hi, lost = 0;
  for (int n = 1; n < 15; n++) {
    weight *= ratio, ratio *= 13. / 16 * 13 / 16;
    double term = weight / (n * n * 0x1.a93ed3c8ad9e3p-3 + square.hi), more = sum + term, part = more - sum;
    lost += (sum - (more - part)) + (term - part);
    sum = more;
  }
  hlo_two scale = hlo_two_product(0x1.290dbd74b1b00p-2, x), whole = hlo_two_product(scale.hi, sum);
  double rest = whole.lo + scale.lo * sum + scale.hi * lost - whole.hi * (square.lo + square.lo / square.hi);
  double result = whole.hi * power + rest * power;
  return x < 7 ? result - 2 / (hlo_exp(0x1.b93d78f5f3264p+3 * x) - 1) : result;
}

double hlo_erfc(double x) {
  double size = fabs(x);
  if (size < 0.5) return 1 - erf_near_zero(x);
  double tail = size < 28 ? erfc_far(size) : 0 / size;
  return x < 0 ? 2 - tail : tail;
}

double hlo_erf(double x) {
  double size = fabs(x);
  return copysign(size < 0.5 ? erf_near_zero(size) : 1 - hlo_erfc(size), x);
}

/* ---- Angles ---- */

/* The arc tangent of q, 0 <= q <= 1: a rough angle, and the small angle that is missing, from its own tangent. */
static double angle_of(double q) {
  double angle = q / (1 + 0.28125 * q * q), sine = hlo_sin(angle), cosine = hlo_cos(angle);
  hlo_two up = hlo_two_product(q, cosine);
  double tangent = (up.hi - sine + up.lo) / (cosine + q * sine), square = tangent * tangent;
  return angle + tangent * (1 - square * (1 / 3.0 - square / 5));
}

double hlo_atan2(double y, double x) {
  double up = fabs(y), along = fabs(x);
  bool steep = up > along, turned = signbit(x);
  double angle = angle_of(steep ? along / up : up == along ? up != 0 : up / along), quarters = steep ? 1 : turned ? 2 : 0;
  angle = quarters * 0x1.1a62633145c07p-54 + (steep != turned ? -angle : angle);
  return copysign(quarters * 0x1.921fb54442d18p+0 + angle, y);
}

/* ---- Without rounding ---- */

/* Long division: at each step, the remainder is less than twice the multiple of y that is subtracted next. */
double hlo_fmod(double x, double y) {
  double rest = fabs(x), part = fabs(y);
  if (!(rest < INFINITY && part > 0)) return NAN;
  if (part <= rest) {
    double least = part;
    for (part = ldexp(least, ilogb(rest) - ilogb(least)); part >= least; part /= 2)
      if (rest >= part) rest -= part;
  }
  return copysign(rest, x);
}

double hlo_round(double x) {
  double size = fabs(x), whole = trunc(size);
  return copysign(whole + (size - whole >= 0.5), x);
}

/* The C library's names, so that its own functions call these too. */
#ifdef __wasm__
double expm1(double x) { return hlo_expm1(x); }
double log1p(double x) { return hlo_log1p(x); }
double tanh(double x) { return hlo_tanh(x); }
double cbrt(double x) { return hlo_cbrt(x); }
double erf(double x) { return hlo_erf(x); }
double erfc(double x) { return hlo_erfc(x); }
double atan(double x) { return hlo_atan2(x, 1); }
double atan2(double y, double x) { return hlo_atan2(y, x); }
double fmod(double x, double y) { return hlo_fmod(x, y); }
float fmodf(float x, float y) { return (float)hlo_fmod(x, y); }
double round(double x) { return hlo_round(x); }
#endif
