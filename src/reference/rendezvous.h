/* Where replicas meet: collectives, channels, and the host's queues. Shared by both evaluators.
 *
 * A device arrives at an instruction with its operands. Either the meeting is complete and the device
 * has its result, or it waits; it asks again when it is scheduled next. */
#ifndef HLO_REFERENCE_RENDEZVOUS_H
#define HLO_REFERENCE_RENDEZVOUS_H

#include "reference/reference.h"

/* The world outside, as the evaluators see it. Functions return false with a status on failure. */
typedef struct hlo_host hlo_host;
struct hlo_host {
  void *context;
  /* Takes the next value of the infeed queue, of this shape; *empty is set when there is none. */
  bool (*infeed)(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status);
  bool (*outfeed)(hlo_host *host, const hlo_literal *value, hlo_status *status);
  /* Whether a target is registered; and calling it. Built-in targets are not asked for here. */
  bool (*has_custom_call)(hlo_host *host, hlo_span target);
  bool (*custom_call)(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int operand_count,
                      hlo_literal *result, hlo_status *status);
  bool (*aborted)(hlo_host *host); /* asked now and then */
};

typedef enum hlo_meeting { HLO_MEETING_FAILED, HLO_MEETING_DONE, HLO_MEETING_WAIT } hlo_meeting;

typedef struct hlo_rendezvous hlo_rendezvous;
hlo_rendezvous *hlo_rendezvous_new(const hlo_module *module, int replicas, int partitions, hlo_host *host, hlo_status *status);
void hlo_rendezvous_free(hlo_rendezvous *rendezvous);

/* Device `device` stands at `instruction` (a collective, infeed, outfeed, send, recv and their done forms, replica-id,
 * partition-id, custom-call) with operands; on DONE the result was written. Operands are copied on arrival, so the
 * caller may go on with anything after it was told DONE or WAIT. */
hlo_meeting hlo_rendezvous_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                                  const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
/* Fills `status` with DEADLOCK: who waits at which instruction, for whom. Always returns false. */
bool hlo_rendezvous_deadlock(const hlo_rendezvous *rendezvous, hlo_status *status);

/* Targets that WebHLO defines itself (Sharding, TopK, mhlo.erf, lapack_*_ffi, ...): true if `target` is one. */
bool hlo_builtin_custom_call_exists(hlo_span target);
hlo_reference_function *hlo_builtin_custom_call(hlo_span target);

#endif
