/* The loop programs of a plan as functions of one module, and back: functions in their places. */
#ifndef HLO_EMIT_PLAN_EMIT_H
#define HLO_EMIT_PLAN_EMIT_H

#include "emit/wasm_writer.h"
#include "plan/plan.h"

/* Adds functions for the plan's loops to the module, as long as it stays within bounds, and notes which is whose. */
void hlo_emit_plan(hlo_plan *plan, hlo_wasm_module *module);
/* The bytes of a module that only holds such functions. */
void hlo_emit_write(const hlo_wasm_module *module, hlo_writer *out);
/* From now on the loops run these functions, by the numbers that hlo_emit_plan noted. places: of the table, which in WebAssembly are
 * the addresses of functions. */
void hlo_emit_install(hlo_plan *plan, const uint32_t *places, int count);

#endif
