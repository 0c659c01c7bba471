/* The arithmetic that a step does and the bytes that it moves, counted for plans and profiles that people read. */
#ifndef HLO_PLAN_STEP_COST_H
#define HLO_PLAN_STEP_COST_H

#include "graph/module.h"
#include "plan/plan.h"

/* Counts the multiplications and additions of dots, convolutions and reductions. Any other arithmetic counts as 1 for each element,
 * whatever the function. Steps that only move data, or run other routines, count as 0. */
double hlo_step_flops(const hlo_module *module, const hlo_computation *computation, const hlo_step *step);
/* Bytes read and written: every operand and result counts once. */
double hlo_step_bytes(const hlo_step *step);

#endif
