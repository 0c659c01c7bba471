/* gather as a step: for every index vector a window of the array, copied as a run of contiguous memory where it is one.
 *
 * operands  the array, unless it is packed; the indices
 * result    all windows; overlaps no operand
 *
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_MOVE_GATHER_H
#define HLO_KERNELS_MOVE_GATHER_H

#include "kernels/move/index_batch.h"
#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_gather_parameters {
  hlo_index_batch batch;
  int64_t run_bytes;         /* of a window that is one run; -1: `window` copies it */
  hlo_strided_map window;    /* from the array to the result */
  double window_nanoseconds; /* about what a window takes */
  const hlo_packed *packed;  /* a constant array of 4 bits in panels (kernels/product/narrow_matrix.h), whose columns are windows; or NULL */
  bool is_signed;            /* of 4 bits */
} hlo_gather_parameters;

hlo_shared_step_function hlo_gather_run;

#endif
