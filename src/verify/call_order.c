/* Computations in an order in which callees come first, found by walking the call graph with a stack of its own:
 * chains of calls can be longer than any C stack. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "verify/verify.h"

/* The call graph: computation c calls callees[first[c] .. first[c + 1]). */
typedef struct call_graph {
  int64_t *first;
  int *callees;
} call_graph;

static bool build_graph(const hlo_module *module, hlo_arena *arena, call_graph *graph, hlo_status *status) {
  int64_t total = 0;
  graph->first = hlo_arena_many(arena, int64_t, (int64_t)module->computation_count + 1, status);
  if (!graph->first) return false;
  for (int c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    graph->first[c] = total;
    for (int i = 0; i < computation->instruction_count; i++)
      total += hlo_instruction_called(computation->instructions[i], NULL, 0);
  }
  graph->first[module->computation_count] = total;
  graph->callees = hlo_arena_many(arena, int, total, status);
  if (!graph->callees) return false;
  for (int c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    int *next = graph->callees + graph->first[c];
    for (int i = 0; i < computation->instruction_count; i++)
      next += hlo_instruction_called(computation->instructions[i], next, (int)(graph->callees + total - next));
  }
  return true;
}

enum { MAX_NAMES = 16 };

/* Names the cycle: the computations on the stack, from the one that was met again. */
static bool fail_with_cycle(const hlo_module *module, const int *stack, int depth, int again, hlo_status *status) {
  int start = depth - 1;
  while (stack[start] != again) start--;
  hlo_fail(status, HLO_VERIFY, "computation %s calls itself: ", module->computations[again]->name);
  status->line = module->computations[again]->line;
  for (int i = start; i < depth && i < start + MAX_NAMES; i++)
    hlo_status_append(status, "%s -> ", module->computations[stack[i]]->name);
  return hlo_status_append(status, "%s%s", depth - start > MAX_NAMES ? "... -> " : "", module->computations[again]->name);
}

typedef struct walk {
  const hlo_module *module;
  call_graph graph;
  int64_t *next; /* of each computation on the stack: the callee to visit next */
  uint8_t *state;
  int *stack, *order;
  int done;
} walk;
enum { NEW, ON_STACK, DONE };

static bool visit_from(walk *w, int start, hlo_status *status) {
  int depth = 0;
  if (w->state[start] != NEW) return true;
  w->stack[depth++] = start;
  w->state[start] = ON_STACK;
  while (depth > 0) {
    int c = w->stack[depth - 1];
    int64_t at = w->graph.first[c] + w->next[c];
    if (at == w->graph.first[c + 1]) {
      w->state[c] = DONE;
      w->order[w->done++] = c;
      depth--;
      continue;
    }
    w->next[c]++;
    int callee = w->graph.callees[at];
    if (w->state[callee] == ON_STACK) return fail_with_cycle(w->module, w->stack, depth, callee, status);
    if (w->state[callee] == DONE) continue;
    w->state[callee] = ON_STACK;
    w->stack[depth++] = callee;
  }
  return true;
}

static bool order_calls(const hlo_module *module, int *order, hlo_arena *arena, hlo_status *status) {
  int count = module->computation_count;
  walk w = {.module = module, .order = order};
  w.next = hlo_arena_many(arena, int64_t, count, status);
  w.state = hlo_arena_many(arena, uint8_t, count, status);
  w.stack = hlo_arena_many(arena, int, count, status);
  if (!w.next || !w.state || !w.stack || !build_graph(module, arena, &w.graph, status)) return false;
  for (int c = 0; c < count; c++)
    if (!visit_from(&w, c, status)) return false;
  return true;
}

bool hlo_module_call_order(const hlo_module *module, int *order, hlo_status *status) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  bool ok = order_calls(module, order, &arena, status);
  hlo_arena_free(&arena);
  return ok;
}
