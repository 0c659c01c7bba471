/* Index vectors as positions: components go to the operand dimensions that the map names, batch indices to batching ones. */
#include "reference/ops/gather_index.h"

#include "shape/box.h"

void hlo_index_vectors_init(hlo_index_vectors *vectors, const hlo_literal *indices, int64_t index_vector_dim,
                            hlo_ints map, hlo_ints operand_batching, hlo_ints indices_batching) {
  hlo_place place = hlo_place_of(indices);
  *vectors = (hlo_index_vectors){.indices = indices, .map = map, .operand_batching = operand_batching};
  for (int d = 0; d < indices->shape->rank; d++) {
    if (d == index_vector_dim) {
      vectors->component_stride = place.strides[d];
      continue;
    }
    for (int i = 0; i < indices_batching.count; i++)
      if (indices_batching.data[i] == d) vectors->batching[i] = vectors->rank;
    vectors->dims[vectors->rank] = indices->shape->dims[d];
    vectors->sizes[vectors->rank] = hlo_literal_size(indices, d);
    vectors->strides[vectors->rank++] = place.strides[d];
  }
}

hlo_origin hlo_index_vectors_start(const hlo_index_vectors *vectors, const int64_t *batch, int rank, int64_t *start) {
  hlo_origin by = {};
  int64_t offset = 0;
  for (int d = 0; d < vectors->rank; d++) offset += batch[d] * vectors->strides[d];
  for (int d = 0; d < rank; d++) start[d] = 0;
  for (int i = 0; i < vectors->map.count; i++) {
    int64_t component = offset + i * vectors->component_stride;
    start[vectors->map.data[i]] = hlo_index_load(vectors->indices, component);
    by = hlo_origin_join(by, hlo_literal_origin(vectors->indices, component));
  }
  for (int i = 0; i < vectors->operand_batching.count; i++)
    start[vectors->operand_batching.data[i]] = batch[vectors->batching[i]];
  return by;
}
