/* A grid of devices, `replicas` by `partitions`, each with a program of its own: and what cannot run on one.
 *
 * Device number = replica * partitions + partition. Of 2 replicas of 3 partitions:
 *
 *               partition 0   partition 1   partition 2
 *   replica 0   device 0      device 1      device 2
 *   replica 1   device 3      device 4      device 5 */
#ifndef HLO_DEVICES_GRID_H
#define HLO_DEVICES_GRID_H

#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"

enum { HLO_MAX_GRID_DEVICES = 4096 };

/* The evaluator's check that somebody runs a custom call: the host, or itself. Devices do not meet at custom calls, so
 * that this layer knows none. The message does not name the instruction. */
typedef bool hlo_custom_call_check(hlo_host *host, const hlo_module *module, const hlo_computation *computation,
                                   const hlo_instruction *instruction, hlo_status *status);

typedef struct hlo_remote hlo_remote; /* devices/remote.h */

typedef struct hlo_device_grid {
  const hlo_module *module;
  const hlo_computation *const *programs; /* one for each device; NULL: the entry computation everywhere */
  int replicas, partitions;
  hlo_host *host; /* never NULL */
  hlo_custom_call_check *check_custom_call;
  hlo_remote *remote; /* the processes that the devices are spread over; NULL: all are in this one */
} hlo_device_grid;

static inline int hlo_grid_device_count(const hlo_device_grid *grid) { return grid->replicas * grid->partitions; }

/* Refuses, by name, what cannot run on such a grid: groups with ids that do not exist or sizes that do not fit the shapes,
 * transfers to and from the host, custom calls that nobody runs. For compile time; hlo_rendezvous_new calls it too. */
bool hlo_grid_check(const hlo_device_grid *grid, hlo_status *status);

#endif
