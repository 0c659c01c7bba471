/* One function for each fused loop and each while loop of a plan; loops whose functions are equal share one. */
#include "emit/plan_emit.h"

#include <string.h>

#include "base/arena.h"
#include "emit/fused_loop_emit.h"
#include "emit/while_emit.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"

enum { MOST_BYTES = 1 << 20 };

#ifdef __wasm_atomics__
enum { SHARED_MEMORY = true };
#else
enum { SHARED_MEMORY = false };
#endif

/* Finds while loops in the first call for a plan, and writes them. */
static void emit_whiles(hlo_plan *plan, hlo_wasm_module *module) {
  for (int r = 0; r < plan->routine_count; r++)
    for (int s = 0; plan->routines[r].results && s < plan->routines[r].step_count; s++) {
      hlo_step *step = &plan->routines[r].steps[s];
      hlo_while found;
      if (!step->loop && hlo_while_find(plan, &plan->routines[r], s, &found))
        step->loop = hlo_arena_copy(&plan->arena, &found, sizeof found, module->code.status);
      if (!step->loop) continue;
      bool fits = module->code.length <= MOST_BYTES;
      step->loop->emitted = fits ? hlo_emit_while(plan, &plan->routines[r], s, module, step->loop, module->code.status) + 1 : 0;
    }
}

void hlo_emit_plan(hlo_plan *plan, hlo_wasm_module *module) {
  for (hlo_fused_loop_step *step = plan->loops; step; step = step->next) {
    const void *constants[HLO_FUSED_MAX_OPERANDS] = {0};
    step->emitted = 0;
    if (module->code.length > MOST_BYTES) continue;
    memcpy(constants + step->first_constant, step->constants, (size_t)step->constant_count * sizeof *constants);
    step->emitted = hlo_emit_loop(&step->loop, constants, module, module->code.status) + 1;
  }
  emit_whiles(plan, module);
}

void hlo_emit_write(const hlo_wasm_module *module, hlo_writer *out) {
  hlo_wasm_module_write(module, hlo_emit_signatures, HLO_EMIT_SIGNATURE_COUNT, SHARED_MEMORY, out);
}

void hlo_emit_install(hlo_plan *plan, const uint32_t *places, int count) {
  for (hlo_fused_loop_step *step = plan->loops; step; step = step->next)
    if (step->emitted > 0 && step->emitted <= count) step->function = (hlo_fused_loop_function *)(uintptr_t)places[step->emitted - 1];
  for (int r = 0; r < plan->routine_count; r++)
    for (int s = 0; s < plan->routines[r].step_count; s++) {
      hlo_while *loop = plan->routines[r].steps[s].loop;
      if (loop && loop->emitted > 0 && loop->emitted <= count) loop->function = (hlo_while_function *)(uintptr_t)places[loop->emitted - 1];
    }
}
