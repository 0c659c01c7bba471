#include "shape/dims.h"

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
