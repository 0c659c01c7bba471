/* Reading while loops, and making them anew with another state. */
#include "passes/while_loop.h"

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/shape.h"

int hlo_while_loop_element(const hlo_computation *c, const hlo_instruction *i) {
  bool is = i->opcode == HLO_OP_GET_TUPLE_ELEMENT && i->operands[0] == c->parameters[0];
  return is ? (int)hlo_instruction_int(i, HLO_ATTR_index, 0) : -1;
}

static bool takes_elements(const hlo_computation *c) {
  if (c->parameter_count != 1) return false;
  for (int n = 0; n < c->instruction_count; n++)
    for (int k = 0; k < c->instructions[n]->operand_count; k++)
      if (c->instructions[n]->operands[k] == c->parameters[0] && hlo_while_loop_element(c, c->instructions[n]) < 0) return false;
  return c->root != c->parameters[0];
}

bool hlo_while_loop_read(hlo_rewriter *r, const hlo_instruction *i, hlo_while_loop *loop) {
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
  for (int n = 0; is_invariant && n < loop->count; n++) is_invariant[n] = hlo_while_loop_element(loop->body, hlo_operand(loop->body, root, n)) == n;
  loop->is_invariant = is_invariant;
  return is_invariant != NULL;
}

int hlo_while_loop_initial(const hlo_rewriter *r, const hlo_instruction *i, int n) {
  const hlo_instruction *state = hlo_input(r, i, 0);
  return state->opcode == HLO_OP_TUPLE ? state->operands[n] : HLO_KEEP;
}

int hlo_while_loop_add_initial(hlo_rewriter *r, const hlo_instruction *i, int n) {
  int value = hlo_while_loop_initial(r, i, n);
  return value >= 0 ? value : hlo_add_element(r, i->operands[0], n);
}

/* ---- Another state ---- */

/* Makes the condition or the body over the new state. */
static int changed(hlo_rewriter *r, const hlo_while_loop *l, const hlo_while_loop_change *change, const hlo_computation *c, const hlo_shape *shape, bool is_body) {
  hlo_rewriter inner;
  hlo_computation to;
  if (!hlo_begin_computation(r, &inner, &to)) return HLO_KEEP;
  int *map = hlo_arena_many(r->scratch, int, c->instruction_count, r->status);
  int *next = hlo_arena_many(r->scratch, int, shape->element_count, r->status);
  int parameter = hlo_add_parameter(&inner, shape, 0), count = change->kept;
  if (!map || !next || parameter < 0) return HLO_KEEP;
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    int element = hlo_while_loop_element(c, i);
    bool needs_gone = is_body && n == c->root;
    for (int k = 0; k < i->operand_count; k++) needs_gone |= map[i->operands[k]] < 0 && element < 0;
    map[n] = HLO_KEEP;
    if (n == c->parameters[0]) map[n] = parameter;
    else if (is_body && change->carried[n] >= 0) map[n] = next[count] = hlo_add_element(&inner, parameter, count), count++;
    else if (element >= 0 && change->constants[element]) map[n] = hlo_add_constant(&inner, change->constants[element]);
    else if (element >= 0 && change->place[element] >= 0) map[n] = hlo_add_element(&inner, parameter, change->place[element]);
    else if (element < 0 && !needs_gone) map[n] = hlo_add_copy(&inner, i, map);
    if (!hlo_ok(r->status)) return HLO_KEEP;
    hlo_call_it(&inner, map[n], i->name);
  }
  for (int n = 0; n < l->count && is_body; n++)
    if (change->place[n] >= 0) next[change->place[n]] = map[l->next[n]];
  return hlo_end_computation(&inner, c, c->name, is_body ? hlo_add_tuple(&inner, next, count) : map[c->root]);
}

int hlo_while_loop_add_changed(hlo_rewriter *r, const hlo_instruction *i, const hlo_while_loop *l, const hlo_while_loop_change *change) {
  int total = l->count + change->carried_count, count = change->kept;
  int *initial = hlo_arena_many(r->scratch, int, total, r->status), *elements = hlo_arena_many(r->scratch, int, total, r->status);
  const hlo_shape **shapes = hlo_arena_many(&r->module->arena, const hlo_shape *, total, r->status);
  if (!initial || !elements || !shapes) return HLO_KEEP;
  for (int n = 0; n < l->count; n++) {
    initial[n] = hlo_while_loop_add_initial(r, i, n);
    if (change->place[n] < 0) continue;
    shapes[change->place[n]] = i->shape->elements[n];
    elements[change->place[n]] = initial[n];
  }
  for (int n = 0; n < l->body->instruction_count; n++) {
    if (change->carried[n] < 0) continue;
    shapes[count] = l->body->instructions[n]->shape;
    elements[count++] = change->carried[n];
  }
  const hlo_shape *shape = hlo_shape_make_tuple(&r->module->arena, shapes, count, r->status);
  int condition = shape ? changed(r, l, change, l->condition, shape, false) : HLO_KEEP;
  int body = condition < 0 ? HLO_KEEP : changed(r, l, change, l->body, shape, true);
  if (body < 0) return HLO_KEEP;
  const hlo_attribute attributes[] = {{.id = HLO_ATTR_condition, .computation = condition}, {.id = HLO_ATTR_body, .computation = body}};
  int tuple = hlo_add_tuple(r, elements, count);
  hlo_rewrite *rewrite = r->rewrite;
  r->rewrite = NULL; /* the new loop is not visited again */
  int loop = r->heir = hlo_add(r, HLO_OP_WHILE, NULL, &tuple, 1, attributes, 2);
  r->rewrite = rewrite;
  for (int n = 0; n < l->count; n++)
    elements[n] = change->place[n] >= 0 && !l->is_invariant[n] ? hlo_add_element(r, loop, change->place[n]) : initial[n];
  return hlo_add_tuple(r, elements, l->count);
}
