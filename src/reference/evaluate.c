/* Evaluates one instruction whose operands are known: the op table's reference column as a table of functions. */
#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/origins.h"
#include "reference/reference.h"
#include "shape/literal.h"

/* Ops that run computations, or need other devices or the host, have no function. */
#define hlo_reference_machine NULL

hlo_reference_function *hlo_reference_function_of(hlo_opcode opcode) {
  static hlo_reference_function *const functions[HLO_OPCODE_COUNT] = {
#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  [HLO_OP_##id] = hlo_reference_##reference,
#include "graph/op_table.def"
#undef HLO_OP
  };
  return functions[opcode];
}

#undef hlo_reference_machine

bool hlo_reference_poll(hlo_evaluation *evaluation) {
  hlo_host *host = evaluation->host;
  *evaluation->until_poll = HLO_ELEMENTS_BETWEEN_POLLS;
  if (!host || !host->aborted || !host->aborted(host)) return true;
  return hlo_fail(evaluation->status, HLO_ABORTED, "the run was aborted within an instruction of computation %s", evaluation->computation->name);
}

void hlo_reference_copy_sizes(hlo_literal *to, const hlo_literal *from) {
  if (!to->dynamic_sizes || from->shape->rank != to->shape->rank) return;
  for (int i = 0; i < to->shape->rank; i++) to->dynamic_sizes[i] = hlo_literal_size(from, i);
}

/* An element-wise result has the actual sizes of the first operand that is dynamic. */
static void elementwise_sizes(const hlo_instruction *instruction, const hlo_literal *const *operands,
                              hlo_literal *result) {
  if (!result->dynamic_sizes) return;
  for (int i = 0; i < instruction->operand_count; i++) {
    if (operands[i]->shape->rank != result->shape->rank || !operands[i]->dynamic_sizes) continue;
    hlo_reference_copy_sizes(result, operands[i]);
    return;
  }
}

bool hlo_reference_evaluate(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result) {
  hlo_reference_function *function = hlo_reference_function_of(instruction->opcode);
  if (!function)
    return hlo_fail(evaluation->status, HLO_INTERNAL, "%s %s has no value without the machine",
                    hlo_op_name(instruction->opcode), instruction->name);
  hlo_evaluation inner = *evaluation;
  hlo_applied *prepared = NULL;
  inner.prepared = &prepared;
  bool ok = function(&inner, instruction, operands, result);
  hlo_applied_release(prepared);
  if (ok) hlo_origins_settle(instruction, operands, result);
  if (ok && hlo_op_has(instruction->opcode, HLO_FLAG_ELEMENTWISE)) elementwise_sizes(instruction, operands, result);
  return ok;
}
