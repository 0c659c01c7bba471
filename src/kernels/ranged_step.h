/* Steps of which a team takes ranges: one function for every kernel that works through things side by side (lines, blocks, windows). */
#ifndef HLO_KERNELS_RANGED_STEP_H
#define HLO_KERNELS_RANGED_STEP_H

#include "kernels/step_function.h"

/* The parameters of hlo_ranged_step_run. */
typedef struct hlo_ranged_step {
  hlo_range_function *run;
  int64_t count, step;    /* things; ranges begin at multiples of `step` */
  double nanoseconds;     /* about what all of them take one thread */
  int64_t scratch_bytes;  /* of a thread, a multiple of 64; the scratch of the step holds one for each thread */
  const void *parameters; /* of `run` */
} hlo_ranged_step;

hlo_shared_step_function hlo_ranged_step_run;

#endif
