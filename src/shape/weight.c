/* Weights: made, shared, freed, and unpacked. */
#include "shape/weight.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

static bool is_row_major(const hlo_layout_index *index) {
  int64_t stride = 1;
  for (int d = index->rank - 1; d >= 0; d--) {
    if (index->shape->dims[d] != 1 && index->strides[d] != stride) return false;
    stride *= index->shape->dims[d];
  }
  return true;
}

/* Finds the bytes of the elements, and whether they are packed. */
static bool measure(hlo_weight *weight, const hlo_shape *shape, hlo_status *status) {
  if (!hlo_shape_is_plain(shape)) return hlo_fail(status, HLO_UNSUPPORTED, "a weight is an array of known sizes, got %pS", shape);
  hlo_layout_index index;
  int64_t bytes;
  if (!hlo_layout_index_init(&index, shape, status) || !hlo_shape_array_size(shape, &bytes, status)) return false;
  int64_t bits = hlo_layout_element_bits(shape), elements = hlo_shape_element_count(shape);
  weight->packed = bits != 8 * hlo_type_bytes(shape->type);
  bool fits = !weight->packed || bits == hlo_type_bits(shape->type);
  if (!index.untiled || index.aligned_elements != elements || !fits || (elements && !is_row_major(&index)))
    return hlo_fail(status, HLO_UNSUPPORTED, "the elements of a weight are dense and row-major, got a layout of %pS that is not", shape);
  if (!hlo_checked_size(bytes, &weight->bytes))
    return hlo_fail(status, HLO_OUT_OF_MEMORY, "out of memory: a weight %pS of %lld bytes does not fit", shape, (long long)bytes);
  return true;
}

static bool allocate(hlo_weight *weight, const hlo_shape *shape, hlo_status *status) {
  if (!measure(weight, shape, status)) return false;
  const hlo_shape *bare = hlo_shape_without_layouts(&weight->arena, shape, status);
  weight->shape = bare ? hlo_shape_copy(&weight->arena, bare, status) : NULL;
  if (!weight->shape) return false;
  size_t rounded = (weight->bytes + HLO_WEIGHT_ALIGNMENT - (weight->bytes != 0)) / HLO_WEIGHT_ALIGNMENT * HLO_WEIGHT_ALIGNMENT;
  weight->data = aligned_alloc(HLO_WEIGHT_ALIGNMENT, rounded);
  return weight->data || hlo_fail(status, HLO_OUT_OF_MEMORY, "out of memory: a weight %pS of %zu bytes does not fit", shape, weight->bytes);
}

hlo_weight *hlo_weight_make(const hlo_shape *shape, hlo_weight_count *count, hlo_status *status) {
  hlo_weight *weight = calloc(1, sizeof *weight);
  if (!weight) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "out of memory: a weight");
    return NULL;
  }
  hlo_arena_init(&weight->arena);
  if (!allocate(weight, shape, status)) {
    hlo_arena_free(&weight->arena);
    free(weight);
    return NULL;
  }
  weight->references = 1;
  weight->count = count;
  if (count) {
    count->weights++;
    count->bytes += (int64_t)weight->bytes;
  }
  return weight;
}

hlo_weight *hlo_weight_keep(hlo_weight *weight) {
  weight->references++;
  return weight;
}

void hlo_weight_release(hlo_weight *weight) {
  if (!weight || --weight->references > 0) return;
  if (weight->count) {
    weight->count->weights--;
    weight->count->bytes -= (int64_t)weight->bytes;
  }
  if (weight->shared) hlo_shared_array_release(weight->shared);
  else free(weight->data);
  hlo_arena_free(&weight->arena);
  free(weight);
}

/* ---- Packed elements ---- */

/* How a file has packed elements: `count` of a type. */
typedef struct file_form {
  int64_t type, count;
} file_form;

/* Element by element: `bits` may not divide 8, and then an element may end in the next byte. */
static void unpack_bits(const uint8_t *packed, int bits, int64_t first, int64_t count, uint8_t *elements) {
  for (int64_t i = 0; i < count; i++) {
    int64_t bit = (first + i) * bits;
    const uint8_t *byte = packed + (bit >> 3);
    int shift = (int)(bit & 7);
    unsigned window = byte[0];
    if (shift + bits > 8) window |= (unsigned)byte[1] << 8;
    elements[i] = (uint8_t)(window >> shift & ((1u << bits) - 1));
  }
}

/* Two elements a byte, from an element with an even number on. */
static void unpack_halves(const uint8_t *packed, int64_t count, uint8_t *elements) {
  for (int64_t i = 0; i + 1 < count; i += 2) {
    elements[i] = packed[i >> 1] & 15;
    elements[i + 1] = packed[i >> 1] >> 4;
  }
  if (count & 1) elements[count - 1] = packed[count >> 1] & 15;
}

static void clear_unused(hlo_type type, void *elements, int64_t count) {
  hlo_shape shape = {.type = type, .rank = 1, .dims = &count};
  hlo_literal literal = {.shape = &shape, .data = elements};
  hlo_literal_clear_unused_bits(&literal);
}

static void unpack(hlo_type type, const void *packed, int64_t first, int64_t count, void *elements) {
  int bits = hlo_type_bits(type);
  if (bits == 4 && first % 2 == 0) unpack_halves((const uint8_t *)packed + first / 2, count, elements);
  else unpack_bits(packed, bits, first, count, elements);
  if (hlo_type_is_signed(type)) clear_unused(type, elements, count);
}

static bool unpack_file(const void *geometry, const void *packed, void *dense) {
  const file_form *form = geometry;
  return unpack((hlo_type)form->type, packed, 0, form->count, dense), true;
}

static bool pack_file(const void *geometry, const void *dense, void *packed) {
  const file_form *form = geometry;
  int bits = hlo_type_bits((hlo_type)form->type);
  memset(packed, 0, (size_t)(form->count * bits + 7) / 8);
  for (int64_t bit = 0; bit < form->count * bits; bit++)
    ((uint8_t *)packed)[bit >> 3] |= (uint8_t)((((const uint8_t *)dense)[bit / bits] >> bit % bits & 1) << (bit & 7));
  return true;
}

void hlo_weight_unpack(const hlo_weight *weight, int64_t first, int64_t count, void *elements) {
  if (count <= 0) return;
  size_t bytes = (size_t)hlo_type_bytes(weight->shape->type);
  if (weight->packed) unpack(weight->shape->type, weight->data, first, count, elements);
  else memcpy(elements, (const char *)weight->data + (size_t)first * bytes, (size_t)count * bytes);
}

void hlo_weight_clear_unused_bits(hlo_weight *weight) {
  if (!weight->packed) clear_unused(weight->shape->type, weight->data, hlo_shape_element_count(weight->shape));
}

/* ---- Sharing ---- */

static hlo_shared_array *share_packed(const hlo_weight *weight, hlo_status *status) {
  file_form form = {.type = weight->shape->type, .count = hlo_shape_element_count(weight->shape)};
  hlo_packing packing = {.pack = pack_file, .unpack = unpack_file, .geometry = &form, .geometry_bytes = sizeof form, .packed_bytes = weight->bytes};
  return hlo_shared_array_new_packed(weight->data, &packing, (size_t)form.count, free, weight->data, status);
}

hlo_shared_array *hlo_weight_share(hlo_weight *weight, hlo_status *status) {
  if (!weight->shared)
    weight->shared = weight->packed ? share_packed(weight, status) : hlo_shared_array_new(weight->data, weight->bytes, free, weight->data, status);
  return weight->shared ? hlo_shared_array_retain(weight->shared) : NULL;
}

bool hlo_weight_read(hlo_weight *weight, void *elements, hlo_status *status) {
  if (!weight->shared) return hlo_weight_unpack(weight, 0, hlo_shape_element_count(weight->shape), elements), true;
  const void *dense = hlo_shared_array_pin(weight->shared, status);
  if (!dense) return false;
  memcpy(elements, dense, hlo_shared_array_bytes(weight->shared));
  hlo_shared_array_unpin(weight->shared);
  return true;
}
