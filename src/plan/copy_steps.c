/* Steps that are one strided copy: the operand as the operation sees it. */
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

typedef struct copy_parameters {
  int64_t in_offset; /* bytes */
  hlo_strided_map map;
} copy_parameters;

static void run_copy(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const copy_parameters *p = parameters;
  hlo_strided_copy_shared(&p->map, (const char *)operands[0] + p->in_offset, result, team);
}

bool hlo_setup_view(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *shape = question->instruction->shape;
  int64_t bytes = hlo_type_bytes(shape->type), stride = bytes;
  hlo_view view;
  hlo_strides strides;
  hlo_view_start(&view, shape, shape);
  hlo_view_through(&view, question->computation, question->instruction);
  hlo_view_strides(&view, &strides);
  copy_parameters p = {.in_offset = strides.offset * bytes, .map = {.rank = strides.count, .element_bytes = (int)bytes}};
  for (int d = strides.count - 1; d >= 0; d--) {
    p.map.dims[d] = strides.sizes[d];
    p.map.in_strides[d] = strides.strides[d] * bytes;
    p.map.out_strides[d] = stride;
    stride *= strides.sizes[d];
  }
  hlo_strided_map_simplify(&p.map);
  return HLO_RUN(question, choice, run_copy, p);
}
