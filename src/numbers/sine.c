/* Sine, cosine and tangent: quarter turns are subtracted from the angle, then polynomials take what is left.
 *
 * What is left is at most an eighth of a turn, in two doubles. Multiples of pi/2, in four parts, are subtracted from moderate
 * angles. Large angles are multiplied by those digits of 2/pi that matter (M. H. Payne, R. N. Hanek, "Radian reduction for
 * trigonometric functions", SIGNUM 18, 1983). tests/unit/numbers/math_coefficients.py fits the polynomials. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "numbers/elementary.h"
#include "numbers/two_sum.h"

static const double half_pi_hi = 0x1.921fb54442d18p+0, half_pi_lo = 0x1.1a62633145c07p-54;

/* ---- Reduction ---- */

/* Requires |x| < 2^20, so that the number of quarter turns times each part but the last is exact. Two parts are enough unless
 * x is very near a multiple of a quarter turn. */
static inline hlo_two reduce_moderate(double x, int *quarters) {
  double n = rint(x * 0x1.45f306dc9c883p-1), r = x - n * 0x1.921fb544p+0, part = n * 0x1.0b4611a626331p-34, near = r - part;
  *quarters = (int)n;
  if (fabs(near) > 0x1p-10) return (hlo_two){near, (r - near) - part};
  hlo_two high = hlo_two_sum(r, -n * 0x1.0b4611a6p-34), low = hlo_two_sum(high.lo, -n * 0x1.3198a2ep-69), sum = hlo_two_sum(high.hi, low.hi);
  return hlo_two_normalise(sum.hi, sum.lo + (low.lo - n * 0x1.b839a252049c1p-104));
}

/* Returns 64 bits of 2/pi, beginning at the given bit after the binary point. */
static uint64_t two_over_pi(int bit) {
  static const uint64_t words[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
      0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
      0x56033046fc7b6bab};
  if (bit < 0) return words[0] >> -bit;
  int shift = bit % 64;
  return words[bit / 64] << shift | (shift ? words[bit / 64 + 1] >> (64 - shift) : 0);
}

/* Requires |x| >= 2^20. Digits of 2/pi before the window would add multiples of four quarter turns; those after it would
 * add too little to matter. */
static hlo_two reduce_large(double x, int *quarters) {
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
  int first = exponent - 53 - 2;
  unsigned __int128 high = (unsigned __int128)mantissa * two_over_pi(first + 64);
  uint64_t lowest = (uint64_t)(((unsigned __int128)mantissa * two_over_pi(first + 128)) >> 64);
  high += lowest;
  /* The angle in units of 2^-126 quarter turns: the two highest bits are the whole quarter turns, modulo four. */
  high += (unsigned __int128)(mantissa * two_over_pi(first)) << 64;
  __int128 fraction = (__int128)(high << 2);
  *quarters = (int)(high >> 126) + (fraction < 0);
  double top = (double)(int32_t)(fraction >> 96), middle = (double)(uint32_t)(fraction >> 64), bottom = (double)(uint64_t)fraction;
  hlo_two sum = hlo_two_sum(top * 0x1p-32, middle * 0x1p-64);
  sum = hlo_two_normalise(sum.hi, sum.lo + bottom * 0x1p-128);
  hlo_two product = hlo_two_product(sum.hi, half_pi_hi);
  product = hlo_two_normalise(product.hi, product.lo + (sum.hi * half_pi_lo + sum.lo * half_pi_hi));
  if (x > 0) return product;
  *quarters = -*quarters;
  return (hlo_two){-product.hi, -product.lo};
}

/* Returns x less a number of quarter turns, which is given modulo 4; NaN if x is not finite. */
static inline hlo_two reduce(double x, int *quarters) {
  *quarters = 0;
  double size = fabs(x);
  if (size < 0.785) return (hlo_two){x, 0};
  if (size < 0x1p20) return reduce_moderate(x, quarters);
  if (size < INFINITY) return reduce_large(x, quarters);
  return (hlo_two){NAN, NAN};
}

/* ---- Sine and cosine of what is left, x + low ---- */

static inline hlo_two sine(double x, double low) {
  double z = x * x, z2 = z * z;
  double series = (-0x1.5555555555555p-3 + z * 0x1.111111111108bp-7) +
                  z2 * ((-0x1.a01a01a006db4p-13 + z * 0x1.71de3a4020b1ap-19) +
                        z2 * ((-0x1.ae643d5204128p-26 + z * 0x1.6114b1abe1a01p-33) + z2 * -0x1.a563b804742adp-41));
  return hlo_two_normalise(x, x * z * series + low * (1 - z / 2));
}

static inline hlo_two cosine(double x, double low) {
  double z = x * x, z2 = z * z;
  double series = (0x1.555555555554ap-5 + z * -0x1.6c16c16c14e3dp-10) +
                  z2 * ((0x1.a01a019c666fap-16 + z * -0x1.27e4f7d6eb822p-22) + z2 * (0x1.1ee9cb18b1596p-29 + z * -0x1.8f9e6ce6e6e00p-37));
  hlo_two sum = hlo_two_normalise(1, -z / 2);
  return hlo_two_normalise(sum.hi, sum.lo + (z2 * series - x * low));
}

static inline double sine_after(double x, int turned) {
  int quarters;
  hlo_two r = reduce(x, &quarters);
  quarters += turned;
  double size = quarters & 1 ? cosine(r.hi, r.lo).hi : sine(r.hi, r.lo).hi;
  return quarters & 2 ? -size : size;
}

double hlo_sin(double x) { return fabs(x) < 0x1p-27 || isnan(x) ? x : sine_after(x, 0); }
double hlo_cos(double x) { return isnan(x) ? x : sine_after(x, 1); }

double hlo_tan(double x) {
  if (fabs(x) < 0x1p-27 || isnan(x)) return x;
  int quarters;
  hlo_two r = reduce(x, &quarters), along = sine(r.hi, r.lo), across = cosine(r.hi, r.lo);
  bool odd = quarters & 1;
  double over = odd ? across.hi : along.hi, over_low = odd ? across.lo : along.lo;
  double under = odd ? -along.hi : across.hi, under_low = odd ? -along.lo : across.lo;
  double quotient = over / under;
  hlo_two product = hlo_two_product(quotient, under);
  return quotient + ((over - product.hi) - product.lo + (over_low - quotient * under_low)) / under;
}

/* The C library's names, so that its own functions call these too. */
#ifdef __wasm__
double sin(double x) { return hlo_sin(x); }
double cos(double x) { return hlo_cos(x); }
double tan(double x) { return hlo_tan(x); }
#endif
