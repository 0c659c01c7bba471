/* Jacobi's methods: rotations of two columns at a time until all are orthogonal, or all off-diagonal elements zero.
 *
 * Slow beside LAPACK's, and hard to beat in accuracy. */
#include <math.h>

#include "reference/dense_matrix.h"

enum { MOST_SWEEPS = 60 };

/* A rotation of columns p and q: p' = c p - s hlo_conj(phase) q, q' = s phase p + c q (s real). */
typedef struct rotation {
  double c, s;
  hlo_complex phase;
} rotation;

/* Makes [[a, b], [hlo_conj(b), d]] diagonal. */
static rotation diagonalise(double a, hlo_complex b, double d) {
  double size = hlo_complex_abs(b), theta = (d - a) / (2 * size);
  double t = copysign(1, theta) / (fabs(theta) + hlo_complex_abs((hlo_complex){1, theta})), c = 1 / hlo_complex_abs((hlo_complex){1, t});
  return (rotation){c, t * c, b / size};
}

static void rotate_columns(hlo_matrix *m, int64_t p, int64_t q, rotation r) {
  const hlo_complex turn[] = {{r.c}, -r.s * hlo_conj(r.phase), r.s * r.phase, {r.c}};
  hlo_line_turn(m->rows, hlo_at(m, 0, p), hlo_at(m, 0, q), m->cols, turn);
}

/* The same of rows, with the adjoint: together, m := R^H m R. */
static void rotate_rows(hlo_matrix *m, int64_t p, int64_t q, rotation r) {
  const hlo_complex turn[] = {{r.c}, -r.s * r.phase, r.s * hlo_conj(r.phase), {r.c}};
  hlo_line_turn(m->cols, hlo_at(m, p, 0), hlo_at(m, q, 0), 1, turn);
}

static void swap_columns(hlo_matrix *m, int64_t p, int64_t q) {
  hlo_line_swap(m->rows, hlo_at(m, 0, p), hlo_at(m, 0, q), m->cols);
}

/* Sorts values and the columns that go with them. */
static void sort_columns(double *values, int64_t count, bool ascending, hlo_matrix *m, hlo_matrix *other) {
  for (int64_t i = 0; i < count; i++) {
    int64_t best = i;
    for (int64_t k = i + 1; k < count; k++)
      if (ascending ? values[k] < values[best] : values[k] > values[best]) best = k;
    double kept = values[i];
    values[i] = values[best];
    values[best] = kept;
    swap_columns(m, i, best);
    if (other) swap_columns(other, i, best);
  }
}

/* ---- Hermitian eigenvalues ---- */

/* One pass over all pairs; whether anything was still to do. */
static bool eigen_sweep(hlo_matrix *a, hlo_matrix *vectors, double scale) {
  bool rotated = false;
  for (int64_t p = 0; p < a->rows; p++) {
    for (int64_t q = p + 1; q < a->rows; q++) {
      hlo_complex b = *hlo_at(a, p, q);
      double around = sqrt(fabs((*hlo_at(a, p, p))[0])) * sqrt(fabs((*hlo_at(a, q, q))[0]));
      if (!(hlo_complex_abs(b) > 0x1p-54 * fmin(around, scale)) || !(hlo_complex_abs(b) > 0x1p-100 * scale)) continue;
      rotation r = diagonalise((*hlo_at(a, p, p))[0], b, (*hlo_at(a, q, q))[0]);
      rotate_columns(a, p, q, r);
      rotate_rows(a, p, q, r);
      rotate_columns(vectors, p, q, r);
      *hlo_at(a, p, q) = *hlo_at(a, q, p) = hlo_complex_from(0);
      rotated = true;
    }
  }
  return rotated;
}

static double largest_element(const hlo_matrix *a) {
  double largest = 0;
  for (int64_t i = 0; i < a->rows * a->cols; i++) largest = fmax(largest, hlo_complex_abs(a->at[i]));
  return largest;
}

bool hlo_eigen_hermitian(hlo_matrix *a, bool lower, double *values, hlo_arena *arena, hlo_status *status) {
  hlo_matrix vectors = hlo_matrix_identity(arena, a->rows, a->rows, status);
  if (!vectors.at) return false;
  hlo_matrix_mirror(a, lower);
  double scale = largest_element(a);
  for (int sweep = 0; sweep < MOST_SWEEPS && isfinite(scale) && eigen_sweep(a, &vectors, scale); sweep++) continue;
  for (int64_t i = 0; i < a->rows; i++) values[i] = (*hlo_at(a, i, i))[0];
  *a = vectors;
  sort_columns(values, a->rows, true, a, NULL);
  return true;
}

/* ---- Singular values, one-sided ---- */

static hlo_complex inner(const hlo_matrix *m, int64_t p, int64_t q) {
  return hlo_line_product(m->rows, hlo_at(m, 0, p), m->cols, true, hlo_at(m, 0, q), m->cols);
}

static bool singular_sweep(hlo_matrix *m, hlo_matrix *v) {
  bool rotated = false;
  for (int64_t p = 0; p < m->cols; p++) {
    for (int64_t q = p + 1; q < m->cols; q++) {
      hlo_complex b = inner(m, p, q);
      double a = inner(m, p, p)[0], d = inner(m, q, q)[0];
      if (!(hlo_complex_abs(b) > 0x1p-52 * sqrt(a) * sqrt(d))) continue;
      rotation r = diagonalise(a, b, d);
      rotate_columns(m, p, q, r);
      rotate_columns(v, p, q, r);
      rotated = true;
    }
  }
  return rotated;
}

/* Makes column `col` a unit vector orthogonal to those before it, starting from a unit vector of the axes. */
static void complete_column(hlo_matrix *m, int64_t col) {
  for (int64_t axis = 0; axis < m->rows; axis++) {
    for (int64_t i = 0; i < m->rows; i++) *hlo_at(m, i, col) = hlo_complex_from(i == axis);
    for (int pass = 0; pass < 2; pass++)
      for (int64_t k = 0; k < col; k++)
        hlo_line_add(m->rows, -inner(m, k, col), hlo_at(m, 0, k), m->cols, false, hlo_at(m, 0, col), m->cols);
    double length = sqrt(inner(m, col, col)[0]);
    if (length < 0.5 / sqrt((double)m->rows)) continue;
    for (int64_t i = 0; i < m->rows; i++) *hlo_at(m, i, col) /= length;
    return;
  }
}

/* The first `count` columns of `from`, divided by their lengths; the rest, and those of length (almost) zero, completed. */
static void fill_unit_columns(hlo_matrix *to, const hlo_matrix *from, const double *lengths, int64_t count) {
  for (int64_t k = 0; k < to->cols; k++) {
    if (k >= count || !(lengths[k] > 0x1p-1000)) {
      complete_column(to, k);
      continue;
    }
    for (int64_t i = 0; i < to->rows; i++) *hlo_at(to, i, k) = *hlo_at(from, i, k) / lengths[k];
  }
}

static void fill_columns(hlo_matrix *to, const hlo_matrix *from) {
  for (int64_t k = 0; k < to->cols; k++) {
    if (k >= from->cols) complete_column(to, k);
    else
      for (int64_t i = 0; i < to->rows; i++) *hlo_at(to, i, k) = *hlo_at(from, i, k);
  }
}

bool hlo_singular_values(const hlo_matrix *a, double *values, hlo_matrix *u, hlo_matrix *v, hlo_arena *arena, hlo_status *status) {
  if (a->rows < a->cols) {
    hlo_matrix adjoint = hlo_matrix_adjoint(arena, a, status);
    return adjoint.at && hlo_singular_values(&adjoint, values, v, u, arena, status);
  }
  hlo_matrix work = hlo_matrix_copy(arena, a, status), turned = hlo_matrix_identity(arena, a->cols, a->cols, status);
  if (!work.at || !turned.at) return false;
  double scale = largest_element(a);
  bool scaled = scale > 0 && isfinite(scale);
  for (int64_t i = 0; scaled && i < a->rows * a->cols; i++) work.at[i] /= scale;
  for (int sweep = 0; sweep < MOST_SWEEPS && isfinite(scale) && singular_sweep(&work, &turned); sweep++) continue;
  for (int64_t k = 0; k < a->cols; k++) values[k] = sqrt(inner(&work, k, k)[0]);
  sort_columns(values, a->cols, false, &work, &turned);
  fill_unit_columns(u, &work, values, a->cols);
  fill_columns(v, &turned);
  for (int64_t k = 0; scaled && k < a->cols; k++) values[k] *= scale;
  return true;
}
