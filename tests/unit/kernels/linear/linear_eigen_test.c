/* Eigenvalues of Hermitian matrices: a v = v w, v is unitary, and w ascends; without vectors the values are the same. */
#include "linear_case.h"
#include "threads.h"

static const int sizes[] = {1, 2, 3, 5, 16, 24, 25, 31, 33, 49, 65, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };
static hlo_team *team;

#define HOLDS(condition, ...) CHECK(condition, "%s, %s, order %d, %s: %g", __func__, linear_types[type], n, name, __VA_ARGS__)

static void check(hlo_linear_type type, const char *name, const matrix *a, bool lower, int64_t batch) {
  int n = a->rows, real_bytes = type % 2 ? 8 : 4;
  matrix read = matrix_make(n, n);
  double most = matrix_largest(a);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) *matrix_at(&read, r, c) = (lower ? c <= r : c >= r) ? *matrix_at(a, r, c) : 1e9;
  linear_run run = {.step = {.routine = &hlo_eigen_routine, .type = type, .rows = n, .cols = n, .lower = lower, .mode = 'V', .batch = batch}};
  linear_add_matrix(&run, &read);
  linear_add_result(&run, n, n);
  linear_add(&run, NULL, n * real_bytes);
  linear_add_integers(&run, 1);
  linear_run values = {.step = run.step};
  values.step.mode = 'N', values.step.array_count = values.step.operand_count = 0;
  linear_add_matrix(&values, &read);
  linear_add_result(&values, n, n);
  linear_add(&values, NULL, n * real_bytes);
  linear_add_integers(&values, 1);
  linear_go(&run, team), linear_go(&values, team);
  matrix v = linear_result(&run, 1, n, n), av = matrix_product(a, &v), vw = matrix_make(n, n);
  matrix w = linear_load((hlo_linear_type)(type % 2), run.arrays[2] + (batch - 1) * n * real_bytes, 1, n);
  matrix alone = linear_load((hlo_linear_type)(type % 2), values.arrays[2] + (batch - 1) * n * real_bytes, 1, n);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) *matrix_at(&vw, r, c) = *matrix_at(&v, r, c) * w.at[c];
  double allowed = 4 * (n + 4) * most * linear_epsilon(type), left = matrix_distance(&av, &vw), off = matrix_unitary(&v);
  double apart = matrix_distance(&w, &alone);
  HOLDS(left <= allowed, left / allowed);
  HOLDS(off <= (n + 8) * linear_epsilon(type), off / linear_epsilon(type));
  HOLDS(apart <= allowed, apart / allowed);
  for (int k = 1; k < n; k++) HOLDS(creal(w.at[k - 1]) <= creal(w.at[k]), creal(w.at[k]));
  HOLDS(*(int32_t *)(run.arrays[3] + 4 * (batch - 1)) == 0, 0.0);
  matrix_free(&read), matrix_free(&v), matrix_free(&av), matrix_free(&vw), matrix_free(&w), matrix_free(&alone);
  linear_end(&run), linear_end(&values);
}

/* A Hermitian matrix of a kind. */
static matrix hermitian(hlo_linear_type type, linear_kind kind, int n) {
  matrix b = linear_matrix(type, kind, n, n);
  for (int r = 0; r < n; r++) {
    *matrix_at(&b, r, r) = creal(*matrix_at(&b, r, r));
    for (int c = r + 1; c < n; c++) *matrix_at(&b, r, c) = conj(*matrix_at(&b, c, r));
  }
  return b;
}

/* Tridiagonal ones that tearing finds hard: eigenvalues nearly in pairs (Wilkinson's), all equal, and glued together. */
static matrix tridiagonal(int which, int n) {
  matrix a = matrix_make(n, n);
  for (int i = 0; i < n; i++) {
    *matrix_at(&a, i, i) = which == 0 ? abs(i - n / 2) : which == 1 ? 2 : abs(i % 21 - 10);
    double beside = which == 2 && i % 21 == 20 ? 0x1p-20 : which == 1 ? -1 : 1;
    if (i + 1 < n) *matrix_at(&a, i, i + 1) = *matrix_at(&a, i + 1, i) = beside;
  }
  return a;
}

static void check_not_finite(hlo_linear_type type, double x) {
  matrix a = linear_spoilt(type, 3, 3, x);
  linear_run run = {.step = {.routine = &hlo_eigen_routine, .type = type, .rows = 3, .cols = 3, .lower = true, .mode = 'V', .batch = 1}};
  linear_add_matrix(&run, &a);
  linear_add_result(&run, 3, 3);
  linear_add(&run, NULL, 24);
  linear_add_integers(&run, 1);
  linear_go(&run, NULL);
  linear_check_spoilt(&run, x, 3, 1, linear_result(&run, 1, 3, 3));
  matrix_free(&a);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  for (int type = 0; type < 4; type++) {
    for (int s = 0; s < SIZES; s++) {
      for (int kind = 0; kind < LINEAR_KINDS; kind++) {
        matrix a = hermitian(type, kind, sizes[s]);
        check(type, linear_kinds[kind], &a, s % 2, s % 3 ? 1 : 7);
        matrix_free(&a);
      }
      static const char *const names[] = {"pairs", "second differences", "glued"};
      for (int which = 0; which < 3; which++) {
        matrix a = tridiagonal(which, sizes[s]);
        check(type, names[which], &a, true, 1);
        matrix_free(&a);
      }
    }
    check_not_finite(type, NAN), check_not_finite(type, INFINITY);
  }
  threads_stop(&t);
  return unit_report();
}
