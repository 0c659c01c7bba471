/* Facts about instructions: attributes, called computations, equality. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"

const hlo_attribute *hlo_instruction_attribute(const hlo_instruction *instruction, hlo_attribute_id id) {
  for (int i = 0; i < instruction->attribute_count; i++)
    if (instruction->attributes[i].id == id) return &instruction->attributes[i];
  return NULL;
}

int64_t hlo_instruction_int(const hlo_instruction *instruction, hlo_attribute_id id, int64_t missing) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  return attribute ? attribute->integer : missing;
}

bool hlo_instruction_bool(const hlo_instruction *instruction, hlo_attribute_id id, bool missing) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  return attribute ? attribute->boolean : missing;
}

const hlo_ints *hlo_instruction_ints(const hlo_instruction *instruction, hlo_attribute_id id) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  static const hlo_ints none = {0};
  return attribute ? &attribute->ints : &none;
}

int hlo_instruction_enum(const hlo_instruction *instruction, hlo_attribute_id id, int missing) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  return attribute ? attribute->enumerant : missing;
}

const hlo_window *hlo_instruction_window(const hlo_instruction *instruction) {
  static const hlo_window none = {0};
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, HLO_ATTR_window);
  return attribute ? attribute->window : &none;
}

/* ---- Called computations ---- */

const hlo_computation *hlo_instruction_computation(const hlo_module *module, const hlo_instruction *instruction,
                                                   hlo_attribute_id id) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, id);
  return attribute ? module->computations[attribute->computation] : NULL;
}

int hlo_instruction_async_computation(const hlo_computation *computation, const hlo_instruction *instruction) {
  for (;;) {
    const hlo_attribute *calls = hlo_instruction_attribute(instruction, HLO_ATTR_calls);
    if (calls) return calls->computation;
    bool follows = instruction->opcode == HLO_OP_ASYNC_UPDATE || instruction->opcode == HLO_OP_ASYNC_DONE;
    if (!follows || instruction->operand_count == 0) return -1;
    instruction = hlo_operand(computation, instruction, 0);
  }
}

/* All operations that have attributes for computations; others, which are nearly all, need not be searched. */
#define MAY_CALL (HLO_FLAG_CALLS | HLO_FLAG_FRAMES | HLO_FLAG_PAIR | HLO_FLAG_SIDE_EFFECT)

bool hlo_instruction_call(const hlo_instruction *instruction, int n, int *computation) {
  if (!hlo_op_has(instruction->opcode, MAY_CALL)) return false;
  for (int i = 0; i < instruction->attribute_count; i++) {
    const hlo_attribute *attribute = &instruction->attributes[i];
    hlo_attribute_kind kind = hlo_attribute_kind_of(attribute->id);
    int calls = kind == HLO_KIND_COMPUTATION ? 1 : kind == HLO_KIND_COMPUTATIONS ? attribute->ints.count : 0;
    if (n < calls) {
      *computation = kind == HLO_KIND_COMPUTATION ? attribute->computation : (int)attribute->ints.data[n];
      return true;
    }
    n -= calls;
  }
  return false;
}

int hlo_instruction_called(const hlo_instruction *instruction, int *computations, int capacity) {
  int count = 0, computation;
  for (; hlo_instruction_call(instruction, count, &computation); count++)
    if (count < capacity) computations[count] = computation;
  return count;
}

/* ---- Equality ---- */

/* Returns whether an attribute affects the result. The target of a custom call may read any of its attributes. */
static bool has_effect(const hlo_instruction *instruction, hlo_attribute_id id) {
  switch (id) {
  case HLO_ATTR_frontend_attributes: case HLO_ATTR_backend_config: return instruction->opcode == HLO_OP_CUSTOM_CALL;
  case HLO_ATTR_operand_precision: case HLO_ATTR_dot_algorithm: case HLO_ATTR_result_accuracy:
  case HLO_ATTR_convolution_kind: case HLO_ATTR_collective_mode: return false;
  default: return !hlo_attribute_is_common(id);
  }
}

/* Returns the next attribute with an effect at or after *at, or NULL, and moves *at past it. */
static const hlo_attribute *next_effect(const hlo_instruction *instruction, int *at) {
  while (*at < instruction->attribute_count) {
    const hlo_attribute *attribute = &instruction->attributes[(*at)++];
    if (has_effect(instruction, attribute->id)) return attribute;
  }
  return NULL;
}

bool hlo_instruction_equal(const hlo_instruction *a, const hlo_instruction *b) {
  if (a->opcode != b->opcode || a->operand_count != b->operand_count || !hlo_shape_equal(a->shape, b->shape)) return false;
  for (int i = 0; i < a->operand_count; i++)
    if (a->operands[i] != b->operands[i]) return false;
  for (int at_a = 0, at_b = 0;;) {
    const hlo_attribute *x = next_effect(a, &at_a), *y = next_effect(b, &at_b);
    if (!x || !y) return !x && !y;
    if (!hlo_attribute_equal(x, y)) return false;
  }
}

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

uint64_t hlo_instruction_hash(const hlo_instruction *instruction) {
  const hlo_shape *shape = instruction->shape;
  uint64_t hash = mix((uint64_t)instruction->opcode, (uint64_t)shape->type);
  for (int i = 0; i < shape->rank; i++) hash = mix(hash, (uint64_t)shape->dims[i]);
  for (int i = 0; i < instruction->operand_count; i++) hash = mix(hash, (uint64_t)instruction->operands[i]);
  int at = 0;
  for (const hlo_attribute *a; (a = next_effect(instruction, &at));) hash = mix(hash, hlo_attribute_hash(a));
  return hash;
}
