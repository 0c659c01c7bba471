/* The index vectors of gather and scatter: where in the array that is indexed the window of each of them begins. */
#ifndef HLO_KERNELS_MOVE_INDEX_BATCH_H
#define HLO_KERNELS_MOVE_INDEX_BATCH_H

#include <stddef.h>

#include "shape/element_type.h"
#include "shape/layout.h"

/* Strides of the indices are in elements, all others in bytes. */
typedef struct hlo_index_batch {
  hlo_type index_type;
  bool drops;                            /* windows that are not wholly inside the array are left out; else their starts are clamped */
  int component_count;                   /* of an index vector */
  int64_t component_stride;
  int64_t last_start[HLO_MAX_RANK];      /* by component: the greatest start that keeps a window inside */
  int64_t array_stride[HLO_MAX_RANK];    /* by component, of the array that is indexed */
  int rank;                              /* of the batch of index vectors; at least 1 */
  int64_t dims[HLO_MAX_RANK], index_strides[HLO_MAX_RANK];
  int64_t array_strides[HLO_MAX_RANK];   /* by batch dimension, of the array that is indexed; 0 where it has no such dimension */
  int64_t windows_strides[HLO_MAX_RANK]; /* by batch dimension, of the array that holds all windows: gather's result, scatter's updates */
} hlo_index_batch;

enum { HLO_INDEX_BLOCK = 64 };

/* Takes windows whose index vectors stand side by side, `count` of them, at most HLO_INDEX_BLOCK: window i begins at offsets[i] of the
 * array (-1: it is left out), and at first + i * stride of the array that holds all windows. Bytes. */
typedef void hlo_index_visitor(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride);

/* Visits all windows in the order of their index vectors. Never fails, never allocates. */
void hlo_index_batch_visit(const hlo_index_batch *batch, const void *indices, hlo_index_visitor *visit, const void *context);

#endif
