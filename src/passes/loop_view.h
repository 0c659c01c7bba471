/* Reading a value through movement (broadcast, transpose, slice, reverse, reshape), as a loop does: where each element lies.
 *
 *   x = f32[8,64]    s = slice(x), [0:8], [0:32]    b = broadcast(s), dimensions={1,2}    read as f32[5,8,32]
 *   b -> s -> x:     sizes 5, 8, 32;  strides 0, 64, 1 in x;  offset 0 */
#ifndef HLO_PASSES_LOOP_VIEW_H
#define HLO_PASSES_LOOP_VIEW_H

#include "graph/module.h"

enum { HLO_VIEW_TERMS = 2 * HLO_MAX_RANK };

/* The reader's elements are counted through `terms`, the last one fastest: each walks along one dimension of the value. */
typedef struct hlo_view {
  const hlo_shape *shape;         /* of the value that is read */
  int64_t first[HLO_MAX_RANK];    /* where the reader's first element lies, by dimension of it */
  int term_count;
  struct hlo_view_term {
    int64_t size, step; /* step: in that dimension */
    int dim;            /* -1: it stays where it is */
  } terms[HLO_VIEW_TERMS];
} hlo_view;

/* The same in row-major elements of the value, with as few terms as there can be: none for one element. */
typedef struct hlo_strides {
  int64_t offset;
  int count;
  int64_t sizes[HLO_VIEW_TERMS], strides[HLO_VIEW_TERMS];
} hlo_strides;

/* A reader of `reader` dimensions reads a value of the same, or a scalar for all its elements. */
void hlo_view_start(hlo_view *view, const hlo_shape *value, const hlo_shape *reader);
/* Whether the op only moves elements about, of static arrays without quantization and special layouts. */
bool hlo_is_view(const hlo_computation *computation, const hlo_instruction *instruction);
/* From the result of such an instruction to its operand. False: that is no view of it; *view is then undefined. */
bool hlo_view_through(hlo_view *view, const hlo_computation *computation, const hlo_instruction *instruction);
void hlo_view_strides(const hlo_view *view, hlo_strides *strides);
/* Whether the dimensions of a transpose's result that are not in the mask were in the same order before it. */
bool hlo_keeps_order(hlo_ints permutation, uint32_t mask);
/* Bit d: the list has d. */
uint32_t hlo_ints_mask(const hlo_ints *dimensions);
/* Row-major strides of a shape, in elements; returns the element count. */
int64_t hlo_row_major_strides(const hlo_shape *shape, int64_t *strides);

#endif
