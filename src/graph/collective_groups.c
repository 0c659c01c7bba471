#include "graph/collective_groups.h"

#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/opcode.h"

static bool reduces_or_gathers(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
  case HLO_OP_ALL_GATHER:
  case HLO_OP_ALL_GATHER_START:
  case HLO_OP_REDUCE_SCATTER: return true;
  default: return false;
  }
}

int hlo_collective_mode(const hlo_instruction *instruction) {
  if (hlo_instruction_bool(instruction, HLO_ATTR_use_global_device_ids, false)) return HLO_collective_mode_flattened_id;
  if (hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) <= 0) return HLO_collective_mode_cross_replica;
  return reduces_or_gathers(instruction->opcode) ? HLO_collective_mode_cross_replica_and_partition
                                                 : HLO_collective_mode_cross_partition;
}

bool hlo_collective_is_of_everyone(const hlo_instruction *instruction) {
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, HLO_ATTR_replica_groups);
  if (!attribute || attribute->groups->count == 0) return true;
  return attribute->groups->count == 1 && attribute->groups->groups[0].count == 0;
}

static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return hlo_checked_mul(a, b, &result) ? result : 0;
}

int64_t hlo_collective_id_count(const hlo_instruction *instruction, int64_t replicas, int64_t partitions) {
  switch (hlo_collective_mode(instruction)) {
  case HLO_collective_mode_flattened_id: return product(replicas, partitions);
  case HLO_collective_mode_cross_partition: return partitions;
  default: return replicas;
  }
}

int64_t hlo_collective_group_size(const hlo_instruction *instruction, int64_t replicas, int64_t partitions) {
  bool joins_partitions = hlo_collective_mode(instruction) == HLO_collective_mode_cross_replica_and_partition;
  int64_t ids = hlo_collective_is_of_everyone(instruction)
                    ? hlo_collective_id_count(instruction, replicas, partitions)
                    : hlo_instruction_attribute(instruction, HLO_ATTR_replica_groups)->groups->groups[0].count;
  return joins_partitions ? product(ids, partitions) : ids;
}
