/* Combining arrays element by element with a computation: the operands of a reduction among devices. */
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/reduce/array_sum.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* Well-known ops fold the elements unrounded, and round once. */
static void combine_op(hlo_opcode opcode, const hlo_literal *const *operands, int count, hlo_literal *combined) {
  hlo_type type = combined->shape->type;
  for (int64_t i = 0, elements = hlo_shape_element_count(combined->shape); i < elements; i++) {
    hlo_scalar value = hlo_literal_get(operands[0], i);
    for (int n = 1; n < count; n++) value = hlo_reference_binary_scalar(opcode, type, value, hlo_literal_get(operands[n], i));
    hlo_literal_set(combined, i, value);
  }
}

#ifdef HLO_REMOTE
/* Sums of real numbers, of which programs that are spread over ranks have many and large ones; returns whether it is one. */
static bool combine_sum(hlo_opcode opcode, const hlo_literal *const *operands, int count, hlo_literal *combined) {
  enum { MOST = 64 };
  const void *arrays[MOST];
  hlo_type type = combined->shape->type;
  if (opcode != HLO_OP_ADD || count > MOST || (type != HLO_TYPE_F32 && type != HLO_TYPE_F64)) return false;
  for (int n = 0; n < count; n++) arrays[n] = operands[n]->data;
  int64_t elements = hlo_shape_element_count(combined->shape);
  if (type == HLO_TYPE_F32) hlo_f32_array_sum((const float *const *)arrays, count, combined->data, elements);
  else hlo_f64_array_sum((const double *const *)arrays, count, combined->data, elements);
  return true;
}
#else
static bool combine_sum(hlo_opcode opcode, const hlo_literal *const *operands, int count, hlo_literal *combined) { return false; }
#endif

static bool combine_applied(hlo_applied *applied, const hlo_literal *const *operands, int count, hlo_literal *combined) {
  hlo_literal *lhs = hlo_applied_parameter(applied, 0), *rhs = hlo_applied_parameter(applied, 1);
  for (int64_t i = 0, elements = hlo_shape_element_count(combined->shape); i < elements; i++) {
    hlo_scalar value = hlo_literal_get(operands[0], i);
    for (int n = 1; n < count; n++) {
      hlo_literal_set(lhs, 0, value);
      hlo_literal_set(rhs, 0, hlo_literal_get(operands[n], i));
      if (!hlo_applied_run(applied)) return false;
      value = hlo_literal_get(hlo_applied_result(applied), 0);
    }
    hlo_literal_set(combined, i, value);
  }
  return true;
}

bool hlo_reference_combine(void *evaluation, const hlo_computation *function, const hlo_literal *const *operands, int count,
                           hlo_literal *combined) {
  hlo_opcode opcode;
  if (hlo_computation_is_binary_op(function, &opcode)) {
    if (!combine_sum(opcode, operands, count, combined)) combine_op(opcode, operands, count, combined);
    return true;
  }
  hlo_evaluation inner = *(const hlo_evaluation *)evaluation;
  hlo_applied *prepared = NULL;
  inner.prepared = &prepared;
  hlo_applied *applied = hlo_applied_prepare(&inner, function);
  bool ok = applied && combine_applied(applied, operands, count, combined);
  hlo_applied_release(prepared);
  return ok;
}
