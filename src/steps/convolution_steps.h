/* Setting up convolutions, plain ones and those of narrow kernels. */
#ifndef HLO_STEPS_CONVOLUTION_STEPS_H
#define HLO_STEPS_CONVOLUTION_STEPS_H

#include "kernels/product/convolution.h"
#include "steps/kernel_table.h"

/* Describes the convolution. False: the kernels do not compute its type, or it has too many spatial dimensions. */
bool hlo_convolution_describe(const hlo_kernel_question *question, hlo_convolution *convolution);
/* Returns whether windows are gathered by tap and feature from an input whose features do not lie side by side. */
bool hlo_convolution_turns(const hlo_convolution *convolution);

#endif
