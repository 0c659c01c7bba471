/* gather: for every index vector, a window of the operand, copied as runs of contiguous memory where it is one. */
#include "base/parts.h"
#include "kernels/gather_runs.h"
#include "kernels/strided_copy.h"
#include "plan/index_steps.h"

typedef struct gather_parameters {
  hlo_index_batch batch;
  int64_t run_bytes; /* the window is one run; -1: the map copies it */
  hlo_strided_map window;
  double window_nanoseconds; /* about */
} gather_parameters;

typedef struct gather_arrays {
  const gather_parameters *parameters;
  const char *in;
  char *out;
} gather_arrays;

static void copy_windows(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride) {
  const gather_arrays *arrays = context;
  const gather_parameters *p = arrays->parameters;
  char *out = arrays->out + first;
  if (p->run_bytes >= 0) {
    hlo_gather_runs_simd128(arrays->in, offsets, count, out, stride, (size_t)p->run_bytes);
    return;
  }
  for (int i = 0; i < count; i++) hlo_strided_copy_simd128(&p->window, arrays->in + offsets[i], out + i * stride);
}

/* A part of one dimension of the batch, the longest. */
typedef struct shared_gather {
  const gather_arrays *arrays;
  const char *indices;
  int dimension;
} shared_gather;

static void gather_part(const void *context, int64_t first, int64_t count, int thread) {
  const shared_gather *s = context;
  const hlo_index_batch *whole = &s->arrays->parameters->batch;
  int d = s->dimension;
  hlo_index_batch part = *whole;
  part.dims[d] = count;
  gather_arrays arrays = *s->arrays;
  arrays.in += first * whole->array_strides[d];
  arrays.out += first * whole->windows_strides[d];
  hlo_index_batch_visit(&part, s->indices + first * whole->index_strides[d] * hlo_type_bytes(whole->index_type), copy_windows, &arrays);
}

static void run_gather(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const gather_parameters *p = parameters;
  gather_arrays arrays = {p, operands[0], result};
  shared_gather s = {.arrays = &arrays, .indices = operands[1]};
  double windows = 1;
  for (int d = 0; d < p->batch.rank; d++) {
    windows *= (double)p->batch.dims[d];
    if (p->batch.dims[d] > p->batch.dims[s.dimension]) s.dimension = d;
  }
  hlo_parts_run(team, p->batch.dims[s.dimension], HLO_INDEX_BLOCK, windows * p->window_nanoseconds, gather_part, &s);
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
  gather_parameters p = {.run_bytes = -1};
  hlo_index_batch_describe(instruction, &attributes, operand, hlo_instruction_ints(instruction, HLO_ATTR_slice_sizes)->data,
                           indices, instruction->shape, &p.batch, &p.window);
  int bytes = p.window.element_bytes;
  if (p.window.rank == 0) p.run_bytes = bytes;
  else if (p.window.rank == 1 && p.window.in_strides[0] == bytes && p.window.out_strides[0] == bytes) p.run_bytes = p.window.dims[0] * bytes;
  double window_bytes = bytes;
  for (int d = 0; d < p.window.rank; d++) window_bytes *= (double)p.window.dims[d];
  p.window_nanoseconds = 5 + window_bytes / 8;
  return HLO_RUN(question, choice, run_gather, p);
}
