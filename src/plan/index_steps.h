/* The index vectors of gather and scatter: where in the array that is indexed the window of each of them begins. */
#ifndef HLO_PLAN_INDEX_STEPS_H
#define HLO_PLAN_INDEX_STEPS_H

#include <stddef.h>

#include "plan/kernel_table.h"

/* Strides of the indices are in elements, all others in bytes. */
typedef struct hlo_index_batch {
  hlo_type index_type;
  bool drops;                        /* windows that are not wholly inside are left out; else their starts are clamped */
  int component_count;               /* of an index vector */
  int64_t component_stride;
  int64_t last_start[HLO_MAX_RANK];  /* by component: where a window is just inside */
  int64_t array_stride[HLO_MAX_RANK]; /* by component, of the array that is indexed */
  int rank;                          /* of the batch of index vectors; at least 1 */
  int64_t dims[HLO_MAX_RANK], index_strides[HLO_MAX_RANK];
  int64_t array_strides[HLO_MAX_RANK]; /* of batching dimensions, else 0 */
  int64_t windows_strides[HLO_MAX_RANK]; /* of the array that holds all windows: gather's result, scatter's updates */
} hlo_index_batch;

/* What gather and scatter call differently. */
typedef struct hlo_index_attributes {
  hlo_ints window_dims;    /* of the array that holds all windows */
  hlo_ints map;            /* array dimension of each component */
  hlo_ints absent;         /* array dimensions that windows do not have */
  hlo_ints array_batching, index_batching;
} hlo_index_attributes;

/* Sizes of the windows of an array in each of its dimensions, as the array of all windows has them; 1 where it has none. */
void hlo_index_windows_sizes(const hlo_index_attributes *attributes, const hlo_shape *array, const hlo_shape *windows, int64_t *sizes);

/* The batch, and the windows as a map from the array (its in_strides) to the array of all windows (its out_strides); `sizes` are
 * those of a window in every dimension of the array. */
void hlo_index_batch_describe(const hlo_instruction *instruction, const hlo_index_attributes *attributes, const hlo_shape *array,
                              const int64_t *sizes, const hlo_shape *indices, const hlo_shape *windows, hlo_index_batch *batch,
                              struct hlo_strided_map *window);

enum { HLO_INDEX_BLOCK = 64 };

/* Visits the windows in order, up to HLO_INDEX_BLOCK at a time: the window of offsets[i] in the array (-1: left out) is at
 * first + i * stride in the array of all windows. */
typedef void hlo_index_visitor(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride);
void hlo_index_batch_visit(const hlo_index_batch *batch, const void *indices, hlo_index_visitor *visit, const void *context);

#endif
