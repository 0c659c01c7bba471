/* Singular values: a matrix is reduced to real bidiagonal form by reflections from both sides, whose singular vectors are reflected back.
 *
 * A matrix with more columns than rows is replaced by its adjoint, and one with more rows than columns by the triangle of its QR, so that what is
 * reduced is square. As in the reduction of Hermitian matrices, half of the work is left until a block of reflections is there. */
#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/divide.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/quotients.h"
#include "kernels/linear/reflect.h"
#include "kernels/linear/small.h"

enum {
  BLOCK = HLO_REFLECT_BLOCK,
  V = 0, X = BLOCK, Y = 2 * BLOCK, U = 3 * BLOCK /* the lines of `sides`: a - v y^H - x u^H is left to do */
};

typedef struct reduction {
  hlo_dense columns; /* of the matrix; the vectors of reflections from the left take their place */
  hlo_dense rights;  /* those from the right, a line each */
  hlo_dense sides;
  hlo_number *factors, *left_taus, *right_taus;
  double *d, *off;
} reduction;

/* to -= the sum over k of sides[lines + k] conj(sides[others + k][at]), from place `from` on. */
static void subtract(const hlo_linear *l, const reduction *r, int lines, int others, int count, int at, int from, char *to) {
  for (int k = 0; k < count; k++) r->factors[k] = -hlo_number_conjugate(hlo_dense_get(l, &r->sides, others + k, at));
  l->line->combine(r->columns.rows - from, r->factors, hlo_dense_at(l, &r->sides, lines, from), r->sides.down, count, to);
}

/* to -= the sum over k of sides[lines + k] times the product of sides[others + k]^H and `with`, which begins at place `begin`. */
static void subtract_products(const hlo_linear *l, const reduction *r, int lines, int others, int count, const char *with, int begin, int from, char *to) {
  int n = r->columns.rows;
  l->line->sum(n - begin, hlo_dense_at(l, &r->sides, others, begin), r->sides.down, count, with, r->factors);
  for (int k = 0; k < count; k++) r->factors[k] = -r->factors[k];
  l->line->combine(n - from, r->factors, hlo_dense_at(l, &r->sides, lines, from), r->sides.down, count, to);
}

/* Copies a line from a place on, and puts zeros before it. */
static void copy_line(const hlo_linear *l, const void *from, const hlo_dense *to, int line, int at) {
  memset(hlo_dense_at(l, to, line, 0), 0, (size_t)(at * l->bytes));
  memcpy(hlo_dense_at(l, to, line, at), from, (size_t)((to->cols - at) * l->bytes));
}

/* The reflection of column j, the i-th of its block, and its y. */
static void reflect_column(const hlo_linear *l, reduction *r, int j, int i) {
  int n = r->columns.rows, rest = n - j - 1;
  char *column = hlo_dense_at(l, &r->columns, j, j);
  subtract(l, r, V, Y, i, j, j, column);
  subtract(l, r, X, U, i, j, j, column);
  r->left_taus[j] = hlo_reflect_make(l, n - j, column, &r->d[j]);
  copy_line(l, column, &r->sides, V + i, j);
  char *y = hlo_dense_at(l, &r->sides, Y + i, j + 1);
  l->line->sum(n - j, hlo_dense_at(l, &r->columns, j + 1, j), r->columns.down, rest, column, r->factors);
  for (int k = 0; k < rest; k++) l->line->set(y + k * l->bytes, r->factors[k]);
  subtract_products(l, r, Y, V, i, column, j, j + 1, y);
  subtract_products(l, r, U, X, i, column, j, j + 1, y);
  l->line->scale(rest, r->left_taus[j], y);
}

/* The reflection of row j behind its diagonal, as a column of conjugates, and its x. */
static void reflect_row(const hlo_linear *l, reduction *r, int j, int i) {
  int n = r->columns.rows, rest = n - j - 1;
  char *row = hlo_dense_at(l, &r->rights, j, j + 1), *x = hlo_dense_at(l, &r->sides, X + i, j + 1);
  for (int k = 0; k < rest; k++) l->line->set(row + k * l->bytes, hlo_number_conjugate(hlo_dense_get(l, &r->columns, j + 1 + k, j)));
  subtract(l, r, Y, V, i + 1, j, j + 1, row);
  subtract(l, r, U, X, i, j, j + 1, row);
  r->right_taus[j] = hlo_reflect_make(l, rest, row, &r->off[j]);
  copy_line(l, row, &r->sides, U + i, j + 1);
  for (int k = 0; k < rest; k++) r->factors[k] = l->line->get(row + k * l->bytes);
  memset(x, 0, (size_t)(rest * l->bytes));
  l->line->combine(rest, r->factors, hlo_dense_at(l, &r->columns, j + 1, j + 1), r->columns.down, rest, x);
  subtract_products(l, r, V, Y, i + 1, row, j + 1, j + 1, x);
  subtract_products(l, r, X, U, i, row, j + 1, j + 1, x);
  l->line->scale(rest, r->right_taus[j], x);
}

/* A small matrix is reduced by one reflection after the other. */
static void reduce_small(const hlo_linear *l, reduction *r) {
  const hlo_small_kernels *small = &hlo_small_kernels_of[l->type];
  int n = r->columns.rows;
  for (int j = 0; j < n; j++) {
    int rest = n - j - 1;
    char *column = hlo_dense_at(l, &r->columns, j, j), *row = hlo_dense_at(l, &r->rights, j, j + 1);
    hlo_dense lines = hlo_dense_part(l, &r->columns, j + 1, j, rest, n - j), below = hlo_dense_part(l, &r->columns, j + 1, j + 1, rest, rest);
    hlo_dense ends = hlo_dense_part(l, &lines, 0, 0, rest, 1), across = hlo_dense_adjoint(&ends), to = hlo_dense_part(l, &r->rights, j, j + 1, 1, rest);
    r->left_taus[j] = hlo_reflect_make(l, n - j, column, &r->d[j]);
    if (rest == 0) return;
    small->reflect_lines(column, hlo_number_conjugate(r->left_taus[j]), &lines);
    small->copy(&across, &to, HLO_SMALL_WHOLE);
    r->right_taus[j] = hlo_reflect_make(l, rest, row, &r->off[j]);
    small->reflect_rows(row, 1, true, r->right_taus[j], &below);
  }
}

static void reduce(hlo_linear *l, reduction *r) {
  int n = r->columns.rows;
  if (n <= HLO_SMALL_SIDE) {
    reduce_small(l, r);
    return;
  }
  for (int first = 0; first < n; first += BLOCK) {
    int end = first + BLOCK < n ? first + BLOCK : n, rest = n - end;
    if (hlo_linear_stops(l, 2.0 * BLOCK * n * n)) return;
    for (int j = first; j < end; j++) {
      reflect_column(l, r, j, j - first);
      if (j + 1 < n) reflect_row(l, r, j, j - first);
    }
    if (rest == 0) return;
    hlo_dense part = hlo_dense_part(l, &r->columns, end, end, rest, rest), left = hlo_dense_part(l, &r->sides, V, end, 2 * BLOCK, rest);
    hlo_dense right = hlo_dense_part(l, &r->sides, Y, end, 2 * BLOCK, rest), factors = hlo_dense_adjoint(&right);
    hlo_linear_multiply(l, &factors, &left, HLO_LINEAR_SUBTRACT, &part);
  }
}

/* ---- The routine ---- */

static int64_t number_bytes(int64_t n) { return hlo_aligned((n + 4 * BLOCK) * (int64_t)sizeof(hlo_number)); }

static int64_t singular_scratch(const hlo_linear_step *p) {
  int64_t n = p->rows < p->cols ? p->rows : p->cols, m = p->rows < p->cols ? p->cols : p->rows, columns = p->mode == 'A' ? m : n;
  return hlo_dense_bytes(p->type, n, m) + 3 * hlo_dense_bytes(p->type, n, n) + hlo_dense_bytes(p->type, 4 * BLOCK, n) + 4 * number_bytes(n) +
         2 * hlo_aligned(n * 8) + hlo_aligned(n * 4) + hlo_dense_bytes(p->type, columns, m) + hlo_reflections_bytes(p->type, m, columns) +
         2 * hlo_dense_bytes(HLO_LINEAR_F64, n, n) + hlo_divide_bytes(n) + hlo_quotients_bytes(n) + hlo_linear_product_bytes(HLO_LINEAR_F64, n, p->threads);
}

/* Stores a line of doubles in a matrix, from the greatest value to the least; lines behind them are those of the identity. */
static void store_lines(const hlo_linear *l, const hlo_dense *from, const int *order, const hlo_dense *to) {
  int n = from->rows;
  hlo_dense_fill(l, to, 1);
  for (int k = 0; k < n; k++) {
    const double *line = (const double *)from->at + order[n - 1 - k] * from->down;
    for (int i = 0; i < n; i++) hlo_dense_set(l, to, k, i, hlo_number_from(line[i]));
  }
}

static void store_values(const hlo_linear *l, const double *d, const int *order, int n, double scale, char *to) {
  bool is_double = l->type % 2;
  for (int k = 0; k < n; k++)
    hlo_line_kernels_of[is_double].set(to + k * (is_double ? 8 : 4), hlo_number_from(order ? d[order[n - 1 - k]] / scale : NAN));
}

/* Replaces a tall matrix, given as its columns, by the square triangle of its QR. */
static hlo_dense take_triangle(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, hlo_number *taus) {
  hlo_dense square = hlo_dense_take(l, lines->rows, lines->rows);
  if (lines->rows == lines->cols) return *lines;
  hlo_qr_lines(l, block, lines, taus);
  hlo_dense_fill(l, &square, 0);
  hlo_dense_copy_triangle(l, lines, &square, true);
  return square;
}

static void run_singular(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  bool wide = p->rows < p->cols, finite;
  int n = wide ? p->rows : p->cols, m = wide ? p->cols : p->rows;
  hlo_dense a = hlo_dense_of(arrays[0], p->rows, p->cols, p->cols), lines = hlo_dense_take(l, n, m), across = hlo_dense_transposed(&lines);
  hlo_reflections block;
  hlo_number *taus = hlo_linear_take(l, number_bytes(n));
  a.conjugate = wide;
  hlo_dense_copy(l, &a, wide ? &lines : &across);
  double scale = hlo_dense_scale(l, &lines, &finite);
  memmove(arrays[1], arrays[0], (size_t)p->bytes[1]);
  *(int32_t *)arrays[5] = !finite;
  bool has_vectors = p->mode == 'A' || p->mode == 'S';
  for (int i = 3; i < 5; i++) memset(arrays[i], 0, (size_t)p->bytes[i]);
  if (!finite) {
    for (int i = 3; has_vectors && i < 5; i++)
      for (int64_t k = 0; k < p->bytes[i] / l->bytes; k++) l->line->set(arrays[i] + k * l->bytes, hlo_number_from(NAN));
    store_values(l, NULL, NULL, n, 1, arrays[2]);
    return;
  }
  hlo_dense_times(l, &lines, scale);
  hlo_reflections_take(l, &block, m, p->mode == 'A' ? m : n);
  reduction r = {.columns = take_triangle(l, &block, &lines, taus), .rights = hlo_dense_take(l, n, n), .sides = hlo_dense_take(l, 4 * BLOCK, n),
                 .factors = hlo_linear_take(l, number_bytes(n)), .left_taus = hlo_linear_take(l, number_bytes(n)),
                 .right_taus = hlo_linear_take(l, number_bytes(n)), .d = hlo_linear_take(l, n * 8), .off = hlo_linear_take(l, n * 8)};
  int *order = hlo_linear_take(l, n * 4);
  reduce(l, &r);
  hlo_dense left = hlo_dense_take(l, p->mode == 'A' ? m : n, m), right = hlo_dense_take(l, n, n);
  hlo_linear doubles = *l;
  doubles.type = HLO_LINEAR_F64, doubles.bytes = 8, doubles.line = &hlo_line_kernels_of[HLO_LINEAR_F64];
  hlo_dense left_lines = hlo_dense_take(&doubles, n, n), right_lines = hlo_dense_take(&doubles, n, n);
  doubles.product_scratch = hlo_linear_take(&doubles, hlo_linear_product_bytes(HLO_LINEAR_F64, n, p->threads));
  if (!has_vectors && hlo_quotients_values(n, p->is_widened || l->type % 2 == 0 ? 0x1p-30 : 0x1p-54, r.d, r.off, doubles.free)) {
    hlo_values_sort(n, r.d);
    for (int k = 0; k < n; k++) order[k] = k;
  } else {
    hlo_bidiagonal_divide(&doubles, n, r.d, r.off, &left_lines, &right_lines, order);
  }
  store_values(l, r.d, order, n, scale, arrays[2]);
  if (!has_vectors) return;
  store_lines(l, &left_lines, order, &left);
  store_lines(l, &right_lines, order, &right);
  hlo_dense left_turned = hlo_dense_transposed(&left), right_turned = hlo_dense_transposed(&right), square = hlo_dense_part(l, &left_turned, 0, 0, n, n);
  hlo_reflections_apply_all(l, &block, &r.columns, r.left_taus, n, false, false, &square);
  if (m > n) hlo_reflections_apply_all(l, &block, &lines, taus, n, false, false, &left_turned);
  if (n > 1) {
    hlo_dense vectors = hlo_dense_part(l, &r.rights, 0, 1, n - 1, n - 1), below = hlo_dense_part(l, &right_turned, 1, 0, n - 1, n);
    hlo_reflections_apply_all(l, &block, &vectors, r.right_taus, n - 1, false, false, &below);
  }
  const hlo_dense *u = wide ? &right_turned : &left_turned;
  hlo_dense vh = wide ? left : right;
  vh.conjugate = true;
  hlo_dense to_u = hlo_dense_of(arrays[3], u->rows, u->cols, u->cols), to_vh = hlo_dense_of(arrays[4], vh.rows, vh.cols, vh.cols);
  hlo_dense_copy(l, u, &to_u);
  hlo_dense_copy(l, &vh, &to_vh);
}

const hlo_linear_routine hlo_singular_routine = {run_singular, singular_scratch, false};
