/* Lowers regions to computations. A capture (a value that a region uses from outside) becomes a parameter, or is copied if constant. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MAX_REGION_DEPTH = 200 };

/* Values are numbered in the order of their definition, so a region's own values have numbers from its first argument's on. */
static bool collect(const hlo_mlir_region *region, int limit, hlo_lowering *l, int *found, int *count) {
  for (int i = 0; i < region->block.op_count; i++) {
    const hlo_mlir_op *op = region->block.ops[i];
    for (int k = 0; k < op->operand_count; k++) {
      int value = op->operands[k], j = 0;
      if (value >= limit) continue;
      while (j < *count && found[j] != value) j++;
      if (j == *count) found[(*count)++] = value;
    }
    for (int k = 0; k < op->region_count; k++)
      if (!collect(&op->regions[k], limit, l, found, count)) return false;
  }
  return true;
}

static int64_t operand_uses(const hlo_mlir_region *region) {
  int64_t uses = 0;
  for (int i = 0; i < region->block.op_count; i++) {
    uses += region->block.ops[i]->operand_count;
    for (int k = 0; k < region->block.ops[i]->region_count; k++) uses += operand_uses(&region->block.ops[i]->regions[k]);
  }
  return uses;
}

bool hlo_lower_captures(const hlo_lower_call *c, const hlo_mlir_region *const *regions, int count, const int **values, int *value_count) {
  int64_t uses = 0;
  int limit = regions[0]->block.first_argument;
  for (int i = 0; i < count; i++) uses += operand_uses(regions[i]);
  int *found = hlo_arena_many(c->l->arena, int, uses, c->l->status);
  *value_count = 0;
  for (int i = 0; found && i < count; i++)
    if (!collect(regions[i], limit, c->l, found, value_count)) return false;
  *values = found;
  return found != NULL;
}

static hlo_computation *new_computation(const hlo_lower_call *c) {
  char stem[80];
  size_t length = c->op->name.length < 40 ? c->op->name.length : 40, start = 0;
  for (size_t i = 0; i < length; i++)
    if (c->op->name.text[i] == '.') start = i + 1;
  memcpy(stem, c->op->name.text + start, length - start);
  strcpy(stem + length - start, "_region");
  const char *name = hlo_module_unique_name(c->l->module, stem, c->l->status);
  return name ? hlo_module_add_computation(c->l->module, name, strlen(name), c->l->status) : NULL;
}

static bool enter(const hlo_lower_call *c) {
  return ++c->l->depth <= MAX_REGION_DEPTH || hlo_lower_fail(c, HLO_LIMIT, "regions are nested deeper than %d", MAX_REGION_DEPTH);
}

const int *hlo_lower_inline_region(const hlo_lower_call *c, const hlo_mlir_region *region, int *count) {
  const int *results = enter(c) ? hlo_lower_block(c, c->computation, &region->block, count) : NULL;
  c->l->depth--;
  return results;
}

/* Copies a constant from outside into the computation, as the instruction of `value`. */
static bool copy_constant(const hlo_lower_call *c, hlo_computation *computation, int value, int instruction) {
  hlo_lowering *l = c->l;
  const hlo_instruction *constant = c->computation->instructions[instruction];
  if (constant->opcode != HLO_OP_CONSTANT)
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "its region uses '%%%pN' from outside; only constants may be used so here",
                          &l->tree->values[value].name);
  const char *name = hlo_computation_unique_name(l->module, computation, "constant", l->status);
  hlo_instruction *copy = name ? hlo_computation_add(l->module, computation, HLO_OP_CONSTANT, name, constant->shape, NULL, 0, constant->attributes,
                                                     constant->attribute_count, l->status)
                               : NULL;
  if (copy) l->instruction_of[value] = copy->index;
  return copy != NULL;
}

static const int *outside_instructions(const hlo_lower_call *c, const int *captures, int count) {
  int *saved = hlo_arena_many(c->l->arena, int, count, c->l->status);
  for (int i = 0; saved && i < count; i++) saved[i] = c->l->instruction_of[captures[i]];
  return saved;
}

static void restore(const hlo_lower_call *c, const int *captures, const int *saved, int count) {
  for (int i = 0; i < count; i++) c->l->instruction_of[captures[i]] = saved[i];
  c->l->depth--;
}

/* Makes a capture available: copies a constant; adds a parameter for anything else, if `taken` allows it. */
static bool bring_in(const hlo_lower_call *c, const hlo_lower_call *inner, int value, hlo_lower_captured *taken) {
  hlo_lowering *l = c->l;
  int instruction = l->instruction_of[value];
  if (!taken || hlo_lower_constant_of(c->computation, instruction)) return copy_constant(c, inner->computation, value, instruction);
  int number = inner->computation->parameter_count;
  taken->instructions[taken->count++] = instruction;
  return (l->instruction_of[value] = hlo_lower_parameter(inner, number, l->tree->values[value].name.text, hlo_lower_shape_of(c, instruction))) >= 0;
}

int hlo_lower_applied_region(const hlo_lower_call *c, const hlo_mlir_region *region) {
  return hlo_lower_applied_region_with_captures(c, region, NULL);
}

int hlo_lower_applied_region_with_captures(const hlo_lower_call *c, const hlo_mlir_region *region, hlo_lower_captured *taken) {
  hlo_lowering *l = c->l;
  const int *captures, *saved, *results = NULL;
  int capture_count, result_count;
  if (!enter(c) || !hlo_lower_captures(c, &region, 1, &captures, &capture_count) || !(saved = outside_instructions(c, captures, capture_count))) return -1;
  if (taken && !(taken->instructions = hlo_arena_many(l->arena, int, capture_count, l->status))) return -1;
  hlo_computation *computation = new_computation(c);
  hlo_lower_call inner = {.l = l, .computation = computation, .op = c->op, .opcode = HLO_OP_TUPLE};
  bool ok = computation != NULL;
  for (int i = 0; ok && i < region->block.argument_count; i++) {
    int value = region->block.first_argument + i;
    const hlo_mlir_value *argument = &l->tree->values[value];
    ok = argument->type->kind == HLO_MLIR_SHAPED || hlo_lower_fail(c, HLO_SHAPE, "a region's arguments must be tensors");
    const hlo_shape *shape = ok ? argument->type->shape : NULL;
    /* A region's arguments have the shapes of the operands. */
    if (ok && l->refines && !hlo_shape_is_static(shape) && i < c->op->operand_count)
      shape = hlo_lower_shape_of(c, l->instruction_of[c->op->operands[i]]);
    ok = ok && (l->instruction_of[value] = hlo_lower_parameter(&inner, i, argument->name.text, shape)) >= 0;
  }
  for (int i = 0; ok && i < capture_count; i++) ok = bring_in(c, &inner, captures[i], taken);
  if (ok) results = hlo_lower_block(c, computation, &region->block, &result_count);
  if (results) computation->root = result_count == 1 ? results[0] : hlo_lower_tuple(&inner, results, result_count);
  restore(c, captures, saved, capture_count);
  return results && computation->root >= 0 ? computation->index : -1;
}

static const hlo_shape *inputs_shape(const hlo_lower_call *c, const hlo_mlir_region *region, const hlo_lower_region_inputs *inputs) {
  hlo_lowering *l = c->l;
  int count = region->block.argument_count, capture_count = inputs->capture_count;
  const hlo_shape **elements = hlo_arena_many(l->arena, const hlo_shape *, count + capture_count, l->status);
  for (int i = 0; elements && i < count + capture_count; i++) {
    const hlo_mlir_type *type = l->tree->values[i < count ? region->block.first_argument + i : inputs->captures[i - count]].type;
    if (type->kind != HLO_MLIR_SHAPED) return hlo_lower_fail(c, HLO_SHAPE, "a region's arguments must be tensors"), NULL;
    elements[i] = hlo_lower_shape(l, type->shape);
    if (elements[i] && l->refines) {
      const hlo_shape *given = hlo_lower_shape_of(c, i < count ? inputs->arguments[i] : l->instruction_of[inputs->captures[i - count]]);
      if (!hlo_lower_fits(elements[i], given))
        return hlo_lower_fail(c, HLO_SHAPE, "argument %d of its region is declared as %pS, but is %pS", i, elements[i], given), NULL;
      elements[i] = given;
    }
    if (!elements[i]) return NULL;
  }
  return elements ? hlo_shape_make_tuple(l->arena, elements, count + capture_count, l->status) : NULL;
}

/* Returns whether an argument or capture is a constant to be copied into the computation, where regions inside it can find it, too. */
static bool is_copied(const hlo_lower_call *c, const hlo_lower_region_inputs *inputs, int i, int count) {
  if (i < count) return inputs->fixed && inputs->fixed[i];
  return hlo_lower_constant_of(c->computation, c->l->instruction_of[inputs->captures[i - count]]);
}

int hlo_lower_tuple_region(const hlo_lower_call *c, const hlo_mlir_region *region, const hlo_lower_region_inputs *inputs,
                           bool pass_captures, bool single) {
  hlo_lowering *l = c->l;
  const int *captures = inputs->captures, capture_count = inputs->capture_count;
  const int *saved = enter(c) ? outside_instructions(c, captures, capture_count) : NULL, *results = NULL;
  const hlo_shape *shape = saved ? inputs_shape(c, region, inputs) : NULL;
  hlo_computation *computation = shape ? new_computation(c) : NULL;
  if (!computation) return -1;
  hlo_lower_call inner = {.l = l, .computation = computation, .op = c->op, .opcode = HLO_OP_TUPLE};
  int parameter = hlo_lower_parameter(&inner, 0, "arg_tuple", shape), count = region->block.argument_count, result_count = 0;
  bool ok = parameter >= 0;
  for (int i = 0; ok && i < count + capture_count; i++) {
    int value = i < count ? region->block.first_argument + i : captures[i - count];
    if (is_copied(c, inputs, i, count)) ok = copy_constant(c, computation, value, i < count ? inputs->arguments[i] : l->instruction_of[value]);
    else ok = (l->instruction_of[value] = hlo_lower_element(&inner, parameter, i)) >= 0;
  }
  if (ok) results = hlo_lower_block(c, computation, &region->block, &result_count);
  if (results && single) {
    computation->root = results[0];
    if (result_count != 1) hlo_lower_fail(c, HLO_SHAPE, "its region must return one value, got %d", result_count);
  } else if (results) {
    int extra = pass_captures ? capture_count : 0;
    int *all = hlo_arena_many(l->arena, int, result_count + extra, l->status);
    for (int i = 0; all && i < result_count + extra; i++) all[i] = i < result_count ? results[i] : l->instruction_of[captures[i - result_count]];
    computation->root = all ? hlo_lower_tuple(&inner, all, result_count + extra) : -1;
  }
  restore(c, captures, saved, capture_count);
  return results && computation->root >= 0 && hlo_ok(l->status) ? computation->index : -1;
}
