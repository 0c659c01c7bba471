/* Numbers of about 106 bits, as unevaluated sums of two doubles: what makes textbook formulas of complex functions
 * come out right in every component, cancellation included.
 *
 * Only for finite numbers whose squares neither overflow nor matter when they underflow: callers scale. */
#ifndef HLO_REFERENCE_DOUBLE_DOUBLE_H
#define HLO_REFERENCE_DOUBLE_DOUBLE_H

#include <math.h>

#include "base/two_sum.h"

static inline hlo_dd hlo_dd_from(double a) { return (hlo_dd){a, 0}; }
static inline double hlo_dd_round(hlo_dd a) { return a.hi + a.lo; }
static inline hlo_dd hlo_dd_negate(hlo_dd a) { return (hlo_dd){-a.hi, -a.lo}; }
static inline hlo_dd hlo_dd_scale(hlo_dd a, int exponent) { return (hlo_dd){ldexp(a.hi, exponent), ldexp(a.lo, exponent)}; }

static inline hlo_dd hlo_dd_add(hlo_dd a, hlo_dd b) {
  hlo_dd high = hlo_dd_sum(a.hi, b.hi), low = hlo_dd_sum(a.lo, b.lo);
  high = hlo_dd_normalise(high.hi, high.lo + low.hi);
  return hlo_dd_normalise(high.hi, high.lo + low.lo);
}
static inline hlo_dd hlo_dd_subtract(hlo_dd a, hlo_dd b) { return hlo_dd_add(a, hlo_dd_negate(b)); }

static inline hlo_dd hlo_dd_multiply(hlo_dd a, hlo_dd b) {
  hlo_dd product = hlo_dd_product(a.hi, b.hi);
  return hlo_dd_normalise(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline hlo_dd hlo_dd_times(hlo_dd a, double b) { return hlo_dd_multiply(a, hlo_dd_from(b)); }
static inline hlo_dd hlo_dd_square(hlo_dd a) { return hlo_dd_multiply(a, a); }

static inline hlo_dd hlo_dd_divide(hlo_dd a, hlo_dd b) {
  double first = a.hi / b.hi;
  hlo_dd rest = hlo_dd_subtract(a, hlo_dd_times(b, first));
  double second = rest.hi / b.hi;
  rest = hlo_dd_subtract(rest, hlo_dd_times(b, second));
  return hlo_dd_add(hlo_dd_normalise(first, second), hlo_dd_from(rest.hi / b.hi));
}

static inline hlo_dd hlo_dd_sqrt(hlo_dd a) {
  if (!(a.hi > 0)) return hlo_dd_from(0);
  double root = sqrt(a.hi);
  hlo_dd rest = hlo_dd_subtract(a, hlo_dd_product(root, root));
  return hlo_dd_normalise(root, rest.hi / (2 * root));
}

/* The exact sum of a few doubles, rounded once. */
hlo_dd hlo_dd_total(const double *terms, int count);

hlo_dd hlo_dd_expm1(hlo_dd x);
/* e^x as the result times 2^*exponent, the result between 0.7 and 1.5. */
hlo_dd hlo_dd_exp(hlo_dd x, int *exponent);
hlo_dd hlo_dd_log1p(hlo_dd x); /* x > -1 */
hlo_dd hlo_dd_log(hlo_dd x);   /* x > 0 */
hlo_dd hlo_dd_asinh(hlo_dd x); /* |x| < 1e150 */
/* Beyond 2^50 in magnitude only as exact as the C library. */
void hlo_dd_sincos(hlo_dd x, hlo_dd *sine, hlo_dd *cosine);
void hlo_dd_sinhcosh(hlo_dd x, hlo_dd *sinh_x, hlo_dd *cosh_x); /* |x| < 700 */
/* As atan2, signs of zeros included. */
hlo_dd hlo_dd_atan2(hlo_dd y, hlo_dd x);

#endif
