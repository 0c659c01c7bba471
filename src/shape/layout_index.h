/* Index arithmetic for any layout: from a logical index to a place in memory, and back. */
#ifndef HLO_SHAPE_LAYOUT_INDEX_H
#define HLO_SHAPE_LAYOUT_INDEX_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* A layout resolved against a shape: the physical dimensions (major to minor), split by each tile in turn. Plain data that owns
 * nothing. Fails if the tiles do not fit or sizes overflow. */
enum { HLO_MAX_TILED_RANK = 64 };
typedef struct hlo_layout_index {
  const hlo_shape *shape;
  const hlo_layout *layout;      /* never NULL: a row-major layout if the shape has none */
  int rank;
  int64_t padded_elements;       /* elements in memory including padding, before L(n) */
  int64_t aligned_elements;      /* the same rounded up to L(n) */
  int64_t minor_to_major[HLO_MAX_RANK];
  bool dense_row_major;          /* offset == row-major linear index: no tiles, no padding, no packing */
  bool untiled;                  /* the layout only permutes dimensions (packed or not), so that `strides` hold */
  int64_t strides[HLO_MAX_RANK]; /* if untiled: the stride of each logical dimension, in elements */
} hlo_layout_index;

bool hlo_layout_index_init(hlo_layout_index *index, const hlo_shape *shape, hlo_status *status);
/* Returns the offset in memory, in elements, of a logical index (rank values, each inside its dimension). */
int64_t hlo_layout_offset(const hlo_layout_index *index, const int64_t *multi_index);
/* The inverse of hlo_layout_offset. Returns false if the offset falls into padding. */
bool hlo_layout_multi_index(const hlo_layout_index *index, int64_t offset, int64_t *multi_index);
/* Computes the tiled coordinates of a logical index, most major first, with their bounds: ((2,3) -> 1,1,0,1 of 2,3,2,2).
 * Returns their number (at most HLO_MAX_TILED_RANK). */
int hlo_layout_tiled_index(const hlo_layout_index *index, const int64_t *multi_index, int64_t *coordinates, int64_t *bounds);

/* Row-major order of a shape's dimensions. hlo_index_next advances a multi-index, and returns false after the last. */
bool hlo_index_next(const int64_t *dims, int rank, int64_t *multi_index);
int64_t hlo_index_linear(const int64_t *dims, int rank, const int64_t *multi_index);
void hlo_index_multi(const int64_t *dims, int rank, int64_t linear, int64_t *multi_index);

/* Like XLA's ShapeUtil: returns whether the operation moves no byte under the two layouts. */
bool hlo_transpose_is_bitcast(const hlo_shape *input, const hlo_shape *output, const int64_t *permutation);
bool hlo_reshape_is_bitcast(const hlo_shape *input, const hlo_shape *output);

/* Copies between the dense row-major form that evaluators use and the bytes of a layout, with packing (E(4)) and tiles.
 * `physical` has hlo_shape_array_size bytes. Padding is filled with padding_value, else with zero.
 * Requires a layout that hlo_layout_check accepts. */
bool hlo_layout_is_dense(const hlo_shape *shape); /* both forms have the same bytes */
bool hlo_layout_scatter(const hlo_shape *shape, const void *dense, void *physical, hlo_status *status);
bool hlo_layout_gather(const hlo_shape *shape, const void *physical, void *dense, hlo_status *status);

/* Checks that a layout fits a shape: ranks, permutation, tile sizes > 0, padded_dimensions >= dims. */
bool hlo_layout_check(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status);
/* Makes the layout {rank-1, ..., 0}, which a missing layout stands for. */
const hlo_layout *hlo_layout_row_major(hlo_arena *arena, int rank, hlo_status *status);
/* Makes a deep copy in another arena. */
const hlo_layout *hlo_layout_copy(hlo_arena *arena, const hlo_layout *layout, hlo_status *status);
/* Returns the bits that an element takes in memory: E(n), else the type's whole bytes. */
int64_t hlo_layout_element_bits(const hlo_shape *shape);
/* Returns whether two layouts have the same places in memory and the same fields; NULL is row-major without fields. */
bool hlo_layout_equal(const hlo_layout *a, const hlo_layout *b);
/* Writes the text between the braces: 1,0:T(2,2)L(16). */
void hlo_layout_write(hlo_writer *writer, const hlo_layout *layout, const hlo_shape *shape);
/* Reads a layout, braces included, without checking it against a shape. */
const hlo_layout *hlo_layout_read(hlo_reader *reader, hlo_arena *arena);

#endif
