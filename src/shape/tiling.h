/* Applies one tile at a time: splits the bounds and the coordinates of a grid.
 *
 * Coordinates are physical, most major first. A tile covers the last dimensions of a grid; a longer
 * one acts as if the grid had more dimensions of size 1 in front. Each covered dimension of size d
 * under a tile of size t becomes ceil(d/t) tiles and t places within a tile:
 *
 *   bounds   ( ..., d2, d1 )  by (t2, t1)  ->  ( ..., ceil(d2/t2), ceil(d1/t1), t2, t1 )
 *   element  ( ..., e2, e1 )               ->  ( ..., e2 / t2, e1 / t1, e2 % t2, e1 % t1 )
 *
 * A dimension under '*' is first multiplied into the next minor one. */
#ifndef HLO_SHAPE_TILING_H
#define HLO_SHAPE_TILING_H

#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

typedef struct hlo_grid {
  int rank;
  int64_t bounds[HLO_MAX_TILED_RANK];
} hlo_grid;

/* The tiles of a layout in the order in which they apply. padded_dimensions count as a first tile, as large as the padded array.
 * `storage` (HLO_MAX_RANK values) may become the tile's dims. */
int hlo_layout_tile_count(const hlo_layout *layout);
hlo_tile hlo_layout_tile(const hlo_layout *layout, int i, int64_t *storage);

/* Returns the rank that a valid tile makes of a grid of rank `rank`; may exceed HLO_MAX_TILED_RANK. */
int hlo_tiled_rank(int rank, const hlo_tile *tile);

/* The physical dimensions of a shape, most major first. */
void hlo_grid_of_shape(const hlo_shape *shape, const int64_t *minor_to_major, hlo_grid *grid);
void hlo_grid_tile(const hlo_grid *grid, const hlo_tile *tile, hlo_grid *tiled);

/* Converts coordinates in `grid` to coordinates in the tiled grid, and back; the way back returns false in padding. */
void hlo_tile_coordinates(const hlo_grid *grid, const hlo_tile *tile, const int64_t *at, int64_t *tiled_at);
bool hlo_untile_coordinates(const hlo_grid *grid, const hlo_tile *tile, const int64_t *tiled_at, int64_t *at);

#endif
