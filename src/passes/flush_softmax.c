/* Powers of a softmax that only a dot reads may be zero below e^-80. Smaller ones lead to subnormal numbers, for each of which a processor takes a hundred cycles, and beside
 * the others of their row, whose sum is 1, they do not count: the dot's terms are rounded at 10^27 times as much. */
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/scalar_ops.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Returns whether an array is powers divided by their sums, and nothing else reads the powers. */
static bool is_softmax(const hlo_rewriter *r, const hlo_instruction *i) {
  hlo_opcode opcode;
  if (i->opcode != HLO_OP_DIVIDE || i->shape->type != HLO_TYPE_F32) return false;
  const hlo_instruction *powers = hlo_input(r, i, 0), *sums = hlo_input(r, i, 1);
  while (sums->opcode == HLO_OP_BROADCAST || sums->opcode == HLO_OP_RESHAPE) sums = hlo_input(r, sums, 0);
  return powers->opcode == HLO_OP_EXPONENTIAL && r->uses[powers->index] <= 2 && !hlo_instruction_attribute(powers, HLO_ATTR_result_accuracy) && sums->opcode == HLO_OP_REDUCE &&
         sums->operands[0] == powers->index && hlo_computation_is_binary_op(hlo_instruction_computation(r->module, sums, HLO_ATTR_to_apply), &opcode) && opcode == HLO_OP_ADD;
}

/* Adds what was made of the old value, made of the new one. */
static int made_of(hlo_rewriter *r, int value, int old, int new) {
  if (value == old) return new;
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  int operands[] = {made_of(r, i->operands[0], old, new), i->operands[i->operand_count - 1]};
  return hlo_add_like(r, i, i->shape, operands);
}

/* Adds a softmax of such powers, as it is seen through views and conversions; HLO_KEEP: the value is none, or something else reads it. */
static int flushed(hlo_rewriter *r, int value) {
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  if (r->uses[value] > 1 || !hlo_is_plain(r, i)) return HLO_KEEP;
  if (i->opcode == HLO_OP_TRANSPOSE || i->opcode == HLO_OP_RESHAPE || (i->opcode == HLO_OP_CONVERT && hlo_type_is_float(i->shape->type))) {
    int seen = flushed(r, i->operands[0]);
    return seen < 0 ? HLO_KEEP : hlo_add_like(r, i, i->shape, &seen);
  }
  if (!is_softmax(r, i)) return HLO_KEEP;
  const hlo_attribute accuracy = {.id = HLO_ATTR_result_accuracy, .text = hlo_span_of(HLO_SMALL_IS_ZERO)};
  int powers = hlo_add(r, HLO_OP_EXPONENTIAL, NULL, hlo_input(r, i, 0)->operands, 1, &accuracy, 1);
  return hlo_add_binary(r, HLO_OP_DIVIDE, powers, made_of(r, i->operands[1], i->operands[0], powers));
}

int hlo_flush_softmax(hlo_rewriter *r, const hlo_instruction *i) {
  int operands[2];
  bool any = false;
  if (i->opcode != HLO_OP_DOT || !hlo_is_plain(r, i)) return HLO_KEEP;
  for (int n = 0; n < 2; n++) {
    int found = flushed(r, i->operands[n]);
    operands[n] = found < 0 ? i->operands[n] : found;
    any |= found >= 0;
  }
  return any ? hlo_add_like(r, i, i->shape, operands) : HLO_KEEP;
}
