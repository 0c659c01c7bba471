/* Running a pass over every computation of a module that it may change. */
#include "rewrite/pass_runner.h"

#include <stdlib.h>
#include <string.h>

#include "graph/opcode.h"
#include "verify/verify.h"

static void free_nodes(void *nodes) {
  hlo_arena_free(nodes);
  free(nodes);
}

bool hlo_pass_runner_init(hlo_pass_runner *w, hlo_module *module, int pass_count, hlo_status *status) {
  *w = (hlo_pass_runner){.module = module, .status = status, .pass_count = pass_count};
  hlo_arena_init(&w->history);
  hlo_arena_init(&w->survey);
  hlo_arena_init(&w->scratch);
  w->nodes = calloc(1, sizeof *w->nodes);
  if (!w->nodes) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for the instructions that passes add");
  if (hlo_arena_keep(&module->arena, w->nodes, free_nodes, status)) return true;
  free(w->nodes);
  return false;
}

void hlo_pass_runner_free(hlo_pass_runner *w) {
  hlo_arena_free(&w->history);
  hlo_arena_free(&w->survey);
  hlo_arena_free(&w->scratch);
}

void hlo_pass_runner_forget(hlo_pass_runner *w) { w->known = w->counted = 0; }

/* ---- History ---- */

/* Gives new computations a history that says they have just changed, so that every pass visits them. */
static bool extend_history(hlo_pass_runner *w) {
  int count = w->module->computation_count;
  size_t passes = (size_t)w->pass_count;
  if (count > w->capacity) {
    int capacity = 2 * count;
    int *changed_at = hlo_arena_many(&w->history, int, capacity, w->status);
    int *done_at = hlo_arena_many(&w->history, int, (int64_t)capacity * w->pass_count, w->status);
    if (!changed_at || !done_at) return false;
    if (w->counted) memcpy(changed_at, w->changed_at, (size_t)w->counted * sizeof *changed_at);
    if (w->counted) memcpy(done_at, w->done_at, (size_t)w->counted * passes * sizeof *done_at);
    w->changed_at = changed_at;
    w->done_at = done_at;
    w->capacity = capacity;
  }
  for (; w->counted < count; w->counted++) {
    w->changed_at[w->counted] = w->time;
    memset(&w->done_at[(size_t)w->counted * passes], 0, passes * sizeof *w->done_at);
  }
  return true;
}

/* ---- The survey ---- */

/* Marks the computations that a reached one calls as reached, and its opcodes as present. */
static void look_down(hlo_pass_runner *w, const hlo_computation *c) {
  for (int k = 0; k < c->instruction_count; k++) {
    const hlo_instruction *i = c->instructions[k];
    w->present[i->opcode] = true;
    bool applies = w->applied[c->index] || !hlo_op_has(i->opcode, HLO_FLAG_FRAMES) || i->opcode == HLO_OP_FUSION;
    for (int n = 0, called; hlo_instruction_call(i, n, &called); n++) {
      w->reached[called] = true;
      w->applied[called] |= applies;
    }
  }
}

/* Finds effects and the newest change of a computation; its callees have theirs already. */
static void look_up(hlo_pass_runner *w, const hlo_computation *c) {
  int *newest = &w->newest[c->index];
  *newest = w->changed_at[c->index];
  for (int k = 0; k < c->instruction_count; k++) {
    const hlo_instruction *i = c->instructions[k];
    w->effects[c->index] |= hlo_has_effect(w->effects, w->known, i);
    for (int n = 0, called; hlo_instruction_call(i, n, &called); n++)
      if (w->newest[called] > *newest) *newest = w->newest[called];
  }
}

static bool survey(hlo_pass_runner *w) {
  const hlo_module *module = w->module;
  int count = module->computation_count;
  hlo_arena_reset(&w->survey);
  w->order = hlo_arena_many(&w->survey, int, count, w->status);
  w->newest = hlo_arena_many(&w->survey, int, count, w->status);
  w->reached = hlo_arena_many(&w->survey, bool, count, w->status);
  w->effects = hlo_arena_many(&w->survey, bool, count, w->status);
  w->applied = hlo_arena_many(&w->survey, bool, count, w->status);
  if (!hlo_ok(w->status) || !extend_history(w) || !hlo_module_call_order(module, w->order, w->status)) return false;
  w->known = count;
  memset(w->present, 0, sizeof w->present);
  w->reached[module->entry] = true;
  for (int n = count - 1; n >= 0; n--) /* callees come first in `order` */
    if (w->reached[w->order[n]]) look_down(w, module->computations[w->order[n]]);
  for (int n = 0; n < count; n++)
    if (w->reached[w->order[n]]) look_up(w, module->computations[w->order[n]]);
  return true;
}

/* ---- Instructions that were replaced ---- */

/* Copies a computation with its instructions, but for what these point to. */
static hlo_computation *copy_nodes(hlo_arena *arena, const hlo_computation *from, hlo_status *status) {
  hlo_computation *c = hlo_arena_copy(arena, from, sizeof *c, status);
  if (!c) return NULL;
  c->capacity = c->instruction_count;
  c->instructions = hlo_arena_many(arena, hlo_instruction *, c->capacity, status);
  c->parameter_capacity = c->parameter_count;
  c->parameters = hlo_arena_copy(arena, from->parameters, (size_t)c->parameter_count * sizeof *c->parameters, status);
  for (int n = 0; n < c->instruction_count && hlo_ok(status); n++) {
    hlo_instruction *i = c->instructions[n] = hlo_arena_copy(arena, from->instructions[n], sizeof *i, status);
    if (i) i->operands = hlo_arena_copy(arena, i->operands, (size_t)i->operand_count * sizeof *i->operands, status);
  }
  return hlo_ok(status) ? c : NULL;
}

/* Nearly every pass that changes something replaces every instruction behind the first change: where most of the nodes are of no use any
 * more, those in use are copied, and the others freed. */
static bool drop_replaced(hlo_pass_runner *w) {
  enum { FEW_BYTES = 1 << 18 };
  if (w->nodes->bytes <= 2 * w->kept + FEW_BYTES) return true;
  hlo_arena fresh;
  hlo_arena_init(&fresh);
  int count = w->module->computation_count;
  hlo_computation **copies = hlo_arena_many(&fresh, hlo_computation *, count, w->status);
  for (int n = 0; n < count && hlo_ok(w->status); n++) copies[n] = copy_nodes(&fresh, w->module->computations[n], w->status);
  if (!hlo_ok(w->status)) {
    hlo_arena_free(&fresh);
    return false;
  }
  if (count) memcpy(w->module->computations, copies, (size_t)count * sizeof *copies);
  hlo_arena_free(w->nodes);
  *w->nodes = fresh;
  w->kept = fresh.bytes;
  return true;
}

/* ---- A pass ---- */

static bool any_present(const hlo_pass_runner *w, const hlo_opcodes *only) {
  for (int n = 0; n < only->count; n++)
    if (w->present[only->list[n]]) return true;
  return only->count == 0;
}

bool hlo_pass_runner_run(hlo_pass_runner *w, int pass, hlo_rewrite *rewrite, const hlo_opcodes *only, bool *changed) {
  if (w->known == 0 && !survey(w)) return false;
  if (!any_present(w, only)) return true;
  int now = w->time + 1;
  bool any = false;
  hlo_rewriter r = {.module = w->module, .rewrite = rewrite, .nodes = w->nodes, .scratch = &w->scratch, .status = w->status, .meter = w->meter,
                    .effects = w->effects, .applied = w->applied, .known = w->known};
  for (int n = 0; n < w->known; n++)
    if (w->reached[n]) r.total = r.reached += w->module->computations[n]->instruction_count;
  for (int n = 0; n < w->known; n++) {
    int number = w->order[n], *done_at = &w->done_at[(size_t)number * (size_t)w->pass_count + (size_t)pass];
    if (!w->reached[number] || *done_at > w->newest[number]) continue;
    if (!hlo_rewrite_computation(&r, number)) return false;
    if (r.changed) w->changed_at[number] = w->time = now;
    else *done_at = now;
    any |= r.changed;
  }
  if (any) w->known = 0;
  *changed |= any;
  return drop_replaced(w);
}
