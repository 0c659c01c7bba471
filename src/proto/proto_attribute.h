/* Converts attributes of an instruction to and from fields of HloInstructionProto. */
#ifndef HLO_PROTO_PROTO_ATTRIBUTE_H
#define HLO_PROTO_PROTO_ATTRIBUTE_H

#include "base/arena.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "proto/wire.h"
#include "shape/dims.h"

/* Reads one attribute. `called` holds the called computations as indices in the module, in the order of their field. */
bool hlo_proto_read_attribute(hlo_wire instruction, hlo_opcode opcode, hlo_attribute_id id, bool required, hlo_ints called,
                              hlo_arena *arena, hlo_attribute *attribute, bool *present);
/* Writes all attributes of an instruction except control predecessors. */
void hlo_proto_put_attributes(hlo_writer *writer, const hlo_instruction *instruction);

/* Attributes that HLO keeps as text, and protocol buffers as messages. */
bool hlo_proto_read_metadata(hlo_wire metadata, hlo_arena *arena, hlo_attribute *attribute, bool *present);
void hlo_proto_put_metadata(hlo_writer *w, hlo_span metadata);
/* Writes the bytes that an escaped text stands for as a field; writes nothing if the text is empty. */
void hlo_proto_put_unescaped(hlo_writer *w, int number, hlo_span text);
bool hlo_proto_read_frontend_attributes(hlo_wire message, hlo_arena *arena, hlo_attribute *attribute, bool *present);
bool hlo_proto_read_api_version(hlo_wire instruction, hlo_attribute *attribute, bool *present);
void hlo_proto_put_api_version(hlo_writer *writer, const hlo_instruction *instruction);
bool hlo_proto_read_layout_constraints(hlo_wire instruction, hlo_arena *arena, hlo_attribute *attribute, bool *present);
void hlo_proto_put_layout_constraints(hlo_writer *writer, hlo_span text);
/* Groups that are cells of a grid, and those along the axes of a mesh. */
bool hlo_proto_read_iota_groups(hlo_wire list, hlo_arena *arena, hlo_attribute *attribute);
bool hlo_proto_read_mesh_groups(hlo_wire list, hlo_arena *arena, hlo_attribute *attribute);

#endif
