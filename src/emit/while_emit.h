/* Writes a while loop as a function of WebAssembly: the steps of its condition and body, fused loops, scalar operations, branches and loops in
 * place, all other kernels as calls. The loop's state stays where the plan has it, so that the function can stop between iterations. */
#ifndef HLO_EMIT_WHILE_EMIT_H
#define HLO_EMIT_WHILE_EMIT_H

#include "base/status.h"
#include "emit/wasm_writer.h"
#include "plan/plan.h"

/* Describes the while loop whose condition is called by step `step` of the routine. Returns false where that is no while loop, or one that
 * is not written: all its steps must be kernels, or calls of routines of such steps, and an iteration must write few bytes (loops of
 * large steps lose nothing by being run step by step). */
bool hlo_while_find(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_while *found);
/* Adds a function with the signature of hlo_while_function, and notes its stops. Returns its number; -1: it cannot be written. */
int hlo_emit_while(const hlo_plan *plan, const hlo_routine *routine, int step, hlo_wasm_module *module, hlo_while *loop, hlo_status *status);

#endif
