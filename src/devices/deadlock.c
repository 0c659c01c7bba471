/* The message of a deadlock: "deadlock: replica 0 waits at all-reduce.3 for replica 1, which has finished". */
#include <string.h>

#include "base/status.h"
#include "base/text_writer.h"
#include "devices/grid.h"
#include "devices/rendezvous.h"
#include "devices/rendezvous_state.h"
#include "graph/module.h"
#include "graph/opcode.h"

/* "replica 3", "partition 0" or "replica 1 partition 0": what the grid has one of is not mentioned. */
static void write_number(hlo_writer *writer, const hlo_device_grid *grid, int device) {
  int replica = device / grid->partitions, partition = device % grid->partitions;
  if (grid->partitions == 1) hlo_write_format(writer, "replica %d", replica);
  else if (grid->replicas == 1) hlo_write_format(writer, "partition %d", partition);
  else hlo_write_format(writer, "replica %d partition %d", replica, partition);
}

static void write_device(hlo_writer *writer, const hlo_rendezvous *rendezvous, int device) {
  write_number(writer, &rendezvous->grid, device);
  if (rendezvous->devices[device].finished) hlo_write(writer, ", which has finished");
}

/* "all-reduce.3", or "all-reduce x" where the name does not begin with the op. */
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
    separator = rendezvous->devices[gathering->members[i].device].finished ? ", and " : " and ";
  }
}

static void write_awaited(hlo_writer *writer, const hlo_rendezvous *rendezvous, const hlo_device_state *state) {
  const hlo_instruction *instruction = state->waits_at;
  switch (instruction->opcode) {
  case HLO_OP_INFEED: hlo_write(writer, " for data in the infeed queue"); break;
  case HLO_OP_RECV_DONE: hlo_write(writer, " for a send"); /* fall through */
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START:
    if (state->source < 0) break;
    hlo_write(writer, instruction->opcode == HLO_OP_RECV_DONE ? " from " : " for ");
    write_device(writer, rendezvous, state->source);
    break;
  default: write_absent_members(writer, rendezvous, state->gathering);
  }
}

bool hlo_rendezvous_deadlock(const hlo_rendezvous *rendezvous, hlo_status *status) {
  hlo_writer writer;
  hlo_writer_init(&writer, status);
  const char *separator = "deadlock: ";
  for (int i = 0; i < hlo_grid_device_count(&rendezvous->grid); i++) {
    const hlo_device_state *state = &rendezvous->devices[i];
    if (!state->waits_at) continue;
    hlo_write(&writer, separator);
    write_number(&writer, &rendezvous->grid, i);
    hlo_write(&writer, " waits at ");
    write_instruction(&writer, state->waits_at);
    write_awaited(&writer, rendezvous, state);
    separator = "; ";
  }
  hlo_fail(status, HLO_DEADLOCK, "%s", writer.text ? writer.text : "deadlock");
  hlo_writer_free(&writer);
  return false;
}
