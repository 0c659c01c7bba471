/* cpu_csr_sparse_dense_ffi: the product of a sparse matrix, given by its rows, and a dense matrix or vector, as JAX emits it on CPU.
 *
 *   (values[e], first[m + 1], columns[e], b[k, n] or b[k]) -> out[m, n] or out[m]
 *
 * Row r has the elements first[r] to first[r + 1] - 1, each in its column. An element that lies in no column, or in no array, counts for
 * nothing. Rows begin in ascending order: where first[r] is less than an earlier one, that one stands for it, so that no element is
 * multiplied twice, and the work follows from shapes. */
#include "base/status.h"
#include "graph/module.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/custom_calls/lapack.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

bool hlo_builtin_csr_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status) {
  const hlo_shape *out = instruction->shape, *values, *first, *columns, *b;
  bool ok = instruction->operand_count == 4 && hlo_shape_is_array(out) && hlo_shape_is_static(out);
  for (int i = 0; ok && i < 4; i++) ok = hlo_shape_is_array(operands[i]) && hlo_shape_is_static(operands[i]);
  if (ok) {
    values = operands[0], first = operands[1], columns = operands[2], b = operands[3];
    ok = (hlo_type_is_float(values->type) || hlo_type_is_complex(values->type)) && b->type == values->type && out->type == values->type &&
         first->type == HLO_TYPE_S32 && columns->type == HLO_TYPE_S32 && values->rank == 1 && first->rank == 1 && hlo_shape_same_dims(values, columns) &&
         (b->rank == 1 || b->rank == 2) && out->rank == b->rank && first->dims[0] == out->dims[0] + 1 &&
         (b->rank == 1 || out->dims[1] == b->dims[1]);
  }
  return ok || hlo_fail(status, HLO_SHAPE, "values[e], s32 first[m+1], s32 columns[e] and b[k,n] or b[k] give [m,n] or [m], not %pS", out);
}

bool hlo_builtin_csr(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  return hlo_lapack_run(HLO_ROUTINE_CSR, evaluation, instruction, operands, result, operands[0]->shape, operands[0]->shape->rank);
}
