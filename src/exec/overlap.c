/* Starts of collectives whose result other ranks are still at work on, while this rank goes on with what does not need it.
 *
 *   s = all-reduce-start(x)      deferred: the exchange is under way
 *   y = dot(a, b)                runs meanwhile
 *   d = all-reduce-done(s)       reads what s writes: the step of s runs again first, and waits if it must
 *
 * Places in memory tell what a step reads and writes, so that it does not matter by which names these go. Before
 * calls, branches and the end of a routine nothing stays deferred. */
#include "exec/device.h"

#ifdef HLO_REMOTE

#include <stdint.h>

#include "devices/remote.h"
#include "devices/rendezvous.h"
#include "graph/opcode.h"
#include "plan/plan.h"

typedef struct span {
  uintptr_t begin, end;
} span;

static span span_of(const hlo_device *device, const hlo_plan_place *place) {
  uintptr_t begin = (uintptr_t)hlo_device_address(device, place);
  return (span){begin, begin + (uintptr_t)place->bytes};
}

/* Returns whether a place lies over a result of the deferred step. */
static bool is_over(const hlo_device *device, const hlo_deferred *deferred, const hlo_plan_place *place) {
  span other = span_of(device, place);
  const hlo_step_literals *literals = deferred->step->literals;
  for (int i = literals->first_result_leaf; i < literals->leaf_count; i++) {
    span result = span_of(device, &literals->places[i]);
    if (other.begin < result.end && result.begin < other.end) return true;
  }
  return false;
}

static bool depends(const hlo_device *device, const hlo_deferred *deferred, const hlo_step *step) {
  switch (step->kind) {
  case HLO_STEP_KERNEL:
    for (int i = 0; i < step->operand_count; i++)
      if (is_over(device, deferred, &step->operands[i])) return true;
    return is_over(device, deferred, &step->result) || is_over(device, deferred, &step->scratch);
  case HLO_STEP_EVALUATE:
  case HLO_STEP_MEET:
    for (int i = 0; i < step->literals->leaf_count; i++)
      if (is_over(device, deferred, &step->literals->places[i])) return true;
    return false;
  default: return true;
  }
}

bool hlo_overlap_defer(hlo_run *run, hlo_device *device, const hlo_routine *routine, const hlo_step *step) {
  hlo_opcode opcode = step->instruction->opcode;
  bool starts = opcode == HLO_OP_ALL_REDUCE_START || opcode == HLO_OP_ALL_GATHER_START || opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  if (!run->executable->remote || !starts || device->deferred_count == HLO_MOST_DEFERRED) return false;
  hlo_attendance attendance = hlo_rendezvous_step_out(run->executable->rendezvous, device->number);
  device->deferred[device->deferred_count++] = (hlo_deferred){routine, step, attendance};
  return true;
}

/* Runs a deferred step again; it leaves the list unless it still has to wait. */
static hlo_meeting resume(hlo_run *run, hlo_device *device, int index) {
  hlo_deferred deferred = device->deferred[index];
  hlo_rendezvous_step_in(run->executable->rendezvous, device->number, deferred.attendance);
  hlo_meeting meeting = hlo_device_run_reference(run, device, deferred.routine, deferred.step);
  if (meeting != HLO_MEETING_DONE) return meeting;
  device->deferred_count--;
  for (int i = index; i < device->deferred_count; i++) device->deferred[i] = device->deferred[i + 1];
  return HLO_MEETING_DONE;
}

hlo_meeting hlo_overlap_settle(hlo_run *run, hlo_device *device, const hlo_step *next) {
  const hlo_deferred *awaited = NULL;
  /* All are run again, so that their exchanges go on; only those that the next step needs hold it up. */
  for (int i = 0; i < device->deferred_count;) {
    hlo_meeting meeting = resume(run, device, i);
    if (meeting == HLO_MEETING_FAILED) return meeting;
    if (meeting == HLO_MEETING_DONE) continue;
    hlo_rendezvous_step_out(run->executable->rendezvous, device->number);
    if (!awaited && (!next || depends(device, &device->deferred[i], next))) awaited = &device->deferred[i];
    i++;
  }
  if (!awaited) return HLO_MEETING_DONE;
  /* The device is shown as one that waits there. */
  hlo_rendezvous_step_in(run->executable->rendezvous, device->number, awaited->attendance);
  return HLO_MEETING_WAIT;
}

#endif
