/* get-tuple-element of a tuple becomes the operand of the tuple; a tuple of all elements of one value, in order, becomes that value. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/shape.h"

static int whole(const hlo_rewriter *r, const hlo_instruction *i) {
  if (i->operand_count == 0) return HLO_KEEP;
  const hlo_instruction *first = hlo_input(r, i, 0);
  int tuple = first->opcode == HLO_OP_GET_TUPLE_ELEMENT ? first->operands[0] : HLO_KEEP;
  if (tuple < 0 || !hlo_shape_compatible(hlo_rewriter_value(r, tuple)->shape, i->shape)) return HLO_KEEP;
  for (int n = 0; n < i->operand_count; n++) {
    const hlo_instruction *element = hlo_input(r, i, n);
    if (element->opcode != HLO_OP_GET_TUPLE_ELEMENT || element->operands[0] != tuple ||
        hlo_instruction_int(element, HLO_ATTR_index, -1) != n)
      return HLO_KEEP;
  }
  return tuple;
}

int hlo_simplify_tuples(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_TUPLE) return whole(r, i);
  if (i->opcode != HLO_OP_GET_TUPLE_ELEMENT || hlo_input(r, i, 0)->opcode != HLO_OP_TUPLE) return HLO_KEEP;
  int element = hlo_input(r, i, 0)->operands[hlo_instruction_int(i, HLO_ATTR_index, 0)];
  return hlo_shape_compatible(hlo_rewriter_value(r, element)->shape, i->shape) ? element : HLO_KEEP;
}
