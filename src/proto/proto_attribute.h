/* Attributes of an instruction, to and from fields of HloInstructionProto. */
#ifndef HLO_PROTO_PROTO_ATTRIBUTE_H
#define HLO_PROTO_PROTO_ATTRIBUTE_H

#include "graph/module.h"
#include "proto/proto_value.h"

/* Reads one attribute. called: computations as indices in the module, in the order of the field. */
bool hlo_proto_read_attribute(hlo_wire instruction, hlo_opcode opcode, hlo_attribute_id id, bool required, hlo_ints called,
                              hlo_arena *arena, hlo_attribute *attribute, bool *present);
/* Writes all attributes of an instruction but its control predecessors. */
void hlo_proto_put_attributes(hlo_writer *writer, const hlo_instruction *instruction);

/* Attributes that are kept as text and stand in messages of their own. */
bool hlo_proto_read_metadata(hlo_wire metadata, hlo_arena *arena, hlo_attribute *attribute, bool *present);
void hlo_proto_put_metadata(hlo_writer *w, hlo_span metadata);
/* The bytes that a text with escapes stands for, as a field; nothing where it is empty. */
void hlo_proto_put_unescaped(hlo_writer *w, int number, hlo_span text);
bool hlo_proto_read_frontend_attributes(hlo_wire message, hlo_arena *arena, hlo_attribute *attribute, bool *present);
bool hlo_proto_read_api_version(hlo_wire instruction, hlo_attribute *attribute, bool *present);
void hlo_proto_put_api_version(hlo_writer *writer, const hlo_instruction *instruction);
bool hlo_proto_read_layout_constraints(hlo_wire instruction, hlo_arena *arena, hlo_attribute *attribute, bool *present);
void hlo_proto_put_layout_constraints(hlo_writer *writer, hlo_span text);

#endif
