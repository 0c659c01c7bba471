/* Factors and systems of equations: cholesky, triangular-solve, potrf, getrf, trsm, gtsv. */
#include <math.h>

#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/backend_config.h"
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/linear_algebra/routine.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"

/* ---- cholesky, triangular-solve: only the triangle that the instruction names is read ---- */

/* The other triangle of the result is zero; a matrix without a factor gives NaN everywhere, as in XLA. */
bool hlo_routine_cholesky(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  bool lower = hlo_instruction_bool(call->instruction, HLO_ATTR_lower, false);
  if (!a.at) return false;
  ptrdiff_t failed = hlo_cholesky(&a, lower, call->evaluation);
  bool definite = failed == 0;
  if (failed < 0) return false;
  for (ptrdiff_t i = 0; i < a.rows; i++)
    for (ptrdiff_t k = 0; k < a.cols; k++)
      if (!definite || (lower ? k > i : k < i)) *hlo_at(&a, i, k) = hlo_complex_from(definite ? 0 : NAN);
  hlo_routine_give(call, 0, &a);
  return true;
}

bool hlo_routine_triangular_solve(const hlo_routine_call *call) {
  const hlo_instruction *instruction = call->instruction;
  hlo_matrix a = hlo_routine_matrix(call, 0);
  hlo_matrix x = hlo_routine_matrix(call, 1);
  if (!a.at || !x.at) return false;
  int transpose = hlo_instruction_enum(instruction, HLO_ATTR_transpose_a, HLO_transpose_a_NO_TRANSPOSE);
  hlo_triangle triangle = {.op = transpose == HLO_transpose_a_ADJOINT ? 'C' : transpose == HLO_transpose_a_NO_TRANSPOSE ? 'N' : 'T',
                           .lower = hlo_instruction_bool(instruction, HLO_ATTR_lower, false),
                           .unit = hlo_instruction_bool(instruction, HLO_ATTR_unit_diagonal, false),
                           .is_real = !hlo_type_is_complex(call->operands[0]->shape->type)};
  if (!hlo_solve_triangle(&a, triangle, hlo_instruction_bool(instruction, HLO_ATTR_left_side, false), &x, call->evaluation)) return false;
  hlo_routine_give(call, 0, &x);
  return true;
}

/* ---- potrf: a -> (factor in its triangle, info) ---- */

/* The matrix is the last operand: older programs put its sizes, as scalars, in front. */
bool hlo_routine_potrf(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, call->instruction->operand_count - 1);
  if (!a.at) return false;
  ptrdiff_t older = call->instruction->operand_count > 1 && hlo_literal_int(call->operands[0], 0) ? 'L' : 'U';
  bool lower = hlo_config_int(call->instruction, "uplo", call->instruction->operand_count > 1 ? older : 'L') == 'L';
  ptrdiff_t info = hlo_cholesky(&a, lower, call->evaluation);
  if (info < 0) return false;
  hlo_routine_give(call, 0, &a);
  hlo_routine_set_info(call, 1, info);
  return true;
}

/* ---- getrf: a -> (L without its diagonal and U, pivots from 1, info) ---- */

bool hlo_routine_getrf(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, call->instruction->operand_count - 1);
  if (!a.at) return false;
  ptrdiff_t steps = a.rows < a.cols ? a.rows : a.cols, info = 0;
  for (ptrdiff_t k = 0; k < steps; k++) {
    if (!hlo_reference_tick(call->evaluation, (a.rows - k) * (a.cols - k))) return false;
    ptrdiff_t pivot = k;
    for (ptrdiff_t i = k + 1; i < a.rows; i++)
      if (hlo_complex_size(*hlo_at(&a, i, k)) > hlo_complex_size(*hlo_at(&a, pivot, k))) pivot = i;
    hlo_literal_set_int(call->results[1], call->batch * steps + k, pivot + 1);
    if (pivot != k) hlo_line_swap(a.cols, hlo_at(&a, k, 0), hlo_at(&a, pivot, 0), 1);
    if (hlo_complex_is_zero(*hlo_at(&a, k, k))) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (ptrdiff_t i = k + 1; i < a.rows; i++) {
      hlo_complex factor = *hlo_at(&a, i, k) = hlo_complex_divide(*hlo_at(&a, i, k), *hlo_at(&a, k, k));
      hlo_line_add(a.cols - k - 1, -factor, hlo_at(&a, k, k) + 1, 1, false, hlo_at(&a, i, k) + 1, 1);
    }
  }
  hlo_routine_give(call, 0, &a);
  hlo_routine_set_info(call, 2, info);
  return true;
}

/* ---- trsm: (a, b) -> x with op(a) x = b or x op(a) = b ---- */

bool hlo_routine_trsm(const hlo_routine_call *call) {
  hlo_matrix a = hlo_routine_matrix(call, 0);
  hlo_matrix x = hlo_routine_matrix(call, 1);
  if (!a.at || !x.at) return false;
  bool left = hlo_config_int(call->instruction, "side", 'L') == 'L';
  hlo_triangle triangle = {.op = (char)hlo_config_int(call->instruction, "trans_x", 'N'),
                           .lower = hlo_config_int(call->instruction, "uplo", 'L') == 'L',
                           .unit = hlo_config_int(call->instruction, "diag", 'N') == 'U',
                           .is_real = !hlo_type_is_complex(call->operands[0]->shape->type)};
  if (a.rows != (left ? x.rows : x.cols))
    return hlo_fail(call->status, HLO_SHAPE, "custom-call %s: a of order %lld does not fit b", call->instruction->name, (long long)a.rows);
  if (!hlo_solve_triangle(&a, triangle, left, &x, call->evaluation)) return false;
  hlo_routine_give(call, 0, &x);
  return true;
}

/* ---- gtsv: (dl, d, du, b) -> (dl, d, du, x, info), tridiagonal with pivots ---- */

/* Row i of the matrix has below[i] at i-1, diagonal[i] at i, above[i] at i+1 and, where rows were exchanged, far[i] at i+2. */
typedef struct band {
  hlo_complex *below, *diagonal, *above, *far;
} band;

static void eliminate(band *m, hlo_matrix *b, ptrdiff_t i) {
  if (hlo_complex_size(m->diagonal[i]) < hlo_complex_size(m->below[i + 1])) {
    hlo_line_swap(1, &m->diagonal[i], &m->below[i + 1], 1);
    hlo_line_swap(1, &m->above[i], &m->diagonal[i + 1], 1);
    hlo_line_swap(1, &m->far[i], &m->above[i + 1], 1);
    hlo_line_swap(b->cols, hlo_at(b, i, 0), hlo_at(b, i + 1, 0), 1);
  }
  hlo_complex factor = hlo_complex_is_zero(m->diagonal[i]) ? hlo_complex_from(0) : hlo_complex_divide(m->below[i + 1], m->diagonal[i]);
  m->diagonal[i + 1] -= hlo_complex_multiply(factor, m->above[i]);
  m->above[i + 1] -= hlo_complex_multiply(factor, m->far[i]);
  hlo_line_add(b->cols, -factor, hlo_at(b, i, 0), 1, false, hlo_at(b, i + 1, 0), 1);
}

bool hlo_routine_gtsv(const hlo_routine_call *call) {
  hlo_matrix parts[3], b = hlo_routine_matrix(call, 3);
  for (int i = 0; i < 3; i++) {
    parts[i] = hlo_vector_load(call->arena, call->operands[i], call->batch, call->status);
    if (!parts[i].at) return false;
  }
  ptrdiff_t n = parts[1].rows, info = 0;
  band m = {parts[0].at, parts[1].at, parts[2].at, hlo_routine_array(call, n + 1)};
  if (!b.at || !m.far) return false;
  for (ptrdiff_t i = 0; i + 1 < n; i++) {
    if (!hlo_reference_tick(call->evaluation, 2 * (4 + b.cols))) return false;
    eliminate(&m, &b, i);
  }
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    if (hlo_complex_is_zero(m.diagonal[i])) info = i + 1;
    for (ptrdiff_t k = 0; k < b.cols; k++) {
      hlo_complex *x = hlo_at(&b, i, k);
      if (i + 1 < n) *x -= hlo_complex_multiply(m.above[i], *hlo_at(&b, i + 1, k));
      if (i + 2 < n) *x -= hlo_complex_multiply(m.far[i], *hlo_at(&b, i + 2, k));
      *x = hlo_complex_divide(*x, m.diagonal[i]);
    }
  }
  for (int i = 0; i < 3; i++) hlo_routine_give_vector(call, i, parts[i].at, parts[i].rows);
  hlo_routine_give(call, 3, &b);
  hlo_routine_set_info(call, 4, info);
  return true;
}
