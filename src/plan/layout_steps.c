/* Dimension orders as strided copies: at the border, and for bitcast. */
#include "plan/kernel_table.h"
#include "plan/layout_map.h"
#include "shape/layout_index.h"

bool hlo_layout_map(const hlo_shape *shape, bool to_physical, hlo_strided_map *map) {
  hlo_status ignored = {0};
  hlo_layout_index index;
  if (!hlo_layout_index_init(&index, shape, &ignored) || !index.untiled) return false;
  int bytes = hlo_type_bytes(shape->type);
  if (hlo_layout_element_bits(shape) != 8 * bytes || index.aligned_elements != hlo_shape_element_count(shape)) return false;
  *map = (hlo_strided_map){.rank = shape->rank, .element_bytes = bytes};
  int64_t dense[HLO_MAX_RANK];
  hlo_row_major_strides(shape, dense);
  for (int d = 0; d < shape->rank; d++) {
    map->dims[d] = shape->dims[d];
    map->in_strides[d] = (to_physical ? dense[d] : index.strides[d]) * bytes;
    map->out_strides[d] = (to_physical ? index.strides[d] : dense[d]) * bytes;
  }
  hlo_strided_map_simplify(map);
  return true;
}

/* ---- bitcast: the operand as it lies in memory, read as the result lies there ---- */

typedef struct bitcast_parameters {
  hlo_strided_map to_physical, from_physical;
} bitcast_parameters;

static void run_bitcast(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const bitcast_parameters *p = parameters;
  hlo_strided_copy_shared(&p->to_physical, operands[0], scratch, team);
  hlo_strided_copy_shared(&p->from_physical, scratch, result, team);
}

bool hlo_setup_bitcast(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *from = hlo_kernel_operand(question, 0), *to = question->instruction->shape;
  bitcast_parameters p;
  if (!hlo_layout_map(from, true, &p.to_physical) || !hlo_layout_map(to, false, &p.from_physical)) return false;
  int64_t bytes = hlo_plan_dense_bytes(from);
  if (bytes != hlo_plan_dense_bytes(to)) return false;
  choice->scratch_bytes = bytes;
  return HLO_RUN(question, choice, run_bitcast, p);
}
