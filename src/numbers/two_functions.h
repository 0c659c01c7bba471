/* Powers of e, and sines with cosines, in two doubles: to 66 bits or more, so that what is made of them in a few steps is right to the last bit or nearly.
 *
 * Powers are e^x = 2^(n/16) e^r (exp_roots.h), and the angle r is what multiples of pi/32 leave of x. Of the series of r, terms that f64 would
 * cut within 66 bits are summed in two doubles. tests/unit/numbers/math_coefficients.py prints the table of sines. */
#ifndef HLO_NUMBERS_TWO_FUNCTIONS_H
#define HLO_NUMBERS_TWO_FUNCTIONS_H

#include <math.h>
#include <string.h>

#include "numbers/exp_roots.h"
#include "numbers/two_sum.h"

#define HLO_TWO_INLINE static inline __attribute__((always_inline))

HLO_TWO_INLINE hlo_two hlo_two_of(double x) { return (hlo_two){x, 0}; }
HLO_TWO_INLINE hlo_two hlo_two_negate(hlo_two a) { return (hlo_two){-a.hi, -a.lo}; }
/* a times a power of two. */
HLO_TWO_INLINE hlo_two hlo_two_scale(hlo_two a, double scale) { return (hlo_two){a.hi * scale, a.lo * scale}; }

HLO_TWO_INLINE hlo_two hlo_two_add(hlo_two a, hlo_two b) {
  hlo_two sum = hlo_two_sum(a.hi, b.hi);
  return hlo_two_normalise(sum.hi, sum.lo + (a.lo + b.lo));
}
HLO_TWO_INLINE hlo_two hlo_two_subtract(hlo_two a, hlo_two b) { return hlo_two_add(a, hlo_two_negate(b)); }

HLO_TWO_INLINE hlo_two hlo_two_multiply(hlo_two a, hlo_two b) {
  hlo_two product = hlo_two_product(a.hi, b.hi);
  return hlo_two_normalise(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* Returns a / b, rounded; almost always as if once. inverse: 1 / b.hi */
HLO_TWO_INLINE double hlo_two_quotient(hlo_two a, hlo_two b, double inverse) {
  double quotient = a.hi * inverse;
  hlo_two product = hlo_two_product(quotient, b.hi);
  return quotient + (((a.hi - product.hi) - product.lo) + (a.lo - quotient * b.lo)) * inverse;
}

HLO_TWO_INLINE hlo_two hlo_two_sqrt(hlo_two a) {
  double root = sqrt(a.hi);
  hlo_two square = hlo_two_product(root, root);
  return hlo_two_normalise(root, (((a.hi - square.hi) - square.lo) + a.lo) / (2 * root));
}

/* ---- Powers of e ---- */

/* (root + rest) * scale. */
typedef struct hlo_two_power {
  double root, scale; /* root: 2^(n/16), in its first 53 bits */
  hlo_two rest;
} hlo_two_power;

HLO_TWO_INLINE double hlo_two_scale_of(int exponent) {
  long long bits = (long long)(1023 + exponent) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof bits);
  return scale;
}

/* Returns e^x. Requires |x| < 700. */
HLO_TWO_INLINE hlo_two_power hlo_two_exp(hlo_two x) {
  double n = rint(x.hi * 0x1.71547652b82fep+4);
  hlo_two r = hlo_two_sum(x.hi - n * 0x1.62e42fefap-5, x.lo - n * 0x1.cf79abc9e3b3ap-44);
  hlo_two half = hlo_two_scale(hlo_two_product(r.hi, r.hi), 0.5), sum = hlo_two_normalise(r.hi, half.hi);
  double series = 1. / 6 + r.hi * (1. / 24 + r.hi * (1. / 120 + r.hi * (1. / 720 + r.hi * (1. / 5040 + r.hi * (1. / 40320)))));
  double less = half.lo + (r.lo + r.hi * r.lo) + r.hi * r.hi * r.hi * series;
  int count = (int)n;
  double root = hlo_exp_roots[count & 15].root, rest = hlo_exp_roots[count & 15].rest;
  hlo_two_power power = {.root = root, .scale = hlo_two_scale_of(count >> 4), .rest = hlo_two_product(root, sum.hi)};
  power.rest = hlo_two_normalise(power.rest.hi, power.rest.lo + root * (sum.lo + less + rest * (1 + sum.hi)));
  return power;
}

/* The power without its scale. */
HLO_TWO_INLINE hlo_two hlo_two_of_power(hlo_two_power p) {
  hlo_two sum = hlo_two_normalise(p.root, p.rest.hi);
  return (hlo_two){sum.hi, sum.lo + p.rest.lo};
}

/* The power less 1, to as many bits of what is left. */
HLO_TWO_INLINE hlo_two hlo_two_less_one(hlo_two_power p) {
  hlo_two whole = hlo_two_sum(p.root * p.scale, -1);
  return hlo_two_add(whole, hlo_two_scale(p.rest, p.scale));
}

/* The same in one double. */
typedef struct hlo_one_power {
  double value, less_one;
} hlo_one_power;

HLO_TWO_INLINE hlo_one_power hlo_one_exp(double x) {
  double n = rint(x * 0x1.71547652b82fep+4), r = (x - n * 0x1.62e42fefap-5) - n * 0x1.cf79abc9e3b3ap-44;
  double less = r + r * r * (1. / 2 + r * (1. / 6 + r * (1. / 24 + r * (1. / 120 + r * (1. / 720)))));
  int count = (int)n;
  double scaled = hlo_exp_roots[count & 15].root * hlo_two_scale_of(count >> 4), rest = scaled * less;
  return (hlo_one_power){scaled + rest, (scaled - 1) + rest};
}

/* ---- Angles ---- */

typedef struct hlo_two_turn {
  hlo_two sine, cosine;
} hlo_two_turn;

/* sin(j pi / 32). */
static const hlo_two hlo_two_sines[17] = {
    {0, 0}, {0x1.917a6bc29b42cp-4, -0x1.e2718d26ed688p-60}, {0x1.8f8b83c69a60bp-3, -0x1.26d19b9ff8d82p-57},
    {0x1.294062ed59f06p-2, -0x1.5d28da2c4612dp-56}, {0x1.87de2a6aea963p-2, -0x1.72cedd3d5a61p-57},
    {0x1.e2b5d3806f63bp-2, 0x1.e0d891d3c6841p-58}, {0x1.1c73b39ae68c8p-1, 0x1.b25dd267f66p-55},
    {0x1.44cf325091dd6p-1, 0x1.8076a2cfdc6b3p-57}, {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55},
    {0x1.8bc806b151741p-1, -0x1.2c5e12ed1336dp-55}, {0x1.a9b66290ea1a3p-1, 0x1.9f630e8b6dac8p-60},
    {0x1.c38b2f180bdb1p-1, -0x1.6e0b1757c8d07p-56}, {0x1.d906bcf328d46p-1, 0x1.457e610231ac2p-56},
    {0x1.e9f4156c62ddap-1, 0x1.760b1e2e3f81ep-55}, {0x1.f6297cff75cbp-1, 0x1.562172a361fd3p-56},
    {0x1.fd88da3d12526p-1, -0x1.87df6378811c7p-55}, {1, 0}};

/* Returns the sine and the cosine of an angle. Requires that it is less than 2^15, so that multiples of three parts of pi/32 are exact. */
HLO_TWO_INLINE hlo_two_turn hlo_two_sincos(hlo_two x) {
  double n = rint(x.hi * 0x1.45f306dc9c883p+3);
  hlo_two first = hlo_two_sum(x.hi - n * 0x1.921fb54p-4, -n * 0x1.10b46118p-34), second = hlo_two_sum(first.hi, -n * 0x1.313198ap-65);
  hlo_two r = hlo_two_normalise(second.hi, first.lo + second.lo - n * 0x1.701b839a25205p-96 + x.lo);
  int count = (int)n, part = count & 15;
  hlo_two s = hlo_two_sines[part], c = hlo_two_sines[16 - part], square = hlo_two_product(r.hi, r.hi);
  hlo_two half = {square.hi / 2, square.lo / 2 + r.hi * r.lo}; /* of r^2 */
  double z = square.hi;
  double along = r.hi * z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880)))); /* sin r - r */
  double across = z * z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 + z * (-1. / 3628800)))); /* cos r - 1 + r^2 / 2 */
  hlo_two cr = hlo_two_product(c.hi, r.hi), sh = hlo_two_product(s.hi, half.hi), sr = hlo_two_product(s.hi, r.hi), ch = hlo_two_product(c.hi, half.hi);
  hlo_two sine = hlo_two_sum(s.hi, cr.hi), more = hlo_two_sum(sine.hi, -sh.hi);
  sine = hlo_two_normalise(more.hi, more.lo + sine.lo + (cr.lo - sh.lo + s.lo * (1 - half.hi) + c.hi * (r.lo + along) + c.lo * r.hi + s.hi * (across - half.lo)));
  hlo_two cosine = hlo_two_sum(c.hi, -sr.hi), less = hlo_two_sum(cosine.hi, -ch.hi);
  cosine = hlo_two_normalise(less.hi, less.lo + cosine.lo + (c.lo * (1 - half.hi) - sr.lo - ch.lo - s.hi * (r.lo + along) - s.lo * r.hi + c.hi * (across - half.lo)));
  hlo_two_turn turn = {sine, cosine};
  if (count & 16) turn = (hlo_two_turn){cosine, hlo_two_negate(sine)};
  if (count & 32) turn = (hlo_two_turn){hlo_two_negate(turn.sine), hlo_two_negate(turn.cosine)};
  return turn;
}

/* The same in one double. */
typedef struct hlo_one_turn {
  double sine, cosine;
} hlo_one_turn;

HLO_TWO_INLINE hlo_one_turn hlo_one_sincos(double x) {
  double n = rint(x * 0x1.45f306dc9c883p+3), r = ((x - n * 0x1.921fb54p-4) - n * 0x1.10b46118p-34) - n * 0x1.313198ap-65, z = r * r;
  int count = (int)n, part = count & 15;
  double s = hlo_two_sines[part].hi, c = hlo_two_sines[16 - part].hi;
  double along = r + r * z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040))), across = z * (-1. / 2 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320))));
  double sine = s + (c * along + s * across), cosine = c + (c * across - s * along);
  hlo_one_turn turn = {sine, cosine};
  if (count & 16) turn = (hlo_one_turn){cosine, -sine};
  if (count & 32) turn = (hlo_one_turn){-turn.sine, -turn.cosine};
  return turn;
}

#endif
