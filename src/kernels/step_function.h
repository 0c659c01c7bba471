/* The functions that run a step of a plan, once it is set up. */
#ifndef HLO_KERNELS_STEP_FUNCTION_H
#define HLO_KERNELS_STEP_FUNCTION_H

#include <stdint.h>

#include "base/team.h"

/* Runs a step, with as many operands as it was set up for. `scratch` has the bytes that the step asked for, 64-byte aligned; it is NULL
 * where the step asked for none. `result` may be an operand that the step was allowed to overwrite. Where the result is a tuple, its
 * leaves after the first are given behind the operands, and the function writes them. Never fails. */
typedef void hlo_step_function(const void *parameters, const void *const *operands, void *result, void *scratch);

/* The same, run by a team of at most as many threads as the plan was made for, which share the scratch. `team` may be NULL: one thread. */
typedef void hlo_shared_step_function(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team);

/* The run of a step whose things (lines, blocks, windows) a team takes in ranges, as one of its threads sees it. */
typedef struct hlo_range_call {
  const void *parameters;
  const void *const *operands;
  void *result;
  void *scratch; /* the thread's own, 64-byte aligned */
} hlo_range_call;

/* Runs the step for things `first` to first + count - 1, of which there is at least one. Never fails, never allocates. */
typedef void hlo_range_function(const hlo_range_call *call, int64_t first, int64_t count);

#endif
