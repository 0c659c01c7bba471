#include "loops/dot_chain.h"

#include "base/checked.h"
#include "kernels/product/dot.h"
#include "kernels/product/epilogue.h"
#include "loops/fused_epilogue.h"
#include "loops/fused_loop.h"

typedef struct row_block {
  const hlo_range_call *call;
  int64_t batch, row, rows; /* row: in the batch */
  char *array;              /* where the array would begin of which the block in the scratch is these rows */
} row_block;

/* Returns where the product of this number reads an operand, in elements. */
static int64_t batch_offset(const hlo_batched_dot *p, const int64_t *strides, int64_t number) {
  int64_t offset = 0;
  for (int d = p->batch_rank - 1; d >= 0; number /= p->batch_dims[d--]) offset += number % p->batch_dims[d] * strides[d];
  return offset;
}

static void pack(const hlo_range_call *call, const hlo_chain_member *m, int64_t batch) {
  const float *rhs = call->operands[m->first_operand + m->rhs - (m->rhs > m->block)];
  hlo_dot_pack_rhs(&m->dot, HLO_DOT_F32, rhs + batch_offset(m->products, m->rhs_strides, batch), (char *)call->scratch + m->packed_offset);
}

static void multiply(const row_block *b, const hlo_chain_member *m, const float *lhs, float *result, const hlo_epilogue *epilogue) {
  const hlo_dot_chain *c = b->call->parameters;
  char *scratch = b->call->scratch;
  hlo_dot dot = m->dot;
  dot.m = b->rows;
  lhs += batch_offset(m->products, m->lhs_strides, b->batch) + b->row * dot.lhs_m_stride;
  int64_t offset = b->batch * m->products->out_batch_stride + b->row * dot.out_m_stride;
  hlo_dot_general(&dot, HLO_DOT_F32, lhs, scratch + m->packed_offset, true, result + offset, scratch + c->product_offset,
                  (hlo_epilogue_target){epilogue, offset, 0}, NULL);
}

static void run_member(const row_block *b, const hlo_chain_member *m, void *result) {
  const hlo_dot_chain *c = b->call->parameters;
  const void *operands[HLO_FUSED_MAX_OPERANDS], *const *given = b->call->operands + m->first_operand;
  hlo_loop_epilogue l;
  for (int n = 0; n < m->operand_count; n++) operands[n] = n == m->block ? b->array : *given++;
  if (m->loop) {
    l.epilogue.run = hlo_loop_epilogue_run;
    hlo_fused_loop_call_begin(&l.call, m->loop, operands, result, (char *)b->call->scratch + c->loop_offset);
    hlo_fused_loop_call_operands(&l.call, operands, m->products ? result : NULL);
  }
  if (m->products) multiply(b, m, operands[m->lhs], result, m->loop ? &l.epilogue : NULL);
  else hlo_fused_loop_call_part(&l.call, (hlo_fused_region){b->batch * c->rows + b->row, b->rows, 0, c->width}, 0);
}

void hlo_dot_chain_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_dot_chain *c = call->parameters;
  const hlo_chain_member *last = &c->members[c->member_count - 1];
  int64_t blocks = hlo_ceil_div(c->rows, c->block_rows), packed = -1;
  for (int64_t unit = first; unit < first + count; unit++) {
    row_block b = {.call = call, .batch = unit / blocks, .row = unit % blocks * c->block_rows};
    b.rows = c->rows - b.row < c->block_rows ? c->rows - b.row : c->block_rows;
    int64_t before = (b.batch * c->rows + b.row) * c->width * (int64_t)sizeof(float);
    b.array = (char *)((uintptr_t)call->scratch + (uintptr_t)(c->block_offset - before)); /* may lie before all memory */
    if (packed != b.batch) {
      pack(call, c->members, b.batch);
      pack(call, last, b.batch);
      packed = b.batch;
    }
    for (const hlo_chain_member *m = c->members; m <= last; m++) run_member(&b, m, m == last ? call->result : b.array);
  }
}
