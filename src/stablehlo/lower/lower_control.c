/* Lowers control flow, calls and tuples. HLO's loops and branches take one tuple, which also holds captures: values that a region uses
 * from outside. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static const int *with_captures(const hlo_lower_call *c, const int *captures, int count) {
  int own = c->op->operand_count;
  const int *operands = hlo_lower_operands(c, 0, own);
  int *all = operands ? hlo_arena_many(c->l->arena, int, own + count, c->l->status) : NULL;
  for (int i = 0; all && i < own + count; i++) all[i] = i < own ? operands[i] : c->l->instruction_of[captures[i - own]];
  return all;
}

/* Finds the operands of a specialised loop that are constants and that the body passes on unchanged: JAX passes dimension sizes so. */
static const bool *fixed_state(const hlo_lower_call *c, const int *state) {
  const hlo_mlir_block *body = &c->op->regions[1].block;
  const hlo_mlir_op *end = body->op_count ? body->ops[body->op_count - 1] : NULL;
  bool *fixed = hlo_arena_many(c->l->arena, bool, c->op->operand_count, c->l->status);
  for (int i = 0; fixed && end && c->l->refines && i < c->op->operand_count && i < end->operand_count; i++)
    fixed[i] = end->operands[i] == body->first_argument + i && hlo_lower_constant_of(c->computation, state[i]);
  return fixed;
}

bool hlo_lower_while(const hlo_lower_call *c) {
  if (c->op->region_count != 2) return hlo_lower_fail(c, HLO_SHAPE, "requires the regions cond and body");
  const hlo_mlir_region *regions[2] = {&c->op->regions[0], &c->op->regions[1]};
  int own = c->op->operand_count;
  for (int i = 0; i < 2; i++)
    if (regions[i]->block.argument_count != own)
      return hlo_lower_fail(c, HLO_SHAPE, "%s must have %d arguments, as there are operands, got %d", i ? "body" : "cond", own,
                            regions[i]->block.argument_count);
  const int *captures;
  int count;
  if (!hlo_lower_captures(c, regions, 2, &captures, &count)) return false;
  const int *state = with_captures(c, captures, count);
  const bool *fixed = state ? fixed_state(c, state) : NULL;
  int init = fixed ? hlo_lower_tuple(c, state, own + count) : -1;
  hlo_lower_region_inputs inputs = {state, fixed, captures, count};
  int condition = init < 0 ? -1 : hlo_lower_tuple_region(c, regions[0], &inputs, false, true);
  int body = condition < 0 ? -1 : hlo_lower_tuple_region(c, regions[1], &inputs, true, false);
  if (body < 0) return false;
  hlo_attribute attributes[2] = {hlo_lower_computation(HLO_ATTR_condition, condition), hlo_lower_computation(HLO_ATTR_body, body)};
  if (!hlo_lower_result_elements(c, hlo_lower_emit(c, HLO_OP_WHILE, NULL, &init, 1, attributes, 2), 0)) return false;
  for (int i = 0; i < own && i < c->op->result_count; i++)
    if (fixed[i]) c->l->instruction_of[c->op->first_result + i] = state[i];
  return true;
}

/* All branches get the same tuple, of all values that any of them uses from outside. */
static bool lower_branches(const hlo_lower_call *c, hlo_attribute *attributes, int attribute_count, const int *captures, int count) {
  int branch_count = c->op->region_count;
  int *inside = hlo_arena_many(c->l->arena, int, count, c->l->status), *operands = hlo_arena_many(c->l->arena, int, branch_count + 1, c->l->status);
  if (!inside || !operands) return false;
  for (int i = 0; i < count; i++) inside[i] = c->l->instruction_of[captures[i]];
  int tuple = hlo_lower_tuple(c, inside, count);
  if (tuple < 0 || (operands[0] = hlo_lower_operand(c, 0)) < 0) return false;
  for (int i = 0; i < branch_count; i++) operands[i + 1] = tuple;
  return hlo_lower_result_elements(c, hlo_lower_emit(c, HLO_OP_CONDITIONAL, NULL, operands, branch_count + 1, attributes, attribute_count), 0);
}

static const int *framed_branches(const hlo_lower_call *c, const int **captures, int *count) {
  int branch_count = c->op->region_count;
  const hlo_mlir_region **regions = hlo_arena_many(c->l->arena, const hlo_mlir_region *, branch_count, c->l->status);
  int *branches = hlo_arena_many(c->l->arena, int, branch_count, c->l->status);
  if (!regions || !branches) return NULL;
  for (int i = 0; i < branch_count; i++) regions[i] = &c->op->regions[i];
  if (!hlo_lower_captures(c, regions, branch_count, captures, count)) return NULL;
  for (int i = 0; i < branch_count; i++) {
    if (regions[i]->block.argument_count)
      return hlo_lower_fail(c, HLO_SHAPE, "branch %d must have no arguments, got %d", i, regions[i]->block.argument_count), NULL;
    hlo_lower_region_inputs inputs = {.captures = *captures, .capture_count = *count};
    if ((branches[i] = hlo_lower_tuple_region(c, regions[i], &inputs, false, false)) < 0) return NULL;
  }
  return branches;
}

bool hlo_lower_if(const hlo_lower_call *c) {
  const int *captures;
  int count;
  if (c->op->region_count != 2) return hlo_lower_fail(c, HLO_SHAPE, "requires two regions");
  const int *branches = framed_branches(c, &captures, &count);
  if (!branches) return false;
  hlo_attribute attributes[2] = {hlo_lower_computation(HLO_ATTR_true_computation, branches[0]),
                                 hlo_lower_computation(HLO_ATTR_false_computation, branches[1])};
  return lower_branches(c, attributes, 2, captures, count);
}

bool hlo_lower_case(const hlo_lower_call *c) {
  const int *captures;
  int count;
  if (c->op->region_count < 1) return hlo_lower_fail(c, HLO_SHAPE, "requires one branch at least");
  const int *branches = framed_branches(c, &captures, &count);
  int64_t *ids = branches ? hlo_arena_many(c->l->arena, int64_t, c->op->region_count, c->l->status) : NULL;
  for (int i = 0; ids && i < c->op->region_count; i++) ids[i] = branches[i];
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_branch_computations, (hlo_ints){ids, c->op->region_count});
  return ids && lower_branches(c, &attribute, 1, captures, count);
}

/* ---- Calls ---- */

static bool call(const hlo_lower_call *c, const hlo_mlir_attribute *callee, bool composite) {
  if (c->l->refines) return hlo_lower_inline_call(c, callee);
  int index = hlo_lower_function(c, callee);
  const int *operands = index < 0 ? NULL : hlo_lower_operands(c, 0, c->op->operand_count);
  if (!operands) return false;
  hlo_attribute attributes[2] = {hlo_lower_computation(HLO_ATTR_to_apply, index), hlo_lower_bool(HLO_ATTR_is_composite, true)};
  /* The callee may be defined later, so the result's shape is taken from the types here; verification compares them. */
  const hlo_shape *shape = hlo_lower_results_shape(c);
  const char *name = shape ? hlo_computation_unique_name(c->l->module, c->computation, "call", c->l->status) : NULL;
  hlo_instruction *made = name ? hlo_computation_add(c->l->module, c->computation, HLO_OP_CALL, name, shape, operands, c->op->operand_count,
                                                     attributes, composite ? 2 : 1, c->l->status)
                               : NULL;
  if (!made) return false;
  made->line = c->op->place.line;
  return hlo_lower_results(c, made->index);
}

bool hlo_lower_call_op(const hlo_lower_call *c) { return call(c, hlo_mlir_find(c->op, "callee"), false); }
bool hlo_lower_composite(const hlo_lower_call *c) { return call(c, hlo_mlir_find(c->op, "decomposition"), true); }

bool hlo_lower_custom_call(const hlo_lower_call *c) {
  const hlo_mlir_attribute *target = hlo_mlir_find(c->op, "call_target_name");
  if (!target || target->kind != HLO_MLIR_STRING)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute call_target_name, a string");
  if (hlo_span_begins(target->text, "check.")) return hlo_lower_check(c);
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "backend_config");
  if (hlo_span_is(target->text, "ragged_all_to_all") && config && config->kind == HLO_MLIR_DICT) return hlo_lower_ragged_all_to_all(c);
  bool done = false;
  if (!hlo_lower_dynamic_call(c, target->text, &done)) return false;
  if (done) return true;
  hlo_span name = {hlo_arena_text(c->l->arena, target->text.text, target->text.length, c->l->status), target->text.length};
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  const hlo_shape *shape = hlo_lower_results_shape(c);
  if (!name.text || !operands || !shape) return false;
  hlo_attribute attributes[5] = {{.id = HLO_ATTR_custom_call_target, .text = name},
                                 hlo_lower_bool(HLO_ATTR_custom_call_has_side_effect, hlo_lower_flag(c, "has_side_effect", false))};
  int count = 2;
  return hlo_lower_custom_call_attributes(c, attributes, &count) &&
         hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_CUSTOM_CALL, shape, operands, c->op->operand_count, attributes, count));
}

/* ---- Tuples ---- */

bool hlo_lower_tuple_op(const hlo_lower_call *c) {
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  return operands && hlo_lower_results(c, hlo_lower_tuple(c, operands, c->op->operand_count));
}

bool hlo_lower_get_tuple_element(const hlo_lower_call *c) {
  int64_t index;
  int tuple = hlo_lower_operand(c, 0);
  return tuple >= 0 && hlo_lower_required_int(c, "index", &index) && hlo_lower_results(c, hlo_lower_element(c, tuple, (int)index));
}

bool hlo_lower_barrier(const hlo_lower_call *c) {
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  int tuple = operands ? hlo_lower_tuple(c, operands, c->op->operand_count) : -1;
  return tuple >= 0 && hlo_lower_result_elements(c, hlo_lower_emit(c, HLO_OP_OPT_BARRIER, NULL, &tuple, 1, NULL, 0), 0);
}
