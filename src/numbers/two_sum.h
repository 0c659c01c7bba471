/* Exact sums and products of doubles: the rounded result, and the error of rounding it.
 *
 * T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971. */
#ifndef HLO_NUMBERS_TWO_SUM_H
#define HLO_NUMBERS_TWO_SUM_H

typedef struct hlo_two {
  double hi, lo; /* |lo| <= ulp(hi) / 2 */
} hlo_two;

/* Returns a + b, exactly. */
static inline hlo_two hlo_two_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return (hlo_two){sum, (a - (sum - part)) + (b - part)};
}

/* The same, where |a| >= |b| or a is 0. Inlined always: WebAssembly returns a pair through memory, which takes longer than the sum. */
static inline __attribute__((always_inline)) hlo_two hlo_two_normalise(double a, double b) {
  double sum = a + b;
  return (hlo_two){sum, b - (sum - a)};
}

/* Returns the upper half of the digits, and the lower half. Requires |a| < 2^995. */
static inline hlo_two hlo_two_split(double a) {
  double scaled = a * 0x8000001p0, upper = scaled - (scaled - a);
  return (hlo_two){upper, a - upper};
}

/* Returns a * b, exactly unless its lowest digits underflow. Requires |a|, |b| < 2^995. */
static inline hlo_two hlo_two_product(double a, double b) {
  double product = a * b;
  hlo_two x = hlo_two_split(a), y = hlo_two_split(b);
  return (hlo_two){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

#endif
