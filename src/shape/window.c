#include "shape/window.h"

/* Fills in (size - 1) * dilation + 1, or 0 for no elements; false where 64 bits cannot hold it. */
static bool dilated(int64_t size, int64_t dilation, int64_t *result) {
  *result = 0;
  return size <= 0 || (hlo_checked_mul(size - 1, dilation, result) && hlo_checked_add(*result, 1, result));
}

int64_t hlo_window_positions(const hlo_window_dim *window, int64_t size) {
  int64_t padded, covered;
  if (!dilated(size, window->base_dilation, &padded) || !hlo_checked_add(padded, window->padding_low, &padded) ||
      !hlo_checked_add(padded, window->padding_high, &padded) || !dilated(window->size, window->window_dilation, &covered))
    return -1;
  return padded <= 0 || covered > padded ? 0 : (padded - covered) / window->stride + 1;
}
