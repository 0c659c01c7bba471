/* Comparing arrays, element by element. */
#include "reference/custom_calls/comparator.h"

#include <math.h>

#include "shape/shape.h"

/* The number of a value in the order of its floating-point type; both zeros have number 0. */
static int64_t place_of(hlo_type type, double value) {
  uint64_t bits = hlo_float_encode(type, fabs(value));
  return value < 0 ? -(int64_t)bits : (int64_t)bits;
}

uint64_t hlo_ulp_distance(hlo_type type, double a, double b) {
  int64_t first = place_of(type, a), second = place_of(type, b);
  return first > second ? (uint64_t)first - (uint64_t)second : (uint64_t)second - (uint64_t)first;
}

/* The distance of two real numbers, in the unit of the rule. */
static double real_distance(const hlo_comparator *c, hlo_type type, double a, double b) {
  if (c->rule == HLO_AGREE_EQUAL) return a == b ? 0 : isfinite(a - b) ? fabs(a - b) : INFINITY;
  if ((isnan(a) && isnan(b)) || a == b) return 0;
  if (!isfinite(a) || !isfinite(b)) return INFINITY;
  return c->rule == HLO_AGREE_CLOSE ? (double)hlo_ulp_distance(type, a, b) : fabs(a - b);
}

static double integer_distance(hlo_type type, hlo_scalar a, hlo_scalar b) {
  if (hlo_type_is_signed(type)) return fabs((double)a.s - (double)b.s) + (a.s != b.s ? 0x1p-60 : 0);
  return fabs((double)a.u - (double)b.u) + (a.u != b.u ? 0x1p-60 : 0);
}

static double distance(const hlo_comparator *c, hlo_type type, hlo_scalar a, hlo_scalar b) {
  hlo_type real = hlo_type_real_part(type);
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_FLOAT: return real_distance(c, type, a.f, b.f);
  case HLO_CLASS_COMPLEX: return fmax(real_distance(c, real, a.f, b.f), real_distance(c, real, a.im, b.im));
  default: return integer_distance(type, a, b);
  }
}

static double magnitude(double value) { return isfinite(value) ? fabs(value) : 0; }

static double largest_magnitude(const hlo_literal *literal) {
  double largest = 0;
  bool complex = hlo_type_is_complex(literal->shape->type);
  for (int64_t i = 0, count = hlo_shape_element_count(literal->shape); i < count; i++) {
    hlo_scalar value = hlo_literal_get(literal, i);
    largest = fmax(largest, fmax(magnitude(value.f), complex ? magnitude(value.im) : 0));
  }
  return largest;
}

static double allowance(const hlo_comparator *c, const hlo_literal *expected) {
  hlo_type type = expected->shape->type;
  bool exact = !hlo_type_is_float(type) && !hlo_type_is_complex(type);
  switch (c->rule) {
  case HLO_AGREE_CLOSE: return exact ? 0 : c->max_ulp == UINT64_MAX ? INFINITY : (double)c->max_ulp;
  case HLO_AGREE_ALMOST: return c->tolerance;
  case HLO_AGREE_LOOSE:
    return exact ? 0 : largest_magnitude(expected) * (hlo_type_real_part(type) == HLO_TYPE_F64 ? 1e-10 : 1e-4);
  default: return 0;
  }
}

bool hlo_literals_agree(const hlo_comparator *comparator, const hlo_literal *got, const hlo_literal *expected,
                        hlo_difference *difference) {
  hlo_type type = expected->shape->type;
  double allowed = allowance(comparator, expected);
  difference->count = 0;
  for (int64_t i = 0, count = hlo_shape_element_count(expected->shape); i < count; i++) {
    hlo_scalar a = hlo_literal_get(got, i), b = hlo_literal_get(expected, i);
    double apart = distance(comparator, type, a, b);
    bool too_near = comparator->rule == HLO_AGREE_CLOSE && apart < (double)comparator->min_ulp;
    if ((apart <= allowed && !too_near) || difference->count++) continue;
    difference->index = i;
    difference->got = a;
    difference->expected = b;
    difference->distance = apart;
  }
  return difference->count == 0;
}
