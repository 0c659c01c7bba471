/* A dot as steps run it: matrix products over a batch. */
#ifndef HLO_PLAN_DOT_PARAMETERS_H
#define HLO_PLAN_DOT_PARAMETERS_H

#include "kernels/f32_dot.h"
#include "kernels/strided_copy.h"

/* An operand that no pair of strides describes is first copied in the order batch, free, contracting. */
typedef struct hlo_dot_side {
  bool copied;
  hlo_strided_map copy;
  int64_t copy_offset;                   /* in the scratch, in bytes */
  int64_t batch_strides[HLO_STRIDED_MAX_RANK]; /* in elements */
} hlo_dot_side;

typedef struct hlo_dot_parameters {
  hlo_f32_dot dot;
  int batch_rank;
  int64_t batch_dims[HLO_STRIDED_MAX_RANK];
  int64_t batch_count, out_batch_stride;
  hlo_dot_side lhs, rhs;
  int64_t product_offset; /* of the kernel's scratch in the step's */
} hlo_dot_parameters;

void hlo_dot_run(const void *parameters, const void *const *operands, void *result, void *scratch);

#endif
