#include "reference/fold_constant.h"

#include "base/arena.h"
#include "reference/reference.h"

bool hlo_reference_fold(void *context, const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result, hlo_status *status) {
  hlo_arena scratch;
  uint64_t nothing_random[2] = {0, 0};
  hlo_arena_init(&scratch);
  hlo_evaluation evaluation = {.module = module, .computation = computation, .scratch = &scratch, .rng_state = nothing_random,
                               .status = status};
  bool ok = hlo_reference_evaluate(&evaluation, instruction, operands, result);
  hlo_arena_free(&scratch);
  return ok;
}
