/* Double-doubles: numbers of about 106 bits, as unevaluated sums of two doubles.
 *
 * With so many digits, textbook formulas of complex functions give every part correctly, even where terms cancel.
 * Numbers must be finite, and their squares must not overflow, nor matter where they underflow: callers scale. */
#ifndef HLO_NUMBERS_DOUBLE_DOUBLE_H
#define HLO_NUMBERS_DOUBLE_DOUBLE_H

#include <math.h>

#include "numbers/two_sum.h"

/* [0] is the number rounded to a double, [1] the rest. A vector type, as functions take and return vectors in registers,
 * but structs in memory. */
typedef double hlo_dd __attribute__((vector_size(16)));

static inline hlo_dd hlo_dd_of(hlo_two a) { return (hlo_dd){a.hi, a.lo}; }
/* a + b and a * b, exactly (numbers/two_sum.h). */
static inline hlo_dd hlo_dd_sum(double a, double b) { return hlo_dd_of(hlo_two_sum(a, b)); }
static inline hlo_dd hlo_dd_normalise(double a, double b) { return hlo_dd_of(hlo_two_normalise(a, b)); }
static inline hlo_dd hlo_dd_product(double a, double b) { return hlo_dd_of(hlo_two_product(a, b)); }
static inline hlo_dd hlo_dd_from(double a) { return (hlo_dd){a, 0}; }
static inline double hlo_dd_round(hlo_dd a) { return a[0] + a[1]; }
static inline hlo_dd hlo_dd_negate(hlo_dd a) { return -a; }
static inline hlo_dd hlo_dd_scale(hlo_dd a, int exponent) { return (hlo_dd){ldexp(a[0], exponent), ldexp(a[1], exponent)}; }

static inline hlo_dd hlo_dd_add(hlo_dd a, hlo_dd b) {
  hlo_dd high = hlo_dd_sum(a[0], b[0]), low = hlo_dd_sum(a[1], b[1]);
  high = hlo_dd_normalise(high[0], high[1] + low[0]);
  return hlo_dd_normalise(high[0], high[1] + low[1]);
}
static inline hlo_dd hlo_dd_subtract(hlo_dd a, hlo_dd b) { return hlo_dd_add(a, hlo_dd_negate(b)); }

static inline hlo_dd hlo_dd_multiply(hlo_dd a, hlo_dd b) {
  hlo_dd product = hlo_dd_product(a[0], b[0]);
  return hlo_dd_normalise(product[0], product[1] + (a[0] * b[1] + a[1] * b[0]));
}
static inline hlo_dd hlo_dd_times(hlo_dd a, double b) { return hlo_dd_multiply(a, hlo_dd_from(b)); }
static inline hlo_dd hlo_dd_square(hlo_dd a) { return hlo_dd_multiply(a, a); }

static inline hlo_dd hlo_dd_divide(hlo_dd a, hlo_dd b) {
  double first = a[0] / b[0];
  hlo_dd rest = hlo_dd_subtract(a, hlo_dd_times(b, first));
  double second = rest[0] / b[0];
  rest = hlo_dd_subtract(rest, hlo_dd_times(b, second));
  return hlo_dd_add(hlo_dd_normalise(first, second), hlo_dd_from(rest[0] / b[0]));
}

static inline hlo_dd hlo_dd_sqrt(hlo_dd a) {
  if (!(a[0] > 0)) return hlo_dd_from(0);
  double root = sqrt(a[0]);
  hlo_dd rest = hlo_dd_subtract(a, hlo_dd_product(root, root));
  return hlo_dd_normalise(root, rest[0] / (2 * root));
}

/* Returns the sum of a few doubles, computed exactly and rounded once. */
hlo_dd hlo_dd_total(const double *terms, int count);

hlo_dd hlo_dd_expm1(hlo_dd x);
/* e^x is the result times 2^*exponent; the result lies between 0.7 and 1.5. */
hlo_dd hlo_dd_exp(hlo_dd x, int *exponent);
hlo_dd hlo_dd_log1p(hlo_dd x); /* x > -1 */
hlo_dd hlo_dd_log(hlo_dd x);   /* x > 0 */
hlo_dd hlo_dd_asinh(hlo_dd x); /* |x| < 1e150 */
/* The results are only as exact as the C library's where |x| exceeds 2^50. */
void hlo_dd_sincos(hlo_dd x, hlo_dd *sine, hlo_dd *cosine);
void hlo_dd_sinhcosh(hlo_dd x, hlo_dd *sinh_x, hlo_dd *cosh_x); /* |x| < 700 */
/* Like C's atan2, signs of zeros included. */
hlo_dd hlo_dd_atan2(hlo_dd y, hlo_dd x);

#endif
