/* broadcast, transpose, reverse, concatenate: every element of the result is one of an operand. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/literal.h"

/* result[i] = operand[i[dimensions[0]], i[dimensions[1]], ...] */
bool hlo_reference_broadcast(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                             const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  hlo_place to = hlo_place_of(result), natural = hlo_place_of(operand), from = {0};
  hlo_literal_clear(result);
  for (int i = 0; i < dimensions.count; i++) {
    from.strides[dimensions.data[i]] = natural.strides[i];
    hlo_size_set(result, (int)dimensions.data[i], hlo_literal_size(operand, i));
  }
  hlo_box_copy(result->shape->dims, result->shape->rank, result, &to, operand, &from);
  return true;
}

/* Result dimension i is operand dimension permutation[i]. */
bool hlo_reference_transpose(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                             const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  hlo_ints permutation = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  hlo_place to = hlo_place_of(result), natural = hlo_place_of(operand), from = {0};
  hlo_literal_clear(result);
  for (int i = 0; i < permutation.count; i++) {
    from.strides[i] = natural.strides[permutation.data[i]];
    hlo_size_set(result, i, hlo_literal_size(operand, (int)permutation.data[i]));
  }
  hlo_box_copy(result->shape->dims, result->shape->rank, result, &to, operand, &from);
  return true;
}

/* Index i becomes N-1-i, where N is the actual size. */
bool hlo_reference_reverse(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  hlo_place to = hlo_place_of(result), from = hlo_place_of(operand);
  int64_t sizes[HLO_MAX_RANK];
  hlo_sizes_of(operand, sizes);
  hlo_literal_clear(result);
  for (int i = 0; i < dimensions.count; i++) {
    int d = (int)dimensions.data[i];
    from.offset += (sizes[d] - 1) * from.strides[d];
    from.strides[d] = -from.strides[d];
  }
  for (int d = 0; d < result->shape->rank; d++) hlo_size_set(result, d, sizes[d]);
  hlo_box_copy(sizes, result->shape->rank, result, &to, operand, &from);
  return true;
}

/* Puts the operands one after another along the dimension; bounded ones by their actual sizes, without gaps. */
bool hlo_reference_concatenate(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  int along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0], rank = result->shape->rank;
  hlo_place to = hlo_place_of(result);
  int64_t sizes[HLO_MAX_RANK], position = 0;
  hlo_literal_clear(result);
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_place from = hlo_place_of(operands[i]);
    hlo_sizes_of(operands[i], sizes);
    to.offset = position * to.strides[along];
    hlo_box_copy(sizes, rank, result, &to, operands[i], &from);
    position += sizes[along];
  }
  for (int d = 0; d < rank; d++) hlo_size_set(result, d, d == along ? position : hlo_literal_size(operands[0], d));
  return true;
}
