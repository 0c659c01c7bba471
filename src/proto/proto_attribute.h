/* Attributes of an instruction, to and from fields of HloInstructionProto. */
#ifndef HLO_PROTO_PROTO_ATTRIBUTE_H
#define HLO_PROTO_PROTO_ATTRIBUTE_H

#include "graph/module.h"
#include "proto/proto_value.h"

/* Called computations as indices in the module, in the order of the field. */
bool hlo_proto_read_attribute(hlo_wire instruction, hlo_opcode opcode, hlo_attribute_id id, hlo_ints called, hlo_arena *arena,
                              hlo_attribute *attribute, bool *present);

/* Names of CustomCallApiVersion by number; NULL for 0, unspecified. */
extern const char *const hlo_proto_api_versions[5];

#endif
