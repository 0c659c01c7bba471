/* Reading a value through instructions that move elements (broadcast, transpose, slice, reverse, reshape): where each element lies.
 *
 *   x = f32[8,64]    s = slice(x), [0:8], [0:32]    b = broadcast(s), dimensions={1,2}    read as f32[5,8,32]
 *   b -> s -> x:     sizes 5, 8, 32;  strides 0, 64, 1 in x;  offset 0 */
#ifndef HLO_LOOPS_VIEW_H
#define HLO_LOOPS_VIEW_H

#include "graph/module.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum { HLO_VIEW_TERMS = 2 * HLO_MAX_RANK };

/* The reader's elements are numbered through `terms`, the last one fastest. Each term walks along one dimension of the value. */
typedef struct hlo_view {
  const hlo_shape *shape;         /* of the value that is read */
  int64_t first[HLO_MAX_RANK];    /* index of the reader's first element in the value, by dimension of the value */
  int term_count;
  struct hlo_view_term {
    int64_t size, step; /* step: along the dimension */
    int dim;            /* -1: the term repeats elements */
  } terms[HLO_VIEW_TERMS];
} hlo_view;

/* A view as strides in row-major elements of the value, with as few terms as possible: none for one element. */
typedef struct hlo_strides {
  int64_t offset;
  int count;
  int64_t sizes[HLO_VIEW_TERMS], strides[HLO_VIEW_TERMS];
} hlo_strides;

/* Starts with a reader of the same dimensions as the value, or one that reads a scalar for all its elements. */
void hlo_view_start(hlo_view *view, const hlo_shape *value, const hlo_shape *reader);
/* Returns whether an instruction only moves elements, of static arrays without quantization and special layouts. */
bool hlo_is_view(const hlo_computation *computation, const hlo_instruction *instruction);
/* Turns a view of the result of such an instruction into one of its operand. Returns false, *view being undefined, where there is none. */
bool hlo_view_through(hlo_view *view, const hlo_computation *computation, const hlo_instruction *instruction);
void hlo_view_strides(const hlo_view *view, hlo_strides *strides);
/* Returns whether a transpose keeps the order of the dimensions of its result that are not in the mask. */
bool hlo_keeps_order(hlo_ints permutation, uint32_t mask);

#endif
