/* Arrivals: gatherings take collectives, mail takes permutes and channels, the host takes its queues. */
#include "devices/rendezvous.h"

#include <stdlib.h>

#include "devices/host.h"
#include "devices/remote.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/shape.h"

hlo_rendezvous *hlo_rendezvous_new(const hlo_device_grid *grid, hlo_status *status) {
  if (!hlo_grid_check(grid, status)) return NULL;
  hlo_rendezvous *rendezvous = calloc(1, sizeof *rendezvous);
  hlo_device_state *devices = calloc((size_t)hlo_grid_device_count(grid), sizeof *devices);
  if (!rendezvous || !devices) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d replicas of %d partitions", grid->replicas, grid->partitions);
    free(rendezvous);
    free(devices);
    return NULL;
  }
  *rendezvous = (hlo_rendezvous){.grid = *grid, .devices = devices};
  return rendezvous;
}

void hlo_rendezvous_free(hlo_rendezvous *rendezvous) {
  if (!rendezvous) return;
  hlo_gatherings_free(rendezvous);
  hlo_mail_free(rendezvous);
  free(rendezvous->devices);
  free(rendezvous);
}

void hlo_rendezvous_finish(hlo_rendezvous *rendezvous, int device) { rendezvous->devices[device].finished = true; }

static bool same_channel(const hlo_instruction *a, const hlo_instruction *b) {
  return hlo_instruction_int(a, HLO_ATTR_channel_id, 0) == hlo_instruction_int(b, HLO_ATTR_channel_id, 0);
}

bool hlo_same_meeting(const hlo_instruction *a, const hlo_computation *in_a, const hlo_instruction *b,
                      const hlo_computation *in_b) {
  if (a == b) return true;
  return in_a != in_b && a->opcode == b->opcode && same_channel(a, b) && hlo_shape_compatible(a->shape, b->shape);
}

uint64_t hlo_instruction_number(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction) {
  uint64_t number = (uint64_t)instruction->index + 1;
  for (int c = 0; c < computation->index; c++) number += (uint64_t)module->computations[c]->instruction_count;
  return number;
}

const hlo_instruction *hlo_numbered_instruction(const hlo_module *module, uint64_t number, const hlo_computation **computation) {
  number--;
  for (int c = 0; c < module->computation_count; c++) {
    *computation = module->computations[c];
    if (number < (uint64_t)(*computation)->instruction_count) return (*computation)->instructions[number];
    number -= (uint64_t)(*computation)->instruction_count;
  }
  return NULL;
}

/* ---- Other ranks ---- */

hlo_attendance hlo_rendezvous_step_out(hlo_rendezvous *rendezvous, int device) {
  hlo_device_state *state = &rendezvous->devices[device];
  hlo_attendance attendance = {state->waits_at, state->gathering, state->source};
  state->waits_at = NULL;
  state->gathering = NULL;
  return attendance;
}

void hlo_rendezvous_step_in(hlo_rendezvous *rendezvous, int device, hlo_attendance attendance) {
  hlo_device_state *state = &rendezvous->devices[device];
  state->waits_at = attendance.waits_at;
  state->gathering = attendance.gathering;
  state->source = attendance.source;
}

static bool write_waiting(const void *rendezvous, hlo_status *status) { return hlo_rendezvous_deadlock(rendezvous, status); }

bool hlo_rendezvous_wait(const hlo_rendezvous *rendezvous, hlo_status *status) {
  hlo_remote *remote = hlo_grid_remote(&rendezvous->grid);
  return remote ? remote->idle(remote, write_waiting, rendezvous, status) : hlo_rendezvous_deadlock(rendezvous, status);
}

/* ---- The host ---- */

static hlo_meeting done_if(bool ok) { return ok ? HLO_MEETING_DONE : HLO_MEETING_FAILED; }

/* An infeed of an empty tuple takes nothing from the queue. */
static hlo_meeting infeed(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                          hlo_literal *result) {
  hlo_host *host = rendezvous->grid.host;
  hlo_literal *value = result->elements[0];
  bool empty = host->infeed == NULL;
  if (hlo_shape_is_tuple(value->shape) && value->shape->element_count == 0) return HLO_MEETING_DONE;
  if (host->infeed && !host->infeed(host, value->shape, value, &empty, arrival->status)) return HLO_MEETING_FAILED;
  rendezvous->devices[arrival->device].waits_at = empty ? instruction : NULL;
  return empty ? HLO_MEETING_WAIT : HLO_MEETING_DONE;
}

static hlo_meeting outfeed(hlo_host *host, const hlo_literal *value, hlo_status *status) {
  return done_if(!host->outfeed || host->outfeed(host, value, status));
}

/* ---- Arriving ---- */

static hlo_meeting number(hlo_literal *result, int value) {
  hlo_literal_set_int(result, 0, value);
  return HLO_MEETING_DONE;
}

hlo_meeting hlo_rendezvous_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                                  const hlo_literal *const *operands, hlo_literal *result) {
  switch (instruction->opcode) {
  case HLO_OP_REPLICA_ID: return number(result, arrival->device / rendezvous->grid.partitions);
  case HLO_OP_PARTITION_ID: return number(result, arrival->device % rendezvous->grid.partitions);
  case HLO_OP_INFEED: return infeed(rendezvous, arrival, instruction, result);
  case HLO_OP_OUTFEED: return outfeed(rendezvous->grid.host, operands[0], arrival->status);
  case HLO_OP_SEND: return hlo_send_arrive(rendezvous, arrival, instruction, operands, result);
  case HLO_OP_SEND_DONE: return HLO_MEETING_DONE; /* sending never waits */
  case HLO_OP_RECV: return hlo_recv_arrive(rendezvous, arrival, instruction, result); /* its recv-done waits */
  case HLO_OP_RECV_DONE: return hlo_recv_done_arrive(rendezvous, arrival, instruction, operands, result);
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START: return hlo_permute_arrive(rendezvous, arrival, instruction, operands, result);
  default: return hlo_gathering_arrive(rendezvous, arrival, instruction, operands, result);
  }
}
