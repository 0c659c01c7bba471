/* Dots, convolutions and windows of narrow types, set up to be computed in f32, f64 or s32: operands are widened before, and the result
 * is narrowed after (kernels/product/widened_run.h). */
#ifndef HLO_STEPS_WIDENED_STEPS_H
#define HLO_STEPS_WIDENED_STEPS_H

#include "kernels/convert/widen.h"
#include "kernels/product/dot.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* Finds the type in which a dot or convolution of two operands is computed. False: there is none. */
bool hlo_widened_type(const hlo_kernel_question *question, hlo_dot_type *type);
/* Returns how an operand becomes elements of that type; NULL: it has the type. */
hlo_widen_kernel *hlo_widened_widening(const hlo_kernel_question *question, int operand);
/* Returns the size of an array of that shape in the type. */
int64_t hlo_widened_bytes(const hlo_kernel_question *question, const hlo_shape *shape);
/* Takes a choice that was made for arrays of that type, and replaces it by a step that widens, runs it and narrows. Where all arrays
 * have the type already, the choice stays as it is. False: no memory. */
bool hlo_widened_wrap(const hlo_kernel_question *question, hlo_kernel_choice *choice);
/* The same for a step whose first operand alone has to be widened: operand `side` of the instruction. */
bool hlo_widened_wrap_side(const hlo_kernel_question *question, hlo_kernel_choice *choice, int side);

#endif
