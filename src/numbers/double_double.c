/* Elementary functions of double-doubles: series near zero; elsewhere one Newton step from the double that the C library gives. */
#include "numbers/double_double.h"

#include <stdbool.h>

static const hlo_dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const double half_pi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

enum { MOST_TERMS = 12 };

/* J. R. Shewchuk, "Adaptive precision floating-point arithmetic", 1997: adds each term to an expansion of the exact
 * sum whose parts do not overlap, least first. */
hlo_dd hlo_dd_total(const double *terms, int count) {
  double parts[MOST_TERMS];
  int part_count = 0;
  for (int i = 0; i < count; i++) {
    double carry = terms[i];
    int kept = 0;
    for (int k = 0; k < part_count; k++) {
      hlo_dd sum = hlo_dd_sum(carry, parts[k]);
      carry = sum[0];
      if (sum[1] != 0) parts[kept++] = sum[1];
    }
    parts[kept++] = carry;
    part_count = kept;
  }
  hlo_dd total = hlo_dd_from(0);
  for (int k = 0; k < part_count; k++) total = hlo_dd_add(total, hlo_dd_from(parts[k]));
  return total;
}

/* Returns x - n * constant; the constant is the sum of `count` parts. */
static hlo_dd minus_multiple(hlo_dd x, double n, const double *constant, int count) {
  double terms[MOST_TERMS] = {x[0], x[1]};
  for (int i = 0; i < count; i++) {
    hlo_dd product = hlo_dd_product(-n, constant[i]);
    terms[2 + 2 * i] = product[0];
    terms[3 + 2 * i] = product[1];
  }
  return hlo_dd_total(terms, 2 + 2 * count);
}

static bool negligible(hlo_dd term, hlo_dd sum) { return fabs(term[0]) <= 0x1p-112 * fabs(sum[0]); }

/* ---- Exponentials ---- */

/* Requires |x| < 0.4: sums the series of s = e^(x/16) - 1, then squares 1 + s four times by (1 + s)^2 - 1 = 2s + s^2. */
static hlo_dd expm1_near_zero(hlo_dd x) {
  if (fabs(x[0]) < 0x1p-500) return x;
  hlo_dd r = hlo_dd_scale(x, -4), term = r, sum = r;
  for (int n = 2; n < 24; n++) {
    term = hlo_dd_divide(hlo_dd_multiply(term, r), hlo_dd_from(n));
    sum = hlo_dd_add(sum, term);
    if (negligible(term, sum)) break;
  }
  for (int i = 0; i < 4; i++) sum = hlo_dd_add(hlo_dd_scale(sum, 1), hlo_dd_square(sum));
  return sum;
}

hlo_dd hlo_dd_exp(hlo_dd x, int *exponent) {
  double multiple = nearbyint(x[0] / ln2[0]);
  *exponent = (int)multiple;
  return hlo_dd_add(expm1_near_zero(minus_multiple(x, multiple, (double[]){ln2[0], ln2[1]}, 2)), hlo_dd_from(1));
}

hlo_dd hlo_dd_expm1(hlo_dd x) {
  if (fabs(x[0]) < 0.35) return expm1_near_zero(x);
  int exponent;
  hlo_dd power = hlo_dd_exp(x, &exponent);
  return hlo_dd_add(hlo_dd_scale(power, exponent), hlo_dd_from(-1));
}

void hlo_dd_sinhcosh(hlo_dd x, hlo_dd *sinh_x, hlo_dd *cosh_x) {
  hlo_dd less_one = hlo_dd_expm1(x[0] < 0 ? hlo_dd_negate(x) : x), power = hlo_dd_add(less_one, hlo_dd_from(1));
  hlo_dd sine = hlo_dd_scale(hlo_dd_add(less_one, hlo_dd_divide(less_one, power)), -1);
  *sinh_x = x[0] < 0 ? hlo_dd_negate(sine) : sine;
  *cosh_x = hlo_dd_scale(hlo_dd_add(power, hlo_dd_divide(hlo_dd_from(1), power)), -1);
}

/* ---- Logarithms ---- */

/* With l near log(1 + x), t = (1 + x) e^-l - 1 is tiny, and log(1 + x) = l + log(1 + t). */
hlo_dd hlo_dd_log1p(hlo_dd x) {
  double l = log1p(x[0]);
  hlo_dd inverse = hlo_dd_expm1(hlo_dd_from(-l));
  hlo_dd t = hlo_dd_add(hlo_dd_add(x, inverse), hlo_dd_multiply(x, inverse));
  return hlo_dd_add(hlo_dd_from(l), hlo_dd_subtract(t, hlo_dd_scale(hlo_dd_square(t), -1)));
}

hlo_dd hlo_dd_log(hlo_dd x) {
  int exponent;
  double fraction = frexp(x[0], &exponent);
  if (fraction < 0.70710678118654752) exponent--;
  hlo_dd less_one = hlo_dd_add(hlo_dd_scale(x, -exponent), hlo_dd_from(-1));
  return hlo_dd_add(hlo_dd_log1p(less_one), hlo_dd_times(ln2, exponent));
}

hlo_dd hlo_dd_asinh(hlo_dd x) {
  hlo_dd size = x[0] < 0 ? hlo_dd_negate(x) : x, square = hlo_dd_square(size);
  hlo_dd root = hlo_dd_add(hlo_dd_from(1), hlo_dd_sqrt(hlo_dd_add(hlo_dd_from(1), square)));
  hlo_dd result = hlo_dd_log1p(hlo_dd_add(size, hlo_dd_divide(square, root)));
  return x[0] < 0 ? hlo_dd_negate(result) : result;
}

/* ---- Angles ---- */

/* Sums an alternating series that begins with `first`: each term is the one before it times x^2 / ((step + 2n) (step + 2n + 1)). */
static hlo_dd alternating_series(hlo_dd first, hlo_dd square, int step) {
  hlo_dd term = first, sum = first;
  for (int n = step; n < step + 40; n += 2) {
    term = hlo_dd_divide(hlo_dd_multiply(term, hlo_dd_negate(square)), hlo_dd_from((double)n * (n + 1)));
    sum = hlo_dd_add(sum, term);
    if (negligible(term, sum)) break;
  }
  return sum;
}

void hlo_dd_sincos(hlo_dd x, hlo_dd *sine, hlo_dd *cosine) {
  if (fabs(x[0]) > 0x1p50) {
    *sine = hlo_dd_from(sin(x[0]));
    *cosine = hlo_dd_from(cos(x[0]));
    return;
  }
  double quarters = nearbyint(x[0] / half_pi[0]);
  hlo_dd r = quarters == 0 ? x : minus_multiple(x, quarters, half_pi, 3), square = hlo_dd_square(r);
  hlo_dd s = alternating_series(r, square, 2), c = alternating_series(hlo_dd_from(1), square, 1);
  switch ((int)(quarters - 4 * floor(quarters / 4))) {
  case 0: *sine = s, *cosine = c; break;
  case 1: *sine = c, *cosine = hlo_dd_negate(s); break;
  case 2: *sine = hlo_dd_negate(s), *cosine = hlo_dd_negate(c); break;
  default: *sine = hlo_dd_negate(c), *cosine = s; break;
  }
}

/* With t near the angle, y cos t - x sin t is tiny, and so is the angle that is missing. */
hlo_dd hlo_dd_atan2(hlo_dd y, hlo_dd x) {
  double t = atan2(y[0], x[0]);
  hlo_dd sine, cosine;
  hlo_dd_sincos(hlo_dd_from(t), &sine, &cosine);
  hlo_dd across = hlo_dd_subtract(hlo_dd_multiply(y, cosine), hlo_dd_multiply(x, sine));
  hlo_dd along = hlo_dd_add(hlo_dd_multiply(x, cosine), hlo_dd_multiply(y, sine));
  if (!(along[0] > 0) || across[0] == 0) return hlo_dd_from(t);
  return hlo_dd_add(hlo_dd_from(t), hlo_dd_divide(across, along));
}
