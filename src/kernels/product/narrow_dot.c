#include "kernels/product/narrow_dot.h"

#include "base/team.h"

void hlo_narrow_dot_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                      const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_narrow_dot *p = parameters;
  hlo_narrow_matrix matrix = hlo_narrow_bind(&p->form, p->packed ? p->packed->bytes : operands[p->data_operand], operands);
  for (int w = 0; w < HLO_NARROW_VALUES; w++)
    if (p->packed_values[w]) matrix.arrays[0][w] = p->packed_values[w]->bytes;
  const float *rows = p->rows ? hlo_dot_operand_data(p->rows, operands[0], scratch, team) : operands[0];
  hlo_dot_narrow(&p->dot, rows, &matrix, result, scratch ? (char *)scratch + p->product_offset : NULL,
                 (hlo_epilogue_target){epilogue, 0, 0}, team);
}

void hlo_narrow_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_narrow_dot_run_with_epilogue(parameters, operands, result, scratch, NULL, team);
}
