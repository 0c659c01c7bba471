/* Instructions that need other devices or the host. */
#include "base/status.h"
#include "devices/rendezvous.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/literal.h"

bool hlo_reference_refuse_alone(hlo_evaluation *evaluation, const hlo_instruction *instruction) {
  return hlo_fail(evaluation->status, HLO_UNSUPPORTED, "%s %s: it cannot run inside a computation applied to elements here",
                  hlo_op_name(instruction->opcode), instruction->name);
}

static hlo_meeting done_if(bool ok) { return ok ? HLO_MEETING_DONE : HLO_MEETING_FAILED; }

hlo_meeting hlo_reference_meet(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  if (instruction->opcode == HLO_OP_CUSTOM_CALL)
    return done_if(hlo_reference_custom_call(evaluation, instruction, operands, result));
  if (!evaluation->rendezvous) return done_if(hlo_reference_refuse_alone(evaluation, instruction));
  hlo_arrival arrival = {
      .device = evaluation->device,
      .computation = evaluation->computation,
      .scratch = evaluation->scratch,
      .combine = hlo_reference_combine,
      .combine_context = evaluation,
      .status = evaluation->status,
  };
  return hlo_rendezvous_arrive(evaluation->rendezvous, &arrival, instruction, operands, result);
}
