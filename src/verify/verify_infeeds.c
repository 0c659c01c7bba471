/* Infeeds take values from one queue, so their order is part of what a program means: within each computation, every
 * instruction that reads the queue, itself or in a computation that it runs, must depend on the one before it. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"
#include "verify/verify_checks.h"

/* An infeed of an empty tuple reads nothing. */
static bool reads(const hlo_instruction *i) {
  if (i->opcode != HLO_OP_INFEED) return false;
  const hlo_shape *data = i->shape->elements[0];
  return !hlo_shape_is_tuple(data) || data->element_count > 0;
}

static int greater(int a, int b) { return a > b ? a : b; }

/* Returns how many of the reading instructions, counted from the first, must run before i. reached[o]: their number for an earlier
 * instruction o, including o itself. */
static int reached_by(const hlo_instruction *i, const int *reached) {
  hlo_ints before = *hlo_instruction_ints(i, HLO_ATTR_control_predecessors);
  int count = 0;
  for (int n = 0; n < i->operand_count; n++) count = greater(count, reached[i->operands[n]]);
  for (int n = 0; n < before.count; n++) count = greater(count, reached[before.data[n]]);
  return count;
}

static bool runs_reader(const hlo_verification *v, const hlo_instruction *i, const bool *reading, bool *found) {
  int *called, count;
  hlo_arena_reset(v->scratch);
  if (!hlo_called_of(i, v->scratch, &called, &count, v->status)) return false;
  *found = reads(i);
  for (int k = 0; k < count && i->opcode != HLO_OP_CUSTOM_CALL; k++) *found |= reading[called[k]];
  return true;
}

static bool check_computation(const hlo_verification *v, const hlo_computation *c, bool *reading, int *reached) {
  int readers = 0;
  const hlo_instruction *last = NULL;
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    bool reader;
    reached[n] = reached_by(i, reached);
    if (!runs_reader(v, i, reading, &reader)) return false;
    if (!reader) continue;
    if (reached[n] < readers)
      return hlo_verify_fail(v, c, i, HLO_VERIFY, "infeeds must be totally ordered, but neither a token nor data leads from "
                                                  "%s to %s",
                             last->name, i->name);
    reached[n] = ++readers;
    last = i;
  }
  reading[c->index] = readers > 0;
  return true;
}

bool hlo_check_infeeds(const hlo_verification *v) {
  int longest = 0;
  for (int n = 0; n < v->module->computation_count; n++)
    longest = greater(longest, v->module->computations[n]->instruction_count);
  bool *reading = hlo_arena_many(v->arena, bool, v->module->computation_count, v->status);
  int *reached = hlo_arena_many(v->arena, int, longest, v->status);
  if (!reading || !reached) return false;
  for (int n = 0; n < v->module->computation_count; n++)
    if (!check_computation(v, v->module->computations[v->order[n]], reading, reached)) return false;
  return true;
}
