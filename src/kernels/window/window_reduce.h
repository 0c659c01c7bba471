/* reduce-window with a well-known computation as a step.
 *
 * operands  the array, the init value
 * result    an element for each position of the windows; overlaps no operand
 * scratch   for hlo_window_reduce_run, one line: positions * group elements
 *
 * hlo_window_reduce_run     any windows
 * hlo_running_totals_run    windows that grow by one element from each position to the next, or shrink by one: see running_total.h
 *
 * Things of the range are lines, as window_lines.h has them.
 *
 * Never fail, never allocate. */
#ifndef HLO_KERNELS_WINDOW_WINDOW_REDUCE_H
#define HLO_KERNELS_WINDOW_WINDOW_REDUCE_H

#include "kernels/bits_combine.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/step_function.h"
#include "kernels/window/running_total.h"
#include "kernels/window/window_lines.h"

typedef struct hlo_window_reduce_parameters {
  hlo_window_lines lines;
  hlo_elementwise_kernel *combine;
  hlo_bits_combine bits; /* does the same, where lines of totals are a few integers, and for extremes of floats of 16 bits; else its op is HLO_BITS_SECOND */
  int bytes;       /* of an element */
  bool is_f32_sum; /* totals are taken by hlo_f32_running_sum */
  hlo_running_total total; /* of hlo_running_totals_run */
} hlo_window_reduce_parameters;

hlo_range_function hlo_window_reduce_run, hlo_running_totals_run;

#endif
