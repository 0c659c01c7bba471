/* cpu_csr_sparse_dense_ffi: the product of a sparse matrix, given by its rows, and a dense matrix or vector, as JAX emits it on CPU.
 *
 *   (values[e], first[m + 1], columns[e], b[k, n] or b[k]) -> out[m, n] or out[m]
 *
 * Row r has the elements first[r] to first[r + 1] - 1, each in its column. An element that lies in no column, or in no array, counts for
 * nothing. Rows begin in ascending order: where first[r] is less than an earlier one, that one stands for it, so that no element is
 * multiplied twice, and the work follows from shapes. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "reference/custom_calls/builtin_custom_calls.h"
#include "reference/linear_algebra/dense_matrix.h"
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
  const hlo_shape *b = operands[3]->shape;
  int64_t count = operands[0]->shape->dims[0], width = b->rank == 2 ? b->dims[1] : 1, rows = result->shape->dims[0];
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_complex *values = hlo_complex_load(&arena, operands[0], 0, (ptrdiff_t)count, evaluation->status);
  hlo_complex *dense = hlo_complex_load(&arena, operands[3], 0, (ptrdiff_t)hlo_shape_element_count(b), evaluation->status);
  int64_t begin = 0;
  for (int64_t i = 0; values && dense && i < rows * width; i++) {
    hlo_complex sum = {0};
    int64_t given = hlo_literal_int(operands[1], i / width), end = hlo_literal_int(operands[1], i / width + 1);
    if (given > begin) begin = given;
    for (int64_t e = begin; e < end && e < count; e++) {
      int64_t column = hlo_literal_int(operands[2], e);
      if (column >= 0 && column < b->dims[0]) sum += hlo_complex_multiply(values[e], dense[column * width + i % width]);
    }
    hlo_literal_set(result, i, (hlo_scalar){.f = sum[0], .im = sum[1]});
  }
  hlo_arena_free(&arena);
  return values && dense;
}
