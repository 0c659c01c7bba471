/* The operations of op_table.def. */
#ifndef HLO_GRAPH_OPCODE_H
#define HLO_GRAPH_OPCODE_H

#include "base/nearest_name.h"
#include "base/text_reader.h"
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
  HLO_FLAG_PAIR = 1 << 8,
  HLO_FLAG_MOVES = 1 << 9
} hlo_op_flags;

typedef struct hlo_op_attribute {
  hlo_attribute_id id;
  bool required;
} hlo_op_attribute;

enum { HLO_OP_MAX_ATTRIBUTES = 15 };

/* One row of op_table.def. */
typedef struct hlo_op_info {
  const char *name;
  const char *operands; /* names, separated by spaces */
  const char *types;    /* letters of allowed element types, "" for any */
  int arity;            /* or HLO_VARIADIC */
  int attribute_count;
  hlo_op_attribute attributes[HLO_OP_MAX_ATTRIBUTES];
  unsigned flags; /* of hlo_op_flags */
} hlo_op_info;

const hlo_op_info *hlo_op(hlo_opcode opcode);
const char *hlo_op_name(hlo_opcode opcode);
/* Returns whether the op has the flag; of several flags, joined by |, whether it has any of them. */
static inline bool hlo_op_has(hlo_opcode opcode, hlo_op_flags flags) { return (hlo_op(opcode)->flags & flags) != 0; }
static inline bool hlo_op_shifts(hlo_opcode opcode) { return opcode == HLO_OP_SHIFT_LEFT || opcode == HLO_OP_SHIFT_RIGHT_LOGICAL || opcode == HLO_OP_SHIFT_RIGHT_ARITHMETIC; }
/* Finds an op by its name in HLO text. False if there is none. */
bool hlo_opcode_from_name(hlo_span name, hlo_opcode *opcode);
/* Offer the names of all operations, or of the attributes that an op may carry, for "did you mean". */
void hlo_op_offer_names(hlo_nearest_name *nearest);
void hlo_op_offer_attributes(hlo_opcode opcode, hlo_nearest_name *nearest);
/* Finds the attribute that a name in HLO text means for the op, among its own and those that any instruction may carry. False if none. */
bool hlo_op_attribute_from_name(hlo_opcode opcode, hlo_span name, hlo_attribute_id *id);

#endif
