#include "kernels/product/byte_convolution.h"

#include "base/team.h"

void hlo_byte_convolution_run_with_epilogue(const void *parameters, const void *const *operands, void *result, void *scratch,
                                            const hlo_epilogue *epilogue, hlo_team *team) {
  const hlo_byte_convolution *p = parameters;
  char *memory = scratch;
  const void *elements[2] = {NULL, p->packed ? p->packed->bytes : NULL};
  for (int i = 0; i < (p->packed ? 1 : 2); i++)
    elements[i] = hlo_byte_dot_make(&p->operands[i], operands[i], memory, memory + p->operands[i].offset);
  hlo_convolution_simd128(&p->convolution, elements[0], elements[1], p->packed != NULL, result, memory + p->convolution_offset, epilogue, team);
}

void hlo_byte_convolution_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  hlo_byte_convolution_run_with_epilogue(parameters, operands, result, scratch, NULL, team);
}
