/* Copies dense row-major elements to the bytes of a layout, and back.
 *
 * Where no tile combines dimensions, tiles split each coordinate by itself. The offset of an element is then a sum of one term for each
 * dimension: the terms are tabulated once, and the copy computes offsets by additions alone. */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

typedef struct layout_copy {
  hlo_layout_index index;
  size_t bytes;        /* of an element of the dense array */
  int bits;            /* of an element of the physical array */
  bool packed;         /* elements share bytes: bits is less than 8 * bytes, and bytes is 1 */
  uint8_t *dense;      /* read or written, as to_physical says; so is the next */
  uint8_t *physical;
  bool to_physical;
  int64_t *terms;      /* of all dimensions; NULL: every offset is computed by itself */
  int64_t *term_of[HLO_MAX_RANK]; /* by dimension: the terms of its coordinates */
} layout_copy;

enum { MAX_TERMS = 1 << 20 }; /* 8 MiB; larger shapes compute every offset by itself */

/* ---- One element ---- */

/* Elements fill a byte from its lowest bits up, as XLA packs them: element 0 of s4 is the low half of byte 0. */
static void put_packed(uint8_t *physical, int64_t offset, int bits, unsigned value) {
  int64_t first = offset * bits;
  unsigned mask = (1u << bits) - 1, shift = (unsigned)(first & 7);
  unsigned window = (value & mask) << shift, hole = ~(mask << shift);
  uint8_t *byte = physical + (first >> 3);
  byte[0] = (uint8_t)((byte[0] & hole) | window);
  if (shift + (unsigned)bits > 8) byte[1] = (uint8_t)((byte[1] & hole >> 8) | window >> 8);
}

static unsigned get_packed(const uint8_t *physical, int64_t offset, int bits) {
  int64_t first = offset * bits;
  unsigned shift = (unsigned)(first & 7);
  const uint8_t *byte = physical + (first >> 3);
  unsigned window = byte[0];
  if (shift + (unsigned)bits > 8) window |= (unsigned)byte[1] << 8;
  return window >> shift & ((1u << bits) - 1);
}

/* A byte as hlo_scalar_store would have written it: sign-extended for signed types. */
static uint8_t unpacked_byte(hlo_type type, unsigned bits) {
  uint8_t byte = (uint8_t)bits;
  hlo_scalar value = hlo_scalar_load(type, &byte, 0);
  hlo_scalar_store(type, &byte, 0, value);
  return byte;
}

static void copy_packed(const layout_copy *copy, int64_t linear, int64_t offset) {
  if (copy->to_physical) put_packed(copy->physical, offset, copy->bits, copy->dense[linear]);
  else copy->dense[linear] = unpacked_byte(copy->index.shape->type, get_packed(copy->physical, offset, copy->bits));
}

static void copy_element(const layout_copy *copy, int64_t linear, int64_t offset) {
  if (copy->packed) {
    copy_packed(copy, linear, offset);
    return;
  }
  uint8_t *dense = copy->dense + (size_t)linear * copy->bytes;
  uint8_t *physical = copy->physical + (size_t)offset * copy->bytes;
  if (copy->to_physical) memcpy(physical, dense, copy->bytes);
  else memcpy(dense, physical, copy->bytes);
}

/* ---- A row: all elements along the last logical dimension ---- */

#define COPY_ROW(type)                                                              \
  do {                                                                              \
    type *dense = (type *)copy->dense + linear, *physical = (type *)copy->physical; \
    if (copy->to_physical)                                                          \
      for (int64_t i = 0; i < count; i++) physical[base + terms[i]] = dense[i];     \
    else                                                                            \
      for (int64_t i = 0; i < count; i++) dense[i] = physical[base + terms[i]];     \
  } while (0)

static bool is_aligned(const layout_copy *copy) {
  return ((uintptr_t)copy->dense | (uintptr_t)copy->physical) % copy->bytes == 0;
}

static void copy_row(const layout_copy *copy, int64_t linear, int64_t base, const int64_t *terms, int64_t count) {
  size_t width = copy->packed || !is_aligned(copy) ? 0 : copy->bytes;
  if (width == 1) COPY_ROW(uint8_t);
  else if (width == 2) COPY_ROW(uint16_t);
  else if (width == 4) COPY_ROW(uint32_t);
  else if (width == 8) COPY_ROW(uint64_t);
  else
    for (int64_t i = 0; i < count; i++) copy_element(copy, linear + i, base + terms[i]);
}

/* ---- The whole array ---- */

static bool is_separable(const hlo_layout *layout) {
  for (int i = 0; i < layout->tile_count; i++)
    for (int d = 0; d < layout->tiles[i].rank; d++)
      if (layout->tiles[i].dims[d] == HLO_TILE_COMBINE) return false;
  return true;
}

/* Fills copy->terms, if there are terms and memory for them. The copy works without them, too. */
static void tabulate_terms(layout_copy *copy) {
  const hlo_layout_index *index = &copy->index;
  const int64_t *dims = index->shape->dims;
  if (index->rank == 0 || !is_separable(index->layout)) return;
  int64_t total = 0;
  for (int d = 0; d < index->rank; d++)
    if (dims[d] > MAX_TERMS || (total += dims[d]) > MAX_TERMS) return;
  copy->terms = malloc((size_t)total * sizeof *copy->terms);
  if (!copy->terms) return;
  int64_t *term = copy->terms, at[HLO_MAX_RANK] = {0};
  for (int d = 0; d < index->rank; d++) {
    copy->term_of[d] = term;
    for (at[d] = 0; at[d] < dims[d]; at[d]++) *term++ = hlo_layout_offset(index, at);
    at[d] = 0;
  }
}

static void copy_by_terms(const layout_copy *copy) {
  const int64_t *dims = copy->index.shape->dims;
  int last = copy->index.rank - 1;
  int64_t at[HLO_MAX_RANK] = {0}, linear = 0;
  do {
    int64_t base = 0;
    for (int d = 0; d < last; d++) base += copy->term_of[d][at[d]];
    copy_row(copy, linear, base, copy->term_of[last], dims[last]);
    linear += dims[last];
  } while (hlo_index_next(dims, last, at));
}

static void copy_by_offsets(const layout_copy *copy) {
  int64_t at[HLO_MAX_RANK] = {0}, linear = 0;
  do copy_element(copy, linear++, hlo_layout_offset(&copy->index, at));
  while (hlo_index_next(copy->index.shape->dims, copy->index.rank, at));
}

static void copy_elements(layout_copy *copy) {
  int64_t elements = hlo_shape_element_count(copy->index.shape);
  if (elements == 0) return;
  if (copy->index.dense_row_major) {
    size_t bytes = (size_t)elements * copy->bytes;
    if (copy->to_physical) memcpy(copy->physical, copy->dense, bytes);
    else memcpy(copy->dense, copy->physical, bytes);
    return;
  }
  tabulate_terms(copy);
  if (copy->terms) copy_by_terms(copy);
  else copy_by_offsets(copy);
  free(copy->terms);
}

static bool copy_init(layout_copy *copy, const hlo_shape *shape, size_t *physical_bytes, hlo_status *status) {
  *copy = (layout_copy){0};
  int64_t bytes;
  if (!hlo_layout_index_init(&copy->index, shape, status) || !hlo_shape_array_size(shape, &bytes, status)) return false;
  if (!hlo_checked_size(bytes, physical_bytes))
    return hlo_fail(status, HLO_OUT_OF_MEMORY, "%pS takes more bytes than memory can hold", shape);
  copy->bytes = (size_t)hlo_type_bytes(shape->type);
  copy->bits = (int)hlo_layout_element_bits(shape);
  copy->packed = (size_t)copy->bits != 8 * copy->bytes;
  return true;
}

static bool padding_scalar(const hlo_shape *shape, const hlo_layout *layout, hlo_scalar *value) {
  switch (layout->padding_value) {
    case HLO_PADDING_ONE: *value = hlo_scalar_one(shape->type); return true;
    case HLO_PADDING_LOWEST: *value = hlo_type_min_value(shape->type); return true;
    case HLO_PADDING_HIGHEST: *value = hlo_type_max_value(shape->type); return true;
    default: return false;
  }
}

/* Fills all of the physical array with padding, where it has any; the elements are written over it. */
static void fill_padding(const layout_copy *copy, size_t physical_bytes) {
  const hlo_layout_index *index = &copy->index;
  hlo_scalar value;
  bool full = !copy->packed && index->aligned_elements == hlo_shape_element_count(index->shape);
  if (full) return;
  memset(copy->physical, 0, physical_bytes);
  if (!padding_scalar(index->shape, index->layout, &value)) return;
  _Alignas(16) uint8_t element[16] = {0};
  hlo_scalar_store(index->shape->type, element, 0, value);
  for (int64_t i = 0; i < index->aligned_elements; i++) {
    if (copy->packed) put_packed(copy->physical, i, copy->bits, element[0]);
    else memcpy(copy->physical + (size_t)i * copy->bytes, element, copy->bytes);
  }
}

bool hlo_layout_scatter(const hlo_shape *shape, const void *dense, void *physical, hlo_status *status) {
  layout_copy copy;
  size_t physical_bytes;
  if (!copy_init(&copy, shape, &physical_bytes, status)) return false;
  copy.dense = (uint8_t *)dense;
  copy.physical = physical;
  copy.to_physical = true;
  fill_padding(&copy, physical_bytes);
  copy_elements(&copy);
  return true;
}

bool hlo_layout_is_dense(const hlo_shape *shape) {
  hlo_layout_index index;
  hlo_status status = {.code = HLO_OK};
  if (!shape->layout) return true;
  return !hlo_shape_has_unbounded(shape) && hlo_layout_index_init(&index, shape, &status) && index.dense_row_major &&
         index.aligned_elements == index.padded_elements;
}

bool hlo_layout_gather(const hlo_shape *shape, const void *physical, void *dense, hlo_status *status) {
  layout_copy copy;
  size_t physical_bytes;
  if (!copy_init(&copy, shape, &physical_bytes, status)) return false;
  copy.dense = dense;
  copy.physical = (uint8_t *)physical;
  copy_elements(&copy);
  return true;
}
