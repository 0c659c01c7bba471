/* A plan's loops, one function each; equal ones share theirs. */
#include "emit/plan_emit.h"

#include <string.h>

#include "emit/loop_emit.h"
#include "plan/loop_steps.h"

enum { MOST_BYTES = 1 << 20 };

#ifdef __wasm_atomics__
enum { SHARED_MEMORY = true };
#else
enum { SHARED_MEMORY = false };
#endif

void hlo_emit_plan(hlo_plan *plan, hlo_wasm_module *module) {
  for (hlo_loop_step *step = plan->loops; step; step = step->next) {
    const void *constants[HLO_LOOP_MAX_OPERANDS] = {0};
    step->emitted = 0;
    if (module->code.length > MOST_BYTES) continue;
    memcpy(constants + step->first_constant, step->constants, (size_t)step->constant_count * sizeof *constants);
    step->emitted = hlo_emit_loop(&step->loop, constants, module, module->code.status) + 1;
  }
}

void hlo_emit_write(const hlo_wasm_module *module, hlo_writer *out) {
  hlo_wasm_module_write(module, hlo_emit_signatures, HLO_EMIT_SIGNATURE_COUNT, SHARED_MEMORY, out);
}

void hlo_emit_install(hlo_plan *plan, const uint32_t *places, int count) {
  for (hlo_loop_step *step = plan->loops; step; step = step->next)
    if (step->emitted > 0 && step->emitted <= count) step->function = (hlo_loop_function *)(uintptr_t)places[step->emitted - 1];
}
