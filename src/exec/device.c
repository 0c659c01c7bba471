/* Running steps: kernels directly, reference functions over literals, routines on a stack of frames. */
#include "exec/device.h"

#include <string.h>

#include "shape/element_type.h"

void hlo_device_start(hlo_device *device, const hlo_plan *plan, uint64_t seed) {
  hlo_rng_seed(device->rng_state, seed, device->number);
  device->frames[0] = (hlo_exec_frame){.routine = &plan->routines[0]};
  device->depth = 1;
  device->waits = device->is_within = false;
  device->units = 0;
#ifdef HLO_REMOTE
  device->deferred_count = 0;
#endif
}

static bool fail_aborted(const hlo_run *run) {
  return hlo_fail(run->status, HLO_ABORTED, "the run was aborted after %lld units of work", (long long)run->work->taken);
}

/* Asks the host whether to go on, and whether its slice of time is over. */
static bool ask_host(hlo_run *run) {
  hlo_host *host = run->executable->host;
  run->work_until_check = HLO_WORK_BETWEEN_CHECKS;
  if (host->aborted && host->aborted(host)) return fail_aborted(run);
  run->paused = run->slice_end > 0 && host->now && host->now(host) >= run->slice_end;
  return true;
}

/* Takes the work of a step, unless the run is paused before it. */
static bool may_step(hlo_run *run, const hlo_routine *routine, const hlo_step *step) {
  if (run->work_until_check <= 0 && !ask_host(run)) return false;
  if (run->paused) return true;
  run->work_until_check -= step->work < HLO_LONG_STEP ? step->work : HLO_LONG_STEP;
  return hlo_work_take(run->work, step->work, routine->computation, step->instruction, run->status);
}

/* ---- Profile ---- */

static double now(const hlo_run *run) { return run->profile ? hlo_profile_now(run->executable->host) : 0; }

static void record(const hlo_run *run, const hlo_device *device, const hlo_routine *routine, const hlo_step *step, double begin) {
  if (!run->profile) return;
  const hlo_plan *plan = hlo_device_plan(run->executable, device);
  hlo_profile_add(run->profile, (hlo_profile_record){.begin = begin, .end = now(run), .device = device->number, .depth = device->depth,
                                                     .routine = (int32_t)(routine - plan->routines), .step = (int32_t)(step - routine->steps)});
}

/* ---- Kernels ---- */

static void move(const hlo_device *device, const hlo_plan_move *moves, int count) {
  for (int i = 0; i < count; i++)
    if (moves[i].to.bytes)
      memcpy(hlo_device_address(device, &moves[i].to), hlo_device_address(device, &moves[i].from), (size_t)moves[i].to.bytes);
}

/* Asks the host within a long step; true leaves it: the run is aborted, or paused. */
static bool leaves_step(void *context) {
  hlo_run *run = context;
  hlo_host *host = run->executable->host;
  if (host->aborted && host->aborted(host)) return true;
  return run->executable->team->done > run->first_unit && (run->paused = host->now(host) >= run->slice_end);
}

/* Runs a step that may take long, or goes on with it, so that the host can stop it on the way. Threads share its units in any order: with
 * several of them, a step is not paused. */
static bool run_stoppable(hlo_run *run, hlo_device *device, const hlo_step *step, const void **operands, void *result, void *scratch) {
  enum { LONG_UNIT = 16000000, SLICED_UNIT = 2000000 }; /* nanoseconds */
  hlo_team *team = run->executable->team;
  bool may_pause = run->slice_end > 0 && step->resumes && team->threads == 1 && run->executable->host->now;
  run->first_unit = may_pause ? device->units : INT64_MAX;
  team->is_stopped = leaves_step;
  team->context = run;
  team->longest_unit = may_pause ? SLICED_UNIT : LONG_UNIT;
  team->unasked = 0;
  team->done = device->units;
  team->passed = 0;
  step->run_shared(step->parameters, operands, result, scratch, team);
  bool stopped = team->stopped;
  team->is_stopped = NULL;
  team->stopped = 0;
  device->is_within = run->paused;
  device->units = run->paused ? team->done : 0;
  return !stopped || run->paused || fail_aborted(run);
}

static bool run_kernel(hlo_run *run, hlo_device *device, const hlo_step *step) {
  const void **operands = run->executable->operands;
  for (int i = 0; i < step->operand_count; i++) operands[i] = hlo_device_address(device, &step->operands[i]);
  void *result = hlo_device_address(device, &step->result), *scratch = hlo_device_address(device, &step->scratch);
  if (step->run_shared && step->work >= HLO_LONG_STEP && (run->executable->host->aborted || run->slice_end > 0))
    return run_stoppable(run, device, step, operands, result, scratch);
  if (step->run_shared) step->run_shared(step->parameters, operands, result, scratch, run->executable->team);
  else step->run(step->parameters, operands, result, scratch);
  return true;
}

/* ---- The reference ---- */

void hlo_device_place_literals(const hlo_device *device, const hlo_step_literals *literals) {
  for (int i = 0; i < literals->leaf_count; i++) {
    hlo_literal *leaf = literals->leaves[i];
    const hlo_plan_place *place = &literals->places[i];
    leaf->data = hlo_device_address(device, place);
    leaf->dynamic_sizes = place->sizes_offset < 0 ? NULL : (int64_t *)((char *)leaf->data + place->sizes_offset);
    if (i < literals->first_result_leaf || !leaf->dynamic_sizes) continue;
    for (int d = 0; d < leaf->shape->rank; d++) leaf->dynamic_sizes[d] = leaf->shape->dims[d];
  }
}

hlo_meeting hlo_device_run_reference(hlo_run *run, hlo_device *device, const hlo_routine *routine, const hlo_step *step) {
  hlo_executable *e = run->executable;
  int64_t until_poll = HLO_ELEMENTS_BETWEEN_POLLS;
  hlo_evaluation evaluation = {.module = e->module, .computation = routine->computation, .scratch = &e->scratch,
                               .rng_state = device->rng_state, .status = run->status, .host = e->host,
                               .rendezvous = e->rendezvous, .device = device->number, .work = run->work,
                               .works = hlo_device_plan(e, device)->works, .until_poll = &until_poll};
  const hlo_step_literals *literals = step->literals;
  hlo_device_place_literals(device, literals);
  hlo_meeting meeting;
  hlo_nested *nested = step->kind == HLO_STEP_MEET ? hlo_nested_find(e, step) : NULL;
  if (nested)
    meeting = hlo_nested_run(nested, run, device, literals->operands, literals->result) ? HLO_MEETING_DONE : HLO_MEETING_FAILED;
  else if (step->kind == HLO_STEP_MEET)
    meeting = hlo_reference_meet(&evaluation, step->instruction, literals->operands, literals->result);
  else
    meeting = hlo_reference_evaluate(&evaluation, step->instruction, literals->operands, literals->result) ? HLO_MEETING_DONE
                                                                                                            : HLO_MEETING_FAILED;
  hlo_arena_reset(&e->scratch);
  return meeting;
}

/* ---- Control ---- */

/* Returns the branch that an index selects: the last one if it is out of range. A true predicate selects branch 0. */
static int chosen_target(const hlo_routine *routine, const hlo_step *step, const void *index) {
  hlo_type type = hlo_operand(routine->computation, step->instruction, 0)->shape->type;
  hlo_scalar value = hlo_scalar_load(type, index, 0);
  if (type == HLO_TYPE_PRED) return value.u ? 0 : 1;
  return value.s < 0 || value.s >= step->target_count ? step->target_count - 1 : (int)value.s;
}

/* Adds a frame for the routine that a step calls, which is at step `next`. */
static hlo_exec_frame *enter(const hlo_run *run, hlo_device *device, const hlo_step *step, int next) {
  hlo_exec_frame *frame = &device->frames[device->depth++];
  *frame = (hlo_exec_frame){.routine = &hlo_device_plan(run->executable, device)->routines[step->routine], .next = next, .entered = now(run)};
  return frame;
}

static void call(const hlo_run *run, hlo_device *device, const hlo_step *step) {
  move(device, step->before, step->before_count);
  enter(run, device, step, 0);
}

/* Leaves the top frame; its caller continues after the CALL. */
static void leave(const hlo_run *run, hlo_device *device) {
  if (--device->depth == 0) return;
  hlo_exec_frame *caller = &device->frames[device->depth - 1];
  const hlo_step *step = &caller->routine->steps[caller->next++];
  move(device, step->after, step->after_count);
  record(run, device, caller->routine, step, device->frames[device->depth].entered);
}

/* ---- Loops ---- */

/* Enters the routines that lead to a loop in a loop. `frame` is that of the outer one. */
static void enter_loop(const hlo_run *run, hlo_device *device, hlo_exec_frame *frame, const hlo_while_stop *stop) {
  frame->next = stop->steps[0];
  for (int i = 1; i < stop->depth; i++) frame = enter(run, device, &frame->routine->steps[frame->next], stop->steps[i]);
}

/* Returns whether a profile shows each step of the next iteration: it does so with a number of them, whichever loops they are of. */
static bool is_shown(hlo_run *run) {
  if (!run->profile || run->profile->iterations == HLO_PROFILE_MOST_ITERATIONS) return false;
  run->profile->iterations++;
  return true;
}

/* Runs as many iterations of an emitted while loop as fit before the host is asked again. `frame` is at the CALL of the condition, which has
 * been counted, and is there again afterwards unless the loop has ended, or another in it goes on. False if no iteration fits: the step then runs
 * as others do. */
static bool run_iterations(hlo_run *run, hlo_device *device, hlo_exec_frame *frame, const hlo_while *loop) {
  hlo_work *work = run->work;
  int64_t most = run->work_until_check > loop->work ? run->work_until_check : loop->work, taken = frame->routine->steps[frame->next].work;
  if (work->budget > 0 && work->budget - work->taken + taken < most) most = work->budget - work->taken + taken;
  if (most < loop->work) return false;
  const void **operands = run->executable->operands;
  int32_t at = loop->function(device->workspace, device->arguments, device->results, operands, (int32_t)most), left;
  memcpy(&left, operands, sizeof left);
  work->taken = hlo_work_add(work->taken, most - left - taken);
  run->work_until_check -= most - left - taken;
  if (at == 0) frame->next = loop->exit;
  if (at > 1) enter_loop(run, device, frame, &loop->stops[at - 2]);
  return true;
}

bool hlo_device_run(hlo_run *run, hlo_device *device, bool *progressed) {
  for (;;) {
    hlo_exec_frame *frame = &device->frames[device->depth - 1];
    if (frame->next == frame->routine->step_count) {
      hlo_meeting settled = hlo_overlap_settle(run, device, NULL);
      if (settled != HLO_MEETING_DONE) return settled == HLO_MEETING_WAIT;
      leave(run, device);
      *progressed = true;
      if (device->depth == 0) return true;
      continue;
    }
    const hlo_step *step = &frame->routine->steps[frame->next];
    if (!device->is_within && !may_step(run, frame->routine, step)) return false;
    if (run->paused) return true;
    hlo_meeting settled = hlo_overlap_settle(run, device, step);
    if (settled != HLO_MEETING_DONE) {
      run->work->taken -= step->work;
      return settled == HLO_MEETING_WAIT;
    }
    double begin = now(run);
    switch (step->kind) {
    case HLO_STEP_KERNEL:
      if (!run_kernel(run, device, step)) return false;
      if (run->paused) return true;
      record(run, device, frame->routine, step, begin);
      frame->next++;
      break;
    case HLO_STEP_EVALUATE:
    case HLO_STEP_MEET: {
      hlo_meeting meeting = hlo_device_run_reference(run, device, frame->routine, step);
      device->waits = meeting == HLO_MEETING_WAIT;
      if (meeting == HLO_MEETING_FAILED) return false;
      if (device->waits && hlo_overlap_defer(run, device, frame->routine, step)) device->waits = false;
      if (device->waits) {
        run->work->taken -= step->work;
        return true;
      }
      record(run, device, frame->routine, step, begin);
      frame->next++;
      break;
    }
    case HLO_STEP_CALL:
      if (!step->loop || !step->loop->function || is_shown(run) || !run_iterations(run, device, frame, step->loop)) {
        call(run, device, step);
      } else {
        record(run, device, frame->routine, step, begin);
      }
      break;
    case HLO_STEP_JUMP:
      frame->next = step->targets[0];
      break;
    case HLO_STEP_UNLESS:
      frame->next = *(const uint8_t *)hlo_device_address(device, &step->operands[0]) ? frame->next + 1 : step->targets[0];
      break;
    case HLO_STEP_SWITCH:
      frame->next = step->targets[chosen_target(frame->routine, step, hlo_device_address(device, &step->operands[0]))];
      break;
    }
    *progressed = true;
  }
}
