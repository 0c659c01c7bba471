/* cholesky, triangular-solve: of batches of matrices. */
#include "graph/module.h"
#include "reference/custom_calls/lapack.h"
#include "reference/functions.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/literal.h"

bool hlo_reference_cholesky(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result) {
  hlo_reference_copy_sizes(result, operands[0]);
  return hlo_lapack_run(HLO_ROUTINE_CHOLESKY, evaluation, instruction, operands, result, operands[0]->shape, 2);
}

bool hlo_reference_triangular_solve(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result) {
  hlo_reference_copy_sizes(result, operands[1]);
  return hlo_lapack_run(HLO_ROUTINE_TRIANGULAR_SOLVE, evaluation, instruction, operands, result, operands[0]->shape, 2);
}
