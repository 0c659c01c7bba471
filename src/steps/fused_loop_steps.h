/* Setting up steps that run fused loops. */
#ifndef HLO_STEPS_FUSED_LOOP_STEPS_H
#define HLO_STEPS_FUSED_LOOP_STEPS_H

#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
#include "steps/kernel_table.h"

/* Returns whether output `output` may lie where that operand of the loop is: see hlo_fused_loop_function. */
bool hlo_fused_loop_may_overwrite(const hlo_fused_loop *loop, int output, int operand, int64_t operand_bytes);
/* "loop(3 ops, 1 input)"; NULL: no memory. */
const char *hlo_fused_loop_step_name(const hlo_kernel_question *question, const hlo_fused_loop_step *step);
/* Estimates the step's time, and adds it to the plan's list. */
void hlo_fused_loop_step_add(const hlo_kernel_question *question, hlo_fused_loop_step *step);

#endif
