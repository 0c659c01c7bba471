/* Comparing two arrays by the rules of the conformance suites. */
#ifndef HLO_REFERENCE_CUSTOM_CALLS_COMPARATOR_H
#define HLO_REFERENCE_CUSTOM_CALLS_COMPARATOR_H

#include "shape/element_type.h"
#include "shape/literal.h"

typedef enum hlo_agreement {
  HLO_AGREE_EQUAL,  /* as == says: NaN differs from everything, zeros are equal */
  HLO_AGREE_CLOSE,  /* `min_ulp` to `max_ulp` representable values apart, complex numbers by the worse part */
  HLO_AGREE_ALMOST, /* at most `tolerance` apart, complex numbers by the worse part */
  HLO_AGREE_LOOSE   /* at most 1e-4 (f64: 1e-10) of the largest finite magnitude expected apart */
} hlo_agreement;
/* By all rules but EQUAL, NaN agrees with NaN, and an infinity with itself alone (it is UINT64_MAX from everything else).
 * Integers and pred are compared exactly, except by ALMOST. */

typedef struct hlo_comparator {
  hlo_agreement rule;
  double tolerance;
  uint64_t min_ulp, max_ulp;
} hlo_comparator;

/* The first element that differs, and how many do. */
typedef struct hlo_difference {
  int64_t index;          /* of that element, row-major */
  int64_t count;          /* of elements that differ */
  hlo_scalar got, expected;
  double distance;        /* in the unit of the rule; infinity where it has none */
} hlo_difference;

/* Returns whether two arrays of the same element type and dimensions agree; if not, fills in the difference. */
bool hlo_literals_agree(const hlo_comparator *comparator, const hlo_literal *got, const hlo_literal *expected,
                        hlo_difference *difference);
/* Returns how many steps it takes from one value of a floating-point type to the other; both zeros are one value. Both are finite. */
uint64_t hlo_ulp_distance(hlo_type type, double a, double b);

#endif
