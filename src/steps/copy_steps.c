/* transpose, broadcast, reverse and slice: the operand, seen as the operation sees it, becomes one strided copy. */
#include "kernels/move/strided_copy.h"
#include "kernels/move/view_copy.h"
#include "loops/view.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

bool hlo_setup_strided_copy(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_shape *shape = question->instruction->shape;
  int64_t bytes = hlo_type_bytes(shape->type), stride = bytes;
  hlo_view view;
  hlo_strides strides;
  hlo_view_start(&view, shape, shape);
  hlo_view_through(&view, question->computation, question->instruction);
  hlo_view_strides(&view, &strides);
  hlo_view_copy_parameters p = {.in_offset = strides.offset * bytes, .map = {.rank = strides.count, .element_bytes = (int)bytes}};
  for (int d = strides.count - 1; d >= 0; d--) {
    p.map.dims[d] = strides.sizes[d];
    p.map.in_strides[d] = strides.strides[d] * bytes;
    p.map.out_strides[d] = stride;
    stride *= strides.sizes[d];
  }
  hlo_strided_map_simplify(&p.map);
  if (hlo_strided_map_is_one_piece(&p.map)) choice->find = hlo_find_view;
  return HLO_RUN(question, choice, hlo_view_copy_run, p);
}
