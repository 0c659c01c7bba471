/* Lists of dimensions, as dimensions={0,2} has one, and of numbers for each dimension: windows, paddings, slices. */
#ifndef HLO_SHAPE_DIMS_H
#define HLO_SHAPE_DIMS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hlo_ints {
  const int64_t *data;
  int count;
} hlo_ints;

static inline bool hlo_ints_contain(hlo_ints ints, int64_t value) {
  for (int i = 0; i < ints.count; i++)
    if (ints.data[i] == value) return true;
  return false;
}
/* Bit d is set where the list holds dimension d. */
uint32_t hlo_ints_mask(const hlo_ints *dims);
/* Fills `missing` with the dimensions of [0, rank) that neither list holds, ascending. Returns how many there are. */
int hlo_dims_missing(int rank, hlo_ints a, hlo_ints b, int64_t *missing);

typedef struct hlo_window_dim {
  int64_t size, stride, padding_low, padding_high, window_dilation, base_dilation, reversal; /* reversal is 0 or 1 */
} hlo_window_dim;
typedef struct hlo_window {
  int rank;
  const hlo_window_dim *dims;
} hlo_window;

/* Returns the number of cells of a window; INT64_MAX where 64 bits cannot count them. */
int64_t hlo_window_cells(const hlo_window *window);

typedef struct hlo_padding_dim {
  int64_t low, high, interior;
} hlo_padding_dim;
typedef struct hlo_padding_config {
  int rank;
  const hlo_padding_dim *dims;
} hlo_padding_config;

typedef struct hlo_slice_dim {
  int64_t start, limit, stride;
} hlo_slice_dim;
typedef struct hlo_slice {
  int rank;
  const hlo_slice_dim *dims;
} hlo_slice;

#endif
