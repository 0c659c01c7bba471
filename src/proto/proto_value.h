/* ShapeProto and LiteralProto. */
#ifndef HLO_PROTO_PROTO_VALUE_H
#define HLO_PROTO_PROTO_VALUE_H

#include "base/arena.h"
#include "base/text_writer.h"
#include "proto/wire.h"
#include "shape/literal.h"
#include "shape/shape.h"

const hlo_shape *hlo_proto_read_shape(hlo_wire wire, hlo_arena *arena);
hlo_literal *hlo_proto_read_literal(hlo_wire wire, hlo_arena *arena);
void hlo_proto_write_shape(hlo_writer *writer, int number, const hlo_shape *shape);
void hlo_proto_write_literal(hlo_writer *writer, int number, const hlo_literal *literal);

#endif
