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
  void (*offer_custom_calls)(hlo_host *host, hlo_nearest_name *nearest); /* all of them; NULL: there are none to name */
  bool (*custom_call)(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int operand_count,
                      hlo_literal *result, hlo_status *status);
  bool (*aborted)(hlo_host *host); /* asked now and then */
  double (*now)(hlo_host *host);   /* milliseconds, for profiles */
  int64_t checks;    /* how many checks of a conformance case have held */
  bool loose_checks; /* they compare by HLO_AGREE_LOOSE, whatever they say */
};

typedef enum hlo_meeting { HLO_MEETING_FAILED, HLO_MEETING_DONE, HLO_MEETING_WAIT } hlo_meeting;

typedef struct hlo_rendezvous hlo_rendezvous;

enum { HLO_MAX_DEVICES = 4096 };

/* Refuses, by name, what cannot run on such a grid: custom calls nobody defines, groups with ids that do not exist or
 * sizes that do not fit the shapes, transfers to and from the host. For compile time; hlo_rendezvous_new calls it. */
bool hlo_rendezvous_check(const hlo_module *module, int replicas, int partitions, hlo_host *host, hlo_status *status);
/* The same for the programs of `replicas * partitions` devices; NULL: the entry computation. */
bool hlo_rendezvous_check_for(const hlo_module *module, const hlo_computation *const *programs, int replicas, int partitions,
                              hlo_host *host, hlo_status *status);
hlo_rendezvous *hlo_rendezvous_new_for(const hlo_module *module, const hlo_computation *const *programs, int replicas,
                                       int partitions, hlo_host *host, hlo_status *status);
hlo_rendezvous *hlo_rendezvous_new(const hlo_module *module, int replicas, int partitions, hlo_host *host, hlo_status *status);
void hlo_rendezvous_free(hlo_rendezvous *rendezvous);

/* Device `device` stands at `instruction` (a collective, infeed, outfeed, send, recv and their done forms, replica-id,
 * partition-id, custom-call) with operands; on DONE the result was written. Operands are copied on arrival, so the
 * caller may go on with anything after it was told DONE or WAIT. */
hlo_meeting hlo_rendezvous_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                                  const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
/* The device has run its whole program: nobody needs to wait for it any more. */
void hlo_rendezvous_finish(hlo_rendezvous *rendezvous, int device);
/* Fills `status` with DEADLOCK: who waits at which instruction, for whom. Always returns false. */
bool hlo_rendezvous_deadlock(const hlo_rendezvous *rendezvous, hlo_status *status);

/* Targets that WebHLO defines itself (Sharding, TopK, mhlo.erf, lapack_*_ffi, ...): true if `target` is one. */
bool hlo_builtin_custom_call_exists(hlo_span target);
void hlo_builtin_custom_call_offer(hlo_nearest_name *nearest); /* the targets, for "did you mean" */
hlo_reference_function *hlo_builtin_custom_call(hlo_span target);
/* Whether the shapes of a call to a built-in target are such as the target can take. For compile time. */
bool hlo_builtin_custom_call_check(const hlo_instruction *instruction, const hlo_shape *const *operands, hlo_status *status);

#endif
