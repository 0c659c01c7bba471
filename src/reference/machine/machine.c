/* Runs a grid of devices, each with a process of its own, in turn. */
#include "reference/machine/machine.h"

#include <stdlib.h>

#include "devices/grid.h"
#include "devices/rendezvous.h"
#include "graph/opcode.h"
#include "reference/machine/frames.h"
#include "reference/work.h"
#include "shape/shape.h"

typedef struct device {
  hlo_process process;
  hlo_arena arena;   /* frames and values, until the end of the run */
  hlo_arena scratch; /* temporaries of one instruction */
  uint64_t rng_state[2];
  bool finished;
} device;

typedef struct machine {
  const hlo_module *module;
  const hlo_run_options *options;
  int device_count;
  device *devices;
  hlo_rendezvous *rendezvous;
  hlo_work own, *work;
  hlo_arena arena; /* of works */
  const int64_t *works;
  int64_t until_poll;
  hlo_status *status;
} machine;

static const hlo_computation *program_of(const hlo_module *module, const hlo_run_options *options, int device) {
  return options->programs ? options->programs[device] : hlo_module_entry(module);
}

static bool start_device(machine *m, int index, const hlo_literal *const *arguments) {
  device *d = &m->devices[index];
  hlo_arena_init(&d->arena);
  hlo_arena_init(&d->scratch);
  hlo_rng_seed(d->rng_state, m->options->seed, index);
  hlo_evaluation evaluation = {
      .module = m->module,
      .computation = program_of(m->module, m->options, index),
      .scratch = &d->scratch,
      .rng_state = d->rng_state,
      .status = m->status,
      .host = m->options->host,
      .rendezvous = m->rendezvous,
      .device = index,
      .work = m->work,
      .works = m->works,
      .until_poll = &m->until_poll,
  };
  if (!hlo_process_init(&d->process, &evaluation, &d->arena, evaluation.computation)) return false;
  d->process.resets_scratch = true;
  hlo_process_start(&d->process, arguments);
  return true;
}

/* Takes the work of the next step, and asks the host from time to time whether to abort. */
static bool may_step(machine *m, const device *d, int64_t *work) {
  const hlo_frame *frame = d->process.top;
  *work = 0;
  if (!frame || frame->next == frame->computation->instruction_count) return true; /* a return runs no instruction */
  const hlo_instruction *instruction = frame->computation->instructions[frame->next];
  hlo_host *host = m->options->host;
  *work = hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES) ? 1 + hlo_shape_work(instruction->shape)
                                                           : hlo_instruction_work(m->module, m->works, frame->computation, instruction);
  if (m->until_poll <= 0) {
    m->until_poll = HLO_ELEMENTS_BETWEEN_POLLS;
    if (host->aborted && host->aborted(host))
      return hlo_fail(m->status, HLO_ABORTED, "the run was aborted after %lld units of work", (long long)m->work->taken);
  }
  m->until_poll -= *work < HLO_ELEMENTS_BETWEEN_POLLS ? *work : HLO_ELEMENTS_BETWEEN_POLLS;
  return hlo_work_take(m->work, *work, frame->computation, instruction, m->status);
}

/* Runs a device until it waits or has finished; sets *progressed if it took a step. */
static bool run_device(machine *m, int index, bool *progressed) {
  device *d = &m->devices[index];
  for (;;) {
    int64_t work;
    if (!may_step(m, d, &work)) return false;
    switch (hlo_process_step(&d->process)) {
    case HLO_PROGRESS_STEPPED:
      *progressed = true;
      break;
    case HLO_PROGRESS_WAITING:
      m->work->taken -= work;
      return true;
    case HLO_PROGRESS_FINISHED:
      *progressed = true;
      d->finished = true;
      hlo_rendezvous_finish(m->rendezvous, index);
      return true;
    default:
      return false;
    }
  }
}

static bool run_devices(machine *m) {
  for (int unfinished = m->device_count; unfinished > 0;) {
    bool progressed = false;
    for (int i = 0; i < m->device_count; i++) {
      if (m->devices[i].finished) continue;
      if (!run_device(m, i, &progressed)) return false;
      unfinished -= m->devices[i].finished;
    }
    if (!progressed) return hlo_rendezvous_deadlock(m->rendezvous, m->status);
  }
  return true;
}

static bool take_results(machine *m, hlo_arena *arena, hlo_literal **results) {
  for (int i = 0; i < m->device_count; i++) {
    const hlo_shape *shape = hlo_computation_root(program_of(m->module, m->options, i))->shape;
    results[i] = hlo_literal_make(arena, shape, m->status);
    if (!results[i]) return false;
    hlo_literal_assign(results[i], hlo_process_result(&m->devices[i].process));
  }
  return true;
}

static bool run(machine *m, const hlo_literal *const *arguments, hlo_arena *arena, hlo_literal **results) {
  for (int i = 0, next = 0; i < m->device_count; i++) {
    int count = program_of(m->module, m->options, i)->parameter_count;
    if (!start_device(m, i, count ? arguments + next : NULL)) return false;
    next += count;
  }
  return run_devices(m) && take_results(m, arena, results);
}

bool hlo_reference_run(const hlo_module *module, const hlo_run_options *options,
                       const hlo_literal *const *arguments, hlo_arena *arena, hlo_literal **results, hlo_status *status) {
  machine m = {.module = module, .options = options, .own.budget = options->work_budget, .status = status};
  m.work = options->work ? options->work : &m.own;
  hlo_device_grid grid = {.module = module, .programs = options->programs, .replicas = options->replicas, .partitions = options->partitions,
                   .host = options->host, .check_custom_call = hlo_reference_check_custom_call};
  m.rendezvous = hlo_rendezvous_new(&grid, status);
  if (!m.rendezvous) return false;
  hlo_arena_init(&m.arena);
  m.works = hlo_computation_works(module, &m.arena, status);
  m.device_count = hlo_grid_device_count(&grid);
  m.devices = m.works ? calloc((size_t)m.device_count, sizeof *m.devices) : NULL;
  bool ok = m.devices ? run(&m, arguments, arena, results)
            : m.works && hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d devices", m.device_count);
  for (int i = 0; m.devices && i < m.device_count; i++) {
    hlo_arena_free(&m.devices[i].arena);
    hlo_arena_free(&m.devices[i].scratch);
  }
  free(m.devices);
  hlo_arena_free(&m.arena);
  hlo_rendezvous_free(m.rendezvous);
  return ok;
}
