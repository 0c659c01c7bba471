/* When two arrays agree: the one comparator, by the rules of the conformance suites. */
#ifndef HLO_REFERENCE_COMPARATOR_H
#define HLO_REFERENCE_COMPARATOR_H

#include "shape/literal.h"

typedef enum hlo_agreement {
  HLO_AGREE_EQUAL,  /* ==: NaN differs from everything, zeros are equal */
  HLO_AGREE_CLOSE,  /* `min_ulp` to `max_ulp` representable values apart, complex numbers by the worse part */
  HLO_AGREE_ALMOST, /* at most `tolerance` apart, complex numbers by the worse part */
  HLO_AGREE_LOOSE   /* at most 1e-4 (f64: 1e-10) of the largest finite magnitude expected apart */
} hlo_agreement;
/* But for EQUAL, NaN agrees with NaN, infinities with themselves and with nothing else (they are UINT64_MAX apart).
 * Integers and pred are compared exactly, except by ALMOST. */

typedef struct hlo_comparator {
  hlo_agreement rule;
  double tolerance;
  uint64_t min_ulp, max_ulp;
} hlo_comparator;

/* The first element that differs. */
typedef struct hlo_difference {
  int64_t index;          /* linear */
  int64_t count;          /* how many differ */
  hlo_scalar got, expected;
  double distance;        /* in what the rule counts; infinity where there is no such number */
} hlo_difference;

/* Arrays of the same element type and dimensions. */
bool hlo_literals_agree(const hlo_comparator *comparator, const hlo_literal *got, const hlo_literal *expected,
                        hlo_difference *difference);
/* How many steps from one value of a floating-point type to the other; zeros are one value. Both finite. */
uint64_t hlo_ulp_distance(hlo_type type, double a, double b);

#endif
