/* Logical index -> physical coordinates -> coordinates after each tile in turn -> one linear offset; and back. */
#include "shape/layout_index.h"

#include <string.h>

#include "base/checked.h"
#include "shape/element_type.h"
#include "shape/tiling.h"

/* Used if a shape has no layout. It has no minor_to_major, because the index holds that for any rank. */
static const hlo_layout default_layout = {.tail_padding_alignment_in_elements = 1};

/* ---- Resolving a layout ---- */

/* Counts the elements of a tiled grid. Zeros count as ones in the overflow check, so that partial products fit too. */
static bool grid_elements(const hlo_grid *grid, int64_t *elements) {
  int64_t guard = 1;
  *elements = 1;
  for (int i = 0; i < grid->rank; i++) {
    if (!hlo_checked_mul(guard, grid->bounds[i] ? grid->bounds[i] : 1, &guard)) return false;
    *elements *= grid->bounds[i];
  }
  return true;
}

/* Applies all tiles to the grid. grid_elements checks at each tile that the bounds fit. */
static bool tile_all(const hlo_layout_index *index, hlo_grid *grid, hlo_status *status) {
  for (int i = 0; i < hlo_layout_tile_count(index->layout); i++) {
    int64_t storage[HLO_MAX_RANK], elements;
    hlo_tile tile = hlo_layout_tile(index->layout, i, storage);
    if (hlo_tiled_rank(grid->rank, &tile) > HLO_MAX_TILED_RANK)
      return hlo_fail(status, HLO_LIMIT, "tiling %pS gives more than %d dimensions", index->shape, HLO_MAX_TILED_RANK);
    hlo_grid before = *grid;
    hlo_grid_tile(&before, &tile, grid);
    if (!grid_elements(grid, &elements))
      return hlo_fail(status, HLO_SHAPE, "%pS is padded to more elements than fit into 64 bits", index->shape);
  }
  return true;
}

static bool align_tail(hlo_layout_index *index, hlo_status *status) {
  int64_t alignment = index->layout->tail_padding_alignment_in_elements;
  if (alignment <= 1) {
    index->aligned_elements = index->padded_elements;
    return true;
  }
  int64_t blocks = hlo_ceil_div(index->padded_elements, alignment);
  if (hlo_checked_mul(blocks, alignment, &index->aligned_elements)) return true;
  return hlo_fail(status, HLO_SHAPE, "%pS is aligned to more elements than fit into 64 bits", index->shape);
}

/* Computes strides, and returns whether they are those of row-major order. Dimensions of size 1 do not matter. */
static bool resolve_strides(hlo_layout_index *index) {
  int64_t stride = 1, row_major_stride = 1;
  for (int i = 0; i < index->rank; i++) {
    int64_t dimension = index->minor_to_major[i], size = index->shape->dims[dimension];
    index->strides[dimension] = stride;
    stride *= size ? size : 1;
  }
  bool row_major = true;
  for (int d = index->rank - 1; d >= 0; d--) {
    int64_t size = index->shape->dims[d];
    row_major &= size == 1 || index->strides[d] == row_major_stride;
    row_major_stride *= size ? size : 1;
  }
  return row_major;
}

int64_t hlo_layout_element_bits(const hlo_shape *shape) {
  int64_t bits = shape->layout ? shape->layout->element_size_in_bits : 0;
  return bits ? bits : 8 * (int64_t)hlo_type_bytes(shape->type);
}

bool hlo_layout_index_init(hlo_layout_index *index, const hlo_shape *shape, hlo_status *status) {
  if (!hlo_shape_is_array(shape) || hlo_shape_has_unbounded(shape))
    return hlo_fail(status, HLO_SHAPE, "%pS has no places in memory", shape);
  memset(index, 0, sizeof *index);
  index->shape = shape;
  index->layout = shape->layout ? shape->layout : &default_layout;
  index->rank = shape->rank;
  if (shape->layout && !hlo_layout_check(shape, shape->layout, status)) return false;
  for (int i = 0; i < shape->rank; i++)
    index->minor_to_major[i] = shape->layout ? shape->layout->minor_to_major[i] : shape->rank - 1 - i;

  hlo_grid grid;
  hlo_grid_of_shape(shape, index->minor_to_major, &grid);
  if (!tile_all(index, &grid, status)) return false;
  grid_elements(&grid, &index->padded_elements);
  if (!align_tail(index, status)) return false;

  index->untiled = hlo_layout_tile_count(index->layout) == 0;
  bool row_major = index->untiled && resolve_strides(index);
  bool packed = hlo_layout_element_bits(shape) != 8 * hlo_type_bytes(shape->type);
  index->dense_row_major = row_major && !packed && index->aligned_elements == hlo_shape_element_count(shape);
  return true;
}

/* ---- Arithmetic ---- */

/* Computes the coordinates in the grid after all tiles. */
static void tiled_coordinates(const hlo_layout_index *index, const int64_t *multi_index, hlo_grid *grid, int64_t *at) {
  hlo_grid_of_shape(index->shape, index->minor_to_major, grid);
  for (int i = 0; i < index->rank; i++) at[i] = multi_index[index->minor_to_major[index->rank - 1 - i]];
  for (int i = 0; i < hlo_layout_tile_count(index->layout); i++) {
    int64_t storage[HLO_MAX_RANK], before_at[HLO_MAX_TILED_RANK];
    hlo_tile tile = hlo_layout_tile(index->layout, i, storage);
    hlo_grid before = *grid;
    memcpy(before_at, at, (size_t)before.rank * sizeof *at);
    hlo_tile_coordinates(&before, &tile, before_at, at);
    hlo_grid_tile(&before, &tile, grid);
  }
}

int64_t hlo_layout_offset(const hlo_layout_index *index, const int64_t *multi_index) {
  if (index->untiled) {
    int64_t offset = 0;
    for (int i = 0; i < index->rank; i++) offset += multi_index[i] * index->strides[i];
    return offset;
  }
  hlo_grid grid;
  int64_t at[HLO_MAX_TILED_RANK];
  tiled_coordinates(index, multi_index, &grid, at);
  return hlo_index_linear(grid.bounds, grid.rank, at);
}

int hlo_layout_tiled_index(const hlo_layout_index *index, const int64_t *multi_index, int64_t *coordinates,
                           int64_t *bounds) {
  hlo_grid grid;
  tiled_coordinates(index, multi_index, &grid, coordinates);
  memcpy(bounds, grid.bounds, (size_t)grid.rank * sizeof *bounds);
  return grid.rank;
}

/* Removes tiles from the last to the i-th: converts an offset in the grid after all tiles to coordinates in `grid`, the one
 * before the i-th tile. Recurses at most HLO_MAX_TILED_RANK levels, because every tile adds a dimension. */
static bool untile_from(const hlo_layout_index *index, int i, const hlo_grid *grid, int64_t offset, int64_t *at) {
  if (i == hlo_layout_tile_count(index->layout)) {
    hlo_index_multi(grid->bounds, grid->rank, offset, at);
    return true;
  }
  int64_t storage[HLO_MAX_RANK], tiled_at[HLO_MAX_TILED_RANK];
  hlo_tile tile = hlo_layout_tile(index->layout, i, storage);
  hlo_grid tiled;
  hlo_grid_tile(grid, &tile, &tiled);
  return untile_from(index, i + 1, &tiled, offset, tiled_at) && hlo_untile_coordinates(grid, &tile, tiled_at, at);
}

bool hlo_layout_multi_index(const hlo_layout_index *index, int64_t offset, int64_t *multi_index) {
  if (offset < 0 || offset >= index->padded_elements) return false;
  hlo_grid grid;
  int64_t at[HLO_MAX_TILED_RANK];
  hlo_grid_of_shape(index->shape, index->minor_to_major, &grid);
  if (!untile_from(index, 0, &grid, offset, at)) return false;
  for (int i = 0; i < index->rank; i++) multi_index[index->minor_to_major[index->rank - 1 - i]] = at[i];
  return true;
}

/* ---- Row-major order ---- */

bool hlo_index_next(const int64_t *dims, int rank, int64_t *multi_index) {
  for (int i = rank - 1; i >= 0; i--) {
    if (++multi_index[i] < dims[i]) return true;
    multi_index[i] = 0;
  }
  return false;
}

int64_t hlo_index_linear(const int64_t *dims, int rank, const int64_t *multi_index) {
  int64_t linear = 0;
  for (int i = 0; i < rank; i++) linear = linear * dims[i] + multi_index[i];
  return linear;
}

void hlo_index_multi(const int64_t *dims, int rank, int64_t linear, int64_t *multi_index) {
  for (int i = rank - 1; i >= 0; i--) {
    multi_index[i] = dims[i] ? linear % dims[i] : 0;
    if (dims[i]) linear /= dims[i];
  }
}
