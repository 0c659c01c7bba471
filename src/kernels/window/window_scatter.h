/* select-and-scatter of f32 or f64, whose windows choose by a comparison and whose sources are added, as a step.
 *
 * operands  the array that windows slide over, the sources (one for each position), the init value
 * result    as the array; overlaps no operand
 * scratch   3 * positions * group elements: the best elements of a line, a run of the array, gathered, and the places of the best
 *
 * Things of the range are blocks. Never fails, never allocates. */
#ifndef HLO_KERNELS_WINDOW_WINDOW_SCATTER_H
#define HLO_KERNELS_WINDOW_WINDOW_SCATTER_H

#include "kernels/step_function.h"
#include "kernels/window/window_lines.h"

typedef struct hlo_window_scatter_parameters {
  hlo_window_lines lines;
  bool is_double;   /* f64 */
  int64_t elements; /* of the result, less than 2^31 */
  int64_t blocks;   /* equal parts of the array and of the lines: no window reaches from one into another */
  bool strict;      /* see window_select.h */
  uint32_t flip;
} hlo_window_scatter_parameters;

hlo_range_function hlo_window_scatter_run;

#endif
