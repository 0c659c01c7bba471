/* Dots, convolutions and windows of narrow types, set up to be computed in f32, f64 or s32: operands are widened before, and the result
 * is narrowed after (kernels/product/widened_run.h). */
#ifndef HLO_STEPS_WIDENED_STEPS_H
#define HLO_STEPS_WIDENED_STEPS_H

#include "base/arena.h"
#include "kernels/product/dot.h"
#include "steps/kernel_table.h"

/* Finds the type in which a dot or convolution of two operands is computed. False: there is none. */
bool hlo_widened_type(const hlo_kernel_question *question, hlo_dot_type *type);
/* Returns the elements of a constant operand in that type, in the arena if they had to be widened; NULL: it is no constant, or there is
 * no memory. */
const void *hlo_widened_constant(const hlo_kernel_question *question, int operand, hlo_arena *arena);
/* Takes a choice that was made for arrays of that type, and replaces it by a step that widens, runs it and narrows. Where all arrays
 * have the type already, the choice stays as it is. False: no memory. */
bool hlo_widened_wrap(const hlo_kernel_question *question, hlo_kernel_choice *choice);
/* The same for a step whose first operand alone has to be widened: operand `side` of the instruction. */
bool hlo_widened_wrap_side(const hlo_kernel_question *question, hlo_kernel_choice *choice, int side);

#endif
