/* scatter of one array as a step: windows of updates are combined into the array, one after another, or written over it.
 *
 * operands  the array, the indices, the updates
 * result    as the array; may be the very array, and overlaps no other operand
 *
 * Where windows at two different indices have no element in common, a team shares the step: each thread reads all index vectors, and
 * takes the windows that begin in its part of the array. So every element meets its updates in their order. Never fails, never
 * allocates. */
#ifndef HLO_KERNELS_MOVE_SCATTER_H
#define HLO_KERNELS_MOVE_SCATTER_H

#include "kernels/bits_combine.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/move/index_batch.h"
#include "kernels/move/strided_copy.h"
#include "kernels/step_function.h"

/* Loops over runs: a call of `combine` takes longer than the operation. */
typedef enum hlo_scatter_element {
  HLO_SCATTER_ANY, /* there is none */
  HLO_SCATTER_WORD, /* elements of 4 bytes are replaced */
  HLO_SCATTER_ADD_F32,
  HLO_SCATTER_MULTIPLY_F32,
  HLO_SCATTER_ADD_F64,
  HLO_SCATTER_ADD_S32,
  HLO_SCATTER_MAXIMUM_F32,
  HLO_SCATTER_MINIMUM_F32,
  HLO_SCATTER_BITS /* of any type and run that hlo_bits_are_fast says; or single elements of up to 8 bytes are replaced */
} hlo_scatter_element;

typedef struct hlo_scatter_parameters {
  hlo_index_batch batch;
  hlo_strided_map window;          /* from the updates to the result */
  hlo_elementwise_kernel *combine; /* of the array's elements with the updates; NULL: updates replace them, or there is a program */
  const hlo_applied_program *program; /* what combines them, where no kernel does; such a step is not shared, and has scratch for it. NULL: none does */
  int64_t run;        /* elements of a window that are side by side in both arrays: all of the map's last dimension, or 1 */
  bool by_runs;       /* an element has the same place in all windows that hold it, if several do */
  hlo_scatter_element element; /* what is done with a run, if there is a loop for it */
  hlo_bits_combine bits; /* of HLO_SCATTER_BITS */
  int64_t bytes;      /* of the array */
  int64_t places;     /* windows begin at offsets 0 to places - 1; 1: the step is not to be shared */
  double nanoseconds; /* about what all windows take */
} hlo_scatter_parameters;

hlo_shared_step_function hlo_scatter_run;

#endif
