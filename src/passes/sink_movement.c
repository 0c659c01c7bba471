/* Moves transposes, reshapes and broadcasts behind element-wise ops: there they may meet their inverse, or a dot whose dimension numbers can
 * express them. An op that comes to stand before a broadcast works on fewer elements.
 *
 *   add(reshape(x), reshape(y)) -> reshape(add(x, y))      exp(transpose(x)) -> transpose(exp(x))
 *   add(broadcast(x), broadcast(scalar)) -> broadcast(add(x, broadcast(scalar))) */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/shape.h"

static bool same_dims(const hlo_instruction *a, const hlo_instruction *b) {
  hlo_ints x = *hlo_instruction_ints(a, HLO_ATTR_dimensions), y = *hlo_instruction_ints(b, HLO_ATTR_dimensions);
  for (int k = 0; k < x.count; k++)
    if (x.count != y.count || x.data[k] != y.data[k]) return false;
  return x.count == y.count;
}

/* True for the three ops flagged MOVES that gain by sinking: they keep every element, and may meet their inverse or shrink the op's work. A slice
 * or a gather that sank would make the op compute elements that are dropped behind it. */
static bool can_sink(hlo_opcode opcode) { return opcode == HLO_OP_TRANSPOSE || opcode == HLO_OP_RESHAPE || opcode == HLO_OP_BROADCAST; }

/* Returns the operand whose movement can go behind the op; HLO_KEEP if the other operands are not moved in the same way. */
static int leader_of(const hlo_rewriter *r, const hlo_instruction *i) {
  int leader = HLO_KEEP, scalar;
  for (int n = 0; n < i->operand_count; n++) {
    const hlo_instruction *operand = hlo_input(r, i, n);
    if (operand->shape->rank == 0 && i->shape->rank) continue;        /* a scalar operand of select or clamp */
    if (hlo_repeats_scalar(r, operand->index, &scalar)) continue; /* fits any shape */
    if (!can_sink(operand->opcode) || !hlo_is_plain(r, operand)) return HLO_KEEP;
    if (operand->opcode != HLO_OP_BROADCAST && hlo_input(r, operand, 0)->opcode == operand->opcode) return HLO_KEEP; /* two are one soon */
    /* Moving one of several transposes of a value would leave the others where they are. */
    if (operand->opcode == HLO_OP_TRANSPOSE && r->uses[operand->index] > 1) return HLO_KEEP;
    const hlo_instruction *first = leader < 0 ? operand : hlo_rewriter_value(r, leader);
    if (first->opcode != operand->opcode || !same_dims(first, operand)) return HLO_KEEP;
    if (!hlo_shape_same_dims(hlo_input(r, first, 0)->shape, hlo_input(r, operand, 0)->shape)) return HLO_KEEP;
    leader = first->index;
  }
  return leader;
}

/* op(broadcast(scalar), ...) -> broadcast(op(scalar, ...)) */
static int on_scalars(hlo_rewriter *r, const hlo_instruction *i) {
  int operands[3];
  bool all = true;
  for (int n = 0; n < i->operand_count; n++) all &= hlo_repeats_scalar(r, i->operands[n], &operands[n]);
  int64_t count = hlo_shape_element_count(i->shape);
  if (!all || i->shape->rank == 0 || count == 0) return HLO_KEEP;
  int value = hlo_add_like(r, i, hlo_shape_for(r, i->shape->type, NULL, 0), operands);
  return count == 1 ? hlo_add_reshape(r, value, i->shape) : hlo_add_broadcast(r, value, i->shape, NULL);
}

int hlo_sink_movement(hlo_rewriter *r, const hlo_instruction *i) {
  if (!hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE) || i->operand_count < 1 || i->operand_count > 3 || !hlo_is_plain(r, i)) return HLO_KEEP;
  if (hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return HLO_KEEP;
  int leader = leader_of(r, i), operands[3], scalar;
  if (leader < 0) return on_scalars(r, i);
  const hlo_instruction *movement = hlo_rewriter_value(r, leader);
  const hlo_shape *inside = hlo_input(r, movement, 0)->shape;
  for (int n = 0; n < i->operand_count; n++) {
    const hlo_instruction *operand = hlo_input(r, i, n);
    operands[n] = operand->index;
    if (operand->shape->rank == 0 && i->shape->rank) continue;
    if (!hlo_repeats_scalar(r, operand->index, &scalar)) operands[n] = operand->operands[0];
    else operands[n] = inside->rank ? hlo_add_broadcast(r, scalar, hlo_shape_for(r, operand->shape->type, inside->dims, inside->rank), NULL) : scalar;
  }
  int value = hlo_add_like(r, i, hlo_shape_for(r, i->shape->type, inside->dims, inside->rank), operands);
  if (value < 0 || movement->opcode == HLO_OP_RESHAPE) return value < 0 ? HLO_KEEP : hlo_add_reshape(r, value, i->shape);
  hlo_ints dimensions = *hlo_instruction_ints(movement, HLO_ATTR_dimensions);
  return movement->opcode == HLO_OP_BROADCAST ? hlo_add_broadcast(r, value, i->shape, dimensions.data)
                                              : hlo_add_transpose(r, value, dimensions.data, dimensions.count);
}
