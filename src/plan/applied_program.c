/* Every value has a slot of the scratch: slot i begins at i * HLO_APPLIED_BLOCK elements of the largest size. */
#include "plan/applied_program.h"

#include <string.h>

#include "kernels/strided_copy.h"

enum { LARGEST = 8 }; /* bytes of an element */

static bool is_choice(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_COMPARE: case HLO_OP_SELECT: case HLO_OP_AND: case HLO_OP_OR: case HLO_OP_NOT: case HLO_OP_XOR:
  case HLO_OP_MAXIMUM: case HLO_OP_MINIMUM: case HLO_OP_TUPLE: case HLO_OP_PARAMETER: return true;
  default: return false;
  }
}

static bool add_value(const hlo_computation *c, const hlo_instruction *instruction, hlo_applied_program *program) {
  hlo_applied_value *value = &program->values[program->value_count];
  *value = (hlo_applied_value){.bytes = hlo_type_bytes(instruction->shape->type), .parameter = -1};
  if (!hlo_shape_is_plain(instruction->shape) || !hlo_shape_is_scalar(instruction->shape) || value->bytes > LARGEST) return false;
  program->chooses &= is_choice(instruction->opcode);
  program->value_count++;
  if (instruction->opcode == HLO_OP_PARAMETER) {
    value->parameter = (int)hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0);
    return true;
  }
  if (instruction->opcode == HLO_OP_CONSTANT) {
    value->constant = hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal->data;
    return true;
  }
  value->kernel = hlo_elementwise_kernel_for(c, instruction);
  value->arity = instruction->operand_count;
  return value->kernel != NULL;
}

bool hlo_applied_program_make(const hlo_kernel_question *question, const hlo_computation *c, hlo_applied_program *program) {
  const hlo_instruction *root = hlo_computation_root(c);
  int number[2 * HLO_APPLIED_MOST_VALUES]; /* of an instruction: its value */
  *program = (hlo_applied_program){.chooses = true};
  if (c->instruction_count > 2 * HLO_APPLIED_MOST_VALUES) return false;
  for (int i = 0; i < c->instruction_count; i++) {
    const hlo_instruction *instruction = hlo_instruction_at(c, i);
    if (instruction == root && instruction->opcode == HLO_OP_TUPLE) continue;
    number[i] = program->value_count;
    if (program->value_count == HLO_APPLIED_MOST_VALUES || !add_value(c, instruction, program)) return false;
    hlo_applied_value *value = &program->values[number[i]];
    for (int n = 0; n < value->arity; n++) value->from[n] = number[instruction->operands[n]];
  }
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  program->result_count = is_tuple ? root->operand_count : 1;
  if (program->result_count > HLO_APPLIED_MOST_RESULTS) return false;
  for (int i = 0; i < program->result_count; i++) program->results[i] = number[is_tuple ? root->operands[i] : root->index];
  return true;
}

size_t hlo_applied_program_scratch_bytes(const hlo_applied_program *program) {
  return (size_t)program->value_count * HLO_APPLIED_BLOCK * LARGEST;
}

/* Kernels want an operand that is an array: of scalars alone, one element is computed and repeated. */
static void apply(const hlo_applied_value *value, const void *const *at, uint64_t all_scalars, void *out, int64_t count) {
  const void *operands[HLO_ELEMENTWISE_MAX_OPERANDS];
  unsigned scalars = 0;
  for (int n = 0; n < value->arity; n++) {
    operands[n] = at[value->from[n]];
    if (all_scalars >> value->from[n] & 1) scalars |= 1u << n;
  }
  if (scalars != (1u << value->arity) - 1) {
    value->kernel(operands, scalars, out, count);
    return;
  }
  value->kernel(operands, 0, out, 1);
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
    void *out = (char *)scratch + (size_t)i * HLO_APPLIED_BLOCK * LARGEST;
    apply(value, at, is_scalar, out, count);
    at[i] = out;
  }
  /* A result that is a parameter may be overwritten by another one: it is saved first. */
  for (int i = 0; i < program->result_count; i++) {
    int v = program->results[i];
    if (program->values[v].kernel) continue;
    void *saved = (char *)scratch + (size_t)v * HLO_APPLIED_BLOCK * LARGEST;
    if (is_scalar >> v & 1) hlo_fill(saved, at[v], program->values[v].bytes, count);
    else memcpy(saved, at[v], (size_t)(count * program->values[v].bytes));
    at[v] = saved;
    is_scalar &= ~(1ull << v);
  }
  for (int i = 0; i < program->result_count; i++)
    memcpy(results[i], at[program->results[i]], (size_t)(count * program->values[program->results[i]].bytes));
}
