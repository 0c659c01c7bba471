/* Dots, convolutions and windows of narrow types: run in f32, f64 or s32, with operands widened before and the result narrowed after. */
#ifndef HLO_PLAN_WIDENED_STEPS_H
#define HLO_PLAN_WIDENED_STEPS_H

#include "kernels/dot.h"
#include "plan/kernel_table.h"

/* The type in which a dot or convolution of two operands is computed; false where there is none. */
bool hlo_widened_type(const hlo_kernel_question *question, hlo_dot_type *type);
/* A constant operand in that type, in the arena where it had to be widened; NULL: it is no constant, or there is no memory. */
const void *hlo_widened_constant(const hlo_kernel_question *question, int operand, hlo_arena *arena);
/* Wraps the choice, made for that type, in what widens and narrows. False: no memory. */
bool hlo_widened_finish(const hlo_kernel_question *question, hlo_kernel_choice *choice);

#endif
