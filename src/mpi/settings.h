/* What the command line of webhlo-native says. */
#ifndef HLO_MPI_SETTINGS_H
#define HLO_MPI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { HLO_MOST_FILES = 1024 };

typedef struct hlo_settings {
  bool measures; /* the command is `measure`, which times MPI_Allreduce; else it is `run` */
  const char *module;
  const char *inputs[HLO_MOST_FILES], *outputs[HLO_MOST_FILES];
  int input_count, output_count;
  int devices_per_rank, replicas, partitions; /* 0: not given */
  bool fast, stats;
  double timeout;
  int repeat;
  int64_t bytes; /* of `measure` */
  uint64_t seed;
} hlo_settings;

/* Reads the command line. Ends the process, with a message or the help text, if it cannot be read. */
void hlo_settings_read(hlo_settings *settings, int count, char **words);

#endif
