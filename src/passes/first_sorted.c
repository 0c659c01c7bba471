#include "passes/first_sorted.h"

#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* Returns whether an array holds places along its last dimension. */
static bool is_places(const hlo_rewriter *r, const hlo_instruction *i) {
  return i->shape->type == HLO_TYPE_S32 && hlo_counted_dimension(r->to, i) == i->shape->rank - 1;
}

/* Returns whether elements are compared as topk compares them; *largest: the greatest comes first. */
static bool is_order(const hlo_computation *comparator, hlo_type type, bool *largest) {
  const hlo_instruction *root = hlo_computation_root(comparator);
  if (root->opcode != HLO_OP_COMPARE || root->operands[0] != comparator->parameters[0] || root->operands[1] != comparator->parameters[1]) return false;
  int direction = hlo_instruction_enum(root, HLO_ATTR_direction, HLO_direction_EQ);
  *largest = direction == HLO_direction_GT;
  if (!*largest && direction != HLO_direction_LT) return false;
  if (hlo_type_is_float(type)) return hlo_instruction_enum(root, HLO_ATTR_comparison_type, HLO_comparison_type_FLOAT) == HLO_comparison_type_TOTALORDER;
  return hlo_type_is_integral(type);
}

int hlo_first_sorted(hlo_rewriter *r, const hlo_instruction *slice) {
  const hlo_instruction *from = hlo_input(r, slice, 0);
  bool is_element = from->opcode == HLO_OP_GET_TUPLE_ELEMENT, largest;
  const hlo_instruction *sort = is_element ? hlo_input(r, from, 0) : from;
  int last = slice->shape->rank - 1;
  if (sort->opcode != HLO_OP_SORT || sort->operand_count > 2 || hlo_instruction_ints(sort, HLO_ATTR_dimensions)->data[0] != last) return HLO_KEEP;
  if (sort->operand_count == 2 && !is_places(r, hlo_input(r, sort, 1))) return HLO_KEEP;
  const hlo_slice *kept = hlo_instruction_attribute(slice, HLO_ATTR_slice)->slice;
  for (int d = 0; d <= last; d++)
    if (kept->dims[d].start != 0 || kept->dims[d].stride != 1 || (d < last && slice->shape->dims[d] != from->shape->dims[d])) return HLO_KEEP;
  const hlo_instruction *x = hlo_input(r, sort, 0);
  if (!is_order(hlo_instruction_computation(r->module, sort, HLO_ATTR_to_apply), x->shape->type, &largest)) return HLO_KEEP;
  const hlo_attribute attributes[] = {{.id = HLO_ATTR_k, .integer = slice->shape->dims[last]}, {.id = HLO_ATTR_largest, .boolean = largest}};
  int first = hlo_add(r, HLO_OP_TOPK, NULL, &x->index, 1, attributes, 2);
  return hlo_add_element(r, first, is_element ? hlo_instruction_int(from, HLO_ATTR_index, 0) : 0);
}
