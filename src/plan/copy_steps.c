/* Steps that are one strided copy: each operation says which input strides its output dimensions have. */
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

/* A copy to the whole result; in_strides are still to be set, in bytes. */
static copy_parameters whole_result(const hlo_kernel_question *question, int64_t *in_strides) {
  const hlo_shape *shape = question->instruction->shape;
  copy_parameters p = {.map = {.rank = shape->rank, .element_bytes = hlo_type_bytes(shape->type)}};
  hlo_row_major_strides(shape, p.map.out_strides);
  hlo_row_major_strides(hlo_operand(question->computation, question->instruction, 0)->shape, in_strides);
  for (int d = 0; d < shape->rank; d++) {
    p.map.dims[d] = shape->dims[d];
    p.map.out_strides[d] *= p.map.element_bytes;
  }
  return p;
}

static bool finish(const hlo_kernel_question *question, hlo_kernel_choice *choice, copy_parameters *p) {
  hlo_strided_map_simplify(&p->map);
  choice->run_shared = run_copy;
  choice->parameters = HLO_KEEP(question, *p);
  return choice->parameters != NULL;
}

bool hlo_setup_transpose(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  int64_t in_strides[HLO_MAX_RANK];
  copy_parameters p = whole_result(question, in_strides);
  hlo_ints permutation = hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions);
  for (int d = 0; d < p.map.rank; d++) p.map.in_strides[d] = in_strides[permutation.data[d]] * p.map.element_bytes;
  return finish(question, choice, &p);
}

bool hlo_setup_broadcast(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  int64_t in_strides[HLO_MAX_RANK];
  copy_parameters p = whole_result(question, in_strides);
  const hlo_shape *operand = hlo_operand(question->computation, question->instruction, 0)->shape;
  hlo_ints dimensions = hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions);
  for (int i = 0; i < dimensions.count; i++) /* a dimension of size 1 is repeated, where it grows */
    p.map.in_strides[dimensions.data[i]] = operand->dims[i] == 1 ? 0 : in_strides[i] * p.map.element_bytes;
  return finish(question, choice, &p);
}

bool hlo_setup_reverse(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  int64_t in_strides[HLO_MAX_RANK];
  copy_parameters p = whole_result(question, in_strides);
  hlo_ints dimensions = hlo_instruction_ints(question->instruction, HLO_ATTR_dimensions);
  for (int d = 0; d < p.map.rank; d++) p.map.in_strides[d] = in_strides[d] * p.map.element_bytes;
  for (int i = 0; i < dimensions.count; i++) {
    int64_t d = dimensions.data[i];
    if (p.map.dims[d] == 0) continue;
    p.in_offset += p.map.in_strides[d] * (p.map.dims[d] - 1);
    p.map.in_strides[d] = -p.map.in_strides[d];
  }
  return finish(question, choice, &p);
}

bool hlo_setup_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  int64_t in_strides[HLO_MAX_RANK];
  copy_parameters p = whole_result(question, in_strides);
  const hlo_slice *slice = hlo_instruction_attribute(question->instruction, HLO_ATTR_slice)->slice;
  for (int d = 0; d < p.map.rank; d++) {
    p.in_offset += slice->dims[d].start * in_strides[d] * p.map.element_bytes;
    p.map.in_strides[d] = in_strides[d] * slice->dims[d].stride * p.map.element_bytes;
  }
  return finish(question, choice, &p);
}
