/* What tests of kernels/linear share: matrices of every type and kind, in double here and as the step reads them; running a routine; and
 * products by which results are judged, as LAPACK's own tests judge them: what is left over, over n eps |a|. */
#ifndef LINEAR_CASE_H
#define LINEAR_CASE_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/linear/linear_run.h"
#include "random.h"
#include "unit.h"

typedef double complex number;

typedef struct matrix {
  int rows, cols;
  number *at; /* row-major; the caller frees it */
} matrix;

static inline matrix matrix_make(int rows, int cols) { return (matrix){rows, cols, calloc((size_t)(rows * cols) + 1, sizeof(number))}; }
static inline number *matrix_at(const matrix *m, int r, int c) { return &m->at[r * m->cols + c]; }
static inline void matrix_free(matrix *m) { free(m->at); }

static const char *const linear_types[] = {"f32", "f64", "c64", "c128"};
static inline bool linear_is_complex(hlo_linear_type type) { return type >= HLO_LINEAR_C64; }
static inline double linear_epsilon(hlo_linear_type type) { return type % 2 ? 0x1p-52 : 0x1p-23; }

/* Kinds of matrices: random; rows graded over twelve orders of magnitude; of small rank; near the ends of the type's range; the identity,
 * whose values all are one; zero. */
typedef enum linear_kind { RANDOM, GRADED, SINGULAR, TINY, VAST, IDENTITY, ZERO, LINEAR_KINDS } linear_kind;
static const char *const linear_kinds[] = {"random", "graded", "singular", "tiny", "huge", "identity", "zero"};

/* The value as the type holds it. */
static inline number linear_rounded(hlo_linear_type type, number x) {
  if (!linear_is_complex(type)) x = creal(x);
  return type % 2 ? x : (float)creal(x) + (float)cimag(x) * I;
}

static inline matrix linear_matrix(hlo_linear_type type, linear_kind kind, int rows, int cols) {
  matrix m = matrix_make(rows, cols);
  double scale = kind == TINY ? (type % 2 ? 1e-250 : 1e-30) : kind == VAST ? (type % 2 ? 1e250 : 1e30) : 1;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      number x = random_signed() + random_signed() * I;
      if (kind == GRADED) x *= pow(10, -(type % 2 ? 12.0 : 5.0) * r / rows);
      if (kind == SINGULAR && c > 1) x = *matrix_at(&m, r, 0) * (c % 3) + *matrix_at(&m, r, 1);
      if (kind == IDENTITY) x = r == c;
      if (kind == ZERO) x = 0;
      *matrix_at(&m, r, c) = linear_rounded(type, x * scale);
    }
  return m;
}

/* The identity, as far as there is one, but for an element that is not finite. */
static inline matrix linear_spoilt(hlo_linear_type type, int rows, int cols, double x) {
  matrix m = linear_matrix(type, IDENTITY, rows, cols);
  m.at[3] = x;
  return m;
}

static inline matrix matrix_adjoint(const matrix *a) {
  matrix b = matrix_make(a->cols, a->rows);
  for (int r = 0; r < a->rows; r++)
    for (int c = 0; c < a->cols; c++) *matrix_at(&b, c, r) = conj(*matrix_at(a, r, c));
  return b;
}

static inline matrix matrix_product(const matrix *a, const matrix *b) {
  matrix out = matrix_make(a->rows, b->cols);
  for (int r = 0; r < a->rows; r++)
    for (int k = 0; k < a->cols; k++) {
      double x = creal(*matrix_at(a, r, k)), y = cimag(*matrix_at(a, r, k));
      for (int c = 0; c < b->cols; c++) {
        double u = creal(*matrix_at(b, k, c)), v = cimag(*matrix_at(b, k, c));
        *matrix_at(&out, r, c) += x * u - y * v + (x * v + y * u) * I;
      }
    }
  return out;
}

static inline double matrix_largest(const matrix *m) {
  double most = 0;
  for (int i = 0; i < m->rows * m->cols; i++) {
    double size = fmax(fabs(creal(m->at[i])), fabs(cimag(m->at[i])));
    if (!(size <= most)) most = size;
    if (isnan(size)) break;
  }
  return most;
}

/* The largest element of a - b. */
static inline double matrix_distance(const matrix *a, const matrix *b) {
  matrix d = matrix_make(a->rows, a->cols);
  for (int i = 0; i < a->rows * a->cols; i++) d.at[i] = a->at[i] - b->at[i];
  double most = matrix_largest(&d);
  matrix_free(&d);
  return most;
}

/* The largest element of a^H a - 1. */
static inline double matrix_unitary(const matrix *a) {
  matrix h = matrix_adjoint(a), p = matrix_product(&h, a);
  for (int i = 0; i < p.rows; i++) *matrix_at(&p, i, i) -= 1;
  double most = matrix_largest(&p);
  matrix_free(&h), matrix_free(&p);
  return most;
}

/* ---- Running ---- */

static inline void linear_store(hlo_linear_type type, const matrix *m, void *to) {
  const hlo_line_kernels *line = &hlo_line_kernels_of[type];
  for (int i = 0; i < m->rows * m->cols; i++)
    line->set((char *)to + i * hlo_linear_bytes(type), (hlo_number){creal(m->at[i]), cimag(m->at[i])});
}

static inline matrix linear_load(hlo_linear_type type, const void *from, int rows, int cols) {
  const hlo_line_kernels *line = &hlo_line_kernels_of[type];
  matrix m = matrix_make(rows, cols);
  for (int i = 0; i < rows * cols; i++) {
    hlo_number x = line->get((const char *)from + i * hlo_linear_bytes(type));
    m.at[i] = x[0] + x[1] * I;
  }
  return m;
}

/* A run of a step: arrays as operands and results have them, and what lies behind them is guarded. */
typedef struct linear_run {
  hlo_linear_step step;
  char *arrays[HLO_LINEAR_MOST_ARRAYS];
} linear_run;

static inline void linear_add(linear_run *run, const matrix *operand, int64_t bytes) {
  hlo_linear_step *p = &run->step;
  p->bytes[p->array_count] = bytes;
  char *array = run->arrays[p->array_count++] = malloc((size_t)(bytes * p->batch) + 1);
  memset(array, 0x55, (size_t)(bytes * p->batch));
  if (!operand) return;
  p->operand_count++;
  for (int64_t b = 0; b < p->batch; b++) linear_store(p->type, operand, array + b * bytes);
}
static inline void linear_add_matrix(linear_run *run, const matrix *operand) {
  linear_add(run, operand, (int64_t)operand->rows * operand->cols * hlo_linear_bytes(run->step.type));
}
static inline void linear_add_integers(linear_run *run, int count) {
  run->step.integers |= 1u << run->step.array_count;
  linear_add(run, NULL, count * 4);
}
static inline void linear_add_result(linear_run *run, int rows, int cols) {
  linear_add(run, NULL, (int64_t)rows * cols * hlo_linear_bytes(run->step.type));
}

static inline void linear_go(linear_run *run, hlo_team *team) {
  const void *operands[HLO_LINEAR_MOST_ARRAYS];
  hlo_linear_step measured = run->step, *p = &measured;
  int count = 0;
  for (int i = 0; i < p->array_count; i++)
    if (i != p->operand_count) operands[count++] = run->arrays[i];
  char *scratch = aligned_alloc(64, (size_t)(hlo_linear_measure(p, hlo_team_threads(team)) + 63) / 64 * 64);
  hlo_linear_run(p, operands, run->arrays[p->operand_count], scratch, team);
  free(scratch);
}

static inline matrix linear_result(const linear_run *run, int array, int rows, int cols) {
  return linear_load(run->step.type, run->arrays[array] + (run->step.batch - 1) * run->step.bytes[array], rows, cols);
}

static inline void linear_end(linear_run *run) {
  for (int i = 0; i < run->step.array_count; i++) free(run->arrays[i]);
}

/* What a routine makes of a matrix with an element x that is not finite: `info`, which is in an array, and vectors of NaN. Ends the run. */
static inline void linear_check_spoilt(linear_run *run, double x, int array, int info, matrix vectors) {
  int32_t found = *(int32_t *)run->arrays[array];
  CHECK(found == info && isnan(creal(vectors.at[0])), "%s with %g: info %d", linear_types[run->step.type], x, found);
  matrix_free(&vectors);
  linear_end(run);
}

#endif
