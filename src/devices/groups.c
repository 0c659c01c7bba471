/* Groups of replica, partition or device ids (graph/collective_groups.h) as groups of devices. */
#include "devices/grid.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/collective_groups.h"
#include "graph/module.h"
#include "shape/dims.h"

int64_t hlo_group_id_count(const hlo_instruction *instruction, const hlo_device_grid *grid, const char **noun) {
  switch (hlo_collective_mode(instruction)) {
  case HLO_collective_mode_flattened_id: *noun = "device"; break;
  case HLO_collective_mode_cross_partition: *noun = "partition"; break;
  default: *noun = "replica";
  }
  return hlo_collective_id_count(instruction, grid->replicas, grid->partitions);
}

/* The id by which groups name a device. */
static int64_t id_of(int mode, const hlo_device_grid *grid, int device) {
  if (mode == HLO_collective_mode_flattened_id) return device;
  return mode == HLO_collective_mode_cross_partition ? device % grid->partitions : device / grid->partitions;
}

/* Fills in the devices of the group of these ids that `device` belongs to. Returns how many. */
static int list_group(int mode, const hlo_device_grid *grid, int device, hlo_ints ids, int *members) {
  int count = 0, replica = device / grid->partitions, partition = device % grid->partitions;
  int layers = mode == HLO_collective_mode_cross_replica_and_partition ? grid->partitions : 1;
  for (int layer = 0; layer < layers; layer++) {
    for (int i = 0; i < ids.count; i++) {
      int id = (int)ids.data[i];
      switch (mode) {
      case HLO_collective_mode_flattened_id: members[count++] = id; break;
      case HLO_collective_mode_cross_partition: members[count++] = replica * grid->partitions + id; break;
      case HLO_collective_mode_cross_replica: members[count++] = id * grid->partitions + partition; break;
      default: members[count++] = id * grid->partitions + layer; break;
      }
    }
  }
  return count;
}

static bool are_together(int mode, const hlo_device_grid *grid, int a, int b) {
  switch (mode) {
  case HLO_collective_mode_cross_partition: return a / grid->partitions == b / grid->partitions;
  case HLO_collective_mode_cross_replica: return a % grid->partitions == b % grid->partitions;
  default: return true;
  }
}

/* The same where all ids are one group. Device ids are in their order; else the replicas of partition 0 come first. */
static int list_everyone(int mode, const hlo_device_grid *grid, int device, int *members) {
  int count = 0, total = hlo_grid_device_count(grid);
  int step = mode == HLO_collective_mode_flattened_id ? 1 : grid->partitions;
  for (int first = 0; first < step; first++)
    for (int other = first; other < total; other += step)
      if (are_together(mode, grid, device, other)) members[count++] = other;
  return count;
}

int hlo_group_members(const hlo_instruction *instruction, const hlo_device_grid *grid, int device, int *members) {
  int mode = hlo_collective_mode(instruction);
  if (hlo_collective_is_of_everyone(instruction)) return list_everyone(mode, grid, device, members);
  const hlo_groups *groups = hlo_instruction_attribute(instruction, HLO_ATTR_replica_groups)->groups;
  for (int g = 0; g < groups->count; g++)
    if (hlo_ints_contain(groups->groups[g], id_of(mode, grid, device)))
      return list_group(mode, grid, device, groups->groups[g], members);
  return 0;
}

/* With a channel, pairs name partitions; but a grid of one partition has nothing but replicas to name. */
static bool pairs_name_partitions(const hlo_instruction *instruction, const hlo_device_grid *grid) {
  return hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) > 0 && grid->partitions > 1;
}

int hlo_pair_id_count(const hlo_instruction *instruction, const hlo_device_grid *grid, const char **noun) {
  bool partitions = pairs_name_partitions(instruction, grid);
  *noun = partitions ? "partition" : "replica";
  return partitions ? grid->partitions : grid->replicas;
}

int hlo_pair_device(const hlo_instruction *instruction, const hlo_device_grid *grid, int device, int64_t id) {
  if (pairs_name_partitions(instruction, grid)) return device / grid->partitions * grid->partitions + (int)id;
  return (int)id * grid->partitions + device % grid->partitions;
}
