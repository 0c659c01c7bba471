/* Strided copies of boxes, and the walk over their elements that origins follow. */
#include "shape/box.h"

#include <string.h>

#include "shape/layout_index.h"
#include "shape/strides.h"

hlo_place hlo_place_of(const hlo_literal *literal) {
  hlo_place place = {0};
  hlo_shape_strides(literal->shape, place.strides);
  return place;
}

int64_t hlo_place_index(const hlo_place *place, int rank, const int64_t *index) {
  int64_t offset = place->offset;
  for (int d = 0; d < rank; d++) offset += index[d] * place->strides[d];
  return offset;
}

bool hlo_box_is_empty(const int64_t *dims, int rank) {
  for (int d = 0; d < rank; d++)
    if (dims[d] <= 0) return true;
  return false;
}

int64_t hlo_box_count(const int64_t *dims, int rank) {
  int64_t count = 1;
  for (int d = 0; d < rank; d++) count *= dims[d] < 0 ? 0 : dims[d];
  return count;
}

typedef uint8_t __attribute__((may_alias)) bits8;
typedef uint16_t __attribute__((may_alias)) bits16;
typedef uint32_t __attribute__((may_alias)) bits32;
typedef uint64_t __attribute__((may_alias)) bits64;
typedef struct __attribute__((may_alias)) bits128 {
  uint64_t a, b;
} bits128;

#define COPY_ROW(type)                                                             \
  for (int64_t i = 0; i < count; i++)                                              \
    ((type *)to)[to_offset + i * to_stride] = ((const type *)from)[from_offset + i * from_stride];

static void copy_row(int bytes, int64_t count, void *to, int64_t to_offset, int64_t to_stride,
                     const void *from, int64_t from_offset, int64_t from_stride) {
  if (to_stride == 1 && from_stride == 1) {
    memcpy((char *)to + to_offset * bytes, (const char *)from + from_offset * bytes, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
    case 1: COPY_ROW(bits8) break;
    case 2: COPY_ROW(bits16) break;
    case 4: COPY_ROW(bits32) break;
    case 8: COPY_ROW(bits64) break;
    default: COPY_ROW(bits128) break;
  }
}

void hlo_box_copy_bytes(int bytes, const int64_t *dims, int rank, void *to, const hlo_place *to_place,
                        const void *from, const hlo_place *from_place) {
  if (hlo_box_is_empty(dims, rank)) return;
  int outer = rank > 0 ? rank - 1 : 0;
  int64_t row = rank > 0 ? dims[outer] : 1;
  int64_t to_stride = rank > 0 ? to_place->strides[outer] : 1, from_stride = rank > 0 ? from_place->strides[outer] : 1;
  int64_t index[HLO_MAX_RANK] = {0};
  do {
    copy_row(bytes, row, to, hlo_place_index(to_place, outer, index), to_stride,
             from, hlo_place_index(from_place, outer, index), from_stride);
  } while (hlo_index_next(dims, outer, index));
}

/* Copies the origins of a box that has been copied. */
static void move_origins(const int64_t *dims, int rank, hlo_literal *to, const hlo_place *to_place, const hlo_literal *from,
                         const hlo_place *from_place) {
  int64_t index[HLO_MAX_RANK] = {0};
  if (!HLO_FOLLOWS_ORIGINS || hlo_box_is_empty(dims, rank)) return;
  do {
    hlo_origin_put(to->origins, hlo_place_index(to_place, rank, index),
                   hlo_origin_at(from->origins, hlo_place_index(from_place, rank, index)));
  } while (hlo_index_next(dims, rank, index));
}

void hlo_box_copy(const int64_t *dims, int rank, hlo_literal *to, const hlo_place *to_place, const hlo_literal *from,
                  const hlo_place *from_place) {
  hlo_box_copy_bytes(hlo_literal_element_bytes(to), dims, rank, to->data, to_place, from->data, from_place);
  move_origins(dims, rank, to, to_place, from, from_place);
}

void hlo_box_fill(hlo_literal *to, const hlo_literal *element) {
  int64_t count = hlo_shape_element_count(to->shape);
  hlo_place everywhere = {.strides = {1}}, same = {.strides = {0}};
  hlo_box_copy(&count, 1, to, &everywhere, element, &same);
}

void hlo_box_direct(const int64_t *dims, int rank, hlo_literal *literal, const hlo_place *place, hlo_origin by) {
  int64_t index[HLO_MAX_RANK] = {0};
  if (!HLO_FOLLOWS_ORIGINS || hlo_box_is_empty(dims, rank)) return;
  do {
    hlo_origin_direct_at(literal->origins, hlo_place_index(place, rank, index), by);
  } while (hlo_index_next(dims, rank, index));
}

void hlo_literal_direct(hlo_literal *literal, hlo_origin by) {
  if (!HLO_FOLLOWS_ORIGINS) return;
  for (int i = 0; i < literal->shape->element_count; i++) hlo_literal_direct(literal->elements[i], by);
  if (!hlo_shape_is_array(literal->shape)) return;
  for (int64_t i = 0; i < hlo_shape_element_count(literal->shape); i++) hlo_origin_direct_at(literal->origins, i, by);
}

void hlo_sizes_of(const hlo_literal *literal, int64_t *sizes) {
  for (int d = 0; d < literal->shape->rank; d++) sizes[d] = hlo_literal_size(literal, d);
}

void hlo_literal_clear(hlo_literal *literal) {
  memset(literal->data, 0, hlo_literal_bytes(literal));
  for (int64_t i = 0, count = HLO_FOLLOWS_ORIGINS ? hlo_shape_element_count(literal->shape) : 0; i < count; i++)
    hlo_origin_put(literal->origins, i, (hlo_origin){});
  for (int d = 0; literal->dynamic_sizes && d < literal->shape->rank; d++)
    literal->dynamic_sizes[d] = literal->shape->dims[d];
}

void hlo_size_set(hlo_literal *literal, int dimension, int64_t size) {
  if (!literal->dynamic_sizes || hlo_shape_dim_kind(literal->shape, dimension) == HLO_DIM_STATIC) return;
  literal->dynamic_sizes[dimension] = hlo_clamp(size, 0, literal->shape->dims[dimension]);
}

int64_t hlo_index_load(const hlo_literal *literal, int64_t index) {
  hlo_scalar value = hlo_literal_get(literal, index);
  if (hlo_type_is_signed(literal->shape->type)) return value.s;
  return value.u > INT64_MAX ? INT64_MAX : (int64_t)value.u;
}
