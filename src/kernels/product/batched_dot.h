/* A dot with batch dimensions: one matrix product (kernels/product/dot.h) for each index of the batch.
 *
 * operands  lhs and rhs, or lhs alone where rhs is a packed constant; dense and row-major
 * result    dense; overlaps no operand
 * scratch   [copy of lhs][copy of rhs][scratch of the products], 64-byte aligned
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_BATCHED_DOT_H
#define HLO_KERNELS_PRODUCT_BATCHED_DOT_H

#include "base/team.h"
#include "kernels/move/strided_copy.h"
#include "kernels/product/dot.h"
#include "kernels/product/epilogue.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_dot_operand {
  bool copied; /* no pair of strides describes the operand: it is first copied, in the order batch, free, contracting */
  hlo_strided_map copy;
  int64_t copy_offset;                         /* of the copy in the scratch, in bytes */
  int64_t batch_strides[HLO_STRIDED_MAX_RANK]; /* of the operand or its copy, in elements */
} hlo_dot_operand;

typedef struct hlo_batched_dot {
  hlo_dot dot;
  hlo_dot_type type;
  const hlo_packed *packed; /* a constant rhs, as hlo_dot_pack_rhs writes it; else NULL */
  int batch_rank;
  int64_t batch_dims[HLO_STRIDED_MAX_RANK];
  int64_t batch_count, out_batch_stride; /* the product of batch_dims; in elements */
  hlo_dot_operand lhs, rhs;
  int64_t product_offset; /* of the products' scratch in the scratch, in bytes */
  int64_t product_bytes;  /* of one thread's part of it, where each thread runs products of its own; 0: the team shares each product */
  /* A thread may run a product in parts: so many rows or columns at a time, along the longer side of the output. The next part begins so many
   * elements behind in each array. */
  int64_t parts, part, lhs_part, rhs_part, out_part;
} hlo_batched_dot;

/* Returns where the operand lies as the dot reads it: where it is, or copied into the scratch. */
const void *hlo_dot_operand_data(const hlo_dot_operand *operand, const void *data, void *scratch, hlo_team *team);

/* Parameters: a hlo_batched_dot. An epilogue requires hlo_dot_takes_epilogue. */
hlo_shared_step_function hlo_batched_dot_run;
hlo_epilogue_step_function hlo_batched_dot_run_with_epilogue;

#endif
