/* Comparing two elements: IEEE order, total order, integer order; complex numbers lexicographically. */
#include <string.h>

#include "graph/attribute.h"
#include "reference/reference.h"
#include "shape/element_type.h"

/* Returns -1, 0 or 1; 2 for a NaN, which has no order. */
enum { UNORDERED = 2 };

static int order_real(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : UNORDERED; }

/* The total order is -NaN < -inf < ... < -0 < +0 < ... < inf < NaN. Every narrower float keeps its order (and the sign and the
 * payload of a NaN) as a double. */
static int64_t total_order_key(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int order_total(double a, double b) {
  int64_t x = total_order_key(a), y = total_order_key(b);
  return (x > y) - (x < y);
}

static int order(int comparison_type, hlo_type type, hlo_scalar a, hlo_scalar b) {
  int (*order_parts)(double, double) = comparison_type == HLO_comparison_type_TOTALORDER ? order_total : order_real;
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_SIGNED:
    return (a.s > b.s) - (a.s < b.s);
  case HLO_CLASS_FLOAT:
    return order_parts(a.f, b.f);
  case HLO_CLASS_COMPLEX: {
    int real = order_parts(a.f, b.f), imaginary = order_parts(a.im, b.im);
    if (real == UNORDERED || imaginary == UNORDERED) return UNORDERED;
    return real ? real : imaginary;
  }
  default:
    return (a.u > b.u) - (a.u < b.u);
  }
}

bool hlo_reference_compare_scalar(int direction, int comparison_type, hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  int place = order(comparison_type, type, lhs, rhs);
  if (place == UNORDERED) return direction == HLO_direction_NE;
  switch (direction) {
  case HLO_direction_EQ: return place == 0;
  case HLO_direction_NE: return place != 0;
  case HLO_direction_GE: return place >= 0;
  case HLO_direction_GT: return place > 0;
  case HLO_direction_LE: return place <= 0;
  default: return place < 0;
  }
}
