/* Runs a module with frames kept as data: calls, loops and branches never use the C stack.
 *
 * A machine is a grid of devices, replicas x partitions, each with a stack of frames. A device that cannot go on
 * (at a collective that others have not reached, an empty infeed, a recv without its send) waits while another
 * goes on. When none can go on, the run fails with DEADLOCK; the message names who waits for whom. */
#ifndef HLO_REFERENCE_MACHINE_MACHINE_H
#define HLO_REFERENCE_MACHINE_MACHINE_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"
#include "reference/reference.h"
#include "reference/work.h"
#include "shape/literal.h"

typedef struct hlo_run_options {
  int replicas, partitions;      /* at least 1 each */
  uint64_t seed;
  int64_t work_budget;           /* of all devices together (reference/work.h); 0: no limit. What does not fit fails with LIMIT */
  hlo_host *host;                /* infeed, outfeed, custom calls, abort; never NULL */
  const hlo_computation *const *programs; /* one for each device; NULL: the entry computation everywhere */
  hlo_work *work;                /* counts instead of work_budget where this run is part of another; NULL: it is not */
} hlo_run_options;

/* Runs a program on every device d = replica * partitions + partition. `arguments` holds the parameters of device 0,
 * then those of device 1, and so on; results go to `results[d]`, made in `arena`. */
bool hlo_reference_run(const hlo_module *module, const hlo_run_options *options,
                       const hlo_literal *const *arguments, hlo_arena *arena, hlo_literal **results, hlo_status *status);

#endif
