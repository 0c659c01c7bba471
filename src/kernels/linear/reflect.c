/* Reflections, blocks of them, and QR with what is made from it. */
#include "kernels/linear/reflect.h"

#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/small.h"

static int least(int a, int b) { return a < b ? a : b; }

hlo_number hlo_reflect_make(const hlo_linear *l, int count, char *line, double *beta) {
  return hlo_small_kernels_of[l->type].reflection(count, line, 1, beta);
}

void hlo_reflect_lines(const hlo_linear *l, int count, const char *v, hlo_number factor, char *lines, ptrdiff_t step, int line_count) {
  enum { AT_ONCE = 16 };
  hlo_number sums[AT_ONCE];
  if (count <= HLO_SMALL_SIDE) {
    hlo_dense all = hlo_dense_of(lines, line_count, count, step);
    hlo_small_kernels_of[l->type].reflect_lines(v, factor, &all);
    return;
  }
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

/* A small matrix is multiplied by one reflection after the other. */
static void apply_small(const hlo_linear *l, const hlo_reflections *block, const hlo_dense *lines, const hlo_number *taus, int count, bool adjoint,
                        bool columns_grow, const hlo_dense *c) {
  const hlo_small_kernels *small = &hlo_small_kernels_of[l->type];
  char *v = block->v.at;
  for (int step = 0; step < count; step++) {
    int i = adjoint ? step : count - 1 - step, column = columns_grow ? i : 0;
    hlo_number factor = adjoint ? hlo_number_conjugate(taus[i]) : taus[i];
    hlo_dense part = hlo_dense_part(l, c, i, column, c->rows - i, c->cols - column), turned = hlo_dense_transposed(&part);
    memcpy(v, hlo_dense_at(l, lines, i, i), (size_t)(part.rows * l->bytes));
    l->line->set(v, hlo_number_from(1));
    if (c->across == 1) small->reflect_rows(v, 1, false, factor, &part);
    else small->reflect_lines(v, factor, &turned);
  }
}

void hlo_reflections_apply_all(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, const hlo_number *taus, int count,
                               bool adjoint, bool columns_grow, const hlo_dense *c) {
  if (c->rows <= HLO_SMALL_SIDE && c->cols <= HLO_SMALL_SIDE) {
    apply_small(l, block, lines, taus, count, adjoint, columns_grow, c);
    return;
  }
  for (int done = 0; done < count; done += HLO_REFLECT_BLOCK) {
    int first = adjoint ? done : (count - 1) / HLO_REFLECT_BLOCK * HLO_REFLECT_BLOCK - done;
    int taken = least(HLO_REFLECT_BLOCK, count - first), column = columns_grow ? first : 0;
    hlo_dense part = hlo_dense_part(l, lines, first, first, taken, lines->cols - first);
    hlo_dense to = hlo_dense_part(l, c, first, column, c->rows - first, c->cols - column);
    memcpy(block->taus, taus + first, (size_t)taken * sizeof *taus);
    hlo_reflections_make(l, block, &part, taken);
    hlo_reflections_apply(l, block, adjoint, &to);
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

/* Takes the scale of a matrix, given as its columns, out of R again; the vectors of reflections have none. */
static void unscale(const hlo_linear *l, const hlo_dense *lines, double scale) {
  if (scale != 1)
    for (int c = 0; c < lines->rows; c++) l->line->scale(least(c + 1, lines->cols), hlo_number_from(1 / scale), hlo_dense_at(l, lines, c, 0));
}

/* Takes room for factors of reflections from the scratch, and reads them. */
static hlo_number *read_taus(hlo_linear *l, const char *from, int count) {
  hlo_number *taus = hlo_linear_take(l, taus_bytes(count));
  for (int j = 0; j < count; j++) taus[j] = l->line->get(from + j * l->bytes);
  return taus;
}

/* A small matrix is factored where its result lies. */
static void run_small_qr(const hlo_linear *l, const hlo_dense *a, const hlo_dense *out, char *taus) {
  const hlo_small_kernels *small = &hlo_small_kernels_of[l->type];
  int rows = a->rows, cols = a->cols;
  bool finite;
  double scale = hlo_dense_scale(l, a, &finite), beta;
  memcpy(out->at, a->at, (size_t)(rows * cols * l->bytes));
  hlo_dense_times(l, out, scale);
  for (int j = 0; j < least(rows, cols); j++) {
    char *v = hlo_dense_at(l, out, j, j);
    hlo_dense rest = hlo_dense_part(l, out, j, j + 1, rows - j, cols - j - 1);
    hlo_number tau = small->reflection(rows - j, v, cols, &beta);
    if (rest.cols > 0) small->reflect_rows(v, cols, false, hlo_number_conjugate(tau), &rest);
    l->line->set(v, hlo_number_from(beta));
    l->line->set(taus + j * l->bytes, tau);
    if (scale != 1) l->line->scale(cols - j, hlo_number_from(1 / scale), v);
  }
}

static void run_qr(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), out = hlo_dense_of(arrays[1], p->rows, p->cols, p->cols);
  if (p->rows <= HLO_SMALL_SIDE && p->cols <= HLO_SMALL_SIDE) {
    run_small_qr(l, &a, &out, arrays[2]);
    return;
  }
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
  unscale(l, &lines, scale);
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
  hlo_number *taus = read_taus(l, arrays[1], p->others);
  hlo_dense_copy(l, &a, &across);
  hlo_dense_fill(l, &q, 1);
  hlo_reflections_apply_all(l, &block, &lines, taus, p->others, false, true, &turned);
  hlo_dense_copy(l, &turned, &out);
}

const hlo_linear_routine hlo_q_routine = {run_q, qr_scratch, false};

/* ---- QR with pivots ---- */

static int64_t pivoted_qr_scratch(const hlo_linear_step *p) { return hlo_dense_bytes(p->type, p->cols, p->rows) + hlo_dense_bytes(p->type, 1, p->rows); }

static void exchange(const hlo_linear *l, const hlo_dense *lines, int32_t *pivots, void *room, int i, int k) {
  size_t bytes = (size_t)lines->cols * (size_t)l->bytes;
  char *one = hlo_dense_at(l, lines, i, 0), *other = hlo_dense_at(l, lines, k, 0);
  int32_t pivot = pivots[i];
  if (i == k) return;
  memcpy(room, one, bytes);
  memcpy(one, other, bytes);
  memcpy(other, room, bytes);
  pivots[i] = pivots[k];
  pivots[k] = pivot;
}

static int longest(const hlo_linear *l, const hlo_dense *lines, int from) {
  int best = from;
  double length = -1;
  for (int k = from; k < lines->rows; k++) {
    double squares = l->line->squares(lines->cols - from, hlo_dense_at(l, lines, k, from));
    if (squares > length) best = k, length = squares;
  }
  return best;
}

static void run_pivoted_qr(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), out = hlo_dense_of(arrays[2], p->rows, p->cols, p->cols);
  hlo_dense lines = hlo_dense_take(l, p->cols, p->rows), across = hlo_dense_transposed(&lines), room = hlo_dense_take(l, 1, p->rows);
  const int32_t *comes_first = (const int32_t *)arrays[1];
  int32_t *pivots = (int32_t *)arrays[3];
  int fixed = 0, steps = least(p->rows, p->cols);
  bool finite;
  double scale = hlo_dense_scale(l, &a, &finite);
  hlo_dense_copy(l, &a, &across);
  hlo_dense_times(l, &lines, scale);
  for (int k = 0; k < p->cols; k++) pivots[k] = k + 1;
  for (int k = 0; k < p->cols; k++)
    if (comes_first[k]) exchange(l, &lines, pivots, room.at, fixed++, k);
  for (int j = 0; j < steps; j++) {
    double beta;
    if (hlo_linear_stops(l, 3.0 * (p->cols - j) * (p->rows - j))) return;
    if (j >= fixed) exchange(l, &lines, pivots, room.at, j, longest(l, &lines, j));
    char *v = hlo_dense_at(l, &lines, j, j);
    hlo_number tau = hlo_reflect_make(l, p->rows - j, v, &beta);
    if (j + 1 < p->cols)
      hlo_reflect_lines(l, p->rows - j, v, hlo_number_conjugate(tau), hlo_dense_at(l, &lines, j + 1, j), lines.down, p->cols - j - 1);
    l->line->set(v, hlo_number_from(beta));
    l->line->set(arrays[4] + j * l->bytes, tau);
  }
  unscale(l, &lines, scale);
  hlo_dense_copy(l, &across, &out);
}

const hlo_linear_routine hlo_pivoted_qr_routine = {run_pivoted_qr, pivoted_qr_scratch, false};

/* ---- Products with the reflections ---- */

static int64_t times_q_scratch(const hlo_linear_step *p) {
  return hlo_dense_bytes(p->type, p->cols, p->rows) + hlo_dense_bytes(p->type, p->rows, p->others) + hlo_reflections_bytes(p->type, p->rows, p->others) +
         hlo_aligned(taus_bytes(p->reflections));
}

/* c Q is the adjoint of Q^H c^H. */
static void run_times_q(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int rows = p->left ? p->rows : p->others, cols = p->left ? p->others : p->rows;
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), c = hlo_dense_of(arrays[2], rows, cols, cols), out = hlo_dense_of(arrays[3], rows, cols, cols);
  hlo_dense lines = hlo_dense_take(l, p->cols, p->rows), across = hlo_dense_transposed(&lines), product = hlo_dense_take(l, p->rows, p->others);
  hlo_dense turned = p->left ? c : hlo_dense_adjoint(&c), back = p->left ? product : hlo_dense_adjoint(&product);
  hlo_reflections block;
  hlo_reflections_take(l, &block, p->rows, p->others);
  hlo_number *taus = read_taus(l, arrays[1], p->reflections);
  hlo_dense_copy(l, &a, &across);
  hlo_dense_copy(l, &turned, &product);
  hlo_reflections_apply_all(l, &block, &lines, taus, p->reflections, p->left == p->transposed, false, &product);
  hlo_dense_copy(l, &back, &out);
}

const hlo_linear_routine hlo_times_q_routine = {run_times_q, times_q_scratch, false};
