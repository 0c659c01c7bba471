/* HloModuleProto, and the messages that contain one: HloProto (XLA's dumps) and HloSnapshot.
 *
 * The reader and the writer are our own: the messages are many but shallow, most fields map one to one to the op table's
 * attributes, and the wire format has only four kinds of field. Generated code with its descriptors would be larger than these files. */
#ifndef HLO_PROTO_HLO_PROTO_H
#define HLO_PROTO_HLO_PROTO_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "shape/literal.h"

/* Returns whether the bytes look like one of the three messages. HLO text and MLIR never do. */
bool hlo_proto_recognise(const uint8_t *bytes, size_t length);
/* Returns how many messages are around the HloModuleProto: 0, 1 (HloProto) or 2 (HloSnapshot); -1 if there is no module. */
int hlo_proto_wrappers(const uint8_t *bytes, size_t length);

/* Reads and verifies a module from any of the three messages, which are told apart by their contents. Returns NULL on failure; the
 * status says at which byte offset. */
hlo_module *hlo_proto_read(const uint8_t *bytes, size_t length, hlo_status *status);

/* Writes an HloModuleProto that XLA reads back, or an HloProto around it. */
bool hlo_proto_write(hlo_writer *writer, const hlo_module *module, hlo_status *status);
bool hlo_proto_write_hlo(hlo_writer *writer, const hlo_module *module, hlo_status *status);

/* The arguments and the result of a run, which an HloSnapshot holds beside the module. */
typedef struct hlo_snapshot {
  int argument_count;
  hlo_literal **arguments;
  hlo_literal *result; /* NULL: none */
} hlo_snapshot;

/* Writes an HloSnapshot. Refuses values of bounded dimensions, because a LiteralProto has no field for their actual sizes. */
bool hlo_proto_write_snapshot(hlo_writer *writer, const hlo_module *module, const hlo_snapshot *snapshot, hlo_status *status);
/* Reads the values of an HloSnapshot into the arena. Bytes of any other message have none, which is no failure. */
bool hlo_proto_read_snapshot(const uint8_t *bytes, size_t length, hlo_arena *arena, hlo_snapshot *snapshot, hlo_status *status);

#endif
