/* Boxes of elements: strided places in dense arrays, copied and walked.
 *
 * Nearly every op that only moves data is "copy this box there". Each side of the copy is a place: an offset and a stride
 * for every dimension, in elements; strides may be 0 (broadcast) or negative (reverse):
 *
 *   rows 1 and 2 of f32[4,3], transposed into f32[3,2]    dims {3, 2}    from {3, {1, 3}}    to {0, {2, 1}} */
#ifndef HLO_SHAPE_BOX_H
#define HLO_SHAPE_BOX_H

#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

typedef struct hlo_place {
  int64_t offset;
  int64_t strides[HLO_MAX_RANK];
} hlo_place;

/* Returns the place of a whole literal: offset 0, and the row-major strides of its dimensions (bounds, where sizes are dynamic). */
hlo_place hlo_place_of(const hlo_literal *literal);
/* Returns which element stands at `index` of a place. */
int64_t hlo_place_index(const hlo_place *place, int rank, const int64_t *index);

/* Copies elements between arrays of one type, bit by bit. Indices run over `dims`; nothing happens if one is 0 or less. */
void hlo_box_copy(const int64_t *dims, int rank, hlo_literal *to, const hlo_place *to_place, const hlo_literal *from,
                  const hlo_place *from_place);
/* The same for elements of `bytes` bytes in plain memory: 1, 2, 4, 8 or 16. */
void hlo_box_copy_bytes(int bytes, const int64_t *dims, int rank, void *to, const hlo_place *to_place,
                        const void *from, const hlo_place *from_place);
/* Writes one element to every place of an array. */
void hlo_box_fill(hlo_literal *to, const hlo_literal *element);
/* Records, where origins are followed, that `by` decided what a box holds (or an array, or all arrays of a tuple). */
void hlo_box_direct(const int64_t *dims, int rank, hlo_literal *literal, const hlo_place *place, hlo_origin by);
void hlo_literal_direct(hlo_literal *literal, hlo_origin by);

/* True if a dimension is 0 or less. */
bool hlo_box_is_empty(const int64_t *dims, int rank);
/* The number of elements; negative dimensions count as 0. */
int64_t hlo_box_count(const int64_t *dims, int rank);

/* ---- Actual sizes of bounded dimensions ---- */
/* Fills `sizes` with the actual sizes of a literal's dimensions. */
void hlo_sizes_of(const hlo_literal *literal, int64_t *sizes);
/* Zeroes an array and sets every dimension to its bound: for ops that do not write every element. */
void hlo_literal_clear(hlo_literal *literal);
/* Sets the actual size of a dimension, kept within [0, bound]; static dimensions stay as they are. */
void hlo_size_set(hlo_literal *literal, int dimension, int64_t size);

/* ---- Elements and parts of literals ---- */
/* Returns an element of an array of integers as an index; a number that int64_t cannot hold becomes INT64_MAX. */
int64_t hlo_index_load(const hlo_literal *literal, int64_t index);
/* Returns the origin of an element, where origins are followed: the elements of the arguments that it is made of or decided by. */
static inline hlo_origin hlo_literal_origin(const hlo_literal *literal, int64_t index) {
  return hlo_origin_at(literal->origins, index);
}
static inline int64_t hlo_clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}
/* Result number `i` of an op that gives one array, or a tuple of several. */
static inline hlo_literal *hlo_result_part(hlo_literal *result, int i) {
  return hlo_shape_is_tuple(result->shape) ? result->elements[i] : result;
}
static inline int hlo_literal_element_bytes(const hlo_literal *literal) { return hlo_type_bytes(literal->shape->type); }

#endif
