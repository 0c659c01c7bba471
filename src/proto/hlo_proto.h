/* HloModuleProto and what wraps it: HloProto (XLA's dumps), HloSnapshot.
 *
 * A reader and a writer of our own: the messages are many but shallow, most fields map one to one to the
 * op table's attributes, and the wire format is four kinds of field. A generated decoder with its
 * descriptors would weigh more than these files do. */
#ifndef HLO_PROTO_HLO_PROTO_H
#define HLO_PROTO_HLO_PROTO_H

#include "verify/verify.h"

/* Whether bytes look like one of the three messages (an HLO text or MLIR never does). */
bool hlo_proto_recognise(const uint8_t *bytes, size_t length);
/* How many messages stand around the HloModuleProto: 0, 1 (HloProto) or 2 (HloSnapshot); -1: there is none. */
int hlo_proto_wrappers(const uint8_t *bytes, size_t length);

/* Reads a module and verifies it; the message is told apart by its contents. NULL on failure: the
 * message says at which byte offset. */
hlo_module *hlo_proto_read(const uint8_t *bytes, size_t length, hlo_status *status);

/* Writes an HloModuleProto that XLA reads back; one inside an HloProto. */
bool hlo_proto_write(hlo_writer *writer, const hlo_module *module, hlo_status *status);
bool hlo_proto_write_hlo(hlo_writer *writer, const hlo_module *module, hlo_status *status);

/* What a run took and gave: an HloSnapshot beside its module. */
typedef struct hlo_snapshot {
  int argument_count;
  hlo_literal **arguments;
  hlo_literal *result; /* NULL: none */
} hlo_snapshot;

/* A literal of the file has no actual sizes: a value of bounded dimensions is refused. */
bool hlo_proto_write_snapshot(hlo_writer *writer, const hlo_module *module, const hlo_snapshot *snapshot, hlo_status *status);
/* The values of an HloSnapshot, in the arena; none from bytes that are anything else. */
bool hlo_proto_read_snapshot(const uint8_t *bytes, size_t length, hlo_arena *arena, hlo_snapshot *snapshot, hlo_status *status);

#endif
