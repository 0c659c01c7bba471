/* Appends instructions, and ties an operation's results to them. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "graph/parameter_path.h"
#include "infer/infer.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shape_cache.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static const char *stem_of(const hlo_lower_call *c, hlo_opcode opcode) {
  if (c->op->result_count && opcode == c->opcode) {
    hlo_span name = c->l->tree->values[c->op->first_result].name;
    if (name.length && (name.text[0] < '0' || name.text[0] > '9')) return name.text;
  }
  return hlo_op_name(opcode);
}

static const hlo_shape *ask(const hlo_lower_call *c, hlo_instruction *candidate) {
  hlo_lowering *l = c->l;
  hlo_arena_reset(&l->scratch);
  const hlo_shape **shapes = hlo_arena_many(&l->scratch, const hlo_shape *, candidate->operand_count, l->status);
  if (!shapes) return NULL;
  for (int i = 0; i < candidate->operand_count; i++) shapes[i] = c->computation->instructions[candidate->operands[i]]->shape;
  hlo_infer question = {l->module, c->computation, candidate, candidate->operand_count, shapes, &l->scratch, l->status};
  const hlo_shape *shape = hlo_infer_shape(&question);
  return shape ? hlo_shape_cache_copy(&l->shapes, l->arena, shape, l->status) : NULL;
}

int hlo_lower_emit(const hlo_lower_call *c, hlo_opcode opcode, const hlo_shape *declared, const int *operands, int operand_count,
                   const hlo_attribute *attributes, int attribute_count) {
  hlo_lowering *l = c->l;
  if (!hlo_ok(l->status)) return -1;
  hlo_instruction candidate = {.opcode = opcode, .index = c->computation->instruction_count, .name = "", .shape = declared,
                               .operand_count = operand_count, .operands = operands, .attribute_count = attribute_count,
                               .attributes = attributes};
  if (declared && l->refines && !(candidate.shape = declared = hlo_lower_expected(c, opcode, declared, operands, operand_count))) return -1;
  const hlo_shape *shape = ask(c, &candidate);
  if (!shape) {
    hlo_status inner = *l->status;
    const char *name = hlo_op_name(opcode), *rule = inner.message;
    size_t length = strlen(name);
    *l->status = (hlo_status){0};
    if (opcode == c->opcode && strncmp(rule, name, length) == 0 && rule[length] == ':') rule += length + 2; /* already named */
    hlo_lower_fail(c, inner.code == HLO_OK ? HLO_SHAPE : inner.code, "%s", rule);
    return -1;
  }
  candidate.shape = !declared ? shape : l->refines ? hlo_lower_settle(l, declared, shape) : declared;
  int folded;
  if (!candidate.shape) return -1;
  if (opcode == HLO_OP_CONSTANT && (folded = hlo_lower_equal_constant(c, candidate.shape, attributes->literal)) >= 0) return folded;
  if (hlo_lower_fold(c, &candidate, &folded)) return folded;
  const char *name = hlo_computation_unique_name(l->module, c->computation, stem_of(c, opcode), l->status);
  hlo_instruction *made = name ? hlo_computation_add(l->module, c->computation, opcode, name, candidate.shape, operands,
                                                     operand_count, attributes, attribute_count, l->status)
                               : NULL;
  if (!made) return -1;
  made->line = c->op->place.line;
  hlo_lower_note_constant(c, made);
  return made->index;
}

static int add_parameter(const hlo_lower_call *c, const char *name, const hlo_shape *shape, const hlo_attribute *attributes, int count) {
  hlo_lowering *l = c->l;
  const hlo_shape *own = hlo_lower_shape(l, shape);
  const char *unique = own ? hlo_computation_unique_name(l->module, c->computation, name && *name && (*name < '0' || *name > '9') ? name : "parameter", l->status) : NULL;
  hlo_instruction *made = unique ? hlo_computation_add(l->module, c->computation, HLO_OP_PARAMETER, unique, own, NULL, 0, attributes, count, l->status) : NULL;
  return made ? made->index : -1;
}

int hlo_lower_parameter(const hlo_lower_call *c, int number, const char *name, const hlo_shape *shape) {
  hlo_attribute attribute = hlo_lower_int(HLO_ATTR_parameter_number, number);
  return add_parameter(c, name, shape, &attribute, 1);
}

int hlo_lower_argument(const hlo_lower_call *c, const hlo_mlir_block *block, int i, const hlo_shape *shape) {
  hlo_attribute attributes[2] = {hlo_lower_int(HLO_ATTR_parameter_number, i)};
  bool of_entry = !c->l->functions || c->op == c->l->functions[c->l->entry];
  hlo_span told = of_entry && block->argument_names ? block->argument_names[i] : (hlo_span){"", 0};
  if (told.length && !hlo_make_op_name(told, c->l->arena, &attributes[1], c->l->status)) return -1;
  return add_parameter(c, c->l->tree->values[block->first_argument + i].name.text, shape, attributes, told.length ? 2 : 1);
}

int hlo_lower_tuple(const hlo_lower_call *c, const int *operands, int count) {
  return hlo_lower_emit(c, HLO_OP_TUPLE, NULL, operands, count, NULL, 0);
}

int hlo_lower_element(const hlo_lower_call *c, int tuple, int index) {
  hlo_attribute attribute = hlo_lower_int(HLO_ATTR_index, index);
  return hlo_lower_emit(c, HLO_OP_GET_TUPLE_ELEMENT, NULL, &tuple, 1, &attribute, 1);
}

int hlo_lower_operand(const hlo_lower_call *c, int i) {
  if (i >= c->op->operand_count) {
    hlo_lower_fail(c, HLO_SHAPE, "expected more than %d operands", c->op->operand_count);
    return -1;
  }
  if (c->given) return c->given[i];
  int instruction = c->l->instruction_of[c->op->operands[i]];
  if (instruction < 0) hlo_lower_fail(c, HLO_UNSUPPORTED, "operand %d is a value that has no place in HLO", i);
  const hlo_quantization *quantization = c->expressed ? hlo_lower_quantization(hlo_mlir_operand_type(c->l->tree, c->op, i)) : NULL;
  return quantization && instruction >= 0 ? hlo_lower_dequantized(c, instruction, quantization) : instruction;
}

const int *hlo_lower_operands(const hlo_lower_call *c, int first, int count) {
  int *operands = hlo_arena_many(c->l->arena, int, count, c->l->status);
  for (int i = 0; operands && i < count; i++)
    if ((operands[i] = hlo_lower_operand(c, first + i)) < 0) return NULL;
  return operands;
}

const hlo_shape *hlo_lower_shape(hlo_lowering *l, const hlo_shape *shape) {
  if (!shape->quantization && !hlo_shape_is_tuple(shape)) return hlo_shape_cache_copy(&l->shapes, l->arena, shape, l->status);
  hlo_shape *own = (hlo_shape *)hlo_shape_copy(l->arena, shape, l->status);
  if (!own) return NULL;
  own->quantization = NULL;
  for (int i = 0; i < own->element_count; i++)
    if (!(((const hlo_shape **)own->elements)[i] = hlo_lower_shape(l, own->elements[i]))) return NULL;
  return own;
}

const hlo_shape *hlo_lower_result_shape(const hlo_lower_call *c, int i) {
  if (c->settled) return c->settled[i];
  const hlo_mlir_type *type = hlo_mlir_result_type(c->l->tree, c->op, i);
  if (type->kind != HLO_MLIR_SHAPED) {
    hlo_lower_fail(c, HLO_UNSUPPORTED, "result %d has type %pT, which HLO has no shape for", i, type);
    return NULL;
  }
  const hlo_quantization *quantization = c->expressed ? type->shape->quantization : NULL;
  const hlo_shape *shape = hlo_lower_shape(c->l, type->shape);
  return shape && quantization ? hlo_shape_with_type(c->l->arena, shape, quantization->expressed_type, c->l->status) : shape;
}

const hlo_shape *hlo_lower_results_shape(const hlo_lower_call *c) {
  return c->op->result_count == 1 ? hlo_lower_result_shape(c, 0) : hlo_lower_tuple_shape(c, c->op->result_count);
}

const hlo_shape *hlo_lower_tuple_shape(const hlo_lower_call *c, int count) {
  const hlo_shape **shapes = hlo_arena_many(c->l->arena, const hlo_shape *, count, c->l->status);
  for (int i = 0; shapes && i < count; i++)
    if (!(shapes[i] = hlo_lower_result_shape(c, i))) return NULL;
  return shapes ? hlo_shape_make_tuple(c->l->arena, shapes, count, c->l->status) : NULL;
}

bool hlo_lower_is_known(const hlo_lower_call *c, const hlo_shape *shape) {
  return !hlo_shape_has_unbounded(shape) || hlo_lower_fail(c, HLO_UNSUPPORTED, "the sizes of %pS are not known", shape);
}

static bool bind(const hlo_lower_call *c, int result, int instruction) {
  const hlo_shape *declared = instruction < 0 ? NULL : hlo_lower_result_shape(c, result);
  if (!declared) return false;
  const hlo_shape *given = hlo_lower_shape_of(c, instruction);
  bool fits = hlo_lower_fits(declared, given) || (!c->l->refines && hlo_lower_fits(given, declared));
  if (!hlo_shape_compatible(declared, given) && !fits)
    return hlo_lower_fail(c, HLO_SHAPE, "result %d is declared as %pS, but is %pS", result, declared, given);
  if (c->l->refines && hlo_shape_has_unbounded(given))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "the shape of result %d is not known, only that it is %pS", result, given);
  const hlo_quantization *quantization = c->expressed ? hlo_lower_quantization(hlo_mlir_result_type(c->l->tree, c->op, result)) : NULL;
  if (quantization) instruction = hlo_lower_quantized(c, instruction, quantization);
  c->l->instruction_of[c->op->first_result + result] = instruction;
  return instruction >= 0;
}

bool hlo_lower_bind(const hlo_lower_call *c, const int *instructions) {
  for (int i = 0; i < c->op->result_count; i++)
    if (!bind(c, i, instructions[i])) return false;
  return true;
}

bool hlo_lower_result_elements(const hlo_lower_call *c, int tuple, int first) {
  if (tuple < 0) return false;
  int given = c->computation->instructions[tuple]->shape->element_count;
  bool more = c->opcode == HLO_OP_WHILE; /* the captures of its regions come after the results */
  if (more ? given < first + c->op->result_count : given != first + c->op->result_count)
    return hlo_lower_fail(c, HLO_SHAPE, "%d results are declared, but there are %d", c->op->result_count, given - first);
  for (int i = 0; i < c->op->result_count; i++)
    if (!bind(c, i, hlo_lower_element(c, tuple, first + i))) return false;
  return true;
}

bool hlo_lower_results(const hlo_lower_call *c, int instruction) {
  if (instruction < 0) return false;
  if (c->op->result_count == 1 && !hlo_shape_is_tuple(c->computation->instructions[instruction]->shape)) return bind(c, 0, instruction);
  if (c->op->result_count == 1 && hlo_shape_is_tuple(hlo_mlir_result_type(c->l->tree, c->op, 0)->shape)) return bind(c, 0, instruction);
  if (!hlo_shape_is_tuple(c->computation->instructions[instruction]->shape))
    return hlo_lower_fail(c, HLO_SHAPE, "%d results are declared, but there is one", c->op->result_count);
  return hlo_lower_result_elements(c, instruction, 0);
}

int hlo_lower_scalar(const hlo_lower_call *c, hlo_type type, hlo_scalar value) {
  const hlo_shape *shape = hlo_shape_make_scalar(c->l->arena, type, c->l->status);
  hlo_literal *literal = shape ? hlo_literal_make(c->l->arena, shape, c->l->status) : NULL;
  if (!literal) return -1;
  hlo_literal_set(literal, 0, value);
  hlo_attribute attribute = {.id = HLO_ATTR_literal, .literal = literal};
  return hlo_lower_emit(c, HLO_OP_CONSTANT, shape, NULL, 0, &attribute, 1);
}

/* The operand is the result: for annotations, and for conversions that only the types need. */
bool hlo_lower_identity(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0);
  return operand >= 0 && (c->op->result_count == 1 ||
      hlo_lower_fail(c, HLO_SHAPE, "expected one result, got %d", c->op->result_count)) &&
         bind(c, 0, operand);
}

int hlo_lower_slice(const hlo_lower_call *c, int operand, int rank, const int64_t *starts, const int64_t *sizes) {
  int64_t rows[HLO_MAX_RANK][3];
  for (int i = 0; i < rank; i++) rows[i][0] = starts[i], rows[i][1] = starts[i] + sizes[i], rows[i][2] = 1;
  hlo_attribute attribute = {.id = HLO_ATTR_slice};
  return hlo_attribute_set_rows(&attribute, rank, rows[0], c->l->arena, c->l->status)
             ? hlo_lower_emit(c, HLO_OP_SLICE, NULL, &operand, 1, &attribute, 1) : -1;
}

bool hlo_lower_with_known_operands(const hlo_lower_call *c, hlo_opcode opcode, int first, const char *const *names) {
  hlo_lower_call inner = *c;
  inner.opcode = opcode;
  inner.known = names;
  inner.first_known = first;
  return hlo_lower_formed(&inner);
}

int hlo_lower_function_of_two(const hlo_lower_call *c, const char *begin, hlo_opcode opcode, hlo_type type) {
  const char *name = hlo_module_unique_name(c->l->module, begin, c->l->status);
  hlo_computation *computation = name ? hlo_module_add_computation(c->l->module, name, strlen(name), c->l->status) : NULL;
  const hlo_shape *scalar = computation ? hlo_shape_make_scalar(c->l->arena, type, c->l->status) : NULL;
  if (!scalar) return -1;
  hlo_lower_call inner = {.l = c->l, .computation = computation, .op = c->op, .opcode = opcode};
  int operands[2] = {hlo_lower_parameter(&inner, 0, "lhs", scalar), hlo_lower_parameter(&inner, 1, "rhs", scalar)};
  if (operands[0] < 0 || operands[1] < 0) return -1;
  computation->root = opcode == HLO_OP_PARAMETER ? operands[0] : hlo_lower_emit(&inner, opcode, NULL, operands, 2, NULL, 0);
  return computation->root < 0 ? -1 : computation->index;
}
