/* Index arithmetic: logical index <-> place in memory, through any layout. */
#ifndef HLO_SHAPE_LAYOUT_INDEX_H
#define HLO_SHAPE_LAYOUT_INDEX_H

#include "shape/shape.h"

/* A layout resolved against a shape, ready for arithmetic: the physical (major-to-minor) dimensions split
 * by every tile in turn. Plain data; no ownership. Fails when the tiles do not fit or sizes overflow. */
enum { HLO_MAX_TILED_RANK = 64 };
typedef struct hlo_layout_index {
  const hlo_shape *shape;
  const hlo_layout *layout;      /* never NULL: row-major stands in */
  int rank;
  int64_t padded_elements;       /* elements in memory, padding included, before tail alignment */
  int64_t aligned_elements;      /* after L(n) */
  int64_t minor_to_major[HLO_MAX_RANK];
  bool dense_row_major;          /* offset == row-major linear index: no tiles, no padding, no packing */
  bool untiled;                  /* a pure permutation (packed or not); strides below hold */
  int64_t strides[HLO_MAX_RANK]; /* untiled only: element stride of each logical dimension */
} hlo_layout_index;

bool hlo_layout_index_init(hlo_layout_index *index, const hlo_shape *shape, hlo_status *status);
/* Element offset in memory of a logical index (rank values, each inside its dimension). */
int64_t hlo_layout_offset(const hlo_layout_index *index, const int64_t *multi_index);
/* The inverse: false when the offset falls into padding. */
bool hlo_layout_multi_index(const hlo_layout_index *index, int64_t offset, int64_t *multi_index);
/* The tiled coordinates of a logical index, most major first, with their bounds: ((2,3) -> 1,1,0,1 of 2,3,2,2).
 * Returns their number (at most HLO_MAX_TILED_RANK). */
int hlo_layout_tiled_index(const hlo_layout_index *index, const int64_t *multi_index, int64_t *coordinates, int64_t *bounds);

/* Row-major order of a shape's dimensions. Advances a multi-index; false after the last. */
bool hlo_index_next(const int64_t *dims, int rank, int64_t *multi_index);
int64_t hlo_index_linear(const int64_t *dims, int rank, const int64_t *multi_index);
void hlo_index_multi(const int64_t *dims, int rank, int64_t linear, int64_t *multi_index);

/* XLA's ShapeUtil: whether the operation moves no byte under the two layouts. */
bool hlo_transpose_is_bitcast(const hlo_shape *input, const hlo_shape *output, const int64_t *permutation);
bool hlo_reshape_is_bitcast(const hlo_shape *input, const hlo_shape *output);

/* Copies between the dense row-major form that evaluators work in and the bytes of a layout.
 * `physical` has hlo_shape_array_size bytes. Packing (E(4)), tiles and padding values are applied;
 * padding is filled with padding_value, else with zero. Layout fields must have been validated. */
bool hlo_layout_is_dense(const hlo_shape *shape); /* the two are the same bytes */
bool hlo_layout_scatter(const hlo_shape *shape, const void *dense, void *physical, hlo_status *status);
bool hlo_layout_gather(const hlo_shape *shape, const void *physical, void *dense, hlo_status *status);

/* Validates a layout against a shape (ranks, permutation, tile sizes > 0, padded_dimensions >= dims). */
bool hlo_layout_check(const hlo_shape *shape, const hlo_layout *layout, hlo_status *status);
/* {rank-1, ..., 0} for a missing layout. */
const hlo_layout *hlo_layout_row_major(hlo_arena *arena, int rank, hlo_status *status);
/* A deep copy into another arena. */
const hlo_layout *hlo_layout_copy(hlo_arena *arena, const hlo_layout *layout, hlo_status *status);
/* Bits an element takes in memory: E(n), else the type's whole bytes. */
int64_t hlo_layout_element_bits(const hlo_shape *shape);
/* The same places in memory, the same fields; NULL is row-major without any. */
bool hlo_layout_equal(const hlo_layout *a, const hlo_layout *b);
/* As printed between braces, without them: 1,0:T(2,2)L(16). */
void hlo_layout_write(hlo_writer *writer, const hlo_layout *layout, const hlo_shape *shape);
/* Reads a layout, braces included. Not yet checked against a shape: hlo_layout_check. */
const hlo_layout *hlo_layout_read(hlo_reader *reader, hlo_arena *arena);

#endif
