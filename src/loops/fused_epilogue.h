/* A dot or convolution with a fused loop as its epilogue (kernels/product/epilogue.h): the loop runs over each region of the product
 * as soon as it is complete, while it is in the cache; or, where that cannot be, over all of the product at the end.
 *
 * operands  those of the fusion, then others that the product reads; where there are none, the outputs of the loop after the first, to be
 *           written
 * result    the first output of the loop
 * scratch   [scratch of the product][scratch of the loop, for each thread][the product, unless it lies in an output], 64-byte aligned
 * Never fails, never allocates. */
#ifndef HLO_LOOPS_FUSED_EPILOGUE_H
#define HLO_LOOPS_FUSED_EPILOGUE_H

#include "kernels/product/epilogue.h"
#include "kernels/step_function.h"
#include "loops/fused_loop_call.h"

enum { HLO_EPILOGUE_OPERANDS = 12 }; /* of a product, at most */

typedef struct hlo_fused_epilogue {
  hlo_fused_loop_step step; /* comes first, as in the parameters of every step that runs a fused loop */
  hlo_shared_step_function *run; /* of the product */
  hlo_epilogue_step_function *run_with_epilogue; /* NULL: the loop runs at the end */
  const void *parameters; /* of the product */
  int product_operand_count;
  int product_operands[HLO_EPILOGUE_OPERANDS]; /* operands of the step */
  int product_output;      /* the output of the loop that the product is computed in; -1: it is computed in the scratch */
  int64_t loop_offset, product_offset; /* in the scratch, in bytes */
} hlo_fused_epilogue;

/* A run of the loop as the epilogue of a product; epilogue.run is: */
typedef struct hlo_loop_epilogue {
  hlo_epilogue epilogue; /* comes first */
  hlo_fused_loop_call call;
} hlo_loop_epilogue;
void hlo_loop_epilogue_run(const hlo_epilogue *epilogue, int64_t offset, int64_t rows, int64_t row_stride, int64_t columns, int thread);

/* Parameters: a hlo_fused_epilogue. */
hlo_shared_step_function hlo_fused_epilogue_run;

#endif
