/* gather: an index batch, and a window that is one run or a strided copy. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/move/gather.h"
#include "kernels/product/narrow_matrix.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/index_steps.h"
#include "steps/kernel_table.h"
#include "steps/packing.h"

/* Keeps a large constant of 4 bits two in a byte, where windows are its rows: as a dot that reads rows along k, which may share it. */
static void pack(const hlo_kernel_question *question, hlo_gather_parameters *p, hlo_kernel_choice *choice) {
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  const hlo_literal *literal = hlo_kernel_constant_of(question->computation, hlo_operand(question->computation, question->instruction, 0));
  int64_t k = p->run_bytes;
  if (!literal || !literal->shared || (shape->type != HLO_TYPE_S4 && shape->type != HLO_TYPE_U4) || k <= 0 || k % 8) return;
  for (int c = 0; c < p->batch.component_count; c++)
    if (p->batch.array_stride[c] % k) return;
  for (int d = 0; d < p->batch.rank; d++)
    if (p->batch.array_strides[d]) return;
  hlo_narrow_form form = {.k = k, .n = hlo_shape_element_count(shape) / k, .k_stride = 1, .n_stride = k};
  p->packed = hlo_pack_nibbles(question, literal, &form);
  if (!p->packed) return;
  p->is_signed = shape->type == HLO_TYPE_S4;
  p->window_nanoseconds += (double)k;
  choice->kernel = "gather_nibbles";
  choice->operands[0] = choice->operands[1];
  choice->operand_count = 1;
}

bool hlo_setup_gather(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_kernel_operand(question, 0);
  const hlo_shape *indices = hlo_kernel_operand(question, 1);
  hlo_index_attributes attributes = {.window_dims = *hlo_instruction_ints(instruction, HLO_ATTR_offset_dims),
                                     .map = *hlo_instruction_ints(instruction, HLO_ATTR_start_index_map),
                                     .absent = *hlo_instruction_ints(instruction, HLO_ATTR_collapsed_slice_dims),
                                     .array_batching = *hlo_instruction_ints(instruction, HLO_ATTR_operand_batching_dims),
                                     .index_batching = *hlo_instruction_ints(instruction, HLO_ATTR_start_indices_batching_dims)};
  hlo_gather_parameters p = {.run_bytes = -1};
  hlo_index_batch_describe(instruction, &attributes, operand, hlo_instruction_ints(instruction, HLO_ATTR_slice_sizes)->data,
                           indices, instruction->shape, &p.batch, &p.window);
  int bytes = p.window.element_bytes;
  if (p.window.rank == 0) p.run_bytes = bytes;
  else if (p.window.rank == 1 && p.window.in_strides[0] == bytes && p.window.out_strides[0] == bytes) p.run_bytes = p.window.dims[0] * bytes;
  double window_bytes = bytes;
  for (int d = 0; d < p.window.rank; d++) window_bytes *= (double)p.window.dims[d];
  p.window_nanoseconds = 5 + window_bytes / 8;
  pack(question, &p, choice);
  return HLO_RUN(question, choice, hlo_gather_run, p);
}
