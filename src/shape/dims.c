#include "shape/dims.h"

#include "base/checked.h"

uint32_t hlo_ints_mask(const hlo_ints *dims) {
  uint32_t mask = 0;
  for (int i = 0; i < dims->count; i++) mask |= 1u << dims->data[i];
  return mask;
}

int hlo_dims_missing(int rank, hlo_ints a, hlo_ints b, int64_t *missing) {
  int count = 0;
  for (int d = 0; d < rank; d++)
    if (!hlo_ints_contain(a, d) && !hlo_ints_contain(b, d)) missing[count++] = d;
  return count;
}

int64_t hlo_window_cells(const hlo_window *window) {
  int64_t count = 1;
  for (int d = 0; d < window->rank; d++)
    if (!hlo_checked_mul(count, window->dims[d].size, &count)) return INT64_MAX;
  return count;
}
