/* Reflections, blocks of them, and QR with what is made from it. */
#include "kernels/linear/reflect.h"

#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"

static int least(int a, int b) { return a < b ? a : b; }

hlo_number hlo_reflect_make(const hlo_linear *l, int count, char *line, double *beta) {
  hlo_number alpha = l->line->get(line), tau = {0};
  double tail = count > 1 ? l->line->squares(count - 1, line + l->bytes) : 0, norm = alpha[0] * alpha[0] + alpha[1] * alpha[1] + tail;
  bool is_single = l->type % 2 == 0;
  *beta = alpha[0];
  if (norm < (is_single ? 0x1p-200 : 0x1p-900)) { /* squares, or the inverse of the norm, may be out of range */
    hlo_number most = l->line->get(line + l->line->largest(count, line) * l->bytes);
    double scale = is_single ? 0x1p100 : 0x1p500;
    if (most[0] != 0 || most[1] != 0) {
      l->line->scale(count, hlo_number_from(scale), line);
      tau = hlo_reflect_make(l, count, line, beta);
      *beta /= scale;
      return tau;
    }
  }
  if (tail != 0 || alpha[1] != 0) {
    *beta = -copysign(sqrt(norm), alpha[0]);
    tau = (hlo_number){*beta - alpha[0], -alpha[1]} / *beta;
    l->line->scale(count - 1, hlo_number_inverse(alpha - hlo_number_from(*beta)), line + l->bytes);
  }
  l->line->set(line, hlo_number_from(1));
  return tau;
}

void hlo_reflect_lines(const hlo_linear *l, int count, const char *v, hlo_number factor, char *lines, ptrdiff_t step, int line_count) {
  enum { AT_ONCE = 16 };
  hlo_number sums[AT_ONCE];
  for (int first = 0; first < line_count; first += AT_ONCE) {
    int n = least(AT_ONCE, line_count - first);
    l->line->sum(count, lines, step, n, v, sums);
    for (int i = 0; i < n; i++, lines += step * l->bytes) {
      sums[i] = -hlo_number_product(factor, hlo_number_conjugate(sums[i]));
      l->line->combine(count, &sums[i], v, 0, 1, lines);
    }
  }
}

/* ---- Blocks ---- */

int64_t hlo_reflections_bytes(hlo_linear_type type, int64_t length, int64_t columns) {
  int64_t lines = HLO_REFLECT_BLOCK, across = hlo_dense_bytes(type, lines, columns), down = hlo_dense_bytes(type, columns, lines);
  return hlo_dense_bytes(type, lines, length) + 2 * hlo_dense_bytes(type, lines, lines) + 2 * (across > down ? across : down);
}

void hlo_reflections_take(hlo_linear *l, hlo_reflections *block, int length, int columns) {
  block->v = hlo_dense_take(l, HLO_REFLECT_BLOCK, length);
  block->t = hlo_dense_take(l, HLO_REFLECT_BLOCK, HLO_REFLECT_BLOCK);
  block->sums = hlo_dense_take(l, HLO_REFLECT_BLOCK, HLO_REFLECT_BLOCK);
  block->products = l->free;
  hlo_linear_take(l, hlo_reflections_bytes(l->type, 0, columns) - 2 * hlo_dense_bytes(l->type, HLO_REFLECT_BLOCK, HLO_REFLECT_BLOCK) -
                         hlo_dense_bytes(l->type, HLO_REFLECT_BLOCK, 0));
}

void hlo_reflections_make(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, int count) {
  block->v.rows = block->t.rows = block->t.cols = block->sums.rows = block->sums.cols = count;
  block->v.cols = lines->cols;
  hlo_dense_fill(l, &block->v, 1);
  for (int i = 0; i < count; i++)
    if (i + 1 < lines->cols)
      memcpy(hlo_dense_at(l, &block->v, i, i + 1), hlo_dense_at(l, lines, i, i + 1), (size_t)((lines->cols - i - 1) * l->bytes));
  hlo_dense conjugates = block->v, vectors = hlo_dense_transposed(&block->v);
  conjugates.conjugate = true;
  hlo_linear_multiply(l, &conjugates, &vectors, HLO_LINEAR_SET, &block->sums);
  hlo_dense_fill(l, &block->t, 0);
  for (int j = 0; j < count; j++) { /* column j of T is -tau T V^H v, and tau */
    hlo_number factors[HLO_REFLECT_BLOCK];
    for (int i = 0; i < j; i++) factors[i] = -hlo_number_product(block->taus[j], hlo_dense_get(l, &block->sums, i, j));
    l->line->combine(j, factors, block->t.at, block->t.down, j, hlo_dense_at(l, &block->t, j, 0));
    hlo_dense_set(l, &block->t, j, j, block->taus[j]);
  }
}

void hlo_reflections_apply(hlo_linear *l, const hlo_reflections *block, bool adjoint, const hlo_dense *c) {
  bool by_rows = c->across == 1;
  int count = block->v.rows;
  char *free = l->free;
  l->free = block->products;
  hlo_dense turned = hlo_dense_transposed(&block->t), t = adjoint ? hlo_dense_adjoint(&turned) : turned;
  hlo_dense products = by_rows ? hlo_dense_take(l, count, c->cols) : hlo_dense_take(l, c->cols, count);
  hlo_dense sums = by_rows ? hlo_dense_take(l, count, c->cols) : hlo_dense_take(l, c->cols, count);
  hlo_dense conjugates = block->v, vectors = hlo_dense_transposed(&block->v);
  conjugates.conjugate = true;
  if (!by_rows) products = hlo_dense_transposed(&products), sums = hlo_dense_transposed(&sums);
  l->free = free;
  if (hlo_linear_stops(l, 2.0 * count * c->rows * c->cols)) return;
  hlo_linear_multiply(l, &conjugates, c, HLO_LINEAR_SET, &products);
  hlo_linear_multiply(l, &t, &products, HLO_LINEAR_SET, &sums);
  hlo_linear_multiply(l, &vectors, &sums, HLO_LINEAR_SUBTRACT, c);
}

void hlo_reflections_apply_all(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, const hlo_number *taus, int count,
                               bool columns_grow, const hlo_dense *c) {
  for (int first = (count - 1) / HLO_REFLECT_BLOCK * HLO_REFLECT_BLOCK; first >= 0 && count > 0; first -= HLO_REFLECT_BLOCK) {
    int taken = least(HLO_REFLECT_BLOCK, count - first), column = columns_grow ? first : 0;
    hlo_dense part = hlo_dense_part(l, lines, first, first, taken, lines->cols - first);
    hlo_dense to = hlo_dense_part(l, c, first, column, c->rows - first, c->cols - column);
    memcpy(block->taus, taus + first, (size_t)taken * sizeof *taus);
    hlo_reflections_make(l, block, &part, taken);
    hlo_reflections_apply(l, block, false, &to);
  }
}

/* ---- QR ---- */

void hlo_qr_lines(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, hlo_number *taus) {
  int rows = lines->cols, cols = lines->rows, steps = least(rows, cols);
  for (int first = 0; first < steps; first += HLO_REFLECT_BLOCK) {
    int count = least(HLO_REFLECT_BLOCK, steps - first), end = first + count;
    double betas[HLO_REFLECT_BLOCK];
    if (hlo_linear_stops(l, 2.0 * count * count * rows)) return;
    for (int j = first; j < end; j++) {
      char *v = hlo_dense_at(l, lines, j, j);
      taus[j] = block->taus[j - first] = hlo_reflect_make(l, rows - j, v, &betas[j - first]);
      if (j + 1 < end)
        hlo_reflect_lines(l, rows - j, v, hlo_number_conjugate(taus[j]), hlo_dense_at(l, lines, j + 1, j), lines->down, end - j - 1);
    }
    if (end < cols) {
      hlo_dense part = hlo_dense_part(l, lines, first, first, count, rows - first), rest = hlo_dense_part(l, lines, end, first, cols - end, rows - first);
      hlo_dense to = hlo_dense_transposed(&rest);
      hlo_reflections_make(l, block, &part, count);
      hlo_reflections_apply(l, block, true, &to);
    }
    for (int j = first; j < end; j++) hlo_dense_set(l, lines, j, j, hlo_number_from(betas[j - first]));
  }
}

static int64_t taus_bytes(int64_t count) { return (count + 4) * (int64_t)sizeof(hlo_number); }

static int64_t qr_scratch(const hlo_linear_step *p) {
  return 2 * hlo_dense_bytes(p->type, p->cols, p->rows) + hlo_reflections_bytes(p->type, p->rows, p->cols) + hlo_aligned(taus_bytes(p->rows));
}

static void run_qr(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), out = hlo_dense_of(arrays[1], p->rows, p->cols, p->cols);
  hlo_dense lines = hlo_dense_take(l, p->cols, p->rows), across = hlo_dense_transposed(&lines);
  hlo_reflections block;
  hlo_reflections_take(l, &block, p->rows, p->cols);
  int steps = least(p->rows, p->cols);
  hlo_number *taus = hlo_linear_take(l, taus_bytes(steps));
  bool finite;
  double scale = hlo_dense_scale(l, &a, &finite);
  hlo_dense_copy(l, &a, &across);
  hlo_dense_times(l, &lines, scale);
  hlo_qr_lines(l, &block, &lines, taus);
  if (scale != 1)
    for (int c = 0; c < p->cols; c++) l->line->scale(least(c + 1, p->rows), hlo_number_from(1 / scale), hlo_dense_at(l, &lines, c, 0));
  hlo_dense_copy(l, &across, &out);
  for (int j = 0; j < steps; j++) l->line->set(arrays[2] + j * l->bytes, taus[j]);
}

const hlo_linear_routine hlo_qr_routine = {run_qr, qr_scratch, false};

static void run_q(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), out = hlo_dense_of(arrays[2], p->rows, p->cols, p->cols);
  hlo_dense lines = hlo_dense_take(l, p->cols, p->rows), across = hlo_dense_transposed(&lines);
  hlo_dense q = hlo_dense_take(l, p->cols, p->rows), turned = hlo_dense_transposed(&q);
  hlo_reflections block;
  hlo_reflections_take(l, &block, p->rows, p->cols);
  hlo_number *taus = hlo_linear_take(l, taus_bytes(p->others));
  for (int j = 0; j < p->others; j++) taus[j] = l->line->get(arrays[1] + j * l->bytes);
  hlo_dense_copy(l, &a, &across);
  hlo_dense_fill(l, &q, 1);
  hlo_reflections_apply_all(l, &block, &lines, taus, p->others, true, &turned);
  hlo_dense_copy(l, &turned, &out);
}

const hlo_linear_routine hlo_q_routine = {run_q, qr_scratch, false};
