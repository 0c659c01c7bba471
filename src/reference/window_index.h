/* Where a window's cells fall: strides, padding (negative too), dilation of base and window. */
#ifndef HLO_REFERENCE_WINDOW_INDEX_H
#define HLO_REFERENCE_WINDOW_INDEX_H

#include "reference/box.h"

/* The element under cell `cell` of the window at `position`; false where that is padding, or a hole of the dilation. */
static inline bool hlo_window_element(const hlo_window_dim *window, int64_t position, int64_t cell, int64_t size,
                                      int64_t *element) {
  int64_t place = position * window->stride + cell * window->window_dilation - window->padding_low;
  *element = place / window->base_dilation;
  return place >= 0 && place % window->base_dilation == 0 && *element < size;
}

/* How many positions the window has over `size` elements. */
static inline int64_t hlo_window_positions(const hlo_window_dim *window, int64_t size) {
  int64_t base = size > 0 ? (size - 1) * window->base_dilation + 1 : 0;
  int64_t padded = window->padding_low + base + window->padding_high;
  int64_t dilated = window->size > 0 ? (window->size - 1) * window->window_dilation + 1 : 0;
  return padded <= 0 || dilated > padded ? 0 : (padded - dilated) / window->stride + 1;
}

#endif
