/* A value: an array's elements, or a tuple of values.
 *
 * Elements are always dense, in row-major logical order, one unpacked element after another,
 * whatever the layout of `shape` says: layouts are applied only where bytes come in or go out. */
#ifndef HLO_SHAPE_LITERAL_H
#define HLO_SHAPE_LITERAL_H

#include "shape/shape.h"

typedef struct hlo_literal hlo_literal;
struct hlo_literal {
  const hlo_shape *shape;
  void *data;              /* arrays: element_count * hlo_type_bytes(type), 16-byte aligned; NULL for tokens */
  int64_t *dynamic_sizes;  /* rank actual sizes of bounded dimensions; NULL: every dimension is full.
                            * Elements keep the place they have in the bounded array. */
  hlo_literal **elements;  /* tuples: shape->element_count values */
  hlo_origin_array origins; /* arrays: of each element */
};

/* Allocates a value of the shape (zeroed), nested tuples too; bounded dimensions get dynamic_sizes = bounds.
 * Refuses unbounded dimensions, and sizes beyond memory with OUT_OF_MEMORY. */
hlo_literal *hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);
/* An array of static sizes whose elements are there already: `data` is dense, aligned to 16 bytes, and lives as long as the arena. */
hlo_literal *hlo_literal_wrap(hlo_arena *arena, const hlo_shape *shape, void *data, hlo_status *status);
/* A deep copy. */
hlo_literal *hlo_literal_copy(hlo_arena *arena, const hlo_literal *literal, hlo_status *status);
/* Copies the elements of an array of the same size and type, whatever its dimensions. */
void hlo_literal_assign_elements(hlo_literal *to, const hlo_literal *from);
/* Copies one element to an array of the same type, bit by bit. */
void hlo_literal_assign_element(hlo_literal *to, int64_t to_index, const hlo_literal *from, int64_t from_index);
/* Copies contents (same compatible shape, any layout); dynamic sizes too. */
void hlo_literal_assign(hlo_literal *to, const hlo_literal *from);

/* Elements in row-major order, with their origins. */
hlo_scalar hlo_literal_get(const hlo_literal *literal, int64_t index);
void hlo_literal_set(hlo_literal *literal, int64_t index, hlo_scalar value);
/* The same of arrays of integers or pred, and of real or complex numbers; what is set comes from nowhere. */
int64_t hlo_literal_int(const hlo_literal *literal, int64_t index);
double hlo_literal_real(const hlo_literal *literal, int64_t index);
void hlo_literal_set_int(hlo_literal *literal, int64_t index, int64_t value);
void hlo_literal_set_real(hlo_literal *literal, int64_t index, double value);
/* The actual size of a dimension: dynamic_sizes where present. */
static inline int64_t hlo_literal_size(const hlo_literal *l, int dimension) {
  return l->dynamic_sizes ? l->dynamic_sizes[dimension] : l->shape->dims[dimension];
}
size_t hlo_literal_bytes(const hlo_literal *literal); /* of an array's data */
bool hlo_literal_equal_bits(const hlo_literal *a, const hlo_literal *b);
uint64_t hlo_literal_hash(const hlo_literal *literal);

/* ---- Text: what stands in constant(...): { { 1, 2 }, { 3, 4 } }, 5, true, (1, -2); {...} is refused ----
 * Reading is linear in the text; what does not fit the shape or its type is an error with its place.
 * Bounded dimensions take the size that the text has. Writing gives XLA's text to the byte, on one line. */
bool hlo_scalar_read(hlo_reader *reader, hlo_type type, hlo_scalar *value);
void hlo_scalar_write(hlo_writer *writer, hlo_type type, hlo_scalar value);
hlo_literal *hlo_literal_read(hlo_reader *reader, hlo_arena *arena, const hlo_shape *shape);
void hlo_literal_write(hlo_writer *writer, const hlo_literal *literal);
/* With its shape in front: f32[2] {1, 2}, with the actual sizes of bounded dimensions f32[<=4](2) {1, 2};
 * tuples ( f32[] 1, s32[2] {1, 2} ), and in reading also (f32[], s32[2]) (1, {1, 2}). */
hlo_literal *hlo_literal_parse(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
void hlo_literal_write_with_shape(hlo_writer *writer, const hlo_literal *literal);

#endif
