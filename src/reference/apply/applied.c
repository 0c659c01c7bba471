/* Computations applied to elements: one process, prepared once and started again for every element.
 *
 * Its frames and values lie in the scratch memory of the instruction that applies it. Temporaries of inner instructions
 * have an arena of their own, which is reset after each of them and freed at the end. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/machine/frames.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

struct hlo_applied {
  hlo_applied *older; /* prepared by the same instruction before this one */
  hlo_process process;
  hlo_arena temporaries;
  hlo_literal **parameters;
  bool is_binary_op; /* the whole computation is one well-known op of scalars */
  hlo_opcode opcode;
  hlo_literal *result; /* of that op */
};

static bool make_parameters(hlo_applied *applied, hlo_evaluation *evaluation, const hlo_computation *computation) {
  int count = computation->parameter_count;
  applied->parameters = hlo_arena_many(evaluation->scratch, hlo_literal *, count, evaluation->status);
  if (!applied->parameters) return false;
  for (int i = 0; i < count; i++) {
    const hlo_shape *shape = computation->instructions[computation->parameters[i]]->shape;
    applied->parameters[i] = hlo_literal_make(evaluation->scratch, shape, evaluation->status);
    if (!applied->parameters[i]) return false;
  }
  return true;
}

/* Gives the temporaries an arena of their own, which hlo_applied_release frees through evaluation->prepared. Without that
 * list they stay in the instruction's scratch memory. */
static void own_temporaries(hlo_applied *applied, hlo_evaluation *evaluation) {
  if (!evaluation->prepared) return;
  applied->older = *evaluation->prepared;
  *evaluation->prepared = applied;
  applied->process.evaluation.scratch = &applied->temporaries;
  applied->process.resets_scratch = true;
}

hlo_applied *hlo_applied_prepare(hlo_evaluation *evaluation, const hlo_computation *computation) {
  hlo_applied *applied = hlo_arena_new(evaluation->scratch, hlo_applied, evaluation->status);
  if (!applied || !make_parameters(applied, evaluation, computation)) return NULL;
  applied->is_binary_op = hlo_computation_is_binary_op(computation, &applied->opcode);
  if (applied->is_binary_op) {
    const hlo_shape *shape = hlo_computation_root(computation)->shape;
    applied->result = hlo_literal_make(evaluation->scratch, shape, evaluation->status);
    return applied->result ? applied : NULL;
  }
  hlo_arena_init(&applied->temporaries);
  if (!hlo_process_init(&applied->process, evaluation, evaluation->scratch, computation)) return NULL;
  applied->process.is_applied = true;
  own_temporaries(applied, evaluation);
  return applied;
}

void hlo_applied_release(hlo_applied *prepared) {
  for (; prepared; prepared = prepared->older) hlo_arena_free(&prepared->temporaries);
}

hlo_literal *hlo_applied_parameter(hlo_applied *applied, int number) { return applied->parameters[number]; }

bool hlo_applied_run(hlo_applied *applied) {
  if (applied->is_binary_op) {
    hlo_scalar lhs = hlo_literal_get(applied->parameters[0], 0), rhs = hlo_literal_get(applied->parameters[1], 0);
    hlo_type type = applied->parameters[0]->shape->type;
    hlo_literal_set(applied->result, 0, hlo_reference_binary_scalar(applied->opcode, type, lhs, rhs));
    return true;
  }
  hlo_progress progress = HLO_PROGRESS_STEPPED;
  if (!hlo_reference_tick(&applied->process.evaluation, applied->process.bottom->computation->instruction_count)) return false;
  hlo_process_start(&applied->process, (const hlo_literal *const *)applied->parameters);
  while (progress == HLO_PROGRESS_STEPPED) progress = hlo_process_step(&applied->process);
  if (progress == HLO_PROGRESS_WAITING)
    return hlo_fail(applied->process.evaluation.status, HLO_UNSUPPORTED,
                    "computation %s is applied to elements, so it may not wait for other devices",
                    applied->process.bottom->computation->name);
  return progress == HLO_PROGRESS_FINISHED;
}

const hlo_literal *hlo_applied_result(const hlo_applied *applied) {
  return applied->is_binary_op ? applied->result : hlo_process_result(&applied->process);
}

bool hlo_reference_map(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_computation *function = hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply);
  hlo_applied *applied = hlo_applied_prepare(evaluation, function);
  if (!applied) return false;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    for (int n = 0; n < instruction->operand_count; n++)
      hlo_literal_set(hlo_applied_parameter(applied, n), 0, hlo_literal_get(operands[n], i));
    if (!hlo_applied_run(applied)) return false;
    hlo_literal_set(result, i, hlo_literal_get(hlo_applied_result(applied), 0));
  }
  if (instruction->operand_count > 0) hlo_reference_copy_sizes(result, operands[0]);
  return true;
}
