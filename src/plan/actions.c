/* The action of each instruction, found from the last one to the first, so that instructions that are not needed get none. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "plan/planner.h"
#include "reference/reference.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* ---- Other names for a value ---- */

/* True if the bytes of a value are its elements in row-major order, as evaluators lay values out: the shape is static, without a special
 * layout. */
static bool is_plain(const hlo_shape *shape) {
  hlo_status ignored = {0};
  hlo_layout_index index;
  return hlo_shape_is_plain(shape) && hlo_layout_index_init(&index, shape, &ignored) && index.dense_row_major;
}

static bool is_reinterpretation(const hlo_shape *from, const hlo_shape *to, hlo_opcode opcode) {
  if (!hlo_shape_is_plain(from) || !hlo_shape_is_plain(to)) return false;
  if (opcode == HLO_OP_RESHAPE) return true;
  int bits = hlo_type_bits(from->type), to_bits = hlo_type_bits(to->type);
  bool are_bytes = bits >= 8 && to_bits >= 8;
  if (opcode != HLO_OP_BITCAST) return are_bytes;
  /* Bitcasts to or from fewer bits than a byte has are made by expand-ops alone: the bytes of their operands are those of their results. It makes none from
   * integers of 4 and 2 bits, whose sign fills the byte. */
  return (are_bytes || !hlo_type_is_nibble(from->type)) && is_plain(from) && is_plain(to);
}

int hlo_plan_alias_element(const hlo_routine_plan *r, const hlo_instruction *instruction) {
  hlo_reference_function *function = hlo_reference_function_of(instruction->opcode);
  switch (instruction->opcode) {
  case HLO_OP_GET_TUPLE_ELEMENT:
    return (int)hlo_instruction_int(instruction, HLO_ATTR_index, 0);
  case HLO_OP_RESHAPE:
  case HLO_OP_BITCAST:
  case HLO_OP_BITCAST_CONVERT:
    return is_reinterpretation(hlo_operand(r->computation, instruction, 0)->shape, instruction->shape, instruction->opcode)
               ? HLO_ALIAS_WHOLE : HLO_ALIAS_NONE;
  case HLO_OP_ASYNC_DONE:
    return 1;
  default:
    if (function == hlo_reference_function_of(HLO_OP_COPY)) return HLO_ALIAS_WHOLE;
    if (function == hlo_reference_function_of(HLO_OP_COPY_DONE)) return 0;
    if (function == hlo_reference_function_of(HLO_OP_ALL_GATHER_DONE)) return 1;
    return HLO_ALIAS_NONE;
  }
}

/* ---- Frames ---- */

static int append_attribute(const hlo_instruction *instruction, hlo_attribute_id id, int *computations, int capacity, int count) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  if (!attribute) return count;
  if (count < capacity) computations[count] = attribute->computation;
  return count + 1;
}

int hlo_plan_entered(const hlo_computation *computation, const hlo_instruction *instruction, int *computations, int capacity) {
  hlo_ints branches = *hlo_instruction_ints(instruction, HLO_ATTR_branch_computations);
  switch (instruction->opcode) {
  case HLO_OP_CALL:
    return append_attribute(instruction, HLO_ATTR_to_apply, computations, capacity, 0);
  case HLO_OP_WHILE:
    return append_attribute(instruction, HLO_ATTR_body, computations, capacity,
                            append_attribute(instruction, HLO_ATTR_condition, computations, capacity, 0));
  case HLO_OP_CONDITIONAL:
    for (int i = 0; i < branches.count && i < capacity; i++) computations[i] = (int)branches.data[i];
    if (branches.count) return branches.count;
    return append_attribute(instruction, HLO_ATTR_false_computation, computations, capacity,
                            append_attribute(instruction, HLO_ATTR_true_computation, computations, capacity, 0));
  case HLO_OP_ASYNC_START:
    if (capacity > 0) computations[0] = hlo_instruction_async_computation(computation, instruction);
    return 1;
  default:
    return append_attribute(instruction, HLO_ATTR_calls, computations, capacity, 0);
  }
}

/* ---- The choice ---- */

static bool must_run(const hlo_instruction *instruction) {
  return hlo_op_has(instruction->opcode, HLO_FLAG_SIDE_EFFECT) || hlo_op_has(instruction->opcode, HLO_FLAG_COLLECTIVE) ||
         hlo_op_has(instruction->opcode, HLO_FLAG_RANDOM) || hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES);
}

static hlo_action action_of(hlo_routine_plan *r, const hlo_instruction *instruction, hlo_kernel_choice *choice) {
  hlo_planner *p = r->planner;
  if (instruction->opcode == HLO_OP_PARAMETER) return HLO_ACTION_PARAMETER;
  if (instruction->opcode == HLO_OP_CONSTANT && hlo_shape_is_static(instruction->shape)) return HLO_ACTION_CONSTANT;
  bool is_fusion = instruction->opcode == HLO_OP_FUSION;
  if (hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES) && !is_fusion) return HLO_ACTION_FRAMES;
  hlo_kernel_question question = {.module = p->module, .computation = r->computation, .instruction = instruction,
                                  .arena = p->arena, .threads = p->threads, .packed_bytes = &p->plan->packed_bytes,
                                  .constants = &p->plan->constants, .loops = &p->plan->loops, .host = p->host, .status = p->status};
  bool is_call = instruction->opcode == HLO_OP_CUSTOM_CALL; /* which may meet other devices, unless it has a kernel */
  if (is_call && hlo_kernel_choose(question, choice)) return HLO_ACTION_KERNEL;
  if (!hlo_ok(p->status)) return HLO_ACTION_NONE;
  if (!is_fusion && !hlo_reference_function_of(instruction->opcode)) return HLO_ACTION_MEET;
  if (instruction->opcode == HLO_OP_TUPLE || instruction->opcode == HLO_OP_AFTER_ALL) return HLO_ACTION_ALIAS;
  if (hlo_plan_alias_element(r, instruction) != HLO_ALIAS_NONE) return HLO_ACTION_ALIAS;
  if (hlo_kernel_choose(question, choice)) return HLO_ACTION_KERNEL;
  return is_fusion ? HLO_ACTION_FRAMES : HLO_ACTION_EVALUATE;
}

static bool refuse_unbounded(const hlo_routine_plan *r, const hlo_instruction *instruction) {
  if (!hlo_shape_has_unbounded(instruction->shape)) return true;
  return hlo_fail(r->planner->status, HLO_UNSUPPORTED,
                  "computation %s, instruction %s: a dimension without a bound (%pS) has no place in memory; compile the "
                  "module for known sizes", r->computation->name, instruction->name, instruction->shape);
}

static void read_by(int *readers, int value, int reader) {
  if (readers[value] != reader + 1) readers[value] = readers[value] ? HLO_READ_BY_SEVERAL : reader + 1;
}

bool hlo_plan_actions(hlo_routine_plan *r) {
  int count = r->computation->instruction_count;
  int *readers = hlo_arena_many(r->planner->scratch, int, count, r->planner->status);
  r->actions = hlo_arena_many(r->planner->scratch, hlo_action, count, r->planner->status);
  r->choices = hlo_arena_many(r->planner->scratch, hlo_kernel_choice, count, r->planner->status);
  if (!readers || !r->actions || !r->choices) return false;
  readers[r->computation->root] = HLO_READ_BY_SEVERAL;
  for (int i = count - 1; i >= 0; i--) {
    const hlo_instruction *instruction = hlo_plan_instruction(r, i);
    if (!refuse_unbounded(r, instruction)) return false;
    if (!readers[i] && !must_run(instruction)) continue;
    r->actions[i] = action_of(r, instruction, &r->choices[i]);
    if (!hlo_ok(r->planner->status)) return false;
    bool is_kernel = r->actions[i] == HLO_ACTION_KERNEL;
    int operand_count = is_kernel ? r->choices[i].operand_count : instruction->operand_count;
    for (int n = 0; n < operand_count; n++) read_by(readers, is_kernel ? r->choices[i].operands[n] : instruction->operands[n], i);
    if (is_kernel && !hlo_plan_chain(r, readers, i)) return false;
  }
  return true;
}
