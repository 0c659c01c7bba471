/* Making dense matrices, and moving them in and out of literals. */
#include "reference/linear_algebra/dense_matrix.h"

#include <math.h>
#include <string.h>

#include "reference/complex/complex_double_double.h"
#include "numbers/double_double.h"
#include "reference/complex_numbers.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- Numbers ---- */

double hlo_complex_size(hlo_complex a) { return fabs(a[0]) + fabs(a[1]); }

/* Divides by the larger part of b first, so that no intermediate result overflows. */
hlo_complex hlo_complex_divide(hlo_complex a, hlo_complex b) {
  if (b[1] == 0) return a / b[0];
  double scale = fmax(fabs(b[0]), fabs(b[1]));
  b /= scale;
  return hlo_complex_multiply(a, hlo_conj(b)) / (b[0] * b[0] + b[1] * b[1]) / scale;
}

hlo_complex hlo_complex_sqrt(hlo_complex a) {
  if (hlo_complex_is_zero(a)) return a;
  hlo_cdd root = hlo_cdd_sqrt(hlo_cdd_from(a[0], a[1]));
  return (hlo_complex){hlo_dd_round(root.re), hlo_dd_round(root.im)};
}

/* ---- Matrices ---- */

hlo_complex *hlo_at(const hlo_matrix *m, ptrdiff_t row, ptrdiff_t col) { return &m->at[row * m->cols + col]; }

hlo_matrix hlo_matrix_make(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t cols, hlo_status *status) {
  return (hlo_matrix){rows, cols, hlo_arena_many(arena, hlo_complex, rows * cols, status)};
}

hlo_matrix hlo_matrix_identity(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t cols, hlo_status *status) {
  hlo_matrix m = hlo_matrix_make(arena, rows, cols, status);
  for (ptrdiff_t i = 0; m.at && i < rows && i < cols; i++) *hlo_at(&m, i, i) = hlo_complex_from(1);
  return m;
}

hlo_matrix hlo_matrix_copy(hlo_arena *arena, const hlo_matrix *m, hlo_status *status) {
  hlo_matrix copy = hlo_matrix_make(arena, m->rows, m->cols, status);
  size_t bytes = (size_t)(m->rows * m->cols) * sizeof *m->at;
  if (copy.at && bytes) memcpy(copy.at, m->at, bytes);
  return copy;
}

hlo_matrix hlo_matrix_adjoint(hlo_arena *arena, const hlo_matrix *m, hlo_status *status) {
  hlo_matrix adjoint = hlo_matrix_make(arena, m->cols, m->rows, status);
  for (ptrdiff_t i = 0; adjoint.at && i < m->rows; i++)
    for (ptrdiff_t k = 0; k < m->cols; k++) *hlo_at(&adjoint, k, i) = hlo_conj(*hlo_at(m, i, k));
  return adjoint;
}

hlo_matrix hlo_matrix_product(hlo_arena *arena, const hlo_matrix *a, const hlo_matrix *b, hlo_evaluation *evaluation) {
  hlo_matrix product = hlo_matrix_make(arena, a->rows, b->cols, evaluation->status);
  for (ptrdiff_t i = 0; product.at && i < a->rows; i++) {
    if (!hlo_reference_tick(evaluation, a->cols * b->cols)) return (hlo_matrix){0};
    for (ptrdiff_t k = 0; k < a->cols; k++)
      hlo_line_add(b->cols, *hlo_at(a, i, k), hlo_at(b, k, 0), 1, false, hlo_at(&product, i, 0), 1);
  }
  return product;
}

void hlo_matrix_mirror(hlo_matrix *m, bool lower) {
  for (ptrdiff_t i = 0; i < m->rows; i++) {
    (*hlo_at(m, i, i))[1] = 0;
    for (ptrdiff_t k = 0; k < i; k++) {
      hlo_complex *below = hlo_at(m, i, k), *above = hlo_at(m, k, i);
      if (lower) *above = hlo_conj(*below);
      else *below = hlo_conj(*above);
    }
  }
}

double hlo_matrix_largest(const hlo_matrix *m) {
  double largest = 0;
  for (ptrdiff_t i = 0; i < m->rows * m->cols; i++) {
    double size = hlo_complex_abs(m->at[i]);
    if (!(size <= largest)) largest = size;
    if (isnan(size)) break;
  }
  return largest;
}

void hlo_matrix_scale(hlo_matrix *m, int exponent) {
  for (ptrdiff_t i = 0; i < m->rows * m->cols; i++) m->at[i] = (hlo_complex){ldexp(m->at[i][0], exponent), ldexp(m->at[i][1], exponent)};
}

/* ---- Lines ---- */

static hlo_complex element(const hlo_complex *x, bool conjugate) { return conjugate ? hlo_conj(*x) : *x; }

hlo_complex hlo_line_product(ptrdiff_t count, const hlo_complex *x, ptrdiff_t x_stride, bool conjugate, const hlo_complex *y,
                             ptrdiff_t y_stride) {
  hlo_complex sum = {0};
  for (ptrdiff_t i = 0; i < count; i++) sum += hlo_complex_multiply(element(&x[i * x_stride], conjugate), y[i * y_stride]);
  return sum;
}

void hlo_line_add(ptrdiff_t count, hlo_complex factor, const hlo_complex *x, ptrdiff_t x_stride, bool conjugate, hlo_complex *y,
                  ptrdiff_t y_stride) {
  for (ptrdiff_t i = 0; i < count; i++) y[i * y_stride] += hlo_complex_multiply(factor, element(&x[i * x_stride], conjugate));
}

void hlo_line_turn(ptrdiff_t count, hlo_complex *x, hlo_complex *y, ptrdiff_t stride, const hlo_complex m[4]) {
  for (ptrdiff_t i = 0; i < count * stride; i += stride) {
    hlo_complex kept = x[i];
    x[i] = hlo_complex_multiply(m[0], kept) + hlo_complex_multiply(m[1], y[i]);
    y[i] = hlo_complex_multiply(m[2], kept) + hlo_complex_multiply(m[3], y[i]);
  }
}

void hlo_line_swap(ptrdiff_t count, hlo_complex *x, hlo_complex *y, ptrdiff_t stride) {
  for (ptrdiff_t i = 0; i < count * stride; i += stride) {
    hlo_complex kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/* ---- Literals ---- */

static hlo_matrix load(hlo_arena *arena, const hlo_literal *literal, ptrdiff_t rows, ptrdiff_t cols, int64_t batch,
                       hlo_status *status) {
  return (hlo_matrix){rows, cols, hlo_complex_load(arena, literal, batch * rows * cols, rows * cols, status)};
}

hlo_matrix hlo_matrix_load(hlo_arena *arena, const hlo_literal *literal, ptrdiff_t batch, hlo_status *status) {
  const hlo_shape *shape = literal->shape;
  return load(arena, literal, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], batch, status);
}

hlo_matrix hlo_vector_load(hlo_arena *arena, const hlo_literal *literal, ptrdiff_t batch, hlo_status *status) {
  return load(arena, literal, literal->shape->dims[literal->shape->rank - 1], 1, batch, status);
}

static void store(hlo_literal *literal, ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t batch, const hlo_matrix *m) {
  for (ptrdiff_t i = 0; i < rows && i < m->rows; i++) {
    for (ptrdiff_t k = 0; k < cols && k < m->cols; k++) {
      hlo_complex value = *hlo_at(m, i, k);
      hlo_literal_set(literal, (batch * rows + i) * cols + k, (hlo_scalar){.f = value[0], .im = value[1]});
    }
  }
}

void hlo_matrix_store(hlo_literal *literal, ptrdiff_t batch, const hlo_matrix *m) {
  const hlo_shape *shape = literal->shape;
  store(literal, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], batch, m);
}

void hlo_vector_store(hlo_literal *literal, ptrdiff_t batch, const hlo_matrix *m) {
  store(literal, literal->shape->dims[literal->shape->rank - 1], 1, batch, m);
}
