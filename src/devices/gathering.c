/* Gatherings: the members of a group meet at one execution of a collective (rendezvous_state.h says how). */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "devices/rendezvous.h"
#include "devices/rendezvous_state.h"
#include "graph/module.h"
#include "shape/box.h"
#include "shape/literal.h"

static void free_gathering(hlo_gathering *gathering) {
  hlo_arena_free(&gathering->arena);
  free(gathering);
}

static int member_number(const hlo_gathering *gathering, int device) {
  for (int i = 0; i < gathering->count; i++)
    if (gathering->members[i].device == device) return i;
  return -1;
}

static bool same_members(const hlo_gathering *gathering, const int *devices, int count) {
  if (gathering->count != count) return false;
  for (int i = 0; i < count; i++)
    if (gathering->members[i].device != devices[i]) return false;
  return true;
}

/* The oldest gathering of these members at this instruction that the device has not joined; NULL: there is none. */
static hlo_gathering *find_gathering(hlo_rendezvous *rendezvous, const hlo_instruction *instruction,
                                     const hlo_computation *computation, int device, const int *devices, int count) {
  for (hlo_gathering *g = rendezvous->gatherings; g; g = g->newer)
    if (hlo_same_meeting(g->instruction, g->computation, instruction, computation) && same_members(g, devices, count) &&
        !g->members[member_number(g, device)].operands)
      return g;
  return NULL;
}

/* Returns how many of the devices are in this process. */
static int members_here(const hlo_device_grid *grid, const int *devices, int count) {
  const hlo_remote *remote = hlo_grid_remote(grid);
  if (!remote) return count;
  int here = 0;
  for (int i = 0; i < count; i++) here += devices[i] / remote->devices_per_rank == remote->rank;
  return here;
}

static hlo_gathering *open_gathering(hlo_rendezvous *rendezvous, const hlo_arrival *arrival,
                                     const hlo_instruction *instruction, const int *devices, int count) {
  hlo_gathering *gathering = calloc(1, sizeof *gathering);
  if (!gathering) {
    hlo_fail(arrival->status, HLO_OUT_OF_MEMORY, "no memory for %s", instruction->name);
    return NULL;
  }
  *gathering = (hlo_gathering){.instruction = instruction, .computation = arrival->computation, .count = count,
                               .here = members_here(&rendezvous->grid, devices, count)};
  gathering->members = hlo_arena_many(&gathering->arena, hlo_member, count, arrival->status);
  if (!gathering->members) {
    free_gathering(gathering);
    return NULL;
  }
  for (int i = 0; i < count; i++) gathering->members[i].device = devices[i];
  hlo_gathering **last = &rendezvous->gatherings;
  while (*last) last = &(*last)->newer;
  *last = gathering;
  return gathering;
}

/* Combines what there is to combine, once all members of this process are there; or begins to exchange it with the other ranks. */
static bool complete(const hlo_rendezvous *rendezvous, hlo_gathering *gathering, const hlo_arrival *arrival) {
  if (hlo_grid_remote(&rendezvous->grid) && gathering->here < gathering->count)
    return hlo_crossing_begin(gathering, &rendezvous->grid, arrival);
  return hlo_collective_complete(gathering, rendezvous->grid.module, arrival);
}

/* The last member to join completes the gathering. */
static bool join(const hlo_rendezvous *rendezvous, hlo_gathering *gathering, const hlo_arrival *arrival,
                 const hlo_instruction *instruction, const hlo_literal *const *operands) {
  const hlo_literal **copies =
      hlo_arena_many(&gathering->arena, const hlo_literal *, instruction->operand_count, arrival->status);
  if (!copies) return false;
  for (int i = 0; i < instruction->operand_count; i++) {
    copies[i] = hlo_literal_copy(&gathering->arena, operands[i], arrival->status);
    if (!copies[i]) return false;
  }
  gathering->members[member_number(gathering, arrival->device)].operands = copies;
  gathering->arrived++;
  return gathering->arrived < gathering->here || complete(rendezvous, gathering, arrival);
}

/* The last member to leave frees the gathering. */
static void leave(hlo_rendezvous *rendezvous, hlo_gathering *gathering) {
  if (++gathering->left < gathering->here) return;
  hlo_gathering **link = &rendezvous->gatherings;
  while (*link != gathering) link = &(*link)->newer;
  *link = gathering->newer;
  free_gathering(gathering);
}

/* collective-broadcast gives zeros to a device in no group; hlo_grid_check has refused other ops with such devices. */
static hlo_meeting outside_all_groups(const hlo_instruction *instruction, hlo_literal *result) {
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    memset(part->data, 0, hlo_literal_bytes(part));
  }
  return HLO_MEETING_DONE;
}

/* Joins the oldest gathering of the group that the device has not joined, or opens one. `devices` are the `count` members. */
static bool enter(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction, const int *devices,
                  int count, const hlo_literal *const *operands) {
  hlo_gathering *gathering = find_gathering(rendezvous, instruction, arrival->computation, arrival->device, devices, count);
  if (!gathering) gathering = open_gathering(rendezvous, arrival, instruction, devices, count);
  if (!gathering) return false;
  rendezvous->devices[arrival->device].gathering = gathering;
  return join(rendezvous, gathering, arrival, instruction, operands);
}

hlo_meeting hlo_gathering_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result) {
  hlo_device_state *state = &rendezvous->devices[arrival->device];
  if (!state->gathering) {
    int *devices = hlo_arena_many(arrival->scratch, int, hlo_grid_device_count(&rendezvous->grid), arrival->status);
    if (!devices) return HLO_MEETING_FAILED;
    int count = hlo_group_members(instruction, &rendezvous->grid, arrival->device, devices);
    if (count == 0) return outside_all_groups(instruction, result);
    if (!enter(rendezvous, arrival, instruction, devices, count, operands)) return HLO_MEETING_FAILED;
  }
  hlo_gathering *gathering = state->gathering;
  bool crosses = hlo_grid_remote(&rendezvous->grid) && gathering->crossing, done = gathering->arrived == gathering->here;
  if (crosses && done && !hlo_crossing_advance(gathering, &rendezvous->grid, arrival, &done)) return HLO_MEETING_FAILED;
  if (!done) {
    state->waits_at = instruction;
    return HLO_MEETING_WAIT;
  }
  if (crosses) hlo_crossing_result(gathering, instruction, member_number(gathering, arrival->device), result);
  else hlo_collective_result(gathering, instruction, member_number(gathering, arrival->device), result);
  leave(rendezvous, gathering);
  state->gathering = NULL;
  state->waits_at = NULL;
  return HLO_MEETING_DONE;
}

void hlo_gatherings_free(hlo_rendezvous *rendezvous) {
  while (rendezvous->gatherings) {
    hlo_gathering *newer = rendezvous->gatherings->newer;
    free_gathering(rendezvous->gatherings);
    rendezvous->gatherings = newer;
  }
}
