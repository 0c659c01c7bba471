/* Each value has a slot of the scratch: the slot of value i begins at i * HLO_APPLIED_BLOCK elements of the largest size. */
#include "kernels/elementwise/applied_program.h"

#include <string.h>

#include "kernels/move/strided_copy.h"

size_t hlo_applied_program_scratch_bytes(const hlo_applied_program *program) {
  return (size_t)program->value_count * HLO_APPLIED_BLOCK * HLO_APPLIED_MOST_BYTES;
}

static void *slot(void *scratch, int value) { return (char *)scratch + (size_t)value * HLO_APPLIED_BLOCK * HLO_APPLIED_MOST_BYTES; }

/* Element-wise kernels want at least one operand that is an array: from scalars alone, one element is computed and repeated. */
static void apply(const hlo_applied_value *value, const void *const *at, uint64_t all_scalars, void *out, int64_t count) {
  hlo_elementwise_kernel *kernel = hlo_scalar_kernel(value->op);
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  unsigned scalars = 0;
  for (int n = 0; n < value->arity; n++) {
    operands[n] = at[value->from[n]];
    if (all_scalars >> value->from[n] & 1) scalars |= 1u << n;
  }
  if (scalars != (1u << value->arity) - 1) {
    kernel(operands, scalars, out, count);
    return;
  }
  kernel(operands, 0, out, 1);
  hlo_fill((char *)out + value->bytes, out, value->bytes, count - 1);
}

void hlo_applied_program_run(const hlo_applied_program *program, const void *const *parameters, unsigned scalars, void *const *results,
                             int64_t count, void *scratch) {
  const void *at[HLO_APPLIED_MOST_VALUES];
  uint64_t is_scalar = 0;
  for (int i = 0; i < program->value_count; i++) {
    const hlo_applied_value *value = &program->values[i];
    if (value->parameter >= 0 || value->constant) {
      at[i] = value->constant ? value->constant : parameters[value->parameter];
      if (value->constant || scalars >> value->parameter & 1) is_scalar |= 1ull << i;
      continue;
    }
    void *out = slot(scratch, i);
    apply(value, at, is_scalar, out, count);
    at[i] = out;
  }
  /* A result that is a parameter or a constant is copied to its slot first: another result may be written where the parameter lies. */
  for (int i = 0; i < program->result_count; i++) {
    int v = program->results[i];
    if (program->values[v].op != HLO_SCALAR_NONE) continue;
    void *saved = slot(scratch, v);
    if (is_scalar >> v & 1) hlo_fill(saved, at[v], program->values[v].bytes, count);
    else memcpy(saved, at[v], (size_t)(count * program->values[v].bytes));
    at[v] = saved;
    is_scalar &= ~(1ull << v);
  }
  for (int i = 0; i < program->result_count; i++)
    memcpy(results[i], at[program->results[i]], (size_t)(count * program->values[program->results[i]].bytes));
}
