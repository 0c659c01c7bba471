/* Components are made offsets a block of index vectors at a time, so that the type of the indices is asked about once. */
#include "plan/index_steps.h"

#include "kernels/strided_copy.h"

/* ---- Setting up ---- */

static HLO_BUILT_SMALL bool contains(hlo_ints ints, int64_t value) {
  for (int i = 0; i < ints.count; i++)
    if (ints.data[i] == value) return true;
  return false;
}

/* Neighbours that every array goes through as one. */
static HLO_BUILT_SMALL void merge_batch(hlo_index_batch *b) {
  int rank = 0;
  for (int d = 0; d < b->rank; d++) {
    if (b->dims[d] == 1) continue;
    int last = rank - 1;
    bool merges = rank > 0 && b->index_strides[last] == b->index_strides[d] * b->dims[d] &&
                  b->array_strides[last] == b->array_strides[d] * b->dims[d] && b->windows_strides[last] == b->windows_strides[d] * b->dims[d];
    if (!merges) last = rank++;
    b->dims[last] = merges ? b->dims[last] * b->dims[d] : b->dims[d];
    b->index_strides[last] = b->index_strides[d];
    b->array_strides[last] = b->array_strides[d];
    b->windows_strides[last] = b->windows_strides[d];
  }
  if (rank == 0) b->dims[rank++] = 1;
  b->rank = rank;
}

/* Dimensions of the indices that hold no vector go in step with those of the windows' array that hold no window. */
static HLO_BUILT_SMALL void describe_batch(hlo_index_batch *b, const hlo_index_attributes *attributes, const hlo_shape *indices, int64_t vector_dim,
                           const int64_t *array_strides, const int64_t *windows_strides) {
  int64_t strides[HLO_MAX_RANK];
  hlo_row_major_strides(indices, strides);
  b->index_type = indices->type;
  b->component_stride = vector_dim < indices->rank ? strides[vector_dim] : 0;
  for (int d = 0, out = 0; d < indices->rank; d++) {
    if (d == vector_dim) continue;
    while (contains(attributes->window_dims, out)) out++;
    b->dims[b->rank] = indices->dims[d];
    b->index_strides[b->rank] = strides[d];
    b->windows_strides[b->rank] = windows_strides[out++];
    for (int i = 0; i < attributes->index_batching.count; i++)
      if (attributes->index_batching.data[i] == d) b->array_strides[b->rank] = array_strides[attributes->array_batching.data[i]];
    b->rank++;
  }
  merge_batch(b);
}

HLO_BUILT_SMALL void hlo_index_windows_sizes(const hlo_index_attributes *attributes, const hlo_shape *array, const hlo_shape *windows, int64_t *sizes) {
  for (int d = 0, window = 0; d < array->rank; d++) {
    bool absent = contains(attributes->absent, d) || contains(attributes->array_batching, d);
    sizes[d] = absent ? 1 : windows->dims[attributes->window_dims.data[window++]];
  }
}

HLO_BUILT_SMALL void hlo_index_batch_describe(const hlo_instruction *instruction, const hlo_index_attributes *attributes, const hlo_shape *array,
                              const int64_t *sizes, const hlo_shape *indices, const hlo_shape *windows, hlo_index_batch *batch,
                              hlo_strided_map *window) {
  int64_t array_strides[HLO_MAX_RANK], windows_strides[HLO_MAX_RANK];
  int bytes = hlo_type_bytes(array->type), rank = 0;
  hlo_byte_strides(array, array_strides);
  hlo_byte_strides(windows, windows_strides);
  describe_batch(batch, attributes, indices, hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0), array_strides, windows_strides);
  batch->component_count = attributes->map.count;
  for (int i = 0; i < attributes->map.count; i++) {
    int64_t d = attributes->map.data[i];
    batch->last_start[i] = array->dims[d] - sizes[d];
    batch->array_stride[i] = array_strides[d];
  }
  *window = (hlo_strided_map){.rank = attributes->window_dims.count, .element_bytes = bytes};
  for (int d = 0; d < array->rank; d++) {
    if (contains(attributes->absent, d) || contains(attributes->array_batching, d)) continue;
    window->dims[rank] = sizes[d];
    window->in_strides[rank] = array_strides[d];
    window->out_strides[rank] = windows_strides[attributes->window_dims.data[rank]];
    rank++;
  }
  hlo_strided_map_simplify(window);
}

/* ---- Running ---- */

static inline int64_t index_at(hlo_type type, const void *indices, int64_t at) {
  if (type == HLO_TYPE_S32) return ((const int32_t *)indices)[at];
  hlo_scalar value = hlo_scalar_load(type, indices, at);
  return !hlo_type_is_signed(type) && value.u > INT64_MAX ? INT64_MAX : value.s;
}

static inline ptrdiff_t moved(ptrdiff_t offset, int64_t start, int64_t last, ptrdiff_t stride, bool drops) {
  if (drops && (start < 0 || start > last)) return -1;
  return offset + (ptrdiff_t)(start < 0 ? 0 : start > last ? last : start) * stride;
}

/* Moves offsets by component `c` of `count` vectors, whose first one is at `at`. */
static void add_component(const hlo_index_batch *b, int c, const void *indices, int64_t at, int64_t step, ptrdiff_t *offsets, int count) {
  ptrdiff_t stride = (ptrdiff_t)b->array_stride[c];
  int64_t last = b->last_start[c];
  if (b->index_type == HLO_TYPE_S32 && last <= INT32_MAX && !b->drops) { /* the frequent one, without a branch */
    const int32_t *index = (const int32_t *)indices + at;
    int32_t limit = (int32_t)last;
    for (int i = 0; i < count; i++, index += step) offsets[i] += (ptrdiff_t)(*index < 0 ? 0 : *index > limit ? limit : *index) * stride;
    return;
  }
  for (int i = 0; i < count; i++) {
    if (offsets[i] < 0) continue;
    offsets[i] = moved(offsets[i], index_at(b->index_type, indices, at + i * step), last, stride, b->drops);
  }
}

void hlo_index_batch_visit(const hlo_index_batch *b, const void *indices, hlo_index_visitor *visit, const void *context) {
  int64_t position[HLO_MAX_RANK] = {0}, index = 0, array = 0, windows = 0;
  int last = b->rank - 1;
  for (int d = 0; d < b->rank; d++)
    if (b->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    for (int64_t start = 0; start < b->dims[last]; start += HLO_INDEX_BLOCK) {
      ptrdiff_t offsets[HLO_INDEX_BLOCK];
      int count = (int)(b->dims[last] - start < HLO_INDEX_BLOCK ? b->dims[last] - start : HLO_INDEX_BLOCK);
      for (int i = 0; i < count; i++) offsets[i] = (ptrdiff_t)(array + (start + i) * b->array_strides[last]);
      for (int c = 0; c < b->component_count; c++)
        add_component(b, c, indices, index + start * b->index_strides[last] + c * b->component_stride, b->index_strides[last], offsets, count);
      visit(context, offsets, count, (ptrdiff_t)(windows + start * b->windows_strides[last]), (ptrdiff_t)b->windows_strides[last]);
    }
    for (d = last - 1; d >= 0; d--) { /* on to the next */
      index += b->index_strides[d];
      array += b->array_strides[d];
      windows += b->windows_strides[d];
      if (++position[d] < b->dims[d]) break;
      index -= b->index_strides[d] * b->dims[d];
      array -= b->array_strides[d] * b->dims[d];
      windows -= b->windows_strides[d] * b->dims[d];
      position[d] = 0;
    }
  }
}
