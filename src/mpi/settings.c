/* The command line, by glibc's argp. */
#include "mpi/settings.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 1000, REPLICAS, PARTITIONS, FAST, TIMEOUT, REPEAT, SEED, STATS, BYTES };

static const struct argp_option OPTIONS[] = {
    {"input", 'i', "FILE", 0, "The .npy file of the next parameter; %r in its name is the number of the device", 0},
    {"output", 'o', "FILE", 0, "The .npy file of the next array of the result; %r likewise, and %i is the number of the array, for all of them", 0},
    {"devices-per-rank", DEVICES, "N", 0, "How many devices each rank runs (1; all of them where there is one rank)", 0},
    {"replicas", REPLICAS, "N", 0, "How many replicas there are, if not as many as the module says", 0},
    {"partitions", PARTITIONS, "N", 0, "How many partitions each replica has, likewise", 0},
    {"fast-reduce", FAST, NULL, 0, "Let MPI add and multiply in an order of its own: results may differ in their last bits", 0},
    {"seed", SEED, "N", 0, "The seed of the random operations (0)", 0},
    {"timeout", TIMEOUT, "SECONDS", 0, "Give up when no rank goes on, or one is silent, for so long (60)", 0},
    {"repeat", REPEAT, "N", 0, "Run so many times, with the same inputs", 0},
    {"stats", STATS, NULL, 0, "Print a line of JSON for each rank: the seconds of each run, how long it waited, the bytes that it sent", 0},
    {"bytes", BYTES, "N", 0, "measure: the size of the array that MPI_Allreduce adds up", 0},
    {0}};

/* Reads a number of at least `least`; ends the process with a message otherwise. */
static int64_t number(struct argp_state *state, const char *name, const char *text, int64_t least) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (errno || end == text || *end || value < least) argp_error(state, "--%s: expected a whole number from %lld on, got \"%s\"", name, (long long)least, text);
  return value;
}

static int small(struct argp_state *state, const char *name, const char *text) {
  int64_t value = number(state, name, text, 1);
  if (value > 1 << 30) argp_error(state, "--%s: %s is too large", name, text);
  return (int)value;
}

static void add_file(struct argp_state *state, const char **files, int *count, const char *name) {
  if (*count == HLO_MOST_FILES) argp_error(state, "there may be %d files", HLO_MOST_FILES);
  files[(*count)++] = name;
}

static void take_word(struct argp_state *state, hlo_settings *s, const char *word) {
  if (state->arg_num == 0) {
    s->measures = strcmp(word, "measure") == 0;
    if (!s->measures && strcmp(word, "run") != 0) argp_error(state, "there is no command \"%s\": expected run or measure", word);
  } else if (state->arg_num == 1 && !s->measures) {
    s->module = word;
  } else {
    argp_error(state, "\"%s\" is one word too many", word);
  }
}

static error_t take(int key, char *text, struct argp_state *state) {
  hlo_settings *s = state->input;
  char *end;
  switch (key) {
  case 'i': add_file(state, s->inputs, &s->input_count, text); return 0;
  case 'o': add_file(state, s->outputs, &s->output_count, text); return 0;
  case DEVICES: s->devices_per_rank = small(state, "devices-per-rank", text); return 0;
  case REPLICAS: s->replicas = small(state, "replicas", text); return 0;
  case PARTITIONS: s->partitions = small(state, "partitions", text); return 0;
  case REPEAT: s->repeat = small(state, "repeat", text); return 0;
  case SEED: s->seed = (uint64_t)number(state, "seed", text, 0); return 0;
  case BYTES: s->bytes = number(state, "bytes", text, 4); return 0;
  case FAST: s->fast = true; return 0;
  case STATS: s->stats = true; return 0;
  case TIMEOUT:
    s->timeout = strtod(text, &end);
    if (*end || end == text || !(s->timeout > 0)) argp_error(state, "--timeout: expected seconds, got \"%s\"", text);
    return 0;
  case ARGP_KEY_ARG: take_word(state, s, text); return 0;
  case ARGP_KEY_END:
    if (state->arg_num == 0) argp_usage(state);
    if (!s->measures && !s->module) argp_error(state, "run: which module?");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

void hlo_settings_read(hlo_settings *settings, int count, char **words) {
  static const struct argp parser = {
      .options = OPTIONS, .parser = take, .args_doc = "run MODULE\nmeasure --bytes N",
      .doc = "Runs a program of XLA natively: alone, all of its replicas and partitions in this process; under mpirun, spread over ranks.\v"
             "MODULE is HLO text, StableHLO text or bytecode, a file of jax.export or a protocol buffer.\n\n"
             "  mpirun -n 8 webhlo-native run step.mlirbc --input 'shard-%r.npy' --output 'out-%r.npy'"};
  *settings = (hlo_settings){.timeout = 60, .repeat = 1, .bytes = 1 << 20};
  argp_parse(&parser, count, words, 0, NULL, settings);
}
