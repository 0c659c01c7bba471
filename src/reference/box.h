/* Boxes of elements: strided places in dense arrays, copied and walked.
 *
 * Nearly every op that only moves data is "copy this box there": each side of the copy is an offset and a stride for
 * every dimension, in elements; strides may be 0 (broadcast) or negative (reverse). */
#ifndef HLO_REFERENCE_BOX_H
#define HLO_REFERENCE_BOX_H

#include "base/checked.h"
#include "reference/reference.h"
#include "shape/layout_index.h"

typedef struct hlo_place {
  int64_t offset;
  int64_t strides[HLO_MAX_RANK];
} hlo_place;

/* Row-major strides of an array of these dimensions. Returns the number of elements. */
int64_t hlo_strides_row_major(const int64_t *dims, int rank, int64_t *strides);
/* Offset 0 and the row-major strides of a literal's (bounded) dimensions. */
hlo_place hlo_place_of(const hlo_literal *literal);
int64_t hlo_place_index(const hlo_place *place, int rank, const int64_t *index);

/* Copies elements between arrays of one type, bit by bit. Indices run over `dims`; nothing happens if one is 0 or less. */
void hlo_box_copy(const int64_t *dims, int rank, hlo_literal *to, const hlo_place *to_place, const hlo_literal *from,
                  const hlo_place *from_place);
/* The same for elements of `bytes` bytes in plain memory: 1, 2, 4, 8 or 16. */
void hlo_box_copy_bytes(int bytes, const int64_t *dims, int rank, void *to, const hlo_place *to_place,
                        const void *from, const hlo_place *from_place);
/* Writes one element to every place of an array. */
void hlo_box_fill(hlo_literal *to, const hlo_literal *element);
/* What stands in a box (in all of an array or tuple) was directed there by `by`. */
void hlo_box_direct(const int64_t *dims, int rank, hlo_literal *literal, const hlo_place *place, hlo_origin by);
void hlo_literal_direct(hlo_literal *literal, hlo_origin by);

bool hlo_box_is_empty(const int64_t *dims, int rank);
int64_t hlo_box_count(const int64_t *dims, int rank);

/* ---- Actual sizes of bounded dimensions ---- */
/* Fills `sizes` with the actual sizes of a literal's dimensions. */
void hlo_sizes_of(const hlo_literal *literal, int64_t *sizes);
/* Zeroes an array and makes every dimension full: for ops that do not write every element. */
void hlo_literal_clear(hlo_literal *literal);
/* Sets the actual size of a dimension, kept within [0, bound]; static dimensions stay as they are. */
void hlo_size_set(hlo_literal *literal, int dimension, int64_t size);

/* ---- Small things many ops need ---- */
/* An element of an array of integers as an index; what int64_t cannot hold becomes INT64_MAX. */
int64_t hlo_index_load(const hlo_literal *literal, int64_t index);
/* What stands there is made of, or directed by. */
static inline hlo_origin hlo_literal_origin(const hlo_literal *literal, int64_t index) {
  return hlo_origin_at(literal->origins, index);
}
static inline int64_t hlo_clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}
static inline bool hlo_ints_contain(hlo_ints ints, int64_t value) {
  for (int i = 0; i < ints.count; i++)
    if (ints.data[i] == value) return true;
  return false;
}
/* The dimensions of [0, rank) that neither list holds, ascending. Returns how many. */
int hlo_dims_missing(int rank, hlo_ints a, hlo_ints b, int64_t *dims);
/* Result number `i` of an op that gives an array, or a tuple of arrays where there are several. */
static inline hlo_literal *hlo_result_part(hlo_literal *result, int i) {
  return hlo_shape_is_tuple(result->shape) ? result->elements[i] : result;
}
static inline int hlo_literal_element_bytes(const hlo_literal *literal) { return hlo_type_bytes(literal->shape->type); }

#endif
