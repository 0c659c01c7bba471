#include "loops/dot_chain.h"

#include "base/checked.h"
#include "base/ranges.h"
#include "base/team.h"
#include "kernels/product/dot.h"
#include "loops/fused_epilogue.h"
#include "loops/fused_loop.h"

typedef struct chain_run {
  const hlo_dot_chain *chain;
  const void *const *operands;
  char *result, *scratch;
} chain_run;

/* The rows that a thread works on. */
typedef struct row_block {
  int64_t batch, row, rows; /* row: in the batch */
  char *scratch;            /* the thread's */
  char *array;              /* where the array would begin of which the block in the scratch is these rows */
} row_block;

/* Returns where the product of this number reads an operand, in elements. */
static int64_t batch_offset(const hlo_batched_dot *p, const int64_t *strides, int64_t number) {
  int64_t offset = 0;
  for (int d = p->batch_rank - 1; d >= 0; number /= p->batch_dims[d--]) offset += number % p->batch_dims[d] * strides[d];
  return offset;
}

static void pack(const chain_run *r, const hlo_chain_member *m, int64_t batch, char *scratch) {
  const float *rhs = r->operands[m->operands[m->rhs]];
  hlo_dot_pack_rhs(&m->dot, HLO_DOT_F32, rhs + batch_offset(m->products, m->rhs_strides, batch), scratch + m->packed_offset);
}

static void multiply(const chain_run *r, const hlo_chain_member *m, const row_block *b, const float *lhs, float *result, const hlo_epilogue *epilogue) {
  hlo_dot dot = m->dot;
  dot.m = b->rows;
  lhs += batch_offset(m->products, m->lhs_strides, b->batch) + b->row * dot.lhs_m_stride;
  int64_t offset = b->batch * m->products->out_batch_stride + b->row * dot.out_m_stride;
  hlo_dot_general(&dot, HLO_DOT_F32, lhs, b->scratch + m->packed_offset, true, result + offset, b->scratch + r->chain->product_offset,
                  (hlo_epilogue_target){epilogue, offset, 0}, NULL);
}

static void run_member(const chain_run *r, int m, const row_block *b) {
  const hlo_dot_chain *c = r->chain;
  const hlo_chain_member *member = &c->members[m];
  const void *operands[HLO_FUSED_MAX_OPERANDS];
  void *result = m == c->member_count - 1 ? r->result : b->array;
  hlo_loop_epilogue l;
  for (int n = 0; n < member->operand_count; n++)
    operands[n] = member->operands[n] == HLO_CHAIN_BLOCK ? b->array : r->operands[member->operands[n]];
  if (member->loop) {
    l.epilogue.run = hlo_loop_epilogue_run;
    hlo_fused_loop_call_begin(&l.call, member->loop, operands, result, b->scratch + c->loop_offset);
    hlo_fused_loop_call_operands(&l.call, operands, member->products ? result : NULL);
  }
  if (member->products) multiply(r, member, b, operands[member->lhs], result, member->loop ? &l.epilogue : NULL);
  else hlo_fused_loop_call_part(&l.call, (hlo_fused_region){b->batch * c->rows + b->row, b->rows, 0, c->width}, 0);
}

static void run_blocks(const void *context, int64_t first, int64_t count, int thread) {
  const chain_run *r = context;
  const hlo_dot_chain *c = r->chain;
  int64_t blocks = hlo_ceil_div(c->rows, c->block_rows);
  row_block b = {.scratch = hlo_team_scratch(r->scratch, (size_t)c->thread_bytes, thread)};
  int64_t *packed = (int64_t *)b.scratch;
  for (int64_t unit = first; unit < first + count; unit++) {
    b.batch = unit / blocks;
    b.row = unit % blocks * c->block_rows;
    b.rows = c->rows - b.row < c->block_rows ? c->rows - b.row : c->block_rows;
    int64_t before = (b.batch * c->rows + b.row) * c->width;
    b.array = (char *)((uintptr_t)(b.scratch + c->block_offset) - (uintptr_t)before * sizeof(float)); /* may lie before all memory */
    if (*packed != b.batch) {
      pack(r, &c->members[0], b.batch, b.scratch);
      pack(r, &c->members[c->member_count - 1], b.batch, b.scratch);
      *packed = b.batch;
    }
    for (int m = 0; m < c->member_count; m++) run_member(r, m, &b);
  }
}

void hlo_dot_chain_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_dot_chain *c = parameters;
  const chain_run r = {c, operands, result, scratch};
  for (int thread = 0; thread < c->threads; thread++) *(int64_t *)hlo_team_scratch(scratch, (size_t)c->thread_bytes, thread) = -1;
  hlo_ranges_run(team, c->batch_count * hlo_ceil_div(c->rows, c->block_rows), 1, c->nanoseconds, run_blocks, &r);
}
