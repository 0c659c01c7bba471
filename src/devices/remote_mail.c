/* Messages to devices of other ranks: who sends what to whom, and then the values, as they are in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "devices/rendezvous.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef struct envelope {
  uint64_t number; /* of the instruction that sends */
  int32_t source, target;
} envelope;

static size_t value_bytes(const hlo_literal *value) {
  if (hlo_shape_is_array(value->shape)) return hlo_literal_bytes(value);
  size_t bytes = 0;
  for (int i = 0; hlo_shape_is_tuple(value->shape) && i < value->shape->element_count; i++) bytes += value_bytes(value->elements[i]);
  return bytes;
}

/* Copies the arrays of a value, one after another, to memory (out) or from it; returns the memory behind them. */
static char *copy_value(const hlo_literal *value, char *memory, bool out) {
  if (hlo_shape_is_array(value->shape)) {
    size_t bytes = hlo_literal_bytes(value);
    if (bytes) memcpy(out ? memory : value->data, out ? value->data : memory, bytes);
    return memory + bytes;
  }
  for (int i = 0; hlo_shape_is_tuple(value->shape) && i < value->shape->element_count; i++) memory = copy_value(value->elements[i], memory, out);
  return memory;
}

bool hlo_remote_post(const hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction, int target,
                     const hlo_literal *const *values, int count) {
  hlo_remote *remote = hlo_grid_remote(&rendezvous->grid);
  size_t size = sizeof(envelope);
  for (int i = 0; i < count; i++) size += value_bytes(values[i]);
  char *bytes = malloc(size);
  if (!bytes) return hlo_fail(arrival->status, HLO_OUT_OF_MEMORY, "no memory for a message of %zu bytes", size);
  envelope e = {hlo_instruction_number(rendezvous->grid.module, arrival->computation, instruction), arrival->device, target};
  memcpy(bytes, &e, sizeof e);
  char *to = bytes + sizeof e;
  for (int i = 0; i < count; i++) to = copy_value(values[i], to, true);
  int64_t channel = hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0);
  return remote->send(remote, target / remote->devices_per_rank, channel, bytes, size, arrival->status);
}

/* Puts the values of a message that came into the queue. */
static bool deliver(hlo_rendezvous *rendezvous, char *bytes, hlo_status *status) {
  envelope e;
  memcpy(&e, bytes, sizeof e);
  hlo_message *message = hlo_message_add(rendezvous, status);
  if (!message) return false;
  message->instruction = hlo_numbered_instruction(rendezvous->grid.module, e.number, &message->computation);
  message->source = e.source;
  message->target = e.target;
  int count = message->instruction->opcode == HLO_OP_SEND ? 1 : message->instruction->operand_count;
  const hlo_literal **values = message->values = hlo_arena_many(&message->arena, const hlo_literal *, count, status);
  char *from = bytes + sizeof e;
  for (int i = 0; values && i < count; i++) {
    hlo_literal *value = hlo_literal_make(&message->arena, hlo_operand(message->computation, message->instruction, i)->shape, status);
    if (!value) return false;
    from = copy_value(value, from, false);
    values[i] = value;
  }
  return values != NULL;
}

bool hlo_remote_collect(hlo_rendezvous *rendezvous, hlo_status *status) {
  hlo_remote *remote = hlo_grid_remote(&rendezvous->grid);
  for (;;) {
    void *bytes;
    size_t size;
    if (!remote->receive(remote, &bytes, &size, status)) return false;
    if (!bytes) return true;
    bool ok = deliver(rendezvous, bytes, status);
    free(bytes);
    if (!ok) return false;
  }
}
