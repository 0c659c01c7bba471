/* Reading, comparing, compiling, running, writing: with a point after each at which the ranks agree whether all of them can go on. */
#include "mpi/native_run.h"

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/format.h"
#include "base/sha256.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "devices/host.h"
#include "exec/executable.h"
#include "graph/module.h"
#include "mpi/npy_file.h"
#include "shape/shape.h"

typedef struct program {
  const hlo_settings *settings;
  hlo_ranks *ranks;
  bool alone; /* there is one rank, which has all devices */
  hlo_host host;
  hlo_module *module;
  hlo_executable *executable;
  hlo_arena arena;
  int first_device, device_count;
  hlo_buffers *inputs, *outputs;
  uint8_t digest[HLO_SHA256_BYTES];
} program;

/* ---- Agreeing ---- */

/* What a rank tells the others at a point where all must go on or none. */
typedef struct report {
  int code;
  char message[HLO_STATUS_MESSAGE_BYTES];
} report;

static bool same_report(const report *a, const report *b) { return a->code == b->code && strcmp(a->message, b->message) == 0; }

/* Rank 0 tells each failure once, with the rank that has it unless all do. */
static void tell_failures(const report *reports, int count) {
  bool everyone = true;
  for (int r = 1; r < count; r++) everyone = everyone && same_report(&reports[0], &reports[r]);
  for (int r = 0; r < (everyone ? 1 : count); r++) {
    if (reports[r].code == HLO_OK) continue;
    if (everyone) hlo_native_say(2, "webhlo-native: %s", reports[r].message);
    else hlo_native_say(2, "webhlo-native: rank %d: %s", r, reports[r].message);
  }
}

/* Returns whether all ranks are well; if one is not, rank 0 has told why. */
static bool agree(const program *p, const char *after, bool *told, hlo_status *status) {
  if (p->alone) return hlo_ok(status);
  int count = p->ranks->remote.rank_count;
  report own = {.code = status->code}, *reports = malloc((size_t)count * sizeof *reports);
  if (!reports) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for the reports of %d ranks", count);
  memcpy(own.message, status->message, sizeof own.message);
  char waits[64];
  hlo_format(waits, sizeof waits, "it waits for all ranks to have %s", after);
  hlo_watch_call(p->ranks, waits);
  bool ok = hlo_ranks_check(p->ranks, MPI_Allgather(&own, sizeof own, MPI_BYTE, reports, sizeof own, MPI_BYTE, MPI_COMM_WORLD), "MPI_Allgather", status);
  hlo_watch_call(p->ranks, "");
  for (int r = 0; ok && r < count; r++) *told = *told || reports[r].code != HLO_OK;
  if (ok && *told && p->ranks->remote.rank == 0) tell_failures(reports, count);
  free(reports);
  if (ok && *told) hlo_fail(status, HLO_INTERNAL, "another rank failed");
  return ok && !*told;
}

/* Fails if the ranks were given different programs, or grids, or ways to reduce. */
static bool compare_programs(const program *p, hlo_status *status) {
  if (p->alone) return true;
  int count = p->ranks->remote.rank_count;
  uint8_t *digests = malloc((size_t)count * sizeof p->digest);
  if (!digests) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for the digests of %d ranks", count);
  int code = MPI_Allgather(p->digest, sizeof p->digest, MPI_BYTE, digests, sizeof p->digest, MPI_BYTE, MPI_COMM_WORLD);
  bool ok = hlo_ranks_check(p->ranks, code, "MPI_Allgather", status);
  if (ok && memcmp(p->digest, digests, sizeof p->digest) != 0)
    ok = hlo_fail(status, HLO_ARGUMENT, "%s, or what was said about how to run it, is not the program of rank 0", p->settings->module);
  free(digests);
  return ok;
}

/* ---- Reading ---- */

static void sum_up(program *p, const char *bytes, size_t size) {
  const hlo_settings *s = p->settings;
  int64_t numbers[] = {s->devices_per_rank, s->replicas, s->partitions, s->repeat, s->fast, (int64_t)s->seed};
  hlo_sha256 sum;
  hlo_sha256_begin(&sum);
  hlo_sha256_add(&sum, bytes, size);
  hlo_sha256_add(&sum, numbers, sizeof numbers);
  hlo_sha256_end(&sum, p->digest);
}

static bool read_module(program *p, hlo_status *status) {
  size_t size;
  const hlo_span nothing = {"", 0};
  hlo_api_dynamic *dynamic = NULL;
  hlo_writer exported;
  char *bytes = hlo_file_read(p->settings->module, &size, status);
  if (!bytes) return false;
  sum_up(p, bytes, size);
  hlo_writer_init(&exported, status);
  p->module = hlo_api_read_module(NULL, bytes, size, nothing, nothing, &dynamic, &exported, status);
  hlo_writer_free(&exported);
  free(bytes);
  if (dynamic) {
    hlo_api_dynamic_free(dynamic);
    hlo_fail(status, HLO_UNSUPPORTED, "%s: its shapes are open; `webhlo convert --shapes` gives it fixed ones", p->settings->module);
  }
  return p->module != NULL;
}

/* ---- Compiling ---- */

static bool keep_watch(hlo_host *host) {
  program *p = host->context;
  hlo_status status = {0};
  if (hlo_watch(p->ranks, HLO_RANK_BUSY, &status)) return false;
  hlo_native_say(2, "webhlo-native: %s", status.message);
  return true;
}

static bool compile(program *p, hlo_status *status) {
  const hlo_settings *s = p->settings;
  p->host = (hlo_host){.context = p, .aborted = p->alone ? NULL : keep_watch};
  hlo_compile_options options = {.replicas = s->replicas, .partitions = s->partitions, .host = &p->host, .remote = p->alone ? NULL : &p->ranks->remote};
  p->executable = hlo_executable_compile(p->module, &options, status);
  if (!p->executable) return false;
  p->device_count = hlo_executable_device_count(p->executable);
  p->first_device = p->alone ? 0 : p->ranks->remote.rank * p->ranks->remote.devices_per_rank;
  return true;
}

/* ---- Files ---- */

/* Writes the name of a file: %r becomes the number of a device, %i that of an array. NULL: no memory. */
static char *file_name(hlo_arena *arena, const char *pattern, int device, int array, hlo_status *status) {
  hlo_writer name;
  hlo_writer_init(&name, status);
  for (const char *c = pattern; *c; c++) {
    bool is_device = c[0] == '%' && c[1] == 'r', is_array = c[0] == '%' && c[1] == 'i';
    if (is_device || is_array) hlo_write_int(&name, is_device ? device : array);
    else hlo_write_char(&name, *c);
    c += is_device || is_array;
  }
  char *kept = hlo_arena_text(arena, name.text ? name.text : "", name.length, status);
  hlo_writer_free(&name);
  return hlo_ok(status) ? kept : NULL;
}

static bool make_buffers(program *p, const hlo_shape *shape, hlo_buffers *buffers, hlo_status *status) {
  buffers->leaf_count = hlo_shape_leaf_count(shape);
  buffers->leaves = hlo_arena_many(&p->arena, void *, buffers->leaf_count, status);
  for (int i = 0; buffers->leaves && i < buffers->leaf_count; i++) {
    const hlo_shape *leaf = hlo_shape_leaf(shape, i);
    int64_t bytes = 0;
    if (!hlo_shape_is_array(leaf)) continue;
    if (!hlo_shape_is_static(leaf)) return hlo_fail(status, HLO_UNSUPPORTED, "an .npy file cannot say how much of %pS there is", leaf);
    if (!hlo_shape_array_size(leaf, &bytes, status)) return false;
    buffers->leaves[i] = aligned_alloc(64, ((size_t)bytes + 64) / 64 * 64);
    if (!buffers->leaves[i]) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an array of %lld bytes", (long long)bytes);
    if (!hlo_arena_adopt(&p->arena, buffers->leaves[i], (size_t)bytes, status)) return false;
  }
  return buffers->leaves != NULL;
}

static int input_arrays(const program *p) {
  int count = 0;
  for (int n = 0; n < hlo_executable_parameter_count(p->executable); n++) count += hlo_shape_leaf_count(hlo_executable_parameter_shape(p->executable, n));
  return count;
}

static bool check_names(const program *p, hlo_status *status) {
  const hlo_settings *s = p->settings;
  int arrays = input_arrays(p), results = hlo_shape_leaf_count(hlo_executable_result_shape(p->executable));
  int devices = p->alone ? p->device_count : p->ranks->remote.rank_count * p->ranks->remote.devices_per_rank;
  if (s->input_count != arrays)
    return hlo_fail(status, HLO_ARGUMENT, "%s takes %d %s, but --input was given %d %s", s->module, arrays, arrays == 1 ? "array" : "arrays",
                    s->input_count, s->input_count == 1 ? "time" : "times");
  bool all = s->output_count == 1 && strstr(s->outputs[0], "%i");
  if (s->output_count > results && !all)
    return hlo_fail(status, HLO_ARGUMENT, "%s has a result of %d %s, but --output was given %d times", s->module, results, results == 1 ? "array" : "arrays",
                    s->output_count);
  for (int i = 0; i < s->output_count; i++)
    if (devices > 1 && !strstr(s->outputs[i], "%r"))
      return hlo_fail(status, HLO_ARGUMENT, "--output %s: there are %d devices, so that the name needs %%r, for the number of each", s->outputs[i], devices);
  return true;
}

static bool read_inputs(program *p, hlo_status *status) {
  int parameters = hlo_executable_parameter_count(p->executable);
  p->inputs = hlo_arena_many(&p->arena, hlo_buffers, (int64_t)parameters * p->device_count, status);
  for (int d = 0; p->inputs && d < p->device_count; d++)
    for (int n = 0, file = 0; n < parameters; n++) {
      const hlo_shape *shape = hlo_executable_parameter_shape(p->executable, n);
      hlo_buffers *buffers = &p->inputs[d * parameters + n];
      if (!make_buffers(p, shape, buffers, status)) return false;
      for (int i = 0; i < buffers->leaf_count; i++, file++) {
        const hlo_shape *leaf = hlo_shape_leaf(shape, i);
        char *name = file_name(&p->arena, p->settings->inputs[file], p->first_device + d, i, status);
        if (!name) return false;
        if (!hlo_shape_is_array(leaf)) continue;
        if (!hlo_npy_read(name, leaf, buffers->leaves[i], status)) return hlo_status_append(status, " (parameter %d)", n);
      }
    }
  return p->inputs != NULL;
}

static bool make_outputs(program *p, hlo_status *status) {
  p->outputs = hlo_arena_many(&p->arena, hlo_buffers, p->device_count, status);
  for (int d = 0; p->outputs && d < p->device_count; d++)
    if (!make_buffers(p, hlo_executable_result_shape(p->executable), &p->outputs[d], status)) return false;
  return p->outputs != NULL;
}

static bool write_outputs(program *p, hlo_status *status) {
  const hlo_settings *s = p->settings;
  const hlo_shape *shape = hlo_executable_result_shape(p->executable);
  bool all = s->output_count == 1 && strstr(s->outputs[0], "%i");
  int count = all ? hlo_shape_leaf_count(shape) : s->output_count;
  for (int d = 0; d < p->device_count; d++)
    for (int i = 0; i < count; i++) {
      const hlo_shape *leaf = hlo_shape_leaf(shape, i);
      char *name = file_name(&p->arena, s->outputs[all ? 0 : i], p->first_device + d, i, status);
      if (!name) return false;
      if (hlo_shape_is_array(leaf) && !hlo_npy_write(name, leaf, p->outputs[d].leaves[i], status)) return false;
    }
  return true;
}

/* ---- Running ---- */

static void write_stats(const program *p, const double *seconds) {
  hlo_status ignored = {0};
  hlo_writer text;
  hlo_writer_init(&text, &ignored);
  hlo_write_format(&text, "{\"rank\":%d,\"devices\":%d,\"bytesSent\":%lld,\"waited\":%g,\"reduced\":%g,\"seconds\":[", p->ranks->remote.rank, p->device_count,
                   (long long)p->ranks->sent, p->ranks->waited, p->ranks->remote.reducing);
  for (int i = 0; i < p->settings->repeat; i++) hlo_write_format(&text, i ? ",%g" : "%g", seconds[i]);
  hlo_write(&text, "]}");
  if (text.text) hlo_native_say(1, "%s", text.text);
  hlo_writer_free(&text);
}

static bool run(program *p, hlo_status *status) {
  if (!p->alone) hlo_watch_begin(p->ranks);
  double *seconds = hlo_arena_many(&p->arena, double, p->settings->repeat, status);
  for (int i = 0; seconds && i < p->settings->repeat; i++) {
    double begun = hlo_ranks_seconds();
    if (!hlo_executable_run(p->executable, p->inputs, p->outputs, p->settings->seed, 0, status)) return false;
    seconds[i] = hlo_ranks_seconds() - begun;
    if (!p->alone && !hlo_ranks_finish(p->ranks, status)) return false;
  }
  if (seconds && p->settings->stats) write_stats(p, seconds);
  return seconds != NULL;
}

static bool prepare(program *p, bool *told, hlo_status *status) {
  read_module(p, status);
  if (!agree(p, "read the program", told, status)) return false;
  compare_programs(p, status);
  if (!agree(p, "compared their programs", told, status)) return false;
  if (compile(p, status)) check_names(p, status);
  if (!agree(p, "compiled the program", told, status)) return false;
  if (read_inputs(p, status)) make_outputs(p, status);
  return agree(p, "read their inputs", told, status);
}

bool hlo_native_run(const hlo_settings *settings, hlo_ranks *ranks, bool *told, hlo_status *status) {
  program p = {.settings = settings, .ranks = ranks, .alone = ranks->remote.rank_count == 1};
  hlo_arena_init(&p.arena);
  bool ok = prepare(&p, told, status) && (p.alone || hlo_executable_connect(p.executable, status)) && run(&p, status) && write_outputs(&p, status);
  hlo_executable_free(p.executable);
  hlo_module_free(p.module);
  hlo_arena_free(&p.arena);
  return ok;
}

/* ---- Measuring ---- */

bool hlo_native_measure(const hlo_settings *s, const hlo_ranks *ranks, hlo_status *status) {
  int64_t count = s->bytes / (int64_t)sizeof(float);
  if (count > INT32_MAX) return hlo_fail(status, HLO_LIMIT, "%lld bytes are too many for one call of MPI_Allreduce", (long long)s->bytes);
  float *from = calloc((size_t)count, sizeof *from), *to = calloc((size_t)count, sizeof *to);
  hlo_writer text;
  hlo_writer_init(&text, status);
  bool ok = from && to ? true : hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %lld bytes", (long long)s->bytes);
  hlo_write_format(&text, "{\"bytes\":%lld,\"seconds\":[", (long long)s->bytes);
  for (int i = 0; ok && i < s->repeat; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = hlo_ranks_seconds();
    ok = hlo_ranks_check(ranks, MPI_Allreduce(from, to, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce", status);
    hlo_write_format(&text, i ? ",%g" : "%g", hlo_ranks_seconds() - begun);
  }
  hlo_write(&text, "]}");
  if (ok && ranks->remote.rank == 0) hlo_native_say(1, "%s", text.text);
  hlo_writer_free(&text);
  free(from);
  free(to);
  return ok;
}
