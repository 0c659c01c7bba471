/* Reading loops. */
#include "passes/loop_state.h"

int hlo_loop_element(const hlo_computation *c, const hlo_instruction *i) {
  bool is = i->opcode == HLO_OP_GET_TUPLE_ELEMENT && i->operands[0] == c->parameters[0];
  return is ? (int)hlo_instruction_int(i, HLO_ATTR_index, 0) : -1;
}

static bool takes_elements(const hlo_computation *c) {
  if (c->parameter_count != 1) return false;
  for (int n = 0; n < c->instruction_count; n++)
    for (int k = 0; k < c->instructions[n]->operand_count; k++)
      if (c->instructions[n]->operands[k] == c->parameters[0] && hlo_loop_element(c, c->instructions[n]) < 0) return false;
  return c->root != c->parameters[0];
}

bool hlo_loop_read(hlo_rewriter *r, const hlo_instruction *i, hlo_loop *loop) {
  loop->condition = hlo_instruction_computation(r->module, i, HLO_ATTR_condition);
  loop->body = hlo_instruction_computation(r->module, i, HLO_ATTR_body);
  const hlo_instruction *root = hlo_computation_root(loop->body);
  const hlo_shape *shapes[] = {hlo_input(r, i, 0)->shape, root->shape, loop->body->instructions[loop->body->parameters[0]]->shape,
                               loop->condition->instructions[loop->condition->parameters[0]]->shape};
  if (!hlo_shape_is_tuple(i->shape) || root->opcode != HLO_OP_TUPLE) return false;
  for (int n = 0; n < 4; n++)
    if (!hlo_shape_compatible(shapes[n], i->shape)) return false;
  if (!takes_elements(loop->body) || !takes_elements(loop->condition)) return false;
  loop->count = i->shape->element_count;
  loop->next = root->operands;
  bool *is_invariant = hlo_arena_many(r->scratch, bool, loop->count, r->status);
  for (int n = 0; is_invariant && n < loop->count; n++) is_invariant[n] = hlo_loop_element(loop->body, hlo_operand(loop->body, root, n)) == n;
  loop->is_invariant = is_invariant;
  return is_invariant != NULL;
}

int hlo_loop_initial(const hlo_rewriter *r, const hlo_instruction *i, int n) {
  const hlo_instruction *state = hlo_input(r, i, 0);
  return state->opcode == HLO_OP_TUPLE ? state->operands[n] : HLO_KEEP;
}

int hlo_loop_add_initial(hlo_rewriter *r, const hlo_instruction *i, int n) {
  int value = hlo_loop_initial(r, i, n);
  return value >= 0 ? value : hlo_add_element(r, i->operands[0], n);
}
