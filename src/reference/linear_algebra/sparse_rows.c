/* The product of a sparse matrix and a dense one: cpu_csr_sparse_dense_ffi, which custom_calls/sparse.c explains. */
#include "reference/complex_numbers.h"
#include "reference/linear_algebra/routine.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* Every element of the result is a sum over its row. */
bool hlo_routine_csr(const hlo_routine_call *call) {
  const hlo_literal *const *operands = call->operands;
  const hlo_shape *b = operands[3]->shape;
  int64_t count = operands[0]->shape->dims[0], width = b->rank == 2 ? b->dims[1] : 1, rows = call->results[0]->shape->dims[0];
  hlo_complex *values = hlo_complex_load(call->arena, operands[0], 0, (ptrdiff_t)count, call->status);
  hlo_complex *dense = hlo_complex_load(call->arena, operands[3], 0, (ptrdiff_t)hlo_shape_element_count(b), call->status);
  int64_t begin = 0;
  for (int64_t i = 0; values && dense && i < rows * width; i++) {
    hlo_complex sum = {0};
    int64_t given = hlo_literal_int(operands[1], i / width), end = hlo_literal_int(operands[1], i / width + 1);
    if (given > begin) begin = given;
    for (int64_t e = begin; e < end && e < count; e++) {
      int64_t column = hlo_literal_int(operands[2], e);
      if (column >= 0 && column < b->dims[0]) sum += hlo_complex_multiply(values[e], dense[column * width + i % width]);
    }
    hlo_literal_set(call->results[0], i, (hlo_scalar){.f = sum[0], .im = sum[1]});
  }
  return values && dense;
}
