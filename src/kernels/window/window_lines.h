/* Windows that slide over an array, as lines: positions along the last dimension that has a window are taken side by side, and each cell of
 * the window reads a run of them.
 *
 *   f32[8,20,16], windows of 1 x 3 x 1     8 lines of 18 positions, groups of 16; cell 1 reads groups 1 to 18 of its line
 *
 * Dimensions behind the last one that has a window are the group. Those before it are walked through, line by line. */
#ifndef HLO_KERNELS_WINDOW_WINDOW_LINES_H
#define HLO_KERNELS_WINDOW_WINDOW_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "shape/dims.h"
#include "shape/layout.h"

typedef struct hlo_window_line_dim {
  int64_t in_size, out_size, in_stride; /* in elements */
  hlo_window_dim window;                /* base_dilation 1 */
} hlo_window_line_dim;

typedef struct hlo_window_lines {
  int rank;                               /* dimensions before that of the lines */
  hlo_window_line_dim dims[HLO_MAX_RANK]; /* dims[rank] is that of the lines */
  int64_t group;                          /* elements that go together at each position of a line */
  int64_t count;                          /* of lines */
  int64_t positions;                      /* of each line */
} hlo_window_lines;

/* Describes windows over an array of `rank` dimensions; `out` is how many positions there are in each. Returns false for dilated bases, and
 * where there are no dimensions. */
bool hlo_window_lines_describe(const hlo_window *window, const int64_t *in, const int64_t *out, int rank, hlo_window_lines *lines);
/* Returns whether a window stands still in a dimension: each position has one element, the one that is there. */
bool hlo_window_is_still(const hlo_window_line_dim *dim);

/* A run of positions, first to first + count - 1, for which a cell of the window lies inside the array. At position first + n, the cell
 * reads the group that begins at element offset + n * step. */
typedef struct hlo_window_run {
  int64_t first, count, offset, step;
} hlo_window_run;

/* Visits the cells that read anything for line `line`, in row-major order. Never fails, never allocates. */
typedef void hlo_window_visitor(void *context, const hlo_window_run *run);
void hlo_window_line_visit(const hlo_window_lines *lines, int64_t line, hlo_window_visitor *visit, void *context);

/* The elements of a run, position after position without gaps: where they are in `in`, or gathered in `scratch`, which holds a line. */
const void *hlo_window_run_elements(const hlo_window_lines *lines, const hlo_window_run *run, const void *in, int bytes, void *scratch);

#endif
