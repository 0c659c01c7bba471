#include "kernels/move/view_copy.h"

#include "base/team.h"

void hlo_view_copy_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_view_copy_parameters *p = parameters;
  hlo_strided_copy_shared(&p->map, (const char *)operands[0] + p->in_offset, result, team);
}

void hlo_find_view(const void *parameters, const void *const *operands, void *result, void *scratch) {
  const hlo_view_copy_parameters *p = parameters;
  *(const char **)result = (const char *)operands[0] + p->in_offset;
}
