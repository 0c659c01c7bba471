/* A module while passes run over it: what calls what, and which computations a pass need not look at again. */
#ifndef HLO_REWRITE_PASS_RUNNER_H
#define HLO_REWRITE_PASS_RUNNER_H

#include "base/arena.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "rewrite/rewriter.h"

/* Time is the number of changes so far. A pass skips a computation if neither it nor anything that it calls has changed since the pass
 * last found nothing there. */
typedef struct hlo_pass_runner {
  hlo_module *module;
  hlo_status *status;
  hlo_meter *meter; /* of the passes' work; NULL: nobody counts */
  hlo_arena history, survey, scratch; /* kept until the end; until something changes; for one computation */
  hlo_arena *nodes;      /* see hlo_rewriter; belongs to the module */
  size_t kept;           /* bytes in it when what had been replaced was dropped last */
  int pass_count, time;
  int counted, capacity; /* computations with a history; room for so many */
  int *changed_at;       /* by computation */
  int *done_at;          /* by computation and pass: when the pass last found nothing there */
  int known;             /* number of computations at the time of the survey; 0: the survey must be made again */
  int *order;            /* computations, callees first */
  int *newest;           /* by computation: when it, or anything that it calls, last changed */
  bool *reached, *effects, *applied; /* see hlo_rewriter */
  bool present[HLO_OPCODE_COUNT];    /* in a computation that is reached */
} hlo_pass_runner;

/* Returns false where there is no memory; the runner is to be freed all the same. */
bool hlo_pass_runner_init(hlo_pass_runner *runner, hlo_module *module, int pass_count, hlo_status *status);
void hlo_pass_runner_free(hlo_pass_runner *runner);
/* Rewrites every computation that the entry reaches, once, where the pass may find something. *changed is set, never cleared.
 * only: opcodes of which there must be an instruction; none: any will do. */
bool hlo_pass_runner_run(hlo_pass_runner *runner, int pass, hlo_rewrite *rewrite, const hlo_opcodes *only, bool *changed);
/* Forgets everything about computations, because they have been renumbered. */
void hlo_pass_runner_forget(hlo_pass_runner *runner);

#endif
