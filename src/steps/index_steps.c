#include "steps/index_steps.h"

#include "graph/attribute.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/strides.h"

/* Merges neighbouring dimensions of the batch that every array walks through as one, and drops those of size 1. */
static void merge_batch(hlo_index_batch *b) {
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

/* The batch dimensions: those of the indices but for the one along which a vector lies. In the same order, they are the dimensions of the
 * windows' array that belong to no window. */
static void describe_batch(hlo_index_batch *b, const hlo_index_attributes *attributes, const hlo_shape *indices, int64_t vector_dim,
                           const int64_t *array_strides, const int64_t *windows_strides) {
  int64_t strides[HLO_MAX_RANK];
  hlo_shape_strides(indices, strides);
  b->index_type = indices->type;
  b->component_stride = vector_dim < indices->rank ? strides[vector_dim] : 0;
  for (int d = 0, out = 0; d < indices->rank; d++) {
    if (d == vector_dim) continue;
    while (hlo_ints_contain(attributes->window_dims, out)) out++;
    b->dims[b->rank] = indices->dims[d];
    b->index_strides[b->rank] = strides[d];
    b->windows_strides[b->rank] = windows_strides[out++];
    for (int i = 0; i < attributes->index_batching.count; i++)
      if (attributes->index_batching.data[i] == d) b->array_strides[b->rank] = array_strides[attributes->array_batching.data[i]];
    b->rank++;
  }
  merge_batch(b);
}

void hlo_index_windows_sizes(const hlo_index_attributes *attributes, const hlo_shape *array, const hlo_shape *windows, int64_t *sizes) {
  for (int d = 0, window = 0; d < array->rank; d++) {
    bool absent = hlo_ints_contain(attributes->absent, d) || hlo_ints_contain(attributes->array_batching, d);
    sizes[d] = absent ? 1 : windows->dims[attributes->window_dims.data[window++]];
  }
}

void hlo_index_batch_describe(const hlo_instruction *instruction, const hlo_index_attributes *attributes, const hlo_shape *array,
                              const int64_t *sizes, const hlo_shape *indices, const hlo_shape *windows, hlo_index_batch *batch,
                              hlo_strided_map *window) {
  int64_t array_strides[HLO_MAX_RANK], windows_strides[HLO_MAX_RANK];
  int bytes = hlo_type_bytes(array->type), rank = 0;
  hlo_shape_byte_strides(array, array_strides);
  hlo_shape_byte_strides(windows, windows_strides);
  describe_batch(batch, attributes, indices, hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0), array_strides, windows_strides);
  batch->component_count = attributes->map.count;
  for (int i = 0; i < attributes->map.count; i++) {
    int64_t d = attributes->map.data[i];
    batch->last_start[i] = array->dims[d] - sizes[d];
    batch->array_stride[i] = array_strides[d];
  }
  *window = (hlo_strided_map){.rank = attributes->window_dims.count, .element_bytes = bytes};
  for (int d = 0; d < array->rank; d++) {
    if (hlo_ints_contain(attributes->absent, d) || hlo_ints_contain(attributes->array_batching, d)) continue;
    window->dims[rank] = sizes[d];
    window->in_strides[rank] = array_strides[d];
    window->out_strides[rank] = windows_strides[attributes->window_dims.data[rank]];
    rank++;
  }
  hlo_strided_map_simplify(window);
}
