/* Where devices meet: gatherings for collectives, mail for permutes and channels, the host for the rest. */
#include "reference/rendezvous.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/text_writer.h"
#include "reference/meeting.h"

hlo_rendezvous *hlo_rendezvous_new(const hlo_module *module, int replicas, int partitions, hlo_host *host,
                                   hlo_status *status) {
  return hlo_rendezvous_new_for(module, NULL, replicas, partitions, host, status);
}

hlo_rendezvous *hlo_rendezvous_new_for(const hlo_module *module, const hlo_computation *const *programs, int replicas,
                                       int partitions, hlo_host *host, hlo_status *status) {
  if (!hlo_rendezvous_check_for(module, programs, replicas, partitions, host, status)) return NULL;
  hlo_rendezvous *rendezvous = calloc(1, sizeof *rendezvous);
  hlo_place *places = calloc((size_t)replicas * (size_t)partitions, sizeof *places);
  if (!rendezvous || !places) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d replicas of %d partitions", replicas, partitions);
    free(rendezvous);
    free(places);
    return NULL;
  }
  *rendezvous = (hlo_rendezvous){.module = module, .replicas = replicas, .partitions = partitions,
                                 .device_count = replicas * partitions, .host = host, .places = places};
  return rendezvous;
}

static void free_gathering(hlo_gathering *gathering) {
  hlo_arena_free(&gathering->arena);
  free(gathering);
}

void hlo_rendezvous_free(hlo_rendezvous *rendezvous) {
  if (!rendezvous) return;
  while (rendezvous->gatherings) {
    hlo_gathering *newer = rendezvous->gatherings->newer;
    free_gathering(rendezvous->gatherings);
    rendezvous->gatherings = newer;
  }
  hlo_mail_free(rendezvous);
  free(rendezvous->places);
  free(rendezvous);
}

void hlo_rendezvous_finish(hlo_rendezvous *rendezvous, int device) { rendezvous->places[device].finished = true; }

/* ---- Gatherings ---- */

static bool same_channel(const hlo_instruction *a, const hlo_instruction *b) {
  return hlo_instruction_int(a, HLO_ATTR_channel_id, 0) == hlo_instruction_int(b, HLO_ATTR_channel_id, 0);
}

bool hlo_same_meeting(const hlo_instruction *a, const hlo_computation *in_a, const hlo_instruction *b,
                      const hlo_computation *in_b) {
  if (a == b) return true;
  return in_a != in_b && a->opcode == b->opcode && same_channel(a, b) && hlo_shape_compatible(a->shape, b->shape);
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

/* The oldest gathering of these members at this instruction that the device has not joined. */
static hlo_gathering *find_gathering(hlo_rendezvous *rendezvous, const hlo_instruction *instruction,
                                     const hlo_computation *computation, int device, const int *devices, int count) {
  for (hlo_gathering *g = rendezvous->gatherings; g; g = g->newer)
    if (hlo_same_meeting(g->instruction, g->computation, instruction, computation) && same_members(g, devices, count) &&
        !g->members[member_number(g, device)].operands)
      return g;
  return NULL;
}

static hlo_gathering *open_gathering(hlo_rendezvous *rendezvous, hlo_evaluation *evaluation,
                                     const hlo_instruction *instruction, const int *devices, int count) {
  hlo_gathering *gathering = calloc(1, sizeof *gathering);
  if (!gathering) {
    hlo_fail(evaluation->status, HLO_OUT_OF_MEMORY, "no memory for %s", instruction->name);
    return NULL;
  }
  *gathering = (hlo_gathering){.instruction = instruction, .computation = evaluation->computation, .count = count};
  gathering->members = hlo_arena_many(&gathering->arena, hlo_member, count, evaluation->status);
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

static bool join(hlo_gathering *gathering, int number, hlo_evaluation *evaluation, const hlo_instruction *instruction,
                 const hlo_literal *const *operands) {
  const hlo_literal **copies =
      hlo_arena_many(&gathering->arena, const hlo_literal *, instruction->operand_count, evaluation->status);
  if (!copies) return false;
  for (int i = 0; i < instruction->operand_count; i++) {
    copies[i] = hlo_literal_copy(&gathering->arena, operands[i], evaluation->status);
    if (!copies[i]) return false;
  }
  gathering->members[number].operands = copies;
  gathering->arrived++;
  return gathering->arrived < gathering->count || hlo_collective_complete(gathering, evaluation);
}

static void leave(hlo_rendezvous *rendezvous, hlo_gathering *gathering, int number) {
  gathering->members[number].left = true;
  if (++gathering->left < gathering->count) return;
  hlo_gathering **link = &rendezvous->gatherings;
  while (*link != gathering) link = &(*link)->newer;
  *link = gathering->newer;
  free_gathering(gathering);
}

/* collective-broadcast leaves zeros where no group reaches; hlo_rendezvous_check has refused it for the others. */
static hlo_meeting outside_all_groups(const hlo_instruction *instruction, hlo_literal *result) {
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    memset(part->data, 0, hlo_literal_bytes(part));
  }
  return HLO_MEETING_DONE;
}

static hlo_meeting gather_members(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                                  const hlo_instruction *instruction, const hlo_literal *const *operands,
                                  hlo_literal *result) {
  hlo_place *place = &rendezvous->places[device];
  if (!place->gathering) {
    hlo_grid_size grid = {rendezvous->replicas, rendezvous->partitions};
    int *devices = hlo_arena_many(evaluation->scratch, int, rendezvous->device_count, evaluation->status);
    int count = devices ? hlo_group_members(instruction, grid, device, devices) : -1;
    if (count < 0) return HLO_MEETING_FAILED;
    if (count == 0) return outside_all_groups(instruction, result);
    place->gathering = find_gathering(rendezvous, instruction, evaluation->computation, device, devices, count);
    if (!place->gathering)
      place->gathering = open_gathering(rendezvous, evaluation, instruction, devices, count);
    if (!place->gathering) return HLO_MEETING_FAILED;
    if (!join(place->gathering, member_number(place->gathering, device), evaluation, instruction, operands))
      return HLO_MEETING_FAILED;
  }
  hlo_gathering *gathering = place->gathering;
  if (gathering->arrived < gathering->count) {
    place->waits_at = instruction;
    return HLO_MEETING_WAIT;
  }
  int number = member_number(gathering, device);
  hlo_collective_result(gathering, instruction, number, result);
  leave(rendezvous, gathering, number);
  place->gathering = NULL;
  place->waits_at = NULL;
  return HLO_MEETING_DONE;
}

/* ---- The host ---- */

static hlo_meeting done_if(bool ok) { return ok ? HLO_MEETING_DONE : HLO_MEETING_FAILED; }

/* An empty tuple reads nothing. */
static hlo_meeting infeed(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                          const hlo_instruction *instruction, hlo_literal *result) {
  hlo_host *host = rendezvous->host;
  hlo_literal *value = result->elements[0];
  bool empty = host->infeed == NULL;
  if (hlo_shape_is_tuple(value->shape) && value->shape->element_count == 0) return HLO_MEETING_DONE;
  if (host->infeed && !host->infeed(host, value->shape, value, &empty, evaluation->status)) return HLO_MEETING_FAILED;
  rendezvous->places[device].waits_at = empty ? instruction : NULL;
  return empty ? HLO_MEETING_WAIT : HLO_MEETING_DONE;
}

static hlo_meeting custom_call(hlo_rendezvous *rendezvous, hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  hlo_host *host = rendezvous->host;
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  hlo_reference_function *function = hlo_builtin_custom_call(target);
  bool registered = host->has_custom_call && host->has_custom_call(host, target);
  if (registered && host->custom_call)
    return done_if(host->custom_call(host, target, operands, instruction->operand_count, result, evaluation->status));
  if (function) return done_if(function(evaluation, instruction, operands, result));
  return done_if(hlo_fail(evaluation->status, HLO_UNSUPPORTED, "custom-call %s: nobody registered the target \"%.*s\"",
                          instruction->name, (int)target.length, target.text));
}

static hlo_meeting number(hlo_literal *result, int value) {
  hlo_literal_set_int(result, 0, value);
  return HLO_MEETING_DONE;
}

hlo_meeting hlo_rendezvous_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                                  const hlo_instruction *instruction, const hlo_literal *const *operands,
                                  hlo_literal *result) {
  hlo_host *host = rendezvous->host;
  switch (instruction->opcode) {
  case HLO_OP_REPLICA_ID: return number(result, device / rendezvous->partitions);
  case HLO_OP_PARTITION_ID: return number(result, device % rendezvous->partitions);
  case HLO_OP_CUSTOM_CALL: return custom_call(rendezvous, evaluation, instruction, operands, result);
  case HLO_OP_INFEED: return infeed(rendezvous, device, evaluation, instruction, result);
  case HLO_OP_OUTFEED: return done_if(!host->outfeed || host->outfeed(host, operands[0], evaluation->status));
  case HLO_OP_SEND: return hlo_send_arrive(rendezvous, device, evaluation, instruction, operands, result);
  case HLO_OP_RECV_DONE: return hlo_recv_done_arrive(rendezvous, device, evaluation, instruction, operands, result);
  case HLO_OP_RECV: return hlo_recv_arrive(evaluation, instruction, result); /* receiving waits when it is done */
  case HLO_OP_SEND_DONE: return HLO_MEETING_DONE; /* sending never waits */
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START:
    return hlo_permute_arrive(rendezvous, device, evaluation, instruction, operands, result);
  default: return gather_members(rendezvous, device, evaluation, instruction, operands, result);
  }
}

/* ---- Deadlock ---- */

const char *hlo_device_text(const hlo_rendezvous *rendezvous, int device, char *buffer, size_t size) {
  int replica = device / rendezvous->partitions, partition = device % rendezvous->partitions;
  if (rendezvous->partitions == 1) hlo_format(buffer, size, "replica %d", replica);
  else if (rendezvous->replicas == 1) hlo_format(buffer, size, "partition %d", partition);
  else hlo_format(buffer, size, "replica %d partition %d", replica, partition);
  return buffer;
}

static void write_device(hlo_writer *writer, const hlo_rendezvous *rendezvous, int device) {
  hlo_write(writer, HLO_DEVICE_TEXT(rendezvous, device));
  if (rendezvous->places[device].finished) hlo_write(writer, ", which has finished");
}

/* "all-reduce.3", or "all-reduce x" where the name does not say what it is. */
static void write_instruction(hlo_writer *writer, const hlo_instruction *instruction) {
  const char *op = hlo_op_name(instruction->opcode);
  if (strncmp(instruction->name, op, strlen(op)) != 0) hlo_write_format(writer, "%s ", op);
  hlo_write(writer, instruction->name);
}

static void write_absent_members(hlo_writer *writer, const hlo_rendezvous *rendezvous, const hlo_gathering *gathering) {
  const char *separator = " for ";
  for (int i = 0; i < gathering->count; i++) {
    if (gathering->members[i].operands) continue;
    hlo_write(writer, separator);
    write_device(writer, rendezvous, gathering->members[i].device);
    separator = rendezvous->places[gathering->members[i].device].finished ? ", and " : " and ";
  }
}

static void write_awaited(hlo_writer *writer, const hlo_rendezvous *rendezvous, const hlo_place *place) {
  const hlo_instruction *instruction = place->waits_at;
  switch (instruction->opcode) {
  case HLO_OP_INFEED: hlo_write(writer, " for data in the infeed queue"); break;
  case HLO_OP_RECV_DONE: hlo_write(writer, " for a send"); /* fall through */
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START:
    if (place->source < 0) break;
    hlo_write(writer, instruction->opcode == HLO_OP_RECV_DONE ? " from " : " for ");
    write_device(writer, rendezvous, place->source);
    break;
  default: write_absent_members(writer, rendezvous, place->gathering);
  }
}

bool hlo_rendezvous_deadlock(const hlo_rendezvous *rendezvous, hlo_status *status) {
  hlo_writer writer;
  hlo_writer_init(&writer, status);
  const char *separator = "deadlock: ";
  for (int i = 0; i < rendezvous->device_count; i++) {
    const hlo_place *place = &rendezvous->places[i];
    if (!place->waits_at) continue;
    hlo_write(&writer, separator);
    hlo_write_format(&writer, "%s waits at ", HLO_DEVICE_TEXT(rendezvous, i));
    write_instruction(&writer, place->waits_at);
    write_awaited(&writer, rendezvous, place);
    separator = "; ";
  }
  hlo_fail(status, HLO_DEADLOCK, "%s", writer.text ? writer.text : "deadlock");
  hlo_writer_free(&writer);
  return false;
}
