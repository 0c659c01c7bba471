/* Evaluates instructions of known operands while a module is specialised: they become constants. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/lower/stablehlo.h"

enum { MAX_FOLDED_ELEMENTS = 1024 };

const hlo_literal *hlo_lower_constant_of(const hlo_computation *computation, int instruction) {
  const hlo_instruction *i = computation->instructions[instruction];
  return i->opcode == HLO_OP_CONSTANT ? hlo_instruction_attribute(i, HLO_ATTR_literal)->literal : NULL;
}

/* Returns whether the instruction may be evaluated. A reduce must have a well-known reducer: any other might contain a loop. */
static bool is_pure(const hlo_lower_call *c, const hlo_instruction *candidate) {
  hlo_opcode opcode = candidate->opcode, applied;
  const hlo_computation *reducer;
  switch (opcode) {
  case HLO_OP_REDUCE:
    reducer = hlo_instruction_computation(c->l->module, candidate, HLO_ATTR_to_apply);
    return reducer && hlo_computation_is_binary_op(reducer, &applied);
  case HLO_OP_IOTA: case HLO_OP_DOT: return true;
  default: return hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE | HLO_FLAG_MOVES) && !hlo_op_has(opcode, HLO_FLAG_RANDOM) && !hlo_op_has(opcode, HLO_FLAG_SIDE_EFFECT);
  }
}

static bool is_small(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_shape_is_static(shape) && hlo_shape_element_count(shape) <= MAX_FOLDED_ELEMENTS;
}

/* ---- Equal constants ---- */

static hlo_lowered_constant *slot_of(const hlo_lower_call *c, const hlo_literal *literal) {
  return &c->l->constants[hlo_literal_hash(literal) % (sizeof c->l->constants / sizeof *c->l->constants)];
}

void hlo_lower_note_constant(const hlo_lower_call *c, const hlo_instruction *constant) {
  const hlo_literal *literal = hlo_lower_constant_of(c->computation, constant->index);
  if (literal && c->l->refines && is_small(constant->shape)) *slot_of(c, literal) = (hlo_lowered_constant){c->computation, constant->index};
}

int hlo_lower_equal_constant(const hlo_lower_call *c, const hlo_shape *shape, const hlo_literal *literal) {
  if (!c->l->refines || !is_small(shape)) return -1;
  const hlo_lowered_constant *slot = slot_of(c, literal);
  if (slot->computation != c->computation || !hlo_shape_equal(c->computation->instructions[slot->instruction]->shape, shape)) return -1;
  return hlo_literal_equal_bits(hlo_lower_constant_of(c->computation, slot->instruction), literal) ? slot->instruction : -1;
}

/* ---- Folding ---- */

bool hlo_lower_fold(const hlo_lower_call *c, const hlo_instruction *candidate, int *index) {
  hlo_lowering *l = c->l;
  const hlo_specialisation *given = l->given;
  if (!l->refines || !given || !given->fold || !is_pure(c, candidate) || !is_small(candidate->shape)) return false;
  for (int i = 0; i < candidate->operand_count; i++) {
    const hlo_literal *literal = hlo_lower_constant_of(c->computation, candidate->operands[i]);
    if (!literal || !is_small(literal->shape)) return false;
  }
  *index = -1;
  const hlo_literal **operands = hlo_arena_many(&l->scratch, const hlo_literal *, candidate->operand_count, l->status);
  hlo_literal *result = hlo_literal_make(&l->scratch, candidate->shape, l->status);
  if (!operands || !result) return true;
  for (int i = 0; i < candidate->operand_count; i++) operands[i] = hlo_lower_constant_of(c->computation, candidate->operands[i]);
  hlo_status inner = {0};
  if (!given->fold(given->context, l->module, c->computation, candidate, operands, result, &inner)) return hlo_status_out_of_memory(l->status, &inner);
  *index = hlo_lower_equal_constant(c, candidate->shape, result);
  if (*index >= 0) return true;
  hlo_attribute attribute = {.id = HLO_ATTR_literal, .literal = hlo_literal_copy(l->arena, result, l->status)};
  if (attribute.literal) *index = hlo_lower_emit(c, HLO_OP_CONSTANT, candidate->shape, NULL, 0, &attribute, 1);
  return true;
}

/* ---- Operands that give sizes ---- */

/* Follows operands that are not constants to one that has no such operand: a parameter, a get-dimension-size, ... */
static const hlo_instruction *unknown_part(const hlo_computation *computation, int instruction) {
  for (;;) {
    const hlo_instruction *i = computation->instructions[instruction];
    int next = -1;
    for (int k = 0; k < i->operand_count && next < 0; k++)
      if (!hlo_lower_constant_of(computation, i->operands[k])) next = i->operands[k];
    if (next < 0) return i;
    instruction = next;
  }
}

/* Returns whether the caller may give the value of a parameter: one size, or a list of sizes. */
static bool can_be_given(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_type_is_integral(shape->type) && hlo_shape_is_static(shape) &&
         hlo_shape_element_count(shape) <= HLO_MAX_RANK;
}

/* A parameter of another computation is not traced back to its caller: it may be any scalar parameter of the entry. */
bool hlo_lower_want_arguments(const hlo_lower_call *c, int instruction) {
  hlo_lowering *l = c->l;
  const hlo_instruction *part = unknown_part(c->computation, instruction);
  if (!l->refines || !l->given || !l->given->wanted || part->opcode != HLO_OP_PARAMETER) return false;
  const hlo_computation *entry = l->module->computations[l->computation_of[l->entry]];
  bool any = false;
  for (int i = 0; i < entry->parameter_count; i++) {
    const hlo_instruction *parameter = hlo_instruction_at(entry, entry->parameters[i]);
    if (!can_be_given(parameter->shape) || (c->computation == entry ? parameter != part : parameter->shape->rank != 0)) continue;
    l->given->wanted[i] = any = true;
  }
  return any;
}

bool hlo_lower_known_ints(const hlo_lower_call *c, int i, const char *what, hlo_ints *values) {
  int operand = hlo_lower_operand(c, i);
  if (operand < 0) return false;
  const hlo_literal *literal = hlo_lower_constant_of(c->computation, operand);
  if (!literal) {
    hlo_lower_want_arguments(c, operand);
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "operand %d, %s, is not known: it depends on the value of %s", i, what,
                          hlo_op_name(unknown_part(c->computation, operand)->opcode));
  }
  if (!hlo_type_is_integral(literal->shape->type))
    return hlo_lower_fail(c, HLO_SHAPE, "operand %d, %s, must be integers, got %pS", i, what, literal->shape);
  return hlo_lower_literal_ints(c, literal, what, values);
}

bool hlo_lower_sized_result(const hlo_lower_call *c, int i, int operand, const hlo_shape **settled) {
  const hlo_shape *declared = hlo_lower_result_shape(c, i);
  if (!declared) return false;
  int instruction = hlo_lower_operand(c, operand);
  if (instruction < 0) return false;
  if (hlo_shape_is_static(declared) && !(c->l->refines && hlo_lower_constant_of(c->computation, instruction))) {
    *settled = declared;
    return true;
  }
  if (!c->l->refines)
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "its result %pS has no known shape; specialise the module to real shapes", declared);
  hlo_ints sizes;
  if (!hlo_lower_known_ints(c, operand, "the shape of the result", &sizes)) return false;
  for (int k = 0; k < sizes.count; k++)
    if (sizes.data[k] < 0)
      return hlo_lower_fail(c, HLO_SHAPE, "operand %d gives dimension %d of the result the size %lld", operand, k,
                            (long long)sizes.data[k]);
  if (sizes.count > HLO_MAX_RANK)
    return hlo_lower_fail(c, HLO_SHAPE, "operand %d gives the result %d dimensions", operand, sizes.count);
  return hlo_lower_settle_result(c, i, hlo_shape_make(c->l->arena, declared->type, sizes.data, sizes.count, c->l->status), settled);
}
