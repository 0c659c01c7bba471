/* Checks of who works with whom: replica groups, and pairs of sources and targets. */
#include "base/arena.h"
#include "base/heap_sort.h"
#include "graph/attribute.h"
#include "graph/collective_groups.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"

static int compare_ids(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool check_unique_ids(const hlo_infer *infer, const char *attribute, const int64_t *ids, int64_t count) {
  int64_t *sorted = hlo_arena_many(infer->arena, int64_t, count, infer->status);
  if (!sorted) return false;
  for (int64_t i = 0; i < count; i++) sorted[i] = ids[i];
  hlo_heap_sort(sorted, (size_t)count, sizeof *sorted, compare_ids);
  if (count > 0 && sorted[0] < 0)
    return hlo_refuse(infer, "%s must not hold negative ids, got %lld", attribute, (long long)sorted[0]);
  for (int64_t i = 1; i < count; i++)
    if (sorted[i] == sorted[i - 1])
      return hlo_refuse(infer, "%s must not name an id twice, but holds %lld twice", attribute, (long long)sorted[i]);
  return true;
}

/* Checks that ids are unique and, unless `some` may be missing, are 0 to n-1: unique ids have no gap if none is n or more. */
static bool check_ids(const hlo_infer *infer, const hlo_groups *groups, bool some) {
  int64_t count = 0, filled = 0;
  for (int i = 0; i < groups->count; i++) count += groups->groups[i].count;
  int64_t *ids = hlo_arena_many(infer->arena, int64_t, count, infer->status);
  if (!ids) return false;
  for (int i = 0; i < groups->count; i++)
    for (int j = 0; j < groups->groups[i].count; j++) ids[filled++] = groups->groups[i].data[j];
  if (!check_unique_ids(infer, "replica_groups", ids, count)) return false;
  for (int64_t i = 0; i < count && !some; i++)
    if (ids[i] >= count)
      return hlo_refuse(infer, "replica_groups hold %lld ids, so these must be 0 to %lld, got %lld", (long long)count,
                        (long long)count - 1, (long long)ids[i]);
  return true;
}

bool hlo_check_groups(const hlo_infer *infer, bool uniform, bool some, int64_t *size) {
  int mode = hlo_collective_mode(infer->instruction);
  bool global = mode == HLO_collective_mode_flattened_id;
  *size = 0;
  if (global && hlo_instruction_int(infer->instruction, HLO_ATTR_channel_id, 0) <= 0)
    return hlo_refuse(infer, "use_global_device_ids=true needs a channel_id greater than 0");
  if (hlo_collective_is_of_everyone(infer->instruction))
    return !global || hlo_refuse(infer, "use_global_device_ids=true needs replica_groups");
  const hlo_groups *groups = hlo_instruction_attribute(infer->instruction, HLO_ATTR_replica_groups)->groups;
  for (int i = 0; i < groups->count; i++) {
    if (groups->groups[i].count == 0) return hlo_refuse(infer, "replica_groups must not hold an empty group");
    if (uniform && groups->groups[i].count != groups->groups[0].count)
      return hlo_refuse(infer, "replica_groups must all have the same size, got %d and %d", groups->groups[0].count,
                        groups->groups[i].count);
  }
  if (!check_ids(infer, groups, some)) return false;
  if (mode == HLO_collective_mode_cross_replica_and_partition && infer->module->num_partitions <= 1)
    return true; /* a run may have more partitions than the module says */
  *size = hlo_collective_group_size(infer->instruction, infer->module->replica_count, infer->module->num_partitions);
  return true;
}

bool hlo_check_pairs(const hlo_infer *infer) {
  const hlo_attribute *attribute = hlo_instruction_attribute(infer->instruction, HLO_ATTR_source_target_pairs);
  if (!attribute) return true;
  const hlo_groups *pairs = attribute->groups;
  int64_t *ids = hlo_arena_many(infer->arena, int64_t, pairs->count, infer->status);
  if (!ids) return false;
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < pairs->count; i++) {
      if (pairs->groups[i].count != 2)
        return hlo_refuse(infer, "source_target_pairs must hold pairs, got %d ids in one", pairs->groups[i].count);
      ids[i] = pairs->groups[i].data[side];
    }
    if (!check_unique_ids(infer, side ? "the targets of source_target_pairs" : "the sources of source_target_pairs", ids,
                          pairs->count))
      return false;
  }
  return true;
}
