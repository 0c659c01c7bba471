/* Running passes over a copy of a module, which shares unchanged instructions with its source. */

#include "base/arena.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "passes/drop_uncalled.h"
#include "passes/pass_list.h"
#include "passes/pipeline.h"
#include "rewrite/pass_runner.h"
#include "rewrite/rewriter.h"
#include "shape/shape.h"

/* Bounds on how often the repeated passes take turns, and on how often one pass runs in its turn. */
enum { MOST_ROUNDS = 6, MOST_RUNS = 24 };

/* Makes a module with the same computations. The layouts of the entry are written into its header, since rewriting loses them. */
static hlo_module *share(const hlo_module *source, hlo_status *status) {
  hlo_module *module = hlo_module_share(source, status);
  if (!module) return NULL;
  const hlo_computation *entry = hlo_module_entry(source);
  module->entry_parameter_count = entry->parameter_count;
  const hlo_shape **shapes = hlo_arena_many(&module->arena, const hlo_shape *, entry->parameter_count, status);
  for (int n = 0; shapes && n < entry->parameter_count; n++)
    shapes[n] = source->entry_parameter_shapes ? source->entry_parameter_shapes[n] : entry->instructions[entry->parameters[n]]->shape;
  module->entry_parameter_shapes = shapes;
  if (!module->entry_result_shape) module->entry_result_shape = hlo_computation_root(entry)->shape;
  if (hlo_ok(status)) return module;
  hlo_module_free(module);
  return NULL;
}

/* Repeats the pass until it finds nothing; sets *changed if it found something. */
static bool run(hlo_pass_runner *runner, int number, bool *changed) {
  const hlo_pass *pass = &hlo_pass_list[number];
  const hlo_opcodes any = {0};
  bool again = true;
  if (runner->meter) runner->meter->stage = pass->name;
  for (int n = 0; again && n < MOST_RUNS; n++) { /* after a change it runs whatever is left, since what it no longer needs is to go */
    again = false;
    if (!hlo_pass_runner_run(runner, number, pass->rewrite, n ? &any : &pass->rewrites, &again))
      return hlo_status_append(runner->status, " (in pass %s)", pass->name);
    *changed |= again;
  }
  return true;
}

/* Enters the names of instructions that rewriting has added into the tables of names. */
static bool index_names(hlo_module *module, hlo_status *status) {
  for (int n = 0; n < module->computation_count; n++) {
    hlo_computation *c = module->computations[n];
    for (int k = 0; c->names.count < c->instruction_count && k < c->instruction_count; k++)
      if (!hlo_name_table_add(&c->names, &module->arena, c->instructions[k]->name, k, status)) return false;
  }
  return true;
}

static bool finish(hlo_module *module, bool *changed, hlo_status *status) {
  return hlo_drop_uncalled(module, changed, status) && index_names(module, status);
}

/* ---- Running ---- */

typedef struct observation {
  hlo_pass_observer *observer;
  void *context;
  hlo_meter *meter;
  bool interprets; /* loops run step by step */
} observation;

static bool run_observed(hlo_pass_runner *runner, int number, bool *changed, const observation *o) {
  bool found = false, dropped = false;
  if (o->interprets && hlo_pass_list[number].when == HLO_PASS_EMITTING) return true;
  if (!run(runner, number, &found)) return false;
  if (!hlo_pass_list[number].rewrite && !finish(runner->module, &dropped, runner->status)) return false;
  if (dropped) hlo_pass_runner_forget(runner);
  if (o->observer) o->observer(o->context, number, found || dropped, runner->module);
  *changed |= found;
  return true;
}

static bool run_all(hlo_pass_runner *runner, const observation *o) {
  bool ignored = false;
  for (int n = 0; n < HLO_PASS_COUNT;) {
    if (hlo_pass_list[n].when == HLO_PASS_ONCE) {
      if (!run_observed(runner, n++, &ignored, o)) return false;
      continue;
    }
    int first = n, end = n;
    while (end < HLO_PASS_COUNT && hlo_pass_list[end].when != HLO_PASS_ONCE) end++;
    bool changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (n = first; n < end; n++)
        if (!run_observed(runner, n, &changed, o)) return false;
    }
  }
  return index_names(runner->module, runner->status);
}

static bool run_alone(hlo_pass_runner *runner, int number) {
  bool changed = false;
  return run(runner, number, &changed) && finish(runner->module, &changed, runner->status);
}

/* Runs one pass; number -1: every pass. */
static hlo_module *rewritten(const hlo_module *source, int number, const observation *o, hlo_status *status) {
  hlo_module *module = share(source, status);
  if (!module) return NULL;
  hlo_pass_runner runner;
  bool ok = hlo_pass_runner_init(&runner, module, HLO_PASS_COUNT, status);
  runner.meter = o ? o->meter : NULL;
  ok = ok && (number < 0 ? run_all(&runner, o) : run_alone(&runner, number));
  hlo_pass_runner_free(&runner);
  if (ok) return module;
  hlo_module_free(module);
  return NULL;
}

hlo_module *hlo_passes_run(const hlo_module *source, hlo_pass_observer *observer, void *context, hlo_status *status) {
  return rewritten(source, -1, &(observation){.observer = observer, .context = context}, status);
}

/* The module that passes rewrite keeps what they replaced in its memory until all of it is freed: a copy of it has only what is left. */
hlo_module *hlo_passes_run_within(const hlo_module *source, hlo_meter *meter, bool emits, hlo_status *status) {
  hlo_module *module = rewritten(source, -1, &(observation){.meter = meter, .interprets = !emits}, status);
  hlo_module *copy = module ? hlo_module_copy(module, status) : NULL;
  hlo_module_free(module);
  return copy;
}

hlo_module *hlo_pass_run(const hlo_module *source, int number, hlo_status *status) { return rewritten(source, number, NULL, status); }
