/* gather: for every index vector, the slice of the operand that starts there. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/ops/gather_index.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"

/* The dimensions of the result: offset_dims are those of the slice, the others those of the batch of indices. Collapsed and
 * batching dimensions of the slice are not among them. */
typedef struct gather_dims {
  int64_t batch[HLO_MAX_RANK];  /* result dimensions of the batch */
  int batch_rank;
  int64_t window[HLO_MAX_RANK]; /* operand dimensions that the result keeps */
  int window_rank;
} gather_dims;

static gather_dims split_dims(const hlo_instruction *instruction, int operand_rank, int result_rank) {
  gather_dims dims;
  hlo_ints offset_dims = *hlo_instruction_ints(instruction, HLO_ATTR_offset_dims), none = {0};
  dims.batch_rank = hlo_dims_missing(result_rank, offset_dims, none, dims.batch);
  dims.window_rank =
      hlo_dims_missing(operand_rank, *hlo_instruction_ints(instruction, HLO_ATTR_collapsed_slice_dims),
                       *hlo_instruction_ints(instruction, HLO_ATTR_operand_batching_dims), dims.window);
  return dims;
}

static void set_sizes(const hlo_instruction *instruction, const gather_dims *dims, const hlo_index_vectors *vectors,
                      const hlo_literal *operand, hlo_literal *result) {
  hlo_ints offset_dims = *hlo_instruction_ints(instruction, HLO_ATTR_offset_dims);
  for (int i = 0; i < dims->window_rank; i++)
    hlo_size_set(result, (int)offset_dims.data[i], hlo_literal_size(operand, (int)dims->window[i]));
  for (int i = 0; i < dims->batch_rank; i++) hlo_size_set(result, (int)dims->batch[i], vectors->sizes[i]);
}

bool hlo_reference_gather(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                          const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  int rank = operand->shape->rank;
  hlo_ints slice_sizes = *hlo_instruction_ints(instruction, HLO_ATTR_slice_sizes);
  hlo_ints offset_dims = *hlo_instruction_ints(instruction, HLO_ATTR_offset_dims);
  hlo_index_vectors vectors;
  hlo_index_vectors_init(&vectors, operands[1], hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0),
                         *hlo_instruction_ints(instruction, HLO_ATTR_start_index_map),
                         *hlo_instruction_ints(instruction, HLO_ATTR_operand_batching_dims),
                         *hlo_instruction_ints(instruction, HLO_ATTR_start_indices_batching_dims));
  gather_dims dims = split_dims(instruction, rank, result->shape->rank);
  hlo_place natural = hlo_place_of(operand), target = hlo_place_of(result), from = {0}, to = {0};
  int64_t window[HLO_MAX_RANK], batch[HLO_MAX_RANK] = {0}, starts[HLO_MAX_RANK];
  hlo_literal_clear(result);
  set_sizes(instruction, &dims, &vectors, operand, result);
  for (int i = 0; i < dims.window_rank; i++) {
    window[i] = slice_sizes.data[dims.window[i]];
    from.strides[i] = natural.strides[dims.window[i]];
    to.strides[i] = target.strides[offset_dims.data[i]];
  }
  if (hlo_box_is_empty(vectors.dims, vectors.rank)) return true;
  do {
    if (!hlo_reference_tick(evaluation, 1 + hlo_box_count(window, dims.window_rank))) return false;
    hlo_origin by = hlo_index_vectors_start(&vectors, batch, rank, starts);
    for (int d = 0; d < rank; d++) starts[d] = hlo_clamp(starts[d], 0, operand->shape->dims[d] - slice_sizes.data[d]);
    from.offset = hlo_place_index(&natural, rank, starts);
    to.offset = 0;
    for (int i = 0; i < dims.batch_rank; i++) to.offset += batch[i] * target.strides[dims.batch[i]];
    hlo_box_copy(window, dims.window_rank, result, &to, operand, &from);
    hlo_box_direct(window, dims.window_rank, result, &to, by);
  } while (hlo_index_next(vectors.dims, vectors.rank, batch));
  return true;
}
