/* Compiling and running: verify, optimise, plan; border, devices in turn, border. */
#include "exec/executable.h"

#include <stdlib.h>

#include "base/alignment.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/meter.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "devices/rendezvous.h"
#include "emit/plan_emit.h"
#include "emit/wasm_writer.h"
#include "exec/device.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "passes/pipeline.h"
#include "plan/plan.h"
#include "reference/reference.h"
#include "reference/work.h"
#include "shape/constant_uses.h"
#include "shape/literal.h"
#include "verify/verify.h"

/* ---- Compiling ---- */

/* Returns whether devices exchange values. If they do, each run needs a new rendezvous. */
static bool module_meets(const hlo_module *module) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      hlo_opcode opcode = module->computations[c]->instructions[i]->opcode;
      if (hlo_op_has(opcode, HLO_FLAG_COLLECTIVE) || opcode == HLO_OP_SEND || opcode == HLO_OP_RECV) return true;
    }
  return false;
}

/* Returns the first device that runs the program of device `d`. */
static int first_of_program(const hlo_executable *e, int d) {
  int first = 0;
  while (e->programs && e->programs[first] != e->programs[d]) first++;
  return first;
}

static hlo_device_grid grid_of(const hlo_executable *e) {
  return (hlo_device_grid){.module = e->module, .programs = e->programs, .replicas = e->replicas, .partitions = e->partitions,
                    .host = e->host, .check_custom_call = hlo_reference_check_custom_call, .remote = e->remote};
}

/* Returns whether a computation that is applied to elements, or that a custom call takes, has shared constants: the reference reads them. */
static bool applies_shared_constants(const hlo_module *module, hlo_status *status) {
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  int *order = hlo_arena_many(&scratch, int, module->computation_count, status);
  bool *is_applied = hlo_arena_many(&scratch, bool, module->computation_count, status), found = false;
  bool ok = order && is_applied && hlo_module_call_order(module, order, status);
  for (int n = module->computation_count - 1; ok && n >= 0; n--) { /* callees come first in `order` */
    const hlo_computation *c = module->computations[order[n]];
    for (int i = 0; i < c->instruction_count; i++) {
      const hlo_instruction *instruction = c->instructions[i];
      bool applies = is_applied[order[n]] || !hlo_op_has(instruction->opcode, HLO_FLAG_FRAMES);
      for (int call = 0, callee; hlo_instruction_call(instruction, call, &callee); call++) is_applied[callee] |= applies;
      found |= is_applied[order[n]] && instruction->opcode == HLO_OP_CONSTANT && hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal->shared;
    }
  }
  hlo_arena_free(&scratch);
  return found;
}

/* Pins the shared constants of the module where the reference evaluator reads them. */
static bool pin(hlo_executable *e, hlo_status *status) {
  if (!e->reference && !applies_shared_constants(e->module, status)) return hlo_ok(status);
  e->pinned = hlo_module_pin((hlo_module *)e->module, status) ? (hlo_module *)e->module : NULL; /* which changes nothing in it but that */
  return e->pinned != NULL;
}

static bool optimise(hlo_executable *e, bool emits, hlo_meter *meter, hlo_status *status) {
  if (e->reference) return true;
  e->optimised = hlo_passes_run_within(e->module, meter, emits, status);
  if (e->optimised) e->module = e->optimised;
  return e->optimised != NULL;
}

static hlo_plan *make_plan(const hlo_executable *e, int device, const bool *donated, hlo_status *status) {
  int threads = hlo_team_threads(e->team);
  return e->programs ? hlo_plan_build_program(e->module, e->programs[device], threads, e->host, status)
                     : hlo_plan_build_donating(e->module, donated, threads, e->host, status);
}

static bool make_plans(hlo_executable *e, const bool *donated, hlo_status *status) {
  e->devices_meet = module_meets(e->module);
  e->plans = calloc((size_t)e->device_count, sizeof *e->plans);
  if (!e->plans) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for the plans of %d devices", e->device_count);
  for (int d = 0; d < e->device_count; d++) {
    int first = first_of_program(e, d);
    e->plans[d] = first < d ? e->plans[first] : make_plan(e, d, donated, status);
    if (!e->plans[d]) return false;
  }
  e->plan = e->plans[0];
  return e->reference || hlo_nested_compile(e, status);
}

static bool is_aborted(void *context) {
  hlo_host *host = context;
  return host->aborted(host);
}

/* Takes a unit for every instruction of the module. */
static bool take_instructions(const hlo_module *module, hlo_meter *meter, const char *stage, hlo_status *status) {
  meter->stage = stage;
  for (int c = 0; c < module->computation_count; c++)
    if (!hlo_meter_take(meter, module->computations[c]->instruction_count, status)) return false;
  return true;
}

#ifdef HLO_REMOTE
/* Leaves the executable with the devices of this rank. */
static bool take_own_devices(hlo_executable *e, const hlo_compile_options *options, hlo_status *status) {
  hlo_remote *remote = e->remote = options->remote;
  if (!remote) return true;
  if (remote->rank_count * remote->devices_per_rank != e->device_count)
    return hlo_fail(status, HLO_ARGUMENT, "the program needs %d devices (%d %s of %d %s), but %d %s of %d %s each have %d", e->device_count, e->replicas,
                    e->replicas == 1 ? "replica" : "replicas", e->partitions, e->partitions == 1 ? "partition" : "partitions", remote->rank_count,
                    remote->rank_count == 1 ? "rank" : "ranks", remote->devices_per_rank, remote->devices_per_rank == 1 ? "device" : "devices",
                    remote->rank_count * remote->devices_per_rank);
  e->first_device = remote->rank * remote->devices_per_rank;
  e->device_count = remote->devices_per_rank;
  hlo_device_grid grid = grid_of(e);
  return hlo_remote_check(&grid, status);
}

bool hlo_executable_connect(hlo_executable *e, hlo_status *status) {
  hlo_device_grid grid = grid_of(e);
  return !e->remote || hlo_remote_connect(&grid, status);
}
#else
static bool take_own_devices(hlo_executable *e, const hlo_compile_options *options, hlo_status *status) { return true; }
#endif

static bool compile(hlo_executable *e, const hlo_compile_options *options, hlo_status *status) {
  hlo_meter meter = {.limit = options->work_limit, .aborted = e->host->aborted ? is_aborted : NULL, .context = e->host,
                     .until_question = HLO_METER_QUESTIONS};
  if (!take_instructions(e->module, &meter, "verification", status)) return false;
  if (!hlo_verify_module(e->module, status)) return false;
  if (e->module->entry < 0) return hlo_fail(status, HLO_VERIFY, "the module has no entry computation");
  int64_t replicas = options->replicas ? options->replicas : e->module->replica_count;
  int64_t partitions = options->partitions ? options->partitions : e->module->num_partitions;
  if (replicas < 1 || partitions < 1 || replicas > HLO_MAX_GRID_DEVICES || partitions > HLO_MAX_GRID_DEVICES / replicas)
    return hlo_fail(status, HLO_ARGUMENT, "%lld replicas of %lld partitions: there may be 1 to %d devices", (long long)replicas,
                    (long long)partitions, HLO_MAX_GRID_DEVICES);
  e->replicas = (int)replicas;
  e->partitions = (int)partitions;
  e->device_count = e->replicas * e->partitions;
  hlo_device_grid grid = grid_of(e);
  return hlo_grid_check(&grid, status) && take_own_devices(e, options, status) && pin(e, status) && optimise(e, options->emits, &meter, status) &&
         take_instructions(e->module, &meter, "planning", status) && make_plans(e, options->donated, status);
}

static hlo_executable *new_executable(const hlo_module *module, hlo_host *host, hlo_team *team, hlo_status *status) {
  hlo_executable *e = calloc(1, sizeof *e);
  if (!e) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an executable");
    return NULL;
  }
  e->module = module;
  e->host = host ? host : &e->nobody;
  e->alone = (hlo_team){.threads = 1, .least_nanoseconds = 1e300};
  e->team = team ? team : &e->alone;
  hlo_arena_init(&e->arena);
  hlo_arena_init(&e->scratch);
  hlo_arena_init(&e->run_arena);
  return e;
}

hlo_executable *hlo_executable_compile_programs(const hlo_module *module, const hlo_computation *const *programs, int replicas, int partitions,
                                                hlo_host *host, hlo_team *team, hlo_status *status) {
  hlo_executable *e = new_executable(module, host, team, status);
  if (!e) return NULL;
  e->programs = programs;
  e->replicas = replicas;
  e->partitions = partitions;
  e->device_count = replicas * partitions;
  hlo_device_grid grid = grid_of(e);
  if (hlo_grid_check(&grid, status) && make_plans(e, NULL, status)) return e;
  hlo_executable_free(e);
  return NULL;
}

hlo_executable *hlo_executable_compile(const hlo_module *module, const hlo_compile_options *options, hlo_status *status) {
  hlo_executable *e = new_executable(module, options->host, options->team, status);
  if (!e) return NULL;
  e->reference = options->reference;
  if (compile(e, options, status)) return e;
  hlo_executable_free(e);
  return NULL;
}

void hlo_executable_free(hlo_executable *e) {
  if (!e) return;
  hlo_executable_abandon(e);
  hlo_rendezvous_free(e->rendezvous);
  for (int d = 0; e->plans && d < e->device_count; d++)
    if (first_of_program(e, d) == d) hlo_plan_free(e->plans[d]);
  free(e->plans);
  hlo_nested_free(e->nested);
  hlo_module_free(e->optimised);
  if (e->pinned) hlo_module_settle(e->pinned);
  hlo_arena_free(&e->arena);
  hlo_arena_free(&e->scratch);
  hlo_arena_free(&e->run_arena);
  free(e->workspaces);
#ifdef HLO_ORIGINS
  hlo_origins_free(&e->origins);
#endif
  free(e);
}

/* ---- Asking ---- */

const hlo_module *hlo_executable_module(const hlo_executable *e) { return e->module; }
bool hlo_executable_stands_alone(const hlo_executable *e) { return e->optimised && !e->pinned; }
int hlo_executable_parameter_count(const hlo_executable *e) { return e->plan->parameter_count; }
const hlo_shape *hlo_executable_parameter_shape(const hlo_executable *e, int number) { return e->plan->parameter_shapes[number]; }
const hlo_shape *hlo_executable_result_shape(const hlo_executable *e) { return e->plan->result_shape; }
int hlo_executable_device_count(const hlo_executable *e) { return e->device_count; }
void hlo_executable_profile(hlo_executable *e, hlo_profile *profile) { e->profile = profile; }
void hlo_executable_write_plan(const hlo_executable *e, hlo_writer *writer) { hlo_plan_write_json(e->plan, writer); }

int hlo_executable_emit(hlo_executable *e, bool fuses, hlo_writer *writer) {
  hlo_status status = {0};
  hlo_wasm_module module;
  hlo_wasm_module_begin(&module, &status);
  module.fuses = fuses;
  for (int d = 0; d < e->device_count && !e->reference; d++)
    if (first_of_program(e, d) == d) hlo_emit_plan(e->plans[d], &module);
  int count = hlo_ok(&status) ? module.function_count : 0;
  if (count) hlo_emit_write(&module, writer);
  hlo_wasm_module_free(&module);
  return count;
}

void hlo_executable_install(hlo_executable *e, const uint32_t *places, int count) {
  for (int d = 0; d < e->device_count; d++)
    if (first_of_program(e, d) == d) hlo_emit_install(e->plans[d], places, count);
}

/* Returns the bytes of one device's workspace, never 0, such that the next one is aligned. */
static int64_t workspace_stride(const hlo_executable *e) {
  int64_t bytes = 0;
  for (int d = 0; d < (e->programs ? e->device_count : 1); d++)
    if (e->plans[d]->workspace_bytes > bytes) bytes = e->plans[d]->workspace_bytes;
  return (bytes + HLO_ALIGNMENT) / HLO_ALIGNMENT * HLO_ALIGNMENT;
}

static int most_operands(const hlo_executable *e) {
  int most = 0;
  for (int d = 0; d < e->device_count; d++)
    if (e->plans[d]->most_operands > most) most = e->plans[d]->most_operands;
  return most;
}

int64_t hlo_executable_workspace_bytes(const hlo_executable *e) {
  int64_t bytes = 0;
  for (int d = 0; d < e->device_count && !e->reference; d++)
    bytes += e->plans[d]->workspace_bytes + (first_of_program(e, d) == d ? e->plans[d]->packed_bytes : 0);
  return bytes + hlo_nested_workspace_bytes(e->nested);
}

size_t hlo_executable_packed_bytes(const hlo_executable *e) {
  size_t bytes = 0;
  for (int d = 0; d < e->device_count; d++)
    if (first_of_program(e, d) == d) bytes += hlo_constant_uses_packed_bytes(&e->plans[d]->constants);
  return bytes;
}

size_t hlo_executable_shared_bytes(const hlo_executable *e) {
  size_t bytes = 0;
  for (int d = 0; d < e->device_count; d++)
    if (first_of_program(e, d) == d) bytes += hlo_constant_uses_shared_bytes(&e->plans[d]->constants);
  return bytes;
}

size_t hlo_executable_constant_bytes(const hlo_executable *e) {
  size_t bytes = 0;
  for (int d = 0; d < e->device_count; d++)
    if (first_of_program(e, d) == d) bytes += (size_t)e->plans[d]->constant_bytes + hlo_constant_uses_dense_bytes(&e->plans[d]->constants);
  return bytes;
}

int hlo_executable_donated_to(const hlo_executable *e, int parameter_leaf) { return e->plan->parameter_leaves[parameter_leaf].donated_to; }

/* ---- Running ---- */

static bool make_device(hlo_executable *e, int number, char *workspace, hlo_status *status) {
  const hlo_plan *plan = e->plans[number];
  hlo_device *device = &e->devices[number];
  device->number = e->first_device + number;
  device->workspace = workspace;
  device->arguments = hlo_arena_many(&e->arena, void *, plan->parameter_first_leaf[plan->parameter_count], status);
  device->results = hlo_arena_many(&e->arena, void *, plan->result_leaf_count, status);
  device->frames = hlo_arena_many(&e->arena, hlo_exec_frame, plan->deepest_call, status);
  return device->arguments && device->results && device->frames;
}

/* Allocates devices and workspaces in the first run; later runs use them again. */
static bool make_devices(hlo_executable *e, hlo_status *status) {
  int64_t bytes;
  size_t size;
  if (!hlo_checked_mul(workspace_stride(e), e->device_count, &bytes) || !hlo_checked_size(bytes + HLO_ALIGNMENT, &size))
    return hlo_fail(status, HLO_OUT_OF_MEMORY, "the workspace would be larger than memory can be");
  hlo_arena_free(&e->arena);
  if (!e->workspaces) e->workspaces = malloc(size);
  if (!e->workspaces) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a workspace of %lld bytes", (long long)bytes);
  uintptr_t first = ((uintptr_t)e->workspaces + HLO_ALIGNMENT - 1) / HLO_ALIGNMENT * HLO_ALIGNMENT;
  hlo_device *devices = hlo_arena_many(&e->arena, hlo_device, e->device_count, status);
  e->operands = hlo_arena_many(&e->arena, const void *, most_operands(e), status);
  if (!devices || !e->operands) return false;
  e->devices = devices;
  for (int d = 0; d < e->device_count; d++)
    if (!make_device(e, d, (char *)first + d * workspace_stride(e), status)) {
      e->devices = NULL;
      return false;
    }
  return true;
}

static bool prepare(hlo_executable *e, hlo_status *status) {
  if (!e->devices && !make_devices(e, status)) return false;
  hlo_device_grid grid = grid_of(e);
  if (!e->rendezvous) e->rendezvous = hlo_rendezvous_new(&grid, status);
  return e->rendezvous != NULL;
}

static int unfinished_devices(const hlo_executable *e) {
  int count = 0;
  for (int d = 0; d < e->device_count; d++) count += e->devices[d].depth > 0;
  return count;
}

/* Runs devices in turn until all have finished, or the run is paused. A round in which none completes a step is a deadlock. */
static bool run_devices(hlo_run *run) {
  hlo_executable *e = run->executable;
  for (int unfinished = unfinished_devices(e); unfinished > 0;) {
    bool progressed = false;
    for (int d = 0; d < e->device_count; d++) {
      hlo_device *device = &e->devices[d];
      if (device->depth == 0) continue;
      if (!hlo_device_run(run, device, &progressed)) return false;
      if (run->paused) return true;
      if (device->depth > 0) continue;
      unfinished--;
      if (e->devices_meet) hlo_rendezvous_finish(e->rendezvous, device->number);
    }
    if (!progressed && !hlo_rendezvous_wait(e->rendezvous, run->status)) return false;
  }
  return true;
}

static bool start(hlo_run *run, const hlo_buffers *inputs, const hlo_buffers *outputs, uint64_t seed) {
  hlo_executable *e = run->executable;
  if (!prepare(e, run->status) || !hlo_border_enter(e, inputs, outputs, run->status)) return false;
  for (int d = 0; d < e->device_count; d++) hlo_device_start(&e->devices[d], e->plans[d], seed);
  return true;
}

static bool run_grid(hlo_run *run, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed) {
  return start(run, inputs, outputs, seed) && run_devices(run) && hlo_border_leave(run->executable, outputs, run->status);
}

/* Frees what a run leaves: its copies of inputs, and the rendezvous if the run failed or devices met. */
static void clean_up(hlo_executable *e, bool ok) {
  hlo_arena_reset(&e->run_arena);
  if (!e->rendezvous || (ok && !e->devices_meet)) return;
  hlo_rendezvous_free(e->rendezvous);
  e->rendezvous = NULL;
}

bool hlo_run_planned(hlo_run *run, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed) {
  bool ok = run_grid(run, inputs, outputs, seed);
  clean_up(run->executable, ok);
  return ok;
}

static hlo_run new_run(hlo_executable *e, int64_t work_budget, hlo_status *status) {
  e->work = (hlo_work){.budget = work_budget};
  if (e->profile) e->profile->count = e->profile->dropped = e->profile->iterations = 0;
  return (hlo_run){.executable = e, .work = &e->work, .work_until_check = HLO_WORK_BETWEEN_CHECKS, .profile = e->profile, .status = status};
}

bool hlo_executable_run(hlo_executable *e, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed, int64_t work_budget,
                        hlo_status *status) {
  hlo_run run = new_run(e, work_budget, status);
  if (!e->reference) return hlo_run_planned(&run, inputs, outputs, seed);
  bool ok = hlo_executable_run_reference(e, inputs, outputs, seed, &e->work, status);
  clean_up(e, ok);
  return ok;
}

int64_t hlo_executable_work(const hlo_executable *e) { return e->work.taken; }

/* ---- In slices ---- */

/* Forgets the current run. */
static void end_slices(hlo_executable *e, bool ok) {
  free(e->current);
  e->current = NULL;
  clean_up(e, ok);
}

void hlo_executable_abandon(hlo_executable *e) {
  if (e->current) end_slices(e, false);
}

bool hlo_executable_begin(hlo_executable *e, const hlo_buffers *inputs, hlo_buffers *outputs, uint64_t seed, int64_t work_budget,
                          hlo_status *status) {
  if (e->reference)
    return hlo_fail(status, HLO_UNSUPPORTED, "the reference evaluator cannot pause: its programs run in one piece");
  e->current = malloc(sizeof *e->current);
  if (!e->current) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a run");
  *e->current = new_run(e, work_budget, status);
  if (start(e->current, inputs, outputs, seed)) return true;
  end_slices(e, false);
  return false;
}

bool hlo_executable_continue(hlo_executable *e, double milliseconds, hlo_buffers *outputs, bool *finished) {
  hlo_run *run = e->current;
  run->paused = false;
  run->slice_end = hlo_profile_now(e->host) + milliseconds;
  bool ok = run_devices(run);
  *finished = ok && !run->paused;
  if (ok && run->paused) return true;
  ok = ok && hlo_border_leave(e, outputs, run->status);
  end_slices(e, ok);
  return ok;
}
