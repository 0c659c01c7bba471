/* The replica_groups of a collective as they are meant: which ids they hold, and which devices a group joins.
 *
 *   mode                          of ops that                                ids          a group joins
 *   cross_replica                 have no channel                            replicas     these replicas, for each partition anew
 *   cross_partition               exchange or broadcast over a channel       partitions   these partitions, for each replica anew
 *   cross_replica_and_partition   reduce or gather over a channel            replicas     these replicas with all their partitions
 *   flattened_id                  say use_global_device_ids=true             devices      these devices
 *
 * Device ids count replica * partitions + partition. Modes are those of XLA (CollectiveOpGroupMode) and of StableHLO's
 * process groups; there, use_global_device_ids=false is the same as no word about it. */
#ifndef HLO_GRAPH_COLLECTIVE_GROUPS_H
#define HLO_GRAPH_COLLECTIVE_GROUPS_H

#include "graph/module.h"

/* HLO_collective_mode_cross_replica or another of that enumeration. */
int hlo_collective_mode(const hlo_instruction *instruction);
/* True where no groups are given, as none or as {{}}: then all ids of the mode are one group. */
bool hlo_collective_is_of_everyone(const hlo_instruction *instruction);
/* Returns how many different ids the groups may hold on a grid of devices; 0 where 64 bits cannot count them. */
int64_t hlo_collective_id_count(const hlo_instruction *instruction, int64_t replicas, int64_t partitions);
/* Returns how many devices the first group joins; 0 where 64 bits cannot count them. */
int64_t hlo_collective_group_size(const hlo_instruction *instruction, int64_t replicas, int64_t partitions);

#endif
