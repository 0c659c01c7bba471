/* Layouts that are nothing but an order of dimensions, as strided copies: how parameters and results cross the border of a plan. */
#ifndef HLO_KERNELS_MOVE_LAYOUT_MAP_H
#define HLO_KERNELS_MOVE_LAYOUT_MAP_H

#include "kernels/move/strided_copy.h"
#include "shape/shape.h"

/* Makes the copy between the bytes of the shape's layout and dense row-major elements: to the layout where to_physical, else from it.
 * Returns false where the layout has tiles, packed elements or padding, for which a strided copy does not do. */
bool hlo_layout_map(const hlo_shape *shape, bool to_physical, hlo_strided_map *map);

#endif
