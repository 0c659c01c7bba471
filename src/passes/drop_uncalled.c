#include "passes/drop_uncalled.h"

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/name_table.h"
#include "verify/verify.h"

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

bool hlo_drop_uncalled(hlo_module *module, bool *changed, hlo_status *status) {
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  bool ok = drop_uncalled(module, &scratch, changed, status);
  hlo_arena_free(&scratch);
  return ok;
}
