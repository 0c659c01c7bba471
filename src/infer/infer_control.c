/* Ops that run computations: call, fusion, while, conditional, and asynchronous computations. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Checks that operands [first, first + count) fit the callee's parameters. */
static bool check_arguments(const hlo_infer *infer, const hlo_computation *callee, const char *what, int first, int count) {
  if (!hlo_check_parameter_count(infer, callee, what, count)) return false;
  for (int i = 0; i < count; i++) {
    const hlo_shape *argument = infer->operands[first + i], *parameter = hlo_callee_parameter(callee, i);
    if (!hlo_shapes_agree(argument, parameter))
      return hlo_refuse(infer, "%pO must be %pS as parameter %d of %s %s is, got %pS", infer->operands + first + i,
                        parameter, i, what, callee->name, argument);
  }
  return true;
}

static const hlo_shape *call(const hlo_infer *infer, hlo_attribute_id attribute) {
  const hlo_computation *callee = hlo_callee(infer, attribute);
  if (!callee || !check_arguments(infer, callee, hlo_attribute_name(attribute), 0, infer->operand_count)) return NULL;
  return hlo_shape_without_layout(infer, hlo_callee_result(callee));
}

const hlo_shape *hlo_infer_call(const hlo_infer *infer) { return call(infer, HLO_ATTR_to_apply); }
const hlo_shape *hlo_infer_fusion(const hlo_infer *infer) { return call(infer, HLO_ATTR_calls); }

/* ---- while ---- */

const hlo_shape *hlo_infer_while(const hlo_infer *infer) {
  const hlo_shape *init = infer->operands[0];
  const hlo_computation *condition = hlo_callee(infer, HLO_ATTR_condition), *body = hlo_callee(infer, HLO_ATTR_body);
  if (!condition || !body || !check_arguments(infer, condition, "condition", 0, 1) ||
      !check_arguments(infer, body, "body", 0, 1))
    return NULL;
  if (!hlo_is_scalar_of(hlo_callee_result(condition), HLO_TYPE_PRED))
    return hlo_refuse(infer, "condition %s must give pred[], but gives %pS", condition->name,
                      hlo_callee_result(condition));
  if (!hlo_shapes_agree(hlo_callee_result(body), init))
    return hlo_refuse(infer, "body %s must give what it takes, %pS, but gives %pS", body->name, init,
                      hlo_callee_result(body));
  return hlo_shape_without_layout(infer, init);
}

/* ---- conditional ---- */

/* Finds the branches, which may be given as a list or as a pair. A pred index chooses branch 0 if it is true, branch 1 if it is false. */
static bool find_branches(const hlo_infer *infer, hlo_ints *branches, int64_t pair[2]) {
  const hlo_attribute *list = hlo_instruction_attribute(infer->instruction, HLO_ATTR_branch_computations);
  const hlo_attribute *yes = hlo_instruction_attribute(infer->instruction, HLO_ATTR_true_computation);
  const hlo_attribute *no = hlo_instruction_attribute(infer->instruction, HLO_ATTR_false_computation);
  if (list ? yes || no : !yes || !no)
    return hlo_refuse(infer, "either branch_computations, or both true_computation and false_computation must be given");
  if (list) {
    *branches = list->ints;
    return true;
  }
  pair[0] = yes->computation;
  pair[1] = no->computation;
  *branches = (hlo_ints){pair, 2};
  if (infer->operands[0]->type == HLO_TYPE_PRED) return true;
  return hlo_refuse(infer, "branch_index must be pred[] to choose between true_computation and false_computation, got %pS",
                    infer->operands[0]);
}

static bool check_branch_index(const hlo_infer *infer, int branches) {
  const hlo_shape *index = infer->operands[0];
  if (!hlo_is_scalar_of(index, HLO_TYPE_PRED) && !hlo_is_scalar_of(index, HLO_TYPE_S32))
    return hlo_refuse(infer, "branch_index must be pred[] or s32[], got %pS", index);
  if (branches < 1) return hlo_refuse(infer, "there must be at least one branch");
  if (index->type == HLO_TYPE_PRED && branches != 2)
    return hlo_refuse(infer, "branch_index %pS chooses between 2 branches, got %d", index, branches);
  if (infer->operand_count == branches + 1) return true;
  return hlo_refuse(infer, "there must be one operand for each of the %d branches after branch_index, got %d", branches,
                    infer->operand_count - 1);
}

const hlo_shape *hlo_infer_conditional(const hlo_infer *infer) {
  hlo_ints branches;
  int64_t pair[2];
  const hlo_shape *result = NULL;
  const char *first_name = NULL;
  if (!hlo_check_at_least(infer, 1) || !find_branches(infer, &branches, pair) ||
      !check_branch_index(infer, branches.count))
    return NULL;
  for (int i = 0; i < branches.count; i++) {
    const hlo_computation *branch = hlo_callee_at(infer, branches.data[i], "a branch");
    if (!branch || !check_arguments(infer, branch, "branch", i + 1, 1)) return NULL;
    const hlo_shape *gives = hlo_callee_result(branch);
    if (result && !hlo_shapes_agree(result, gives))
      return hlo_refuse(infer, "all branches must give the same shape, but %s gives %pS and %s gives %pS", first_name,
                        result, branch->name, gives);
    if (!result) {
      result = gives;
      first_name = branch->name;
    }
  }
  return hlo_shape_without_layout(infer, result);
}

/* ---- Asynchronous computations ---- */

/* The declared shape is ((operands..), result, contexts..). */
const hlo_shape *hlo_infer_async_start(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  const hlo_computation *callee = hlo_callee(infer, HLO_ATTR_calls);
  if (!callee || !check_arguments(infer, callee, "calls", 0, infer->operand_count)) return NULL;
  const hlo_shape *operands = hlo_shape_is_tuple(declared) && declared->element_count >= 2 ? declared->elements[0] : NULL;
  bool fits = operands && hlo_shape_is_tuple(operands) && operands->element_count == infer->operand_count;
  for (int i = 0; i < infer->operand_count && fits; i++) fits = hlo_shapes_agree(operands->elements[i], infer->operands[i]);
  if (!fits)
    return hlo_refuse(infer, "the result is a tuple of the tuple of operands, the result of calls, and any context, but %pS "
                             "is declared", declared);
  if (!hlo_shapes_agree(declared->elements[1], hlo_callee_result(callee)))
    return hlo_refuse(infer, "element 1 of the result must be %pS as calls %s gives, but %pS is declared",
                      hlo_callee_result(callee), callee->name, declared->elements[1]);
  return declared;
}

const hlo_shape *hlo_infer_async_done(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  if (!hlo_shape_is_tuple(operand) || operand->element_count < 2)
    return hlo_refuse(infer, "operand must be what async-start gives, a tuple of at least 2 elements, got %pS", operand);
  return hlo_shape_without_layout(infer, operand->elements[1]);
}
