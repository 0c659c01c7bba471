/* interpreter.run_parallel: a grid of replicas and partitions, each with a program of its own, run as one custom call.
 *
 *   custom-call(operands of device 0, of device 1, ...), custom_call_target="interpreter.run_parallel",
 *     called_computations={program of device 0, of device 1, ..., infeed functions},
 *     backend_config={"replicas":2,"partitions":1,"infeeds":0}
 *
 * Results are those of device 0, of device 1, ...; the infeed queue holds what the infeed functions give. */
#ifndef HLO_REFERENCE_RUN_PARALLEL_H
#define HLO_REFERENCE_RUN_PARALLEL_H

#include "reference/machine.h"

typedef struct hlo_parallel {
  int replicas, partitions;
  const hlo_computation **programs; /* replicas * partitions */
  const hlo_computation **infeeds;
  int infeed_count;
} hlo_parallel;

/* Whether the instruction is such a call. */
bool hlo_is_parallel(const hlo_instruction *instruction);
/* Reads and checks the instruction: counts and shapes of operands and results fit the programs. */
bool hlo_parallel_read(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_arena *arena, hlo_parallel *parallel, hlo_status *status);
/* Puts the results of the devices one after another into the instruction's. */
void hlo_parallel_gather(const hlo_parallel *parallel, hlo_literal *const *results, hlo_literal *result);

/* A host whose infeed queue holds the values given, in order, where there are any; everything else is the outer host's. */
typedef struct hlo_queue_host {
  hlo_host host; /* what its functions are given */
  hlo_host *outer;
  hlo_literal *const *values;
  int count, next;
} hlo_queue_host;
void hlo_queue_host_init(hlo_queue_host *queue, hlo_host *outer, hlo_literal *const *values, int count);

#endif
