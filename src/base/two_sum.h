/* Sums and products of doubles without error, as a double and what rounding it left over.
 *
 * T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971. */
#ifndef HLO_BASE_TWO_SUM_H
#define HLO_BASE_TWO_SUM_H

typedef struct hlo_dd {
  double hi, lo; /* |lo| <= ulp(hi) / 2 */
} hlo_dd;

/* a + b, exactly. */
static inline hlo_dd hlo_dd_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return (hlo_dd){sum, (a - (sum - part)) + (b - part)};
}

/* The same where |a| >= |b|, or a is 0. */
static inline hlo_dd hlo_dd_normalise(double a, double b) {
  double sum = a + b;
  return (hlo_dd){sum, b - (sum - a)};
}

/* The upper half of the digits, and the rest; |a| < 2^995. */
static inline hlo_dd hlo_dd_split(double a) {
  double scaled = a * 0x8000001p0, upper = scaled - (scaled - a);
  return (hlo_dd){upper, a - upper};
}

/* a * b, exactly, unless the least of its digits underflow; |a|, |b| < 2^995. */
static inline hlo_dd hlo_dd_product(double a, double b) {
  double product = a * b;
  hlo_dd x = hlo_dd_split(a), y = hlo_dd_split(b);
  return (hlo_dd){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

#endif
