#include "kernels/move/layout_map.h"

#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/strides.h"

bool hlo_layout_map(const hlo_shape *shape, bool to_physical, hlo_strided_map *map) {
  hlo_status ignored = {0};
  hlo_layout_index index;
  if (!hlo_layout_index_init(&index, shape, &ignored) || !index.untiled) return false;
  int bytes = hlo_type_bytes(shape->type);
  if (hlo_layout_element_bits(shape) != 8 * bytes || index.aligned_elements != hlo_shape_element_count(shape)) return false;
  *map = (hlo_strided_map){.rank = shape->rank, .element_bytes = bytes};
  int64_t dense[HLO_MAX_RANK];
  hlo_shape_strides(shape, dense);
  for (int d = 0; d < shape->rank; d++) {
    map->dims[d] = shape->dims[d];
    map->in_strides[d] = (to_physical ? dense[d] : index.strides[d]) * bytes;
    map->out_strides[d] = (to_physical ? index.strides[d] : dense[d]) * bytes;
  }
  hlo_strided_map_simplify(map);
  return true;
}
