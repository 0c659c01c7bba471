/* The meeting of a grid's devices: at collectives, at the two ends of channels, and at the host's queues.
 *
 * A device arrives at an instruction with its operands. Either the meeting is complete and the device has its result, or
 * the device waits, and arrives at the same instruction again when it is scheduled next:
 *
 *   device 0 arrives at all-reduce(1)   WAIT
 *   device 1 arrives at all-reduce(2)   DONE: 3
 *   device 0 arrives at all-reduce(1)   DONE: 3
 *
 * Both evaluators use it. All functions of one rendezvous are called from one thread. */
#ifndef HLO_DEVICES_RENDEZVOUS_H
#define HLO_DEVICES_RENDEZVOUS_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/grid.h"
#include "graph/module.h"
#include "shape/literal.h"

typedef struct hlo_rendezvous hlo_rendezvous;

typedef enum hlo_meeting { HLO_MEETING_FAILED, HLO_MEETING_DONE, HLO_MEETING_WAIT } hlo_meeting;

/* Combines the members' operands of a reduction, element by element, in the order of the members:
 * combined = f(f(operands[0], operands[1]), operands[2]) ... for the `count` arrays, which have the shape of `combined`. */
typedef bool hlo_combine(void *context, const hlo_computation *function, const hlo_literal *const *operands, int count,
                         hlo_literal *combined);

/* A device's arrival at a meeting, with all that it brings except operands. */
typedef struct hlo_arrival {
  int device;
  const hlo_computation *computation; /* that holds the instruction */
  hlo_arena *scratch;                 /* for temporaries; the caller resets it after the instruction */
  hlo_combine *combine;
  void *combine_context;
  hlo_status *status;
} hlo_arrival;

/* `grid` is copied; what it points to must live as long as the rendezvous. NULL on failure. */
hlo_rendezvous *hlo_rendezvous_new(const hlo_device_grid *grid, hlo_status *status);
void hlo_rendezvous_free(hlo_rendezvous *rendezvous);

/* A device stands at `instruction` (a collective, infeed, outfeed, send, recv and their done forms, replica-id,
 * partition-id) with operands; on DONE the result was written. Operands are copied on arrival, so the caller may go on
 * with anything after it was told DONE or WAIT. */
hlo_meeting hlo_rendezvous_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                                  const hlo_literal *const *operands, hlo_literal *result);
/* The place at which a device stands in a meeting that it has not left. */
typedef struct hlo_attendance {
  const hlo_instruction *waits_at;
  struct hlo_gathering *gathering;
  int source;
} hlo_attendance;

/* A device that was told WAIT goes on without the result, which it will ask for by arriving again: it takes its attendance along, and brings it back. */
hlo_attendance hlo_rendezvous_step_out(hlo_rendezvous *rendezvous, int device);
void hlo_rendezvous_step_in(hlo_rendezvous *rendezvous, int device, hlo_attendance attendance);
/* No device of this rank can go on. Waits a while for other ranks, and fails when they cannot go on either, as
 * hlo_rendezvous_deadlock where there are none. */
bool hlo_rendezvous_wait(const hlo_rendezvous *rendezvous, hlo_status *status);
/* The device has run its whole program, and will not arrive again. */
void hlo_rendezvous_finish(hlo_rendezvous *rendezvous, int device);
/* Fills `status` with DEADLOCK: which devices wait, at which instruction, and for whom. Always returns false. */
bool hlo_rendezvous_deadlock(const hlo_rendezvous *rendezvous, hlo_status *status);

#endif
