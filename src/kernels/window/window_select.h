/* Chooses one element under each window, one cell of all windows after another: the first half of select-and-scatter.
 *
 * in       `count` elements, one under each window: those of the cell
 * best     the elements chosen so far, NaN where there is none; negated where the least element is chosen
 * chosen   the places of the elements chosen so far; the place of in[i] is offset + i * step
 * strict   an element stays chosen while best > next holds, else while best >= next holds; so NaN does not stay
 * flip     the sign bit where the least element is chosen, else 0
 *
 * The arrays do not overlap. Never fail, never allocate. */
#ifndef HLO_KERNELS_WINDOW_WINDOW_SELECT_H
#define HLO_KERNELS_WINDOW_WINDOW_SELECT_H

#include <stdbool.h>
#include <stdint.h>

typedef void hlo_window_select_kernel(const void *in, void *best, int32_t *chosen, int64_t count, int32_t offset, int32_t step, bool strict,
                                      uint32_t flip);
hlo_window_select_kernel hlo_f32_window_select_simd128, hlo_f32_window_select_scalar, hlo_f64_window_select_scalar;

#endif
