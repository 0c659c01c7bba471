/* Running sums of f32, taken in f64 and rounded once for each result.
 *
 * Line p of `out` is init plus the lines 0 to p - shift of `in` (none where p < shift), or, backward, the lines from p - shift on.
 * Lines have `group` elements; `in` has in_size of them, `out` has positions, and they do not overlap. */
#ifndef HLO_KERNELS_RUNNING_TOTAL_H
#define HLO_KERNELS_RUNNING_TOTAL_H

#include "base/checked.h"

typedef struct hlo_running_total {
  int64_t positions, in_size, shift, group;
  bool backward;
} hlo_running_total;

void hlo_f32_running_sum(const hlo_running_total *total, const float *in, float init, float *out);

#endif
