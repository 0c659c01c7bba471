/* The tiling formula of XLA's "Tiled layout", with its two generalisations: tiles of another rank than
 * the array's, and combined dimensions. */
#include "shape/tiling.h"

#include "base/checked.h"

static bool is_padded(const hlo_layout *layout) { return layout->padded_dimensions && layout->rank; }

int hlo_layout_tile_count(const hlo_layout *layout) { return layout->tile_count + is_padded(layout); }

hlo_tile hlo_layout_tile(const hlo_layout *layout, int i, int64_t *storage) {
  if (!is_padded(layout)) return layout->tiles[i];
  if (i > 0) return layout->tiles[i - 1];
  for (int d = 0; d < layout->rank; d++) {
    int64_t size = layout->padded_dimensions[layout->minor_to_major[layout->rank - 1 - d]];
    storage[d] = size > 0 ? size : 1; /* the tile of an empty dimension may have any size but 0 */
  }
  return (hlo_tile){layout->rank, storage};
}

static int split_count(const hlo_tile *tile) {
  int count = 0;
  for (int i = 0; i < tile->rank; i++) count += tile->dims[i] != HLO_TILE_COMBINE;
  return count;
}

static int kept_rank(int rank, const hlo_tile *tile) { return rank > tile->rank ? rank - tile->rank : 0; }

int hlo_tiled_rank(int rank, const hlo_tile *tile) { return kept_rank(rank, tile) + 2 * split_count(tile); }

void hlo_grid_of_shape(const hlo_shape *shape, const int64_t *minor_to_major, hlo_grid *grid) {
  grid->rank = shape->rank;
  for (int i = 0; i < shape->rank; i++) grid->bounds[i] = shape->dims[minor_to_major[shape->rank - 1 - i]];
}

/* The grid's dimension under dimension i of the tile; negative for one in front of the grid, of size 1. */
static int covered(const hlo_grid *grid, const hlo_tile *tile, int i) { return grid->rank - tile->rank + i; }

static int64_t bound_at(const hlo_grid *grid, int dimension) { return dimension < 0 ? 1 : grid->bounds[dimension]; }

void hlo_grid_tile(const hlo_grid *grid, const hlo_tile *tile, hlo_grid *tiled) {
  int kept = kept_rank(grid->rank, tile), splits = split_count(tile), split = kept;
  for (int i = 0; i < kept; i++) tiled->bounds[i] = grid->bounds[i];
  int64_t bound = 1;
  for (int i = 0; i < tile->rank; i++) {
    bound *= bound_at(grid, covered(grid, tile, i));
    if (tile->dims[i] == HLO_TILE_COMBINE) continue;
    tiled->bounds[split] = hlo_ceil_div(bound, tile->dims[i]);
    tiled->bounds[split + splits] = tile->dims[i];
    split++;
    bound = 1;
  }
  tiled->rank = kept + 2 * splits;
}

void hlo_tile_coordinates(const hlo_grid *grid, const hlo_tile *tile, const int64_t *at, int64_t *tiled_at) {
  int kept = kept_rank(grid->rank, tile), splits = split_count(tile), split = kept;
  for (int i = 0; i < kept; i++) tiled_at[i] = at[i];
  int64_t place = 0;
  for (int i = 0; i < tile->rank; i++) {
    int dimension = covered(grid, tile, i);
    place = place * bound_at(grid, dimension) + (dimension < 0 ? 0 : at[dimension]);
    if (tile->dims[i] == HLO_TILE_COMBINE) continue;
    tiled_at[split] = place / tile->dims[i];
    tiled_at[split + splits] = place % tile->dims[i];
    split++;
    place = 0;
  }
}

/* Splits `place` into the coordinates of the combined dimensions first to last. Returns false if it lies outside of them. */
static bool uncombine(const hlo_grid *grid, int first, int last, int64_t place, int64_t *at) {
  for (int dimension = last; dimension >= first; dimension--) {
    int64_t bound = bound_at(grid, dimension);
    if (bound == 0) return false;
    int64_t coordinate = dimension == first ? place : place % bound;
    if (coordinate >= bound) return false;
    if (dimension >= 0) at[dimension] = coordinate;
    place /= bound;
  }
  return true;
}

bool hlo_untile_coordinates(const hlo_grid *grid, const hlo_tile *tile, const int64_t *tiled_at, int64_t *at) {
  int kept = kept_rank(grid->rank, tile), splits = split_count(tile), split = kept;
  for (int i = 0; i < kept; i++) at[i] = tiled_at[i];
  int first = covered(grid, tile, 0);
  for (int i = 0; i < tile->rank; i++) {
    if (tile->dims[i] == HLO_TILE_COMBINE) continue;
    int last = covered(grid, tile, i);
    int64_t place = tiled_at[split] * tile->dims[i] + tiled_at[split + splits];
    if (!uncombine(grid, first, last, place, at)) return false;
    first = last + 1;
    split++;
  }
  return true;
}
