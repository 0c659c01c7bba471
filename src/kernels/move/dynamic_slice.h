/* dynamic-slice and dynamic-update-slice as steps: a strided copy of a window whose place in the array is known when it runs.
 *
 * dynamic-slice         operands: the array, then the start of the window in each dimension; the result is the window
 * dynamic-update-slice  operands: the array, the window, then the starts; the result is the array with the window in it. It may be
 *                       the very array of the first operand, which is then not copied, even if the window is that array, too
 *
 * find_dynamic_slice    instead of the window, writes its address in the array, where it is one piece of it
 *
 * Each start is one integer. Starts are clamped, so that the window lies inside the array. Otherwise the result overlaps no operand.
 * Never fail, never allocate. */
#ifndef HLO_KERNELS_MOVE_DYNAMIC_SLICE_H
#define HLO_KERNELS_MOVE_DYNAMIC_SLICE_H

#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"
#include "shape/element_type.h"
#include "shape/layout.h"

typedef struct hlo_dynamic_slice_parameters {
  int first_index;                     /* the number of the operand that is the start in dimension 0 */
  int rank;                            /* of the array */
  int64_t bytes;                       /* of the array */
  hlo_type index_type[HLO_MAX_RANK];   /* by dimension, as all that follow */
  int64_t last_start[HLO_MAX_RANK];    /* the greatest start that keeps the window inside */
  int64_t strides[HLO_MAX_RANK];       /* of the array, in bytes */
  hlo_strided_map map;                 /* from the array to the window, or back; simplified */
} hlo_dynamic_slice_parameters;

hlo_shared_step_function hlo_dynamic_slice_run, hlo_dynamic_update_slice_run;
hlo_step_function hlo_find_dynamic_slice;

#endif
