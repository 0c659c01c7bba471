/* How many bytes a shape takes: its elements alone, and its place in memory. */
#include "base/checked.h"
#include "shape/layout_index.h"

enum { POINTER_BYTES = 4 }; /* of a tuple's index table, and of an opaque: WebAssembly's */

/* ceil(elements * bits / 8) */
static bool packed_bytes(const hlo_shape *shape, int64_t elements, int64_t *bytes, hlo_status *status) {
  int64_t bits;
  if (!hlo_checked_mul(elements, hlo_layout_element_bits(shape), &bits))
    return hlo_fail(status, HLO_SHAPE, "the size of %pS in bits does not fit into 64 bits", shape);
  *bytes = hlo_ceil_div(bits, 8);
  return true;
}

/* Tuples, tokens, opaques: no layout matters to them. */
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
