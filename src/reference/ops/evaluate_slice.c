/* slice, dynamic-slice, dynamic-update-slice, pad: boxes are cut out of arrays, or put into them. */
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/origin.h"

bool hlo_reference_slice(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  const hlo_slice *slice = hlo_instruction_attribute(instruction, HLO_ATTR_slice)->slice;
  hlo_place to = hlo_place_of(result), from = hlo_place_of(operand);
  hlo_literal_clear(result);
  for (int d = 0; d < slice->rank; d++) {
    int64_t size = hlo_literal_size(operand, d), limit = slice->dims[d].limit < size ? slice->dims[d].limit : size;
    hlo_size_set(result, d, hlo_ceil_div(limit - slice->dims[d].start, slice->dims[d].stride));
    from.offset += slice->dims[d].start * from.strides[d];
    from.strides[d] *= slice->dims[d].stride;
  }
  hlo_box_copy(result->shape->dims, result->shape->rank, result, &to, operand, &from);
  return true;
}

/* Reads the start indices, one scalar for each dimension or one operand of rank 1, clamped so that the window fits.
 * Returns the origin of those that the clamp leaves a choice. */
static hlo_origin load_starts(const hlo_literal *const *indices, int index_count, const int64_t *dims,
                        const int64_t *window, int rank, int64_t *starts) {
  bool one_operand = index_count == 1 && indices[0]->shape->rank == 1;
  hlo_origin by = {};
  for (int d = 0; d < rank; d++) {
    const hlo_literal *index = indices[one_operand ? 0 : d];
    int64_t at = one_operand ? d : 0;
    starts[d] = hlo_clamp(hlo_index_load(index, at), 0, dims[d] - window[d]);
    if (window[d] < dims[d]) by = hlo_origin_join(by, hlo_literal_origin(index, at));
  }
  return by;
}

bool hlo_reference_dynamic_slice(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  int rank = result->shape->rank;
  int64_t starts[HLO_MAX_RANK];
  hlo_place to = hlo_place_of(result), from = hlo_place_of(operand);
  hlo_origin by = load_starts(operands + 1, instruction->operand_count - 1, operand->shape->dims, result->shape->dims, rank, starts);
  hlo_literal_clear(result);
  for (int d = 0; d < rank; d++) hlo_size_set(result, d, hlo_literal_size(operand, d) - starts[d]);
  from.offset = hlo_place_index(&from, rank, starts);
  hlo_box_copy(result->shape->dims, rank, result, &to, operand, &from);
  hlo_literal_direct(result, by);
  return true;
}

bool hlo_reference_dynamic_update_slice(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                        const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0], *update = operands[1];
  int rank = result->shape->rank;
  int64_t starts[HLO_MAX_RANK], sizes[HLO_MAX_RANK];
  hlo_place to = hlo_place_of(result), from = hlo_place_of(update);
  hlo_origin by = load_starts(operands + 2, instruction->operand_count - 2, operand->shape->dims, update->shape->dims, rank, starts);
  hlo_sizes_of(update, sizes);
  hlo_literal_assign_elements(result, operand);
  hlo_reference_copy_sizes(result, operand);
  to.offset = hlo_place_index(&to, rank, starts);
  hlo_box_copy(sizes, rank, result, &to, update, &from);
  hlo_literal_direct(result, by);
  return true;
}

/* Operand element i goes to low + i * (interior + 1); those that fall outside are cut off. */
bool hlo_reference_pad(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  const hlo_padding_config *padding = hlo_instruction_attribute(instruction, HLO_ATTR_padding)->padding;
  int rank = result->shape->rank;
  hlo_place to = hlo_place_of(result), from = hlo_place_of(operand);
  int64_t kept[HLO_MAX_RANK];
  hlo_literal_clear(result);
  for (int d = 0; d < rank; d++) {
    int64_t low = padding->dims[d].low, step = padding->dims[d].interior + 1, size = hlo_literal_size(operand, d);
    int64_t padded = low + (size > 0 ? (size - 1) * step + 1 : 0) + padding->dims[d].high;
    hlo_size_set(result, d, padded);
    int64_t limit = hlo_literal_size(result, d);
    int64_t first = low < 0 ? hlo_ceil_div(-low, step) : 0, end = hlo_ceil_div(limit - low, step);
    kept[d] = (end < size ? end : size) - first;
    from.offset += first * from.strides[d];
    to.offset += (low + first * step) * to.strides[d];
    to.strides[d] *= step;
  }
  hlo_box_fill(result, operands[1]);
  hlo_box_copy(kept, rank, result, &to, operand, &from);
  return true;
}
