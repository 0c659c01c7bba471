/* Built-in custom calls that are operations by another name, annotations, and assertions. */
#include <string.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/backend_config.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Annotations ---- */

/* One operand and a result of its shape, or several operands and a tuple of their shapes. */
bool hlo_builtin_pass_on_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const hlo_shape *result = instruction->shape;
  if (instruction->operand_count == 1 && hlo_shape_compatible(result, operands[0])) return true;
  bool same = hlo_shape_is_tuple(result) && result->element_count == instruction->operand_count;
  for (int i = 0; same && i < instruction->operand_count; i++)
    same = hlo_shape_compatible(result->elements[i], operands[i]);
  if (same) return true;
  return hlo_fail(status, HLO_UNSUPPORTED, "only the same shape can be passed on, not %s as %pS",
                  instruction->operand_count ? HLO_SHAPE_TEXT(operands[0]) : "nothing", result);
}

bool hlo_builtin_pass_on(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                         const hlo_literal *const *operands, hlo_literal *result) {
  if (instruction->operand_count == 1 && hlo_shape_compatible(result->shape, operands[0]->shape))
    return hlo_reference_copy(evaluation, instruction, operands, result);
  return hlo_reference_tuple(evaluation, instruction, operands, result);
}

/* ---- Element-wise ---- */

/* Finds the operation that a target names: "mhlo.erf_inv" is erf-inv. */
static bool opcode_of(const hlo_instruction *instruction, hlo_opcode *opcode) {
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  char name[32];
  size_t length = target.length - strlen("mhlo.");
  if (length >= sizeof name) return false;
  for (size_t i = 0; i < length; i++) name[i] = target.text[strlen("mhlo.") + i] == '_' ? '-' : target.text[strlen("mhlo.") + i];
  return hlo_opcode_from_name((hlo_span){name, length}, opcode);
}

bool hlo_builtin_unary_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  hlo_opcode opcode;
  if (!opcode_of(instruction, &opcode)) return hlo_fail(status, HLO_UNSUPPORTED, "there is no such operation");
  if (instruction->operand_count != 1 || !hlo_shape_compatible(operands[0], instruction->shape))
    return hlo_fail(status, HLO_SHAPE, "one operand is expected, of the shape of the result, %pS", instruction->shape);
  bool complex_too = strchr(hlo_op(opcode)->types, 'c') != NULL;
  if (hlo_type_is_float(operands[0]->type) || (complex_too && hlo_type_is_complex(operands[0]->type))) return true;
  return hlo_fail(status, HLO_SHAPE, "the operand cannot be %pS", operands[0]);
}

bool hlo_builtin_unary(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  hlo_opcode opcode;
  int64_t count = hlo_shape_element_count(result->shape);
  if (!opcode_of(instruction, &opcode)) return hlo_fail(evaluation->status, HLO_INTERNAL, "%s", instruction->name);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    hlo_literal_set(result, i, hlo_reference_unary_scalar(opcode, result->shape->type, hlo_literal_get(operands[0], i)));
  }
  hlo_reference_copy_sizes(result, operands[0]);
  return true;
}

/* ---- TopK ---- */

bool hlo_builtin_topk_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const hlo_shape *result = instruction->shape;
  if (instruction->operand_count != 1 || !hlo_shape_is_array(operands[0]) || operands[0]->rank < 1 || !hlo_shape_is_tuple(result) ||
      result->element_count != 2 || result->elements[0]->type != operands[0]->type || hlo_type_is_complex(operands[0]->type) ||
      result->elements[1]->type != HLO_TYPE_S32 || !hlo_shape_same_dims(result->elements[0], result->elements[1]) ||
      result->elements[0]->rank != operands[0]->rank)
    return hlo_fail(status, HLO_SHAPE, "an array of rank 1 or more gives (values, s32 indices), not %pS", result);
  for (int i = 0; i < operands[0]->rank; i++) {
    int64_t size = operands[0]->dims[i], kept = result->elements[0]->dims[i];
    if (i < operands[0]->rank - 1 ? size != kept : kept > size)
      return hlo_fail(status, HLO_SHAPE, "only the last dimension of %pS may shrink, got %pS", operands[0], result);
  }
  return true;
}

bool hlo_builtin_topk(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                      const hlo_literal *const *operands, hlo_literal *result) {
  hlo_attribute largest = {.id = HLO_ATTR_largest, .boolean = hlo_config_bool(instruction, "largest", true)};
  hlo_instruction topk = *instruction;
  topk.opcode = HLO_OP_TOPK;
  topk.attributes = &largest;
  topk.attribute_count = 1;
  return hlo_reference_topk(evaluation, &topk, operands, result);
}

/* ---- Assertions ---- */

bool hlo_builtin_shape_assertion_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const hlo_shape *result = instruction->shape;
  if (instruction->operand_count < 1 || operands[0]->type != HLO_TYPE_PRED || operands[0]->rank != 0)
    return hlo_fail(status, HLO_SHAPE, "the first operand must be pred[]");
  return (hlo_shape_is_tuple(result) && result->element_count == 0) || hlo_fail(status, HLO_SHAPE, "an assertion gives (), not %pS", result);
}

bool hlo_builtin_shape_assertion(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result) {
  if (hlo_literal_int(operands[0], 0)) return true;
  const hlo_attribute *config = hlo_instruction_attribute(instruction, HLO_ATTR_backend_config);
  return hlo_fail(evaluation->status, HLO_CUSTOM_CALL, "shape_assertion %s does not hold: %.*s", instruction->name,
                  config ? (int)config->text.length : 0, config ? config->text.text : "");
}
