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
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_convolution_parameters {
  hlo_convolution convolution;
  const hlo_packed *packed; /* a constant kernel, as hlo_convolution_pack writes it; else NULL */
  bool turns;               /* the convolution reads a copy of the input, at the end of the scratch */
  hlo_strided_map turn;     /* from the input to that copy */
  int64_t turned_offset;    /* of the copy in the scratch, in bytes */
} hlo_convolution_parameters;

/* An epilogue requires hlo_convolution_epilogue_width > 0. */
hlo_shared_step_function hlo_convolution_run;
hlo_epilogue_step_function hlo_convolution_run_with_epilogue;

/* Requires hlo_convolution_is_depthwise, and no packed kernel. */
hlo_shared_step_function hlo_depthwise_run;

#endif
