#include "kernels/product/convolution_run.h"

#include "base/team.h"

void hlo_convolution_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                       const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_convolution_parameters *p = parameters;
  const void *input = operands[0], *kernel = p->packed ? p->packed->bytes : operands[1];
  if (p->turns) {
    void *turned = (char *)scratch + p->turned_offset;
    hlo_strided_copy_shared(&p->turn, input, turned, team);
    input = turned;
  }
  if (p->is_depthwise) hlo_depthwise_simd128(&p->convolution, input, kernel, result, epilogue, team);
  else hlo_convolution_simd128(&p->convolution, input, kernel, p->packed != NULL, result, scratch, epilogue, team);
}

void hlo_convolution_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_convolution_run_with_epilogue(parameters, operands, result, scratch, NULL, team);
}

void hlo_narrow_convolution_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                              const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_narrow_convolution *p = parameters;
  hlo_narrow_matrix kernel = hlo_narrow_bind(&p->form, operands[p->data_operand], operands);
  hlo_convolution_narrow(&p->convolution, operands[0], &kernel, result, scratch, epilogue, team);
}

void hlo_narrow_convolution_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_narrow_convolution_run_with_epilogue(parameters, operands, result, scratch, NULL, team);
}
