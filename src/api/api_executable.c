/* Executables for JavaScript: compile, describe, run. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "exec/executable.h"
#include "exec/profile.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"

/* ---- Slots: one pointer a leaf, so that a run costs JavaScript a few stores ---- */

static bool make_buffers(hlo_api_executable *e, const hlo_shape *shape, hlo_buffers *buffers, int *slot, hlo_status *status) {
  buffers->leaf_count = hlo_shape_leaf_count(shape);
  buffers->leaves = e->slots + *slot;
  buffers->dynamic_sizes = e->sizes + *slot;
  for (int i = 0; i < buffers->leaf_count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    if (!leaf->dim_kinds || hlo_shape_is_static(leaf)) continue;
    int64_t *sizes = hlo_arena_many(&e->arena, int64_t, leaf->rank, status);
    if (!sizes) return false;
    for (int d = 0; d < leaf->rank; d++) sizes[d] = leaf->dims[d];
    buffers->dynamic_sizes[i] = sizes;
  }
  *slot += buffers->leaf_count;
  return true;
}

static bool make_slots(hlo_api_executable *e, hlo_status *status) {
  e->parameter_count = hlo_executable_parameter_count(e->executable);
  e->devices = hlo_executable_device_count(e->executable);
  const hlo_shape *result = hlo_executable_result_shape(e->executable);
  for (int i = 0; i < e->parameter_count; i++)
    e->input_slots += hlo_shape_leaf_count(hlo_executable_parameter_shape(e->executable, i));
  e->input_slots *= e->devices;
  e->output_slots = hlo_shape_leaf_count(result) * e->devices;
  int slots = e->input_slots + e->output_slots;
  e->slots = hlo_arena_many(&e->arena, void *, slots, status);
  e->sizes = hlo_arena_many(&e->arena, int64_t *, slots, status);
  e->inputs = hlo_arena_many(&e->arena, hlo_buffers, (int64_t)e->parameter_count * e->devices, status);
  e->outputs = hlo_arena_many(&e->arena, hlo_buffers, e->devices, status);
  if (!e->slots || !e->sizes || !e->inputs || !e->outputs) return false;
  int slot = 0;
  for (int i = 0; i < e->parameter_count * e->devices; i++) {
    const hlo_shape *shape = hlo_executable_parameter_shape(e->executable, i % e->parameter_count);
    if (!make_buffers(e, shape, &e->inputs[i], &slot, status)) return false;
  }
  for (int d = 0; d < e->devices; d++)
    if (!make_buffers(e, result, &e->outputs[d], &slot, status)) return false;
  return true;
}

static const bool *donated_parameters(hlo_api_executable *e, const hlo_module *graph, const int32_t *numbers, int count, hlo_status *status) {
  int parameters = graph->entry < 0 ? 0 : hlo_module_entry(graph)->parameter_count;
  bool *donated = hlo_arena_many(&e->arena, bool, parameters, status);
  for (int i = 0; donated && i < count; i++) {
    if (numbers[i] < 0 || numbers[i] >= parameters) {
      hlo_fail(status, HLO_ARGUMENT, "parameter %d cannot be donated: there are %d parameters", (int)numbers[i], parameters);
      return NULL;
    }
    donated[numbers[i]] = true;
  }
  return donated;
}

static void release_module(hlo_api_executable *e) {
  if (e->module) hlo_api_module_release(e->module);
  e->module = NULL;
}

HLO_API(hlo_api_executable *, hlo_api_compile)(hlo_api_module *module, uint32_t id, int replicas, int partitions, bool reference, bool emits,
                                               double work_limit, const int32_t *donated, int donated_count,
                                               const char *custom_calls, size_t custom_calls_length) {
  hlo_runtime *runtime = module->runtime;
  hlo_api_begin(runtime);
  hlo_api_executable *e = hlo_api_object(runtime, sizeof *e);
  if (!e) return NULL;
  e->runtime = runtime;
  e->module = module;
  e->id = id;
  module->references++;
  runtime->live_executables++;
  hlo_arena_init(&e->arena);
  hlo_api_host_init(e);
  e->custom_calls.text = hlo_arena_text(&e->arena, custom_calls, custom_calls_length, &runtime->status);
  e->custom_calls.length = custom_calls_length;
  const hlo_module *graph = e->custom_calls.text ? hlo_api_module_graph(module) : NULL;
  hlo_compile_options options = {.replicas = replicas, .partitions = partitions, .reference = reference, .emits = emits, .host = &e->host,
                                 .team = runtime->team, .work_limit = (int64_t)work_limit};
  if (graph && donated_count) options.donated = donated_parameters(e, graph, donated, donated_count, &runtime->status);
  if (graph && hlo_ok(&runtime->status)) e->executable = hlo_executable_compile(graph, &options, &runtime->status);
  if (e->executable && make_slots(e, &runtime->status)) {
    if (hlo_executable_stands_alone(e->executable)) release_module(e);
    return e;
  }
  hlo_api_executable_free(e);
  return NULL;
}

HLO_API(void, hlo_api_executable_free)(hlo_api_executable *e) {
  e->runtime->live_executables--;
  if (e->executable) hlo_executable_free(e->executable);
  hlo_profile_free(&e->profile);
  release_module(e);
  hlo_arena_free(&e->arena);
  free(e);
}

/* Returns whether a run has no effect other than its results. */
static bool is_pure(const hlo_module *module) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++)
      if (hlo_op_has(hlo_instruction_at(module->computations[c], i)->opcode, HLO_FLAG_SIDE_EFFECT)) return false;
  return true;
}

HLO_API(bool, hlo_api_executable_info)(hlo_api_executable *e) {
  hlo_api_begin(e->runtime);
  hlo_writer *writer = &e->runtime->text;
  const hlo_computation *entry = hlo_module_entry(hlo_executable_module(e->executable));
  hlo_write(writer, "{\"parameters\":[");
  for (int i = 0; i < e->parameter_count; i++) {
    if (i) hlo_write_char(writer, ',');
    hlo_api_write_parameter(writer, hlo_instruction_at(entry, entry->parameters[i]), hlo_executable_parameter_shape(e->executable, i));
  }
  hlo_write(writer, "],\"result\":");
  hlo_api_write_shape(writer, hlo_executable_result_shape(e->executable));
  hlo_write_format(writer, ",\"devices\":%d,\"workspaceBytes\":%lld,\"constantBytes\":%zu,\"packedBytes\":%zu,\"isPure\":%s,\"slots\":%zu,\"sizes\":%zu,\"donatedTo\":[",
                   e->devices, (long long)hlo_executable_workspace_bytes(e->executable), hlo_executable_constant_bytes(e->executable),
                   hlo_executable_packed_bytes(e->executable), is_pure(hlo_executable_module(e->executable)) ? "true" : "false", (size_t)e->slots, (size_t)e->sizes);
  for (int i = 0; i < e->input_slots / e->devices; i++)
    hlo_write_format(writer, i ? ",%d" : "%d", hlo_executable_donated_to(e->executable, i));
  hlo_write(writer, "]}");
  return hlo_ok(&e->runtime->status);
}

HLO_API(double, hlo_api_executable_shared_bytes)(const hlo_api_executable *e) { return (double)hlo_executable_shared_bytes(e->executable); }

HLO_API(bool, hlo_api_executable_plan)(hlo_api_executable *e) {
  hlo_api_begin(e->runtime);
  hlo_executable_write_plan(e->executable, &e->runtime->text);
  return hlo_ok(&e->runtime->status);
}

HLO_API(void, hlo_api_profile)(hlo_api_executable *e, bool on) {
  if (!on) hlo_profile_free(&e->profile);
  hlo_executable_profile(e->executable, on ? &e->profile : NULL);
}
HLO_API(const hlo_profile_record *, hlo_api_profile_records)(const hlo_api_executable *e) { return e->profile.records; }
HLO_API(double, hlo_api_profile_count)(const hlo_api_executable *e, int which) {
  return (double)(which ? e->profile.dropped : e->profile.count);
}

HLO_API(int, hlo_api_executable_emit)(hlo_api_executable *e, bool fuses) {
  hlo_api_begin(e->runtime);
  int count = hlo_executable_emit(e->executable, fuses, &e->runtime->text);
  return hlo_ok(&e->runtime->status) ? count : 0;
}

HLO_API(void, hlo_api_executable_install)(hlo_api_executable *e, const uint32_t *places, int count) {
  hlo_executable_install(e->executable, places, count);
}

/* Refuses a run within a run. A custom call may call into the runtime meanwhile, and clear the runtime's own status: a run has its own. */
static bool begin_run(hlo_api_executable *e) {
  hlo_api_begin(e->runtime);
  if (e->running) return hlo_fail(&e->runtime->status, HLO_ARGUMENT, "the executable is running already");
  e->run_status.code = HLO_OK;
  e->run_status.line = e->run_status.column = 0;
  return e->running = true;
}

static bool end_run(hlo_api_executable *e, bool done, bool running) {
  e->running = running;
  if (!done) e->runtime->status = e->run_status;
  else hlo_api_begin(e->runtime);
  return done;
}

HLO_API(bool, hlo_api_run)(hlo_api_executable *e, uint32_t seed_low, uint32_t seed_high, double work_budget) {
  if (!begin_run(e)) return false;
  uint64_t seed = (uint64_t)seed_high << 32 | seed_low;
  return end_run(e, hlo_executable_run(e->executable, e->inputs, e->outputs, seed, (int64_t)work_budget, &e->run_status), false);
}

HLO_API(bool, hlo_api_run_begin)(hlo_api_executable *e, uint32_t seed_low, uint32_t seed_high, double work_budget) {
  if (!begin_run(e)) return false;
  uint64_t seed = (uint64_t)seed_high << 32 | seed_low;
  bool begun = hlo_executable_begin(e->executable, e->inputs, e->outputs, seed, (int64_t)work_budget, &e->run_status);
  return end_run(e, begun, begun);
}

HLO_API(int, hlo_api_run_slice)(hlo_api_executable *e, double milliseconds) {
  bool finished = false, ok = hlo_executable_continue(e->executable, milliseconds, e->outputs, &finished);
  end_run(e, ok, ok && !finished);
  return !ok ? 0 : finished ? 1 : 2;
}

HLO_API(void, hlo_api_run_abandon)(hlo_api_executable *e) {
  hlo_executable_abandon(e->executable);
  e->running = false;
}

HLO_API(double, hlo_api_executable_work)(const hlo_api_executable *e) { return (double)hlo_executable_work(e->executable); }

HLO_API(double, hlo_api_executable_checks)(hlo_api_executable *e) { return (double)e->host.checks; }
HLO_API(void, hlo_api_executable_loose)(hlo_api_executable *e, bool loose) { e->host.loose_checks = loose; }
