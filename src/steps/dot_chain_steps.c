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

/* Describes a dot whose rows have the same bits in parts as in the whole. If it reads the member before as its right side, its sides are
 * exchanged. */
static bool describe_dot(const hlo_chain_link *link, hlo_chain_member *m) {
  const hlo_fused_epilogue *e = epilogue_of(link->choice);
  const hlo_batched_dot *p = e ? e->parameters : link->choice->parameters;
  if (p->type != HLO_DOT_F32 || p->packed || p->lhs.copied || p->rhs.copied || !hlo_dot_is_general(&p->dot, p->type)) return false;
  if (e && (e->product_output != 0 || e->step.loop.output_count != 1)) return false;
  int sides[] = {e ? e->product_operands[0] : 0, e ? e->product_operands[1] : 1};
  const int64_t *strides[] = {p->lhs.batch_strides, p->rhs.batch_strides};
  bool exchanged = link->choice->operands[sides[1]] == link->read;
  *m = (hlo_chain_member){.products = p, .dot = exchanged ? hlo_dot_transposed(&p->dot) : p->dot, .lhs = sides[exchanged], .rhs = sides[!exchanged],
                          .lhs_strides = strides[exchanged], .rhs_strides = strides[!exchanged], .loop = e ? &e->step : NULL};
  return m->dot.n * m->dot.k <= MOST_RIGHT_BYTES / (int64_t)sizeof(float);
}

static bool is_dense(const hlo_batched_dot *p, const int64_t *strides, int64_t stride) {
  for (int d = p->batch_rank - 1; d >= 0; stride *= p->batch_dims[d--])
    if (p->batch_dims[d] != 1 && strides[d] != stride) return false;
  return true;
}

/* The first dot has rows enough that packing its right side is worth while, and writes them row by row. */
static bool is_first(const hlo_chain_member *m) {
  const hlo_dot *dot = &m->dot;
  return dot->m > HLO_PRODUCT_DIRECT_ROWS && dot->out_n_stride == 1 && dot->out_m_stride == dot->n;
}

/* The last dot reads rows of the block as its left side, and reads the block nowhere else. */
static bool is_last(const hlo_chain_member *m, const hlo_chain_link *link, const hlo_chain_member *first) {
  const hlo_dot *dot = &m->dot;
  if (m->products->batch_count != first->products->batch_count || dot->m != first->dot.m || dot->k != first->dot.n) return false;
  if (dot->lhs_k_stride != 1 || dot->lhs_m_stride != dot->k || !is_dense(m->products, m->lhs_strides, dot->m * dot->k)) return false;
  if (m->loop && loop_reads(&m->loop->loop, m->lhs)) return false;
  for (int n = 0; n < link->choice->operand_count; n++)
    if ((link->choice->operands[n] == link->read) != (n == m->lhs)) return false;
  return true;
}

/* The loop computes the block's rows over the block. */
static bool describe_loop(const hlo_chain_link *link, int64_t rows, int64_t width, hlo_chain_member *member) {
  const hlo_fused_loop_step *step = link->choice->parameters;
  const hlo_fused_loop *loop = &step->loop;
  *member = (hlo_chain_member){.loop = step};
  if (loop->rows != rows || loop->width != width || loop->output_count != 1 || loop->values[loop->outputs[0].value].per_row) return false;
  for (int n = 0; n < link->choice->operand_count; n++)
    if (link->choice->operands[n] == link->read && !hlo_fused_loop_may_overwrite(loop, 0, n, rows * width * (int64_t)sizeof(float))) return false;
  return true;
}

static bool describe(const hlo_chain_link *links, int count, hlo_dot_chain *c) {
  hlo_chain_member *first = &c->members[0], *last = &c->members[count - 1];
  if (!describe_dot(&links[0], first) || !is_first(first)) return false;
  c->member_count = count;
  c->batch_count = first->products->batch_count;
  c->rows = first->dot.m;
  c->width = first->dot.n;
  for (int m = 1; m < count - 1; m++)
    if (!describe_loop(&links[m], c->batch_count * c->rows, c->width, &c->members[m])) return false;
  return describe_dot(&links[count - 1], last) && is_last(last, &links[count - 1], first);
}

/* ---- Blocks and the scratch ---- */

static void choose_block(const hlo_kernel_question *question, hlo_dot_chain *c) {
  c->threads = question->threads;
  int64_t rows = BLOCK_BYTES / (c->width * (int64_t)sizeof(float));
  int64_t fair = c->batch_count * c->rows / (c->threads * HLO_TEAM_UNITS_A_THREAD); /* each thread gets a few blocks */
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
    if (member->loop) {
      c->nanoseconds += (double)member->loop->loop.rows * member->loop->row_nanoseconds;
      loop = larger(loop, hlo_fused_loop_step_scratch(member->loop));
    }
    if (!member->products) continue;
    hlo_dot dot = member->dot;
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

/* Lists the instructions that the step runs beside its own, and its operands: those of the members, but for what the one before gives. */
static bool list(const hlo_kernel_question *question, const hlo_chain_link *links, hlo_dot_chain *c, hlo_kernel_choice *choice) {
  int most = 0;
  for (int m = 0; m < c->member_count; m++) most += links[m].choice->operand_count;
  int *covered = hlo_arena_many(question->arena, int, c->member_count + 2 * (int64_t)most, question->status);
  if (!covered) return false;
  int *operands = covered + c->member_count, *members = operands + most, count = 0;
  for (int m = 0; m < c->member_count; m++) {
    const hlo_kernel_choice *from = links[m].choice;
    covered[m] = links[m].instruction;
    c->members[m].operand_count = from->operand_count;
    c->members[m].operands = members;
    for (int n = 0; n < from->operand_count; n++) {
      bool is_block = from->operands[n] == links[m].read;
      *members++ = is_block ? HLO_CHAIN_BLOCK : count;
      if (!is_block) operands[count++] = from->operands[n];
    }
  }
  choice->covered = covered;
  choice->covered_count = c->member_count - 1;
  choice->operands = operands;
  choice->operand_count = choice->own_operands = count;
  return true;
}

static const char *name_of(const hlo_kernel_question *question, const hlo_chain_link *links, const hlo_dot_chain *c) {
  const char *name = links[0].choice->kernel;
  for (int m = 1; name && m < c->member_count; m++)
    name = hlo_arena_format(question->arena, question->status, m + 1 < c->member_count ? "%s, %s" : "%s, %s by %d rows", name, links[m].choice->kernel,
                            (int)c->block_rows);
  return name;
}

bool hlo_chain_choose(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_kernel_choice *choice) {
  hlo_dot_chain c = {0};
  if (!describe(links, count, &c)) return false;
  choose_block(question, &c);
  place_scratch(&c);
  hlo_kernel_choice made = {.run_shared = hlo_dot_chain_run, .resumes = true, .scratch_bytes = c.threads * c.thread_bytes};
  if (made.scratch_bytes >= c.batch_count * c.rows * c.width * (int64_t)sizeof(float)) return false;
  made.kernel = name_of(question, links, &c);
  if (!made.kernel || !list(question, links, &c, &made)) return false;
  made.parameters = HLO_KERNEL_COPY(question, c);
  if (!made.parameters) return false;
  *choice = made;
  return true;
}
