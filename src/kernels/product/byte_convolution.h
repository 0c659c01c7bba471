/* A convolution of s8 or u8 into 32 bits. Both operands become quads or pairs of s16 first, of neighbouring features
 * (kernels/product/byte_dot.h).
 *
 * operands  input and kernel, or the input alone where the kernel is a packed constant; dense and row-major
 * result    s32 or u32; dense; overlaps no operand
 * scratch   [bytes of one operand in the order of its elements][elements of the input][those of the kernel][scratch of the convolution],
 *           64-byte aligned
 * Sums wrap. Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_BYTE_CONVOLUTION_H
#define HLO_KERNELS_PRODUCT_BYTE_CONVOLUTION_H

#include "kernels/product/byte_dot.h"
#include "kernels/product/convolution.h"
#include "kernels/product/epilogue.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_byte_convolution {
  hlo_byte_dot_operand operands[2]; /* input, kernel */
  hlo_convolution convolution;      /* of quads or pairs */
  const hlo_packed *packed;         /* a constant kernel, as hlo_convolution_pack wrote its elements; else NULL */
  int64_t convolution_offset;       /* of the convolution's scratch in the scratch, in bytes */
} hlo_byte_convolution;

/* Parameters: a hlo_byte_convolution. An epilogue requires hlo_convolution_epilogue_width > 0. */
hlo_shared_step_function hlo_byte_convolution_run;
hlo_epilogue_step_function hlo_byte_convolution_run_with_epilogue;

#endif
