/* The choice of one element under each window, cell by cell: what select-and-scatter asks.
 *
 * in       `count` elements, one under each window
 * best     the elements chosen so far, NaN where there is none; negated where the least is sought
 * chosen   where they are: element i is at offset + i * step
 * flip     the sign bit where the least is sought, else 0
 * An element stays chosen while best >= next (or best > next, where `strict`) holds; NaN gives way. */
#ifndef HLO_KERNELS_WINDOW_SELECT_H
#define HLO_KERNELS_WINDOW_SELECT_H

#include "base/checked.h"

typedef void hlo_window_select_kernel(const float *in, float *best, int32_t *chosen, int64_t count, int32_t offset, int32_t step, bool strict,
                                      uint32_t flip);
hlo_window_select_kernel hlo_f32_window_select_simd128, hlo_f32_window_select_scalar;

#endif
