/* reduce-window with any computation of element-wise ops, over one array or several, as a step.
 *
 * operands  the arrays, one for each part; the init values; then the results behind the first one
 * result    of the first part: an element for each position of the windows; overlaps no operand
 * scratch   program_bytes for the program, then a gathered line for each part, of line_bytes
 *
 * hlo_applied_window_run   any windows
 * hlo_applied_totals_run   windows that grow by one group from each position to the next, or to the one before (running_total.h)
 *
 * Elements meet in the order of their windows. Things of the range are lines, as window_lines.h has them. Never fail, never allocate. */
#ifndef HLO_KERNELS_WINDOW_APPLIED_WINDOW_H
#define HLO_KERNELS_WINDOW_APPLIED_WINDOW_H

#include "kernels/elementwise/applied_program.h"
#include "kernels/step_function.h"
#include "kernels/window/running_total.h"
#include "kernels/window/window_lines.h"

enum { HLO_APPLIED_WINDOW_MOST_PARTS = 4 };

typedef struct hlo_applied_window_parameters {
  hlo_window_lines lines;
  hlo_running_total total; /* of hlo_applied_totals_run */
  int parts, bytes[HLO_APPLIED_WINDOW_MOST_PARTS]; /* bytes: of an element */
  int64_t program_bytes, line_bytes;
  hlo_applied_program program;
} hlo_applied_window_parameters;

hlo_range_function hlo_applied_window_run, hlo_applied_totals_run;

#endif
