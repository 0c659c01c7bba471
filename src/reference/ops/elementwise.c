/* Element-wise operations: one element function, applied at every index. */
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

/* The index in an operand for index i of the result; a scalar operand has one element for all (clamp's bounds, select's predicate). */
static int64_t index_in(const hlo_literal *operand, int64_t index) {
  return operand->shape->rank == 0 ? 0 : index;
}

/* Wraps an integer to the type's width; it stays sign-extended or not, as the type is signed or not. */
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
    return hlo_scalar_made_of(hlo_reference_unary_complex(opcode, x), x, x);
  default:
    return hlo_scalar_made_of(wrapped(type, hlo_reference_unary_integer(opcode, type, x.u)), x, x);
  }
}

hlo_scalar hlo_reference_binary_scalar(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  switch (hlo_type_classify(type)) {
  case HLO_CLASS_FLOAT:
    return hlo_scalar_made_of(((hlo_scalar){.f = hlo_reference_binary_real(opcode, type, lhs.f, rhs.f)}), lhs, rhs);
  case HLO_CLASS_COMPLEX:
    return hlo_scalar_made_of(hlo_reference_binary_complex(opcode, lhs, rhs), lhs, rhs);
  default:
    return hlo_scalar_made_of(wrapped(type, hlo_reference_binary_integer(opcode, type, lhs, rhs).u), lhs, rhs);
  }
}

/* An element function computes one element of the result: from the instruction's opcode and attributes, and an element of each
 * operand. */
typedef struct element_context {
  hlo_opcode opcode;
  hlo_type type; /* of the operands */
  int direction, comparison_type;
} element_context;
typedef hlo_scalar element_function(const element_context *context, const hlo_scalar *x);

static bool each_element(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *const *operands,
                         element_function *function, hlo_literal *result) {
  element_context context = {.opcode = instruction->opcode, .type = operands[0]->shape->type};
  context.direction = hlo_instruction_enum(instruction, HLO_ATTR_direction, HLO_direction_EQ);
  context.comparison_type = hlo_instruction_enum(instruction, HLO_ATTR_comparison_type, hlo_default_comparison_type(context.type));
  for (int64_t i = 0, count = hlo_shape_element_count(result->shape); i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    hlo_scalar x[3];
    for (int n = 0; n < instruction->operand_count; n++) x[n] = hlo_literal_get(operands[n], index_in(operands[n], i));
    hlo_literal_set(result, i, function(&context, x));
  }
  return true;
}

static hlo_scalar unary(const element_context *c, const hlo_scalar *x) {
  return hlo_reference_unary_scalar(c->opcode, c->type, x[0]);
}
static hlo_scalar binary(const element_context *c, const hlo_scalar *x) {
  return hlo_reference_binary_scalar(c->opcode, c->type, x[0], x[1]);
}
static hlo_scalar compare(const element_context *c, const hlo_scalar *x) {
  hlo_scalar holds = {.u = hlo_reference_compare_scalar(c->direction, c->comparison_type, c->type, x[0], x[1])};
  return hlo_scalar_made_of(holds, x[0], x[1]);
}
static hlo_scalar complex_of(const element_context *c, const hlo_scalar *x) {
  hlo_scalar value = {.f = x[0].f, .im = x[1].f};
  return hlo_scalar_made_of(value, x[0], x[1]);
}
static hlo_scalar clamped(const element_context *c, const hlo_scalar *x) {
  hlo_scalar raised = hlo_reference_binary_scalar(HLO_OP_MAXIMUM, c->type, x[1], x[0]);
  return hlo_reference_binary_scalar(HLO_OP_MINIMUM, c->type, raised, x[2]);
}

#define ELEMENTWISE(name, function)                                                               \
  bool hlo_reference_##name(hlo_evaluation *evaluation, const hlo_instruction *instruction,        \
                            const hlo_literal *const *operands, hlo_literal *result) {             \
    return each_element(evaluation, instruction, operands, function, result);                                  \
  }
ELEMENTWISE(unary, unary)
ELEMENTWISE(binary, binary)
ELEMENTWISE(compare, compare)
ELEMENTWISE(complex, complex_of)
ELEMENTWISE(clamp, clamped)

bool hlo_reference_select(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                          const hlo_literal *const *operands, hlo_literal *result) {
  if (hlo_shape_is_tuple(result->shape) || hlo_shape_is_token(result->shape)) {
    hlo_literal_assign(result, hlo_literal_int(operands[0], 0) ? operands[1] : operands[2]);
    hlo_literal_direct(result, hlo_literal_origin(operands[0], 0));
    return true;
  }
  for (int64_t i = 0, count = hlo_shape_element_count(result->shape); i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    hlo_scalar predicate = hlo_literal_get(operands[0], index_in(operands[0], i));
    hlo_literal_assign_element(result, i, operands[predicate.u ? 1 : 2], i);
    hlo_origin_direct_at(result->origins, i, predicate.origin);
  }
  return true;
}
