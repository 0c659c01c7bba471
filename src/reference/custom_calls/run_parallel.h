/* interpreter.run_parallel: a grid of replicas and partitions, each with a program of its own, run as one custom call.
 *
 *   custom-call(operands of device 0, of device 1, ...), custom_call_target="interpreter.run_parallel",
 *     called_computations={program of device 0, of device 1, ..., infeed functions},
 *     backend_config={"replicas":2,"partitions":1,"infeeds":0}
 *
 * Results are those of device 0, of device 1, ...; the infeed queue holds what the infeed functions give. */
#ifndef HLO_REFERENCE_CUSTOM_CALLS_RUN_PARALLEL_H
#define HLO_REFERENCE_CUSTOM_CALLS_RUN_PARALLEL_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/host.h"
#include "graph/module.h"
#include "shape/literal.h"

typedef struct hlo_parallel {
  int replicas, partitions;
  const hlo_computation **programs; /* replicas * partitions */
  const hlo_computation **infeeds;
  int infeed_count;
} hlo_parallel;

/* True if the instruction is such a call. */
bool hlo_is_parallel(const hlo_instruction *instruction);
/* Reads the instruction, and checks that its operands and results fit the programs in number and shape. */
bool hlo_parallel_read(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_arena *arena, hlo_parallel *parallel, hlo_status *status);
/* Copies the results of the devices, one after another, into the instruction's result. */
void hlo_parallel_gather(const hlo_parallel *parallel, hlo_literal *const *results, hlo_literal *result);

/* A host whose infeed queue holds the given values, in order. Where none are given, the queue is the outer host's, and so
 * is everything else. */
typedef struct hlo_queue_host {
  hlo_host host; /* first, so that its functions can be given the whole */
  hlo_host *outer;
  hlo_literal *const *values;
  int count, next;
} hlo_queue_host;
void hlo_queue_host_init(hlo_queue_host *queue, hlo_host *outer, hlo_literal *const *values, int count);

#endif
