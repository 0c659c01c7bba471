/* Hermitian matrices: reduced to real tridiagonal form by reflections, whose eigenvectors are reflected back.
 *
 * Half of the reduction is products of the matrix with a vector; the other half is left until a block of reflections is there, and is then
 * one product of matrices. */
#include <math.h>
#include <string.h>

#include "base/alignment.h"
#include "kernels/linear/divide.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/linear_run.h"
#include "kernels/linear/reflect.h"
#include "kernels/linear/small.h"

enum { BLOCK = HLO_REFLECT_BLOCK };

typedef struct reduction {
  hlo_dense columns; /* of the matrix, whose other triangle is there, too; the vectors of reflections take their place */
  hlo_dense pairs;   /* v, w and v again of a block: a - v w^H - w v^H is left to do */
  hlo_number *factors, *taus;
  double *d, *off;
} reduction;

/* line -= the sum over k of lines[k] conj(others[k][place]). */
static void subtract(const hlo_linear *l, const reduction *r, int lines, int others, int count, int place, char *line) {
  for (int k = 0; k < count; k++) r->factors[k] = -hlo_number_conjugate(hlo_dense_get(l, &r->pairs, others + k, place));
  l->line->combine(r->columns.cols - place, r->factors, hlo_dense_at(l, &r->pairs, lines, place), r->pairs.down, count, line);
}

/* Makes w of the reflection v of column j, the i-th of its block. */
static void make_w(const hlo_linear *l, const reduction *r, int j, int i, const char *v, char *w, hlo_number tau) {
  int n = r->columns.rows, count = n - j - 1;
  hlo_number sum;
  memset(w, 0, (size_t)(count * l->bytes));
  for (int k = 0; k < count; k++) r->factors[k] = l->line->get(v + k * l->bytes);
  l->line->combine(count, r->factors, hlo_dense_at(l, &r->columns, j + 1, j + 1), r->columns.down, count, w);
  for (int side = 0; side < 2; side++) {
    int lines = side ? BLOCK : 0, others = side ? 0 : BLOCK;
    l->line->sum(count, hlo_dense_at(l, &r->pairs, others, j + 1), r->pairs.down, i, v, r->factors);
    for (int k = 0; k < i; k++) r->factors[k] = -r->factors[k];
    l->line->combine(count, r->factors, hlo_dense_at(l, &r->pairs, lines, j + 1), r->pairs.down, i, w);
  }
  l->line->scale(count, tau, w);
  l->line->sum(count, w, 0, 1, v, &sum);
  sum = hlo_number_product(tau, sum) * -0.5;
  l->line->combine(count, &sum, v, 0, 1, w);
}

/* A small matrix is reduced by one reflection after the other. */
static void reduce_small(const hlo_linear *l, reduction *r) {
  int n = r->columns.rows;
  for (int j = 0; j < n; j++) {
    char *column = hlo_dense_at(l, &r->columns, j, j), *v = column + l->bytes;
    r->d[j] = l->line->get(column)[0];
    if (j + 1 == n) break;
    hlo_dense rest = hlo_dense_part(l, &r->columns, j + 1, j + 1, n - j - 1, n - j - 1);
    r->taus[j] = hlo_reflect_make(l, rest.rows, v, &r->off[j]);
    hlo_small_kernels_of[l->type].reflect_both(v, r->taus[j], &rest);
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
    if (hlo_linear_stops(l, (double)BLOCK * n * n)) return;
    for (int j = first; j < end; j++) {
      int i = j - first;
      char *column = hlo_dense_at(l, &r->columns, j, j);
      subtract(l, r, 0, BLOCK, i, j, column);
      subtract(l, r, BLOCK, 0, i, j, column);
      r->d[j] = l->line->get(column)[0];
      if (j + 1 == n) break;
      char *v = hlo_dense_at(l, &r->pairs, i, j + 1);
      r->taus[j] = hlo_reflect_make(l, n - j - 1, column + l->bytes, &r->off[j]);
      memset(hlo_dense_at(l, &r->pairs, i, 0), 0, (size_t)((j + 1) * l->bytes));
      memcpy(v, column + l->bytes, (size_t)((n - j - 1) * l->bytes));
      make_w(l, r, j, i, v, hlo_dense_at(l, &r->pairs, BLOCK + i, j + 1), r->taus[j]);
    }
    if (rest == 0) return;
    memcpy(hlo_dense_at(l, &r->pairs, 2 * BLOCK, 0), r->pairs.at, (size_t)(BLOCK * r->pairs.down * l->bytes));
    hlo_dense part = hlo_dense_part(l, &r->columns, end, end, rest, rest), pairs = hlo_dense_part(l, &r->pairs, 0, end, 2 * BLOCK, rest);
    hlo_dense swapped = hlo_dense_part(l, &r->pairs, BLOCK, end, 2 * BLOCK, rest), factors = hlo_dense_adjoint(&swapped);
    hlo_linear_multiply(l, &factors, &pairs, HLO_LINEAR_SUBTRACT, &part);
  }
}

static int64_t number_bytes(int64_t n) { return hlo_aligned((n + 2 * BLOCK) * (int64_t)sizeof(hlo_number)); }

static int64_t eigen_scratch(const hlo_linear_step *p) {
  int64_t n = p->rows;
  return 2 * hlo_dense_bytes(p->type, n, n) + hlo_dense_bytes(p->type, 3 * BLOCK, n) + 2 * number_bytes(n) + 2 * hlo_aligned(n * 8) +
         hlo_reflections_bytes(p->type, n, n) + hlo_dense_bytes(HLO_LINEAR_F64, n, n) + hlo_aligned(n * 4) + hlo_divide_bytes(n) +
         hlo_linear_product_bytes(HLO_LINEAR_F64, n, p->threads);
}

static void fill(const hlo_linear *l, char *to, int64_t count, double value) {
  for (int64_t i = 0; i < count; i++) l->line->set(to + i * l->bytes, hlo_number_from(value));
}

/* Solves the tridiagonal problem, and turns its eigenvectors back into those of the matrix. */
static bool finish_vectors(hlo_linear *l, const reduction *r, int *order, const hlo_dense *out) {
  int n = r->columns.rows;
  hlo_linear doubles = *l;
  doubles.type = HLO_LINEAR_F64, doubles.bytes = 8, doubles.line = &hlo_line_kernels_of[HLO_LINEAR_F64];
  hlo_dense lines = hlo_dense_take(l, n, n), turned = hlo_dense_transposed(&lines);
  hlo_reflections block;
  hlo_reflections_take(l, &block, n, n);
  doubles.free = l->free;
  hlo_dense q = hlo_dense_take(&doubles, n, n);
  doubles.product_scratch = doubles.free;
  doubles.free = doubles.end - hlo_aligned(hlo_divide_bytes(n));
  bool ends = hlo_tridiagonal_divide(&doubles, n, r->d, r->off, &q, order);
  for (int k = 0; k < n; k++) {
    const double *from = (const double *)q.at + order[k] * q.down;
    for (int i = 0; i < n; i++) hlo_dense_set(l, &lines, k, i, hlo_number_from(from[i]));
  }
  if (n > 1) {
    hlo_dense vectors = hlo_dense_part(l, &r->columns, 0, 1, n - 1, n - 1), below = hlo_dense_part(l, &turned, 1, 0, n - 1, n);
    hlo_reflections_apply_all(l, &block, &vectors, r->taus, n - 1, false, false, &below);
  }
  hlo_dense_copy(l, &turned, out);
  return ends;
}

/* Takes room for a reduction, and reads the matrix, of which one triangle is given. Returns what it has been multiplied by. */
static double begin(hlo_linear *l, reduction *r, const hlo_dense *a, bool lower, bool *finite) {
  int n = a->rows;
  *r = (reduction){.columns = hlo_dense_take(l, n, n), .pairs = hlo_dense_take(l, 3 * BLOCK, n), .factors = hlo_linear_take(l, number_bytes(n)),
                   .taus = hlo_linear_take(l, number_bytes(n)), .d = hlo_linear_take(l, n * 8), .off = hlo_linear_take(l, n * 8)};
  hlo_dense turned = hlo_dense_transposed(&r->columns), other = hlo_dense_adjoint(a);
  hlo_dense_copy_triangle(l, lower ? a : &other, &turned, true);
  hlo_dense_copy_triangle(l, lower ? &other : a, &turned, false);
  for (int k = 0; k < n; k++) hlo_dense_set(l, &r->columns, k, k, hlo_number_from(hlo_dense_get(l, &r->columns, k, k)[0]));
  double scale = hlo_dense_scale(l, &r->columns, finite);
  hlo_dense_times(l, &r->columns, scale);
  return scale;
}

static void run_eigen(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows;
  bool finite, ends, is_double = l->type % 2;
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), out = hlo_dense_of(arrays[1], n, n, n);
  reduction r;
  double scale = begin(l, &r, &a, p->lower, &finite);
  int *order = hlo_linear_take(l, n * 4);
  if (!finite) {
    fill(l, arrays[1], (int64_t)n * n, NAN);
    fill(&(hlo_linear){.line = &hlo_line_kernels_of[is_double], .bytes = is_double ? 8 : 4}, arrays[2], n, NAN);
    *(int32_t *)arrays[3] = 1;
    return;
  }
  reduce(l, &r);
  if (p->mode == 'V') {
    ends = finish_vectors(l, &r, order, &out);
  } else {
    memcpy(arrays[1], arrays[0], (size_t)p->bytes[1]);
    ends = hlo_tridiagonal_ql(n, r.d, r.off, NULL);
    hlo_values_sort(n, r.d);
  }
  for (int k = 0; k < n; k++) {
    double value = r.d[p->mode == 'V' ? order[k] : k] / scale;
    hlo_line_kernels_of[is_double].set(arrays[2] + k * (is_double ? 8 : 4), hlo_number_from(value));
  }
  *(int32_t *)arrays[3] = !ends;
}

/* ---- sytrd, hetrd ---- */

static int64_t tridiagonal_scratch(const hlo_linear_step *p) {
  int64_t n = p->rows;
  return hlo_dense_bytes(p->type, n, n) + hlo_dense_bytes(p->type, 3 * BLOCK, n) + 2 * number_bytes(n) + 2 * hlo_aligned(n * 8);
}

/* The rows and the columns of a matrix in reverse order. */
static hlo_dense reversed(const hlo_linear *l, const hlo_dense *a) {
  hlo_dense last = hlo_dense_part(l, a, a->rows - 1, a->cols - 1, a->rows, a->cols);
  last.down = -last.down, last.across = -last.across;
  return last;
}

/* The reduction of an upper triangle takes rows and columns in reverse order. */
static void run_tridiagonal(hlo_linear *l, const hlo_linear_step *p, char *const *arrays) {
  int n = p->rows, last = n - 1, real_bytes = l->type % 2 ? 8 : 4;
  const hlo_line_kernels *real = &hlo_line_kernels_of[l->type % 2];
  hlo_dense a = hlo_dense_of(arrays[0], n, n, n), out = hlo_dense_of(arrays[1], n, n, n);
  if (!p->lower) a = reversed(l, &a), out = reversed(l, &out);
  bool finite;
  reduction r;
  double scale = begin(l, &r, &a, true, &finite);
  reduce(l, &r);
  memcpy(arrays[1], arrays[0], (size_t)p->bytes[1]);
  for (int k = 0; k < n; k++) {
    double d = r.d[k] / scale, off = k < last ? r.off[k] / scale : 0;
    int at = p->lower ? k : last - k, beside = p->lower ? k : last - 1 - k;
    hlo_dense_set(l, &out, k, k, hlo_number_from(d));
    real->set(arrays[2] + at * real_bytes, hlo_number_from(d));
    if (k == last) break;
    hlo_dense_set(l, &out, k + 1, k, hlo_number_from(off));
    for (int i = k + 2; i < n; i++) hlo_dense_set(l, &out, i, k, hlo_dense_get(l, &r.columns, k, i));
    real->set(arrays[3] + beside * real_bytes, hlo_number_from(off));
    l->line->set(arrays[4] + beside * l->bytes, r.taus[k]);
  }
  *(int32_t *)arrays[5] = 0;
}

const hlo_linear_routine hlo_tridiagonal_routine = {run_tridiagonal, tridiagonal_scratch, false};
const hlo_linear_routine hlo_eigen_routine = {run_eigen, eigen_scratch, false};
