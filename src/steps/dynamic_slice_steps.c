/* dynamic-slice and dynamic-update-slice: the strided copy of the window, and how starts become an offset. */
#include "kernels/move/dynamic_slice.h"
#include "kernels/move/strided_copy.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "shape/strides.h"
#include "steps/kernel_table.h"

/* `array` is the shape that is indexed, `window` the shape that is read from it or written to it. */
static bool setup(const hlo_kernel_question *question, hlo_kernel_choice *choice, const hlo_shape *array, const hlo_shape *window, bool updates) {
  hlo_dynamic_slice_parameters p = {.first_index = updates ? 2 : 1, .rank = array->rank, .bytes = hlo_shape_dense_bytes(array),
                          .map = {.rank = array->rank, .element_bytes = hlo_type_bytes(array->type)}};
  /* The old form, in which all starts are one operand of rank 1, is left to the reference. */
  if (question->instruction->operand_count != p.first_index + array->rank) return false;
  hlo_shape_byte_strides(array, p.strides);
  hlo_shape_byte_strides(array, updates ? p.map.out_strides : p.map.in_strides);
  hlo_shape_byte_strides(window, updates ? p.map.in_strides : p.map.out_strides);
  for (int d = 0; d < array->rank; d++) {
    const hlo_shape *index = hlo_kernel_operand(question, p.first_index + d);
    if (index->rank != 0) return false;
    p.index_type[d] = index->type;
    p.last_start[d] = array->dims[d] - window->dims[d];
    p.map.dims[d] = window->dims[d];
  }
  hlo_strided_map_simplify(&p.map);
  choice->overwritable = updates;
  if (!updates && hlo_strided_map_is_one_piece(&p.map)) choice->find = hlo_find_dynamic_slice;
  return HLO_RUN(question, choice, updates ? hlo_dynamic_update_slice_run : hlo_dynamic_slice_run, p);
}

bool hlo_setup_dynamic_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return setup(question, choice, hlo_kernel_operand(question, 0), question->instruction->shape, false);
}

bool hlo_setup_dynamic_update_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return setup(question, choice, question->instruction->shape, hlo_kernel_operand(question, 1), true);
}
