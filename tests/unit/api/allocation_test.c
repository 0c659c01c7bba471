/* Every allocation fails in turn: reading, printing, compiling, running a program through the functions that JavaScript calls. Whatever fails,
 * the call says OUT_OF_MEMORY, or does without; the same call then gives what it gives undisturbed; and nothing is left behind.
 *
 *   allocation_test                  some requests of some programs: every operation of tests/ops once, and every form of a program
 *   allocation_test --all [TEXT]     every request of every program (of those with TEXT in their name)
 *   allocation_test --show TEXT N    prints where request N of each such program fails: once alone, and once with all after it */
#include <dirent.h>

#include "api/api.h"
#include "failing_memory.h"
#include "files.h"
#include "graph/opcode.h"
#include "passes/pipeline.h"
#include "program.h"
#include "text/hlo_text.h"

/* A way to the end: reading a program, and all that is done with it. */
typedef struct job job;
struct job {
  const char *name;
  const char *bytes;
  size_t length;
  void (*work)(job *);
  hlo_runtime *runtime;
  uint64_t digest; /* of all answers */
  int calls;
  hlo_code codes[256];   /* of the calls of the undisturbed job */
  uint64_t after[256];   /* the digest after each */
  bool does_without;   /* a call succeeded though memory ran out */
  bool is_first;       /* undisturbed: its codes are those that are expected */
  char first_message[256];
};

static bool shows;
static int64_t jobs_done, request = -1; /* the one that fails in this job */

static void digest_bytes(job *j, const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) j->digest = (j->digest ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

/* Adds the answer of the last call, which must be what it is undisturbed. */
static void digest_answer(job *j, const char *call, const void *bytes, size_t length) {
  digest_bytes(j, bytes, length);
  uint64_t *after = &j->after[j->calls - 1];
  if (j->is_first) *after = j->digest;
  CHECK(j->digest == *after, "%s, request %lld: %s answers otherwise than undisturbed", j->name, (long long)request, call);
  j->digest = *after; /* what differs is said once */
}

/* Judges one call, and returns whether it is to be made again: what failed for want of memory must succeed with it. */
static bool again(job *j, const char *call, bool done, int attempt) {
  memory.counts = false;
  bool failed = memory.failed;
  hlo_code code = done ? HLO_OK : j->runtime ? j->runtime->status.code : HLO_OUT_OF_MEMORY;
  const char *message = j->runtime ? j->runtime->status.message : "";
  if (done && j->runtime) CHECK(hlo_ok(&j->runtime->status), "%s, request %lld: %s succeeds and says \"%s\"", j->name, (long long)request, call, message);
  if (failed && attempt == 0) memory.fails = -1; /* it has happened */
  memory.failed = false;
  j->does_without |= failed && done;
  bool other = !j->is_first && code != HLO_OUT_OF_MEMORY && code == j->codes[j->calls]; /* a refusal, which memory has nothing to do with */
  if (failed && !done && !other) {
    CHECK(code == HLO_OUT_OF_MEMORY, "%s, request %lld: %s says %s \"%s\"", j->name, (long long)request, call, hlo_code_name(code), message);
    return attempt == 0;
  }
  int number = j->calls++;
  if (number >= (int)(sizeof j->codes / sizeof *j->codes)) abort();
  if (j->is_first) j->codes[number] = code;
  CHECK(code == j->codes[number], "%s, request %lld: %s says %s \"%s\", and undisturbed %s", j->name, (long long)request, call, hlo_code_name(code),
        message, hlo_code_name(j->codes[number]));
  return false;
}

/* Makes a call, with memory that may run out, until it has its answer. */
#define CALL(j, done)                                                                                   \
  for (int attempt_ = 0;; attempt_++) {                                                                 \
    memory.counts = true;                                                                               \
    bool done_ = (done);                                                                                \
    if (!again((j), #done, done_, attempt_)) break;                                                     \
  }
/* The same for a call whose answer is a text. */
#define CALL_TEXT(j, done)                                                              \
  do {                                                                                  \
    CALL(j, done);                                                                      \
    if (hlo_ok(&(j)->runtime->status)) digest_answer((j), #done, hlo_api_text((j)->runtime), hlo_api_text_length((j)->runtime)); \
  } while (0)

/* ---- Programs ---- */

static void fill(hlo_api_executable *e) {
  program p = {.devices = e->devices};
  hlo_arena_init(&p.arena);
  for (int i = 0; i < e->parameter_count * e->devices; i++) {
    const hlo_shape *shape = hlo_executable_parameter_shape(e->executable, i % e->parameter_count);
    hlo_buffers made = program_buffers(&p, shape);
    program_fill(&p, shape, &made, WHOLE_NUMBERS);
    for (int leaf = 0; leaf < made.leaf_count; leaf++) {
      int64_t bytes = 0;
      const hlo_shape *array = hlo_shape_leaf(shape, leaf);
      if (!made.leaves[leaf] || !hlo_shape_array_size(array, &bytes, &p.status)) continue;
      e->inputs[i].leaves[leaf] = malloc((size_t)bytes + 1);
      memcpy(e->inputs[i].leaves[leaf], made.leaves[leaf], (size_t)bytes);
    }
  }
  for (int d = 0; d < e->devices; d++)
    for (int leaf = 0; leaf < e->outputs[d].leaf_count; leaf++) {
      int64_t bytes = 0;
      const hlo_shape *array = hlo_shape_leaf(hlo_executable_result_shape(e->executable), leaf);
      if (!hlo_shape_is_array(array) || !hlo_shape_array_size(array, &bytes, &p.status)) continue;
      e->outputs[d].leaves[leaf] = calloc((size_t)bytes + 1, 1);
    }
  hlo_arena_free(&p.arena);
}

static void digest_outputs(job *j, hlo_api_executable *e) {
  hlo_status status = {0};
  for (int d = 0; d < e->devices; d++)
    for (int leaf = 0; leaf < e->outputs[d].leaf_count; leaf++) {
      int64_t bytes = 0;
      const hlo_shape *array = hlo_shape_leaf(hlo_executable_result_shape(e->executable), leaf);
      if (e->outputs[d].leaves[leaf] && hlo_shape_array_size(array, &bytes, &status)) digest_bytes(j, e->outputs[d].leaves[leaf], (size_t)bytes);
    }
  digest_answer(j, "a run", "", 0);
}

static bool is_small(const hlo_api_executable *e) {
  return hlo_executable_workspace_bytes(e->executable) + hlo_executable_constant_bytes(e->executable) < 1 << 20;
}

static void run(job *j, hlo_api_module *module, bool reference) {
  static const char calls[] = "mine\nyours";
  hlo_api_executable *e = NULL;
  CALL(j, (e = hlo_api_compile(module, 1, 0, 0, reference, true, 0, NULL, 0, calls, sizeof calls - 1)) != NULL);
  if (!e) return;
  CALL(j, hlo_api_executable_info(e));
  if (j->does_without) { /* a constant that could not be packed, perhaps */
    CALL(j, hlo_api_executable_plan(e));
    j->digest = j->after[j->calls - 1];
  } else {
    CALL_TEXT(j, hlo_api_executable_plan(e));
  }
  if (!reference) {
    CALL(j, (hlo_api_executable_emit(e, false), hlo_ok(&j->runtime->status)));
    hlo_api_profile(e, true);
  }
  if (is_small(e)) {
    random_state = RANDOM_SEED;
    fill(e);
    for (int i = 0; i < 2; i++) {
      CALL(j, hlo_api_run(e, 7, 0, 20000));
      if (hlo_ok(&j->runtime->status)) digest_outputs(j, e);
    }
    for (int i = 0; i < e->input_slots + e->output_slots; i++) free(e->slots[i]);
  }
  hlo_api_executable_free(e);
}

static void work_on_module(job *j, hlo_api_module *module) {
  CALL_TEXT(j, hlo_api_module_info(module));
  CALL_TEXT(j, hlo_api_module_contents(module));
  CALL_TEXT(j, hlo_api_module_exported(module));
  CALL_TEXT(j, hlo_api_module_text(module));
  CALL_TEXT(j, hlo_api_module_stablehlo(module));
  CALL_TEXT(j, hlo_api_module_proto(module, true));
  CALL_TEXT(j, hlo_api_module_dump(module, -1));
  CALL_TEXT(j, hlo_api_module_drawn(module, false));
  CALL_TEXT(j, hlo_api_module_drawn(module, true));
  hlo_api_module *copy = NULL;
  CALL(j, (copy = hlo_api_module_extract(module, 0)) != NULL);
  if (copy) hlo_api_module_free(copy);
  run(j, module, false);
  run(j, module, true);
}

static void work_on_program(job *j) {
  hlo_api_module *module = NULL;
  hlo_value *value = NULL;
  CALL(j, (j->runtime = hlo_api_runtime_new()) != NULL);
  CALL_TEXT(j, (hlo_api_form(j->runtime, j->bytes, j->length), hlo_ok(&j->runtime->status)));
  CALL_TEXT(j, hlo_api_functions(j->runtime, j->bytes, j->length));
  CALL(j, (module = hlo_api_module_parse(j->runtime, j->bytes, j->length, "", 0, "", 0)) != NULL);
  CALL_TEXT(j, (value = hlo_api_value_snapshot(j->runtime, (const uint8_t *)j->bytes, j->length)) != NULL);
  if (value) hlo_api_value_free(value);
  if (!module) return;
  work_on_module(j, module);
  if (module->dynamic) {
    hlo_api_module *chosen = NULL;
    CALL_TEXT(j, (chosen = hlo_api_module_attempt(j->runtime, j->bytes, j->length, 0)) != NULL);
    if (chosen) work_on_module(j, chosen);
    if (chosen) hlo_api_module_free(chosen);
    CALL_TEXT(j, (chosen = hlo_api_module_specialise(module, "(f32[3,4], f32[4])", 18, NULL, 0)) != NULL);
    if (chosen) hlo_api_module_free(chosen);
  }
  hlo_api_module_free(module);
}

/* ---- Other calls ---- */

static void work_on_shapes(job *j) {
  static const int64_t at[] = {1, 2, 3}, order[] = {2, 0, 1};
  hlo_api_shape *shape = NULL, *other = NULL;
  int64_t places[16], bounds[16];
  double offsets[64];
  CALL(j, (j->runtime = hlo_api_runtime_new()) != NULL);
  CALL(j, (shape = hlo_api_shape_parse(j->runtime, j->bytes, j->length, NULL, 0, 0)) != NULL);
  CALL(j, (other = hlo_api_shape_parse(j->runtime, "f32[4,2,3]{0,2,1}", 17, NULL, 0, 0)) != NULL);
  if (shape && other) {
    CALL_TEXT(j, hlo_api_shape_info(shape));
    CALL(j, hlo_api_shape_linear_index(shape, at, 3) >= 0);
    CALL(j, hlo_api_shape_multi_index(shape, 5, places) >= 0);
    CALL(j, hlo_api_shape_tiled_index(shape, at, 3, places, bounds) >= 0);
    CALL(j, hlo_api_shape_offsets(shape, offsets));
    CALL(j, hlo_api_transpose_is_bitcast(shape, other, order, 3) >= 0);
    CALL(j, hlo_api_reshape_is_bitcast(shape, other) >= 0);
    char dense[96] = {1, 2, 3}, physical[4096];
    CALL(j, hlo_api_layout_scatter(shape, dense, physical));
    CALL(j, hlo_api_layout_gather(shape, physical, dense));
    digest_answer(j, "gather", dense, sizeof dense);
    CALL_TEXT(j, hlo_api_broadcast_plan(j->runtime, "add", 3, shape, other, NULL, 0));
  }
  if (shape) hlo_api_shape_free(shape);
  if (other) hlo_api_shape_free(other);
}

static void work_on_values(job *j) {
  hlo_value *value = NULL;
  CALL(j, (j->runtime = hlo_api_runtime_new()) != NULL);
  CALL(j, (value = hlo_api_value_parse(j->runtime, j->bytes, j->length)) != NULL);
  if (!value) return;
  CALL_TEXT(j, hlo_api_value_shape(value));
  CALL_TEXT(j, hlo_api_value_text(value));
  CALL(j, (hlo_api_infeed_push(value), true));
  CALL(j, (hlo_api_queue_clear(j->runtime, false), true));
  void *block = NULL;
  CALL(j, (block = hlo_api_alloc(j->runtime, 100)) != NULL);
  hlo_api_release(j->runtime, block, 100);
  CALL_TEXT(j, (hlo_api_ops_json(j->runtime), hlo_ok(&j->runtime->status)));
  CALL_TEXT(j, (hlo_api_op_names(j->runtime), hlo_ok(&j->runtime->status)));
  CALL_TEXT(j, (hlo_api_op_json(j->runtime, 3), hlo_ok(&j->runtime->status)));
  CALL_TEXT(j, (hlo_api_version(j->runtime), hlo_ok(&j->runtime->status)));
  CALL_TEXT(j, (hlo_api_memory(j->runtime), hlo_ok(&j->runtime->status)));
}

static void work_on_builder(job *j) {
  hlo_api_builder *builder = NULL;
  hlo_api_shape *shape = NULL, *row = NULL;
  hlo_api_module *imported = NULL, *built = NULL;
  void *owned = NULL;
  int x = -1, y = -1, z = -1;
  static const float numbers[12] = {1, 2, 3};
  CALL(j, (j->runtime = hlo_api_runtime_new()) != NULL);
  CALL(j, (imported = hlo_api_module_parse(j->runtime, j->bytes, j->length, "", 0, "", 0)) != NULL);
  CALL(j, (shape = hlo_api_shape_parse(j->runtime, "f32[3,4]{0,1}", 13, NULL, 0, 0)) != NULL);
  CALL(j, (row = hlo_api_shape_parse(j->runtime, "f32[4]", 6, NULL, 0, 0)) != NULL);
  CALL(j, (builder = hlo_api_builder_new(j->runtime, "made", 4)) != NULL);
  CALL(j, (x = hlo_api_builder_parameter(builder, 0, shape, "x", 1)) >= 0);
  CALL(j, (y = hlo_api_builder_constant(builder, shape, numbers)) >= 0);
  CALL(j, hlo_api_builder_literal(builder, "f32[2] {1, 2}", 13) >= 0);
  CALL(j, hlo_api_builder_limit(builder, HLO_TYPE_F32, 1) >= 0);
  for (int attempt = 0;; attempt++) { /* the builder owns the memory, also on failure */
    owned = hlo_api_alloc(j->runtime, 16);
    memcpy(owned, numbers, 16);
    memory.counts = true;
    bool done = (z = hlo_api_builder_own_constant(builder, row, owned, 16)) >= 0;
    if (!again(j, "own_constant", done, attempt)) break;
  }
  int32_t operands[] = {x, z};
  CALL(j, hlo_api_builder_broadcast(builder, HLO_OP_ADD, NULL, 0, operands));
  CALL(j, (y = hlo_api_builder_add(builder, HLO_OP_ADD, operands, 2, NULL, "", 0, "sum", 3)) >= 0);
  CALL(j, hlo_api_builder_import(builder, imported, 0));
  CALL(j, (x = hlo_api_builder_limit(builder, HLO_TYPE_F32, 2)) >= 0);
  int32_t reduced[] = {y, x};
  const char *attributes = "dimensions={0,1}, to_apply=plus";
  CALL(j, (y = hlo_api_builder_add(builder, HLO_OP_REDUCE, reduced, 2, NULL, attributes, strlen(attributes), "", 0)) >= 0);
  CALL_TEXT(j, hlo_api_builder_instruction_text(builder, y));
  CALL_TEXT(j, hlo_api_builder_instruction_name(builder, y));
  CALL_TEXT(j, hlo_api_builder_instruction_shape(builder, y));
  CALL(j, (built = hlo_api_builder_finish(builder, y)) != NULL);
  if (built) CALL_TEXT(j, hlo_api_module_text(built));
  if (built) run(j, built, false);
  if (built) hlo_api_module_free(built);
  hlo_api_builder_free(builder);
  hlo_api_shape_free(shape);
  hlo_api_shape_free(row);
  hlo_api_module_free(imported);
}

/* ---- One job, again and again ---- */

static void free_runtime(hlo_runtime *runtime) { /* a runtime lives as long as its memory; here it must leave none behind */
  if (!runtime) return;
  CHECK(!runtime->live_shapes && !runtime->live_modules && !runtime->live_executables && !runtime->live_buffers && !runtime->buffer_bytes,
        "%d shapes, %d modules, %d executables, %d buffers are alive", runtime->live_shapes, runtime->live_modules, runtime->live_executables,
        runtime->live_buffers);
  hlo_api_queue_clear(runtime, false);
  hlo_api_queue_clear(runtime, true);
  hlo_writer_free(&runtime->text);
  free(runtime);
}

/* The job once, with the request that fails (-1: none); returns the number of requests. */
static int64_t once(job *j, int64_t fails, bool persists) {
  int failures = unit_failures;
  int64_t live = memory.live;
  request = memory.fails = fails;
  memory.persists = persists;
  memory.requests = 0;
  memory.failed = false;
  memory.shows = shows;
  j->runtime = NULL;
  j->calls = 0;
  j->does_without = false;
  j->is_first = fails < 0;
  j->digest = 14695981039346656037u;
  j->work(j);
  free_runtime(j->runtime);
  CHECK(memory.live == live, "%s, request %lld: %lld blocks are left", j->name, (long long)fails, (long long)(memory.live - live));
  if (unit_failures > failures) fprintf(stderr, "  (%s --show %s %lld)\n", persists ? "from this request on" : "this request alone", j->name, (long long)fails);
  jobs_done++;
  return memory.requests;
}

/* How densely requests are tried: each of the first ones, then ever fewer. */
static int64_t next_request(int64_t request, bool all) { return all ? request + 1 : request + 1 + request / 4; }

static void sweep(job *j, bool all, int round) {
  int64_t requests = once(j, -1, false);
  CHECK(requests > 0, "%s requests no memory", j->name);
  for (int64_t i = all ? 0 : round % 7; i < requests && unit_failures < 40; i = next_request(i, all)) {
    once(j, i, false);
    if (all || (i + round) % 2) once(j, i, true);
  }
}

/* ---- Which ---- */

static bool sweeps_all;
static const char *wanted;
static int64_t shown = -1;
static int rounds;

static void take(const char *name, const char *bytes, size_t length, void (*work)(job *)) {
  static job j;
  if (wanted && !strstr(name, wanted)) return;
  j = (job){.name = name, .bytes = bytes, .length = length, .work = work};
  if (shown >= 0) {
    once(&j, -1, false);
    shows = true;
    once(&j, shown, false);
    once(&j, shown, true);
    shows = false;
  } else {
    sweep(&j, sweeps_all, rounds++);
  }
}

/* Whether the program has an operation that no earlier one had. */
static bool brings_an_operation(const char *bytes, size_t length) {
  static bool known[HLO_OPCODE_COUNT];
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(bytes, length, &status);
  bool brings = false;
  for (int c = 0; module && c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      bool *one = &known[hlo_instruction_at(module->computations[c], i)->opcode];
      brings |= !*one;
      *one = true;
    }
  hlo_module_free(module);
  return brings;
}

/* The programs of a file of cases: from one "# case NAME" to the next. */
static void take_cases(const char *file, char *text, size_t length) {
  static const char mark[] = "\n# case ";
  for (char *at = strstr(text, mark), *next; at; at = next) {
    char *name = at + strlen(mark), *line = strchr(name, '\n'), *module = strstr(at, "HloModule");
    next = strstr(name, mark);
    char *end = strstr(name, "\n# input"), *expect = strstr(name, "\n# expect");
    if (!line || !module || (!end && !expect)) continue;
    if (!end || (expect && expect < end)) end = expect;
    if (next && (module > next || end > next)) continue; /* a refusal */
    char full[256];
    snprintf(full, sizeof full, "%s/%.*s", file, (int)(line - name), name);
    size_t size = (size_t)(end - module);
    bool brings = brings_an_operation(module, size);
    if (sweeps_all || brings || shown >= 0) take(full, module, size, work_on_program);
  }
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool ends_in(const char *name, const char *ending) {
  size_t length = strlen(name), end = strlen(ending);
  return length > end && strcmp(name + length - end, ending) == 0;
}

/* Files of programs; those of older versions of bytecode only where everything is swept. */
static void take_folder(const char *path) {
  static const char *const endings[] = {".mlir", ".mlirbc", ".jaxexport", ".jax", ".pb", ".hlo"};
  char folder[1024];
  snprintf(folder, sizeof folder, "%s/%s", WEBHLO_ROOT, path);
  DIR *names = opendir(folder);
  CHECK(names != NULL, "%s", folder);
  if (!names) return;
  char *sorted[512];
  int count = 0;
  for (struct dirent *entry; (entry = readdir(names)) && count < 512;) {
    bool is_program = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) is_program |= ends_in(entry->d_name, endings[i]);
    bool is_older = ends_in(entry->d_name, ".mlirbc") && strpbrk(entry->d_name, "0123456789") && !strstr(entry->d_name, "1.17.0");
    if (is_program && (sweeps_all || !is_older)) sorted[count++] = strcpy(malloc(strlen(entry->d_name) + 1), entry->d_name);
  }
  closedir(names);
  qsort(sorted, (size_t)count, sizeof *sorted, by_name);
  for (int i = 0; i < count; i++) {
    size_t length;
    char *bytes = read_file_of(folder, sorted[i], &length), name[1280];
    snprintf(name, sizeof name, "%s/%s", path, sorted[i]);
    if (bytes && strcmp(path, "tests/ops") == 0) {
      char *text = malloc(length + 1);
      memcpy(text, bytes, length);
      text[length] = 0;
      take_cases(name, text, length);
      free(text);
    } else if (bytes) {
      take(name, bytes, length, work_on_program);
    }
    free(bytes);
    free(sorted[i]);
  }
}

int main(int argument_count, char **arguments) {
  static const char *const folders[] = {"tests/ops", "demos/samples", "tests/formats/bytecode", "tests/formats/proto", "tests/formats/trees",
                                        "tests/formats/shard_map", "tests/formats/stablehlo/dynamic"};
  static const char plus[] = "HloModule p\nplus {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}";
  static const char tiled[] = "f32[2,3,4]{0,2,1:T(2,4)(2,1)}", nested[] = "(f32[2,2] {{1, 2}, {3, 4}}, (pred[] true, c64[2] {(1, 2), (3, 4)}), s4[3] {1, 2, 3})";
  if (argument_count > 1) sweeps_all = strcmp(arguments[1], "--all") == 0;
  if (argument_count > 2) wanted = arguments[2];
  if (argument_count > 3) shown = atoll(arguments[3]);
  take("shapes", tiled, sizeof tiled - 1, work_on_shapes);
  take("values", nested, sizeof nested - 1, work_on_values);
  take("builder", plus, sizeof plus - 1, work_on_builder);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) take_folder(folders[i]);
  printf("%d programs, %lld times\n", rounds, (long long)jobs_done);
  return unit_report();
}
