/* Copies of shapes, found by a hash. A shape takes the slot of one with the same hash: then the next equal to that is copied again. */
#include "shape/shape_cache.h"

#include <stdint.h>

static uint32_t hash_of(const hlo_shape *shape) {
  uint32_t hash = 0x811c9dc5 ^ (uint32_t)shape->type; /* FNV-1a, a dimension at a time */
  for (int d = 0; d < shape->rank; d++) hash = (hash ^ (uint32_t)shape->dims[d]) * 0x01000193;
  return hash ^ hash >> 16;
}

const hlo_shape *hlo_shape_cache_copy(hlo_shape_cache *cache, hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  if (!hlo_shape_is_array(shape) || shape->layout || shape->quantization) return hlo_shape_copy(arena, shape, status);
  const hlo_shape **slot = &cache->copies[hash_of(shape) % HLO_SHAPE_CACHE_SLOTS];
  if (!*slot || !hlo_shape_compatible(*slot, shape)) *slot = hlo_shape_copy(arena, shape, status);
  return *slot;
}
