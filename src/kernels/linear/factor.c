/* Triangles, Cholesky, LU: halved again and again, or block by block, so that nearly all work is done by products. */
#include "kernels/linear/factor.h"

#include <math.h>
#include <string.h>

#include "kernels/linear/small.h"

enum {
  FEW_ROWS = 8,   /* of a triangle that is solved row by row */
  FEW_COLUMNS = 4, /* right-hand sides so few are solved one by one */
  FEW_ELEMENTS = 512, /* of right-hand sides that are not worth a product */
  BLOCK_ROWS = 16, /* of Cholesky's factor that are computed together */
  PANEL_COLUMNS = 8 /* of a panel of LU */
};

static int least(int a, int b) { return a < b ? a : b; }

/* line /= pivot. The inverse of a pivot that is next to nothing is no finite number; by such, elements are divided one by one. */
static void divide_line(const hlo_linear *l, int count, hlo_number pivot, char *line) {
  hlo_number inverse = hlo_number_inverse(pivot);
  bool divides = isinf(l->type % 2 ? inverse[0] : (float)inverse[0]) && pivot[0] != 0 && pivot[1] == 0;
  if (!divides) l->line->scale(count, inverse, line);
  for (int i = 0; divides && i < count; i++, line += l->bytes) l->line->set(line, l->line->get(line) / pivot[0]);
}

/* ---- Triangles ---- */

/* Row by row: x[i] = (x[i] - the sum over known k of t[i, k] x[k]) / t[i, i]. */
static void solve_rows(const hlo_linear *l, const hlo_dense *t, bool lower, bool unit, const hlo_dense *x) {
  hlo_number factors[FEW_ROWS];
  int n = t->rows;
  for (int step = 0; step < n; step++) {
    int i = lower ? step : n - 1 - step, known = lower ? 0 : i + 1;
    for (int k = 0; k < step; k++) factors[k] = -hlo_dense_get(l, t, i, known + k);
    void *row = hlo_dense_at(l, x, i, 0);
    l->line->combine(x->cols, factors, hlo_dense_at(l, x, known, 0), x->down, step, row);
    if (!unit) divide_line(l, x->cols, hlo_dense_get(l, t, i, i), row);
  }
}

static void conjugate(const hlo_linear *l, int count, char *x) {
  for (; count > 0; count--, x += l->bytes) l->line->set(x, hlo_number_conjugate(l->line->get(x)));
}

/* One right-hand side whose elements are contiguous. Rows of t are lines, or else its columns; what a sum conjugates are lines, and what is
 * combined are lines that are not conjugated, so that the conjugates of all numbers may have to stand for them. */
static void solve_vector(const hlo_linear *l, const hlo_dense *t, bool lower, bool unit, char *x) {
  int n = t->rows;
  bool by_rows = t->across == 1;
  if (l->type >= HLO_LINEAR_C64 && t->conjugate != by_rows) {
    hlo_dense turned = *t;
    turned.conjugate = by_rows;
    conjugate(l, n, x);
    solve_vector(l, &turned, lower, unit, x);
    conjugate(l, n, x);
    return;
  }
  for (int step = 0; step < n; step++) {
    int i = lower ? step : n - 1 - step, known = lower ? 0 : i + 1, unknown = lower ? i + 1 : 0;
    char *at = x + i * l->bytes;
    hlo_number value = l->line->get(at), sum = {0};
    if (by_rows) l->line->sum(step, hlo_dense_at(l, t, i, known), 0, 1, x + known * l->bytes, &sum);
    l->line->set(at, value - sum);
    if (!unit) divide_line(l, 1, hlo_dense_get(l, t, i, i), at);
    sum = -l->line->get(at);
    if (!by_rows) l->line->combine(n - 1 - step, &sum, hlo_dense_at(l, t, unknown, i), 0, 1, x + unknown * l->bytes);
  }
}

static void solve_half(hlo_linear *l, const hlo_dense *t, bool lower, bool unit, const hlo_dense *x) {
  int n = t->rows, first = (n / 2 + FEW_ROWS - 1) / FEW_ROWS * FEW_ROWS, rest = n - first;
  if (n <= FEW_ROWS) {
    solve_rows(l, t, lower, unit, x);
    return;
  }
  if (hlo_linear_stops(l, (double)n * n * x->cols / 4)) return;
  hlo_dense t1 = hlo_dense_part(l, t, 0, 0, first, first), t2 = hlo_dense_part(l, t, first, first, rest, rest);
  hlo_dense x1 = hlo_dense_part(l, x, 0, 0, first, x->cols), x2 = hlo_dense_part(l, x, first, 0, rest, x->cols);
  hlo_dense beside = lower ? hlo_dense_part(l, t, first, 0, rest, first) : hlo_dense_part(l, t, 0, first, first, rest);
  solve_half(l, lower ? &t1 : &t2, lower, unit, lower ? &x1 : &x2);
  hlo_linear_multiply(l, &beside, lower ? &x1 : &x2, HLO_LINEAR_SUBTRACT, lower ? &x2 : &x1);
  solve_half(l, lower ? &t2 : &t1, lower, unit, lower ? &x2 : &x1);
}

void hlo_solve_triangle_lines(hlo_linear *l, const hlo_dense *t, bool lower, bool unit, const hlo_dense *x) {
  if (t->rows <= HLO_SMALL_SIDE && x->cols <= FEW_ELEMENTS / t->rows && x->across == 1) {
    hlo_small_kernels_of[l->type].solve(t, lower, unit, x);
    return;
  }
  if (x->cols > FEW_COLUMNS) {
    solve_half(l, t, lower, unit, x);
    return;
  }
  char *free = l->free;
  hlo_dense line = hlo_dense_take(l, 1, x->rows);
  for (int c = 0; c < x->cols; c++) {
    hlo_dense column = hlo_dense_part(l, x, 0, c, x->rows, 1), row = hlo_dense_transposed(&column);
    hlo_dense_copy(l, &row, &line);
    solve_vector(l, t, lower, unit, line.at);
    hlo_dense_copy(l, &line, &row);
  }
  l->free = free;
}

/* ---- Cholesky ---- */

int hlo_cholesky_lines(hlo_linear *l, const hlo_dense *a) {
  int n = a->rows;
  if (n <= HLO_SMALL_SIDE) return hlo_small_kernels_of[l->type].cholesky(a);
  for (int first = 0; first < n; first += BLOCK_ROWS) {
    int rows = least(BLOCK_ROWS, n - first);
    hlo_dense above = hlo_dense_part(l, a, 0, first, first, rows), across = hlo_dense_part(l, a, 0, first, first, n - first);
    hlo_dense turned = hlo_dense_adjoint(&above), block = hlo_dense_part(l, a, first, first, rows, n - first);
    if (hlo_linear_stops(l, (double)rows * n * first)) return 0;
    hlo_linear_multiply(l, &turned, &across, HLO_LINEAR_SUBTRACT, &block);
    for (int i = 0; i < rows; i++) {
      hlo_number factors[BLOCK_ROWS];
      for (int k = 0; k < i; k++) factors[k] = -hlo_number_conjugate(hlo_dense_get(l, &block, k, i));
      char *row = hlo_dense_at(l, &block, i, i);
      l->line->combine(block.cols - i, factors, hlo_dense_at(l, &block, 0, i), block.down, i, row);
      double pivot = l->line->get(row)[0];
      if (!(pivot > 0) || isinf(pivot)) return first + i + 1;
      pivot = sqrt(pivot);
      l->line->set(row, hlo_number_from(pivot));
      l->line->scale(block.cols - i - 1, hlo_number_from(1 / pivot), row + l->bytes);
    }
  }
  return 0;
}

/* ---- LU ---- */

static void swap_rows(const hlo_linear *l, const hlo_dense *a, const int32_t *pivots, int count) {
  char kept[256];
  for (int k = 0; k < count; k++) {
    char *x = hlo_dense_at(l, a, k, 0), *y = hlo_dense_at(l, a, pivots[k] - 1, 0);
    int bytes = x == y ? 0 : a->cols * l->bytes;
    for (int part; bytes > 0; bytes -= part, x += part, y += part) {
      part = least(bytes, (int)sizeof kept);
      memcpy(kept, x, (size_t)part);
      memcpy(x, y, (size_t)part);
      memcpy(y, kept, (size_t)part);
    }
  }
}

/* A few columns, which are turned to lie as lines. */
static int panel_lu(hlo_linear *l, const hlo_dense *a, int32_t *pivots) {
  char *free = l->free;
  int info = 0, steps = least(a->rows, a->cols);
  hlo_dense turned = hlo_dense_transposed(a), lines = hlo_dense_take(l, a->cols, a->rows);
  hlo_dense_copy(l, &turned, &lines);
  for (int k = 0; k < steps; k++) {
    char *column = hlo_dense_at(l, &lines, k, k);
    int pivot = k + l->line->largest(a->rows - k, column);
    pivots[k] = pivot + 1;
    for (int c = 0; c < a->cols && pivot != k; c++) {
      hlo_number x = hlo_dense_get(l, &lines, c, k);
      hlo_dense_set(l, &lines, c, k, hlo_dense_get(l, &lines, c, pivot));
      hlo_dense_set(l, &lines, c, pivot, x);
    }
    hlo_number value = l->line->get(column);
    if (value[0] == 0 && value[1] == 0) {
      if (info == 0) info = k + 1;
      continue;
    }
    divide_line(l, a->rows - k - 1, value, column + l->bytes);
    for (int c = k + 1; c < a->cols; c++) {
      hlo_number factor = -hlo_dense_get(l, &lines, c, k);
      l->line->combine(a->rows - k - 1, &factor, column + l->bytes, 0, 1, hlo_dense_at(l, &lines, c, k + 1));
    }
  }
  hlo_dense_copy(l, &lines, &turned);
  l->free = free;
  return info;
}

int hlo_lu_lines(hlo_linear *l, const hlo_dense *a, int32_t *pivots) {
  int steps = least(a->rows, a->cols), first = (steps / 2 + PANEL_COLUMNS - 1) / PANEL_COLUMNS * PANEL_COLUMNS;
  if (a->rows <= HLO_SMALL_SIDE && a->cols <= 2 * HLO_SMALL_SIDE) return hlo_small_kernels_of[l->type].lu(a, pivots);
  if (a->cols <= PANEL_COLUMNS) return panel_lu(l, a, pivots);
  if (steps <= PANEL_COLUMNS) first = steps;
  if (hlo_linear_stops(l, (double)a->rows * a->cols * first / 2)) {
    for (int k = 0; k < steps; k++) pivots[k] = k + 1; /* the caller exchanges rows by them even so */
    return 0;
  }
  int rows = a->rows - first, cols = a->cols - first;
  hlo_dense left = hlo_dense_part(l, a, 0, 0, a->rows, first), right = hlo_dense_part(l, a, 0, first, a->rows, cols);
  int info = hlo_lu_lines(l, &left, pivots);
  swap_rows(l, &right, pivots, first);
  hlo_dense triangle = hlo_dense_part(l, a, 0, 0, first, first), top = hlo_dense_part(l, a, 0, first, first, cols);
  hlo_solve_triangle_lines(l, &triangle, true, true, &top);
  if (rows == 0) return info;
  hlo_dense below = hlo_dense_part(l, a, first, 0, rows, first), rest = hlo_dense_part(l, a, first, first, rows, cols);
  hlo_linear_multiply(l, &below, &top, HLO_LINEAR_SUBTRACT, &rest);
  int more = hlo_lu_lines(l, &rest, pivots + first);
  swap_rows(l, &below, pivots + first, steps - first);
  for (int k = first; k < steps; k++) pivots[k] += first;
  return info ? info : more ? more + first : 0;
}
