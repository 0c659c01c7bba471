/* A step on arrays of narrow elements, run by a step on wider ones (f32, f64 or s32): operands are widened before, and the result is
 * narrowed after.
 *
 * operands  two, or the first alone; dense. A narrow dot (kernels/product/narrow_dot.h) has more behind the first, which it reads as they are
 * result    dense; overlaps no operand
 * scratch   [wide lhs][wide rhs][wide result][scratch of the wide step], 64-byte aligned; what is wide already has no room in it
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_WIDENED_RUN_H
#define HLO_KERNELS_PRODUCT_WIDENED_RUN_H

#include "kernels/convert/widen.h"
#include "kernels/product/epilogue.h"
#include "kernels/step_function.h"

enum { HLO_WIDENED_OPERANDS = 16 };

typedef struct hlo_widened_step {
  hlo_shared_step_function *run;                 /* the wide step */
  hlo_epilogue_step_function *run_with_epilogue; /* the same; used only where the result is not narrowed */
  const void *parameters;                        /* of the wide step */
  hlo_widen_kernel *widen[2], *narrow;           /* NULL: that array is wide already */
  int bytes[3], wide_bytes;                      /* of an element of lhs, rhs and result; of a wide element */
  int64_t counts[3];                             /* elements of lhs, rhs and result; -1: the step has no such operand */
  int passed;                                    /* operands behind the first that are passed as they are, where counts[1] is -1 */
  int64_t offsets[3], scratch_offset;            /* of the wide arrays and of the wide step's scratch in the scratch, in bytes */
} hlo_widened_step;

/* Parameters: a hlo_widened_step. An epilogue requires that the result is not narrowed, and what the wide step requires. */
hlo_shared_step_function hlo_widened_run;
hlo_epilogue_step_function hlo_widened_run_with_epilogue;

#endif
