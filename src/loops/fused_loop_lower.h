/* From the computation of a fusion to a fused loop. */
#ifndef HLO_LOOPS_FUSED_LOOP_LOWER_H
#define HLO_LOOPS_FUSED_LOOP_LOWER_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "loops/fused_loop_call.h"
#include "shape/constant_uses.h"

typedef struct hlo_fused_loop_question {
  const hlo_module *module;
  const hlo_computation *computation; /* the fused one */
  int product;   /* an instruction of it whose result is computed before, and is one more operand; -1: none */
  int64_t width; /* of a row, where it is given; 0: the lowering chooses it */
  hlo_arena *arena; /* for what the step keeps */
  hlo_constant_uses *constants; /* of the plan */
  hlo_status *status;
} hlo_fused_loop_question;

/* Makes the loop that the computation is, and prepares it: sets the step's loop, function, operands and constants. Returns false where the
 * computation is no loop, or memory ran out (the status says so). */
bool hlo_fused_loop_lower(const hlo_fused_loop_question *question, hlo_fused_loop_step *step);

#endif
