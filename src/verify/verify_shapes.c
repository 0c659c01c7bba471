/* Shapes: each instruction has the shape that inference gives, its layouts fit, and the entry's layout fits the entry's shapes. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "shape/layout_index.h"
#include "shape/shape.h"
#include "verify/verify_checks.h"

static bool check_layouts(const hlo_shape *shape, hlo_status *status) {
  if (shape->layout && !hlo_layout_check(shape, shape->layout, status)) return false;
  for (int i = 0; i < shape->element_count; i++)
    if (!check_layouts(shape->elements[i], status)) return false;
  return true;
}

/* Puts the instruction's name in front of a message that names only the op. */
static bool named(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i, const hlo_status *local) {
  return hlo_ok(local) || hlo_verify_fail(v, c, i, local->code, "%s", local->message);
}

static bool check_instruction(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i) {
  hlo_status local;
  local.code = HLO_OK;
  hlo_arena_reset(v->scratch);
  const hlo_shape **operands = hlo_arena_many(v->scratch, const hlo_shape *, i->operand_count, v->status);
  if (!operands) return false;
  for (int n = 0; n < i->operand_count; n++) operands[n] = hlo_operand(c, i, n)->shape;
  hlo_infer infer = {.module = v->module,
                     .computation = c,
                     .instruction = i,
                     .operand_count = i->operand_count,
                     .operands = operands,
                     .arena = v->scratch,
                     .status = &local};
  if (hlo_infer_shape(&infer)) check_layouts(i->shape, &local);
  return named(v, c, i, &local);
}

static bool check_entry_layout(const hlo_verification *v) {
  const hlo_module *module = v->module;
  const hlo_computation *entry = hlo_module_entry(module);
  for (int n = 0; module->entry_parameter_shapes && n < entry->parameter_count; n++) {
    const hlo_instruction *parameter = entry->instructions[entry->parameters[n]];
    const hlo_shape *declared = module->entry_parameter_shapes[n];
    if (!declared || !hlo_shapes_agree(declared, parameter->shape))
      return hlo_verify_fail(v, entry, parameter, HLO_VERIFY, "entry_computation_layout says %s for parameter %d, which is %pS",
                             declared ? HLO_SHAPE_TEXT(declared) : "nothing", n, parameter->shape);
    if (!check_layouts(declared, v->status)) return false;
  }
  const hlo_instruction *root = hlo_computation_root(entry);
  if (!module->entry_result_shape) return true;
  if (!hlo_shapes_agree(module->entry_result_shape, root->shape))
    return hlo_verify_fail(v, entry, root, HLO_VERIFY, "entry_computation_layout says %pS for the result, which is %pS",
                           module->entry_result_shape, root->shape);
  return check_layouts(module->entry_result_shape, v->status);
}

bool hlo_check_shapes(const hlo_verification *v) {
  for (int n = 0; n < v->module->computation_count; n++) {
    const hlo_computation *c = v->module->computations[v->order[n]];
    for (int i = 0; i < c->instruction_count; i++)
      if (!check_instruction(v, c, c->instructions[i])) return false;
  }
  return check_entry_layout(v);
}
