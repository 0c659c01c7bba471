/* e^x = 2^(n/16) e^r with |r| <= ln 2 / 32. log x = n ln 2 - log c + log(1 + r), where x = 2^n z and c is 1/z to nine bits, so that
 * r = c z - 1 is small and exact. x^y = e^(y log x), with log x in two doubles.
 *
 * tests/unit/numbers/math_coefficients.py prints the tables and polynomials. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/float_bits.h"
#include "numbers/elementary.h"
#include "numbers/two_sum.h"

static const double ln2_hi = 0x1.62e42fefap-1, ln2_lo = 0x1.cf79abc9e3b3ap-40; /* 2^15 ln2_hi is exact */
static const double sixteen_over_ln2 = 0x1.71547652b82fep+4;

/* Returns x with its upper 26 bits: a product of two such numbers is exact. */
static double upper(double x) { return hlo_double_of_bits(hlo_double_bits(x) >> 27 << 27); }

/* ---- Exponentials ---- */

/* 2^(i/16), and the error of rounding it, relative to it. */
static const struct {
  double root, rest;
} roots[16] = {
    {0x1p+0, 0}, {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6cp-54}, {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
    {0x1.2387a6e756238p+0, 0x1.68efde3a8a893p-54}, {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
    {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6cp-55}, {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafbp-56},
    {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54}, {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2229p-54},
    {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56}, {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
    {0x1.9c49182a3f09p+0, 0x1.1affc2b91ce27p-56}, {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3386p-55},
    {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56}, {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
    {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f1p-55}};

/* Adding this to a number rounds the number to a whole one, which then stands in the lowest bits. */
static const double rounder = 0x1.8p52;

/* Returns 2^(n/16) e^r, with n in the lowest bits of a double. Requires |r| < 0.022. */
static inline double scaled_exp(double rounded, double r) {
  int n = (int)hlo_double_bits(rounded), i = n & 15, exponent = n >> 4;
  double square = r * r;
  double series = (0x1.0000000000004p-1 + r * 0x1.5555555555548p-3) +
                  square * ((0x1.5555555484b84p-5 + r * 0x1.111111121ae54p-7) + square * (0x1.6c183df4b2173p-10 + r * 0x1.a0196385e2b1fp-13));
  double root = roots[i].root, less_one = roots[i].rest + r + square * series;
  if (exponent < -960 || exponent > 1022) return ldexp(root + root * less_one, exponent);
  root = hlo_double_of_bits(hlo_double_bits(root) + ((uint64_t)exponent << 52));
  return root + root * less_one;
}

double hlo_exp(double x) {
  if (!(x < 710)) return x + INFINITY; /* NaN stays NaN */
  if (x < -746) return 0;
  double rounded = x * sixteen_over_ln2 + rounder, n = rounded - rounder;
  return scaled_exp(rounded, (x - n * (ln2_hi / 16)) - n * (ln2_lo / 16));
}

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

/* A positive finite number x, split so that log x = whole + whole_rest + log(1 + r + r_rest). */
typedef struct factored {
  double whole, whole_rest, r, r_rest; /* |r| < 0.0162 */
} factored;

static inline factored factor(double x) {
  const uint64_t least = 0x3FE6C00000000000; /* z lies between this number and twice as much; 1 lies in the middle of its interval of c */
  double subnormal = x < 0x1p-1022 ? 54 : 0;
  uint64_t above = hlo_double_bits(subnormal ? x * 0x1p54 : x) - least;
  int i = (int)(above >> 47) & 31;
  double n = (double)(int32_t)((int64_t)above >> 52) - subnormal, c = logs[i].inverse;
  double z = hlo_double_of_bits((above & 0xFFFFFFFFFFFFF) + least), z_hi = upper(z);
  hlo_two r = hlo_two_normalise(z_hi * c - 1, (z - z_hi) * c);
  return (factored){n * ln2_hi + logs[i].log, n * ln2_lo + logs[i].log_rest, r.hi, r.lo};
}

/* Returns log(1 + r) - r + r^2/2. */
static inline double log_series(double r) {
  double square = r * r;
  double low = (0x1.5555555555555p-2 + r * -0x1.fffffffffffffp-3) + square * (0x1.99999999a1506p-3 + r * -0x1.555555555e11fp-3);
  double high = (0x1.2492479e5ec34p-3 + r * -0x1.fffffced1ad49p-4) + square * (0x1.c75677ea335bep-4 + r * -0x1.99d0b2f8f943fp-4);
  return r * square * (low + square * square * high);
}

double hlo_log(double x) {
  if (!(x > 0)) return x == 0 ? -INFINITY : x < 0 ? NAN : x;
  if (x == INFINITY) return x;
  factored f = factor(x);
  hlo_two sum = hlo_two_normalise(f.whole, f.r);
  return sum.hi + (sum.lo + f.whole_rest - f.r * f.r / 2 + log_series(f.r));
}

static inline hlo_two log_dd(double x) {
  factored f = factor(x);
  double r_hi = upper(f.r);
  hlo_two sum = hlo_two_normalise(f.whole, f.r), all = hlo_two_normalise(sum.hi, -r_hi * r_hi / 2);
  double rest = f.whole_rest + (f.r_rest * (1 - f.r) - (f.r - r_hi) * (f.r + r_hi) / 2 + log_series(f.r));
  return hlo_two_normalise(all.hi, all.lo + sum.lo + rest);
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

double hlo_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (x == 0 || isinf(x) || isinf(y)) return power_of_extremes(x, y);
  if (x < 0 && !is_whole(y)) return NAN;
  hlo_two log = log_dd(fabs(x));
  double hi = y * log.hi, y_hi = upper(y), log_hi = upper(log.hi), sign = x < 0 && is_odd(y) ? -1 : 1;
  if (fabs(hi) > 746) return sign * (hi > 0 ? INFINITY : 0);
  double lo = ((y_hi * log_hi - hi) + y_hi * (log.hi - log_hi) + (y - y_hi) * log.hi) + y * log.lo;
  double rounded = hi * sixteen_over_ln2 + rounder, n = rounded - rounder;
  return sign * scaled_exp(rounded, (hi - n * (ln2_hi / 16)) + (lo - n * (ln2_lo / 16)));
}

/* The C library's names, so that its own functions call these too. */
#ifdef __wasm__
double exp(double x) { return hlo_exp(x); }
double log(double x) { return hlo_log(x); }
double pow(double x, double y) { return hlo_pow(x, y); }
#endif
