/* Operations, as op_table.def lists them. */
#ifndef HLO_GRAPH_OPCODE_H
#define HLO_GRAPH_OPCODE_H

#include "graph/attribute.h"

typedef enum hlo_opcode {
#define HLO_OP(id, ...) HLO_OP_##id,
#include "graph/op_table.def"
#undef HLO_OP
  HLO_OPCODE_COUNT
} hlo_opcode;

enum { HLO_VARIADIC = -1 };

typedef enum hlo_op_flags {
  HLO_FLAG_NONE = 0,
  HLO_FLAG_ELEMENTWISE = 1 << 0,
  HLO_FLAG_COMMUTATIVE = 1 << 1,
  HLO_FLAG_SIDE_EFFECT = 1 << 2,
  HLO_FLAG_COLLECTIVE = 1 << 3,
  HLO_FLAG_RANDOM = 1 << 4,
  HLO_FLAG_CALLS = 1 << 5,
  HLO_FLAG_FRAMES = 1 << 6,
  HLO_FLAG_DECLARED = 1 << 7,
  HLO_FLAG_PAIR = 1 << 8
} hlo_op_flags;

typedef struct hlo_op_attribute {
  uint8_t id : 7; /* hlo_attribute_id */
  bool required : 1;
} hlo_op_attribute;
_Static_assert(HLO_ATTRIBUTE_COUNT < 128, "an attribute's number fits in 7 bits");

/* One row of op_table.def. */
typedef struct hlo_op_info {
  const char *operands; /* names, separated by blanks */
  char types[6];        /* letters of allowed element types, "" for any */
  hlo_op_attribute attributes[15];
  uint8_t attribute_count;
  int8_t arity; /* or HLO_VARIADIC */
  uint16_t flags;
} hlo_op_info;

const hlo_op_info *hlo_op(hlo_opcode opcode);
const char *hlo_op_name(hlo_opcode opcode);
static inline bool hlo_op_has(hlo_opcode opcode, hlo_op_flags flag) { return (hlo_op(opcode)->flags & flag) != 0; }
/* By HLO name. False if there is none. */
bool hlo_opcode_from_name(hlo_span name, hlo_opcode *opcode);
/* For "did you mean": the names of all operations, and of the attributes that an op may carry. */
void hlo_op_offer_names(hlo_nearest_name *nearest);
void hlo_op_offer_attributes(hlo_opcode opcode, hlo_nearest_name *nearest);
/* Whether the op, or any instruction, may carry the attribute; and which attribute a text name means there. */
bool hlo_op_attribute_from_name(hlo_opcode opcode, hlo_span name, hlo_attribute_id *id);

#endif
