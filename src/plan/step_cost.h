/* What a step does, counted: for people who look at plans and profiles. */
#ifndef HLO_PLAN_STEP_COST_H
#define HLO_PLAN_STEP_COST_H

#include "plan/plan.h"

/* Multiplications and additions of dots, convolutions and reductions; one for every element of any other arithmetic, whatever
 * the function. 0 for what only moves data, and for what runs other routines. */
double hlo_step_flops(const hlo_module *module, const hlo_computation *computation, const hlo_step *step);
/* Read and written: every operand and result once. */
double hlo_step_bytes(const hlo_step *step);

#endif
