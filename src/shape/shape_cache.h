/* The shapes that were copied to an arena last. Instructions of a program have few shapes among them: of equal ones, one copy is enough. */
#ifndef HLO_SHAPE_SHAPE_CACHE_H
#define HLO_SHAPE_SHAPE_CACHE_H

#include "base/arena.h"
#include "base/status.h"
#include "shape/shape.h"

enum { HLO_SHAPE_CACHE_SLOTS = 256 };

/* Empty when zeroed. */
typedef struct hlo_shape_cache {
  const hlo_shape *copies[HLO_SHAPE_CACHE_SLOTS]; /* by hash of type and dimensions */
} hlo_shape_cache;

/* Like hlo_shape_copy, but of an array without layout and quantization it may return an earlier copy. The arena is the same in every call. */
const hlo_shape *hlo_shape_cache_copy(hlo_shape_cache *cache, hlo_arena *arena, const hlo_shape *shape, hlo_status *status);

#endif
