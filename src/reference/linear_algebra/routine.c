#include "reference/linear_algebra/routine.h"

hlo_matrix hlo_routine_matrix(const hlo_routine_call *call, int operand) {
  return hlo_matrix_load(call->arena, call->operands[operand], call->batch, call->status);
}

hlo_complex *hlo_routine_array(const hlo_routine_call *call, ptrdiff_t count) {
  return hlo_arena_many(call->arena, hlo_complex, count, call->status);
}

void hlo_routine_give(const hlo_routine_call *call, int result, const hlo_matrix *m) {
  hlo_matrix_store(call->results[result], call->batch, m);
}

void hlo_routine_give_vector(const hlo_routine_call *call, int result, hlo_complex *values, ptrdiff_t count) {
  hlo_matrix column = {count, 1, values};
  hlo_vector_store(call->results[result], call->batch, &column);
}

void hlo_routine_set_info(const hlo_routine_call *call, int result, int64_t info) {
  hlo_literal_set_int(call->results[result], call->batch, info);
}
