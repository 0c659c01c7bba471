#include "reference/complex_numbers.h"

#include <math.h>

#include "shape/element_type.h"

double hlo_complex_abs(hlo_complex a) {
  double x = fabs(a[0]), y = fabs(a[1]), large = x < y ? y : x, ratio = (x < y ? x : y) / large;
  if (isinf(x) || isinf(y)) return INFINITY;
  return large == 0 ? x + y : large * sqrt(1 + ratio * ratio);
}

hlo_complex hlo_complex_multiply(hlo_complex a, hlo_complex b) {
  return (hlo_complex){a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
}

hlo_complex *hlo_complex_load(hlo_arena *arena, const hlo_literal *literal, int64_t first, ptrdiff_t count, hlo_status *status) {
  hlo_complex *values = hlo_arena_many(arena, hlo_complex, count, status);
  for (ptrdiff_t i = 0; values && i < count; i++) {
    hlo_scalar value = hlo_literal_get(literal, first + i);
    values[i] = (hlo_complex){value.f, hlo_type_is_complex(literal->shape->type) ? value.im : 0};
  }
  return values;
}
