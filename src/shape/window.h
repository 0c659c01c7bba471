/* Windows that slide over an array, one dimension at a time: where they stand, and what lies under their cells.
 *
 * The window stands at positions 0, 1, ... and has cells 0, 1, ...; padding may be negative, which cuts the array:
 *
 *   size 3, stride 2, padding_low 1, padding_high 1 over 4 elements      . a b c d .
 *   position 0                                                           0 1 2          cell 0 lies over padding
 *   position 1                                                               0 1 2      cell 0 lies over b */
#ifndef HLO_SHAPE_WINDOW_H
#define HLO_SHAPE_WINDOW_H

#include "base/checked.h"
#include "shape/dims.h"

/* Returns how many positions the window has over `size` elements; -1 where 64 bits cannot hold a size on the way. */
int64_t hlo_window_positions(const hlo_window_dim *window, int64_t size);

/* Returns how far a cell lies behind `position * stride`, in elements of the array as its dilation spreads it. */
static inline int64_t hlo_window_cell_offset(const hlo_window_dim *window, int64_t cell) {
  return cell * window->window_dilation - window->padding_low;
}

/* Finds the element under a cell of the window at `position`; false where padding is there, or a hole of the dilation. */
static inline bool hlo_window_element(const hlo_window_dim *window, int64_t position, int64_t cell, int64_t size,
                                      int64_t *element) {
  int64_t place = position * window->stride + hlo_window_cell_offset(window, cell);
  *element = place / window->base_dilation;
  return place >= 0 && place % window->base_dilation == 0 && *element < size;
}

/* The cells of the windows at positions from `from` to `to` that can lie over one of `size` elements: `*count` of them from `*first` on. */
static inline void hlo_window_reach(const hlo_window_dim *window, int64_t from, int64_t to, int64_t size, int64_t *first, int64_t *count) {
  int64_t start = from * window->stride - window->padding_low, start_of_last = to * window->stride - window->padding_low;
  int64_t last = size > 0 ? (size - 1) * window->base_dilation : -1;
  int64_t begin = start_of_last < 0 ? hlo_ceil_div(-start_of_last, window->window_dilation) : 0;
  int64_t end = start > last ? 0 : (last - start) / window->window_dilation + 1;
  if (end > window->size) end = window->size;
  *count = end > begin ? end - begin : 0;
  *first = window->reversal ? window->size - end : begin;
}

#endif
