/* A chain of steps that runs by blocks of rows: a dot, fused loops along the rows of its result, and a dot whose left side is what they
 * give. Of all that lies between the two dots, memory has only a block of each thread's.
 *
 *   attention:  queries x keys -> scale, mask, softmax -> x values
 *
 * operands  those of all members, one member after another, without what the member before gives
 * result    that of the last member
 * scratch   [both right sides, packed][the block][scratch of the products][scratch of the loops]
 * A row has the bits that the steps give one by one. Never fails, never allocates. */
#ifndef HLO_LOOPS_DOT_CHAIN_H
#define HLO_LOOPS_DOT_CHAIN_H

#include "kernels/product/batched_dot.h"
#include "kernels/product/dot.h"
#include "kernels/step_function.h"
#include "loops/fused_loop_call.h"

enum { HLO_CHAIN_MOST = 8 }; /* members */

typedef struct hlo_chain_member {
  const hlo_batched_dot *products; /* f32, in the general form; NULL: the member is a fused loop */
  hlo_dot dot;                     /* one of the products, or that of its sides exchanged, whose result is the same transposed */
  int lhs, rhs;                    /* operands of the member */
  const int64_t *lhs_strides, *rhs_strides; /* by batch dimension */
  int64_t packed_offset;           /* of the right side in the scratch */
  const hlo_fused_loop_step *loop; /* the fused loop, or the epilogue of the products; NULL: they have none */
  int operand_count, block;        /* block: the operand that is what the member before gives; operand_count for the first member */
  int first_operand;               /* in the operands of the chain */
} hlo_chain_member;

typedef struct hlo_dot_chain {
  int member_count;
  hlo_chain_member members[HLO_CHAIN_MOST];
  int64_t batch_count, rows, width; /* of the block's array: `rows` in each of the batch */
  int64_t block_rows;
  int64_t block_offset, product_offset, loop_offset; /* in the scratch */
} hlo_dot_chain;

/* Parameters: a hlo_dot_chain. Things: blocks, hlo_ceil_div(rows, block_rows) of them in each of the batch. */
hlo_range_function hlo_dot_chain_run;

#endif
