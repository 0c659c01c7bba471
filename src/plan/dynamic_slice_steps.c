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
static bool setup(const hlo_kernel_question *question, hlo_kernel_choice *choice, const hlo_shape *array, const hlo_shape *window, bool updates) {
  dynamic_parameters p = {.first_index = updates ? 2 : 1, .rank = array->rank, .bytes = hlo_plan_dense_bytes(array),
                          .map = {.rank = array->rank, .element_bytes = hlo_type_bytes(array->type)}};
  /* Starts may be one rank-1 operand; that form is the reference's. */
  if (question->instruction->operand_count != p.first_index + array->rank) return false;
  hlo_byte_strides(array, p.strides);
  hlo_byte_strides(array, updates ? p.map.out_strides : p.map.in_strides);
  hlo_byte_strides(window, updates ? p.map.in_strides : p.map.out_strides);
  for (int d = 0; d < array->rank; d++) {
    const hlo_shape *index = hlo_kernel_operand(question, p.first_index + d);
    if (index->rank != 0) return false;
    p.index_type[d] = index->type;
    p.last_start[d] = array->dims[d] - window->dims[d];
    p.map.dims[d] = window->dims[d];
  }
  hlo_strided_map_simplify(&p.map);
  choice->overwritable = updates;
  return HLO_RUN(question, choice, updates ? run_dynamic_update_slice : run_dynamic_slice, p);
}

bool hlo_setup_dynamic_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return setup(question, choice, hlo_kernel_operand(question, 0), question->instruction->shape, false);
}

bool hlo_setup_dynamic_update_slice(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  return setup(question, choice, question->instruction->shape, hlo_kernel_operand(question, 1), true);
}
