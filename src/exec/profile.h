/* When each step of a run began and ended, by the host's clock. */
#ifndef HLO_EXEC_PROFILE_H
#define HLO_EXEC_PROFILE_H

#include "devices/host.h"

enum { HLO_PROFILE_MOST_RECORDS = 1000000, HLO_PROFILE_MOST_ITERATIONS = 1000 };

/* A kernel, an evaluation, a meeting, or a call from its first step to its last. */
typedef struct hlo_profile_record {
  double begin, end; /* in milliseconds */
  int32_t device, routine, step;
  int32_t depth;     /* number of calls around it */
} hlo_profile_record;

typedef struct hlo_profile {
  hlo_profile_record *records;
  int64_t count, capacity;
  int64_t dropped; /* records that found no room */
  int iterations;  /* of loops that have emitted code and were shown step by step: at most HLO_PROFILE_MOST_ITERATIONS, and then by that code */
} hlo_profile;

double hlo_profile_now(hlo_host *host);
void hlo_profile_add(hlo_profile *profile, hlo_profile_record record);
void hlo_profile_free(hlo_profile *profile);

#endif
