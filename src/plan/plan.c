/* From a module to a plan: chooses the computations that become routines, describes the border, plans each routine, and adds the moves at
 * calls. */
#include "plan/plan.h"

#include <stdlib.h>

#include "base/checked.h"
#include "graph/opcode.h"
#include "kernels/move/layout_map.h"
#include "kernels/move/strided_copy.h"
#include "plan/planner.h"
#include "reference/work.h"
#include "shape/layout_index.h"
#include "verify/verify.h"

/* ---- Routines ---- */

typedef struct reach {
  const hlo_module *module;
  bool *is_entered; /* by computation */
  int *call_sites;
} reach;

/* Marks the computations that an entered one enters. */
static bool reach_from(reach *reached, int computation, hlo_arena *scratch, hlo_status *status) {
  const hlo_computation *c = reached->module->computations[computation];
  for (int i = 0; i < c->instruction_count; i++) {
    const hlo_instruction *instruction = c->instructions[i];
    if (!hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES)) continue;
    int count = hlo_plan_entered(c, instruction, NULL, 0);
    int *entered = hlo_arena_many(scratch, int, count, status);
    if (!entered) return false;
    hlo_plan_entered(c, instruction, entered, count);
    for (int n = 0; n < count; n++) {
      if (entered[n] < 0)
        return hlo_fail(status, HLO_VERIFY, "computation %s, instruction %s: it names no computation to run", c->name, instruction->name);
      reached->is_entered[entered[n]] = true;
      reached->call_sites[entered[n]]++;
    }
  }
  return true;
}

/* Routines in an order in which callers come before callees. */
static bool make_routines(hlo_planner *p) {
  const hlo_module *module = p->module;
  int count = module->computation_count;
  int *order = hlo_arena_many(p->scratch, int, count, p->status);
  reach reached = {.module = module, .is_entered = hlo_arena_many(p->scratch, bool, count, p->status),
                   .call_sites = hlo_arena_many(p->scratch, int, count, p->status)};
  p->routine_of = hlo_arena_many(p->scratch, int, count, p->status);
  p->routines = hlo_arena_many(p->scratch, hlo_routine_plan, count, p->status);
  p->plan->routines = hlo_arena_many(p->arena, hlo_routine, count, p->status);
  if (!hlo_ok(p->status) || !hlo_module_call_order(module, order, p->status)) return false;
  reached.is_entered[p->program->index] = true;
  for (int i = count - 1; i >= 0; i--) { /* callees come first in `order` */
    int computation = order[i];
    p->routine_of[computation] = -1;
    if (!reached.is_entered[computation]) continue;
    if (!reach_from(&reached, computation, p->scratch, p->status)) return false;
    int number = p->plan->routine_count++;
    p->routine_of[computation] = number;
    p->plan->routines[number].computation = module->computations[computation];
    p->routines[number] = (hlo_routine_plan){.planner = p, .computation = module->computations[computation],
                                             .routine = &p->plan->routines[number], .call_sites = reached.call_sites[computation]};
  }
  return true;
}

/* ---- The border ---- */

static bool border_leaf(hlo_planner *p, const hlo_shape *shape, hlo_place_kind kind, int number, hlo_border_leaf *leaf) {
  hlo_status *status = p->status;
  hlo_plan_place place;
  *leaf = (hlo_border_leaf){.shape = shape, .place = hlo_plan_nowhere, .donated_to = -1};
  if (!hlo_plan_shape_place(shape, &place, status)) return false;
  if (place.kind == HLO_PLACE_NONE) return true;
  hlo_layout_index index;
  if (!hlo_layout_index_init(&index, shape, status) || !hlo_shape_array_size(shape, &leaf->bytes, status)) return false;
  leaf->dense = index.dense_row_major && index.aligned_elements == hlo_shape_element_count(shape);
  if (leaf->dense && place.sizes_offset < 0) {
    leaf->place = place;
    leaf->place.kind = kind;
    leaf->place.offset = number;
  }
  hlo_strided_map map;
  if (!leaf->dense && hlo_layout_map(shape, kind == HLO_PLACE_RESULT, &map))
    leaf->crossing = hlo_arena_copy(p->arena, &map, sizeof map, status);
  return hlo_ok(status);
}

static bool border_leaves(hlo_planner *p, const hlo_shape *shape, hlo_place_kind kind, int *number, hlo_border_leaf *leaves) {
  int count = hlo_shape_leaf_count(shape);
  for (int i = 0; i < count; i++, (*number)++)
    if (!border_leaf(p, hlo_shape_leaf(shape, i), kind, *number, &leaves[*number])) return false;
  return true;
}

/* Results that have no donor yet, by a hash of their shapes: lists of numbers above those of the results, ascending; 0 ends a list. */
typedef struct free_results {
  const hlo_border_leaf *leaves;
  int *first, *next;
  uint32_t mask;
} free_results;

static int *list_of(const free_results *f, const hlo_shape *shape) {
  uint32_t hash = (uint32_t)shape->type;
  for (int d = 0; d < shape->rank; d++) hash = (hash ^ (uint32_t)shape->dims[d]) * 0x9E3779B1u;
  return &f->first[(hash ^ hash >> 16) & f->mask];
}

static bool list_results(hlo_planner *p, const hlo_border_leaf *results, free_results *f) {
  int count = p->plan->result_leaf_count;
  *f = (free_results){.leaves = results, .mask = 1};
  while (f->mask < (uint32_t)count) f->mask = 2 * f->mask + 1;
  f->first = hlo_arena_many(p->scratch, int, (int64_t)f->mask + 1, p->status);
  f->next = hlo_arena_many(p->scratch, int, (int64_t)count + 1, p->status);
  if (!f->first || !f->next) return false;
  for (int r = count - 1; r >= 0; r--) {
    if (results[r].place.kind != HLO_PLACE_RESULT) continue;
    int *list = list_of(f, results[r].shape);
    f->next[r + 1] = *list;
    *list = r + 1;
  }
  return true;
}

/* Takes the first result of a shape; -1 if there is none. */
static int take_result(const free_results *f, const hlo_shape *shape) {
  for (int *at = list_of(f, shape); *at; at = &f->next[*at]) {
    int r = *at - 1;
    if (!hlo_shape_equal(shape, f->leaves[r].shape)) continue;
    *at = f->next[r + 1];
    return r;
  }
  return -1;
}

/* Gives each donated leaf to the first result of its shape that has no donor yet. */
static bool donate(hlo_planner *p, hlo_border_leaf *parameters, const hlo_border_leaf *results, bool *taken) {
  const hlo_plan *plan = p->plan;
  free_results available;
  if (!list_results(p, results, &available)) return false;
  for (int n = 0; n < plan->parameter_count; n++)
    for (int leaf = plan->parameter_first_leaf[n]; p->donated[n] && leaf < plan->parameter_first_leaf[n + 1]; leaf++) {
      int r = parameters[leaf].place.kind == HLO_PLACE_ARGUMENT ? take_result(&available, parameters[leaf].shape) : -1;
      if (r < 0) continue;
      taken[r] = true;
      parameters[leaf].donated_to = r;
      parameters[leaf].place = results[r].place;
      p->routines[0].donates = true;
    }
  return true;
}

/* Makes places of the caller's memory for leaves that can be used there; NONE for the others. */
static hlo_plan_place *direct_places(hlo_planner *p, const hlo_border_leaf *leaves, int count) {
  hlo_plan_place *places = hlo_arena_many(p->arena, hlo_plan_place, count, p->status);
  for (int i = 0; i < count && places; i++) places[i] = leaves[i].place;
  return places;
}

static const hlo_shape *border_shape(hlo_planner *p, const hlo_shape *declared, const hlo_shape *shape) {
  return p->dense_border ? hlo_shape_without_layouts(p->arena, shape, p->status) : declared ? declared : shape;
}

static bool find_border_shapes(hlo_planner *p) {
  const hlo_module *module = p->module;
  const hlo_computation *entry = p->program;
  bool declared = !p->dense_border;
  hlo_plan *plan = p->plan;
  plan->parameter_count = entry->parameter_count;
  plan->result_shape = border_shape(p, declared ? module->entry_result_shape : NULL, hlo_computation_root(entry)->shape);
  const hlo_shape **shapes = hlo_arena_many(p->arena, const hlo_shape *, plan->parameter_count, p->status);
  int *first = hlo_arena_many(p->arena, int, (int64_t)plan->parameter_count + 1, p->status);
  if (!shapes || !first || !plan->result_shape) return false;
  for (int n = 0; n < plan->parameter_count; n++) {
    shapes[n] = border_shape(p, declared && module->entry_parameter_shapes ? module->entry_parameter_shapes[n] : NULL,
                             entry->instructions[entry->parameters[n]]->shape);
    if (!shapes[n]) return false;
    first[n + 1] = first[n] + hlo_shape_leaf_count(shapes[n]);
    if (hlo_shape_has_unbounded(shapes[n]))
      return hlo_fail(p->status, HLO_UNSUPPORTED, "parameter %d, %pS, has a dimension without a bound; compile the module for known sizes",
                      n, shapes[n]);
  }
  plan->parameter_shapes = shapes;
  plan->parameter_first_leaf = first;
  return true;
}

static bool make_border(hlo_planner *p) {
  hlo_plan *plan = p->plan;
  if (!find_border_shapes(p)) return false;
  int leaf_count = plan->parameter_first_leaf[plan->parameter_count], number = 0;
  plan->result_leaf_count = hlo_shape_leaf_count(plan->result_shape);
  hlo_border_leaf *parameters = hlo_arena_many(p->arena, hlo_border_leaf, leaf_count, p->status);
  hlo_border_leaf *results = hlo_arena_many(p->arena, hlo_border_leaf, plan->result_leaf_count, p->status);
  if (!parameters || !results) return false;
  for (int n = 0; n < plan->parameter_count; n++)
    if (!border_leaves(p, plan->parameter_shapes[n], HLO_PLACE_ARGUMENT, &number, parameters)) return false;
  number = 0;
  if (!border_leaves(p, plan->result_shape, HLO_PLACE_RESULT, &number, results)) return false;
  bool *taken = hlo_arena_many(p->scratch, bool, plan->result_leaf_count, p->status);
  if (!taken) return false;
  if (p->donated && !donate(p, parameters, results, taken)) return false;
  plan->parameter_leaves = parameters;
  plan->result_leaves = results;
  hlo_routine_plan *entry = &p->routines[0];
  entry->given_parameters = direct_places(p, parameters, leaf_count);
  entry->wanted_results = direct_places(p, results, plan->result_leaf_count);
  return entry->given_parameters && entry->wanted_results;
}

/* Takes the places of parameters and results over into the border, once the entry is planned. */
static void finish_border(hlo_plan *plan) {
  const hlo_routine *entry = &plan->routines[0];
  for (int i = 0; i < entry->parameter_leaf_count; i++) ((hlo_border_leaf *)plan->parameter_leaves)[i].place = entry->parameters[i];
  for (int i = 0; i < plan->result_leaf_count; i++) ((hlo_border_leaf *)plan->result_leaves)[i].place = entry->results[i];
}

/* ---- Planning ---- */

static bool is_entered(const hlo_planner *p, int number) { return number == 0 || p->routines[number].is_entered; }

static bool plan_routine(hlo_planner *p, int number) {
  hlo_routine_plan *r = &p->routines[number];
  int first_call = p->call_count;
  if (!hlo_plan_actions(r) || !hlo_plan_values(r) || !hlo_plan_storages(r) || !hlo_plan_steps(r)) return false;
  int64_t end;
  if (!hlo_checked_add(r->routine->offset, r->routine->bytes, &end))
    return hlo_fail(p->status, HLO_OUT_OF_MEMORY, "the workspace would be larger than memory can be");
  if (end > p->plan->workspace_bytes) p->plan->workspace_bytes = end;
  for (int i = first_call; i < p->call_count; i++) { /* the memory of a callee lies behind the caller's */
    hlo_routine *callee = &p->plan->routines[p->calls[i].callee];
    if (callee->offset < end) callee->offset = end;
  }
  return true;
}

/* Makes the moves between two lists of places, without those between equal places and those from or to no place. */
static bool make_moves(hlo_planner *p, const hlo_plan_place *from, const hlo_plan_place *to, int count, int *move_count,
                       const hlo_plan_move **moves) {
  hlo_plan_move *made = hlo_arena_many(p->arena, hlo_plan_move, count, p->status);
  if (!made) return false;
  *move_count = 0;
  for (int i = 0; i < count; i++) {
    if (from[i].kind == HLO_PLACE_NONE || to[i].kind == HLO_PLACE_NONE || hlo_plan_place_equal(&from[i], &to[i])) continue;
    made[(*move_count)++] = (hlo_plan_move){from[i], to[i]};
  }
  *moves = made;
  return true;
}

static int64_t work_of_moves(const hlo_plan_move *moves, int count) {
  int64_t work = 0;
  for (int i = 0; i < count; i++) work = hlo_work_add(work, hlo_plan_work_of_bytes(moves[i].to.bytes));
  return work;
}

static bool link_call(hlo_planner *p, const hlo_call_record *call) {
  hlo_step *step = &p->plan->routines[call->caller].steps[call->step];
  const hlo_routine *callee = &p->plan->routines[call->callee];
  if (!make_moves(p, call->arguments, callee->parameters, callee->parameter_leaf_count, &step->before_count, &step->before) ||
      !make_moves(p, callee->results, call->results, callee->result_leaf_count, &step->after_count, &step->after))
    return false;
  step->work = hlo_work_add(1, hlo_work_add(work_of_moves(step->before, step->before_count), work_of_moves(step->after, step->after_count)));
  return true;
}

static void measure(hlo_plan *plan) {
  plan->deepest_call = plan->routine_count; /* no routine is active twice */
  for (int r = 0; r < plan->routine_count; r++)
    for (int s = 0; s < plan->routines[r].step_count; s++)
      if (plan->routines[r].steps[s].operand_count > plan->most_operands) plan->most_operands = plan->routines[r].steps[s].operand_count;
}

/* Drops routines that no step enters, such as fusions that a kernel runs. */
static bool drop_unentered(hlo_planner *p) {
  hlo_plan *plan = p->plan;
  int *number = hlo_arena_many(p->scratch, int, plan->routine_count, p->status), count = 0;
  if (!number) return false;
  for (int r = 0; r < plan->routine_count; r++) {
    if (!is_entered(p, r)) continue;
    plan->routines[count] = plan->routines[r];
    number[r] = count++;
  }
  plan->routine_count = count;
  for (int i = 0; i < p->call_count; i++) {
    hlo_call_record *call = &p->calls[i];
    call->caller = number[call->caller];
    call->callee = number[call->callee];
    plan->routines[call->caller].steps[call->step].routine = call->callee;
  }
  return true;
}

static bool build(hlo_planner *p) {
  p->plan->works = hlo_computation_works(p->module, p->arena, p->status);
  if (!p->plan->works || !make_routines(p) || !make_border(p)) return false;
  for (int i = 0; i < p->plan->routine_count; i++)
    if (is_entered(p, i) && !plan_routine(p, i)) return false;
  if (!drop_unentered(p)) return false;
  for (int i = 0; i < p->call_count; i++)
    if (!link_call(p, &p->calls[i])) return false;
  finish_border(p->plan);
  measure(p->plan);
  return true;
}

/* Builds a plan that packs no large constant of `kept_dense`, to which it adds those for which it has to be built anew. */
static hlo_plan *try_plan(const hlo_module *module, const hlo_computation *program, const bool *donated, bool dense_border, int threads,
                          hlo_host *host, hlo_arena *kept, hlo_constant_use **kept_dense, bool *again, hlo_status *status) {
  hlo_plan *plan = calloc(1, sizeof *plan);
  if (!plan) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a plan");
    return NULL;
  }
  hlo_arena scratch;
  hlo_arena_init(&plan->arena);
  hlo_arena_init(&scratch);
  plan->module = module;
  plan->constants = (hlo_constant_uses){.arena = &plan->arena, .kept_dense = *kept_dense};
  hlo_planner planner = {.plan = plan, .module = module, .program = program, .donated = donated, .dense_border = dense_border, .threads = threads,
                         .host = host, .arena = &plan->arena, .scratch = &scratch, .status = status};
  bool built = build(&planner) && hlo_constant_uses_finish(&plan->constants, kept, again, status);
  *kept_dense = plan->constants.kept_dense;
  plan->constants.kept_dense = NULL;
  hlo_arena_free(&scratch);
  if (built && !*again) return plan;
  hlo_plan_free(plan);
  return NULL;
}

static hlo_plan *build_plan(const hlo_module *module, const hlo_computation *program, const bool *donated, bool dense_border,
                            int threads, hlo_host *host, hlo_status *status) {
  hlo_constant_use *kept_dense = NULL;
  hlo_plan *plan = NULL;
  hlo_arena kept;
  hlo_arena_init(&kept);
  for (bool again = true; again && !plan && hlo_ok(status);)
    plan = try_plan(module, program, donated, dense_border, threads, host, &kept, &kept_dense, &again, status);
  hlo_arena_free(&kept);
  return plan;
}

hlo_plan *hlo_plan_build(const hlo_module *module, hlo_status *status) {
  return hlo_plan_build_donating(module, NULL, 1, NULL, status);
}

hlo_plan *hlo_plan_build_donating(const hlo_module *module, const bool *donated, int threads, hlo_host *host, hlo_status *status) {
  return build_plan(module, hlo_module_entry(module), donated, false, threads, host, status);
}

hlo_plan *hlo_plan_build_program(const hlo_module *module, const hlo_computation *program, int threads, hlo_host *host, hlo_status *status) {
  return build_plan(module, program, NULL, true, threads, host, status);
}

void hlo_plan_free(hlo_plan *plan) {
  if (!plan) return;
  hlo_constant_uses_release(&plan->constants);
  hlo_arena_free(&plan->arena);
  free(plan);
}
