/* Cholesky factors, and systems of equations whose matrix is a triangle: all in double. */
#include <math.h>

#include "reference/apply/wide.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"

/* Returns `from` less the product of two lines. The sum is compensated, as errors would add up from row to row. */
static hlo_complex less_product(hlo_complex from, ptrdiff_t count, const hlo_complex *x, ptrdiff_t x_stride, bool conjugate,
                                const hlo_complex *y, ptrdiff_t y_stride) {
  hlo_sum parts[2] = {{from[0], 0}, {from[1], 0}};
  for (ptrdiff_t i = 0; i < count; i++) {
    hlo_complex term = hlo_complex_multiply(conjugate ? hlo_conj(x[i * x_stride]) : x[i * x_stride], y[i * y_stride]);
    for (int part = 0; part < 2; part++) hlo_sum_add(&parts[part], -term[part]);
  }
  return (hlo_complex){hlo_sum_total(parts[0]), hlo_sum_total(parts[1])};
}

/* Line i is row i of a lower factor, or column i of an upper one. */
ptrdiff_t hlo_cholesky(hlo_matrix *a, bool lower, hlo_evaluation *evaluation) {
  ptrdiff_t n = a->rows, down = lower ? n : 1, across = lower ? 1 : n;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!hlo_reference_tick(evaluation, (n - k) * k)) return -1;
    hlo_complex *line = &a->at[k * down];
    double pivot = less_product(line[k * across], k, line, across, true, line, across)[0];
    if (!(pivot > 0) || isinf(pivot)) return k + 1;
    pivot = sqrt(pivot);
    line[k * across] = hlo_complex_from(pivot);
    for (ptrdiff_t i = k + 1; i < n; i++) {
      hlo_complex *other = &a->at[i * down];
      other[k * across] = less_product(other[k * across], k, line, across, true, other, across) / pivot;
    }
  }
  return 0;
}

/* Substitution, beginning at the corner of the triangle where one unknown stands alone. x op(a) = b is solved as
 * op(a)^T x^T = b^T. */
bool hlo_solve_triangle(const hlo_matrix *a, hlo_triangle triangle, bool left, hlo_matrix *x, hlo_evaluation *evaluation) {
  ptrdiff_t n = a->rows, lines = left ? x->cols : x->rows, stride = left ? x->cols : 1;
  bool swapped = (triangle.op != 'N') == left, conjugate = triangle.op == 'C', lower = triangle.lower != swapped;
  ptrdiff_t down = swapped ? 1 : n, across = swapped ? n : 1;
  for (ptrdiff_t line = 0; line < lines; line++) {
    if (!hlo_reference_tick(evaluation, n * n / 2)) return false;
    hlo_complex *unknowns = left ? hlo_at(x, 0, line) : hlo_at(x, line, 0);
    for (ptrdiff_t step = 0; step < n; step++) {
      ptrdiff_t i = lower ? step : n - 1 - step, known = lower ? 0 : i + 1;
      hlo_complex *target = &unknowns[i * stride], pivot = a->at[i * (n + 1)];
      *target = less_product(*target, step, &a->at[i * down + known * across], across, conjugate, &unknowns[known * stride], stride);
      if (!triangle.unit) *target = hlo_complex_divide(*target, conjugate ? hlo_conj(pivot) : pivot);
      if (triangle.is_real) (*target)[1] = 0; /* 0 times infinity has made it NaN */
    }
  }
  return true;
}
