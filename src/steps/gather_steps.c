/* gather: an index batch, and a window that is one run or a strided copy. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/move/gather.h"
#include "shape/shape.h"
#include "steps/index_steps.h"
#include "steps/kernel_table.h"

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
  return HLO_RUN(question, choice, hlo_gather_run, p);
}
