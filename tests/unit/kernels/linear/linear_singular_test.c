/* Singular values: u s v^H is the matrix, u and v are unitary, and s descends; without vectors the values are the same. */
#include "linear_case.h"
#include "threads.h"

static const int sizes[] = {1, 2, 3, 4, 5, 16, 31, 32, 33, 49, 65, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };
static hlo_team *team;

#define HOLDS(condition, ...) CHECK(condition, "%s, %s, %d x %d, mode %c, %s: %g", __func__, linear_types[type], rows, cols, mode, name, __VA_ARGS__)

static linear_run run_mode(hlo_linear_type type, const matrix *a, char mode, int64_t batch) {
  int k = a->rows < a->cols ? a->rows : a->cols, u_cols = mode == 'A' ? a->rows : k, v_rows = mode == 'A' ? a->cols : k;
  linear_run run = {.step = {.routine = &hlo_singular_routine, .type = type, .rows = a->rows, .cols = a->cols, .mode = mode, .batch = batch}};
  linear_add_matrix(&run, a);
  linear_add_result(&run, a->rows, a->cols);
  linear_add(&run, NULL, k * (type % 2 ? 8 : 4));
  linear_add_result(&run, a->rows, u_cols);
  linear_add_result(&run, v_rows, a->cols);
  linear_add_integers(&run, 1);
  linear_go(&run, team);
  return run;
}

static void check(hlo_linear_type type, const char *name, const matrix *a, char mode, int64_t batch) {
  int rows = a->rows, cols = a->cols, k = rows < cols ? rows : cols, u_cols = mode == 'A' ? rows : k, v_rows = mode == 'A' ? cols : k;
  linear_run run = run_mode(type, a, mode, batch), values = run_mode(type, a, 'N', batch);
  matrix u = linear_result(&run, 3, rows, u_cols), vh = linear_result(&run, 4, v_rows, cols), v = matrix_adjoint(&vh), us = matrix_make(rows, v_rows);
  matrix s = linear_load((hlo_linear_type)(type % 2), run.arrays[2] + (batch - 1) * run.step.bytes[2], 1, k);
  matrix alone = linear_load((hlo_linear_type)(type % 2), values.arrays[2] + (batch - 1) * run.step.bytes[2], 1, k);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < k; c++) *matrix_at(&us, r, c) = *matrix_at(&u, r, c) * s.at[c];
  matrix again = matrix_product(&us, &vh);
  double allowed = (rows + cols + 8) * matrix_largest(a) * linear_epsilon(type), left = matrix_distance(&again, a);
  HOLDS(left <= allowed, left / allowed);
  HOLDS(matrix_unitary(&u) <= (rows + 8) * linear_epsilon(type), matrix_unitary(&u) / linear_epsilon(type));
  HOLDS(matrix_unitary(&v) <= (cols + 8) * linear_epsilon(type), matrix_unitary(&v) / linear_epsilon(type));
  HOLDS(matrix_distance(&s, &alone) <= allowed, matrix_distance(&s, &alone) / allowed);
  for (int i = 1; i < k; i++) HOLDS(creal(s.at[i - 1]) >= creal(s.at[i]), creal(s.at[i]));
  HOLDS(creal(s.at[k - 1]) >= 0, creal(s.at[k - 1]));
  HOLDS(*(int32_t *)(run.arrays[5] + 4 * (batch - 1)) == 0, 0.0);
  HOLDS(values.arrays[3][0] == 0 && values.arrays[4][0] == 0, 0.0);
  matrix_free(&u), matrix_free(&vh), matrix_free(&v), matrix_free(&us), matrix_free(&s), matrix_free(&alone), matrix_free(&again);
  linear_end(&run), linear_end(&values);
}

/* Bidiagonal matrices that tearing finds hard: zeros on the diagonal or above it, equal values, values of all sizes, and values whose squares vanish. */
static matrix bidiagonal(int which, int n) {
  matrix a = matrix_make(n, n);
  for (int i = 0; i < n; i++) {
    const double d[] = {i % 3 != 1, 1, pow(10, -(double)(i % 17)), (i < 2 ? 1 : 1e-159) * (1 + 0.3 * sin(i))};
    const double off[] = {i % 5 != 2, 1e-9, pow(10, -(double)(i % 13)), (i < 1 ? 1 : 1e-159) * cos(i)};
    *matrix_at(&a, i, i) = d[which];
    if (i + 1 < n) *matrix_at(&a, i, i + 1) = off[which];
  }
  return a;
}

static void check_not_finite(hlo_linear_type type, double x) {
  matrix a = linear_spoilt(type, 4, 3, x);
  linear_run run = run_mode(type, &a, 'S', 1);
  linear_check_spoilt(&run, x, 5, 1, linear_result(&run, 3, 4, 3));
  matrix_free(&a);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  for (int type = 0; type < 4; type++) {
    for (int s = 0; s < SIZES; s++) {
      for (int kind = 0; kind < LINEAR_KINDS; kind++) {
        matrix a = linear_matrix(type, kind, sizes[s], sizes[s]), b = linear_matrix(type, kind, sizes[s], sizes[SIZES - 1 - s]);
        check(type, linear_kinds[kind], &a, s % 2 ? 'A' : 'S', s % 3 ? 1 : 7);
        check(type, linear_kinds[kind], &b, 'A', 1);
        check(type, linear_kinds[kind], &b, 'S', 1);
        matrix_free(&a), matrix_free(&b);
      }
      static const char *const names[] = {"zeros", "equal", "all sizes", "vanishing"};
      for (int which = 0; which < 4; which++) {
        matrix a = bidiagonal(which, sizes[s]);
        check(type, names[which], &a, 'A', 1);
        matrix_free(&a);
      }
    }
    check_not_finite(type, NAN), check_not_finite(type, INFINITY);
  }
  threads_stop(&t);
  return unit_report();
}
