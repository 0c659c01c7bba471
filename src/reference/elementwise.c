/* Element-wise operations: one element function, applied at every index. */
#include "reference/box.h"
#include "reference/functions.h"

/* A scalar operand stands for an array of itself (clamp's bounds, select's predicate). */
static int64_t index_in(const hlo_literal *operand, int64_t index) {
  return operand->shape->rank == 0 ? 0 : index;
}

/* Wraps to the type's width, keeping the value's form (sign-extended or not). */
static hlo_scalar wrapped(hlo_type type, uint64_t bits) {
  uint64_t stored = 0;
  hlo_scalar_store(type, &stored, 0, (hlo_scalar){.u = bits});
  return hlo_scalar_load(type, &stored, 0);
}

hlo_scalar hlo_reference_unary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar x) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_FLOAT:
    if (opcode == HLO_OP_IS_FINITE) return hlo_scalar_made_of((hlo_scalar){.u = x.f - x.f == 0}, x, x);
    return hlo_scalar_made_of((hlo_scalar){.f = hlo_reference_unary_real(opcode, type, x.f)}, x, x);
  case HLO_CLASS_COMPLEX:
    return hlo_scalar_made_of(hlo_reference_unary_complex(opcode, type, x), x, x);
  default:
    return hlo_scalar_made_of(wrapped(type, hlo_reference_unary_integer(opcode, type, x.u)), x, x);
  }
}

hlo_scalar hlo_reference_binary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_FLOAT:
    return hlo_scalar_made_of(((hlo_scalar){.f = hlo_reference_binary_real(opcode, type, lhs.f, rhs.f)}), lhs, rhs);
  case HLO_CLASS_COMPLEX:
    return hlo_scalar_made_of(hlo_reference_binary_complex(opcode, type, lhs, rhs), lhs, rhs);
  default:
    return hlo_scalar_made_of(wrapped(type, hlo_reference_binary_integer(opcode, type, lhs, rhs).u), lhs, rhs);
  }
}

bool hlo_reference_unary(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = operands[0]->shape->type;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++)
    hlo_literal_set(result, i, hlo_reference_unary_scalar(instruction->opcode, type, hlo_literal_get(operands[0], i)));
  return true;
}

bool hlo_reference_binary(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                          const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = operands[0]->shape->type;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++)
    hlo_literal_set(result, i, hlo_reference_binary_scalar(instruction->opcode, type, hlo_literal_get(operands[0], i),
                                                           hlo_literal_get(operands[1], i)));
  return true;
}

bool hlo_reference_compare(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = operands[0]->shape->type;
  int direction = hlo_instruction_enum(instruction, HLO_ATTR_direction, HLO_direction_EQ);
  int comparison = hlo_instruction_enum(instruction, HLO_ATTR_comparison_type, hlo_default_comparison_type(type));
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar lhs = hlo_literal_get(operands[0], i), rhs = hlo_literal_get(operands[1], i);
    hlo_scalar holds = {.u = hlo_reference_compare_scalar(direction, comparison, type, lhs, rhs)};
    hlo_literal_set(result, i, hlo_scalar_made_of(holds, lhs, rhs));
  }
  return true;
}

bool hlo_reference_complex(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar re = hlo_literal_get(operands[0], i), im = hlo_literal_get(operands[1], i);
    hlo_scalar value = {.f = re.f, .im = im.f};
    hlo_literal_set(result, i, hlo_scalar_made_of(value, re, im));
  }
  return true;
}

bool hlo_reference_clamp(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = result->shape->type;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar least = hlo_literal_get(operands[0], index_in(operands[0], i));
    hlo_scalar greatest = hlo_literal_get(operands[2], index_in(operands[2], i));
    hlo_scalar raised = hlo_reference_binary_scalar(HLO_OP_MAXIMUM, type, hlo_literal_get(operands[1], i), least);
    hlo_literal_set(result, i, hlo_reference_binary_scalar(HLO_OP_MINIMUM, type, raised, greatest));
  }
  return true;
}

bool hlo_reference_select(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                          const hlo_literal *const *operands, hlo_literal *result) {
  if (hlo_shape_is_tuple(result->shape) || hlo_shape_is_token(result->shape)) {
    hlo_literal_assign(result, hlo_literal_int(operands[0], 0) ? operands[1] : operands[2]);
    hlo_literal_direct(result, hlo_literal_origin(operands[0], 0));
    return true;
  }
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar predicate = hlo_literal_get(operands[0], index_in(operands[0], i));
    hlo_literal_set(result, i, hlo_literal_get(operands[predicate.u ? 1 : 2], i));
    hlo_origin_direct_at(result->origins, i, predicate.origin);
  }
  return true;
}
