#include "shape/strides.h"

#include "shape/element_type.h"

int64_t hlo_dims_strides(const int64_t *dims, int rank, int64_t *strides) {
  int64_t count = 1;
  for (int d = rank - 1; d >= 0; d--) {
    strides[d] = count;
    count *= dims[d];
  }
  return count;
}

int64_t hlo_shape_strides(const hlo_shape *shape, int64_t *strides) { return hlo_dims_strides(shape->dims, shape->rank, strides); }

void hlo_shape_byte_strides(const hlo_shape *shape, int64_t *strides) {
  hlo_shape_strides(shape, strides);
  for (int d = 0; d < shape->rank; d++) strides[d] *= hlo_type_bytes(shape->type);
}
