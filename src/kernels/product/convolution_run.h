/* Convolutions as steps run them.
 *
 * operands  input and kernel, or the input alone where the kernel is a packed constant
 * result    overlaps no operand
 * scratch   hlo_convolution_scratch_bytes, then a copy of the input, if there is to be one; none for the depthwise kernel
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_CONVOLUTION_RUN_H
#define HLO_KERNELS_PRODUCT_CONVOLUTION_RUN_H

#include "kernels/move/strided_copy.h"
#include "kernels/product/convolution.h"
#include "kernels/product/epilogue.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_convolution_parameters {
  hlo_convolution convolution;
  bool is_depthwise;        /* by the depthwise kernel, which reads the input and a kernel that is not packed */
  const hlo_packed *packed; /* a constant kernel, as hlo_convolution_pack writes it; else NULL */
  bool turns;               /* the convolution reads a copy of the input, at the end of the scratch */
  hlo_strided_map turn;     /* from the input to that copy */
  int64_t turned_offset;    /* of the copy in the scratch, in bytes */
} hlo_convolution_parameters;

/* The depthwise kernel runs a convolution that it takes; another one with an epilogue requires hlo_convolution_epilogue_width > 0. */
hlo_shared_step_function hlo_convolution_run;
hlo_epilogue_step_function hlo_convolution_run_with_epilogue;

/* A convolution of f32 with a narrow kernel. Operands: the input, and then those that the form and data_operand number. Parameters: a
 * hlo_narrow_convolution; scratch: hlo_convolution_narrow_scratch_bytes. */
typedef struct hlo_narrow_convolution {
  hlo_convolution convolution;
  hlo_narrow_form form;
  int data_operand;
} hlo_narrow_convolution;
hlo_shared_step_function hlo_narrow_convolution_run;
hlo_epilogue_step_function hlo_narrow_convolution_run_with_epilogue;

#endif
