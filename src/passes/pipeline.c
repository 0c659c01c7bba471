/* The ordered list. */
#include "passes/pipeline.h"

#include <string.h>

#include "passes/rewrites.h"
#include "passes/rewriting.h"

typedef struct pass {
  const char *name;
  hlo_rewrite *rewrite;
  enum { ONCE, REPEATED } when;
} pass;

/* Those that run once come first and last; between them the others take turns until none finds anything. Those that decide what
 * becomes one loop are the last ones, where nothing takes apart again what they have put together. */
static const pass passes[] = {
    {"explicit-layouts", hlo_explicit_layouts, ONCE},
    {"inline-calls", hlo_inline_calls, ONCE},
    {"decompose-batch-norm", hlo_decompose_batch_norm, ONCE},
    {"simplify-tuples", hlo_simplify_tuples, REPEATED},
    {"fold-constants", hlo_fold_constants, REPEATED},
    {"simplify-algebra", hlo_simplify_algebra, REPEATED},
    {"simplify-shapes", hlo_simplify_shapes, REPEATED},
    {"simplify-slices", hlo_simplify_slices, REPEATED},
    {"simplify-reductions", hlo_simplify_reductions, REPEATED},
    {"absorb-transposes", hlo_absorb_transposes, REPEATED},
    {"sink-movement", hlo_sink_movement, REPEATED},
    {"simplify-control", hlo_simplify_control, REPEATED},
    {"hoist-invariants", hlo_hoist_invariants, REPEATED},
    {"merge-equal", hlo_merge_equal, REPEATED},
    {"widen-narrow", hlo_widen_narrow, REPEATED},
    {"remove-barriers", hlo_remove_barriers, ONCE},
    {"remove-dead", NULL, ONCE},
    {"split-reductions", hlo_split_reductions, ONCE},
    {"fuse-epilogues", hlo_fuse_epilogues, ONCE},
    {"fuse-loops", hlo_fuse_loops, ONCE},
};
enum { PASS_COUNT = sizeof passes / sizeof *passes, MOST_ROUNDS = 6, MOST_RUNS = 24 };

int hlo_pass_count(void) { return PASS_COUNT; }
const char *hlo_pass_name(int number) { return passes[number].name; }

/* ---- Modules ---- */

/* Holds the same computations; layouts of the border are written down, since rewriting loses them. */
static hlo_module *share(const hlo_module *source, hlo_status *status) {
  hlo_module *module = hlo_module_new(source->name, strlen(source->name), status);
  if (!module) return NULL;
  hlo_arena arena = module->arena;
  const char *name = module->name;
  *module = *source;
  module->arena = arena;
  module->name = name;
  module->capacity = module->computation_count;
  module->computations = hlo_arena_copy(&module->arena, source->computations,
                                        (size_t)source->computation_count * sizeof *source->computations, status);
  module->names = (hlo_name_table){0};
  for (int n = 0; n < source->computation_count && hlo_ok(status); n++)
    hlo_name_table_add(&module->names, &module->arena, source->computations[n]->name, n, status);
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

/* Repeats the pass until it finds nothing; *changed is set when it found something. */
static bool run(hlo_rewriting *rewriting, int number, bool *changed) {
  bool again = true;
  for (int n = 0; again && n < MOST_RUNS; n++) {
    again = false;
    if (!hlo_rewriting_run(rewriting, number, passes[number].rewrite, &again))
      return hlo_status_append(rewriting->status, " (in pass %s)", passes[number].name);
    *changed |= again;
  }
  return true;
}

/* ---- What nobody calls ---- */

typedef struct renumbering {
  hlo_module *module;
  const int *map; /* new index by old one; -1: nobody calls it */
  hlo_status *status;
} renumbering;

static bool renumber_instruction(const renumbering *r, hlo_instruction **place) {
  hlo_arena *arena = &r->module->arena;
  const hlo_instruction *old = *place;
  if (hlo_instruction_called(old, NULL, 0) == 0) return true;
  hlo_instruction *i = hlo_arena_copy(arena, old, sizeof *old, r->status);
  hlo_attribute *attributes = hlo_arena_copy(arena, old->attributes, (size_t)old->attribute_count * sizeof *attributes, r->status);
  for (int n = 0; i && attributes && n < old->attribute_count; n++) {
    hlo_attribute_kind kind = hlo_attribute_kind_of(attributes[n].id);
    if (kind == HLO_KIND_COMPUTATION) attributes[n].computation = r->map[attributes[n].computation];
    if (kind != HLO_KIND_COMPUTATIONS) continue;
    int64_t *called = hlo_arena_many(arena, int64_t, attributes[n].ints.count, r->status);
    for (int k = 0; called && k < attributes[n].ints.count; k++) called[k] = r->map[attributes[n].ints.data[k]];
    attributes[n].ints.data = called;
  }
  if (i) i->attributes = attributes;
  *place = i;
  return hlo_ok(r->status);
}

static bool renumber_computation(const renumbering *r, int number) {
  hlo_computation *c = hlo_arena_copy(&r->module->arena, r->module->computations[number], sizeof *c, r->status);
  if (!c) return false;
  c->instructions = hlo_arena_copy(&r->module->arena, c->instructions, (size_t)c->instruction_count * sizeof *c->instructions, r->status);
  for (int n = 0; c->instructions && n < c->instruction_count; n++)
    if (!renumber_instruction(r, &c->instructions[n])) return false;
  c->index = r->map[number];
  r->module->computations[c->index] = c;
  return hlo_ok(r->status);
}

static bool drop_uncalled(hlo_module *module, hlo_arena *scratch, bool *changed, hlo_status *status) {
  int count = module->computation_count, kept = 0;
  int *order = hlo_arena_many(scratch, int, count, status), *map = hlo_arena_many(scratch, int, count, status);
  if (!order || !map || !hlo_module_call_order(module, order, status)) return false;
  map[module->entry] = 1;
  for (int n = count - 1; n >= 0; n--) { /* callees come first in `order` */
    const hlo_computation *c = module->computations[order[n]];
    for (int k = 0; map[c->index] && k < c->instruction_count; k++)
      for (int m = 0, called; hlo_instruction_call(c->instructions[k], m, &called); m++) map[called] = 1;
  }
  for (int n = 0; n < count; n++) map[n] = map[n] ? kept++ : -1;
  if (kept == count) return true;
  *changed = true;
  const renumbering r = {module, map, status};
  for (int n = 0; n < count; n++) /* a computation never moves up */
    if (map[n] >= 0 && !renumber_computation(&r, n)) return false;
  module->entry = map[module->entry];
  module->computation_count = kept;
  module->names = (hlo_name_table){0};
  for (int n = 0; n < kept; n++)
    if (!hlo_name_table_add(&module->names, &module->arena, module->computations[n]->name, n, status)) return false;
  return true;
}

/* Names lead to instructions again. */
static bool index_names(hlo_module *module, hlo_status *status) {
  for (int n = 0; n < module->computation_count; n++) {
    hlo_computation *c = module->computations[n];
    for (int k = 0; c->names.count < c->instruction_count && k < c->instruction_count; k++)
      if (!hlo_name_table_add(&c->names, &module->arena, c->instructions[k]->name, k, status)) return false;
  }
  return true;
}

static bool finish(hlo_module *module, bool *changed, hlo_status *status) {
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  bool ok = drop_uncalled(module, &scratch, changed, status) && index_names(module, status);
  hlo_arena_free(&scratch);
  return ok;
}

/* ---- Running ---- */

typedef struct observation {
  hlo_pass_observer *observer;
  void *context;
} observation;

static bool run_observed(hlo_rewriting *rewriting, int number, bool *changed, const observation *o) {
  bool found = false, dropped = false;
  if (!run(rewriting, number, &found)) return false;
  if (!passes[number].rewrite && !finish(rewriting->module, &dropped, rewriting->status)) return false;
  if (dropped) hlo_rewriting_forget(rewriting);
  if (o->observer) o->observer(o->context, number, found || dropped, rewriting->module);
  *changed |= found;
  return true;
}

static bool run_all(hlo_rewriting *rewriting, const observation *o) {
  bool ignored = false;
  for (int n = 0; n < PASS_COUNT;) {
    if (passes[n].when == ONCE) {
      if (!run_observed(rewriting, n++, &ignored, o)) return false;
      continue;
    }
    int first = n, end = n;
    while (passes[end].when == REPEATED) end++;
    bool changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
      changed = false;
      for (n = first; n < end; n++)
        if (!run_observed(rewriting, n, &changed, o)) return false;
    }
  }
  return index_names(rewriting->module, rewriting->status);
}

static bool run_alone(hlo_rewriting *rewriting, int number) {
  bool changed = false;
  return run(rewriting, number, &changed) && finish(rewriting->module, &changed, rewriting->status);
}

/* number -1: every pass */
static hlo_module *rewritten(const hlo_module *source, int number, const observation *o, hlo_status *status) {
  hlo_module *module = share(source, status);
  if (!module) return NULL;
  hlo_rewriting rewriting;
  hlo_rewriting_init(&rewriting, module, PASS_COUNT, status);
  bool ok = number < 0 ? run_all(&rewriting, o) : run_alone(&rewriting, number);
  hlo_rewriting_free(&rewriting);
  if (ok) return module;
  hlo_module_free(module);
  return NULL;
}

hlo_module *hlo_passes_run(const hlo_module *source, hlo_pass_observer *observer, void *context, hlo_status *status) {
  return rewritten(source, -1, &(observation){observer, context}, status);
}

hlo_module *hlo_pass_run(const hlo_module *source, int number, hlo_status *status) { return rewritten(source, number, NULL, status); }
