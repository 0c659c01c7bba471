/* The product of a sparse matrix, given by its rows, and a dense one.
 *
 * operands  values[e]; s32 first[rows + 1]; s32 columns[e]; b[height, width]
 * result    [rows, width]
 * Row r has the elements first[r] to first[r + 1] - 1, each in its column; one that lies in no column, or in no array, counts for nothing. */
#ifndef HLO_KERNELS_LINEAR_SPARSE_PRODUCT_H
#define HLO_KERNELS_LINEAR_SPARSE_PRODUCT_H

#include <stdint.h>

#include "kernels/linear/linear.h"
#include "kernels/step_function.h"

typedef struct hlo_sparse_product {
  hlo_linear_type type;
  int64_t count, height;
  int width;
} hlo_sparse_product;

/* Parameters: a hlo_sparse_product; things are rows. */
hlo_range_function hlo_sparse_product_run;

#endif
