/* reshape, dynamic-reshape: the same elements in row-major order under other dimensions.
 *
 * Where sizes are bounded, it is the actual elements that keep their order: they are packed out of the operand's
 * actual box and unpacked into the result's. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/strides.h"

/* Moves elements of one actual box to another, in row-major order. */
static bool repack(hlo_evaluation *evaluation, const hlo_literal *operand, hlo_literal *result) {
  int bytes = hlo_literal_element_bytes(result);
  int64_t from_sizes[HLO_MAX_RANK], to_sizes[HLO_MAX_RANK];
  hlo_sizes_of(operand, from_sizes);
  hlo_sizes_of(result, to_sizes);
  hlo_place from = hlo_place_of(operand), to = hlo_place_of(result), packed_from = {0}, packed_to = {0};
  int64_t from_count = hlo_dims_strides(from_sizes, operand->shape->rank, packed_from.strides);
  int64_t to_count = hlo_dims_strides(to_sizes, result->shape->rank, packed_to.strides);
  int64_t count = from_count > to_count ? from_count : to_count;
  void *packed = hlo_arena_array(evaluation->scratch, count, (size_t)bytes, evaluation->status);
  if (!packed) return false;
  hlo_box_copy_bytes(bytes, from_sizes, operand->shape->rank, packed, &packed_from, operand->data, &from);
  hlo_box_copy_bytes(bytes, to_sizes, result->shape->rank, result->data, &to, packed, &packed_to);
  return true;
}

/* Sets the actual size of one result dimension among [begin, end) so that `count` elements fit: of the inferred dimension if it
 * is one of these, else of the first dynamic one. */
static void absorb_size(hlo_literal *result, int begin, int end, int inferred, int64_t count) {
  int absorbing = -1;
  int64_t others = 1;
  for (int d = end - 1; d >= begin; d--)
    if (hlo_shape_dim_kind(result->shape, d) != HLO_DIM_STATIC) absorbing = d;
  if (inferred >= begin && inferred < end) absorbing = inferred;
  if (absorbing < 0) return;
  for (int d = begin; d < end; d++)
    if (d != absorbing) others *= result->shape->dims[d];
  hlo_size_set(result, absorbing, others ? count / others : 0);
}

/* Sets the actual sizes of a reshape's result. Both shapes are cut into the shortest runs of dimensions whose bounds have equal
 * products; a dynamic size of the operand becomes one within the same run. */
static void infer_sizes(const hlo_literal *operand, hlo_literal *result, int inferred) {
  const hlo_shape *from = operand->shape, *to = result->shape;
  int i = 0, j = 0;
  while (i < from->rank || j < to->rank) {
    int begin = j;
    int64_t from_product = 1, to_product = 1, actual = 1;
    do {
      bool take_from = j >= to->rank || (i < from->rank && from_product <= to_product);
      if (take_from) {
        actual *= hlo_literal_size(operand, i);
        from_product *= from->dims[i++];
      } else {
        to_product *= to->dims[j++];
      }
    } while (from_product != to_product && (i < from->rank || j < to->rank));
    while (j < to->rank && to->dims[j] == 1 && hlo_shape_dim_kind(to, j) == HLO_DIM_STATIC) j++;
    absorb_size(result, begin, j, inferred, actual);
  }
}

bool hlo_reference_reshape(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  if (!operands[0]->dynamic_sizes && !result->dynamic_sizes) {
    hlo_literal_assign_elements(result, operands[0]);
    return true;
  }
  hlo_literal_clear(result);
  if (operands[0]->dynamic_sizes)
    infer_sizes(operands[0], result, (int)hlo_instruction_int(instruction, HLO_ATTR_inferred_dimension, -1));
  return repack(evaluation, operands[0], result);
}

/* The sizes of dynamic-reshape are one scalar for each dimension, or one operand of rank 1. */
bool hlo_reference_dynamic_reshape(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                   const hlo_literal *const *operands, hlo_literal *result) {
  bool one_operand = instruction->operand_count == 2 && operands[1]->shape->rank == 1;
  hlo_literal_clear(result);
  for (int d = 0; d < result->shape->rank; d++)
    hlo_size_set(result, d, one_operand ? hlo_index_load(operands[1], d) : hlo_index_load(operands[1 + d], 0));
  return repack(evaluation, operands[0], result);
}
