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

/* The cells of the window at `position` that can lie over one of `size` elements: `*count` of them from `*first` on. */
static inline void hlo_window_reach(const hlo_window_dim *window, int64_t position, int64_t size, int64_t *first, int64_t *count) {
  int64_t start = position * window->stride - window->padding_low, last = size > 0 ? (size - 1) * window->base_dilation : -1;
  int64_t begin = start < 0 ? hlo_ceil_div(-start, window->window_dilation) : 0;
  int64_t end = start > last ? 0 : (last - start) / window->window_dilation + 1;
  if (end > window->size) end = window->size;
  *count = end > begin ? end - begin : 0;
  *first = window->reversal ? window->size - end : begin;
}

/* How many positions the window has over `size` elements. */
static inline int64_t hlo_window_positions(const hlo_window_dim *window, int64_t size) {
  int64_t base = size > 0 ? (size - 1) * window->base_dilation + 1 : 0;
  int64_t padded = window->padding_low + base + window->padding_high;
  int64_t dilated = window->size > 0 ? (window->size - 1) * window->window_dilation + 1 : 0;
  return padded <= 0 || dilated > padded ? 0 : (padded - dilated) / window->stride + 1;
}

#endif
