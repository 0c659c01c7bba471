#include "steps/dot_chain_steps.h"

#include "base/alignment.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/team.h"
#include "kernels/product/batched_dot.h"
#include "kernels/product/dot.h"
#include "kernels/product/product.h"
#include "loops/dot_chain.h"
#include "loops/fused_epilogue.h"
#include "loops/fused_loop.h"
#include "loops/fused_loop_call.h"
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

/* Returns whether the loop reads an operand. */
static bool loop_reads(const hlo_fused_loop *loop, int operand) {
  for (int v = 0; v < loop->value_count; v++)
    if (loop->values[v].kind == HLO_FUSED_INPUT && loop->values[v].operand == operand) return true;
  return false;
}

/* Finds the operand that is what the member before gives. Returns false where there are several. */
static bool find_block(const hlo_chain_link *link, hlo_chain_member *m) {
  int found = 0;
  m->operand_count = m->block = link->choice->operand_count;
  for (int n = 0; n < m->operand_count; n++)
    if (link->choice->operands[n] == link->read) m->block = n, found++;
  return found <= 1;
}

/* Describes a dot whose rows have the same bits in parts as in the whole. If its right side is what the member before gives, its sides are
 * exchanged. */
static bool describe_dot(const hlo_chain_link *link, hlo_chain_member *m) {
  const hlo_fused_epilogue *e = epilogue_of(link->choice);
  const hlo_batched_dot *p = e ? e->parameters : link->choice->parameters;
  if (p->type != HLO_DOT_F32 || p->packed || p->lhs.copied || p->rhs.copied || !hlo_dot_is_general(&p->dot, p->type)) return false;
  if (e && (e->product_output != 0 || e->step.loop.output_count != 1)) return false;
  int sides[] = {e ? e->product_operands[0] : 0, e ? e->product_operands[1] : 1};
  const int64_t *strides[] = {p->lhs.batch_strides, p->rhs.batch_strides};
  if (!find_block(link, m)) return false;
  bool exchanged = m->block == sides[1];
  m->products = p;
  m->dot = exchanged ? hlo_dot_transposed(&p->dot) : p->dot;
  m->lhs = sides[exchanged], m->lhs_strides = strides[exchanged];
  m->rhs = sides[!exchanged], m->rhs_strides = strides[!exchanged];
  m->loop = e ? &e->step : NULL;
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

/* The last dot reads rows of the block as its left side, and its epilogue does not read them. */
static bool is_last(const hlo_chain_member *m, const hlo_chain_member *first) {
  const hlo_dot *dot = &m->dot;
  if (m->products->batch_count != first->products->batch_count || dot->m != first->dot.m || dot->k != first->dot.n) return false;
  if (dot->lhs_k_stride != 1 || dot->lhs_m_stride != dot->k || !is_dense(m->products, m->lhs_strides, dot->m * dot->k)) return false;
  return m->block == m->lhs && !(m->loop && loop_reads(&m->loop->loop, m->lhs));
}

/* Describes a loop that computes the block's rows over the block. */
static bool describe_loop(const hlo_chain_link *link, int64_t rows, int64_t width, hlo_chain_member *m) {
  if (link->choice->run_shared != hlo_fused_loop_step_run) return false;
  const hlo_fused_loop *loop = &(m->loop = link->choice->parameters)->loop;
  return loop->rows == rows && loop->width == width && loop->output_count == 1 && !loop->values[loop->outputs[0].value].per_row &&
         find_block(link, m) && hlo_fused_loop_may_overwrite(loop, 0, m->block, rows * width * (int64_t)sizeof(float));
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
  return describe_dot(&links[count - 1], last) && is_last(last, first);
}

/* ---- Blocks and the scratch ---- */

static void choose_block(int threads, hlo_dot_chain *c) {
  int64_t rows = BLOCK_BYTES / (c->width * (int64_t)sizeof(float));
  int64_t fair = c->batch_count * c->rows / (threads * HLO_TEAM_UNITS_A_THREAD); /* each thread gets a few blocks */
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  if (rows > fair) rows = fair;
  rows = rows / HLO_PRODUCT_ROWS * HLO_PRODUCT_ROWS;
  if (rows < LEAST_ROWS) rows = LEAST_ROWS;
  c->block_rows = rows < c->rows ? rows : c->rows;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Places what a thread has in its scratch; returns the bytes of that. */
static int64_t place_scratch(hlo_dot_chain *c) {
  int64_t bytes = 0, product = 0, loop = 0;
  for (hlo_chain_member *m = c->members; m < c->members + c->member_count; m++) {
    if (m->loop) loop = larger(loop, hlo_fused_loop_step_scratch(m->loop));
    if (!m->products) continue;
    hlo_dot dot = m->dot;
    m->packed_offset = bytes;
    bytes += hlo_aligned(dot.k * dot.n * (int64_t)sizeof(float));
    dot.m = c->block_rows;
    product = larger(product, (int64_t)hlo_dot_general_scratch_bytes(&dot, HLO_DOT_F32, true, 1));
  }
  c->block_offset = bytes;
  c->product_offset = bytes + hlo_aligned(c->block_rows * c->width * (int64_t)sizeof(float));
  c->loop_offset = c->product_offset + hlo_aligned(product);
  return c->loop_offset + loop;
}

/* ---- The choice ---- */

static double nanoseconds_of(const hlo_dot_chain *c) {
  double all = 0;
  for (const hlo_chain_member *m = c->members; m < c->members + c->member_count; m++) {
    if (m->products) all += (double)c->batch_count * hlo_product_nanoseconds(m->dot.m, m->dot.n, m->dot.k, sizeof(float));
    if (m->loop) all += (double)m->loop->loop.rows * m->loop->row_nanoseconds;
  }
  return all;
}

/* Lists the instructions that the step runs beside its own, and its operands. Names it. */
static bool list(const hlo_kernel_question *question, const hlo_chain_link *links, hlo_dot_chain *c, hlo_kernel_choice *choice) {
  int most = c->member_count, count = 0;
  for (int m = 0; m < c->member_count; m++) most += c->members[m].operand_count;
  int *covered = hlo_arena_many(question->arena, int, most, question->status), *operands = covered + c->member_count;
  if (!covered) return false;
  choice->kernel = links[0].choice->kernel;
  for (int m = 0; m < c->member_count; m++) {
    hlo_chain_member *member = &c->members[m];
    covered[m] = links[m].instruction;
    member->first_operand = count;
    for (int n = 0; n < member->operand_count; n++)
      if (n != member->block) operands[count++] = links[m].choice->operands[n];
    if (m > 0 && choice->kernel)
      choice->kernel = hlo_arena_format(question->arena, question->status, m + 1 < c->member_count ? "%s, %s" : "%s, %s by %d rows", choice->kernel,
                                        links[m].choice->kernel, (int)c->block_rows);
  }
  choice->covered = covered;
  choice->covered_count = c->member_count - 1;
  choice->operands = operands;
  choice->operand_count = choice->own_operands = count;
  return choice->kernel != NULL;
}

bool hlo_chain_choose(const hlo_kernel_question *question, const hlo_chain_link *links, int count, hlo_kernel_choice *choice) {
  hlo_dot_chain c = {0};
  hlo_kernel_choice made = {0};
  if (!describe(links, count, &c)) return false;
  choose_block(question->threads, &c);
  int64_t bytes = place_scratch(&c), blocks = c.batch_count * hlo_ceil_div(c.rows, c.block_rows);
  if (bytes * question->threads >= c.batch_count * c.rows * c.width * (int64_t)sizeof(float)) return false;
  bool has_memory = list(question, links, &c, &made) && HLO_RUN_RANGES(question, &made, c, .run = hlo_dot_chain_run, .count = blocks, .step = 1,
                                                                      .nanoseconds = nanoseconds_of(&c), .scratch_bytes = bytes);
  if (has_memory) *choice = made;
  return has_memory;
}
