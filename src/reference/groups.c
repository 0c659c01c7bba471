/* Who works together: groups of replica, partition or device ids as groups of devices.
 *
 *   ids in the groups    how a collective says so                         a group joins
 *   replicas             no channel                                       those replicas, one partition each time
 *   partitions           channel, and no use_global_device_ids to say     those partitions, one replica each time
 *   replicas             channel, use_global_device_ids=false             those replicas with all their partitions
 *   devices              use_global_device_ids=true                       those devices
 *
 * Device ids count replica * partitions + partition. No groups at all: one group of every id. */
#include "reference/meeting.h"

typedef enum id_kind { REPLICAS, PARTITIONS, REPLICAS_WITH_PARTITIONS, DEVICES } id_kind;

/* Reductions and gathers cross both dimensions of the grid when they have a channel; the others name partitions. */
static bool crosses_both(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
  case HLO_OP_ALL_GATHER:
  case HLO_OP_ALL_GATHER_START:
  case HLO_OP_REDUCE_SCATTER: return true;
  default: return false;
  }
}

static id_kind kind_of(const hlo_instruction *instruction) {
  if (hlo_instruction_bool(instruction, HLO_ATTR_use_global_device_ids, false)) return DEVICES;
  if (hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) <= 0) return REPLICAS;
  bool said = hlo_instruction_attribute(instruction, HLO_ATTR_use_global_device_ids) != NULL;
  return said || crosses_both(instruction->opcode) ? REPLICAS_WITH_PARTITIONS : PARTITIONS;
}

int64_t hlo_group_id_count(const hlo_instruction *instruction, hlo_grid_size grid, const char **noun) {
  switch (kind_of(instruction)) {
  case DEVICES: *noun = "device"; return (int64_t)grid.replicas * grid.partitions;
  case PARTITIONS: *noun = "partition"; return grid.partitions;
  default: *noun = "replica"; return grid.replicas;
  }
}

static int64_t id_of(id_kind kind, hlo_grid_size grid, int device) {
  if (kind == DEVICES) return device;
  return kind == PARTITIONS ? device % grid.partitions : device / grid.partitions;
}

/* Adds the devices of one group, as seen from `device`. */
static int add_group(id_kind kind, hlo_grid_size grid, int device, hlo_ints ids, int *members) {
  int count = 0, replica = device / grid.partitions, partition = device % grid.partitions;
  int layers = kind == REPLICAS_WITH_PARTITIONS ? grid.partitions : 1;
  for (int layer = 0; layer < layers; layer++) {
    for (int i = 0; i < ids.count; i++) {
      int id = (int)ids.data[i];
      switch (kind) {
      case DEVICES: members[count++] = id; break;
      case PARTITIONS: members[count++] = replica * grid.partitions + id; break;
      case REPLICAS: members[count++] = id * grid.partitions + partition; break;
      default: members[count++] = id * grid.partitions + layer; break;
      }
    }
  }
  return count;
}

static int add_everyone(id_kind kind, hlo_grid_size grid, int device, int *members) {
  int count = 0, total = grid.replicas * grid.partitions;
  for (int layer = 0; layer < grid.partitions; layer++) {
    for (int i = layer; i < total; i += grid.partitions) {
      bool same_replica = i / grid.partitions == device / grid.partitions;
      bool same_partition = layer == device % grid.partitions;
      if (kind == PARTITIONS ? same_replica : kind == REPLICAS ? same_partition : true) members[count++] = i;
    }
  }
  if (kind == DEVICES)
    for (int i = 0; i < count; i++) members[i] = i;
  return count;
}

int hlo_group_members(const hlo_instruction *instruction, hlo_grid_size grid, int device, int *members) {
  id_kind kind = kind_of(instruction);
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, HLO_ATTR_replica_groups);
  if (!attribute || attribute->groups->count == 0) return add_everyone(kind, grid, device, members);
  if (attribute->groups->count == 1 && attribute->groups->groups[0].count == 0)
    return add_everyone(kind, grid, device, members); /* replica_groups={{}} */
  int64_t own = id_of(kind, grid, device);
  for (int g = 0; g < attribute->groups->count; g++) {
    hlo_ints ids = attribute->groups->groups[g];
    for (int i = 0; i < ids.count; i++)
      if (ids.data[i] == own) return add_group(kind, grid, device, ids, members);
  }
  return 0;
}

int hlo_pair_device(const hlo_instruction *instruction, hlo_grid_size grid, int device, int64_t id) {
  bool partitions = hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) > 0 && grid.partitions > 1;
  if (partitions) return device / grid.partitions * grid.partitions + (int)id;
  return (int)id * grid.partitions + device % grid.partitions;
}
