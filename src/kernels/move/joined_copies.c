#include "kernels/move/joined_copies.h"

#include "base/team.h"
#include "kernels/move/interleave.h"

static void copy_part(const hlo_joined_part *p, const void *in, void *out, hlo_team *team) {
  hlo_strided_copy_shared(&p->map, (const char *)in + p->in_offset, (char *)out + p->out_offset, team);
}

void hlo_concatenate_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_concatenate_parameters *p = parameters;
  for (int i = 0; i < p->count; i++) copy_part(&p->parts[i], operands[i], result, team);
}

void hlo_interleave_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_concatenate_parameters *p = parameters;
  const void *in[HLO_INTERLEAVE_MOST];
  for (int i = 0; i < p->count; i++) in[i] = (const char *)operands[i] + p->parts[i].in_offset;
  hlo_interleave_simd128(in, p->count, p->parts[0].map.dims[0], result, team);
}

void hlo_pad_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_pad_parameters *p = parameters;
  int bytes = p->part.map.element_bytes;
  const hlo_strided_map whole = {.rank = 1, .element_bytes = bytes, .dims = {p->count}, .out_strides = {bytes}};
  if (!p->covers) hlo_strided_copy_shared(&whole, operands[1], result, team);
  copy_part(&p->part, operands[0], result, team);
}
