/* Running totals: sums of the first lines of an array, or of the last ones, for every number of lines.
 *
 * Line p of `out` is init plus the lines 0 to p - shift of `in` (none where p < shift), or, backward, the lines from p - shift on. */
#ifndef HLO_KERNELS_WINDOW_RUNNING_TOTAL_H
#define HLO_KERNELS_WINDOW_RUNNING_TOTAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hlo_running_total {
  int64_t positions; /* lines of `out` */
  int64_t in_size;   /* lines of `in` */
  int64_t shift;
  int64_t group;     /* elements of a line */
  bool backward;
} hlo_running_total;

/* Returns the line of `out` that is made at a step. */
static inline int64_t hlo_running_total_position(const hlo_running_total *t, int64_t step) { return t->backward ? t->positions - 1 - step : step; }

/* The totals of f32, taken in f64 and rounded once for each result. `in` and `out` do not overlap. Never fails, never allocates. */
void hlo_f32_running_sum(const hlo_running_total *total, const float *in, float init, float *out);

#endif
