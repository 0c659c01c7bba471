/* Functions that follow in a few lines from exp, log, pow, sin and cos, or need none of them. */
#include <math.h>
#include <stdbool.h>

#include "numbers/elementary.h"
#include "numbers/pair.h"
#include "numbers/two_sum.h"

/* ---- From exp and log ---- */

/* Computes log u for u = 1 + x rounded, and adds the effect of that rounding. */
hlo_pair hlo_log1p_pair(hlo_pair x) {
  hlo_pair u = 1 + x, log = hlo_log_pair(u);
  log = HLO_PAIR_WHERE((u > 0) & (u < INFINITY), log - ((u - 1) - x) / u, log);
  return HLO_PAIR_WHERE(x == 0, x, log);
}

hlo_pair hlo_tanh_pair(hlo_pair x) {
  hlo_pair size = hlo_pair_abs(x), less_one = hlo_expm1_pair(hlo_pair_least(size + size, hlo_pair_of(44)));
  return hlo_pair_signed(less_one / (less_one + 2), x);
}

/* e^x / (1 + e^x) keeps the tail of large negative x that 1 / (1 + e^-x) loses. */
hlo_pair hlo_logistic_pair(hlo_pair x) {
  const hlo_pair one = {1, 1};
  hlo_pair power = hlo_exp_pair(HLO_PAIR_WHERE(x > 0, -x, x));
  return HLO_PAIR_WHERE(x < 0, power, one) / (1 + power);
}

double hlo_log1p(double x) { return HLO_LANE_OF_PAIR(hlo_log1p, x); }
double hlo_tanh(double x) { return HLO_LANE_OF_PAIR(hlo_tanh, x); }

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

/* The arc tangent of q, 0 <= q <= 1: that of c, the nearest of nine numbers, and that of (q - c) / (1 + q c). */
static hlo_pair angle_of(hlo_pair q) {
  /* of c = i/8; what a NaN takes is there, too */
  static const double angles[16] = {0x0p+0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3, 0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2,
                                    0x1.1e00babdefeb4p-1, 0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1};
  hlo_pair rounded = q + 0x1.8p49, c = rounded - 0x1.8p49;
  hlo_pair_bits n = (hlo_pair_bits)rounded & 15;
  hlo_pair t = (q - c) / (1 + q * c), square = t * t;
  hlo_pair series = square * (-1 / 3. + square * (1 / 5. + square * (-1 / 7. + square * (1 / 9. + square * (-1 / 11. + square * (1 / 13.))))));
  return (hlo_pair){angles[n[0]], angles[n[1]]} + (t + t * series);
}

hlo_pair hlo_atan2_pair(hlo_pair y, hlo_pair x) {
  const hlo_pair zero = {0, 0}, one = {1, 1};
  hlo_pair up = hlo_pair_abs(y), along = hlo_pair_abs(x);
  hlo_pair_bits steep = (hlo_pair_bits)(up > along), turned = 0 - ((hlo_pair_bits)x >> 63), flipped = (steep ^ turned) & ~(uint64_t)INT64_MAX;
  hlo_pair quotient = HLO_PAIR_WHERE(steep, along, up) / HLO_PAIR_WHERE(steep, up, along);
  hlo_pair angle = angle_of(HLO_PAIR_WHERE(up == along, HLO_PAIR_WHERE(up > 0, one, zero), quotient));
  hlo_pair quarters = HLO_PAIR_WHERE(steep, one, HLO_PAIR_WHERE(turned, one + 1, zero));
  angle = quarters * 0x1.1a62633145c07p-54 + (hlo_pair)((hlo_pair_bits)angle ^ flipped);
  return hlo_pair_signed(quarters * 0x1.921fb54442d18p+0 + angle, y);
}

double hlo_atan2(double y, double x) { return HLO_LANE_OF_PAIRS(hlo_atan2, y, x); }

/* ---- Without rounding ---- */

/* Long division: at each step, the remainder is less than twice the multiple of y that is subtracted next. */
double hlo_fmod(double x, double y) {
  double rest = fabs(x), part = fabs(y);
  if (!(rest < INFINITY && part > 0)) return NAN;
  if (part <= rest) {
    double least = part;
    while (part + part <= rest) part += part;
    for (; part >= least; part /= 2)
      if (rest >= part) rest -= part;
  }
  return copysign(rest, x);
}

/* Subtracts a whole number of parts, the nearest: their product has two doubles. */
hlo_pair hlo_fmod_pair(hlo_pair x, hlo_pair y) {
  static const struct fmod_constants {
    double rounder, most_count, least, most; /* least, most: of parts; no product of digits underflows, or is infinite */
  } constants = {0x1p52, 0x1p48, 0x1p-900, 0x1p900};
  const struct fmod_constants *k = &constants;
  HLO_PAIR_HIDE(k)
  hlo_pair size = hlo_pair_abs(x), part = hlo_pair_abs(y), count = (size / part + k->rounder) - k->rounder;
  hlo_pair_bits ordinary = (hlo_pair_bits)((part > k->least) & (part < k->most) & (count < k->most_count));
  if (!(ordinary[0] & ordinary[1])) return (hlo_pair){hlo_fmod(x[0], y[0]), hlo_fmod(x[1], y[1])};
  hlo_pair product = count * part, count_hi = hlo_pair_upper(count), part_hi = hlo_pair_upper(part), count_lo = count - count_hi, part_lo = part - part_hi;
  hlo_pair rest = (size - product) - (((count_hi * part_hi - product) + count_hi * part_lo + count_lo * part_hi) + count_lo * part_lo);
  return hlo_pair_signed(rest + (hlo_pair)((hlo_pair_bits)(rest < 0) & (hlo_pair_bits)part), x);
}

double hlo_round(double x) {
  double size = fabs(x), whole = trunc(size);
  return copysign(whole + (size - whole >= 0.5), x);
}

/* The C library's names, so that its own functions call these too. */
#ifdef __wasm__
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
