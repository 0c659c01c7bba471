/* slice, dynamic-slice, dynamic-update-slice, pad: boxes cut out of arrays and put into them. */
#include "reference/box.h"
#include "reference/functions.h"

#include <string.h>

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
  hlo_box_copy(hlo_literal_element_bytes(result), result->shape->dims, result->shape->rank,
               result->data, &to, operand->data, &from);
  return true;
}

/* Start indices are one scalar a dimension, or one operand of rank 1; each is clamped so that the window fits. */
static void load_starts(const hlo_literal *const *indices, int index_count, const int64_t *dims,
                        const int64_t *window, int rank, int64_t *starts) {
  bool one_operand = index_count == 1 && indices[0]->shape->rank == 1;
  for (int d = 0; d < rank; d++) {
    int64_t start = one_operand ? hlo_index_load(indices[0], d) : hlo_index_load(indices[d], 0);
    starts[d] = hlo_clamp(start, 0, dims[d] - window[d]);
  }
}

bool hlo_reference_dynamic_slice(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  int rank = result->shape->rank;
  int64_t starts[HLO_MAX_RANK];
  hlo_place to = hlo_place_of(result), from = hlo_place_of(operand);
  load_starts(operands + 1, instruction->operand_count - 1, operand->shape->dims, result->shape->dims, rank, starts);
  hlo_literal_clear(result);
  for (int d = 0; d < rank; d++) hlo_size_set(result, d, hlo_literal_size(operand, d) - starts[d]);
  from.offset = hlo_place_index(&from, rank, starts);
  hlo_box_copy(hlo_literal_element_bytes(result), result->shape->dims, rank, result->data, &to, operand->data, &from);
  return true;
}

bool hlo_reference_dynamic_update_slice(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                        const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0], *update = operands[1];
  int rank = result->shape->rank;
  int64_t starts[HLO_MAX_RANK], sizes[HLO_MAX_RANK];
  hlo_place to = hlo_place_of(result), from = hlo_place_of(update);
  load_starts(operands + 2, instruction->operand_count - 2, operand->shape->dims, update->shape->dims, rank, starts);
  hlo_sizes_of(update, sizes);
  memcpy(result->data, operand->data, hlo_literal_bytes(result));
  hlo_reference_copy_sizes(result, operand);
  to.offset = hlo_place_index(&to, rank, starts);
  hlo_box_copy(hlo_literal_element_bytes(result), sizes, rank, result->data, &to, update->data, &from);
  return true;
}

/* Operand element i goes to low + i * (interior + 1); those that fall outside are cut off. */
bool hlo_reference_pad(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  const hlo_padding_config *padding = hlo_instruction_attribute(instruction, HLO_ATTR_padding)->padding;
  int bytes = hlo_literal_element_bytes(result), rank = result->shape->rank;
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
  hlo_box_fill(bytes, hlo_shape_element_count(result->shape), result->data, operands[1]->data);
  hlo_box_copy(bytes, kept, rank, result->data, &to, operand->data, &from);
  return true;
}
