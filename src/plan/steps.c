/* The list of steps: each action becomes one step or a few; while loops and conditionals become jumps between them. */
#include <string.h>

#include "base/arena.h"
#include "base/list.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/step_function.h"
#include "plan/plan.h"
#include "plan/planner.h"
#include "reference/work.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* Appends a step, to a list that is scratch until all are there. Returns its number, or -1 when there is no memory. */
static int add_step(hlo_routine_plan *r, hlo_step_kind kind, const hlo_instruction *instruction, const char *kernel) {
  hlo_planner *p = r->planner;
  hlo_routine *routine = r->routine;
  if (!hlo_list_grow(p->scratch, &routine->steps, routine->step_count, &r->step_capacity, sizeof *routine->steps, p->status)) return -1;
  routine->steps[routine->step_count] =
      (hlo_step){.kind = kind, .instruction = instruction, .kernel = kernel, .work = 1, .result = hlo_plan_nowhere,
                 .scratch = hlo_plan_nowhere};
  return routine->step_count++;
}

static const hlo_plan_place *extra_place(const hlo_routine_plan *r, int index) {
  int storage = r->extra_storage[index];
  return storage < 0 ? &hlo_plan_nowhere : &r->storages[storage].place;
}

static bool set_operand(hlo_routine_plan *r, int step, const hlo_plan_place *place) {
  hlo_plan_place *operand = hlo_arena_copy(r->planner->arena, place, sizeof *place, r->planner->status);
  r->routine->steps[step].operands = operand;
  r->routine->steps[step].operand_count = 1;
  return operand != NULL;
}

/* ---- Kernels ---- */

static int64_t work_of(const hlo_routine_plan *r, const hlo_instruction *instruction) {
  return hlo_instruction_work(r->planner->module, r->planner->plan->works, r->computation, instruction);
}

/* Lets a step write the address of its result, which is a view. */
static void find_view(hlo_step *step, hlo_step_function *find) {
  step->kernel = "view";
  step->run = find;
  step->run_shared = NULL;
  step->result.kind = HLO_PLACE_WORKSPACE;
  step->result.bytes = sizeof(void *);
}

static bool kernel_step(hlo_routine_plan *r, const hlo_instruction *instruction) {
  const hlo_kernel_choice *choice = &r->choices[instruction->index];
  int number = add_step(r, HLO_STEP_KERNEL, instruction, choice->kernel);
  int results = hlo_plan_leaf_count(r, instruction->index), count = choice->operand_count + results - 1;
  hlo_plan_place *operands = hlo_arena_many(r->planner->arena, hlo_plan_place, count, r->planner->status);
  if (number < 0 || !operands) return false;
  for (int n = 0; n < choice->operand_count; n++) operands[n] = *hlo_plan_leaf_place(r, choice->operands[n], 0);
  for (int leaf = 1; leaf < results; leaf++)
    operands[choice->operand_count + leaf - 1] = *hlo_plan_leaf_place(r, instruction->index, leaf);
  hlo_step *step = &r->routine->steps[number];
  step->run = choice->run;
  step->run_shared = choice->run_shared;
  step->resumes = choice->resumes;
  step->parameters = choice->parameters;
  step->operand_count = count;
  step->operands = operands;
  step->result = *hlo_plan_leaf_place(r, instruction->index, 0);
  if (step->result.kind == HLO_PLACE_VIEW) find_view(step, choice->find);
  step->scratch = *extra_place(r, instruction->index);
  step->covered_count = choice->covered_count;
  step->covered = choice->covered;
  step->work = work_of(r, instruction);
  for (int n = 0; n < choice->covered_count; n++)
    step->work = hlo_work_add(step->work, work_of(r, hlo_plan_instruction(r, choice->covered[n])));
  return true;
}

void hlo_plan_run_move(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const int64_t *bytes = parameters;
  if (*bytes) memcpy(result, operands[0], (size_t)*bytes);
}

static void run_zeros(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const int64_t *bytes = parameters;
  if (*bytes) memset(result, 0, (size_t)*bytes);
}

static bool bytes_step(hlo_routine_plan *r, const hlo_instruction *instruction, const char *kernel, hlo_step_function *run,
                       const hlo_plan_place *to) {
  int number = add_step(r, HLO_STEP_KERNEL, instruction, kernel);
  int64_t *bytes = hlo_arena_copy(r->planner->arena, &to->bytes, sizeof to->bytes, r->planner->status);
  if (number < 0 || !bytes) return false;
  hlo_step *step = &r->routine->steps[number];
  step->run = run;
  step->parameters = bytes;
  step->result = *to;
  step->work = hlo_plan_work_of_bytes(*bytes);
  return true;
}

static bool move_step(hlo_routine_plan *r, const hlo_instruction *instruction, const hlo_plan_place *from,
                      const hlo_plan_place *to) {
  if (from->kind == HLO_PLACE_NONE || hlo_plan_place_equal(from, to)) return true;
  return bytes_step(r, instruction, "move", hlo_plan_run_move, to) && set_operand(r, r->routine->step_count - 1, from);
}

/* ---- The reference ---- */

typedef struct literal_list {
  hlo_literal **leaves;
  hlo_plan_place *places;
  int count;
} literal_list;

/* Makes a literal of the shape, and lists its leaves: those of the instruction from *leaf on. */
static hlo_literal *make_literal(hlo_routine_plan *r, const hlo_shape *shape, int instruction, int *leaf, literal_list *list) {
  hlo_planner *p = r->planner;
  hlo_literal *literal = hlo_arena_new(p->arena, hlo_literal, p->status);
  if (!literal) return NULL;
  literal->shape = shape;
  if (!hlo_shape_is_tuple(shape)) {
    list->leaves[list->count] = literal;
    list->places[list->count++] = *hlo_plan_leaf_place(r, instruction, (*leaf)++);
    return literal;
  }
  literal->elements = hlo_arena_many(p->arena, hlo_literal *, shape->element_count, p->status);
  for (int i = 0; i < shape->element_count && literal->elements; i++) {
    literal->elements[i] = make_literal(r, shape->elements[i], instruction, leaf, list);
    if (!literal->elements[i]) return NULL;
  }
  return literal->elements ? literal : NULL;
}

static const hlo_step_literals *make_literals(hlo_routine_plan *r, const hlo_instruction *instruction) {
  hlo_planner *p = r->planner;
  int leaf_count = hlo_plan_leaf_count(r, instruction->index);
  for (int n = 0; n < instruction->operand_count; n++) leaf_count += hlo_plan_leaf_count(r, instruction->operands[n]);
  literal_list list = {.leaves = hlo_arena_many(p->arena, hlo_literal *, leaf_count, p->status),
                       .places = hlo_arena_many(p->arena, hlo_plan_place, leaf_count, p->status)};
  const hlo_literal **operands = hlo_arena_many(p->arena, const hlo_literal *, instruction->operand_count, p->status);
  hlo_step_literals *literals = hlo_arena_new(p->arena, hlo_step_literals, p->status);
  if (!list.leaves || !list.places || !operands || !literals) return NULL;
  for (int n = 0; n < instruction->operand_count; n++) {
    int leaf = 0, operand = instruction->operands[n];
    operands[n] = make_literal(r, hlo_plan_instruction(r, operand)->shape, operand, &leaf, &list);
    if (!operands[n]) return NULL;
  }
  int leaf = 0;
  *literals = (hlo_step_literals){.operands = operands, .leaves = list.leaves, .places = list.places, .first_result_leaf = list.count};
  literals->result = make_literal(r, instruction->shape, instruction->index, &leaf, &list);
  literals->leaf_count = list.count;
  return literals->result ? literals : NULL;
}

static bool reference_step(hlo_routine_plan *r, const hlo_instruction *instruction, hlo_step_kind kind, const char *kernel) {
  int number = add_step(r, kind, instruction, kernel);
  if (number < 0) return false;
  r->routine->steps[number].work = hlo_instruction_work(r->planner->module, r->planner->plan->works, r->computation, instruction);
  r->routine->steps[number].literals = make_literals(r, instruction);
  return r->routine->steps[number].literals != NULL;
}

/* ---- Calls ---- */

typedef struct places {
  int count;
  hlo_plan_place *data;
} places;

/* Lists the places of the leaves of several instructions, one after another. */
static places leaf_places(hlo_routine_plan *r, const int *instructions, int count) {
  places result = {0};
  int leaves = 0;
  for (int n = 0; n < count; n++) leaves += hlo_plan_leaf_count(r, instructions[n]);
  result.data = hlo_arena_many(r->planner->arena, hlo_plan_place, leaves, r->planner->status);
  for (int n = 0; n < count && result.data; n++)
    for (int leaf = 0; leaf < hlo_plan_leaf_count(r, instructions[n]); leaf++)
      result.data[result.count++] = *hlo_plan_leaf_place(r, instructions[n], leaf);
  return result;
}

static bool record_call(hlo_planner *p, hlo_call_record record) {
  if (!hlo_list_grow(p->scratch, &p->calls, p->call_count, &p->call_capacity, sizeof *p->calls, p->status)) return false;
  p->calls[p->call_count++] = record;
  return true;
}

/* Adds a CALL step. A routine that only this instruction enters takes over the places of arguments and results from here. */
static bool call_step(hlo_routine_plan *r, const hlo_instruction *instruction, int computation, places arguments, places results,
                      bool is_loop_body) {
  hlo_planner *p = r->planner;
  if (!arguments.data || !results.data) return false;
  int number = add_step(r, HLO_STEP_CALL, instruction, "call"), callee = p->routine_of[computation];
  if (number < 0) return false;
  r->routine->steps[number].routine = callee;
  hlo_routine_plan *entered = &p->routines[callee];
  entered->is_entered = true;
  if (entered->call_sites == 1) {
    entered->given_parameters = arguments.data;
    entered->wanted_results = results.data;
    entered->is_loop_body = is_loop_body;
  }
  return record_call(p, (hlo_call_record){.caller = (int)(r - p->routines), .step = number, .callee = callee,
                                          .arguments = arguments.data, .results = results.data});
}

static bool set_targets(hlo_routine_plan *r, int step, int count) {
  r->routine->steps[step].targets = hlo_arena_many(r->planner->arena, int, count, r->planner->status);
  r->routine->steps[step].target_count = count;
  return r->routine->steps[step].targets != NULL;
}

static bool jump_step(hlo_routine_plan *r, const hlo_instruction *instruction, int target, int *number) {
  int step = add_step(r, HLO_STEP_JUMP, instruction, "jump");
  if (number) *number = step;
  if (step < 0 || !set_targets(r, step, 1)) return false;
  r->routine->steps[step].targets[0] = target;
  return true;
}

/*      move the initial state
 * top: call condition; unless it holds, go to end
 *      call body; go to top
 * end: */
static bool while_steps(hlo_routine_plan *r, const hlo_instruction *instruction) {
  int entered[2];
  hlo_plan_entered(r->computation, instruction, entered, 2);
  places state = leaf_places(r, &instruction->index, 1);
  const hlo_plan_place *predicate = extra_place(r, instruction->index);
  places holds = {.count = 1, .data = hlo_arena_copy(r->planner->arena, predicate, sizeof *predicate, r->planner->status)};
  if (!state.data || !holds.data) return false;
  for (int leaf = 0; leaf < state.count; leaf++)
    if (!move_step(r, instruction, hlo_plan_leaf_place(r, instruction->operands[0], leaf), &state.data[leaf])) return false;
  int top = r->routine->step_count;
  if (!call_step(r, instruction, entered[0], state, holds, false)) return false;
  int leave = add_step(r, HLO_STEP_UNLESS, instruction, "unless");
  if (leave < 0 || !set_operand(r, leave, predicate) || !set_targets(r, leave, 1)) return false;
  if (!call_step(r, instruction, entered[1], state, state, true) || !jump_step(r, instruction, top, NULL)) return false;
  r->routine->steps[leave].targets[0] = r->routine->step_count;
  return true;
}

static bool conditional_steps(hlo_routine_plan *r, const hlo_instruction *instruction) {
  hlo_planner *p = r->planner;
  int count = hlo_plan_entered(r->computation, instruction, NULL, 0);
  int *branches = hlo_arena_many(p->scratch, int, count, p->status), *ends = hlo_arena_many(p->scratch, int, count, p->status);
  int choose = add_step(r, HLO_STEP_SWITCH, instruction, "switch");
  if (!branches || !ends || choose < 0) return false;
  hlo_plan_entered(r->computation, instruction, branches, count);
  places results = leaf_places(r, &instruction->index, 1);
  if (!set_operand(r, choose, hlo_plan_leaf_place(r, instruction->operands[0], 0)) || !set_targets(r, choose, count)) return false;
  for (int i = 0; i < count; i++) {
    r->routine->steps[choose].targets[i] = r->routine->step_count;
    places arguments = leaf_places(r, &instruction->operands[i + 1], 1);
    if (!call_step(r, instruction, branches[i], arguments, results, false) || !jump_step(r, instruction, 0, &ends[i])) return false;
  }
  for (int i = 0; i < count; i++) r->routine->steps[ends[i]].targets[0] = r->routine->step_count;
  return true;
}

/* async-start gives ((operands), result, contexts...): the operands are aliases, and the contexts are filled with zeros. */
static bool started_steps(hlo_routine_plan *r, const hlo_instruction *instruction, int computation) {
  const hlo_shape *shape = instruction->shape;
  int first = shape->first_leaf[1], end = shape->first_leaf[2];
  places all = leaf_places(r, &instruction->index, 1);
  if (!all.data) return false;
  for (int leaf = end; leaf < all.count; leaf++)
    if (all.data[leaf].kind != HLO_PLACE_NONE && !bytes_step(r, instruction, "zeros", run_zeros, &all.data[leaf])) return false;
  places results = {.count = end - first, .data = all.data + first};
  return call_step(r, instruction, computation, leaf_places(r, instruction->operands, instruction->operand_count), results, false);
}

static bool frames_steps(hlo_routine_plan *r, const hlo_instruction *instruction) {
  if (instruction->opcode == HLO_OP_WHILE) return while_steps(r, instruction);
  if (instruction->opcode == HLO_OP_CONDITIONAL) return conditional_steps(r, instruction);
  int computation = -1;
  hlo_plan_entered(r->computation, instruction, &computation, 1);
  if (instruction->opcode == HLO_OP_ASYNC_START) return started_steps(r, instruction, computation);
  return call_step(r, instruction, computation, leaf_places(r, instruction->operands, instruction->operand_count),
                   leaf_places(r, &instruction->index, 1), false);
}

/* ---- All of a routine ---- */

static bool instruction_steps(hlo_routine_plan *r, const hlo_instruction *instruction) {
  switch (r->actions[instruction->index]) {
  case HLO_ACTION_KERNEL: return kernel_step(r, instruction);
  case HLO_ACTION_EVALUATE: return reference_step(r, instruction, HLO_STEP_EVALUATE, "reference");
  case HLO_ACTION_MEET: return reference_step(r, instruction, HLO_STEP_MEET, "rendezvous");
  case HLO_ACTION_FRAMES: return frames_steps(r, instruction);
  default: return true;
  }
}

static bool record_parameters(hlo_routine_plan *r) {
  hlo_planner *p = r->planner;
  const hlo_computation *computation = r->computation;
  int count = 0, leaf = 0;
  for (int n = 0; n < computation->parameter_count; n++)
    count += hlo_shape_leaf_count(hlo_plan_instruction(r, computation->parameters[n])->shape);
  hlo_plan_place *parameters = hlo_arena_many(p->arena, hlo_plan_place, count, p->status);
  if (!parameters) return false;
  for (int n = 0; n < computation->parameter_count; n++) {
    int index = computation->parameters[n], leaves = hlo_shape_leaf_count(hlo_plan_instruction(r, index)->shape);
    for (int i = 0; i < leaves; i++)
      parameters[leaf++] = r->actions[index] == HLO_ACTION_NONE ? hlo_plan_nowhere : *hlo_plan_leaf_place(r, index, i);
  }
  r->routine->parameters = parameters;
  r->routine->parameter_leaf_count = count;
  return true;
}

/* Lists the places of the results. A loop body first saves results that lie where another element of the state belongs. */
static bool record_results(hlo_routine_plan *r) {
  const hlo_instruction *root = hlo_computation_root(r->computation);
  places results = leaf_places(r, &root->index, 1);
  if (!results.data) return false;
  for (int leaf = 0; leaf < results.count; leaf++) {
    const hlo_plan_place *saved = extra_place(r, r->computation->instruction_count + leaf);
    if (saved->kind == HLO_PLACE_NONE) continue;
    if (!move_step(r, root, &results.data[leaf], saved)) return false;
    results.data[leaf] = *saved;
  }
  r->routine->results = results.data;
  r->routine->result_leaf_count = results.count;
  return true;
}

bool hlo_plan_steps(hlo_routine_plan *r) {
  for (int i = 0; i < r->computation->instruction_count; i++)
    if (!instruction_steps(r, hlo_plan_instruction(r, i))) return false;
  if (!record_parameters(r) || !record_results(r)) return false; /* which may add steps */
  hlo_routine *routine = r->routine;
  routine->steps = hlo_arena_copy(r->planner->arena, routine->steps, (size_t)routine->step_count * sizeof *routine->steps, r->planner->status);
  return routine->steps != NULL;
}
