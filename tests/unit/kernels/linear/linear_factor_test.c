/* Cholesky, LU and triangles: what is left over, for every type, kind of matrix and size on both sides of each block. */
#include "linear_case.h"
#include "threads.h"

static const int sizes[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 70};
enum { SIZES = sizeof sizes / sizeof *sizes };
static hlo_team *team;

#define HOLDS(condition, ...)                                                                                                      \
  CHECK(condition, "%s, %s, %d x %d, %d others, %s: %g", __func__, linear_types[type], rows, cols, others, linear_kinds[kind], __VA_ARGS__)

/* The part of a matrix that is a triangle; unit: with ones on the diagonal. */
static matrix triangle_of(const matrix *m, int rows, int cols, bool lower, bool unit) {
  matrix t = matrix_make(rows, cols);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      if (lower ? c <= r : c >= r) *matrix_at(&t, r, c) = *matrix_at(m, r, c);
      if (unit && r == c) *matrix_at(&t, r, c) = 1;
    }
  return t;
}

static void check_cholesky(hlo_linear_type type, linear_kind kind, int n, bool lower, bool clears, int64_t batch) {
  int rows = n, cols = n, others = 0;
  matrix b = linear_matrix(type, kind == TINY || kind == VAST ? RANDOM : kind, n, n), h = matrix_adjoint(&b), a = matrix_product(&b, &h);
  double scale = kind == TINY ? 1e-30 : kind == VAST ? 1e30 : 1, most;
  for (int r = 0; r < n; r++) {
    *matrix_at(&a, r, r) += kind == SINGULAR ? 0 : 0.5 * n;
    for (int c = 0; c < n; c++) *matrix_at(&a, r, c) = linear_rounded(type, *matrix_at(&a, r, c) * scale);
    *matrix_at(&a, r, r) = creal(*matrix_at(&a, r, r));
  }
  most = matrix_largest(&a);
  matrix read = triangle_of(&a, n, n, lower, false);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++)
      if (lower ? c > r : c < r) *matrix_at(&read, r, c) = 77; /* is not read */
  linear_run run = {.step = {.routine = &hlo_cholesky_routine, .type = type, .rows = n, .cols = n, .lower = lower, .clears = clears, .batch = batch}};
  linear_add_matrix(&run, &read);
  linear_add_result(&run, n, n);
  if (!clears) linear_add_integers(&run, 1);
  linear_go(&run, team);
  matrix out = linear_result(&run, 1, n, n), t = triangle_of(&out, n, n, lower, false), th = matrix_adjoint(&t);
  matrix again = lower ? matrix_product(&t, &th) : matrix_product(&th, &t);
  if (kind != SINGULAR && kind != ZERO) {
    double left = matrix_distance(&again, &a) / (n * most * linear_epsilon(type));
    HOLDS(left < 4, left);
    double other = *matrix_at(&out, lower ? 0 : n - 1, lower ? n - 1 : 0);
    HOLDS(n == 1 || other == (clears ? 0 : (float)77), other);
    if (!clears) HOLDS(*(int32_t *)(run.arrays[2] + 4 * (batch - 1)) == 0, 0.0);
  }
  matrix_free(&b), matrix_free(&h), matrix_free(&a), matrix_free(&read), matrix_free(&out), matrix_free(&t), matrix_free(&th), matrix_free(&again);
  linear_end(&run);
}

/* A matrix that is not positive says where, or is NaN throughout. */
static void check_indefinite(hlo_linear_type type, int n, int bad, double pivot) {
  for (int clears = 0; clears < 2; clears++) {
    matrix a = linear_matrix(type, IDENTITY, n, n);
    *matrix_at(&a, bad, bad) = pivot;
    linear_run run = {.step = {.routine = &hlo_cholesky_routine, .type = type, .rows = n, .cols = n, .lower = true, .clears = clears, .batch = 1}};
    linear_add_matrix(&run, &a);
    linear_add_result(&run, n, n);
    if (!clears) linear_add_integers(&run, 1);
    linear_go(&run, NULL);
    matrix out = linear_result(&run, 1, n, n);
    if (clears) CHECK(isnan(creal(out.at[0])) && isnan(creal(out.at[n * n - 1])), "%s of order %d, pivot %g: not NaN", linear_types[type], n, pivot);
    else CHECK(*(int32_t *)run.arrays[2] == bad + 1, "%s of order %d, pivot %g: info %d", linear_types[type], n, pivot, *(int32_t *)run.arrays[2]);
    matrix_free(&a), matrix_free(&out);
    linear_end(&run);
  }
}

/* A pivot whose inverse is no finite number. */
static void check_least(int n) {
  for (int type = 0; type < 4; type++) {
    double least = type % 2 ? 0x1p-1074 : 0x1p-149;
    matrix a = linear_matrix(type, IDENTITY, n, n), b = linear_matrix(type, IDENTITY, n, n);
    for (int i = 0; i < n; i++) *matrix_at(&a, i, i) = 4 * least, *matrix_at(&b, i, i) = 12 * least;
    linear_run factor = {.step = {.routine = &hlo_cholesky_routine, .type = type, .rows = n, .cols = n, .clears = true, .batch = 1}};
    linear_run solve = {.step = {.routine = &hlo_triangle_routine, .type = type, .rows = n, .cols = n, .others = n, .left = true, .batch = 1}};
    linear_run lu = {.step = {.routine = &hlo_lu_routine, .type = type, .rows = n, .cols = n, .batch = 1}};
    linear_add_matrix(&solve, &a), linear_add_matrix(&solve, &b), linear_add_result(&solve, n, n);
    for (int k = 0; k + 1 < n; k++) *matrix_at(&a, k, k + 1) = *matrix_at(&a, k + 1, k) = 2 * least;
    linear_add_matrix(&factor, &a), linear_add_result(&factor, n, n);
    linear_add_matrix(&lu, &a), linear_add_result(&lu, n, n), linear_add_integers(&lu, n), linear_add_integers(&lu, 1);
    linear_go(&factor, NULL), linear_go(&solve, NULL), linear_go(&lu, NULL);
    matrix u = linear_result(&factor, 1, n, n), x = linear_result(&solve, 2, n, n), parts = linear_result(&lu, 1, n, n);
    double root = 2 * sqrt(least), beside = linear_rounded(type, sqrt(least)), last = creal(*matrix_at(&x, n - 1, n - 1));
    CHECK(fabs(creal(u.at[0]) / root - 1) < 1e-6, "%s of order %d: %g", linear_types[type], n, creal(u.at[0]));
    CHECK(n == 1 || fabs(creal(u.at[1]) / beside - 1) < 1e-6, "%s of order %d: %g", linear_types[type], n, creal(u.at[1]));
    CHECK(last == 3, "%s of order %d: %g", linear_types[type], n, last);
    CHECK(n == 1 || *matrix_at(&parts, 1, 0) == 0.5, "%s of order %d: %g", linear_types[type], n, creal(*matrix_at(&parts, 1, 0)));
    matrix_free(&a), matrix_free(&b), matrix_free(&u), matrix_free(&x), matrix_free(&parts);
    linear_end(&factor), linear_end(&solve), linear_end(&lu);
  }
}

/* Which row is exchanged first, and info: where a NaN is the greatest element, where rows are equal, where a column is zero, and where a pivot
 * is too small for the type. */
static void check_pivot(hlo_linear_type type, int n, const matrix *a, int first, int info) {
  linear_run run = {.step = {.routine = &hlo_lu_routine, .type = type, .rows = n, .cols = n, .batch = 1}};
  linear_add_matrix(&run, a), linear_add_result(&run, n, n), linear_add_integers(&run, n), linear_add_integers(&run, 1);
  linear_go(&run, NULL);
  int pivot = *(int32_t *)run.arrays[2], found = *(int32_t *)run.arrays[3];
  CHECK(pivot == first && found == info, "%s of order %d: row %d, not %d; info %d, not %d", linear_types[type], n, pivot, first, found, info);
  linear_end(&run);
}

static void check_pivots(hlo_linear_type type, int n) {
  matrix a = linear_matrix(type, IDENTITY, n, n);
  *matrix_at(&a, n - 1, 0) = -1;
  check_pivot(type, n, &a, 1, 0);
  *matrix_at(&a, n - 1, 0) = -1.5;
  check_pivot(type, n, &a, n, 0);
  *matrix_at(&a, n - 2, 0) = NAN;
  check_pivot(type, n, &a, n - 1, 0);
  for (int i = 0; i < n; i++) *matrix_at(&a, i, 0) = 0;
  check_pivot(type, n, &a, 1, 1);
  for (int last = 1; last < n; last += n - 2) {
    matrix b = linear_matrix(type, IDENTITY, n, n);
    *matrix_at(&b, last - 1, last) = *matrix_at(&b, last, last - 1) = type % 2 ? 0x1p-600 : 0x1p-80;
    *matrix_at(&b, last, last) = 0;
    check_pivot(type, n, &b, 1, last + 1);
    *matrix_at(&b, n - 1, n - 1) = 0;
    check_pivot(type, n, &b, 1, last + 1);
    matrix_free(&b);
  }
  matrix_free(&a);
}

static void check_lu(hlo_linear_type type, linear_kind kind, int rows, int cols, int64_t batch) {
  int others = 0, steps = rows < cols ? rows : cols;
  matrix a = linear_matrix(type, kind, rows, cols);
  linear_run run = {.step = {.routine = &hlo_lu_routine, .type = type, .rows = rows, .cols = cols, .batch = batch}};
  linear_add_matrix(&run, &a);
  linear_add_result(&run, rows, cols);
  linear_add_integers(&run, steps);
  linear_add_integers(&run, 1);
  linear_go(&run, team);
  matrix out = linear_result(&run, 1, rows, cols), l = triangle_of(&out, rows, steps, true, true), u = triangle_of(&out, steps, cols, false, false);
  matrix again = matrix_product(&l, &u);
  const int32_t *pivots = (const int32_t *)(run.arrays[2] + 4 * steps * (batch - 1));
  for (int k = 0; k < steps; k++) {
    HOLDS(pivots[k] > k && pivots[k] <= rows, (double)pivots[k]);
    for (int c = 0; c < cols && pivots[k] > 0 && pivots[k] <= rows; c++) {
      number x = *matrix_at(&a, k, c);
      *matrix_at(&a, k, c) = *matrix_at(&a, pivots[k] - 1, c);
      *matrix_at(&a, pivots[k] - 1, c) = x;
    }
  }
  double left = matrix_distance(&again, &a), allowed = (steps + 1) * matrix_largest(&a) * linear_epsilon(type) * 4;
  HOLDS(left <= allowed, left / allowed);
  HOLDS(matrix_largest(&l) <= 1.5, matrix_largest(&l));
  int info = *(int32_t *)(run.arrays[3] + 4 * (batch - 1));
  HOLDS(info == (kind == ZERO ? 1 : kind == SINGULAR ? info : 0), (double)info);
  for (int k = 0; info == 0 && k < steps; k++) HOLDS(*matrix_at(&u, k, k) != 0, 0.0);
  matrix_free(&a), matrix_free(&out), matrix_free(&l), matrix_free(&u), matrix_free(&again);
  linear_end(&run);
}

static void check_triangle(hlo_linear_type type, linear_kind kind, int n, int others, int form, int64_t batch) {
  bool lower = form & 1, unit = form & 2, left = form & 4, transposed = form & 8, conjugated = transposed && form & 16;
  int rows = n, cols = n;
  matrix a = linear_matrix(type, kind, n, n), b = left ? linear_matrix(type, RANDOM, n, others) : linear_matrix(type, RANDOM, others, n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) *matrix_at(&a, i, k) = linear_rounded(type, *matrix_at(&a, i, k) * (i == k ? 1 : 1.0 / n) + (i == k && kind == RANDOM));
  matrix t = triangle_of(&a, n, n, lower, unit), op = transposed ? matrix_adjoint(&t) : t;
  for (int i = 0; transposed && !conjugated && i < n * n; i++) op.at[i] = conj(op.at[i]);
  linear_run run = {.step = {.routine = &hlo_triangle_routine, .type = type, .rows = n, .cols = n, .others = others, .lower = lower, .unit = unit,
                             .left = left, .transposed = transposed, .conjugated = conjugated, .batch = batch}};
  linear_add_matrix(&run, &a);
  linear_add_matrix(&run, &b);
  linear_add_result(&run, b.rows, b.cols);
  linear_go(&run, team);
  matrix x = linear_result(&run, 2, b.rows, b.cols), again = left ? matrix_product(&op, &x) : matrix_product(&x, &op);
  double apart = matrix_distance(&again, &b), allowed = n * (matrix_largest(&t) * matrix_largest(&x) + 1) * linear_epsilon(type) * 4;
  HOLDS(apart <= allowed, apart / allowed);
  if (op.at != t.at) matrix_free(&op);
  matrix_free(&a), matrix_free(&b), matrix_free(&t), matrix_free(&x), matrix_free(&again);
  linear_end(&run);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  for (int type = 0; type < 4; type++)
    for (int s = 0; s < SIZES; s++) {
      int n = sizes[s];
      for (int kind = 0; kind < LINEAR_KINDS; kind++) {
        for (int form = 0; form < 4; form++) check_cholesky(type, kind, n, form & 1, form & 2, s % 3 ? 1 : 7);
        check_lu(type, kind, n, n, s % 3 ? 1 : 7);
        check_lu(type, kind, n, sizes[SIZES - 1 - s], 1);
      }
      if (n > 2) check_pivots(type, n);
      if (type == 0) check_least(n);
      check_indefinite(type, n, n / 2, -1), check_indefinite(type, n, n - 1, 0), check_indefinite(type, n, 0, NAN);
      for (int form = 0; form < 32; form++)
        for (int others = 1; others < 40; others += 6) {
          check_triangle(type, RANDOM, n, others, form, others == 7 ? 6 : 1);
          check_triangle(type, IDENTITY, n, others, form, 1);
        }
    }
  threads_stop(&t);
  return unit_report();
}
