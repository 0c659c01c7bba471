/* Making dense matrices, and moving them in and out of literals. */
#include "reference/dense_matrix.h"

#include <string.h>

hlo_matrix hlo_matrix_make(hlo_arena *arena, int64_t rows, int64_t cols, hlo_status *status) {
  return (hlo_matrix){rows, cols, hlo_arena_many(arena, double complex, rows * cols, status)};
}

hlo_matrix hlo_matrix_identity(hlo_arena *arena, int64_t rows, int64_t cols, hlo_status *status) {
  hlo_matrix m = hlo_matrix_make(arena, rows, cols, status);
  for (int64_t i = 0; m.at && i < rows && i < cols; i++) *hlo_at(&m, i, i) = 1;
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
  for (int64_t i = 0; adjoint.at && i < m->rows; i++)
    for (int64_t k = 0; k < m->cols; k++) *hlo_at(&adjoint, k, i) = conj(*hlo_at(m, i, k));
  return adjoint;
}

hlo_matrix hlo_matrix_product(hlo_arena *arena, const hlo_matrix *a, const hlo_matrix *b, hlo_status *status) {
  hlo_matrix product = hlo_matrix_make(arena, a->rows, b->cols, status);
  for (int64_t i = 0; product.at && i < a->rows; i++)
    for (int64_t k = 0; k < a->cols; k++)
      hlo_line_add(b->cols, *hlo_at(a, i, k), hlo_at(b, k, 0), 1, false, hlo_at(&product, i, 0), 1);
  return product;
}

void hlo_matrix_mirror(hlo_matrix *m, bool lower) {
  for (int64_t i = 0; i < m->rows; i++) {
    *hlo_at(m, i, i) = creal(*hlo_at(m, i, i));
    for (int64_t k = 0; k < i; k++) {
      double complex *below = hlo_at(m, i, k), *above = hlo_at(m, k, i);
      if (lower) *above = conj(*below);
      else *below = conj(*above);
    }
  }
}

/* ---- Lines ---- */

static double complex element(const double complex *x, bool conjugate) { return conjugate ? conj(*x) : *x; }

double complex hlo_line_product(int64_t count, const double complex *x, int64_t x_stride, bool conjugate, const double complex *y, int64_t y_stride) {
  double complex sum = 0;
  for (int64_t i = 0; i < count; i++) sum += element(&x[i * x_stride], conjugate) * y[i * y_stride];
  return sum;
}

void hlo_line_add(int64_t count, double complex factor, const double complex *x, int64_t x_stride, bool conjugate, double complex *y, int64_t y_stride) {
  for (int64_t i = 0; i < count; i++) y[i * y_stride] += factor * element(&x[i * x_stride], conjugate);
}

void hlo_line_turn(int64_t count, double complex *x, double complex *y, int64_t stride, const double complex m[4]) {
  for (int64_t i = 0; i < count * stride; i += stride) {
    double complex kept = x[i];
    x[i] = m[0] * kept + m[1] * y[i];
    y[i] = m[2] * kept + m[3] * y[i];
  }
}

void hlo_line_swap(int64_t count, double complex *x, double complex *y, int64_t stride) {
  for (int64_t i = 0; i < count * stride; i += stride) {
    double complex kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/* ---- Literals ---- */

static hlo_matrix load(hlo_arena *arena, const hlo_literal *literal, int64_t rows, int64_t cols, int64_t batch,
                       hlo_status *status) {
  hlo_matrix m = hlo_matrix_make(arena, rows, cols, status);
  for (int64_t i = 0; m.at && i < rows * cols; i++) {
    hlo_scalar value = hlo_literal_get(literal, batch * rows * cols + i);
    m.at[i] = hlo_complex(value.f, hlo_type_is_complex(literal->shape->type) ? value.im : 0);
  }
  return m;
}

hlo_matrix hlo_matrix_load(hlo_arena *arena, const hlo_literal *literal, int64_t batch, hlo_status *status) {
  const hlo_shape *shape = literal->shape;
  return load(arena, literal, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], batch, status);
}

hlo_matrix hlo_vector_load(hlo_arena *arena, const hlo_literal *literal, int64_t batch, hlo_status *status) {
  return load(arena, literal, literal->shape->dims[literal->shape->rank - 1], 1, batch, status);
}

static void store(hlo_literal *literal, int64_t rows, int64_t cols, int64_t batch, const hlo_matrix *m) {
  for (int64_t i = 0; i < rows && i < m->rows; i++) {
    for (int64_t k = 0; k < cols && k < m->cols; k++) {
      double complex value = *hlo_at(m, i, k);
      hlo_literal_set(literal, (batch * rows + i) * cols + k, (hlo_scalar){.f = creal(value), .im = cimag(value)});
    }
  }
}

void hlo_matrix_store(hlo_literal *literal, int64_t batch, const hlo_matrix *m) {
  const hlo_shape *shape = literal->shape;
  store(literal, shape->dims[shape->rank - 2], shape->dims[shape->rank - 1], batch, m);
}

void hlo_vector_store(hlo_literal *literal, int64_t batch, const hlo_matrix *m) {
  store(literal, literal->shape->dims[literal->shape->rank - 1], 1, batch, m);
}
