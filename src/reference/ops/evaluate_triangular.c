/* cholesky, triangular-solve: of batches of matrices, in double; only the triangle that the instruction names is read. */
#include <math.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/custom_calls/lapack.h"
#include "reference/functions.h"
#include "reference/linear_algebra/dense_matrix.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"

/* The other triangle of the result is zero; a matrix without a factor gives NaN everywhere, as in XLA. */
static bool cholesky(const hlo_lapack_call *call) {
  hlo_matrix a = hlo_lapack_matrix(call, 0);
  bool lower = hlo_instruction_bool(call->instruction, HLO_ATTR_lower, false);
  if (!a.at) return false;
  ptrdiff_t failed = hlo_cholesky(&a, lower, call->evaluation);
  bool definite = failed == 0;
  if (failed < 0) return false;
  for (ptrdiff_t i = 0; i < a.rows; i++)
    for (ptrdiff_t k = 0; k < a.cols; k++)
      if (!definite || (lower ? k > i : k < i)) *hlo_at(&a, i, k) = hlo_complex_from(definite ? 0 : NAN);
  hlo_lapack_give(call, 0, &a);
  return true;
}

bool hlo_reference_cholesky(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result) {
  hlo_reference_copy_sizes(result, operands[0]);
  return hlo_lapack_run(cholesky, evaluation, instruction, operands, result, operands[0]->shape, 2);
}

static bool triangular_solve(const hlo_lapack_call *call) {
  const hlo_instruction *instruction = call->instruction;
  hlo_matrix a = hlo_lapack_matrix(call, 0);
  hlo_matrix x = hlo_lapack_matrix(call, 1);
  if (!a.at || !x.at) return false;
  int transpose = hlo_instruction_enum(instruction, HLO_ATTR_transpose_a, HLO_transpose_a_NO_TRANSPOSE);
  hlo_triangle triangle = {.op = transpose == HLO_transpose_a_ADJOINT ? 'C' : transpose == HLO_transpose_a_NO_TRANSPOSE ? 'N' : 'T',
                           .lower = hlo_instruction_bool(instruction, HLO_ATTR_lower, false),
                           .unit = hlo_instruction_bool(instruction, HLO_ATTR_unit_diagonal, false),
                           .is_real = !hlo_type_is_complex(call->operands[0]->shape->type)};
  if (!hlo_solve_triangle(&a, triangle, hlo_instruction_bool(instruction, HLO_ATTR_left_side, false), &x, call->evaluation)) return false;
  hlo_lapack_give(call, 0, &x);
  return true;
}

bool hlo_reference_triangular_solve(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result) {
  hlo_reference_copy_sizes(result, operands[1]);
  return hlo_lapack_run(triangular_solve, evaluation, instruction, operands, result, operands[0]->shape, 2);
}
