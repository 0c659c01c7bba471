/* Messages from device to device: of collective-permute, and from send to recv over channels.
 *
 * Sending never waits: messages queue, and are taken in the order in which they were sent. */
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
#include "shape/box.h"
#include "shape/literal.h"
#include "shape/shape.h"

static void free_message(hlo_message *message) {
  hlo_arena_free(&message->arena);
  free(message);
}

void hlo_mail_free(hlo_rendezvous *rendezvous) {
  while (rendezvous->messages) {
    hlo_message *newer = rendezvous->messages->newer;
    free_message(rendezvous->messages);
    rendezvous->messages = newer;
  }
}

static bool fill(hlo_message *message, const hlo_literal *const *values, int count, hlo_status *status) {
  message->values = hlo_arena_many(&message->arena, const hlo_literal *, count, status);
  if (!message->values) return false;
  for (int i = 0; i < count; i++) {
    message->values[i] = hlo_literal_copy(&message->arena, values[i], status);
    if (!message->values[i]) return false;
  }
  return true;
}

hlo_message *hlo_message_add(hlo_rendezvous *rendezvous, hlo_status *status) {
  hlo_message *message = calloc(1, sizeof *message);
  if (!message) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a message");
    return NULL;
  }
  hlo_message **last = &rendezvous->messages;
  while (*last) last = &(*last)->newer;
  *last = message;
  return message;
}

/* Returns whether a device is one of another rank. */
static bool is_remote(const hlo_rendezvous *rendezvous, int device) {
  const hlo_remote *remote = hlo_grid_remote(&rendezvous->grid);
  return remote && device >= 0 && device / remote->devices_per_rank != remote->rank;
}

static bool post(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                 int target, const hlo_literal *const *values, int count) {
  if (is_remote(rendezvous, target)) return hlo_remote_post(rendezvous, arrival, instruction, target, values, count);
  hlo_message *message = hlo_message_add(rendezvous, arrival->status);
  if (!message) return false;
  message->instruction = instruction;
  message->computation = arrival->computation;
  message->source = arrival->device;
  message->target = target;
  return fill(message, values, count, arrival->status);
}

static void unlink_message(hlo_rendezvous *rendezvous, hlo_message *message) {
  hlo_message **link = &rendezvous->messages;
  while (*link != message) link = &(*link)->newer;
  *link = message->newer;
}

/* The device at the other end of the pair in which `device` is the source (mine 0) or the target (mine 1); -1: there is none. */
static int peer(const hlo_rendezvous *rendezvous, const hlo_instruction *instruction, int device, int mine) {
  const hlo_attribute *pairs = hlo_instruction_attribute(instruction, HLO_ATTR_source_target_pairs);
  for (int i = 0; pairs && i < pairs->groups->count; i++) {
    const int64_t *pair = pairs->groups->groups[i].data;
    if (hlo_pair_device(instruction, &rendezvous->grid, device, pair[mine]) == device)
      return hlo_pair_device(instruction, &rendezvous->grid, device, pair[1 - mine]);
  }
  return -1;
}

static int source_of(const hlo_rendezvous *r, const hlo_instruction *i, int device) { return peer(r, i, device, 1); }
static int target_of(const hlo_rendezvous *r, const hlo_instruction *i, int device) { return peer(r, i, device, 0); }

static hlo_meeting wait_for(hlo_rendezvous *rendezvous, int device, const hlo_instruction *instruction, int source) {
  hlo_device_state *state = &rendezvous->devices[device];
  state->waits_at = instruction;
  state->source = source;
  return HLO_MEETING_WAIT;
}

/* ---- collective-permute ---- */

static void clear(hlo_literal *literal) {
  if (hlo_shape_is_array(literal->shape)) memset(literal->data, 0, hlo_literal_bytes(literal));
  for (int i = 0; i < literal->shape->element_count; i++) clear(literal->elements[i]);
}

/* Takes what other ranks have sent, where there are any. */
static bool collect(hlo_rendezvous *rendezvous, hlo_status *status) {
  return !hlo_grid_remote(&rendezvous->grid) || hlo_remote_collect(rendezvous, status);
}

/* The oldest message from `source` to `target` that was sent at the same execution of the same collective-permute. */
static hlo_message *permuted_message(hlo_rendezvous *rendezvous, const hlo_instruction *instruction,
                                     const hlo_computation *computation, int source, int target) {
  for (hlo_message *m = rendezvous->messages; m; m = m->newer)
    if (m->source == source && m->target == target &&
        hlo_same_meeting(m->instruction, m->computation, instruction, computation))
      return m;
  return NULL;
}

hlo_meeting hlo_permute_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival,
                               const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  int device = arrival->device;
  hlo_device_state *state = &rendezvous->devices[device];
  int source = source_of(rendezvous, instruction, device), target = target_of(rendezvous, instruction, device);
  bool arrives = !state->waits_at;
  if (arrives && target >= 0 && !post(rendezvous, arrival, instruction, target, operands, instruction->operand_count))
    return HLO_MEETING_FAILED;
  hlo_literal *results = hlo_started_result(instruction, arrives ? operands : NULL, result);
  if (!collect(rendezvous, arrival->status)) return HLO_MEETING_FAILED;
  hlo_message *message =
      source < 0 ? NULL : permuted_message(rendezvous, instruction, arrival->computation, source, device);
  if (source >= 0 && !message) return wait_for(rendezvous, device, instruction, source);
  for (int i = 0; i < instruction->operand_count; i++) {
    if (message) hlo_literal_assign(hlo_result_part(results, i), message->values[i]);
    else clear(hlo_result_part(results, i));
  }
  state->waits_at = NULL;
  if (!message) return HLO_MEETING_DONE;
  unlink_message(rendezvous, message);
  free_message(message);
  return HLO_MEETING_DONE;
}

/* ---- send and recv ---- */

/* A recv leaves its number in its context, counted from 1 over the whole module. By this number its recv-done finds it, even if
 * the context has been the state of a loop in between. */
hlo_meeting hlo_recv_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                            hlo_literal *result) {
  uint64_t number = hlo_instruction_number(rendezvous->grid.module, arrival->computation, instruction);
  hlo_literal_set_int(result->elements[1], 0, (int64_t)number);
  return HLO_MEETING_DONE;
}

/* The recv that left its number in a context; NULL: none did. */
static const hlo_instruction *recv_of(const hlo_module *module, const hlo_literal *context) {
  const hlo_computation *computation;
  const hlo_instruction *found = hlo_numbered_instruction(module, (uint64_t)hlo_literal_int(context, 0), &computation);
  return found && found->opcode == HLO_OP_RECV ? found : NULL;
}

static int64_t channel_of(const hlo_instruction *instruction) { return hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0); }

hlo_meeting hlo_send_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival,
                            const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  int device = arrival->device;
  bool has_pairs = hlo_instruction_attribute(instruction, HLO_ATTR_source_target_pairs) != NULL;
  int target = has_pairs ? target_of(rendezvous, instruction, device) : -1;
  hlo_literal_assign(result->elements[0], operands[0]);
  if (has_pairs && target < 0) return HLO_MEETING_DONE; /* this device has nobody to send to */
  return post(rendezvous, arrival, instruction, target, operands, 1) ? HLO_MEETING_DONE : HLO_MEETING_FAILED;
}

/* The oldest message on the channel that `device` may take: from `source`; or, where that is -1, from itself, else from any device. */
static hlo_message *received_message(hlo_rendezvous *rendezvous, int64_t channel, int device, int source) {
  hlo_message *found = NULL;
  for (hlo_message *m = rendezvous->messages; m; m = m->newer) {
    if (m->instruction->opcode != HLO_OP_SEND || channel_of(m->instruction) != channel) continue;
    if ((m->target >= 0 && m->target != device) || (source >= 0 && m->source != source)) continue;
    if (!found || (m->source == device && found->source != device)) found = m;
  }
  return found;
}

hlo_meeting hlo_recv_done_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival,
                                 const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  int device = arrival->device;
  const hlo_instruction *start = recv_of(rendezvous->grid.module, operands[0]->elements[1]);
  if (!start) {
    hlo_fail(arrival->status, HLO_VERIFY, "recv-done %s: what it waits for was started by no recv", instruction->name);
    return HLO_MEETING_FAILED;
  }
  bool has_pairs = hlo_instruction_attribute(start, HLO_ATTR_source_target_pairs) != NULL;
  int source = has_pairs ? source_of(rendezvous, start, device) : -1;
  rendezvous->devices[device].waits_at = NULL;
  if (has_pairs && source < 0) { /* nobody sends to this device */
    clear(result->elements[0]);
    return HLO_MEETING_DONE;
  }
  int64_t channel = channel_of(start);
  if (!collect(rendezvous, arrival->status)) return HLO_MEETING_FAILED;
  hlo_message *message = received_message(rendezvous, channel, device, source);
  if (!message) return wait_for(rendezvous, device, instruction, source);
  if (!hlo_shape_compatible(message->values[0]->shape, result->elements[0]->shape)) {
    hlo_fail(arrival->status, HLO_SHAPE, "recv-done %s: channel %lld brings %pS, expected %pS", instruction->name,
             (long long)channel, message->values[0]->shape, result->elements[0]->shape);
    return HLO_MEETING_FAILED;
  }
  hlo_literal_assign(result->elements[0], message->values[0]);
  unlink_message(rendezvous, message);
  free_message(message);
  return HLO_MEETING_DONE;
}
