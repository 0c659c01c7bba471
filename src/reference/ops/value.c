/* Operations that pass values on: copies, tuples, tokens, sizes, and bitcasts. */
#include <string.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"

bool hlo_reference_copy(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result, operands[0]);
  return true;
}

bool hlo_reference_tuple(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  for (int i = 0; i < instruction->operand_count; i++) hlo_literal_assign(result->elements[i], operands[i]);
  return true;
}

bool hlo_reference_get_tuple_element(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                     const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result, operands[0]->elements[hlo_instruction_int(instruction, HLO_ATTR_index, 0)]);
  return true;
}

bool hlo_reference_after_all(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                             const hlo_literal *const *operands, hlo_literal *result) {
  return true;
}

/* ---- Asynchronous ops: a start gives a tuple that holds its result ---- */

bool hlo_reference_copy_start(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                              const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result->elements[0], operands[0]); /* the copy; then the original; then a context, zero */
  hlo_literal_assign(result->elements[1], operands[0]);
  return true;
}

bool hlo_reference_done_first(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                              const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result, operands[0]->elements[0]);
  return true;
}

bool hlo_reference_done_second(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal_assign(result, operands[0]->elements[1]);
  return true;
}

/* The value of async-start is ((operands), result, contexts...). */
bool hlo_reference_async_done(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                              const hlo_literal *const *operands, hlo_literal *result) {
  return hlo_reference_done_second(evaluation, instruction, operands, result);
}

/* ---- Sizes of bounded dimensions ---- */

bool hlo_reference_get_dimension_size(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                      const hlo_literal *const *operands, hlo_literal *result) {
  int dimension = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  hlo_literal_set_int(result, 0, hlo_literal_size(operands[0], dimension));
  return true;
}

bool hlo_reference_set_dimension_size(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                      const hlo_literal *const *operands, hlo_literal *result) {
  int dimension = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  memcpy(result->data, operands[0]->data, hlo_literal_bytes(result));
  hlo_reference_copy_sizes(result, operands[0]);
  if (!result->dynamic_sizes) return true;
  hlo_scalar size = hlo_literal_get(operands[1], 0);
  int64_t bound = result->shape->dims[dimension];
  result->dynamic_sizes[dimension] = size.s < 0 ? 0 : size.s > bound ? bound : size.s;
  return true;
}

/* ---- bitcast ---- */

/* Writes the operand's elements as they lie in memory under its layout, and reads the same bytes under the result's. */
bool hlo_reference_bitcast(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_instruction *operand = hlo_operand(evaluation->computation, instruction, 0);
  int64_t from = 0, to = 0;
  if (!hlo_shape_array_size(operand->shape, &from, evaluation->status) ||
      !hlo_shape_array_size(instruction->shape, &to, evaluation->status))
    return false;
  void *bytes = hlo_arena_array(evaluation->scratch, from > to ? from : to, 1, evaluation->status);
  if (!bytes || !hlo_layout_scatter(operand->shape, operands[0]->data, bytes, evaluation->status)) return false;
  if (!hlo_layout_gather(instruction->shape, bytes, result->data, evaluation->status)) return false;
  hlo_literal_clear_unused_bits(result);
  hlo_reference_copy_sizes(result, operands[0]);
  return true;
}
