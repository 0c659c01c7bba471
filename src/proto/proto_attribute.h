/* Attributes of an instruction, to and from fields of HloInstructionProto. */
#ifndef HLO_PROTO_PROTO_ATTRIBUTE_H
#define HLO_PROTO_PROTO_ATTRIBUTE_H

#include "graph/module.h"
#include "proto/proto_value.h"

/* Where an attribute stands: field `number` of the instruction, or of the message in its field `message`. */
typedef enum hlo_proto_form { HLO_PROTO_NONE, HLO_PROTO_INT, HLO_PROTO_BOOL, HLO_PROTO_INTS, HLO_PROTO_TEXT, HLO_PROTO_ENUM_NAME } hlo_proto_form;
typedef struct hlo_proto_field {
  int message, number;
  hlo_proto_form form; /* NONE: it needs a rule of its own */
} hlo_proto_field;
extern const hlo_proto_field hlo_proto_fields[];

/* Called computations as indices in the module, in the order of the field. */
bool hlo_proto_read_attribute(hlo_wire instruction, hlo_opcode opcode, hlo_attribute_id id, hlo_ints called, hlo_arena *arena,
                              hlo_attribute *attribute, bool *present);

/* Names of CustomCallApiVersion by number; NULL for 0, unspecified. */
extern const char *const hlo_proto_api_versions[5];

#endif
