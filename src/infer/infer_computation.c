/* The computations that ops call: whether their parameters and results fit the op. */
#include <assert.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/shape.h"

const hlo_computation *hlo_callee_at(const hlo_infer *infer, int64_t index, const char *what) {
  const hlo_module *module = infer->module;
  const hlo_computation *callee = NULL;
  if (index >= 0 && index < module->computation_count) callee = module->computations[index];
  if (!callee || callee->root < 0 || callee->root >= callee->instruction_count) {
    hlo_refuse(infer, "%s must be a finished computation of this module", what);
    return NULL;
  }
  for (int i = 0; i < callee->parameter_count; i++)
    if (callee->parameters[i] < 0 || callee->parameters[i] >= callee->instruction_count) {
      hlo_refuse(infer, "%s %s has no parameter %d", what, callee->name, i);
      return NULL;
    }
  return callee;
}

const hlo_computation *hlo_callee(const hlo_infer *infer, hlo_attribute_id attribute) {
  const hlo_attribute *value = hlo_instruction_attribute(infer->instruction, attribute);
  if (!value) {
    hlo_refuse(infer, "attribute %s must be given", hlo_attribute_name(attribute));
    return NULL;
  }
  return hlo_callee_at(infer, value->computation, hlo_attribute_name(attribute));
}

const hlo_shape *hlo_callee_parameter(const hlo_computation *callee, int number) {
  assert(number >= 0 && number < callee->parameter_count);
  return callee->instructions[callee->parameters[number]]->shape;
}

const hlo_shape *hlo_callee_result(const hlo_computation *callee) { return hlo_computation_root(callee)->shape; }

bool hlo_check_parameter_count(const hlo_infer *infer, const hlo_computation *callee, const char *what, int expected) {
  if (callee->parameter_count == expected) return true;
  return hlo_refuse(infer, "%s %s must take %d parameter%s, but takes %d", what, callee->name, expected,
                    expected == 1 ? "" : "s", callee->parameter_count);
}

/* ---- Folding computations ---- */

/* Checks the result of a fold of `count` arrays: a scalar, or a tuple of `count` scalars. */
static const hlo_shape *accumulator(const hlo_shape *result, int count, int i) {
  return count == 1 ? result : result->elements[i];
}

static bool check_accumulators(const hlo_infer *infer, const char *what, const hlo_computation *callee, int count) {
  const hlo_shape *result = hlo_callee_result(callee);
  bool scalars = count == 1 || (hlo_shape_is_tuple(result) && result->element_count == count);
  for (int i = 0; i < count && scalars; i++) scalars = hlo_shape_is_scalar(accumulator(result, count, i));
  if (scalars) return true;
  if (count == 1)
    return hlo_refuse(infer, "%s %s must give a scalar, but gives %pS", what, callee->name, result);
  return hlo_refuse(infer, "%s %s must give a tuple of %d scalars, one for each operand, but gives %pS", what,
                    callee->name, count, result);
}

/* True for the same type, or a wider one of the same class (StableHLO's is_promotable). */
static bool promotes(hlo_type from, hlo_type to) {
  return from == to || (hlo_type_classify(from) == hlo_type_classify(to) && hlo_type_bits(from) <= hlo_type_bits(to));
}

static bool check_fold_types(const hlo_infer *infer, const char *what, const hlo_computation *callee, int count, int i,
                             hlo_type element) {
  const hlo_shape *result = accumulator(hlo_callee_result(callee), count, i);
  const hlo_shape *left = hlo_callee_parameter(callee, i), *right = hlo_callee_parameter(callee, count + i);
  if (!hlo_is_scalar_of(left, result->type))
    return hlo_refuse(infer, "parameter %d of %s %s carries the result on and must be %pS as the result is, got %pS", i,
                      what, callee->name, result, left);
  if (!hlo_is_scalar_of(right, result->type))
    return hlo_refuse(infer, "parameter %d of %s %s must be %pS as the result is, got %pS", count + i, what, callee->name,
                      result, right);
  if (!promotes(element, result->type))
    return hlo_refuse(infer, "%s %s works on %pS, which does not fit the elements of %pO, which are %s", what, callee->name,
                      result, infer->operands + i, hlo_type_name(element));
  return true;
}

static bool check_init(const hlo_infer *infer, const char *what, const hlo_computation *callee, int operand,
                       const hlo_shape *result) {
  const hlo_shape *init = infer->operands[operand];
  if (!hlo_check_scalar(infer, operand)) return false;
  if (promotes(init->type, result->type)) return true;
  return hlo_refuse(infer, "%pO must be %pS, on which %s %s works, got %pS", infer->operands + operand, result,
                    what, callee->name, init);
}

bool hlo_check_reducer(const hlo_infer *infer, hlo_attribute_id attribute, const hlo_type *types, int count,
                       int init_first, hlo_type *accumulators) {
  const char *what = hlo_attribute_name(attribute);
  const hlo_computation *callee = hlo_callee(infer, attribute);
  if (!callee || !hlo_check_parameter_count(infer, callee, what, 2 * count) ||
      !check_accumulators(infer, what, callee, count))
    return false;
  for (int i = 0; i < count; i++) {
    const hlo_shape *result = accumulator(hlo_callee_result(callee), count, i);
    if (!check_fold_types(infer, what, callee, count, i, types[i])) return false;
    if (init_first >= 0 && !check_init(infer, what, callee, init_first + i, result)) return false;
    accumulators[i] = result->type;
  }
  return true;
}
