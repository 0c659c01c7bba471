/* Windows that slide over an array, as lines: positions along the last dimension that has a window are taken side by side, and
 * each cell of the window reads a run of them. */
#ifndef HLO_PLAN_WINDOW_LINES_H
#define HLO_PLAN_WINDOW_LINES_H

#include "plan/kernel_table.h"

typedef struct hlo_window_line_dim {
  int64_t in_size, out_size, in_stride; /* in elements */
  hlo_window_dim window;
} hlo_window_line_dim;

typedef struct hlo_window_lines {
  int rank;                                /* of the dimensions before that of the lines */
  hlo_window_line_dim dims[HLO_MAX_RANK];  /* the line's is dims[rank] */
  int64_t group;                           /* elements that go together at each position of a line */
  int64_t count, positions;                /* of lines; of each line */
} hlo_window_lines;

/* False for dilated bases. `out` has the positions of the windows over `in`. */
bool hlo_window_lines_describe(const hlo_window *window, const hlo_shape *in, const hlo_shape *out, hlo_window_lines *lines);

/* A cell of the window: it reads, for positions first to first + count - 1, groups that begin at element offset + n * step. */
typedef struct hlo_window_run {
  int64_t first, count, offset, step;
} hlo_window_run;

/* Visits the cells that read anything for line `line`, in row-major order. */
typedef void hlo_window_visitor(void *context, const hlo_window_run *run);
void hlo_window_line_visit(const hlo_window_lines *lines, int64_t line, hlo_window_visitor *visit, void *context);

#endif
