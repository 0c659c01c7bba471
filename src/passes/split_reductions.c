/* Splits reductions of a few long rows into reductions of more, shorter rows, whose results are reduced in turn: a fused loop computes whole
 * rows, and threads share rows. The split is the same for any number of threads, because the order of a sum decides its result.
 *
 *   reduce(x), x: f32[65536] -> reduce(reduce(reshape(x))), reshape(x): f32[1,32,2048]
 *
 * Dimensions that lie apart are brought together, where no kernel but that of any computation reduces them: it wants them so. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/scalar_ops.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum { FEW_ROWS = 16, LEAST_ELEMENTS = 1 << 16, MOST_PARTS = 32, SHORTEST_PART = 1024 };

/* The dimensions that stay come first, and then those that are reduced, each in their order, so that elements are folded in the same order. */
static int bring_together(hlo_rewriter *r, const hlo_instruction *i) {
  enum { MOST_OPERANDS = 16 };
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  uint32_t folds = hlo_ints_mask(&dimensions);
  int rank = hlo_input(r, i, 0)->shape->rank, kept = rank - dimensions.count, places[2] = {0, kept}, operands[MOST_OPERANDS];
  int64_t permutation[HLO_MAX_RANK];
  if (i->operand_count > MOST_OPERANDS || !dimensions.count || (folds >> __builtin_ctz(folds)) + 1 == 1u << dimensions.count) return HLO_KEEP;
  for (int d = 0; d < rank; d++) permutation[places[folds >> d & 1]++] = d;
  for (int n = 0; n < i->operand_count; n++)
    operands[n] = n < i->operand_count / 2 ? hlo_add_transpose(r, i->operands[n], permutation, rank) : i->operands[n];
  for (int d = kept; d < rank; d++) permutation[d - kept] = d;
  return hlo_add_with(r, i, NULL, operands, i->operand_count, hlo_ints_attribute(r, HLO_ATTR_dimensions, permutation, rank - kept));
}

int hlo_split_reductions(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_reduction reduction;
  if (i->opcode != HLO_OP_REDUCE || !hlo_are_plain(r, i)) return HLO_KEEP;
  if (!hlo_reduction_for(r->module, r->to, i, &reduction)) return bring_together(r, i);
  const hlo_instruction *operand = hlo_input(r, i, 0);
  int64_t rows = hlo_shape_element_count(i->shape), elements = hlo_shape_element_count(operand->shape), parts = MOST_PARTS;
  if (!hlo_op_has(operand->opcode, HLO_FLAG_ELEMENTWISE) || rows >= FEW_ROWS || elements < LEAST_ELEMENTS) return HLO_KEEP;
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  for (int k = 0; k < dimensions.count; k++)
    if (dimensions.data[k] < operand->shape->rank - dimensions.count) return HLO_KEEP;
  while (elements / rows % parts || elements / rows / parts < SHORTEST_PART) parts--;
  if (parts == 1 || !hlo_init_repeats(r, reduction.opcode, i->operands[1])) return HLO_KEEP;
  int64_t dims[] = {rows, parts, elements / rows / parts};
  int value = hlo_add_reshape(r, operand->index, hlo_shape_for(r, operand->shape->type, dims, 3));
  for (int64_t d = 2; d > 0; d--)
    value = hlo_add_reduce(r, value, i->operands[1], &d, 1, hlo_instruction_attribute(i, HLO_ATTR_to_apply)->computation);
  return hlo_add_reshape(r, value, i->shape);
}
