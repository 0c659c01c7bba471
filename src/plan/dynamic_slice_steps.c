/* dynamic-slice and dynamic-update-slice: a strided copy whose place is known when it runs. */
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

typedef struct dynamic_parameters {
  int first_index; /* which operand is the start of dimension 0 */
  int rank;
  int64_t bytes; /* of the whole array, for updates */
  hlo_type index_type[HLO_MAX_RANK];
  int64_t last_start[HLO_MAX_RANK]; /* starts are clamped to it */
  int64_t strides[HLO_MAX_RANK];    /* of the array that is indexed, in bytes */
  hlo_strided_map map;
} dynamic_parameters;

static int64_t offset_of_start(const dynamic_parameters *p, const void *const *operands) {
  int64_t offset = 0;
  for (int d = 0; d < p->rank; d++) {
    hlo_scalar start = hlo_scalar_load(p->index_type[d], operands[p->first_index + d], 0);
    int64_t clamped = hlo_type_is_signed(p->index_type[d]) && start.s < 0 ? 0
                      : start.u > (uint64_t)p->last_start[d]                ? p->last_start[d]
                                                                             : start.s;
    offset += clamped * p->strides[d];
  }
  return offset;
}

static void run_dynamic_slice(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const dynamic_parameters *p = parameters;
  hlo_strided_copy_shared(&p->map, (const char *)operands[0] + offset_of_start(p, operands), result, team);
}

static void run_dynamic_update_slice(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const dynamic_parameters *p = parameters;
  int64_t offset = offset_of_start(p, operands);
  if (result != operands[0]) hlo_copy_shared(operands[0], result, p->bytes, team);
  if (result != operands[1]) hlo_strided_copy_shared(&p->map, operands[1], (char *)result + offset, team);
}

/* `array` is indexed, `window` is the shape that is read from or written to it. */
static bool setup(const hlo_kernel_question *question, dynamic_parameters *p, const hlo_shape *array, const hlo_shape *window) {
  int bytes = hlo_type_bytes(array->type);
  p->rank = array->rank;
  p->bytes = hlo_row_major_strides(array, p->strides) * bytes;
  p->map = (hlo_strided_map){.rank = array->rank, .element_bytes = bytes};
  /* Starts may be one rank-1 operand; that form is the reference's. */
  if (question->instruction->operand_count != p->first_index + array->rank) return false;
  for (int d = 0; d < array->rank; d++) {
    const hlo_shape *index = hlo_operand(question->computation, question->instruction, p->first_index + d)->shape;
    if (index->rank != 0) return false;
    p->index_type[d] = index->type;
    p->last_start[d] = array->dims[d] - window->dims[d];
    p->strides[d] *= bytes;
    p->map.dims[d] = window->dims[d];
  }
  return true;
}

bool hlo_setup_dynamic_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  dynamic_parameters p = {.first_index = 1};
  const hlo_shape *array = hlo_operand(question->computation, question->instruction, 0)->shape;
  const hlo_shape *window = question->instruction->shape;
  if (!setup(question, &p, array, window)) return false;
  hlo_row_major_strides(window, p.map.out_strides);
  for (int d = 0; d < p.rank; d++) {
    p.map.in_strides[d] = p.strides[d];
    p.map.out_strides[d] *= p.map.element_bytes;
  }
  hlo_strided_map_simplify(&p.map);
  choice->run_shared = run_dynamic_slice;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}

bool hlo_setup_dynamic_update_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  dynamic_parameters p = {.first_index = 2};
  const hlo_shape *window = hlo_operand(question->computation, question->instruction, 1)->shape;
  if (!setup(question, &p, question->instruction->shape, window)) return false;
  hlo_row_major_strides(window, p.map.in_strides);
  for (int d = 0; d < p.rank; d++) {
    p.map.out_strides[d] = p.strides[d];
    p.map.in_strides[d] *= p.map.element_bytes;
  }
  hlo_strided_map_simplify(&p.map);
  choice->overwritable = 1;
  choice->run_shared = run_dynamic_update_slice;
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters != NULL;
}
