/* Collectives: ops that combine, gather, scatter and exchange values among replicas. */
#include "base/checked.h"
#include "base/format.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* One operand gives an array, several a tuple. */
static const hlo_shape *as_operands(const hlo_infer *infer) {
  return infer->operand_count == 1 ? hlo_shape_without_layout(infer, infer->operands[0]) : hlo_infer_tuple(infer);
}

static bool check_array_operands(const hlo_infer *infer) {
  return hlo_check_at_least(infer, 1) && hlo_check_arrays(infer, 0, infer->operand_count);
}

/* The computation combines two scalars, and every operand's elements suit it. */
static bool check_combiner(const hlo_infer *infer) {
  hlo_type accumulator;
  for (int i = 0; i < infer->operand_count; i++) {
    if (!hlo_check_same_type(infer, 0, i)) return false;
  }
  return hlo_check_reducer(infer, HLO_ATTR_to_apply, &infer->operands[0]->type, 1, -1, &accumulator);
}

const hlo_shape *hlo_infer_all_reduce(const hlo_infer *infer) {
  int64_t size;
  if (!check_array_operands(infer) || !hlo_check_groups(infer, false, false, &size) || !check_combiner(infer)) return NULL;
  return as_operands(infer);
}

/* ---- Along a dimension ---- */

/* Returns whether `large` is `small` with the size of one dimension multiplied by `size` (by any number if `size` is 0). */
static bool check_multiple(const hlo_infer *infer, const hlo_shape *small, const hlo_shape *large, int dimension,
                           int64_t size) {
  if (!hlo_shape_is_array(large) || !hlo_shape_is_array(small) || small->type != large->type || small->rank != large->rank)
    return false;
  for (int d = 0; d < small->rank; d++)
    if (d != dimension && !hlo_dims_agree(small, d, large, d)) return false;
  if (!hlo_dim_is_known(small, dimension) || !hlo_dim_is_known(large, dimension)) return true;
  int64_t from = small->dims[dimension], to = large->dims[dimension], product;
  if (size > 0) return hlo_checked_mul(from, size, &product) && product == to;
  return from == 0 ? to == 0 : to > 0 && to % from == 0;
}

/* Checks an operand and its result: one of them is as large as the other times the size of a group, in one dimension. */
static bool check_part(const hlo_infer *infer, int operand, const hlo_shape *result, int dimension, int64_t size, bool gathers) {
  const hlo_shape *shape = infer->operands[operand];
  const char *larger = gathers ? "result" : "operand";
  if (check_multiple(infer, gathers ? shape : result, gathers ? result : shape, dimension, size)) return true;
  char times[48] = "a whole number of";
  if (size > 0) hlo_format(times, sizeof times, "%lld (the size of a group)", (long long)size);
  return hlo_refuse(infer, "the %s must be %s times as large in dimension %d and the same in the others, got %pO %pS and %pS",
                    larger, times, dimension, infer->operands + operand, shape, result);
}

/* Checks each operand with its part of the result. */
static bool check_along(const hlo_infer *infer, const hlo_shape *result, bool gathers) {
  int dimension, count = infer->operand_count;
  int64_t size;
  if (!check_array_operands(infer) || !hlo_check_groups(infer, true, false, &size)) return false;
  bool tuple = hlo_shape_is_tuple(result);
  if (tuple ? count == 1 || result->element_count != count : count != 1)
    return hlo_refuse(infer, "%s, but %pS is declared",
                      count == 1 ? "the result of one operand is an array" : "the result has one element for each operand", result);
  for (int i = 0; i < count; i++)
    if (!hlo_check_one_dimension(infer, i, &dimension) ||
        !check_part(infer, i, tuple ? result->elements[i] : result, dimension, size, gathers))
      return false;
  return true;
}

const hlo_shape *hlo_infer_all_gather(const hlo_infer *infer) {
  return check_along(infer, infer->instruction->shape, true) ? infer->instruction->shape : NULL;
}

const hlo_shape *hlo_infer_reduce_scatter(const hlo_infer *infer) {
  if (!check_along(infer, infer->instruction->shape, false) || !check_combiner(infer)) return NULL;
  return infer->instruction->shape;
}

/* ---- Exchange ---- */

static const hlo_shape *exchange_parts(const hlo_infer *infer, int64_t size) {
  int dimension;
  const hlo_shape *operand = infer->operands[0];
  if (infer->operand_count != 1)
    return hlo_refuse(infer, "takes one operand when dimensions are given, got %d", infer->operand_count);
  if (!hlo_check_one_dimension(infer, 0, &dimension)) return NULL;
  if (size > 0 && hlo_dim_is_known(operand, dimension) && operand->dims[dimension] % size)
    return hlo_refuse(infer, "the %lld members of a group must divide dimension %d of operands[0] %pS", (long long)size,
                      dimension, operand);
  return hlo_shape_without_layout(infer, operand);
}

const hlo_shape *hlo_infer_all_to_all(const hlo_infer *infer) {
  int64_t size;
  if (!check_array_operands(infer) || !hlo_check_groups(infer, true, false, &size)) return NULL;
  if (hlo_instruction_attribute(infer->instruction, HLO_ATTR_dimensions)) return exchange_parts(infer, size);
  for (int i = 1; i < infer->operand_count; i++)
    if (!hlo_shapes_agree(infer->operands[0], infer->operands[i]))
      return hlo_refuse(infer, "operands[%d] must be %pS as operands[0] is, got %pS", i, infer->operands[0], infer->operands[i]);
  if (size > 0 && size != infer->operand_count)
    return hlo_refuse(infer, "without dimensions there must be one operand for each of the %lld members of a group, got %d",
                      (long long)size, infer->operand_count);
  return hlo_infer_tuple(infer);
}

/* Operand and output differ in their first dimension only; the four operands of offsets and sizes have one shape. */
const hlo_shape *hlo_infer_ragged_all_to_all(const hlo_infer *infer) {
  int64_t size;
  if (!hlo_check_arrays(infer, 0, 2) || !hlo_check_same_type(infer, 0, 1) ||
      !hlo_check_groups(infer, true, false, &size))
    return NULL;
  const hlo_shape *operand = infer->operands[0], *output = infer->operands[1], *offsets = infer->operands[2];
  bool same = operand->rank == output->rank && operand->rank > 0;
  for (int d = 1; d < operand->rank && same; d++) same = hlo_dims_agree(operand, d, output, d);
  if (!same)
    return hlo_refuse(infer, "operand and output must have at least one dimension and differ in the first only, got %pS and %pS",
                      operand, output);
  for (int i = 2; i < 6; i++) {
    if (!hlo_check_integer(infer, i)) return NULL;
    if (infer->operands[i]->rank != 1 && infer->operands[i]->rank != 2)
      return hlo_refuse(infer, "%pO must have one or two dimensions, got %pS", infer->operands + i, infer->operands[i]);
    if (!hlo_shapes_agree(offsets, infer->operands[i]))
      return hlo_refuse(infer, "%pO must be %pS as input_offsets is, got %pS", infer->operands + i, offsets,
                        infer->operands[i]);
  }
  if (size > 0 && hlo_dim_is_known(offsets, 0) && offsets->dims[0] % size)
    return hlo_refuse(infer, "the %lld members of a group must divide dimension 0 of input_offsets %pS", (long long)size, offsets);
  return hlo_shape_without_layout(infer, output);
}

const hlo_shape *hlo_infer_collective_broadcast(const hlo_infer *infer) {
  int64_t size;
  if (!check_array_operands(infer) || !hlo_check_groups(infer, false, true, &size)) return NULL;
  return as_operands(infer);
}

/* True for a permute within arrays: its operands are the array that is sent from, the array that is written into, and start indices of each. */
static bool permutes_in_place(const hlo_infer *infer) {
  return hlo_instruction_attribute(infer->instruction, HLO_ATTR_collective_slice_sizes) != NULL;
}

static const hlo_shape *permuted(const hlo_infer *infer) {
  if (!permutes_in_place(infer))
    return check_array_operands(infer) && hlo_check_pairs(infer) ? as_operands(infer) : NULL;
  if (infer->operand_count != 4)
    return hlo_refuse(infer, "with slice_sizes there must be 4 operands: input, output and the start indices of each, got %d",
                      infer->operand_count);
  return hlo_check_pairs(infer) ? hlo_shape_without_layout(infer, infer->operands[1]) : NULL;
}

const hlo_shape *hlo_infer_collective_permute(const hlo_infer *infer) { return permuted(infer); }

/* ---- Started and waited for ---- */

/* Checks that the declared shape is (operand or tuple of operands, result, ..), and returns its element 1. */
static const hlo_shape *started(const hlo_infer *infer, int most) {
  const hlo_shape *declared = infer->instruction->shape, *held = NULL;
  int count = infer->operand_count;
  if (hlo_shape_is_tuple(declared) && declared->element_count >= 2 && declared->element_count <= most)
    held = declared->elements[0];
  bool fits = held != NULL;
  if (fits && count == 1) fits = hlo_shapes_agree(held, infer->operands[0]);
  else if (fits) fits = hlo_shape_is_tuple(held) && held->element_count == count;
  for (int i = 0; i < count && fits && count > 1; i++) fits = hlo_shapes_agree(held->elements[i], infer->operands[i]);
  if (fits) return declared->elements[1];
  return hlo_refuse(infer, "the result is a tuple of %s and the result to come, but %pS is declared",
                    count == 1 ? "the operand" : "the tuple of operands", declared);
}

const hlo_shape *hlo_infer_all_gather_start(const hlo_infer *infer) {
  const hlo_shape *result = check_array_operands(infer) ? started(infer, 2) : NULL;
  return result && check_along(infer, result, true) ? infer->instruction->shape : NULL;
}

const hlo_shape *hlo_infer_collective_permute_start(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape, *result = permuted(infer);
  if (!result) return NULL;
  if (permutes_in_place(infer)) return declared;
  const hlo_shape *to_come = started(infer, 4);
  if (!to_come || hlo_shapes_agree(to_come, result)) return to_come ? declared : NULL;
  return hlo_refuse(infer, "element 1 of the result must be %pS as what is sent is, but %pS is declared",
                    result, to_come);
}

static const hlo_shape *second_element(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  if (hlo_shape_is_tuple(operand) && operand->element_count >= 2)
    return hlo_shape_without_layout(infer, operand->elements[1]);
  return hlo_refuse(infer, "operand must be what the start gives, a tuple of at least 2 elements, got %pS", operand);
}

const hlo_shape *hlo_infer_all_gather_done(const hlo_infer *infer) { return second_element(infer); }
const hlo_shape *hlo_infer_collective_permute_done(const hlo_infer *infer) { return second_element(infer); }
