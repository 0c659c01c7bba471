/* reduce with a well-known computation as a step: one pass of a kernel for each run of adjacent reduced dimensions, the last run first, and
 * then the init value, once for each result.
 *
 * operands  the array, the init value
 * result    `count` elements; overlaps no operand
 * scratch   2 * half_bytes: one pass writes one half, and the next pass the other; the last pass writes the result
 *
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_REDUCE_REDUCE_PASSES_H
#define HLO_KERNELS_REDUCE_REDUCE_PASSES_H

#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"
#include "kernels/step_function.h"
#include "shape/layout.h"

/* As reduce.h has it: [outer, reduced, inner] becomes [outer, inner]. */
typedef struct hlo_reduce_pass {
  int64_t outer, reduced, inner;
} hlo_reduce_pass;

typedef struct hlo_reduce_parameters {
  hlo_reduce_kernel *kernel;
  hlo_elementwise_kernel *combine; /* of the init value with the results */
  int element_bytes;
  int64_t count; /* of results */
  bool empty;    /* the array has no elements: results are the init value */
  int pass_count;
  hlo_reduce_pass passes[2 * HLO_MAX_RANK];
  int64_t half_bytes; /* a multiple of 64 */
} hlo_reduce_parameters;

hlo_shared_step_function hlo_reduce_run;

#endif
