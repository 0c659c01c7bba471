#include "steps/dot_chain_steps.h"

#include "base/alignment.h"
#include "base/arena.h"
#include "base/checked.h"
#include "kernels/product/batched_dot.h"
#include "kernels/product/dot.h"
#include "kernels/product/product.h"
#include "loops/dot_chain.h"
#include "loops/fused_epilogue.h"
#include "loops/fused_loop.h"
#include "steps/fused_loop_steps.h"

/* A block stays in L2. Every block reads the right sides anew, which larger caches must hold. */
enum { BLOCK_BYTES = 384 << 10, MOST_ROWS = 128, LEAST_ROWS = 32, MOST_RIGHT_BYTES = 4 << 20 };

/* ---- Members ---- */

static const hlo_fused_epilogue *epilogue_of(const hlo_kernel_choice *choice) {
  return choice->run_shared == hlo_fused_epilogue_run ? choice->parameters : NULL;
}

bool hlo_chain_takes_dot(const hlo_kernel_choice *choice) {
  const hlo_fused_epilogue *e = epilogue_of(choice);
  return choice->run_shared == hlo_batched_dot_run || (e && e->run_with_epilogue == hlo_batched_dot_run_with_epilogue);
}

bool hlo_chain_takes_loop(const hlo_kernel_choice *choice) { return choice->run_shared == hlo_fused_loop_step_run; }

/* Returns whether the loop reads an operand. */
static bool loop_reads(const hlo_fused_loop *loop, int operand) {
  for (int v = 0; v < loop->value_count; v++)
    if (loop->values[v].kind == HLO_FUSED_INPUT && loop->values[v].operand == operand) return true;
  return false;
}

/* Describes a dot whose rows have the same bits in parts as in the whole. `exchanged`: as the product of its sides exchanged, which
 * gives the same result transposed. */
static bool describe_dot(const hlo_kernel_question *question, const hlo_kernel_choice *choice, bool exchanged, hlo_chain_member *member) {
  const hlo_fused_epilogue *e = epilogue_of(choice);
  hlo_batched_dot p = *(const hlo_batched_dot *)(e ? e->parameters : choice->parameters);
  if (p.type != HLO_DOT_F32 || p.packed || p.lhs.copied || p.rhs.copied || !hlo_dot_is_general(&p.dot, p.type)) return false;
  if (e && (e->product_output != 0 || e->step.loop.output_count != 1)) return false;
  int sides[] = {e ? e->product_operands[0] : 0, e ? e->product_operands[1] : 1};
  if (exchanged) {
    hlo_dot_operand lhs = p.lhs;
    p.lhs = p.rhs, p.rhs = lhs;
    p.dot = hlo_dot_transposed(&p.dot);
  }
  if (p.dot.n * p.dot.k > MOST_RIGHT_BYTES / (int64_t)sizeof(float)) return false;
  *member = (hlo_chain_member){.dot = HLO_KERNEL_COPY(question, p), .loop = e ? &e->step : NULL, .lhs = sides[exchanged], .rhs = sides[!exchanged]};
  return member->dot != NULL;
}

/* Returns whether the right side of a dot, and only it, is what the member before gives. */
static bool reads_right(const hlo_chain_link *link) {
  const hlo_fused_epilogue *e = epilogue_of(link->choice);
  return link->choice->operands[e ? e->product_operands[1] : 1] == link->read;
}

static bool is_dense(const hlo_batched_dot *p, const int64_t *strides, int64_t stride) {
  for (int d = p->batch_rank - 1; d >= 0; stride *= p->batch_dims[d--])
    if (p->batch_dims[d] != 1 && strides[d] != stride) return false;
  return true;
}

/* The first dot has rows enough that packing its right side is worth while, and writes them one behind another. */
static bool is_first(const hlo_chain_member *member) {
  const hlo_dot *dot = &member->dot->dot;
  return dot->m > HLO_PRODUCT_DIRECT_ROWS && dot->out_n_stride == 1 && dot->out_m_stride == dot->n && member->dot->out_batch_stride == dot->m * dot->n;
}

/* The last dot reads rows of the block as one side, and reads the block nowhere else. */
static bool is_last(const hlo_chain_member *member, const hlo_chain_link *link, const hlo_chain_member *first) {
  const hlo_batched_dot *p = member->dot, *f = first->dot;
  if (p->batch_count != f->batch_count || p->dot.m != f->dot.m || p->dot.k != f->dot.n) return false;
  if (p->dot.lhs_k_stride != 1 || p->dot.lhs_m_stride != p->dot.k || !is_dense(p, p->lhs.batch_strides, p->dot.m * p->dot.k)) return false;
  if (member->loop && loop_reads(&member->loop->loop, member->lhs)) return false;
  for (int n = 0; n < link->choice->operand_count; n++)
    if ((link->choice->operands[n] == link->read) != (n == member->lhs)) return false;
  return true;
}

/* The loop computes the block's rows over the block. */
static bool describe_loop(const hlo_chain_link *link, const hlo_batched_dot *first, hlo_chain_member *member) {
  const hlo_fused_loop_step *step = link->choice->parameters;
  const hlo_fused_loop *loop = &step->loop;
  int64_t rows = first->batch_count * first->dot.m, width = first->dot.n;
  *member = (hlo_chain_member){.loop = step};
  if (loop->rows != rows || loop->width != width || loop->output_count != 1 || loop->values[loop->outputs[0].value].per_row) return false;
  for (int n = 0; n < link->choice->operand_count; n++)
    if (link->choice->operands[n] == link->read && !hlo_fused_loop_may_overwrite(loop, 0, n, rows * width * (int64_t)sizeof(float))) return false;
  return true;
}

static bool describe(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_dot_chain *c) {
  hlo_chain_member *first = &c->members[0], *last = &c->members[count - 1];
  c->member_count = count;
  if (!describe_dot(question, links[0].choice, false, first) || !is_first(first)) return false;
  for (int m = 1; m < count - 1; m++)
    if (!describe_loop(&links[m], first->dot, &c->members[m])) return false;
  return describe_dot(question, links[count - 1].choice, reads_right(&links[count - 1]), last) && is_last(last, &links[count - 1], first);
}

/* ---- Blocks and the scratch ---- */

static void choose_block(const hlo_kernel_question *question, hlo_dot_chain *c) {
  const hlo_batched_dot *first = c->members[0].dot;
  c->threads = question->threads;
  c->batch_count = first->batch_count;
  c->rows = first->dot.m;
  c->width = first->dot.n;
  int64_t rows = BLOCK_BYTES / (c->width * (int64_t)sizeof(float)), units = (int64_t)c->threads * HLO_TEAM_UNITS_A_THREAD;
  int64_t fair = c->threads > 1 ? hlo_ceil_div(c->batch_count * c->rows, units) : MOST_ROWS; /* rows of a block where each thread gets a few */
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  if (rows > fair) rows = fair;
  rows = rows / HLO_PRODUCT_ROWS * HLO_PRODUCT_ROWS;
  if (rows < LEAST_ROWS) rows = LEAST_ROWS;
  c->block_rows = rows < c->rows ? rows : c->rows;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static void place_scratch(hlo_dot_chain *c) {
  int64_t bytes = HLO_ALIGNMENT, product = 0, loop = 0;
  for (int m = 0; m < c->member_count; m++) {
    hlo_chain_member *member = &c->members[m];
    c->nanoseconds += member->loop ? (double)member->loop->loop.rows * member->loop->row_nanoseconds : 0;
    if (member->loop) loop = larger(loop, hlo_fused_loop_step_scratch(member->loop));
    if (!member->dot) continue;
    hlo_dot dot = member->dot->dot;
    c->nanoseconds += (double)c->batch_count * hlo_product_nanoseconds(dot.m, dot.n, dot.k, sizeof(float));
    member->packed_offset = bytes;
    bytes += hlo_aligned(dot.k * dot.n * (int64_t)sizeof(float));
    dot.m = c->block_rows;
    product = larger(product, (int64_t)hlo_dot_general_scratch_bytes(&dot, HLO_DOT_F32, true, 1));
  }
  c->block_offset = bytes;
  c->product_offset = bytes + hlo_aligned(c->block_rows * c->width * (int64_t)sizeof(float));
  c->loop_offset = c->product_offset + hlo_aligned(product);
  c->thread_bytes = c->loop_offset + loop;
}

/* ---- The choice ---- */

/* Lists the operands of the step: those of the members, but for what the one before gives. */
static bool list_operands(const hlo_kernel_question *question, const hlo_chain_link *links, hlo_dot_chain *c, hlo_kernel_choice *choice) {
  int most = 0;
  for (int m = 0; m < c->member_count; m++) most += links[m].choice->operand_count;
  int *operands = hlo_arena_many(question->arena, int, most, question->status), *members = hlo_arena_many(question->arena, int, most, question->status);
  if (!operands || !members) return false;
  int count = 0;
  for (int m = 0; m < c->member_count; m++) {
    const hlo_kernel_choice *from = links[m].choice;
    c->members[m].operand_count = from->operand_count;
    c->members[m].operands = members;
    for (int n = 0; n < from->operand_count; n++) {
      bool is_block = from->operands[n] == links[m].read;
      *members++ = is_block ? HLO_CHAIN_BLOCK : count;
      if (!is_block) operands[count++] = from->operands[n];
    }
  }
  choice->operands = operands;
  choice->operand_count = choice->own_operands = count;
  return true;
}

static bool list_covered(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_kernel_choice *choice) {
  int *covered = hlo_arena_many(question->arena, int, count - 1, question->status);
  for (int m = 0; covered && m < count - 1; m++) covered[m] = links[m].instruction;
  choice->covered = covered;
  choice->covered_count = count - 1;
  return covered != NULL;
}

static const char *name_of(const hlo_kernel_question *question, const hlo_chain_link *links, const hlo_dot_chain *c) {
  const char *name = links[0].choice->kernel;
  for (int m = 1; name && m < c->member_count; m++)
    name = hlo_arena_format(question->arena, question->status, "%s, %s", name, links[m].choice->kernel);
  return name ? hlo_arena_format(question->arena, question->status, "%s by %lld rows", name, (long long)c->block_rows) : NULL;
}

bool hlo_chain_choose(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_kernel_choice *choice) {
  hlo_dot_chain c = {0};
  if (!describe(question, links, count, &c)) return false;
  choose_block(question, &c);
  place_scratch(&c);
  int64_t scratch = c.threads * c.thread_bytes;
  if (scratch >= c.batch_count * c.rows * c.width * (int64_t)sizeof(float)) return false;
  hlo_kernel_choice made = {.run_shared = hlo_dot_chain_run, .resumes = true, .scratch_bytes = scratch};
  made.kernel = name_of(question, links, &c);
  if (!made.kernel || !list_covered(question, links, count, &made) || !list_operands(question, links, &c, &made)) return false;
  made.parameters = HLO_KERNEL_COPY(question, c);
  if (!made.parameters) return false;
  *choice = made;
  return true;
}
