/* gather: for every index vector, a window of the operand, copied as runs of contiguous memory where it is one. */
#include <string.h>

#include "kernels/run_copy.h"
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

typedef struct gather_parameters {
  hlo_type index_type;
  int component_count;                 /* of an index vector */
  int64_t component_stride;            /* in elements, as all strides of the indices */
  int64_t last_start[HLO_MAX_RANK];    /* by component: starts are clamped to it */
  int64_t operand_stride[HLO_MAX_RANK]; /* by component, in bytes */
  int rank;                            /* of the batch of index vectors */
  int64_t dims[HLO_MAX_RANK], index_strides[HLO_MAX_RANK];
  int64_t out_strides[HLO_MAX_RANK], in_strides[HLO_MAX_RANK]; /* in bytes; in_strides: of batching dimensions, else 0 */
  int64_t run_bytes;                   /* the window is one run; -1: the map copies it */
  hlo_strided_map window;
} gather_parameters;

static inline int64_t start_of(const gather_parameters *p, const void *indices, int64_t at) {
  int64_t offset = 0;
  for (int i = 0; i < p->component_count; i++, at += p->component_stride) {
    int64_t start;
    if (p->index_type == HLO_TYPE_S32) {
      start = ((const int32_t *)indices)[at];
    } else {
      hlo_scalar value = hlo_scalar_load(p->index_type, indices, at);
      start = !hlo_type_is_signed(p->index_type) && value.u > INT64_MAX ? INT64_MAX : value.s;
    }
    offset += (start < 0 ? 0 : start > p->last_start[i] ? p->last_start[i] : start) * p->operand_stride[i];
  }
  return offset;
}

static void run_gather(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const gather_parameters *p = parameters;
  int64_t batch[HLO_MAX_RANK] = {0}, index = 0, out = 0, in = 0;
  for (int d = 0; d < p->rank; d++)
    if (p->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    const char *from = (const char *)operands[0] + in + start_of(p, operands[1], index);
    if (p->run_bytes >= 0) hlo_run_copy(from, (char *)result + out, p->run_bytes);
    else hlo_strided_copy_simd128(&p->window, from, (char *)result + out);
    for (d = p->rank - 1; d >= 0; d--) { /* on to the next */
      index += p->index_strides[d];
      out += p->out_strides[d];
      in += p->in_strides[d];
      if (++batch[d] < p->dims[d]) break;
      index -= p->index_strides[d] * p->dims[d];
      out -= p->out_strides[d] * p->dims[d];
      in -= p->in_strides[d] * p->dims[d];
      batch[d] = 0;
    }
  }
}

static bool contains(hlo_ints ints, int64_t value) {
  for (int i = 0; i < ints.count; i++)
    if (ints.data[i] == value) return true;
  return false;
}

/* The batch: dimensions of the indices that hold no vector, in step with those of the result that hold no window. */
static void describe_batch(gather_parameters *p, const hlo_instruction *instruction, const hlo_shape *indices, const int64_t *in_strides,
                           const int64_t *out_strides, int bytes) {
  hlo_ints offset_dims = hlo_instruction_ints(instruction, HLO_ATTR_offset_dims);
  hlo_ints operand_batching = hlo_instruction_ints(instruction, HLO_ATTR_operand_batching_dims);
  hlo_ints indices_batching = hlo_instruction_ints(instruction, HLO_ATTR_start_indices_batching_dims);
  int64_t vector_dim = hlo_instruction_int(instruction, HLO_ATTR_index_vector_dim, 0), strides[HLO_MAX_RANK];
  hlo_row_major_strides(indices, strides);
  p->index_type = indices->type;
  p->component_stride = vector_dim < indices->rank ? strides[vector_dim] : 0;
  for (int d = 0, out = 0; d < indices->rank; d++) {
    if (d == vector_dim) continue;
    while (contains(offset_dims, out)) out++;
    p->dims[p->rank] = indices->dims[d];
    p->index_strides[p->rank] = strides[d];
    p->out_strides[p->rank] = out_strides[out++] * bytes;
    for (int i = 0; i < indices_batching.count; i++)
      if (indices_batching.data[i] == d) p->in_strides[p->rank] = in_strides[operand_batching.data[i]] * bytes;
    p->rank++;
  }
}

bool hlo_setup_gather(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *operand = hlo_operand(question->computation, instruction, 0)->shape;
  const hlo_shape *indices = hlo_operand(question->computation, instruction, 1)->shape;
  hlo_ints sizes = hlo_instruction_ints(instruction, HLO_ATTR_slice_sizes), map = hlo_instruction_ints(instruction, HLO_ATTR_start_index_map);
  hlo_ints offset_dims = hlo_instruction_ints(instruction, HLO_ATTR_offset_dims);
  hlo_ints collapsed = hlo_instruction_ints(instruction, HLO_ATTR_collapsed_slice_dims);
  hlo_ints batching = hlo_instruction_ints(instruction, HLO_ATTR_operand_batching_dims);
  int bytes = hlo_type_bytes(operand->type), window = 0;
  int64_t in_strides[HLO_MAX_RANK], out_strides[HLO_MAX_RANK];
  hlo_row_major_strides(operand, in_strides);
  hlo_row_major_strides(instruction->shape, out_strides);
  gather_parameters p = {.component_count = map.count, .run_bytes = -1, .window = {.rank = offset_dims.count, .element_bytes = bytes}};
  describe_batch(&p, instruction, indices, in_strides, out_strides, bytes);
  for (int i = 0; i < map.count; i++) {
    p.last_start[i] = operand->dims[map.data[i]] - sizes.data[map.data[i]];
    p.operand_stride[i] = in_strides[map.data[i]] * bytes;
  }
  for (int d = 0; d < operand->rank; d++) {
    if (contains(collapsed, d) || contains(batching, d)) continue;
    p.window.dims[window] = sizes.data[d];
    p.window.in_strides[window] = in_strides[d] * bytes;
    p.window.out_strides[window] = out_strides[offset_dims.data[window]] * bytes;
    window++;
  }
  hlo_strided_map_simplify(&p.window);
  if (p.window.rank == 0) p.run_bytes = bytes;
  else if (p.window.rank == 1 && p.window.in_strides[0] == bytes && p.window.out_strides[0] == bytes) p.run_bytes = p.window.dims[0] * bytes;
  choice->run = run_gather;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
