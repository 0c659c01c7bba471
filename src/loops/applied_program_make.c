#include "loops/applied_program_make.h"

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "loops/scalar_ops.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Returns whether an operation compares, chooses, or passes elements on. Bitwise operations do so with pred alone: of integers they make
 * new ones. */
static bool is_choice(const hlo_instruction *instruction) {
  switch (instruction->opcode) {
  case HLO_OP_COMPARE: case HLO_OP_SELECT: case HLO_OP_MAXIMUM: case HLO_OP_MINIMUM: case HLO_OP_TUPLE: case HLO_OP_PARAMETER: return true;
  case HLO_OP_AND: case HLO_OP_OR: case HLO_OP_NOT: case HLO_OP_XOR: return instruction->shape->type == HLO_TYPE_PRED;
  default: return false;
  }
}

/* Appends the value of an instruction, but for its operands. Returns false where the list cannot have it. */
static bool add_value(const hlo_computation *c, const hlo_instruction *instruction, hlo_applied_program *program) {
  hlo_applied_value *value = &program->values[program->value_count];
  *value = (hlo_applied_value){.bytes = hlo_type_bytes(instruction->shape->type), .parameter = -1};
  if (!hlo_shape_is_plain(instruction->shape) || !hlo_shape_is_scalar(instruction->shape) || value->bytes > HLO_APPLIED_MOST_BYTES) return false;
  program->chooses &= is_choice(instruction);
  program->value_count++;
  if (instruction->opcode == HLO_OP_PARAMETER) {
    value->parameter = (int)hlo_instruction_int(instruction, HLO_ATTR_parameter_number, 0);
    return true;
  }
  if (instruction->opcode == HLO_OP_CONSTANT) {
    value->constant = hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal->data;
    return true;
  }
  value->op = hlo_scalar_op_for(c, instruction);
  value->arity = instruction->operand_count;
  return value->op != HLO_SCALAR_NONE;
}

bool hlo_applied_program_make(const hlo_computation *c, hlo_applied_program *program) {
  const hlo_instruction *root = hlo_computation_root(c);
  int number[2 * HLO_APPLIED_MOST_VALUES]; /* by instruction: the number of its value */
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
