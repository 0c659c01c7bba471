/* The plainest way to run a fused loop: row by row, value by value, element by element. It says what the other ways must compute. */
#ifndef HLO_TESTS_LOOP_TWIN_H
#define HLO_TESTS_LOOP_TWIN_H

#include <stdlib.h>
#include <string.h>

#include "loops/fused_loop.h"

static inline const char *loop_twin_element(const hlo_fused_loop *loop, const hlo_fused_value *value, const char *data, int64_t i) {
  return data + (value->per_row ? 0 : i * value->bytes);
}

/* Computes row `row` of value v into data[v], which has room for a row; data holds the values before it. */
static inline void loop_twin_value(const hlo_fused_loop *loop, int v, const void *const *operands, int64_t row, char *const *data) {
  const hlo_fused_value *value = &loop->values[v];
  int64_t count = value->per_row ? 1 : loop->width, offset = value->offset;
  if (value->kind == HLO_FUSED_REDUCE) {
    hlo_reduction_kernel(value->reduce)(data[value->from[0]], data[v], 1, loop->width, 1);
    return;
  }
  for (int d = loop->dim_count - 1; d >= 0 && value->kind == HLO_FUSED_INPUT; row /= loop->dims[d--])
    offset += row % loop->dims[d] * value->row_strides[d];
  for (int64_t i = 0; i < count; i++) {
    const void *from[HLO_ELEMENTWISE_MAX_OPERANDS];
    if (value->kind == HLO_FUSED_INPUT) {
      memcpy(data[v] + i * value->bytes, (const char *)operands[value->operand] + (offset + i * value->stride) * value->bytes, value->bytes);
      continue;
    }
    for (int n = 0; n < value->arity; n++) from[n] = loop_twin_element(loop, &loop->values[value->from[n]], data[value->from[n]], i);
    hlo_scalar_kernel(value->op)(from, 0, data[v] + i * value->bytes, 1);
  }
}

/* A hlo_fused_loop_function that needs no scratch. */
static inline void loop_twin(const hlo_fused_loop *loop, const void *const *operands, void *const *results, const hlo_fused_region *part, void *scratch) {
  char *data[HLO_FUSED_MAX_VALUES];
  for (int v = 0; v < loop->value_count; v++) data[v] = malloc((size_t)(loop->width + 1) * loop->values[v].bytes);
  for (int64_t row = part->row; row < part->row + part->rows; row++) {
    for (int v = 0; v < loop->value_count; v++) loop_twin_value(loop, v, operands, row, data);
    for (int i = 0; i < loop->output_count; i++) {
      const hlo_fused_value *value = &loop->values[loop->outputs[i].value];
      int64_t column = value->per_row ? 0 : part->column, count = value->per_row ? 1 : part->columns;
      memcpy((char *)results[i] + (row * loop->outputs[i].row_stride + column) * value->bytes,
             data[loop->outputs[i].value] + column * value->bytes, (size_t)(count * value->bytes));
    }
  }
  for (int v = 0; v < loop->value_count; v++) free(data[v]);
}

#endif
