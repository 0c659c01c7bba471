/* scatter: windows of updates combined into the operand where the index vectors say. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/fold.h"
#include "reference/apply/landing.h"
#include "reference/functions.h"
#include "reference/ops/gather_index.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

/* The correspondence of the dimensions of updates and operand. */
typedef struct scatter_dims {
  int batch_rank, window_rank;
  int64_t batch[HLO_MAX_RANK];        /* update dimensions that follow the batch of index vectors */
  int64_t window[HLO_MAX_RANK];       /* operand dimension of each window dimension of the updates */
  int64_t window_sizes[HLO_MAX_RANK]; /* actual, of each window dimension */
  int64_t extents[HLO_MAX_RANK];      /* of the whole window in each operand dimension; 1 where the updates lack it */
} scatter_dims;

static scatter_dims split_dims(const hlo_instruction *instruction, const hlo_literal *operand,
                               const hlo_literal *update) {
  hlo_ints window_dims = *hlo_instruction_ints(instruction, HLO_ATTR_update_window_dims), none = {0};
  hlo_ints inserted = *hlo_instruction_ints(instruction, HLO_ATTR_inserted_window_dims);
  hlo_ints batching = *hlo_instruction_ints(instruction, HLO_ATTR_input_batching_dims);
  scatter_dims dims;
  dims.batch_rank = hlo_dims_missing(update->shape->rank, window_dims, none, dims.batch);
  dims.window_rank = hlo_dims_missing(operand->shape->rank, inserted, batching, dims.window);
  for (int d = 0; d < operand->shape->rank; d++) dims.extents[d] = 1;
  for (int i = 0; i < dims.window_rank; i++) {
    dims.window_sizes[i] = hlo_literal_size(update, (int)window_dims.data[i]);
    dims.extents[dims.window[i]] = update->shape->dims[window_dims.data[i]];
  }
  return dims;
}

/* As in XLA, a window that is not wholly inside the operand is skipped as a whole. */
static bool window_fits(const int64_t *starts, const int64_t *extents, const hlo_shape *operand) {
  for (int d = 0; d < operand->rank; d++)
    if (starts[d] < 0 || starts[d] > operand->dims[d] - extents[d]) return false;
  return true;
}

/* Lists the updates that land on each element of the operand. Any index might have sent its window anywhere, so all indices
 * decide every element of the result: their origin is returned.
 * Index vectors in row-major order, and within each its window in row-major order. */
static hlo_origin land_updates(const hlo_instruction *instruction, const hlo_literal *operand, const hlo_literal *indices,
                         const hlo_literal *update, hlo_landings *landings) {
  hlo_ints window_dims = *hlo_instruction_ints(instruction, HLO_ATTR_update_window_dims);
  scatter_dims dims = split_dims(instruction, operand, update);
  hlo_index_vectors vectors;
  hlo_index_vectors_init(&vectors, indices, hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0),
                         *hlo_instruction_ints(instruction, HLO_ATTR_scatter_dims_to_operand_dims),
                         *hlo_instruction_ints(instruction, HLO_ATTR_input_batching_dims),
                         *hlo_instruction_ints(instruction, HLO_ATTR_scatter_indices_batching_dims));
  hlo_place operand_place = hlo_place_of(operand), update_place = hlo_place_of(update), target = {0}, source = {0};
  for (int i = 0; i < dims.window_rank; i++) {
    target.strides[i] = operand_place.strides[dims.window[i]];
    source.strides[i] = update_place.strides[window_dims.data[i]];
  }
  int64_t batch[HLO_MAX_RANK] = {0}, starts[HLO_MAX_RANK];
  hlo_origin by = {};
  if (hlo_box_is_empty(vectors.sizes, vectors.rank) || hlo_box_is_empty(dims.window_sizes, dims.window_rank)) return by;
  do {
    by = hlo_origin_join(by, hlo_index_vectors_start(&vectors, batch, operand->shape->rank, starts));
    if (!window_fits(starts, dims.extents, operand->shape)) continue;
    target.offset = hlo_place_index(&operand_place, operand->shape->rank, starts);
    source.offset = 0;
    for (int i = 0; i < dims.batch_rank; i++) source.offset += batch[i] * update_place.strides[dims.batch[i]];
    int64_t cell[HLO_MAX_RANK] = {0};
    do {
      hlo_landings_add(landings, hlo_place_index(&target, dims.window_rank, cell),
                       hlo_place_index(&source, dims.window_rank, cell));
    } while (hlo_index_next(dims.window_sizes, dims.window_rank, cell));
  } while (hlo_index_next(vectors.sizes, vectors.rank, batch));
  return by;
}

bool hlo_reference_scatter(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  int count = instruction->operand_count / 2;
  const hlo_literal *const *updates = operands + count + 1;
  int64_t elements = hlo_shape_element_count(operands[0]->shape);
  hlo_landings landings;
  hlo_fold fold;
  if (!hlo_landings_init(&landings, evaluation, elements, hlo_shape_element_count(updates[0]->shape)) ||
      !hlo_fold_init(&fold, evaluation,
                     hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply), count))
    return false;
  hlo_origin by = land_updates(instruction, operands[0], operands[count], updates[0], &landings);
  for (int i = 0; i < count; i++) hlo_literal_assign(hlo_result_part(result, i), operands[i]);
  for (int64_t i = 0; i < elements; i++)
    if (landings.first[i] >= 0 && !hlo_landings_fold(&landings, &fold, i, operands, i, updates, result)) return false;
  hlo_literal_direct(result, by);
  return true;
}
