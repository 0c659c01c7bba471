/* Leaves and values: leaves of aliases (tuple, get-tuple-element, reshape, ...) are the values of their operands. */
#include <string.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "plan/planner.h"
#include "shape/shape.h"

const hlo_instruction *hlo_plan_instruction(const hlo_routine_plan *r, int index) { return r->computation->instructions[index]; }
int hlo_plan_leaf_count(const hlo_routine_plan *r, int instruction) {
  return r->first_leaf[instruction + 1] - r->first_leaf[instruction];
}
hlo_plan_value *hlo_plan_leaf(const hlo_routine_plan *r, int instruction, int leaf) {
  return &r->values[r->leaf_values[r->first_leaf[instruction] + leaf]];
}

static int new_value(hlo_routine_plan *r, const hlo_shape *shape) {
  r->values[r->value_count] = (hlo_plan_value){.shape = shape, .last_use = -1, .storage = -1};
  return r->value_count++;
}

static void share_leaves(hlo_routine_plan *r, int *leaf, int operand, int first, int count) {
  for (int i = 0; i < count; i++) r->leaf_values[(*leaf)++] = r->leaf_values[r->first_leaf[operand] + first + i];
}

static void name_alias(hlo_routine_plan *r, const hlo_instruction *instruction, int *leaf) {
  int element = hlo_plan_alias_element(r, instruction);
  if (instruction->opcode == HLO_OP_TUPLE) {
    for (int n = 0; n < instruction->operand_count; n++)
      share_leaves(r, leaf, instruction->operands[n], 0, hlo_plan_leaf_count(r, instruction->operands[n]));
  } else if (instruction->opcode == HLO_OP_AFTER_ALL) {
    r->leaf_values[(*leaf)++] = new_value(r, instruction->shape);
  } else if (element == HLO_ALIAS_WHOLE) {
    share_leaves(r, leaf, instruction->operands[0], 0, hlo_plan_leaf_count(r, instruction->operands[0]));
  } else {
    int before = hlo_operand(r->computation, instruction, 0)->shape->first_leaf[element];
    share_leaves(r, leaf, instruction->operands[0], before, hlo_shape_leaf_count(instruction->shape));
  }
}

/* async-start gives ((operands), result, contexts...): the leaves of operands are the operands' own values. */
static void name_started(hlo_routine_plan *r, const hlo_instruction *instruction, int *leaf) {
  int end = *leaf + hlo_shape_leaf_count(instruction->shape);
  for (int n = 0; n < instruction->operand_count && n < instruction->shape->elements[0]->element_count; n++)
    share_leaves(r, leaf, instruction->operands[n], 0, hlo_plan_leaf_count(r, instruction->operands[n]));
  int first = r->first_leaf[instruction->index];
  while (*leaf < end) {
    r->leaf_values[*leaf] = new_value(r, hlo_shape_leaf(instruction->shape, *leaf - first));
    (*leaf)++;
  }
}

/* True if a computation of one parameter hands a leaf of it on: it is that leaf of the result, too. */
static bool hands_on(const hlo_computation *computation, int leaf) {
  const hlo_instruction *at = hlo_computation_root(computation);
  for (int found = leaf;;) {
    const int *first = at->shape->first_leaf;
    int element = 0;
    switch (at->opcode) {
    case HLO_OP_PARAMETER: return found == leaf;
    case HLO_OP_GET_TUPLE_ELEMENT:
      element = (int)hlo_instruction_int(at, HLO_ATTR_index, 0);
      at = hlo_operand(computation, at, 0);
      found += at->shape->first_leaf[element];
      break;
    case HLO_OP_TUPLE:
      while (first[element + 1] <= found) element++;
      at = hlo_operand(computation, at, element);
      found -= first[element];
      break;
    default: return false;
    }
  }
}

/* A loop's leaf that the body hands on is that of the initial state, if the body has no other caller, so that it reads its state where it lies. */
static void name_state(hlo_routine_plan *r, const hlo_instruction *instruction, int *leaf) {
  const hlo_planner *p = r->planner;
  int body = hlo_instruction_attribute(instruction, HLO_ATTR_body)->computation, count = hlo_shape_leaf_count(instruction->shape);
  bool reads_in_place = p->routines[p->routine_of[body]].call_sites == 1;
  for (int n = 0; n < count; n++) {
    if (reads_in_place && hands_on(p->module->computations[body], n)) share_leaves(r, leaf, instruction->operands[0], n, 1);
    else r->leaf_values[(*leaf)++] = new_value(r, hlo_shape_leaf(instruction->shape, n));
  }
}

static void name_leaves(hlo_routine_plan *r) {
  int leaf = 0;
  for (int i = 0; i < r->computation->instruction_count; i++) {
    const hlo_instruction *instruction = hlo_plan_instruction(r, i);
    r->first_leaf[i] = leaf;
    if (r->actions[i] == HLO_ACTION_NONE) continue;
    if (r->actions[i] == HLO_ACTION_ALIAS) {
      name_alias(r, instruction, &leaf);
    } else if (instruction->opcode == HLO_OP_ASYNC_START) {
      name_started(r, instruction, &leaf);
    } else if (instruction->opcode == HLO_OP_WHILE) {
      name_state(r, instruction, &leaf);
    } else {
      int count = hlo_shape_leaf_count(instruction->shape);
      for (int n = 0; n < count; n++) r->leaf_values[leaf++] = new_value(r, hlo_shape_leaf(instruction->shape, n));
    }
  }
  r->first_leaf[r->computation->instruction_count] = leaf;
}

static void use(hlo_routine_plan *r, int instruction, int time) {
  for (int leaf = 0; leaf < hlo_plan_leaf_count(r, instruction); leaf++) hlo_plan_leaf(r, instruction, leaf)->last_use = time;
}

/* Values that a loop hands on are read a moment longer than its other operands: no changing part of its state may take over their memory. */
static void use_kept(hlo_routine_plan *r, const hlo_instruction *loop) {
  for (int leaf = 0; leaf < hlo_plan_leaf_count(r, loop->index); leaf++) {
    hlo_plan_value *value = hlo_plan_leaf(r, loop->index, leaf);
    if (value == hlo_plan_leaf(r, loop->operands[0], leaf)) value->last_use = loop->index + 1;
  }
}

static void find_last_uses(hlo_routine_plan *r) {
  for (int i = 0; i < r->computation->instruction_count; i++) {
    const hlo_instruction *instruction = hlo_plan_instruction(r, i);
    switch (r->actions[i]) {
    case HLO_ACTION_KERNEL:
      for (int n = 0; n < r->choices[i].operand_count; n++) use(r, r->choices[i].operands[n], i);
      break;
    case HLO_ACTION_EVALUATE:
    case HLO_ACTION_MEET:
    case HLO_ACTION_FRAMES:
      for (int n = 0; n < instruction->operand_count; n++) use(r, instruction->operands[n], i);
      if (instruction->opcode == HLO_OP_WHILE) use_kept(r, instruction);
      break;
    default:
      break;
    }
  }
  use(r, r->computation->root, r->computation->instruction_count);
}

bool hlo_plan_values(hlo_routine_plan *r) {
  hlo_planner *p = r->planner;
  int count = r->computation->instruction_count;
  int64_t leaves = 0;
  for (int i = 0; i < count; i++)
    if (r->actions[i] != HLO_ACTION_NONE) leaves += hlo_shape_leaf_count(hlo_plan_instruction(r, i)->shape);
  r->first_leaf = hlo_arena_many(p->scratch, int, (int64_t)count + 1, p->status);
  r->leaf_values = hlo_arena_many(p->scratch, int, leaves, p->status);
  r->values = hlo_arena_many(p->scratch, hlo_plan_value, leaves, p->status);
  if (!r->first_leaf || !r->leaf_values || !r->values) return false;
  name_leaves(r);
  find_last_uses(r);
  return true;
}
