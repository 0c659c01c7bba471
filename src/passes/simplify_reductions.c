/* Removes reductions that fold nothing, or a few arrays put beside each other, and transposes in front of reductions. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* True for reductions by a well-known computation of two numbers whose result does not depend on the order of elements. */
static bool folds_with(const hlo_rewriter *r, const hlo_instruction *i, hlo_opcode *opcode) {
  const hlo_computation *c = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  return i->operand_count == 2 && hlo_computation_is_binary_op(c, opcode) && hlo_op_has(*opcode, HLO_FLAG_COMMUTATIVE) &&
         c->instructions[c->parameters[0]]->shape->type == i->shape->type && hlo_input(r, i, 0)->shape->type == i->shape->type &&
         hlo_input(r, i, 1)->shape->type == i->shape->type;
}

static int fold_transposed(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *transpose) {
  hlo_ints permutation = *hlo_instruction_ints(transpose, HLO_ATTR_dimensions);
  hlo_ints folded = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  uint32_t folds = hlo_ints_mask(&folded);
  int64_t dims[HLO_MAX_RANK];
  if (!hlo_keeps_order(permutation, folds)) return HLO_KEEP;
  for (int d = 0, count = 0; d < permutation.count; d++)
    for (int k = 0; k < permutation.count; k++)
      if (permutation.data[k] == d && (folds >> k & 1)) dims[count++] = d;
  return hlo_add_reduce(r, transpose->operands[0], i->operands[1], dims, folded.count,
                        hlo_instruction_attribute(i, HLO_ATTR_to_apply)->computation);
}

/* The init of a reduction, repeated over the shape of its result: each element of the result begins with it. */
static int repeated_init(hlo_rewriter *r, const hlo_instruction *i) {
  return i->shape->rank ? hlo_add_broadcast(r, i->operands[1], i->shape, NULL) : i->operands[1];
}

/* Arrays, up to MOST, that are put beside each other only to be folded are combined one after another. Sums of narrow floats are not: they are rounded once. */
static int fold_pieces(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *pieces, hlo_opcode opcode) {
  enum { MOST = 32 };
  hlo_ints folded = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  int64_t dimension = hlo_instruction_ints(pieces, HLO_ATTR_dimensions)->data[0];
  if (folded.count != 1 || folded.data[0] != dimension || pieces->operand_count > MOST || pieces->operand_count != pieces->shape->dims[dimension]) return HLO_KEEP;
  for (int n = 0; n < pieces->operand_count; n++)
    if (hlo_input(r, pieces, n)->shape->dims[dimension] != 1) return HLO_KEEP;
  if (opcode == HLO_OP_ADD && hlo_type_is_float(i->shape->type) && hlo_type_bits(i->shape->type) < 32) return HLO_KEEP;
  int value = repeated_init(r, i);
  for (int n = 0; n < pieces->operand_count; n++) value = hlo_add_binary(r, opcode, value, hlo_add_reshape(r, pieces->operands[n], i->shape));
  return value;
}

int hlo_simplify_reductions(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_opcode opcode;
  if (i->opcode != HLO_OP_REDUCE || !hlo_is_plain(r, i) || !folds_with(r, i, &opcode)) return HLO_KEEP;
  const hlo_instruction *operand = hlo_input(r, i, 0);
  int64_t from = hlo_shape_element_count(operand->shape), to = hlo_shape_element_count(i->shape);
  if (from == 0) return repeated_init(r, i);
  if (from == to) return hlo_add_binary(r, opcode, repeated_init(r, i), hlo_add_reshape(r, operand->index, i->shape));
  if (!hlo_is_plain(r, operand)) return HLO_KEEP;
  if (operand->opcode == HLO_OP_CONCATENATE) return fold_pieces(r, i, operand, opcode);
  return operand->opcode == HLO_OP_TRANSPOSE ? fold_transposed(r, i, operand) : HLO_KEEP;
}
