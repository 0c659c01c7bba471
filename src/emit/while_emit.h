/* Writes a while loop as a function of WebAssembly: condition and body, step after step, with fused loops and scalar operations in
 * place and calls of all other kernels. Its state stays where the plan has it, so that the function can stop between iterations. */
#ifndef HLO_EMIT_WHILE_EMIT_H
#define HLO_EMIT_WHILE_EMIT_H

#include "emit/wasm_writer.h"
#include "plan/plan.h"

/* What is known of the loop whose condition step `step` of the routine calls. False where it is no loop, or not written: its routines
 * must hold kernels and calls of routines like them alone, which write little in an iteration (others lose nothing by being run step
 * by step). */
bool hlo_while_find(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_while *found);
/* Adds a function of the signature of hlo_while_function; its number, -1 where there is none. */
int hlo_emit_while(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_wasm_module *module, hlo_status *status);

#endif
