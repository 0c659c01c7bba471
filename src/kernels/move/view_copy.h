/* One strided copy from an offset of the operand: transpose, broadcast, reverse and slice, as a step. */
#ifndef HLO_KERNELS_MOVE_VIEW_COPY_H
#define HLO_KERNELS_MOVE_VIEW_COPY_H

#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"

typedef struct hlo_view_copy_parameters {
  int64_t in_offset; /* bytes: where index 0 of the map lies in the operand */
  hlo_strided_map map; /* simplified */
} hlo_view_copy_parameters;

/* operands[0]: the array. The result does not overlap it. Never fails, never allocates. */
hlo_shared_step_function hlo_view_copy_run;
/* Writes, as its result, the address of what hlo_view_copy_run would copy, where that is one piece of the operand. */
hlo_step_function hlo_find_view;

#endif
