/* cholesky, triangular-solve: batches of matrices; only the triangle that is named is read. */
#include "reference/functions.h"
#include "reference/wide.h"

#include <math.h>

/* A matrix in wide numbers; `imaginary` is there for real types too, and zero. */
typedef struct matrix {
  hlo_wide values;
  int64_t columns;
} matrix;

static bool make_matrix(hlo_evaluation *evaluation, hlo_type type, int64_t rows, int64_t columns, matrix *m) {
  m->values.arithmetic = hlo_arithmetic_of(type, INT64_MAX, false); /* always wide: errors add up from row to row */
  m->columns = columns;
  m->values.real = hlo_arena_array(evaluation->scratch, rows * columns, sizeof(double), evaluation->status);
  m->values.imaginary = hlo_arena_array(evaluation->scratch, rows * columns, sizeof(double), evaluation->status);
  return m->values.real && m->values.imaginary;
}

static hlo_scalar get(const matrix *m, int64_t i, int64_t j) {
  int64_t at = i * m->columns + j;
  return (hlo_scalar){.f = m->values.real[at], .im = m->values.imaginary[at]};
}
static void set(matrix *m, int64_t i, int64_t j, hlo_scalar value) {
  int64_t at = i * m->columns + j;
  m->values.real[at] = value.f;
  m->values.imaginary[at] = value.im;
}

/* An element of a literal, as a complex number whatever its type. */
static hlo_scalar load(const hlo_literal *literal, int64_t index, bool conjugate) {
  hlo_scalar value = hlo_literal_get(literal, index);
  if (!hlo_type_is_complex(literal->shape->type)) value.im = 0;
  if (conjugate) value.im = -value.im;
  return value;
}

/* value - sum of a[i][k] * b[j][k] over k in [begin, end). */
static hlo_scalar subtract_products(hlo_scalar value, const matrix *a, int64_t i, const matrix *b, int64_t j,
                                    int64_t begin, int64_t end) {
  hlo_wide_sum sum = hlo_wide_begin(a->values.arithmetic, (hlo_scalar){.f = -value.f, .im = -value.im});
  hlo_wide_dot(&a->values, i * a->columns + begin, &b->values, j * b->columns + begin, end - begin, &sum);
  hlo_scalar total = hlo_wide_total(a->values.arithmetic, &sum);
  return (hlo_scalar){.f = -total.f, .im = -total.im};
}

/* The lower factor of one matrix (an upper one is its adjoint): factor[i][j], and its conjugate for the sums.
 * False if the matrix is not positive definite. Imaginary parts of the diagonal are not read. */
static bool factorise(const hlo_literal *a, int64_t start, int64_t n, bool lower, matrix *factor, matrix *conjugated) {
  for (int64_t j = 0; j < n; j++) {
    double pivot = 0;
    for (int64_t i = j; i < n; i++) {
      hlo_scalar value = load(a, start + (lower ? i * n + j : j * n + i), !lower);
      value = subtract_products(value, factor, i, conjugated, j, 0, j);
      if (i == j) {
        if (!(value.f > 0) || isinf(value.f)) return false;
        pivot = sqrt(value.f);
        value = (hlo_scalar){.f = pivot};
      } else {
        value.f /= pivot;
        value.im /= pivot;
      }
      set(factor, i, j, value);
      set(conjugated, i, j, (hlo_scalar){.f = value.f, .im = 0 - value.im});
    }
  }
  return true;
}

/* The other triangle of the result is zero; a matrix that has no factor gives nothing but NaN, as in XLA. */
bool hlo_reference_cholesky(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *a = operands[0];
  bool lower = hlo_instruction_bool(instruction, HLO_ATTR_lower, false);
  int rank = a->shape->rank;
  int64_t n = a->shape->dims[rank - 1], batch = hlo_box_count(a->shape->dims, rank - 2);
  matrix factor, conjugated;
  if (!make_matrix(evaluation, a->shape->type, n, n, &factor) || !make_matrix(evaluation, a->shape->type, n, n, &conjugated))
    return false;
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, a);
  for (int64_t b = 0; b < batch; b++) {
    bool definite = factorise(a, b * n * n, n, lower, &factor, &conjugated);
    for (int64_t i = 0; i < n * n && !definite; i++)
      hlo_literal_set(result, b * n * n + i, (hlo_scalar){.f = NAN});
    for (int64_t i = 0; i < n && definite; i++)
      for (int64_t j = 0; j <= i; j++)
        hlo_literal_set(result, b * n * n + (lower ? i * n + j : j * n + i),
                        get(lower ? &factor : &conjugated, i, j));
  }
  return true;
}

/* A system T x = b for each vector of b: T is op(a), transposed once more when solving from the right,
 * so that x op(a) = b becomes op(a)^T x^T = b^T. */
typedef struct solver {
  int64_t n, vectors;
  bool left, lower;      /* lower: of T */
  bool swapped;          /* T[i][j] is a[j][i] */
  bool conjugate, unit_diagonal;
  matrix triangle, x;    /* x: one row, the unknowns */
} solver;

static void load_triangle(solver *s, const hlo_literal *a, int64_t start) {
  for (int64_t i = 0; i < s->n; i++)
    for (int64_t j = 0; j < s->n; j++) {
      bool inside = s->lower ? j <= i : j >= i;
      int64_t at = start + (s->swapped ? j * s->n + i : i * s->n + j);
      set(&s->triangle, i, j, inside ? load(a, at, s->conjugate) : (hlo_scalar){.f = 0});
    }
}

/* From the corner of the triangle where one unknown stands alone. */
static void solve_vector(solver *s, const hlo_literal *b, int64_t start, int64_t stride, hlo_literal *result) {
  for (int64_t step = 0; step < s->n; step++) {
    int64_t i = s->lower ? step : s->n - 1 - step;
    hlo_scalar value = load(b, start + i * stride, false);
    value = subtract_products(value, &s->triangle, i, &s->x, 0, s->lower ? 0 : i + 1, s->lower ? i : s->n);
    bool is_complex = hlo_type_is_complex(b->shape->type);
    if (!s->unit_diagonal && is_complex)
      value = hlo_reference_binary_scalar(HLO_OP_DIVIDE, HLO_TYPE_C128, value, get(&s->triangle, i, i));
    else if (!s->unit_diagonal)
      value.f /= get(&s->triangle, i, i).f;
    set(&s->x, 0, i, value);
    hlo_literal_set(result, start + i * stride, value);
  }
}

bool hlo_reference_triangular_solve(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *a = operands[0], *b = operands[1];
  int rank = a->shape->rank;
  int transpose = hlo_instruction_enum(instruction, HLO_ATTR_transpose_a, HLO_transpose_a_NO_TRANSPOSE);
  solver s = {.n = a->shape->dims[rank - 1],
              .left = hlo_instruction_bool(instruction, HLO_ATTR_left_side, false),
              .conjugate = transpose == HLO_transpose_a_ADJOINT,
              .unit_diagonal = hlo_instruction_bool(instruction, HLO_ATTR_unit_diagonal, false)};
  s.swapped = (transpose != HLO_transpose_a_NO_TRANSPOSE) == s.left;
  s.lower = hlo_instruction_bool(instruction, HLO_ATTR_lower, false) != s.swapped;
  s.vectors = b->shape->dims[s.left ? rank - 1 : rank - 2];
  if (!make_matrix(evaluation, a->shape->type, s.n, s.n, &s.triangle) ||
      !make_matrix(evaluation, a->shape->type, 1, s.n, &s.x))
    return false;
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, b);
  for (int64_t i = 0; i < hlo_box_count(a->shape->dims, rank - 2); i++) {
    load_triangle(&s, a, i * s.n * s.n);
    for (int64_t v = 0; v < s.vectors; v++)
      solve_vector(&s, b, i * s.n * s.vectors + (s.left ? v : v * s.n), s.left ? s.vectors : 1, result);
  }
  return true;
}
