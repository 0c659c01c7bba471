/* A value: the elements of an array, or a tuple of values.
 *
 * Elements are always dense, in row-major logical order, one unpacked element after another,
 * whatever layout `shape` has: layouts are applied only where bytes come in or go out. */
#ifndef HLO_SHAPE_LITERAL_H
#define HLO_SHAPE_LITERAL_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/origin.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

typedef struct hlo_literal hlo_literal;
struct hlo_literal {
  const hlo_shape *shape;
  void *data;              /* arrays: element_count * hlo_type_bytes(type), 16-byte aligned; NULL for tokens */
  int64_t *dynamic_sizes;  /* the rank actual sizes of an array with bounded dimensions; NULL: every dimension is full.
                            * Elements keep the place they have in the bounded array. */
  hlo_literal **elements;  /* tuples: shape->element_count values */
  hlo_origin_array origins; /* arrays: the origin of each element */
  hlo_shared_array *shared; /* where the elements of a large constant are; `data` is then NULL but while they are pinned. Else NULL */
};

/* Allocates a zeroed value of the shape, with its nested tuples; bounded dimensions get dynamic_sizes = bounds.
 * Refuses unbounded dimensions; fails with OUT_OF_MEMORY if there is not enough memory. */
hlo_literal *hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);
/* Makes an array of static sizes around existing elements: `data` is dense, 16-byte aligned, and must live as long as the arena. */
hlo_literal *hlo_literal_wrap(hlo_arena *arena, const hlo_shape *shape, void *data, hlo_status *status);
/* Makes a zeroed value for a constant: the elements of a large array are shared, and pinned until hlo_literal_settle. */
hlo_literal *hlo_literal_make_constant(hlo_arena *arena, const hlo_shape *shape, hlo_status *status);
/* Makes an array of shared elements, settled; the arena keeps a reference of its own to them. */
hlo_literal *hlo_literal_share(hlo_arena *arena, const hlo_shape *shape, hlo_shared_array *shared, hlo_status *status);
/* Gives an array without data, from hlo_literal_wrap, such elements. */
bool hlo_literal_refer(hlo_arena *arena, hlo_literal *literal, hlo_shared_array *shared, hlo_status *status);
/* Makes a literal of the same elements: of shared ones, pinned as the literal's are, a further reference; else a deep copy. */
hlo_literal *hlo_literal_borrow(hlo_arena *arena, const hlo_literal *literal, hlo_status *status);
/* Pins the elements, if they are shared and not pinned by this literal yet, so that it has data; lets go of them. */
bool hlo_literal_pin(hlo_literal *literal, hlo_status *status);
void hlo_literal_settle(hlo_literal *literal);
/* Returns whether a constant is so large that its elements are shared: no pass looks into it. */
bool hlo_literal_is_large(const hlo_shape *shape);
/* Returns an address that literals have in common if and only if their elements are the same memory. */
static inline const void *hlo_literal_identity(const hlo_literal *l) { return l->shared ? (const void *)l->shared : l->data; }
/* Makes a deep copy. */
hlo_literal *hlo_literal_copy(hlo_arena *arena, const hlo_literal *literal, hlo_status *status);
/* Copies all elements to an array of the same element count and type; dimensions may differ. */
void hlo_literal_assign_elements(hlo_literal *to, const hlo_literal *from);
/* Copies one element, bit by bit, to an array of the same type. */
void hlo_literal_assign_element(hlo_literal *to, int64_t to_index, const hlo_literal *from, int64_t from_index);
/* Copies elements and dynamic sizes to a value of a compatible shape, with any layout. */
void hlo_literal_assign(hlo_literal *to, const hlo_literal *from);

/* Read and write one element, with its origin, by its index in row-major order. */
hlo_scalar hlo_literal_get(const hlo_literal *literal, int64_t index);
void hlo_literal_set(hlo_literal *literal, int64_t index, hlo_scalar value);
/* The same for integers and pred (int), and for real and complex numbers (real). A value that is set has no origin. */
int64_t hlo_literal_int(const hlo_literal *literal, int64_t index);
double hlo_literal_real(const hlo_literal *literal, int64_t index);
void hlo_literal_set_int(hlo_literal *literal, int64_t index, int64_t value);
void hlo_literal_set_real(hlo_literal *literal, int64_t index, double value);
/* The actual size of a dimension: that of dynamic_sizes if there is one. */
static inline int64_t hlo_literal_size(const hlo_literal *l, int dimension) {
  return l->dynamic_sizes ? l->dynamic_sizes[dimension] : l->shape->dims[dimension];
}
size_t hlo_literal_bytes(const hlo_literal *literal); /* bytes of an array's data */
/* Clears the upper bits of elements with fewer than 8 bits, or extends the sign into them: bytes of a file may hold anything there. */
void hlo_literal_clear_unused_bits(hlo_literal *literal);
bool hlo_literal_equal_bits(const hlo_literal *a, const hlo_literal *b);
uint64_t hlo_literal_hash(const hlo_literal *literal);

/* ---- Text of a value, as in constant(...): { { 1, 2 }, { 3, 4 } }, 5, true, (1, -2). {...} is refused ----
 * Reading takes linear time, and fails with a place if the text does not fit the shape or its type.
 * Bounded dimensions take the sizes that the text has. Writing gives exactly XLA's text, on one line. */
bool hlo_scalar_read(hlo_reader *reader, hlo_type type, hlo_scalar *value);
void hlo_scalar_write(hlo_writer *writer, hlo_type type, hlo_scalar value);
hlo_literal *hlo_literal_read(hlo_reader *reader, hlo_arena *arena, const hlo_shape *shape);
void hlo_literal_write(hlo_writer *writer, const hlo_literal *literal);
/* A value with its shape in front: f32[2] {1, 2}; with bounded dimensions also their actual sizes, f32[<=4](2) {1, 2};
 * tuples as ( f32[] 1, s32[2] {1, 2} ), and when reading also as (f32[], s32[2]) (1, {1, 2}). */
hlo_literal *hlo_literal_parse(hlo_arena *arena, const char *text, size_t length, hlo_status *status);
void hlo_literal_write_with_shape(hlo_writer *writer, const hlo_literal *literal);

#endif
