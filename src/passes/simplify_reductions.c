/* Removes reductions that fold nothing, and transposes in front of reductions. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
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

int hlo_simplify_reductions(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_opcode opcode;
  if (i->opcode != HLO_OP_REDUCE || !hlo_is_plain(r, i) || !folds_with(r, i, &opcode)) return HLO_KEEP;
  const hlo_instruction *operand = hlo_input(r, i, 0);
  int64_t from = hlo_shape_element_count(operand->shape), to = hlo_shape_element_count(i->shape);
  if (from == 0) return i->shape->rank ? hlo_add_broadcast(r, i->operands[1], i->shape, NULL) : i->operands[1];
  if (from == to) { /* init enters each result once */
    int init = i->shape->rank ? hlo_add_broadcast(r, i->operands[1], i->shape, NULL) : i->operands[1];
    return hlo_add_binary(r, opcode, init, hlo_add_reshape(r, operand->index, i->shape));
  }
  return operand->opcode == HLO_OP_TRANSPOSE && hlo_is_plain(r, operand) ? fold_transposed(r, i, operand) : HLO_KEEP;
}
