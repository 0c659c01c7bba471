/* Simplifies reshapes, transposes, reverses, broadcasts and copies: an op that does nothing goes, two in a row become one, and one that only
 * renames dimensions becomes a reshape, which takes no time. Arrays that count become broadcasts of one line. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/shape.h"

static bool is_iota(hlo_ints dims) {
  for (int k = 0; k < dims.count; k++)
    if (dims.data[k] != k) return false;
  return true;
}

static int copy(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *from = hlo_input(r, i, 0)->shape;
  if (r->layouts_matter ? !hlo_shape_equal(from, i->shape) : !hlo_shape_compatible(from, i->shape)) return HLO_KEEP;
  return hlo_instruction_attribute(i, HLO_ATTR_control_predecessors) ? HLO_KEEP : i->operands[0];
}

static int reshape(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  int scalar;
  if (hlo_shape_compatible(inner->shape, i->shape)) return inner->index;
  if (inner->opcode == HLO_OP_RESHAPE && hlo_is_plain(r, inner)) return hlo_add_reshape(r, inner->operands[0], i->shape);
  if (i->shape->rank > 0 && inner->opcode == HLO_OP_BROADCAST && hlo_repeats_scalar(r, inner->index, &scalar))
    return hlo_add_broadcast(r, scalar, i->shape, NULL);
  return HLO_KEEP;
}

/* True if the permutation keeps the order of all dimensions of a size other than 1. */
static bool keeps_order(const hlo_shape *shape, hlo_ints permutation) {
  uint32_t ones = 0;
  for (int d = 0; d < shape->rank; d++) ones |= (uint32_t)(shape->dims[d] == 1) << d;
  return hlo_keeps_order(permutation, ones);
}

static int transpose(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  hlo_ints permutation = *hlo_instruction_ints(i, HLO_ATTR_dimensions), before = *hlo_instruction_ints(inner, HLO_ATTR_dimensions);
  int64_t dims[HLO_MAX_RANK], inverse[HLO_MAX_RANK];
  if (is_iota(permutation)) return inner->index;
  if (keeps_order(i->shape, permutation) || hlo_shape_element_count(i->shape) == 0)
    return hlo_add_reshape(r, inner->index, i->shape);
  if (inner->opcode == HLO_OP_TRANSPOSE && hlo_is_plain(r, inner)) {
    for (int k = 0; k < permutation.count; k++) dims[k] = before.data[permutation.data[k]];
    return hlo_add_transpose(r, inner->operands[0], dims, permutation.count);
  }
  if (inner->opcode != HLO_OP_BROADCAST || !hlo_is_plain(r, inner)) return HLO_KEEP;
  for (int k = 0; k < permutation.count; k++) inverse[permutation.data[k]] = k;
  for (int k = 0; k < before.count; k++) dims[k] = inverse[before.data[k]];
  return hlo_add_broadcast(r, inner->operands[0], i->shape, dims);
}

/* Drops operand dimensions of size 1, so that broadcasts of one array that differ only there become equal. */
static int narrow(hlo_rewriter *r, const hlo_instruction *i, hlo_ints dimensions) {
  const hlo_shape *operand = hlo_input(r, i, 0)->shape;
  int64_t dims[HLO_MAX_RANK], places[HLO_MAX_RANK];
  int rank = 0;
  for (int k = 0; k < operand->rank; k++) {
    if (operand->dims[k] == 1) continue;
    dims[rank] = operand->dims[k];
    places[rank++] = dimensions.data[k];
  }
  if (rank == operand->rank) return HLO_KEEP;
  return hlo_add_broadcast(r, hlo_add_reshape(r, i->operands[0], hlo_shape_for(r, operand->type, dims, rank)), i->shape, places);
}

static int broadcast(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions), before = *hlo_instruction_ints(inner, HLO_ATTR_dimensions);
  bool ascends = true;
  for (int k = 1; k < dimensions.count; k++) ascends &= dimensions.data[k - 1] < dimensions.data[k];
  int64_t count = hlo_shape_element_count(i->shape);
  if (count == 0 && hlo_shape_element_count(inner->shape) != 0) return HLO_KEEP;
  if (ascends && count == hlo_shape_element_count(inner->shape)) return hlo_add_reshape(r, inner->index, i->shape);
  if (inner->opcode == HLO_OP_BROADCAST && hlo_is_plain(r, inner)) {
    int64_t dims[HLO_MAX_RANK];
    for (int k = 0; k < before.count; k++) dims[k] = dimensions.data[before.data[k]];
    return hlo_add_broadcast(r, inner->operands[0], i->shape, dims);
  }
  return narrow(r, i, dimensions);
}

static int reverse(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  bool twice = inner->opcode == HLO_OP_REVERSE && hlo_is_plain(r, inner);
  hlo_ints before = twice ? *hlo_instruction_ints(inner, HLO_ATTR_dimensions) : (hlo_ints){0};
  int64_t dims[HLO_MAX_RANK];
  int count = 0, scalar;
  if (hlo_repeats_scalar(r, inner->index, &scalar)) return inner->index;
  uint32_t turned = hlo_ints_mask(&dimensions) ^ hlo_ints_mask(&before);
  for (int d = 0; d < i->shape->rank; d++)
    if ((turned >> d & 1) && i->shape->dims[d] > 1) dims[count++] = d;
  int operand = twice ? inner->operands[0] : inner->index;
  if (count == 0) return operand;
  if (!twice && count == dimensions.count) return HLO_KEEP;
  return hlo_add_along(r, HLO_OP_REVERSE, &operand, 1, dims, count);
}

/* An array that counts along one of several dimensions repeats one short line, which loops read where it lies. The array stays as it is where
 * that line would cut loops into rows so short that they are no faster. */
static int iota(hlo_rewriter *r, const hlo_instruction *i) {
  enum { SHORT_ROW = 16 };
  const hlo_shape *shape = i->shape;
  int64_t d = hlo_instruction_int(i, HLO_ATTR_iota_dimension, 0), row = 1;
  for (int k = (int)d + 1; k < shape->rank; k++) row *= shape->dims[k];
  if (row == 1) row = shape->dims[d];
  if (!hlo_is_plain(r, i) || row < SHORT_ROW || hlo_shape_element_count(shape) == shape->dims[d]) return HLO_KEEP;
  const hlo_attribute along = {.id = HLO_ATTR_iota_dimension};
  int line = hlo_add(r, HLO_OP_IOTA, hlo_shape_for(r, shape->type, &shape->dims[d], 1), NULL, 0, &along, 1);
  return hlo_add_broadcast(r, line, shape, &d);
}

int hlo_simplify_shapes(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_COPY) return copy(r, i);
  if (i->opcode == HLO_OP_IOTA) return iota(r, i);
  if (i->operand_count != 1 || !hlo_is_plain(r, i)) return HLO_KEEP;
  switch (i->opcode) {
  case HLO_OP_RESHAPE: return reshape(r, i);
  case HLO_OP_TRANSPOSE: return transpose(r, i);
  case HLO_OP_BROADCAST: return broadcast(r, i);
  case HLO_OP_REVERSE: return reverse(r, i);
  default: return HLO_KEEP;
  }
}
