/* Row-major strides: how far apart the neighbours along each dimension of a dense array lie.
 *
 *   f32[2,3,4]   strides 12, 4, 1 in elements; 48, 16, 4 in bytes */
#ifndef HLO_SHAPE_STRIDES_H
#define HLO_SHAPE_STRIDES_H

#include "shape/shape.h"

/* Fills in the strides of these dimensions, in elements. Returns the number of elements. */
int64_t hlo_dims_strides(const int64_t *dims, int rank, int64_t *strides);
/* The same for the dimensions of a shape. */
int64_t hlo_shape_strides(const hlo_shape *shape, int64_t *strides);
/* Fills in the strides of a shape's dimensions, in bytes. */
void hlo_shape_byte_strides(const hlo_shape *shape, int64_t *strides);

#endif
