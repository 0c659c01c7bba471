/* Setting up the index vectors of gather and scatter (kernels/move/index_batch.h). */
#ifndef HLO_STEPS_INDEX_STEPS_H
#define HLO_STEPS_INDEX_STEPS_H

#include "graph/module.h"
#include "kernels/move/index_batch.h"
#include "kernels/move/strided_copy.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* The attributes of gather and scatter, which have other names in each. */
typedef struct hlo_index_attributes {
  hlo_ints window_dims;    /* dimensions that belong to a window, of the array that holds all windows */
  hlo_ints map;            /* by component of an index vector: the dimension of the array that it indexes */
  hlo_ints absent;         /* dimensions of the array that windows do not have */
  hlo_ints array_batching, index_batching; /* batching dimensions, of the array and of the indices, in pairs */
} hlo_index_attributes;

/* The size of a window in each dimension of the array, as the array that holds all windows tells; 1 where windows do not have it. */
void hlo_index_windows_sizes(const hlo_index_attributes *attributes, const hlo_shape *array, const hlo_shape *windows, int64_t *sizes);

/* Fills the batch, and `window` with the copy of a window from the array (in_strides) to the array that holds all windows (out_strides).
 * sizes: of a window, in every dimension of the array. The batch comes zeroed, but for `drops`. */
void hlo_index_batch_describe(const hlo_instruction *instruction, const hlo_index_attributes *attributes, const hlo_shape *array,
                              const int64_t *sizes, const hlo_shape *indices, const hlo_shape *windows, hlo_index_batch *batch,
                              hlo_strided_map *window);

#endif
