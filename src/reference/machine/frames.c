/* Running computations on frames kept as data: one instruction a step. */
#include "reference/machine/frames.h"

#include <string.h>

#include "devices/rendezvous.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/work.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"

/* ---- Frames ---- */

static int most_operands(const hlo_computation *computation) {
  int most = 0;
  for (int i = 0; i < computation->instruction_count; i++)
    if (computation->instructions[i]->operand_count > most) most = computation->instructions[i]->operand_count;
  return most;
}

/* True if the instruction runs although nobody reads its value: devices or the host may meet in it, or in a computation that it runs. */
static bool runs_anyway(const hlo_instruction *instruction) {
  hlo_opcode opcode = instruction->opcode;
  return !hlo_reference_function_of(opcode) || hlo_op_has(opcode, HLO_FLAG_SIDE_EFFECT) || hlo_op_has(opcode, HLO_FLAG_RANDOM);
}

static void find_needed(bool *needed, const hlo_computation *computation) {
  needed[computation->root] = true;
  for (int i = computation->instruction_count - 1; i >= 0; i--) {
    const hlo_instruction *instruction = computation->instructions[i];
    needed[i] |= runs_anyway(instruction);
    for (int n = 0; needed[i] && n < instruction->operand_count; n++) needed[instruction->operands[n]] = true;
  }
}

static hlo_frame *make_frame(hlo_process *process, const hlo_computation *computation) {
  hlo_status *status = process->evaluation.status;
  hlo_frame *frame = hlo_arena_new(process->arena, hlo_frame, status);
  if (!frame) return NULL;
  frame->computation = computation;
  frame->values = hlo_arena_many(process->arena, const hlo_literal *, computation->instruction_count, status);
  frame->own = hlo_arena_many(process->arena, hlo_literal *, computation->instruction_count, status);
  frame->operands = hlo_arena_many(process->arena, const hlo_literal *, most_operands(computation), status);
  frame->needed = hlo_arena_many(process->arena, bool, computation->instruction_count, status);
  if (!frame->values || !frame->own || !frame->operands || !frame->needed) return NULL;
  find_needed(frame->needed, computation);
  return frame;
}

static hlo_frame *frame_of(hlo_process *process, int computation) {
  const hlo_module *module = process->evaluation.module;
  if (!process->frames) {
    process->frames = hlo_arena_many(process->arena, hlo_frame *, module->computation_count, process->evaluation.status);
    if (!process->frames) return NULL;
  }
  if (!process->frames[computation])
    process->frames[computation] = make_frame(process, module->computations[computation]);
  return process->frames[computation];
}

bool hlo_process_init(hlo_process *process, const hlo_evaluation *evaluation, hlo_arena *arena,
                      const hlo_computation *computation) {
  *process = (hlo_process){.evaluation = *evaluation, .arena = arena};
  process->bottom = make_frame(process, computation);
  return process->bottom != NULL;
}

/* Goes on with the needed instruction that comes first from `next` on, or to the end. */
static void stand_at(hlo_frame *frame, int next) {
  while (next < frame->computation->instruction_count && !frame->needed[next]) next++;
  frame->next = next;
}

static void enter(hlo_process *process, hlo_frame *frame, const hlo_literal *const *arguments) {
  const hlo_computation *computation = frame->computation;
  for (int i = 0; i < computation->parameter_count; i++) frame->values[computation->parameters[i]] = arguments[i];
  frame->caller = process->top;
  stand_at(frame, 0);
  process->top = frame;
}

void hlo_process_start(hlo_process *process, const hlo_literal *const *arguments) {
  process->top = NULL;
  enter(process, process->bottom, arguments);
}

const hlo_literal *hlo_process_result(const hlo_process *process) {
  return process->bottom->values[process->bottom->computation->root];
}

/* Makes the instruction's own memory for its value, or finds it. `shell`: for a tuple whose elements are shared. */
static hlo_literal *own_value(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction, bool shell) {
  hlo_literal **own = &frame->own[instruction->index];
  if (!*own)
    *own = shell ? hlo_literal_make_shell(process->arena, instruction->shape, process->evaluation.status)
                 : hlo_literal_make(process->arena, instruction->shape, process->evaluation.status);
  frame->values[instruction->index] = *own;
  return *own;
}

/* ---- Instructions that enter computations ---- */

static hlo_progress call(hlo_process *process, const hlo_instruction *instruction, hlo_attribute_id attribute, int branch,
                         const hlo_literal *const *arguments) {
  const hlo_attribute *callee = hlo_instruction_attribute(instruction, attribute);
  if (!callee) {
    hlo_fail(process->evaluation.status, HLO_VERIFY, "%s %s: it names no computation to run",
             hlo_op_name(instruction->opcode), instruction->name);
    return HLO_PROGRESS_FAILED;
  }
  hlo_frame *frame = frame_of(process, callee->computation);
  if (!frame) return HLO_PROGRESS_FAILED;
  process->top->branch = branch;
  enter(process, frame, arguments);
  return HLO_PROGRESS_STEPPED;
}

/* An index out of range chooses the last branch; of a predicate, true chooses branch 0. */
static int chosen_branch(const hlo_literal *index, int count) {
  hlo_scalar value = hlo_literal_get(index, 0);
  if (index->shape->type == HLO_TYPE_PRED) return value.u ? 0 : 1;
  return value.s < 0 || value.s >= count ? count - 1 : (int)value.s;
}

static hlo_progress conditional(hlo_process *process, const hlo_instruction *instruction, const hlo_literal *const *operands) {
  hlo_ints branches = *hlo_instruction_ints(instruction, HLO_ATTR_branch_computations);
  int branch = chosen_branch(operands[0], branches.count ? branches.count : 2);
  if (!branches.count)
    return call(process, instruction, branch == 0 ? HLO_ATTR_true_computation : HLO_ATTR_false_computation, branch,
                operands + 1 + branch);
  hlo_frame *frame = frame_of(process, (int)branches.data[branch]);
  if (!frame) return HLO_PROGRESS_FAILED;
  enter(process, frame, operands + 1 + branch);
  return HLO_PROGRESS_STEPPED;
}

static hlo_progress begin_loop(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction) {
  hlo_status *status = process->evaluation.status;
  if (!frame->loops) {
    frame->loops = hlo_arena_many(process->arena, hlo_while_state *, frame->computation->instruction_count, status);
    if (!frame->loops) return HLO_PROGRESS_FAILED;
  }
  hlo_while_state **loop = &frame->loops[instruction->index];
  if (!*loop) *loop = hlo_while_state_make(process->arena, instruction->shape, status);
  if (!*loop) return HLO_PROGRESS_FAILED;
  const hlo_literal **state = &frame->values[instruction->index];
  *state = frame->values[instruction->operands[0]];
  frame->by = (hlo_origin){};
  return call(process, instruction, HLO_ATTR_condition, 0, state);
}

static hlo_progress frames_op(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction,
                              const hlo_literal *const *operands) {
  switch (instruction->opcode) {
  case HLO_OP_WHILE: return begin_loop(process, frame, instruction);
  case HLO_OP_CONDITIONAL: return conditional(process, instruction, operands);
  case HLO_OP_CALL: return call(process, instruction, HLO_ATTR_to_apply, 0, operands);
  default: return call(process, instruction, HLO_ATTR_calls, 0, operands);
  }
}

/* ---- Coming back ---- */

static hlo_progress go_on(hlo_frame *frame) {
  stand_at(frame, frame->next + 1);
  return HLO_PROGRESS_STEPPED;
}

/* Ends a loop where origins are followed: the state is copied to the loop's own value, and every condition that was computed
 * counts as having decided it. */
static hlo_progress end_followed_loop(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction,
                                      const hlo_literal *state) {
  hlo_literal *own = own_value(process, frame, instruction, false);
  if (!own) return HLO_PROGRESS_FAILED;
  hlo_literal_assign(own, state);
  hlo_literal_direct(own, frame->by);
  return go_on(frame);
}

/* Takes the work of one more iteration: of moving the state and, where the steps of applied computations are not counted one by one, of all
 * that it does. */
static bool take_iteration(hlo_process *process, const hlo_frame *frame, const hlo_instruction *instruction) {
  hlo_evaluation *e = &process->evaluation;
  if (!e->work) return true;
  int64_t work = hlo_work_add(1, hlo_shape_work(instruction->shape));
  if (process->is_applied) work = hlo_work_add(work, hlo_instruction_work(e->module, e->works, frame->computation, instruction));
  return hlo_work_take(e->work, work, frame->computation, instruction, e->status) && hlo_reference_tick(e, work);
}

/* Back from the condition: into the body, or on. Back from the body: to the condition, with the new state. */
static hlo_progress loop_returns(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction,
                                 const hlo_literal *value) {
  const hlo_literal **state = &frame->values[instruction->index];
  if (frame->branch == 0) frame->by = hlo_origin_join(frame->by, hlo_literal_origin(value, 0));
  if (frame->branch == 0 && HLO_FOLLOWS_ORIGINS && !hlo_literal_int(value, 0))
    return end_followed_loop(process, frame, instruction, *state);
  if (frame->branch == 0 && hlo_literal_int(value, 0) && !take_iteration(process, frame, instruction)) return HLO_PROGRESS_FAILED;
  if (frame->branch == 0)
    return hlo_literal_int(value, 0) ? call(process, instruction, HLO_ATTR_body, 1, state) : go_on(frame);
  *state = hlo_while_state_advance(frame->loops[instruction->index], *state, value, process->evaluation.status);
  return *state ? call(process, instruction, HLO_ATTR_condition, 0, state) : HLO_PROGRESS_FAILED;
}

/* The value of async-start is ((operands), result, contexts...). */
static void fill_started(const hlo_frame *frame, const hlo_instruction *instruction, hlo_literal *started,
                         const hlo_literal *value) {
  for (int i = 0; i < instruction->operand_count && i < started->elements[0]->shape->element_count; i++)
    hlo_literal_assign(started->elements[0]->elements[i], frame->values[instruction->operands[i]]);
  hlo_literal_assign(started->elements[1], value);
}

static hlo_progress return_to_caller(hlo_process *process, hlo_frame *callee) {
  hlo_frame *frame = callee->caller;
  process->top = frame;
  if (!frame) return HLO_PROGRESS_FINISHED;
  const hlo_literal *value = callee->values[callee->computation->root];
  const hlo_instruction *instruction = frame->computation->instructions[frame->next];
  if (instruction->opcode == HLO_OP_WHILE) return loop_returns(process, frame, instruction, value);
  hlo_literal *own = own_value(process, frame, instruction, false);
  if (!own) return HLO_PROGRESS_FAILED;
  if (instruction->opcode == HLO_OP_ASYNC_START) fill_started(frame, instruction, own, value);
  else hlo_literal_assign(own, value);
  if (instruction->opcode == HLO_OP_CONDITIONAL)
    hlo_literal_direct(own, hlo_literal_origin(frame->values[instruction->operands[0]], 0));
  return go_on(frame);
}

/* ---- The other instructions ---- */

/* Gives the instruction a value that is, or is made of, values already there; *shared is false if it needs memory of its own. */
static bool share(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction,
                  const hlo_literal *const *operands, hlo_reference_function *function, bool *shared) {
  const hlo_literal **value = &frame->values[instruction->index];
  *shared = true;
  if (instruction->opcode == HLO_OP_PARAMETER) return true;
  if (function == hlo_reference_constant) {
    *value = hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal;
  } else if (function == hlo_reference_tuple) {
    hlo_literal *shell = own_value(process, frame, instruction, true);
    if (!shell) return false;
    for (int i = 0; i < instruction->operand_count; i++) shell->elements[i] = (hlo_literal *)operands[i];
  } else if (function == hlo_reference_copy) {
    *value = operands[0];
  } else if (function == hlo_reference_get_tuple_element) {
    *value = operands[0]->elements[hlo_instruction_int(instruction, HLO_ATTR_index, 0)];
  } else if (function == hlo_reference_done_first) {
    *value = operands[0]->elements[0];
  } else if (function == hlo_reference_done_second || function == hlo_reference_async_done) {
    *value = operands[0]->elements[1];
  } else {
    *shared = false;
  }
  return true;
}

static hlo_progress meet(hlo_process *process, const hlo_instruction *instruction, const hlo_literal *const *operands,
                         hlo_literal *result) {
  static const hlo_progress progress_of[] = {
      [HLO_MEETING_FAILED] = HLO_PROGRESS_FAILED,
      [HLO_MEETING_DONE] = HLO_PROGRESS_STEPPED,
      [HLO_MEETING_WAIT] = HLO_PROGRESS_WAITING,
  };
  return progress_of[hlo_reference_meet(&process->evaluation, instruction, operands, result)];
}

static hlo_progress run_instruction(hlo_process *process, hlo_frame *frame, const hlo_instruction *instruction) {
  const hlo_literal **operands = frame->operands;
  for (int i = 0; i < instruction->operand_count; i++) operands[i] = frame->values[instruction->operands[i]];
  if (hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES)) return frames_op(process, frame, instruction, operands);

  hlo_reference_function *function = hlo_reference_function_of(instruction->opcode);
  bool shared;
  if (!share(process, frame, instruction, operands, function, &shared)) return HLO_PROGRESS_FAILED;
  if (shared) return go_on(frame);

  hlo_literal *result = own_value(process, frame, instruction, false);
  if (!result) return HLO_PROGRESS_FAILED;
  process->evaluation.computation = frame->computation;
  hlo_progress progress = HLO_PROGRESS_STEPPED;
  if (!function) progress = meet(process, instruction, operands, result);
  else if (!hlo_reference_evaluate(&process->evaluation, instruction, operands, result)) progress = HLO_PROGRESS_FAILED;
  if (process->resets_scratch) hlo_arena_reset(process->evaluation.scratch);
  return progress == HLO_PROGRESS_STEPPED ? go_on(frame) : progress;
}

hlo_progress hlo_process_step(hlo_process *process) {
  hlo_frame *frame = process->top;
  if (!frame) return HLO_PROGRESS_FINISHED;
  if (frame->next == frame->computation->instruction_count) return return_to_caller(process, frame);
  return run_instruction(process, frame, frame->computation->instructions[frame->next]);
}
