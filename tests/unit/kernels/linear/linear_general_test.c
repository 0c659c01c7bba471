/* Matrices that need not be Hermitian: Hessenberg and tridiagonal forms, Schur forms, eigenvalues and eigenvectors, judged by what is left over. */
#include "linear_case.h"
#include "threads.h"

static const int sizes[] = {1, 2, 3, 4, 5, 16, 17, 33, 70};
enum { SIZES = sizeof sizes / sizeof *sizes };
static hlo_team *team;

#define HOLDS(condition, ...) CHECK(condition, "%s, %s, order %d, %s: %g", __func__, linear_types[type], n, name, __VA_ARGS__)

static hlo_linear_type complex_of(hlo_linear_type type) { return type % 2 ? HLO_LINEAR_C128 : HLO_LINEAR_C64; }
static int real_bytes(hlo_linear_type type) { return type % 2 ? 8 : 4; }

/* The last matrix of an array of another type than the step's. */
static matrix load_as(const linear_run *run, hlo_linear_type type, int array, int rows, int cols) {
  return linear_load(type, run->arrays[array] + (run->step.batch - 1) * run->step.bytes[array], rows, cols);
}

/* The product of reflections whose vectors lie in the columns of a matrix, below row k + 1 of column k. */
static matrix product_of(const matrix *a, const matrix *taus) {
  int n = a->rows;
  matrix q = matrix_make(n, n);
  for (int i = 0; i < n; i++) *matrix_at(&q, i, i) = 1;
  for (int k = n - 2; k >= 0; k--)
    for (int c = 0; c < n; c++) {
      number sum = *matrix_at(&q, k + 1, c);
      for (int i = k + 2; i < n; i++) sum += conj(*matrix_at(a, i, k)) * *matrix_at(&q, i, c);
      sum *= taus->at[k];
      *matrix_at(&q, k + 1, c) -= sum;
      for (int i = k + 2; i < n; i++) *matrix_at(&q, i, c) -= *matrix_at(a, i, k) * sum;
    }
  return q;
}

/* a q = q form */
static void check_similar(hlo_linear_type type, const char *name, const matrix *a, const matrix *q, const matrix *form) {
  int n = a->rows;
  matrix aq = matrix_product(a, q), qf = matrix_product(q, form);
  double allowed = 8 * (n + 4) * matrix_largest(a) * linear_epsilon(type), left = matrix_distance(&aq, &qf), off = matrix_unitary(q);
  HOLDS(left <= allowed, left / allowed);
  HOLDS(off <= 4 * (n + 8) * linear_epsilon(type), off / linear_epsilon(type));
  matrix_free(&aq), matrix_free(&qf);
}

static void check_hessenberg(hlo_linear_type type, const char *name, const matrix *a, int64_t batch) {
  int n = a->rows;
  linear_run run = {.step = {.routine = &hlo_hessenberg_routine, .type = type, .rows = n, .cols = n, .batch = batch}};
  linear_add_matrix(&run, a);
  linear_add_result(&run, n, n);
  linear_add_result(&run, 1, n - 1);
  linear_add_integers(&run, 1);
  linear_go(&run, team);
  matrix h = linear_result(&run, 1, n, n), taus = linear_result(&run, 2, 1, n - 1), q = product_of(&h, &taus);
  for (int r = 0; r < n; r++)
    for (int c = 0; c + 1 < r; c++) *matrix_at(&h, r, c) = 0;
  check_similar(type, name, a, &q, &h);
  HOLDS(*(int32_t *)(run.arrays[3] + 4 * (batch - 1)) == 0, 0.0);
  matrix_free(&h), matrix_free(&taus), matrix_free(&q);
  linear_end(&run);
}

static matrix reversed(const matrix *a) {
  matrix b = matrix_make(a->rows, a->cols);
  for (int i = 0; i < a->rows * a->cols; i++) b.at[i] = a->at[a->rows * a->cols - 1 - i];
  return b;
}

/* What is not read is 1e9, and stays. Of the upper triangle all is as of the lower one of the matrix in reverse order. */
static void check_tridiagonal(hlo_linear_type type, const char *name, const matrix *hermitian, bool lower) {
  int n = hermitian->rows;
  matrix a = lower ? matrix_adjoint(hermitian) : reversed(hermitian), read = matrix_make(n, n);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) *matrix_at(&read, r, c) = (lower ? c <= r : c >= r) ? *matrix_at(&a, r, c) : 1e9;
  linear_run run = {.step = {.routine = &hlo_tridiagonal_routine, .type = type, .rows = n, .cols = n, .lower = lower, .batch = 1}};
  linear_add_matrix(&run, &read);
  linear_add_result(&run, n, n);
  linear_add(&run, NULL, n * real_bytes(type));
  linear_add(&run, NULL, (n - 1) * real_bytes(type));
  linear_add_result(&run, 1, n - 1);
  linear_add_integers(&run, 1);
  linear_go(&run, team);
  hlo_linear_type real = type % 2 ? HLO_LINEAR_F64 : HLO_LINEAR_F32;
  matrix out = linear_result(&run, 1, n, n), d = load_as(&run, real, 2, 1, n), off = load_as(&run, real, 3, 1, n - 1);
  matrix taus = linear_result(&run, 4, 1, n - 1);
  for (int r = 0; r < n; r++)
    for (int c = lower ? r + 1 : 0; c < (lower ? n : r); c++) HOLDS(*matrix_at(&out, r, c) == 1e9, creal(*matrix_at(&out, r, c)));
  if (!lower) {
    matrix *const all[] = {&a, &out, &d, &off, &taus};
    for (int i = 0; i < 5; i++) {
      matrix turned = reversed(all[i]);
      matrix_free(all[i]);
      *all[i] = turned;
    }
  }
  matrix q = product_of(&out, &taus), form = matrix_make(n, n);
  for (int i = 0; i < n; i++) {
    *matrix_at(&form, i, i) = d.at[i];
    HOLDS(*matrix_at(&out, i, i) == d.at[i], 0.0);
    if (i + 1 < n) *matrix_at(&form, i, i + 1) = *matrix_at(&form, i + 1, i) = off.at[i];
    if (i + 1 < n) HOLDS(*matrix_at(&out, i + 1, i) == off.at[i], 0.0);
  }
  check_similar(type, name, &a, &q, &form);
  matrix_free(&a), matrix_free(&read), matrix_free(&out), matrix_free(&d), matrix_free(&off), matrix_free(&taus), matrix_free(&q), matrix_free(&form);
  linear_end(&run);
}

/* The eigenvalues of a run, which of a real matrix are two arrays from `array` on. */
static matrix values_of(const linear_run *run, hlo_linear_type type, int array, int n) {
  matrix w = linear_result(run, array, 1, n);
  if (linear_is_complex(type)) return w;
  matrix imaginary = linear_result(run, array + 1, 1, n);
  for (int i = 0; i < n; i++) w.at[i] += imaginary.at[i] * I;
  matrix_free(&imaginary);
  return w;
}

static void add_values(linear_run *run, hlo_linear_type type, int n) {
  for (int i = 0; i < (linear_is_complex(type) ? 1 : 2); i++) linear_add_result(run, 1, n);
}

/* The greatest distance of a number of one list from the nearest of the other. */
static double lists_apart(const matrix *a, const matrix *b) {
  double most = 0;
  for (int i = 0; i < a->cols; i++) {
    double least = INFINITY;
    for (int k = 0; k < b->cols; k++) least = fmin(least, cabs(a->at[i] - b->at[k]));
    most = fmax(most, least);
  }
  return most;
}

static void check_schur(hlo_linear_type type, const char *name, const matrix *a, int64_t batch) {
  int n = a->rows, values = linear_is_complex(type) ? 1 : 2;
  linear_run run = {.step = {.routine = &hlo_schur_routine, .type = type, .rows = n, .cols = n, .batch = batch}};
  linear_add_matrix(&run, a);
  linear_add_result(&run, n, n);
  linear_add_result(&run, n, n);
  add_values(&run, type, n);
  linear_add_integers(&run, 1), linear_add_integers(&run, 1);
  linear_go(&run, team);
  matrix t = linear_result(&run, 1, n, n), z = linear_result(&run, 2, n, n), w = values_of(&run, type, 3, n);
  check_similar(type, name, a, &z, &t);
  double most = matrix_largest(a);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < r; c++) {
      bool block = c + 1 == r && !linear_is_complex(type) && cimag(w.at[c]) > 0;
      HOLDS(block ? *matrix_at(&t, c, c) == *matrix_at(&t, r, r) : *matrix_at(&t, r, c) == 0, creal(*matrix_at(&t, r, c)));
    }
  for (int i = 0; i < n; i++) {
    number at = *matrix_at(&t, i, i);
    HOLDS(fabs(creal(at - w.at[i])) <= 2 * most * linear_epsilon(type), creal(at - w.at[i]));
  }
  HOLDS(*(int32_t *)(run.arrays[3 + values] + 4 * (batch - 1)) == 0, 0.0);
  HOLDS(*(int32_t *)(run.arrays[4 + values] + 4 * (batch - 1)) == 0, 0.0);
  matrix_free(&t), matrix_free(&z), matrix_free(&w);
  linear_end(&run);
}

static linear_run eigen_run(hlo_linear_type type, const matrix *a, bool left, bool right, int64_t batch) {
  int n = a->rows, bytes = hlo_linear_bytes(complex_of(type));
  linear_run run = {.step = {.routine = &hlo_general_eigen_routine, .type = type, .rows = n, .cols = n, .left = left, .mode = right ? 'V' : 'N', .batch = batch}};
  linear_add_matrix(&run, a);
  add_values(&run, type, n);
  linear_add(&run, NULL, (int64_t)n * n * bytes), linear_add(&run, NULL, (int64_t)n * n * bytes);
  linear_add_integers(&run, 1);
  linear_go(&run, team);
  return run;
}

/* a v = v w for vectors of length 1; of left ones a^H v = v conj(w). */
static void check_vectors(hlo_linear_type type, const char *name, const matrix *a, const matrix *v, const matrix *w, bool left) {
  int n = a->rows;
  matrix adjoint = matrix_adjoint(a), av = matrix_product(left ? &adjoint : a, v), vw = matrix_make(n, n);
  double allowed = 8 * (n + 4) * matrix_largest(a) * linear_epsilon(type);
  for (int c = 0; c < n; c++) {
    double length = 0;
    for (int r = 0; r < n; r++) {
      *matrix_at(&vw, r, c) = *matrix_at(v, r, c) * (left ? conj(w->at[c]) : w->at[c]);
      length += creal(*matrix_at(v, r, c) * conj(*matrix_at(v, r, c)));
      bool pair = !linear_is_complex(type) && cimag(w->at[c]) > 0;
      if (pair) HOLDS(*matrix_at(v, r, c) == conj(*matrix_at(v, r, c + 1)), (double)c);
    }
    HOLDS(fabs(length - 1) <= (n + 8) * linear_epsilon(type), length);
  }
  HOLDS(matrix_distance(&av, &vw) <= allowed, matrix_distance(&av, &vw) / allowed);
  matrix_free(&adjoint), matrix_free(&av), matrix_free(&vw);
}

static void check_eigen(hlo_linear_type type, const char *name, const matrix *a, int64_t batch) {
  int n = a->rows, values = linear_is_complex(type) ? 1 : 2;
  linear_run run = eigen_run(type, a, true, true, batch), alone = eigen_run(type, a, false, false, 1);
  matrix w = values_of(&run, type, 1, n), without = values_of(&alone, type, 1, n);
  matrix left = load_as(&run, complex_of(type), 1 + values, n, n), right = load_as(&run, complex_of(type), 2 + values, n, n);
  check_vectors(type, name, a, &left, &w, true);
  check_vectors(type, name, a, &right, &w, false);
  HOLDS(*(int32_t *)(run.arrays[3 + values] + 4 * (batch - 1)) == 0, 0.0);
  matrix none = load_as(&alone, complex_of(type), 2 + values, n, n);
  HOLDS(matrix_largest(&none) == 0, matrix_largest(&none));
  /* Multiple eigenvalues may be as far apart as the square root of eps, or a higher one. */
  double apart = lists_apart(&w, &without), allowed = strcmp(name, "random") ? 0.1 : 1e4 * linear_epsilon(type);
  HOLDS(apart <= allowed * matrix_largest(a), apart);
  matrix_free(&w), matrix_free(&without), matrix_free(&left), matrix_free(&right), matrix_free(&none);
  linear_end(&run), linear_end(&alone);
}

/* Matrices on which the iteration, or substitution, could fail: a Jordan block, a cycle, whose eigenvalues are roots of 1, and blocks of two
 * with conjugate eigenvalues that are all the same. */
static matrix special(int which, int n) {
  matrix a = matrix_make(n, n);
  for (int i = 0; i < n; i++) {
    if (which == 0) *matrix_at(&a, i, i) = 2;
    if (which == 0 && i + 1 < n) *matrix_at(&a, i, i + 1) = 1;
    if (which == 1) *matrix_at(&a, (i + 1) % n, i) = 1;
    if (which == 2 && (i ^ 1) < n) *matrix_at(&a, i, i ^ 1) = i % 2 ? 1 : -1;
    if (which == 2 && i + 2 < n) *matrix_at(&a, i, i + 2) = 1;
  }
  return a;
}

static void check_not_finite(hlo_linear_type type, double x) {
  int values = linear_is_complex(type) ? 1 : 2;
  matrix a = linear_spoilt(type, 3, 3, x);
  linear_run run = eigen_run(type, &a, true, true, 1);
  linear_check_spoilt(&run, x, 3 + values, 3, load_as(&run, complex_of(type), 2 + values, 3, 3));
  matrix_free(&a);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  for (int type = 0; type < 4; type++) {
    for (int s = 0; s < SIZES; s++) {
      int n = sizes[s], batch = s % 3 ? 1 : 7;
      for (int kind = 0; kind < LINEAR_KINDS; kind++) {
        matrix a = linear_matrix(type, kind, n, n), adjoint = matrix_adjoint(&a);
        check_hessenberg(type, linear_kinds[kind], &a, batch);
        check_schur(type, linear_kinds[kind], &a, batch);
        check_eigen(type, linear_kinds[kind], &a, batch);
        for (int i = 0; i < n * n; i++) a.at[i] = linear_rounded(type, (a.at[i] + adjoint.at[i]) / 2);
        check_tridiagonal(type, linear_kinds[kind], &a, true), check_tridiagonal(type, linear_kinds[kind], &a, false);
        matrix_free(&a), matrix_free(&adjoint);
      }
      static const char *const names[] = {"Jordan", "cycle", "equal pairs"};
      for (int which = 0; which < 3; which++) {
        matrix a = special(which, n);
        check_schur(type, names[which], &a, 1), check_eigen(type, names[which], &a, 1);
        matrix_free(&a);
      }
    }
    check_not_finite(type, NAN), check_not_finite(type, INFINITY);
  }
  threads_stop(&t);
  return unit_report();
}
