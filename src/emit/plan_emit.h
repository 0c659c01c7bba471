/* The fused loops and while loops of a plan as functions of one module, and the installation of these functions in the plan. */
#ifndef HLO_EMIT_PLAN_EMIT_H
#define HLO_EMIT_PLAN_EMIT_H

#include "base/text_writer.h"
#include "emit/wasm_writer.h"
#include "plan/plan.h"

/* Adds functions for the plan's loops to the module until it is too large, and notes their numbers in the plan. */
void hlo_emit_plan(hlo_plan *plan, hlo_wasm_module *module);
/* Writes a module that holds such functions. */
void hlo_emit_write(const hlo_wasm_module *module, hlo_writer *out);
/* Makes the plan's loops run these functions. places: indices in the table, by number of the function (in WebAssembly, an index in the
 * table is a function's address). */
void hlo_emit_install(hlo_plan *plan, const uint32_t *places, int count);

#endif
