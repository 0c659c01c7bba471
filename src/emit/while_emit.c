/* While loops as code:
 *
 *   loop: return -1 if no iterations are left
 *         steps of the condition; unless it holds, return how many iterations are left
 *         steps of the body
 *         count one iteration less, and repeat */
#include "emit/while_emit.h"

#include "emit/emitter.h"
#include "emit/move_emit.h"
#include "emit/wasm_opcodes.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
#include "loops/scalar_ops.h"
#include "reference/work.h"
#include "shape/element_type.h"
#include "shape/shape.h"

enum { MOST_DEPTH = 8, MOST_STEPS = 256, MOST_BYTES_WRITTEN = 64 << 10, MOST_WORK = 1 << 24, MOST_PLACES = 64, MOST_OPERANDS = 32 };

/* Parameters of hlo_while_function. */
enum { WORKSPACE, ARGUMENTS, RESULTS, OPERANDS, MOST, PARAMETER_COUNT };

/* ---- What is written ---- */

/* What a loop's iterations do. */
typedef struct extent {
  int steps;
  int64_t work, bytes; /* bytes: written */
} extent;

static bool add_routine(const hlo_plan *plan, const hlo_routine *routine, int depth, extent *found) {
  if (depth > MOST_DEPTH) return false;
  for (int s = 0; s < routine->step_count; s++) {
    const hlo_step *step = &routine->steps[s];
    found->work = hlo_work_add(found->work, step->work);
    if (++found->steps > MOST_STEPS) return false;
    if (step->kind == HLO_STEP_KERNEL) found->bytes += step->result.bytes;
    else if (step->kind != HLO_STEP_CALL || !add_routine(plan, &plan->routines[step->routine], depth + 1, found)) return false;
  }
  return true;
}

bool hlo_while_find(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_while *found) {
  const hlo_step *steps = routine->steps + step;
  if (step + 4 > routine->step_count || steps[0].kind != HLO_STEP_CALL || steps[1].kind != HLO_STEP_UNLESS || steps[2].kind != HLO_STEP_CALL ||
      steps[3].kind != HLO_STEP_JUMP || steps[3].targets[0] != step || steps[0].instruction->opcode != HLO_OP_WHILE ||
      steps[1].instruction != steps[0].instruction || steps[3].instruction != steps[0].instruction)
    return false;
  extent extent = {.steps = 4, .work = hlo_work_add(steps[0].work, steps[1].work)};
  *found = (hlo_while){.exit = steps[1].targets[0]};
  if (!add_routine(plan, &plan->routines[steps[0].routine], 0, &extent)) return false;
  found->exit_work = extent.work;
  extent.work = hlo_work_add(extent.work, hlo_work_add(steps[2].work, steps[3].work));
  if (!add_routine(plan, &plan->routines[steps[2].routine], 0, &extent)) return false;
  found->work = extent.work;
  return extent.bytes <= MOST_BYTES_WRITTEN && extent.work <= MOST_WORK;
}

/* ---- Places ---- */

typedef struct writer {
  hlo_emitter e;
  const hlo_plan *plan;
  int place_count, locals[MOST_PLACES]; /* locals with the addresses of places that were used */
  hlo_plan_place places[MOST_PLACES];
} writer;

/* Pushes an address that is known now: in WebAssembly, addresses have 32 bits. */
static void push_known_address(hlo_emitter *e, const void *address) { hlo_emit_i32(e, (int32_t)(intptr_t)address); }

/* Returns a local with the address of a place, which is set at the beginning of the function. */
static int address_of(writer *w, const hlo_plan_place *place) {
  hlo_emitter *e = &w->e;
  for (int i = 0; i < w->place_count; i++)
    if (w->places[i].kind == place->kind && w->places[i].offset == place->offset && w->places[i].constant == place->constant) return w->locals[i];
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

static bool write_routine(writer *w, const hlo_step *call);

static bool write_step(writer *w, const hlo_routine *routine, const hlo_step *step) {
  hlo_fused_value values[HLO_ELEMENTWISE_MAX_OPERANDS + 1];
  if (step->kind == HLO_STEP_CALL) return write_routine(w, step);
  if (is_loop(step)) return write_loop(w, step);
  if (is_scalar_operation(w, routine, step, values)) return write_scalar_operation(w, step, values);
  if (!write_move(w, step)) call_step(w, step);
  return true;
}

/* Writes a call of a routine: its moves and steps, in place. */
static bool write_routine(writer *w, const hlo_step *call) {
  const hlo_routine *routine = &w->plan->routines[call->routine];
  for (int i = 0; i < call->before_count; i++) copy(w, &call->before[i]);
  for (int s = 0; s < routine->step_count; s++)
    if (!write_step(w, routine, &routine->steps[s])) return false;
  for (int i = 0; i < call->after_count; i++) copy(w, &call->after[i]);
  return true;
}

static bool write_while(writer *w, const hlo_step *steps) {
  hlo_emitter *e = &w->e;
  int holds = address_of(w, &steps[1].operands[0]);
  hlo_emit_open(e, HLO_WASM_LOOP);
  hlo_emit_get(e, MOST);
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_open(e, HLO_WASM_IF);
  hlo_emit_i32(e, -1);
  hlo_emit_op(e, HLO_WASM_RETURN);
  hlo_emit_close(e);
  if (!write_routine(w, &steps[0])) return false;
  hlo_emit_get(e, holds);
  hlo_wasm_access(&e->function, HLO_WASM_I32_LOAD8_U, 0);
  hlo_emit_op(e, HLO_WASM_I32_EQZ);
  hlo_emit_open(e, HLO_WASM_IF);
  hlo_emit_get(e, MOST);
  hlo_emit_op(e, HLO_WASM_RETURN);
  hlo_emit_close(e);
  if (!write_routine(w, &steps[2])) return false;
  hlo_emit_add(e, MOST, -1);
  hlo_emit_branch(e, HLO_WASM_BR, 0);
  hlo_emit_close(e);
  hlo_emit_op(e, HLO_WASM_UNREACHABLE);
  return true;
}

int hlo_emit_while(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_wasm_module *module, hlo_status *status) {
  writer w = {.plan = plan, .e = {.status = status, .fuses = module->fuses}};
  hlo_wasm_begin(&w.e.function, PARAMETER_COUNT, status);
  bool written = write_while(&w, &routine->steps[step]) && hlo_ok(status);
  int number = written ? hlo_wasm_module_add(module, &w.e.function, HLO_EMIT_WHILE) : -1;
  hlo_wasm_free(&w.e.function);
  return number;
}
