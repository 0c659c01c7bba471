/* interpreter.run_parallel on the planned path: an executable of its own for the grid, and one for each infeed function. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "devices/host.h"
#include "exec/device.h"
#include "exec/executable.h"
#include "graph/module.h"
#include "plan/plan.h"
#include "reference/custom_calls/run_parallel.h"
#include "shape/literal.h"
#include "shape/shape.h"

struct hlo_nested {
  hlo_nested *next;
  const hlo_step *step;
  hlo_arena arena;
  hlo_parallel parallel;
  hlo_queue_host queue;
  hlo_executable *grid, **feeders;
  hlo_literal **results, **fed;   /* of the devices, of the infeed functions */
  hlo_buffers *inputs, *outputs, *fed_outputs; /* by operand, by device, by infeed function */
};

/* ---- Literals as buffers ---- */

static bool make_buffers(hlo_arena *arena, int leaf_count, hlo_buffers *buffers, hlo_status *status) {
  buffers->leaf_count = leaf_count;
  buffers->leaves = hlo_arena_many(arena, void *, leaf_count, status);
  buffers->dynamic_sizes = hlo_arena_many(arena, int64_t *, leaf_count, status);
  return buffers->leaves && buffers->dynamic_sizes;
}

/* Points the buffers, from leaf `next` on, at the memory of a literal; returns the number of the leaf behind it. */
static int bind(const hlo_buffers *buffers, const hlo_literal *literal, int next) {
  if (!hlo_shape_is_tuple(literal->shape)) {
    buffers->leaves[next] = literal->data;
    buffers->dynamic_sizes[next] = literal->dynamic_sizes;
    return next + 1;
  }
  for (int i = 0; i < literal->shape->element_count; i++) next = bind(buffers, literal->elements[i], next);
  return next;
}

/* Makes a literal that runs of the program write their result into. */
static bool make_result(hlo_nested *n, const hlo_computation *program, hlo_literal **result, hlo_buffers *buffers, hlo_status *status) {
  const hlo_shape *shape = hlo_computation_root(program)->shape;
  *result = hlo_literal_make(&n->arena, shape, status);
  if (!*result || !make_buffers(&n->arena, hlo_shape_leaf_count(shape), buffers, status)) return false;
  bind(buffers, *result, 0);
  return true;
}

/* ---- Compiling ---- */

static bool make_memory(hlo_nested *n, const hlo_step *step, hlo_status *status) {
  const hlo_parallel *p = &n->parallel;
  int devices = p->replicas * p->partitions, operands = step->instruction->operand_count;
  n->results = hlo_arena_many(&n->arena, hlo_literal *, devices, status);
  n->fed = hlo_arena_many(&n->arena, hlo_literal *, p->infeed_count, status);
  n->inputs = hlo_arena_many(&n->arena, hlo_buffers, operands, status);
  n->outputs = hlo_arena_many(&n->arena, hlo_buffers, devices, status);
  n->fed_outputs = hlo_arena_many(&n->arena, hlo_buffers, p->infeed_count, status);
  n->feeders = hlo_arena_many(&n->arena, hlo_executable *, p->infeed_count, status);
  if (!n->results || !n->fed || !n->inputs || !n->outputs || !n->fed_outputs || !n->feeders) return false;
  for (int d = 0; d < devices; d++)
    if (!make_result(n, p->programs[d], &n->results[d], &n->outputs[d], status)) return false;
  for (int i = 0; i < p->infeed_count; i++)
    if (!make_result(n, p->infeeds[i], &n->fed[i], &n->fed_outputs[i], status)) return false;
  for (int i = 0; i < operands; i++)
    if (!make_buffers(&n->arena, hlo_shape_leaf_count(step->literals->operands[i]->shape), &n->inputs[i], status)) return false;
  return true;
}

static bool compile_step(hlo_executable *e, const hlo_routine *routine, const hlo_step *step, hlo_status *status) {
  hlo_nested *n = calloc(1, sizeof *n);
  if (!n) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %s", step->instruction->name);
  n->next = e->nested;
  n->step = step;
  e->nested = n;
  hlo_arena_init(&n->arena);
  hlo_parallel *p = &n->parallel;
  if (!hlo_parallel_read(e->module, routine->computation, step->instruction, &n->arena, p, status) || !make_memory(n, step, status)) return false;
  hlo_queue_host_init(&n->queue, e->host, n->fed, p->infeed_count);
  n->grid = hlo_executable_compile_programs(e->module, p->programs, p->replicas, p->partitions, &n->queue.host, e->team, status);
  for (int i = 0; n->grid && i < p->infeed_count; i++)
    if (!(n->feeders[i] = hlo_executable_compile_programs(e->module, &p->infeeds[i], 1, 1, e->host, e->team, status))) return false;
  return n->grid != NULL;
}

bool hlo_nested_compile(hlo_executable *e, hlo_status *status) {
  hlo_host *host = e->host;
  if (host->has_custom_call && host->has_custom_call(host, (hlo_span){"interpreter.run_parallel", 24})) return true;
  for (int d = 0; d < e->device_count; d++)
    for (int r = 0; r < e->plans[d]->routine_count && (d == 0 || e->plans[d] != e->plans[d - 1]); r++) {
      const hlo_routine *routine = &e->plans[d]->routines[r];
      for (int s = 0; s < routine->step_count; s++) {
        const hlo_step *step = &routine->steps[s];
        if (step->kind != HLO_STEP_MEET || !hlo_is_parallel(step->instruction) || hlo_nested_find(e, step)) continue;
        if (!compile_step(e, routine, step, status)) return false;
      }
    }
  return true;
}

void hlo_nested_free(hlo_nested *nested) {
  while (nested) {
    hlo_nested *next = nested->next;
    hlo_executable_free(nested->grid);
    for (int i = 0; nested->feeders && i < nested->parallel.infeed_count; i++) hlo_executable_free(nested->feeders[i]);
    hlo_arena_free(&nested->arena);
    free(nested);
    nested = next;
  }
}

hlo_nested *hlo_nested_find(const hlo_executable *e, const hlo_step *step) {
  hlo_nested *nested = e->nested;
  while (nested && nested->step != step) nested = nested->next;
  return nested;
}

int64_t hlo_nested_workspace_bytes(const hlo_nested *nested) {
  int64_t bytes = 0;
  for (; nested; nested = nested->next) {
    bytes += hlo_executable_workspace_bytes(nested->grid);
    for (int i = 0; i < nested->parallel.infeed_count; i++) bytes += hlo_executable_workspace_bytes(nested->feeders[i]);
  }
  return bytes;
}

/* ---- Running ---- */

/* Runs the grid with the outer run's count of work, so that the host is asked as often. */
static bool run_within(hlo_run *outer, hlo_executable *executable, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed) {
  hlo_run run = *outer;
  run.executable = executable;
  run.slice_end = 0;  /* the outer run may pause again when this one has ended */
  run.profile = NULL; /* records refer to the outer plan */
  bool ok = hlo_run_planned(&run, inputs, outputs, seed);
  outer->work_until_check = run.work_until_check;
  return ok;
}

bool hlo_nested_run(hlo_nested *n, hlo_run *outer, const hlo_device *device, const hlo_literal *const *operands, hlo_literal *result) {
  uint64_t seed = device->rng_state[0];
  hlo_host *host = outer->executable->host;
  for (int i = 0; i < n->step->instruction->operand_count; i++) bind(&n->inputs[i], operands[i], 0);
  for (int i = 0; i < n->parallel.infeed_count; i++)
    if (!run_within(outer, n->feeders[i], NULL, &n->fed_outputs[i], seed)) return false;
  n->queue.next = 0;
  n->queue.host.checks = 0;
  n->queue.host.loose_checks = host->loose_checks;
  bool ok = run_within(outer, n->grid, n->inputs, n->outputs, seed);
  host->checks += n->queue.host.checks;
  if (ok) hlo_parallel_gather(&n->parallel, n->results, result);
  return ok;
}
