/* argmax and argmin along one dimension as a step: a reduce of values and their places.
 *
 * operands  the array, whose rows are gathered first unless each lies side by side, or `columns` is set; the init of the values; the init of the places; then, to be written, the places
 * result    the greatest element of each row, or the least; see arg_extreme_rows.h
 *
 * The results overlap nothing. scratch: that of the program, then the gathered rows. Never fails, never allocates. */
#ifndef HLO_KERNELS_REDUCE_ARG_EXTREME_H
#define HLO_KERNELS_REDUCE_ARG_EXTREME_H

#include "kernels/elementwise/applied_program.h"
#include "kernels/move/strided_copy.h"
#include "kernels/reduce/arg_extreme_rows.h"
#include "kernels/step_function.h"

typedef struct hlo_arg_extreme_parameters {
  hlo_arg_extreme_kernel *kernel; /* of rows, or of columns */
  int bytes;           /* of an element */
  int64_t rows, width; /* 0 < width < 2^31 */
  int64_t columns;     /* how many rows lie side by side as columns; 0: they are gathered, or lie one behind the other */
  bool least, gathers;
  bool long_places;    /* they are s64, not s32 */
  hlo_strided_map map; /* from the array to the gathered rows */
  int64_t rows_offset; /* of the gathered rows in the scratch, in bytes */
  bool inits_matter;      /* the inits may change the results */
  hlo_applied_program program; /* the computation of the reduce, by which the inits meet the results of the rows */
} hlo_arg_extreme_parameters;

hlo_shared_step_function hlo_arg_extreme_run;

#endif
