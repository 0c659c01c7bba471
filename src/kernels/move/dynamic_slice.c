#include "kernels/move/dynamic_slice.h"

#include "base/team.h"

/* The offset in the array at which the window begins, in bytes. */
static int64_t offset_of_start(const hlo_dynamic_slice_parameters *p, const void *const *operands) {
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

void hlo_dynamic_slice_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_dynamic_slice_parameters *p = parameters;
  hlo_strided_copy_shared(&p->map, (const char *)operands[0] + offset_of_start(p, operands), result, team);
}

void hlo_find_dynamic_slice(const void *parameters, const void *const *operands, void *result, void *scratch) {
  *(const char **)result = (const char *)operands[0] + offset_of_start(parameters, operands);
}

void hlo_dynamic_update_slice_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_dynamic_slice_parameters *p = parameters;
  int64_t offset = offset_of_start(p, operands);
  if (result != operands[0]) hlo_copy_shared(operands[0], result, p->bytes, team);
  if (result != operands[1]) hlo_strided_copy_shared(&p->map, operands[1], (char *)result + offset, team);
}
