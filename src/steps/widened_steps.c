#include "steps/widened_steps.h"

#include "base/alignment.h"
#include "kernels/convert/widen.h"
#include "kernels/product/widened_run.h"
#include "loops/scalar_ops.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Finds the type in which products of a type are computed. Returns false where no kernel multiplies such elements. */
static bool find_dot_type(hlo_type type, hlo_dot_type *in) {
  switch (hlo_widened_type_of(type)) {
  case HLO_TYPE_F32: *in = HLO_DOT_F32; return true;
  case HLO_TYPE_F64: *in = HLO_DOT_F64; return true;
  case HLO_TYPE_S32: case HLO_TYPE_U32: *in = HLO_DOT_S32; return true;
  case HLO_TYPE_S64: case HLO_TYPE_U64: *in = HLO_DOT_S64; return true;
  default: return false;
  }
}

bool hlo_widened_type(const hlo_kernel_question *question, hlo_dot_type *type) {
  if (!find_dot_type(question->instruction->shape->type, type)) return false;
  for (int i = 0; i < 2; i++) {
    hlo_type operand = hlo_kernel_operand(question, i)->type;
    hlo_dot_type own;
    if (!find_dot_type(operand, &own)) return false;
    if (own != *type && !(*type == HLO_DOT_F64 && operand == HLO_TYPE_F32)) return false;
  }
  return true;
}

hlo_widen_kernel *hlo_widened_widening(const hlo_kernel_question *question, int operand) {
  hlo_type type = hlo_kernel_operand(question, operand)->type;
  if (type == HLO_TYPE_F32 && question->instruction->shape->type == HLO_TYPE_F64) return hlo_widen_f32_f64;
  const hlo_widening *found = hlo_widening_of(type);
  return found ? found->widen : NULL;
}

int64_t hlo_widened_bytes(const hlo_kernel_question *question, const hlo_shape *shape) {
  hlo_dot_type type = HLO_DOT_F32;
  hlo_widened_type(question, &type);
  return hlo_shape_element_count(shape) * hlo_dot_bytes(type);
}

/* sides: the operand of the instruction that is each operand of the step; -1: none that is to be widened. */
static bool wrap(const hlo_kernel_question *question, hlo_kernel_choice *choice, const int sides[2], int passed) {
  const hlo_widening *result = hlo_widening_of(question->instruction->shape->type);
  hlo_widened_step w = {.run = choice->run_shared, .run_with_epilogue = choice->run_with_epilogue, .parameters = choice->parameters,
                        .narrow = result ? result->narrow : NULL, .passed = passed};
  int64_t offset = 0;
  for (int i = 0; i < 3; i++) {
    bool absent = i < 2 && sides[i] < 0;
    const hlo_shape *shape = absent ? NULL : i < 2 ? hlo_kernel_operand(question, sides[i]) : question->instruction->shape;
    w.counts[i] = absent ? -1 : hlo_shape_element_count(shape);
    w.offsets[i] = offset;
    if (absent) continue;
    w.bytes[i] = hlo_type_bytes(shape->type);
    if (i < 2) w.widen[i] = hlo_widened_widening(question, sides[i]);
    if (i < 2 ? !w.widen[i] : !w.narrow) continue;
    offset += hlo_aligned(hlo_widened_bytes(question, shape));
  }
  if (!w.widen[0] && !w.widen[1] && !w.narrow) return true;
  hlo_dot_type type = HLO_DOT_F32;
  hlo_widened_type(question, &type);
  w.wide_bytes = hlo_dot_bytes(type);
  w.scratch_offset = offset;
  choice->scratch_bytes += offset;
  choice->run_with_epilogue = w.narrow || !w.run_with_epilogue ? NULL : hlo_widened_run_with_epilogue;
  return HLO_RUN(question, choice, hlo_widened_run, w);
}

bool hlo_widened_wrap(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return wrap(question, choice, (int[]){0, choice->operand_count == 1 ? -1 : 1}, 0); /* a packed constant is no operand */
}

bool hlo_widened_wrap_side(const hlo_kernel_question *question, hlo_kernel_choice *choice, int side) {
  return wrap(question, choice, (int[]){side, -1}, choice->operand_count - 1);
}
