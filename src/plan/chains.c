/* Chains of a dot, fused loops and a dot of which each is all that reads the one before: where they fit, the last runs them all by blocks of
 * rows, and what lies between needs no memory. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "loops/dot_chain.h"
#include "plan/planner.h"
#include "shape/shape.h"
#include "steps/dot_chain_steps.h"
#include "steps/kernel_table.h"

enum { NOBODY = -1, SEVERAL = -2 };

static void read_by(int *readers, int value, int reader) {
  if (readers[value] != reader) readers[value] = readers[value] == NOBODY ? reader : SEVERAL;
}

/* Finds the only instruction that reads each one. */
static void find_readers(const hlo_routine_plan *r, int *readers) {
  int count = r->computation->instruction_count;
  for (int i = 0; i < count; i++) readers[i] = NOBODY;
  for (int i = 0; i < count; i++) {
    const hlo_instruction *instruction = hlo_plan_instruction(r, i);
    bool is_kernel = r->actions[i] == HLO_ACTION_KERNEL;
    int operand_count = r->actions[i] == HLO_ACTION_NONE ? 0 : is_kernel ? r->choices[i].operand_count : instruction->operand_count;
    for (int n = 0; n < operand_count; n++) read_by(readers, is_kernel ? r->choices[i].operands[n] : instruction->operands[n], i);
  }
  readers[r->computation->root] = SEVERAL;
}

/* A chain while it is looked for. */
typedef struct chain {
  int count;
  hlo_chain_link links[HLO_CHAIN_MOST];
  int end; /* the value that the next member reads */
} chain;

static bool is_array_alias(const hlo_routine_plan *r, int i) {
  return r->actions[i] == HLO_ACTION_ALIAS && hlo_plan_alias_element(r, hlo_plan_instruction(r, i)) == HLO_ALIAS_WHOLE &&
         hlo_shape_is_array(hlo_plan_instruction(r, i)->shape);
}

/* Follows a dot to the next one. */
static bool find(const hlo_routine_plan *r, const int *readers, int first, chain *c) {
  *c = (chain){.count = 1, .links = {{first, -1, &r->choices[first]}}, .end = first};
  for (int next; (next = readers[c->end]) >= 0; c->end = next) {
    if (is_array_alias(r, next)) continue;
    const hlo_kernel_choice *choice = &r->choices[next];
    if (r->actions[next] != HLO_ACTION_KERNEL || c->count == HLO_CHAIN_MOST || !hlo_shape_is_array(hlo_plan_instruction(r, next)->shape)) return false;
    c->links[c->count++] = (hlo_chain_link){next, c->end, choice};
    if (!hlo_chain_takes_loop(choice)) return hlo_chain_takes_dot(choice);
  }
  return false;
}

bool hlo_plan_chains(hlo_routine_plan *r) {
  hlo_planner *p = r->planner;
  int count = r->computation->instruction_count;
  int *readers = hlo_arena_many(p->scratch, int, count, p->status);
  hlo_kernel_question question = {.arena = p->arena, .threads = p->threads, .status = p->status};
  if (!readers) return false;
  find_readers(r, readers);
  for (int i = 0; i < count; i++) {
    chain c;
    if (r->actions[i] != HLO_ACTION_KERNEL || !hlo_chain_takes_dot(&r->choices[i]) || !find(r, readers, i, &c)) continue;
    int last = c.links[c.count - 1].instruction;
    if (!hlo_chain_choose(&question, c.links, c.count, &r->choices[last])) {
      if (!hlo_ok(p->status)) return false;
      continue;
    }
    for (int member = i; member != last; member = readers[member]) r->actions[member] = HLO_ACTION_NONE;
  }
  return true;
}
