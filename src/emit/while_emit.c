/* While loops as code, and those in them likewise:
 *
 *   loop: if an iteration may take more work than is left, write what is left, and return where this is
 *         steps of the condition; unless it holds, leave the loop
 *         steps of the body
 *         repeat
 *
 * A branch is a chain of comparisons. The work of steps is counted up to where the code branches, and then subtracted. */
#include "emit/while_emit.h"

#include "emit/emitter.h"
#include "emit/move_emit.h"
#include "emit/wasm_opcodes.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/move/dynamic_slice.h"
#include "kernels/move/scatter.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
#include "loops/scalar_ops.h"
#include "reference/work.h"
#include "shape/element_type.h"
#include "shape/shape.h"

enum { MOST_STEPS = 256, MOST_BRANCHES = 16, MOST_BYTES_WRITTEN = 64 << 10, MOST_WORK = 1 << 24, MOST_PLACES = 64, MOST_OPERANDS = 32 };

/* Parameters of hlo_while_function. */
enum { WORKSPACE, ARGUMENTS, RESULTS, OPERANDS, MOST, PARAMETER_COUNT };

/* ---- What is written ---- */

/* An extent is what one iteration does at most, each loop in it counted once. */
typedef struct extent {
  int steps, loops;
  int64_t work, bytes; /* bytes: written */
} extent;

static bool is_while(const hlo_routine *routine, int step) {
  const hlo_step *steps = routine->steps + step;
  return step + 4 <= routine->step_count && steps[0].kind == HLO_STEP_CALL && steps[1].kind == HLO_STEP_UNLESS && steps[2].kind == HLO_STEP_CALL &&
         steps[3].kind == HLO_STEP_JUMP && steps[3].targets[0] == step && steps[0].instruction->opcode == HLO_OP_WHILE &&
         steps[1].instruction == steps[0].instruction && steps[3].instruction == steps[0].instruction;
}

/* Returns the last step of the loop or the branches that begin at a step, else that step. */
static int last_of(const hlo_routine *routine, int step) {
  if (is_while(routine, step)) return step + 3;
  return routine->steps[step].kind == HLO_STEP_SWITCH ? step + 2 * routine->steps[step].target_count : step;
}

static bool add_routine(const hlo_plan *plan, int routine, int depth, extent *found);

/* Adds the steps of a while loop, each once. */
static bool add_while(const hlo_plan *plan, const hlo_step *steps, int depth, extent *found) {
  for (int i = 0; i < 4; i++) found->work = hlo_work_add(found->work, steps[i].work);
  found->steps += 4;
  return add_routine(plan, steps[0].routine, depth, found) && add_routine(plan, steps[2].routine, depth, found);
}

/* Adds the branch that takes the most work. */
static bool add_branches(const hlo_plan *plan, const hlo_step *choose, int depth, extent *found) {
  int64_t before = hlo_work_add(found->work, choose->work), most = before;
  if (choose->target_count > MOST_BRANCHES) return false;
  for (int i = 0; i < choose->target_count; i++) {
    const hlo_step *call = choose + 1 + 2 * i;
    found->work = hlo_work_add(before, hlo_work_add(call[0].work, call[1].work));
    if (!add_routine(plan, call->routine, depth, found)) return false;
    if (found->work > most) most = found->work;
  }
  found->work = most;
  return true;
}

/* Returns the bytes that a step writes: of an array that is updated in place, those of the updates. */
static int64_t bytes_written(const hlo_step *step) {
  bool slice = step->run_shared == hlo_dynamic_update_slice_run, updates = slice || step->run_shared == hlo_scatter_run;
  return updates && hlo_plan_place_equal(&step->operands[0], &step->result) ? step->operands[slice ? 1 : 2].bytes : step->result.bytes;
}

static bool add_routine(const hlo_plan *plan, int number, int depth, extent *found) {
  const hlo_routine *routine = &plan->routines[number];
  if (depth >= HLO_WHILE_DEPTH) return false;
  for (int s = 0; s < routine->step_count; s = last_of(routine, s) + 1) {
    const hlo_step *step = &routine->steps[s];
    if (++found->steps > MOST_STEPS) return false;
    if (is_while(routine, s)) {
      if (++found->loops > HLO_WHILE_STOPS || !add_while(plan, step, depth + 1, found)) return false;
    } else if (step->kind == HLO_STEP_SWITCH) {
      if (!add_branches(plan, step, depth + 1, found)) return false;
    } else {
      found->work = hlo_work_add(found->work, step->work);
      if (step->kind == HLO_STEP_KERNEL) found->bytes += bytes_written(step);
      else if (step->kind != HLO_STEP_CALL || !add_routine(plan, step->routine, depth + 1, found)) return false;
    }
  }
  return true;
}

bool hlo_while_find(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_while *found) {
  extent extent = {0};
  if (!is_while(routine, step) || !add_while(plan, &routine->steps[step], 1, &extent)) return false;
  *found = (hlo_while){.exit = routine->steps[step + 1].targets[0], .work = extent.work};
  return extent.bytes <= MOST_BYTES_WRITTEN && extent.work <= MOST_WORK;
}

/* ---- Places ---- */

typedef struct writer {
  hlo_emitter e;
  const hlo_plan *plan;
  hlo_while *loop;
  hlo_while_stop path; /* of the routine that is written: the steps that lead there */
  int64_t reserve;     /* of the loop that is written, and those around it: the work of an iteration of each */
  int64_t counted;     /* work of the steps that were written last, and is not yet subtracted */
  int place_count, locals[MOST_PLACES]; /* locals with the addresses of places that were used */
  hlo_plan_place places[MOST_PLACES];
} writer;

/* Pushes an address that is known now: in WebAssembly, addresses have 32 bits. */
static void push_known_address(hlo_emitter *e, const void *address) { hlo_emit_i32(e, (int32_t)(intptr_t)address); }

/* Returns a local with the address of a view, which may be another one each time. */
static int address_of_view(hlo_emitter *e, int64_t offset) {
  int local = hlo_emit_new(e, HLO_WASM_I32);
  hlo_emit_get(e, WORKSPACE);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)offset);
  hlo_emit_set(e, local);
  return local;
}

/* Returns a local with the address of a place, which is set at the beginning of the function. */
static int address_of(writer *w, const hlo_plan_place *place) {
  hlo_emitter *e = &w->e;
  if (place->kind == HLO_PLACE_VIEW) return address_of_view(e, place->offset);
  for (int i = 0; i < w->place_count; i++)
    if (hlo_plan_place_equal(&w->places[i], place)) return w->locals[i];
  int local = hlo_emit_new(e, HLO_WASM_I32);
  e->function.code = &e->function.hoisted;
  if (place->kind == HLO_PLACE_ARGUMENT || place->kind == HLO_PLACE_RESULT) {
    hlo_emit_get(e, place->kind == HLO_PLACE_ARGUMENT ? ARGUMENTS : RESULTS);
    hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD, (uint32_t)place->offset * 4);
  } else if (place->kind == HLO_PLACE_WORKSPACE) {
    hlo_emit_with(e, WORKSPACE, (int32_t)place->offset, HLO_WASM_I32_ADD);
  } else {
    push_known_address(e, place->kind == HLO_PLACE_CONSTANT ? place->constant : NULL);
  }
  hlo_emit_set(e, local);
  e->function.code = &e->function.body;
  if (w->place_count == MOST_PLACES) return local;
  w->places[w->place_count] = *place;
  w->locals[w->place_count++] = local;
  return local;
}

static void copy(writer *w, const hlo_plan_move *move) {
  int to = address_of(w, &move->to), from = address_of(w, &move->from);
  hlo_emit_copy(&w->e, to, 0, from, 0, move->to.bytes);
}

/* ---- Steps ---- */

/* Calls a kernel, by this thread alone: small steps are not worth sharing. */
static void call_step(writer *w, const hlo_step *step) {
  hlo_emitter *e = &w->e;
  for (int i = 0; i < step->operand_count; i++) {
    int address = address_of(w, &step->operands[i]);
    hlo_emit_pair(e, OPERANDS, address);
    hlo_wasm_access(&e->function, HLO_WASM_I32_STORE, (uint32_t)i * 4);
  }
  int result = address_of(w, &step->result), scratch = address_of(w, &step->scratch);
  push_known_address(e, step->parameters);
  hlo_emit_pair(e, OPERANDS, result);
  hlo_emit_get(e, scratch);
  if (step->run_shared) push_known_address(e, NULL);
  push_known_address(e, step->run_shared ? (const void *)(intptr_t)step->run_shared : (const void *)(intptr_t)step->run);
  hlo_wasm_call_indirect(&e->function, step->run_shared ? HLO_EMIT_SHARED_STEP : HLO_EMIT_STEP);
}

static bool is_loop(const hlo_step *step) {
  const hlo_fused_loop_step *loop = step->parameters;
  return step->instruction->opcode == HLO_OP_FUSION && step->covered_count == 0 && loop->first_constant == loop->operand_count;
}

/* Returns a local with an address that is known now. */
static int known_local(writer *w, const void *address) {
  hlo_plan_place place = {.kind = HLO_PLACE_CONSTANT, .constant = address};
  return address_of(w, &place);
}

static bool write_loop(writer *w, const hlo_step *step) {
  const hlo_fused_loop_step *loop = step->parameters;
  int operands[HLO_FUSED_MAX_OPERANDS], results[HLO_FUSED_MAX_OUTPUTS];
  const void *constants[HLO_FUSED_MAX_OPERANDS] = {0};
  if (!hlo_emit_describe(&w->e, &loop->loop, constants)) return false;
  for (int i = 0; i < loop->operand_count; i++) {
    operands[i] = address_of(w, &step->operands[i]);
    if (step->operands[i].kind == HLO_PLACE_CONSTANT) constants[i] = step->operands[i].constant;
  }
  for (int i = 0; i < loop->constant_count; i++) {
    operands[loop->first_constant + i] = known_local(w, loop->constants[i]);
    constants[loop->first_constant + i] = loop->constants[i];
  }
  for (int i = 0; i < loop->loop.output_count; i++) results[i] = address_of(w, i ? &step->operands[loop->operand_count + i - 1] : &step->result);
  w->e.operands = operands;
  w->e.results = results;
  w->e.scratch = address_of(w, &step->scratch);
  return hlo_emit_inline(&w->e);
}

static bool is_scalar(const hlo_shape *shape) { return hlo_shape_is_plain(shape) && hlo_shape_element_count(shape) == 1; }

/* Finds the scalar operation of a step on single elements, as values of a fused loop of one element. Returns false where it is none, or
 * may call a kernel. */
static bool is_scalar_operation(const writer *w, const hlo_routine *routine, const hlo_step *step, hlo_fused_value *values) {
  const hlo_instruction *instruction = step->instruction;
  if (!is_scalar(instruction->shape) || instruction->operand_count != step->operand_count || step->operand_count > HLO_ELEMENTWISE_MAX_OPERANDS)
    return false;
  hlo_fused_value *result = &values[step->operand_count];
  *result = (hlo_fused_value){.kind = HLO_FUSED_APPLY, .arity = step->operand_count, .from = {0, 1, 2},
                             .bytes = (uint8_t)hlo_type_bytes(instruction->shape->type)};
  for (int i = 0; i < step->operand_count; i++) {
    const hlo_shape *shape = hlo_operand(routine->computation, instruction, i)->shape;
    if (!is_scalar(shape)) return false;
    values[i] = (hlo_fused_value){.kind = HLO_FUSED_INPUT, .bytes = (uint8_t)hlo_type_bytes(shape->type), .operand = i, .stride = 1};
  }
  result->op = hlo_scalar_op_for(routine->computation, instruction);
  return result->op != HLO_SCALAR_NONE && !hlo_emit_may_call(result->op);
}

static bool write_scalar_operation(writer *w, const hlo_step *step, hlo_fused_value *values) {
  hlo_fused_output output = {.value = step->operand_count, .row_stride = 1};
  hlo_fused_loop loop = {.rows = 1, .width = 1, .value_count = step->operand_count + 1, .output_count = 1, .values = values, .outputs = &output};
  int operands[HLO_ELEMENTWISE_MAX_OPERANDS], result = address_of(w, &step->result);
  hlo_fused_loop_prepare(&loop);
  if (!hlo_emit_describe(&w->e, &loop, NULL)) return false;
  for (int i = 0; i < step->operand_count; i++) operands[i] = address_of(w, &step->operands[i]);
  w->e.operands = operands;
  w->e.results = &result;
  return hlo_emit_inline(&w->e);
}

static bool write_move(writer *w, const hlo_step *step) {
  int operands[MOST_OPERANDS];
  if (step->operand_count > MOST_OPERANDS) return false;
  for (int i = 0; i < step->operand_count; i++) operands[i] = address_of(w, &step->operands[i]);
  return hlo_emit_move_step(&w->e, step, operands, address_of(w, &step->result));
}

static bool write_routine(writer *w, const hlo_routine *routine, int s);

static void subtract_work(writer *w) {
  hlo_emit_add(&w->e, MOST, -(int32_t)w->counted);
  w->counted = 0;
}

/* Writes the branch that operands[0] chooses: of a predicate, the first one where it holds; else the last one where the index is out of range. */
static bool write_branches(writer *w, const hlo_routine *routine, int s) {
  hlo_emitter *e = &w->e;
  const hlo_step *choose = &routine->steps[s];
  bool is_predicate = hlo_operand(routine->computation, choose->instruction, 0)->shape->type == HLO_TYPE_PRED;
  int address = address_of(w, &choose->operands[0]), index = hlo_emit_new(e, HLO_WASM_I32), last = choose->target_count - 1;
  w->counted += choose->work;
  subtract_work(w);
  hlo_emit_get(e, address);
  hlo_wasm_access(&e->function, is_predicate ? HLO_WASM_I32_LOAD8_U : HLO_WASM_I32_LOAD, 0);
  if (is_predicate) hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_set(e, index);
  for (int i = 0; i <= last; i++) {
    if (i < last) {
      hlo_emit_with(e, index, i, HLO_WASM_I32_EQ);
      hlo_emit_open(e, HLO_WASM_IF);
    }
    if (!write_routine(w, routine, s + 1 + 2 * i)) return false;
    w->counted += routine->steps[s + 2 + 2 * i].work;
    subtract_work(w);
    if (i < last) hlo_emit_op(e, HLO_WASM_ELSE);
  }
  for (int i = 0; i < last; i++) hlo_emit_close(e);
  return true;
}

static void write_left(writer *w) {
  hlo_emit_pair(&w->e, OPERANDS, MOST);
  hlo_wasm_access(&w->e.function, HLO_WASM_I32_STORE, 0);
}

/* Writes a loop, whose number is 1 for the outermost one, and for another 1 + that of its stop, counted from 1. */
static bool write_while(writer *w, const hlo_routine *routine, int s, int number) {
  hlo_emitter *e = &w->e;
  const hlo_step *steps = &routine->steps[s];
  int holds = address_of(w, &steps[1].operands[0]);
  subtract_work(w);
  hlo_emit_open(e, HLO_WASM_BLOCK);
  hlo_emit_open(e, HLO_WASM_LOOP);
  hlo_emit_with(e, MOST, (int32_t)w->reserve, HLO_WASM_I32_LT_S);
  hlo_emit_open(e, HLO_WASM_IF);
  write_left(w);
  hlo_emit_i32(e, number);
  hlo_emit_op(e, HLO_WASM_RETURN);
  hlo_emit_close(e);
  if (!write_routine(w, routine, s)) return false;
  w->counted += steps[1].work;
  subtract_work(w);
  hlo_emit_get(e, holds);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD8_U, 0);
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_branch(e, HLO_WASM_BR_IF, 1);
  if (!write_routine(w, routine, s + 2)) return false;
  w->counted += steps[3].work;
  subtract_work(w);
  hlo_emit_branch(e, HLO_WASM_BR, 0);
  hlo_emit_close(e);
  hlo_emit_close(e);
  return true;
}

/* Writes a loop in the loop, and notes where it may stop. */
static bool write_inner(writer *w, const hlo_routine *routine, int s) {
  hlo_while_stop *stop = &w->loop->stops[w->loop->stop_count++];
  extent extent = {0};
  *stop = w->path;
  stop->steps[stop->depth++] = s;
  int64_t outer = w->reserve;
  if (!add_while(w->plan, &routine->steps[s], 1, &extent)) return false;
  w->reserve += extent.work;
  bool written = write_while(w, routine, s, w->loop->stop_count + 1);
  w->reserve = outer;
  return written;
}

static bool write_step(writer *w, const hlo_routine *routine, int s) {
  const hlo_step *step = &routine->steps[s];
  hlo_fused_value values[HLO_ELEMENTWISE_MAX_OPERANDS + 1];
  w->counted += step->work;
  if (is_loop(step)) return write_loop(w, step);
  if (is_scalar_operation(w, routine, step, values)) return write_scalar_operation(w, step, values);
  if (!write_move(w, step)) call_step(w, step);
  return true;
}

/* Writes the routine that step `s` of another one calls: its moves and steps, in place. */
static bool write_routine(writer *w, const hlo_routine *caller, int s) {
  const hlo_step *call = &caller->steps[s];
  const hlo_routine *routine = &w->plan->routines[call->routine];
  w->counted += call->work;
  w->path.steps[w->path.depth++] = s;
  for (int i = 0; i < call->before_count; i++) copy(w, &call->before[i]);
  for (int i = 0; i < routine->step_count; i = last_of(routine, i) + 1) {
    bool chooses = routine->steps[i].kind == HLO_STEP_SWITCH, calls = routine->steps[i].kind == HLO_STEP_CALL;
    if (!(is_while(routine, i) ? write_inner : chooses ? write_branches : calls ? write_routine : write_step)(w, routine, i)) return false;
  }
  for (int i = 0; i < call->after_count; i++) copy(w, &call->after[i]);
  w->path.depth--;
  return true;
}

int hlo_emit_while(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_wasm_module *module, hlo_while *loop, hlo_status *status) {
  writer w = {.plan = plan, .loop = loop, .reserve = loop->work, .e = {.status = status, .fuses = module->fuses}};
  loop->stop_count = 0;
  hlo_wasm_begin(&w.e.function, PARAMETER_COUNT, status);
  bool written = write_while(&w, routine, step, 1) && hlo_ok(status);
  write_left(&w);
  hlo_emit_i32(&w.e, 0);
  int number = written ? hlo_wasm_module_add(module, &w.e.function, HLO_EMIT_WHILE) : -1;
  hlo_wasm_free(&w.e.function);
  return number;
}
