/* The op table as data. */
#include "graph/opcode.h"

/* ---- The rows ---- */

#define R(id) {HLO_ATTR_##id, true},
#define O(id) {HLO_ATTR_##id, false},

enum {
  VARIADIC = HLO_VARIADIC,
  NONE = HLO_FLAG_NONE,
  ELEMENTWISE = HLO_FLAG_ELEMENTWISE,
  COMMUTATIVE = HLO_FLAG_COMMUTATIVE,
  SIDE_EFFECT = HLO_FLAG_SIDE_EFFECT,
  COLLECTIVE = HLO_FLAG_COLLECTIVE,
  RANDOM = HLO_FLAG_RANDOM,
  CALLS = HLO_FLAG_CALLS,
  FRAMES = HLO_FLAG_FRAMES,
  DECLARED = HLO_FLAG_DECLARED,
  PAIR = HLO_FLAG_PAIR,
  MOVES = HLO_FLAG_MOVES
};

static const hlo_op_info rows[] = {
#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  {name, operands, types, arity, sizeof((hlo_op_attribute[]){attributes{0}}) / sizeof(hlo_op_attribute) - 1, {attributes}, flags},
#include "graph/op_table.def"
#undef HLO_OP
};

const hlo_op_info *hlo_op(hlo_opcode opcode) { return &rows[opcode]; }

/* ---- Names ---- */

const char *hlo_op_name(hlo_opcode opcode) { return rows[opcode].name; }

bool hlo_opcode_from_name(hlo_span name, hlo_opcode *opcode) {
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) {
    if (!hlo_span_is(name, rows[i].name)) continue;
    *opcode = (hlo_opcode)i;
    return true;
  }
  return false;
}

void hlo_op_offer_names(hlo_nearest_name *nearest) {
  for (int i = 0; i < HLO_OPCODE_COUNT; i++) hlo_nearest_name_offer(nearest, hlo_span_of(hlo_op_name((hlo_opcode)i)));
}

/* ---- Attributes ---- */

bool hlo_op_attribute_from_name(hlo_opcode opcode, hlo_span name, hlo_attribute_id *id) {
  const hlo_op_info *op = hlo_op(opcode);
  for (int i = 0; i < op->attribute_count; i++) {
    *id = op->attributes[i].id;
    if (hlo_span_is(name, hlo_attribute_name(*id))) return true;
  }
  for (int i = 0; i < HLO_ATTRIBUTE_COUNT; i++) {
    *id = (hlo_attribute_id)i;
    if (hlo_attribute_is_common(*id) && hlo_span_is(name, hlo_attribute_name(*id))) return true;
  }
  return false;
}

static void offer_attribute(hlo_nearest_name *nearest, hlo_attribute_id id) {
  hlo_nearest_name_offer(nearest, hlo_span_of(hlo_attribute_name(id)));
}

void hlo_op_offer_attributes(hlo_opcode opcode, hlo_nearest_name *nearest) {
  const hlo_op_info *op = hlo_op(opcode);
  for (int i = 0; i < op->attribute_count; i++) offer_attribute(nearest, op->attributes[i].id);
  for (int i = 0; i < HLO_ATTRIBUTE_COUNT; i++)
    if (hlo_attribute_is_common((hlo_attribute_id)i)) offer_attribute(nearest, (hlo_attribute_id)i);
}
