/* Singular values by Jacobi's method: rotations of two columns at a time until all are orthogonal.
 *
 * The method is slower than LAPACK's, and at least as accurate. */
#include <math.h>

#include "base/arena.h"
#include "base/status.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"

enum { MOST_SWEEPS = 60 };

void hlo_sort_columns(double *values, bool ascending, hlo_matrix *m) {
  for (ptrdiff_t i = 0; i < m->cols; i++) {
    ptrdiff_t best = i;
    for (ptrdiff_t k = i + 1; k < m->cols; k++)
      if (ascending ? values[k] < values[best] : values[k] > values[best]) best = k;
    double kept = values[i];
    values[i] = values[best];
    values[best] = kept;
    hlo_line_swap(m->rows, hlo_at(m, 0, i), hlo_at(m, 0, best), m->cols);
  }
}

static hlo_complex inner(const hlo_matrix *m, ptrdiff_t p, ptrdiff_t q) {
  return hlo_line_product(m->rows, hlo_at(m, 0, p), m->cols, true, hlo_at(m, 0, q), m->cols);
}

/* Columns p and q of all of `m` become c p - s conj(phase) q and s phase p + c q, so that those of its upper part are orthogonal:
 * the eigenvectors of [[a, b], [conj(b), d]]. */
static bool rotate_columns(hlo_matrix *m, const hlo_matrix *upper, ptrdiff_t p, ptrdiff_t q) {
  hlo_complex b = inner(upper, p, q);
  double a = inner(upper, p, p)[0], d = inner(upper, q, q)[0], size = hlo_complex_abs(b);
  if (!(size > 0x1p-52 * sqrt(a) * sqrt(d))) return false;
  double theta = (d - a) / (2 * size), t = copysign(1, theta) / (fabs(theta) + hlo_complex_abs((hlo_complex){1, theta}));
  double c = 1 / hlo_complex_abs((hlo_complex){1, t});
  b *= t * c / size;
  const hlo_complex turn[] = {{c}, -hlo_conj(b), b, {c}};
  hlo_line_turn(m->rows, hlo_at(m, 0, p), hlo_at(m, 0, q), m->cols, turn);
  return true;
}

/* One pass over all pairs of columns. Returns whether another is needed: a pair was not orthogonal yet, and the run goes on. */
static bool sweep(hlo_matrix *m, const hlo_matrix *upper, hlo_evaluation *evaluation) {
  bool rotated = false;
  for (ptrdiff_t p = 0; p < m->cols; p++)
    for (ptrdiff_t q = p + 1; q < m->cols; q++) {
      if (!hlo_reference_tick(evaluation, m->rows + upper->rows)) return false;
      rotated |= rotate_columns(m, upper, p, q);
    }
  return rotated;
}

/* Makes column `col` a unit vector orthogonal to those before it, starting from a unit vector of the axes. */
static bool complete_column(hlo_matrix *m, ptrdiff_t col, hlo_evaluation *evaluation) {
  for (ptrdiff_t axis = 0; axis < m->rows; axis++) {
    if (!hlo_reference_tick(evaluation, 2 * m->rows * col)) return false;
    for (ptrdiff_t i = 0; i < m->rows; i++) *hlo_at(m, i, col) = hlo_complex_from(i == axis);
    for (int pass = 0; pass < 2; pass++)
      for (ptrdiff_t k = 0; k < col; k++)
        hlo_line_add(m->rows, -inner(m, k, col), hlo_at(m, 0, k), m->cols, false, hlo_at(m, 0, col), m->cols);
    double length = sqrt(inner(m, col, col)[0]);
    if (length < 0.5 / sqrt((double)m->rows)) continue;
    for (ptrdiff_t i = 0; i < m->rows; i++) *hlo_at(m, i, col) /= length;
    break;
  }
  return true;
}

/* The columns of `from`, divided by their lengths. Columns of (almost) no length, and columns that `from` has not, become
 * unit vectors orthogonal to the others. */
static bool fill_unit_columns(hlo_matrix *to, const hlo_matrix *from, const double *lengths, hlo_evaluation *evaluation) {
  for (ptrdiff_t k = 0; k < to->cols; k++) {
    if (!hlo_reference_tick(evaluation, to->rows)) return false;
    if (k < from->cols && lengths[k] > 0x1p-1000)
      for (ptrdiff_t i = 0; i < to->rows; i++) *hlo_at(to, i, k) = *hlo_at(from, i, k) / lengths[k];
    else if (!complete_column(to, k, evaluation))
      return false;
  }
  return true;
}

/* Works on a matrix that has a / scale in its upper rows and, in its lower rows, the product of all rotations. */
bool hlo_singular_values(const hlo_matrix *a, double *values, hlo_matrix *u, hlo_matrix *v, hlo_arena *arena, hlo_evaluation *evaluation) {
  hlo_status *status = evaluation->status;
  if (a->rows < a->cols) {
    hlo_matrix adjoint = hlo_matrix_adjoint(arena, a, status);
    return adjoint.at && hlo_singular_values(&adjoint, values, v, u, arena, evaluation);
  }
  hlo_matrix m = hlo_matrix_make(arena, a->rows + a->cols, a->cols, status), upper = *a, lower = {a->cols, a->cols, NULL};
  double *ones = hlo_arena_many(arena, double, a->cols, status);
  if (!m.at || !ones) return false;
  upper.at = m.at;
  lower.at = m.at + a->rows * a->cols;
  double scale = hlo_matrix_largest(a);
  bool scaled = scale > 0 && isfinite(scale);
  for (ptrdiff_t i = 0; i < a->rows * a->cols; i++) m.at[i] = a->at[i] / (scaled ? scale : 1);
  for (ptrdiff_t k = 0; k < a->cols; k++) *hlo_at(&lower, k, k) = hlo_complex_from(ones[k] = 1);
  for (int round = 0; round < MOST_SWEEPS && isfinite(scale) && sweep(&m, &upper, evaluation); round++) continue;
  if (!hlo_ok(status)) return false;
  for (ptrdiff_t k = 0; k < a->cols; k++) values[k] = sqrt(inner(&upper, k, k)[0]);
  hlo_sort_columns(values, false, &m);
  if (!fill_unit_columns(u, &upper, values, evaluation) || !fill_unit_columns(v, &lower, ones, evaluation)) return false;
  for (ptrdiff_t k = 0; scaled && k < a->cols; k++) values[k] *= scale;
  return true;
}
