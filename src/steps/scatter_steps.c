/* scatter of one array: an index batch, and a window that is combined run after run. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/bits_combine.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/move/index_batch.h"
#include "kernels/move/scatter.h"
#include "kernels/move/strided_copy.h"
#include "loops/applied_program_make.h"
#include "loops/scalar_ops.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "steps/index_steps.h"
#include "steps/kernel_table.h"

/* Finds how the computation combines elements: by an operation (HLO_SCALAR_NONE where updates replace elements), or by a program. Returns false where no
 * kernel computes it. */
static bool find_combine(const hlo_kernel_question *question, hlo_type type, hlo_scalar_op *combine, hlo_scatter_parameters *p) {
  const hlo_computation *c = hlo_instruction_computation(question->module, question->instruction, HLO_ATTR_to_apply);
  const hlo_instruction *root = hlo_computation_root(c);
  hlo_opcode opcode;
  *combine = HLO_SCALAR_NONE;
  p->bits = hlo_bits_combine_of(root->opcode, type);
  if (root->shape->type != type) return false;
  if (root->index == c->parameters[1]) return true;
  if (hlo_computation_is_binary_op(c, &opcode)) {
    /* The reference takes long sums of narrow types in a wider one. */
    if (opcode == HLO_OP_ADD && hlo_type_is_float(type) && hlo_type_bits(type) < 32) return false;
    *combine = hlo_scalar_op_of(opcode, type, type, HLO_ANY_VARIANT);
    return *combine != HLO_SCALAR_NONE;
  }
  hlo_applied_program program;
  for (int n = 0; n < 2; n++)
    if (hlo_instruction_at(c, c->parameters[n])->shape->type != type) return false;
  p->program = hlo_applied_program_make(c, &program) ? HLO_KERNEL_COPY(question, program) : NULL;
  return p->program != NULL;
}

/* Returns the number of places at which windows may begin, if a team may share the step, else 1. Windows at two different indices have no element in common if
 * they are one element wide in all dimensions that are indexed. */
static int64_t places_of(const hlo_index_batch *batch, hlo_ints map, const int64_t *sizes) {
  int64_t places = 1;
  for (int d = 0; d < batch->rank; d++) places += (batch->dims[d] - 1) * batch->array_strides[d];
  for (int c = 0; c < map.count; c++) {
    if (sizes[map.data[c]] != 1) return 1;
    places += batch->last_start[c] * batch->array_stride[c];
  }
  return places;
}

/* The loop over runs. */
static hlo_scatter_element element_loop(hlo_scalar_op combine, int bytes) {
  switch (combine) {
  case HLO_SCALAR_NONE: return bytes == 4 ? HLO_SCATTER_WORD : HLO_SCATTER_ANY;
  case HLO_SCALAR_f32_add: return HLO_SCATTER_ADD_F32;
  case HLO_SCALAR_f32_multiply: return HLO_SCATTER_MULTIPLY_F32;
  case HLO_SCALAR_f64_add: return HLO_SCATTER_ADD_F64;
  case HLO_SCALAR_i32_add: return HLO_SCATTER_ADD_S32;
  case HLO_SCALAR_f32_maximum: return HLO_SCATTER_MAXIMUM_F32;
  case HLO_SCALAR_f32_minimum: return HLO_SCATTER_MINIMUM_F32;
  default: return HLO_SCATTER_ANY;
  }
}

static void swap_sides(hlo_strided_map *map) {
  for (int d = 0; d < map->rank; d++) {
    int64_t kept = map->in_strides[d];
    map->in_strides[d] = map->out_strides[d];
    map->out_strides[d] = kept;
  }
  hlo_strided_map_simplify(map);
}

bool hlo_setup_scatter(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  if (instruction->operand_count != 3) return false;
  const hlo_shape *shapes[3];
  for (int n = 0; n < 3; n++) shapes[n] = hlo_kernel_operand(question, n);
  hlo_index_attributes attributes = {.window_dims = *hlo_instruction_ints(instruction, HLO_ATTR_update_window_dims),
                                     .map = *hlo_instruction_ints(instruction, HLO_ATTR_scatter_dims_to_operand_dims),
                                     .absent = *hlo_instruction_ints(instruction, HLO_ATTR_inserted_window_dims),
                                     .array_batching = *hlo_instruction_ints(instruction, HLO_ATTR_input_batching_dims),
                                     .index_batching = *hlo_instruction_ints(instruction, HLO_ATTR_scatter_indices_batching_dims)};
  const hlo_shape *operand = shapes[0];
  hlo_scatter_parameters p = {.batch = {.drops = true}, .run = 1,
                          .bytes = hlo_shape_element_count(operand) * hlo_type_bytes(operand->type)};
  hlo_scalar_op combine;
  if (shapes[2]->type != operand->type || !find_combine(question, operand->type, &combine, &p)) return false;
  p.combine = hlo_scalar_kernel(combine);
  int64_t sizes[HLO_MAX_RANK];
  hlo_index_windows_sizes(&attributes, operand, shapes[2], sizes);
  for (int d = 0; d < operand->rank; d++)
    if (sizes[d] > operand->dims[d] && p.bytes) return false;
  hlo_index_batch_describe(instruction, &attributes, operand, sizes, shapes[1], shapes[2], &p.batch, &p.window);
  swap_sides(&p.window);
  int last = p.window.rank - 1, bytes = p.window.element_bytes;
  if (last >= 0 && p.window.in_strides[last] == bytes && p.window.out_strides[last] == bytes) p.run = p.window.dims[last];
  p.places = places_of(&p.batch, attributes.map, sizes);
  bool is_run = p.window.rank == (p.run > 1);
  p.by_runs = is_run || p.places > 1;
  if (p.by_runs && !p.program) {
    bool replaces = combine == HLO_SCALAR_NONE;
    p.element = element_loop(combine, bytes);
    bool are_bits = replaces ? p.window.rank == 0 && !hlo_type_is_complex(operand->type) : p.bits.op && hlo_bits_are_fast(&p.bits, p.run);
    if (p.element == HLO_SCATTER_ANY && are_bits) p.element = HLO_SCATTER_BITS;
  }
  choice->overwritable = 1;
  if (p.program) choice->scratch_bytes = (int64_t)hlo_applied_program_scratch_bytes(p.program);
  else if (!p.combine) choice->kernel = "scatter_copies_simd128";
  p.nanoseconds = (double)hlo_shape_element_count(shapes[2]) / 2;
  /* Single elements are not shared: reading the indices is more work than adding them. */
  if (p.window.rank == 0 || p.program) p.places = 1;
  return HLO_RUN(question, choice, hlo_scatter_run, p);
}
