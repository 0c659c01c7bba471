/* The size of a shape in bytes: of its elements alone, and of its place in memory. */
#include "base/checked.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

enum { POINTER_BYTES = 4 }; /* of each entry of a tuple's index table, and of an opaque, in WebAssembly */

/* ceil(elements * bits / 8) */
static bool packed_bytes(const hlo_shape *shape, int64_t elements, int64_t *bytes, hlo_status *status) {
  int64_t bits;
  if (!hlo_checked_mul(elements, hlo_layout_element_bits(shape), &bits))
    return hlo_fail(status, HLO_SHAPE, "the size of %pS in bits does not fit into 64 bits", shape);
  *bytes = hlo_ceil_div(bits, 8);
  return true;
}

/* The size of a tuple, token or opaque, which has no layout. */
static int64_t other_bytes(const hlo_shape *shape) {
  if (hlo_shape_is_tuple(shape)) return (int64_t)shape->element_count * POINTER_BYTES;
  return shape->type == HLO_TYPE_OPAQUE ? POINTER_BYTES : 0;
}

bool hlo_shape_byte_size(const hlo_shape *shape, int64_t *bytes, hlo_status *status) {
  if (!hlo_shape_is_array(shape)) {
    *bytes = other_bytes(shape);
    return true;
  }
  if (hlo_shape_has_unbounded(shape))
    return hlo_fail(status, HLO_SHAPE, "the size of %pS is unknown", shape);
  return packed_bytes(shape, hlo_shape_element_count(shape), bytes, status);
}

bool hlo_shape_array_size(const hlo_shape *shape, int64_t *bytes, hlo_status *status) {
  if (!hlo_shape_is_array(shape)) {
    *bytes = other_bytes(shape);
    return true;
  }
  hlo_layout_index index;
  return hlo_layout_index_init(&index, shape, status) && packed_bytes(shape, index.aligned_elements, bytes, status);
}

int64_t hlo_shape_dense_bytes(const hlo_shape *leaf) {
  return hlo_shape_is_array(leaf) ? hlo_shape_element_count(leaf) * hlo_type_bytes(leaf->type) : 0;
}
