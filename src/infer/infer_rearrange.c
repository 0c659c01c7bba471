/* Ops that rearrange elements: broadcast, reshape, transpose, reverse, bitcast, copy. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

static bool check_declared_array(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape, *operand = infer->operands[0];
  if (hlo_shape_is_array(declared) && declared->type == operand->type) return true;
  return hlo_refuse(infer, "the result must be an array with the element type of operand %pS, but %pS is declared",
                    operand, declared);
}

const hlo_shape *hlo_infer_broadcast(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *declared = infer->instruction->shape;
  hlo_ints dims = *hlo_ints_of(infer, HLO_ATTR_dimensions);
  if (!check_declared_array(infer)) return NULL;
  if (dims.count != operand->rank)
    return hlo_refuse(infer, "dimensions must say where each of the %d dimensions of operand %pS goes, got %d entries",
                      operand->rank, operand, dims.count);
  if (!hlo_check_dimensions(infer, HLO_ATTR_dimensions, HLO_RESULT)) return NULL;
  for (int i = 0; i < dims.count; i++)
    if (!hlo_dims_agree(operand, i, declared, dims.data[i]))
      return hlo_refuse(infer, "dimension %d of operand has size %lld, so dimension %lld of the result must have it too, "
                               "got %pS for operand %pS",
                        i, (long long)operand->dims[i], (long long)dims.data[i], declared, operand);
  return declared;
}

/* ---- Reshape ---- */

static bool check_same_elements(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *declared = infer->instruction->shape;
  int64_t from = hlo_shape_element_count(operand), to = hlo_shape_element_count(declared);
  if (from == to || from == HLO_UNKNOWN_SIZE || to == HLO_UNKNOWN_SIZE) return true;
  return hlo_refuse(infer, "operand %pS has %lld elements, so the result must have as many, but %pS (%lld) is declared",
                    operand, (long long)from, declared, (long long)to);
}

const hlo_shape *hlo_infer_reshape(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  int64_t inferred = hlo_instruction_int(infer->instruction, HLO_ATTR_inferred_dimension, -1);
  if (!check_declared_array(infer) || !check_same_elements(infer)) return NULL;
  if (inferred != -1 && !hlo_check_dimension(infer, "inferred_dimension", inferred, HLO_RESULT)) return NULL;
  return declared;
}

const hlo_shape *hlo_infer_dynamic_reshape(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  if (!hlo_check_at_least(infer, 1) || !check_declared_array(infer) || !check_same_elements(infer)) return NULL;
  if (infer->operand_count - 1 != declared->rank)
    return hlo_refuse(infer, "there must be one of dim_sizes for each dimension of the result %pS, got %d",
                      declared, infer->operand_count - 1);
  for (int i = 1; i < infer->operand_count; i++)
    if (!hlo_shape_is_scalar(infer->operands[i]) || !hlo_type_is_integral(infer->operands[i]->type))
      return hlo_refuse(infer, "%pO must be an integer scalar, got %pS", infer->operands + i, infer->operands[i]);
  return declared;
}

/* ---- Transpose, reverse ---- */

const hlo_shape *hlo_infer_transpose(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  hlo_ints dims = *hlo_ints_of(infer, HLO_ATTR_dimensions);
  hlo_extents extents = {0};
  if (dims.count != operand->rank)
    return hlo_refuse(infer, "dimensions must be a permutation of the %d dimensions of operand %pS, got %d of them",
                      operand->rank, operand, dims.count);
  if (!hlo_check_dimensions(infer, HLO_ATTR_dimensions, 0)) return NULL;
  for (int i = 0; i < dims.count; i++)
    if (!hlo_extents_push_from(infer, &extents, operand, dims.data[i])) return NULL;
  return hlo_extents_shape(infer, operand->type, &extents);
}

const hlo_shape *hlo_infer_reverse(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  if (!hlo_check_dimensions(infer, HLO_ATTR_dimensions, 0)) return NULL;
  return hlo_shape_without_layout(infer, operand);
}

/* ---- The same value, the same bytes ---- */

const hlo_shape *hlo_infer_same(const hlo_infer *infer) {
  if (infer->instruction->opcode == HLO_OP_ADD_DEPENDENCY && !hlo_check_token(infer, 1)) return NULL;
  return hlo_shape_without_layout(infer, infer->operands[0]);
}

const hlo_shape *hlo_infer_bitcast(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *declared = infer->instruction->shape;
  int64_t from, to;
  if (!hlo_shape_is_array(declared))
    return hlo_refuse(infer, "the result must be an array, but %pS is declared", declared);
  if (hlo_shape_has_unbounded(operand) || hlo_shape_has_unbounded(declared)) return declared;
  if (!hlo_shape_array_size(operand, &from, infer->status) || !hlo_shape_array_size(declared, &to, infer->status))
    return NULL;
  if (from == to) return declared;
  return hlo_refuse(infer, "operand %pS takes %lld bytes in its layout, so the result must take as many in its own, "
                           "but %pS takes %lld",
                    operand, (long long)from, declared, (long long)to);
}
