/* Regions: what they take, what they return, and the reduction functions that many operations share. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

const hlo_mlir_block *hlo_check_block(const hlo_check *c, int region) { return &c->op->regions[region].block; }

const hlo_mlir_type *hlo_check_argument(const hlo_check *c, const hlo_mlir_block *block, int i) {
  return c->tree->values[block->first_argument + i].type;
}

const hlo_mlir_op *hlo_check_terminator(const hlo_mlir_block *block) {
  const hlo_mlir_op *last = block->op_count ? block->ops[block->op_count - 1] : NULL;
  return last && (hlo_span_is(last->name, "stablehlo.return") || hlo_span_is(last->name, "func.return") || hlo_span_is(last->name, "sdy.return")) ? last : NULL;
}

/* Each argument is the accumulator's type, whichever side of the function it is on. */
static bool check_arguments(const hlo_check *c, const char *label, const hlo_mlir_block *block, const hlo_mlir_op *end, int count) {
  for (int i = 0; i < 2 * count; i++) {
    const hlo_mlir_type *argument = hlo_check_argument(c, block, i), *result = hlo_mlir_operand_type(c->tree, end, i % count);
    if (!hlo_check_types_agree(argument, result))
      return hlo_check_fail(c,
          "%s: the reduction function must take what it returns: parameter %d has type %pT, result %d has type %pT", label, i,
          argument, i % count, result);
  }
  return true;
}

/* Whether the argument's dimensions are some of the input's, in order. */
static bool keeps_dims(const hlo_shape *argument, const hlo_shape *input) {
  for (int i = 0, from = 0; i < argument->rank; i++, from++) {
    while (from < input->rank && !hlo_check_dims_agree(argument, i, input, from)) from++;
    if (from >= input->rank) return false;
  }
  return true;
}

static bool check_accumulator(const hlo_check *c, const char *label, int i, int count, const hlo_shape *accumulator, const hlo_shape *input,
                              const hlo_shape *init, int kept) {
  if (init && (!hlo_check_promotable(init, accumulator) || !hlo_check_shapes_agree(init, accumulator)))
    return hlo_check_fail(c, "%s: result %d of the reduction function must be promotable from the initial value's %pS, got %pS",
                          label, i, init, accumulator);
  if (!hlo_check_promotable(input, accumulator))
    return hlo_check_fail(c, "%s: parameter %d of the reduction function must be promotable from the elements of %pS, got %pS",
                          label, count + i, input, accumulator);
  if (accumulator->rank > kept)
    return hlo_check_fail(c, "%s: parameter %d of the reduction function must have at most rank %d, got %d", label, count + i,
                          kept, accumulator->rank);
  return keeps_dims(accumulator, input) ||
      hlo_check_fail(c, "%s: parameter %d of the reduction function must have dimensions of the input, %pD, got %pD", label,
                     count + i, input, accumulator);
}

bool hlo_constraint_reducer(const hlo_check *c, const char *label, int region, int count, const hlo_shape *const *inputs,
                       const hlo_shape *const *inits, int kept) {
  const hlo_mlir_block *block = hlo_check_block(c, region);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  if (block->argument_count != 2 * count)
    return hlo_check_fail(c, "%s: the reduction function must take %d parameters, got %d", label, 2 * count, block->argument_count);
  if (!end || !end->operand_count) return hlo_check_fail(c, "%s: the reduction function must return a value", label);
  if (end->operand_count != count)
    return hlo_check_fail(c, "%s: the reduction function must return %d values, got %d", label, count, end->operand_count);
  for (int i = 0; i < count; i++)
    if (!hlo_check_tensor(hlo_mlir_operand_type(c->tree, end, i)))
      return hlo_check_fail(c, "%s: the reduction function must return tensors, got %pT", label,
                            hlo_mlir_operand_type(c->tree, end, i));
  if (!check_arguments(c, label, block, end, count)) return false;
  for (int i = 0; i < count; i++) {
    const hlo_shape *accumulator = hlo_check_tensor(hlo_mlir_operand_type(c->tree, end, i));
    if (!check_accumulator(c, label, i, count, accumulator, inputs[i], inits ? inits[i] : NULL, kept)) return false;
  }
  return true;
}

bool hlo_check_reduced_element(const hlo_check *c, const char *label, int region, int i) {
  const hlo_mlir_op *end = hlo_check_terminator(hlo_check_block(c, region));
  const hlo_shape *accumulator = hlo_check_tensor(hlo_mlir_operand_type(c->tree, end, i));
  return hlo_check_result_element(c, label, i, accumulator);
}
