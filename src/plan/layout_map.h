/* Layouts that are nothing but an order of dimensions, as strided copies. */
#ifndef HLO_PLAN_LAYOUT_MAP_H
#define HLO_PLAN_LAYOUT_MAP_H

#include "kernels/strided_copy.h"
#include "shape/shape.h"

/* The copy from the bytes of the shape's layout to dense row-major ones, or the other way. False where a strided copy
 * does not do it: tiles, packed elements, padding. */
bool hlo_layout_map(const hlo_shape *shape, bool to_physical, hlo_strided_map *map);

#endif
