/* e^x = 2^(n/16) e^r with |r| <= ln 2 / 32. log x = n ln 2 - log c + log(1 + r), where x = 2^n z and c is 1/z to nine bits, so that
 * r = c z - 1 is small and exact. x^y = e^(y log x), with log x in two doubles.
 *
 * tests/unit/numbers/math_coefficients.py prints the tables and polynomials. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "numbers/elementary.h"
#include "numbers/exp_roots.h"
#include "numbers/pair.h"

typedef struct two_pairs {
  hlo_pair hi, lo;
} two_pairs;

/* Returns a + b, exactly, where |a| >= |b| or a is 0. */
HLO_PAIR_INLINE two_pairs normalise(hlo_pair a, hlo_pair b) {
  hlo_pair sum = a + b;
  return (two_pairs){sum, b - (sum - a)};
}

/* ---- Exponentials ---- */

/* Adding `rounder` to a number rounds it to a whole one n; n + 16 * 2046 then stands in the lowest bits. At `least_power` the scale is 0, and so
 * is the result. Between `least_power` and `least` a product vanishes, which takes a processor as long as a hundred other products. */
static const struct exp_constants {
  double most, least, least_power, sixteen_over_ln2, rounder, ln2_hi, ln2_lo /* of ln 2 / 16; 2^15 ln2_hi is exact */, series[6], largest;
} exp_constants = {710, -746, -1418, 0x1.71547652b82fep+4, 0x1.8p52 + 16 * 2046, 0x1.62e42fefap-5, 0x1.cf79abc9e3b3ap-44,
                   {0x1.0000000000004p-1, 0x1.5555555555548p-3, 0x1.5555555484b84p-5, 0x1.111111121ae54p-7, 0x1.6c183df4b2173p-10, 0x1.a0196385e2b1fp-13},
                   0x1p1023};

/* root * (1 + r + rest) * scale. Half of the exponent is in the root, so that only the last product may overflow, or be subnormal. */
typedef struct power {
  hlo_pair root, r, rest, scale;
} power;

/* Returns e^(x + low), where -1418 <= x < 746. */
HLO_PAIR_INLINE power power_of(const struct exp_constants *c, hlo_pair x, hlo_pair low) {
  hlo_pair rounded = x * c->sixteen_over_ln2 + c->rounder, count = rounded - c->rounder;
  hlo_pair r = (x - count * c->ln2_hi) - (count * c->ln2_lo - low), square = r * r; /* |r| < 0.022 */
  hlo_pair_bits n = (hlo_pair_bits)rounded, exponent = n << 48 >> 52, half = exponent >> 1;
  hlo_pair series = (c->series[0] + r * c->series[1]) + square * ((c->series[2] + r * c->series[3]) + square * (c->series[4] + r * c->series[5]));
  int first = (int)n[0] & 15, second = (int)n[1] & 15;
  hlo_pair root = {hlo_exp_roots[first].root, hlo_exp_roots[second].root}, rest = {hlo_exp_roots[first].rest, hlo_exp_roots[second].rest};
  return (power){root * (hlo_pair)(half << 52), r, rest + r * (rest + r * series), (hlo_pair)((exponent - half) << 52)};
}

/* Returns e^x, but no less than that of `least`; numbers too large give infinity. */
HLO_PAIR_INLINE power power_of_e(const struct exp_constants *c, hlo_pair x, double least) {
  return power_of(c, hlo_pair_most(hlo_pair_least(x, hlo_pair_of(c->most)), hlo_pair_of(least)), hlo_pair_of(0));
}

HLO_PAIR_INLINE hlo_pair value_of(power p) { return (p.root + p.root * (p.r + p.rest)) * p.scale; }

/* Both functions are above x, or round to it: the last step gives NaN for NaN, -0 for -0, and changes nothing else. */
hlo_pair hlo_exp_pair(hlo_pair x) {
  const struct exp_constants *c = &exp_constants;
  HLO_PAIR_HIDE(c)
  return hlo_pair_most(x, value_of(power_of_e(c, x, c->least_power)));
}

hlo_pair hlo_expm1_pair(hlo_pair x) {
  const struct exp_constants *c = &exp_constants;
  HLO_PAIR_HIDE(c)
  power p = power_of_e(c, x, c->least);
  hlo_pair one = (hlo_pair)((hlo_pair_bits)hlo_pair_of(c->largest) - (hlo_pair_bits)p.scale); /* 1 / scale */
  two_pairs sum = normalise(p.root - one, p.root * p.r);
  return hlo_pair_most(x, (sum.hi + (sum.lo + p.root * p.rest)) * p.scale);
}

double hlo_exp(double x) { return HLO_LANE_OF_PAIR(hlo_exp, x); }
double hlo_expm1(double x) { return HLO_LANE_OF_PAIR(hlo_expm1, x); }

/* ---- Logarithms ---- */

/* c, and -log c in two parts, the first a multiple of 2^-43. */
static const struct {
  double inverse, log, log_rest;
} logs[32] = {
    {356. / 256, -0x1.51aad872df8p-2, -0x1.684e49eb067d5p-49}, {349. / 256, -0x1.3d54fa5c1f8p-2, 0x1.e0f1932e350e5p-47},
    {341. / 256, -0x1.2596010df78p-2, 0x1.c610f76c57076p-46}, {334. / 256, -0x1.1058bf9ae48p-2, -0x1.6a8c4fd055a66p-45},
    {328. / 256, -0x1.fb9186d5e4p-3, 0x1.d572aab993c87p-47}, {321. / 256, -0x1.cf6354e09cp-3, -0x1.771239a07d55bp-45},
    {315. / 256, -0x1.a8becfc883p-3, 0x1.ce7a30de4630ep-48}, {309. / 256, -0x1.815c0a1435p-3, -0x1.fab5a0dbfc63p-45},
    {303. / 256, -0x1.59338d9982p-3, -0x1.0ba68b7555d4ap-48}, {298. / 256, -0x1.371fc201e9p-3, 0x1.178864d27543ap-48},
    {293. / 256, -0x1.1478584674p-3, -0x1.563451027c75p-46}, {287. / 256, -0x1.d4313d66ccp-4, 0x1.9454379135713p-45},
    {282. / 256, -0x1.8c345d631ap-4, 0x1.37c294d2f5668p-46}, {278. / 256, -0x1.51b073f062p-4, 0x1.f025b61c65e57p-46},
    {273. / 256, -0x1.075983598ep-4, -0x1.1c4c06d2999e2p-46}, {269. / 256, -0x1.95c830ec9p-5, 0x1.c148297c5feb8p-45},
    {264. / 256, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45}, {260. / 256, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {256. / 256, 0, 0}, {248. / 256, 0x1.0415d89e74p-5, 0x1.111c05cf1d753p-47},
    {241. / 256, 0x1.eea31c006cp-5, -0x1.e113e4fc93b7bp-47}, {234. / 256, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {228. / 256, 0x1.da72763844p-4, 0x1.a89401fa71733p-46}, {221. / 256, 0x1.2d1610c868p-3, 0x1.39d6ccb81b4a1p-47},
    {216. / 256, 0x1.5bf406b544p-3, -0x1.27023eb68981cp-46}, {210. / 256, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {205. / 256, 0x1.c6ffbc6f01p-3, -0x1.1ec72c5962bd2p-48}, {200. / 256, 0x1.f991c6cb3bp-3, 0x1.bcbecca0cdf3p-46},
    {195. / 256, 0x1.16b5ccbacf8p-2, 0x1.b9acdf7a51681p-45}, {191. / 256, 0x1.2bef07cdc9p-2, 0x1.a9cfa4a5004f4p-45},
    {186. / 256, 0x1.4718dc271c8p-2, -0x1.f27ce0967d675p-45}, {182. / 256, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47}};

/* The number z lies between `least` and twice as much, and 1 in the middle of its interval of c. The bits of `least` are subtracted from those of x. */
static const struct log_constants {
  double least_normal, scale, shift, least, biased /* 2^52, in whose lowest bits the exponent is written + 1024 */, bias, ln2_hi, ln2_lo, low[4], high[4], infinity, nan;
} log_constants = {0x1p-1022, 0x1p54, 54, 0x1.6cp-1, 0x1p52, 0x1p52 + 1024, 0x1.62e42fefap-1 /* 2^11 times it is exact */, 0x1.cf79abc9e3b3ap-40,
                   {0x1.5555555555555p-2, -0x1.fffffffffffffp-3, 0x1.99999999a1506p-3, -0x1.555555555e11fp-3},
                   {0x1.2492479e5ec34p-3, -0x1.fffffced1ad49p-4, 0x1.c75677ea335bep-4, -0x1.99d0b2f8f943fp-4}, INFINITY, NAN};

/* Positive finite numbers x, split so that log x = whole + whole_rest + log(1 + r + r_rest). */
typedef struct factored {
  hlo_pair whole, whole_rest, r, r_rest; /* |r| < 0.0162 */
} factored;

HLO_PAIR_INLINE factored factor(const struct log_constants *k, hlo_pair x) {
  hlo_pair_bits subnormal = (hlo_pair_bits)(x < k->least_normal), least = (hlo_pair_bits)hlo_pair_of(k->least);
  hlo_pair_bits above = (hlo_pair_bits)HLO_PAIR_WHERE(subnormal, x * k->scale, x) - least;
  int first = (int)(above[0] >> 47) & 31, second = (int)(above[1] >> 47) & 31;
  hlo_pair_bits exponent = (above + ((uint64_t)1024 << 52)) >> 52;
  hlo_pair n = (hlo_pair)(exponent | (hlo_pair_bits)hlo_pair_of(k->biased)) - k->bias - (hlo_pair)(subnormal & (hlo_pair_bits)hlo_pair_of(k->shift));
  hlo_pair c = {logs[first].inverse, logs[second].inverse}, log = {logs[first].log, logs[second].log}, rest = {logs[first].log_rest, logs[second].log_rest};
  hlo_pair z = (hlo_pair)((above << 12 >> 12) + least), z_hi = hlo_pair_upper(z);
  two_pairs r = normalise(z_hi * c - 1, (z - z_hi) * c);
  return (factored){n * k->ln2_hi + log, n * k->ln2_lo + rest, r.hi, r.lo};
}

/* Returns log(1 + r) - r + r^2/2. */
HLO_PAIR_INLINE hlo_pair log_series(const struct log_constants *k, hlo_pair r) {
  hlo_pair square = r * r;
  hlo_pair low = (k->low[0] + r * k->low[1]) + square * (k->low[2] + r * k->low[3]), high = (k->high[0] + r * k->high[1]) + square * (k->high[2] + r * k->high[3]);
  return r * square * (low + square * square * high);
}

hlo_pair hlo_log_pair(hlo_pair x) {
  const struct log_constants *k = &log_constants;
  HLO_PAIR_HIDE(k)
  factored f = factor(k, x);
  two_pairs sum = normalise(f.whole, f.r);
  hlo_pair result = sum.hi + (sum.lo + f.whole_rest - f.r * f.r / 2 + log_series(k, f.r)), infinity = hlo_pair_of(k->infinity);
  hlo_pair special = HLO_PAIR_WHERE(x == 0, -infinity, HLO_PAIR_WHERE(x < 0, hlo_pair_of(k->nan), x));
  return HLO_PAIR_WHERE((x > 0) & (x < infinity), result, special);
}

double hlo_log(double x) { return HLO_LANE_OF_PAIR(hlo_log, x); }

HLO_PAIR_INLINE two_pairs log_twice(hlo_pair x) {
  const struct log_constants *k = &log_constants;
  HLO_PAIR_HIDE(k)
  factored f = factor(k, x);
  hlo_pair r_hi = hlo_pair_upper(f.r);
  two_pairs sum = normalise(f.whole, f.r), all = normalise(sum.hi, -r_hi * r_hi / 2);
  hlo_pair rest = f.whole_rest + (f.r_rest * (1 - f.r) - (f.r - r_hi) * (f.r + r_hi) / 2 + log_series(k, f.r));
  return normalise(all.hi, all.lo + sum.lo + rest);
}

/* ---- Powers ---- */

static bool is_whole(double y) { return y == rint(y); }
static bool is_odd(double y) { return is_whole(y) && !is_whole(y / 2); }

/* For x that is 0 or infinite, or y that is infinite. */
static double power_of_extremes(double x, double y) {
  double size = fabs(x);
  if (size == 1) return 1;
  double result = (size > 1) == (y > 0) ? INFINITY : 0;
  return signbit(x) && is_odd(y) ? -result : result;
}

/* Returns x^y of positive finite x, and sets *size to |y log x|. Requires that this is at most 746. */
static __attribute__((noinline)) hlo_pair power_of_positive(hlo_pair x, hlo_pair y, hlo_pair *size) {
  const struct exp_constants *c = &exp_constants;
  HLO_PAIR_HIDE(c)
  two_pairs log = log_twice(x);
  hlo_pair hi = y * log.hi, y_hi = hlo_pair_upper(y), log_hi = hlo_pair_upper(log.hi);
  hlo_pair lo = ((y_hi * log_hi - hi) + y_hi * (log.hi - log_hi) + (y - y_hi) * log.hi) + y * log.lo;
  *size = hlo_pair_abs(hi);
  return value_of(power_of(c, hi, lo));
}

double hlo_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (x == 0 || isinf(x) || isinf(y)) return power_of_extremes(x, y);
  if (x < 0 && !is_whole(y)) return NAN;
  double sign = x < 0 && is_odd(y) ? -1 : 1, positive = fabs(x);
  hlo_pair size, result = power_of_positive(hlo_pair_of(positive), hlo_pair_of(y), &size);
  return sign * (size[0] <= 746 ? result[0] : (positive > 1) == (y > 0) ? INFINITY : 0);
}

hlo_pair hlo_pow_pair(hlo_pair x, hlo_pair y) {
  hlo_pair size, result = power_of_positive(x, y, &size);
  hlo_pair_bits ordinary = (hlo_pair_bits)((x > 0) & (x < INFINITY) & (size <= 746));
  return ordinary[0] & ordinary[1] ? result : (hlo_pair){hlo_pow(x[0], y[0]), hlo_pow(x[1], y[1])};
}

/* The C library's names, so that its own functions call these too. */
#ifdef __wasm__
double exp(double x) { return hlo_exp(x); }
double log(double x) { return hlo_log(x); }
double pow(double x, double y) { return hlo_pow(x, y); }
double expm1(double x) { return hlo_expm1(x); }
#endif
