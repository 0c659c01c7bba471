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

/* Reads a module and verifies it; the message is told apart by its contents. NULL on failure: the
 * message says at which byte offset. */
hlo_module *hlo_proto_read(const uint8_t *bytes, size_t length, hlo_status *status);

/* Writes an HloModuleProto that XLA reads back. */
bool hlo_proto_write(hlo_writer *writer, const hlo_module *module, hlo_status *status);

#endif
