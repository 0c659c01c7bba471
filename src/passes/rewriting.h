/* A module while passes run over it: what calls what, and which computations a pass need not look at again. */
#ifndef HLO_PASSES_REWRITING_H
#define HLO_PASSES_REWRITING_H

#include "passes/rewriter.h"

/* Times count changes. A pass has nothing to do in a computation that has not changed, nor anything that it calls, since the
 * pass found nothing there. */
typedef struct hlo_rewriting {
  hlo_module *module;
  hlo_status *status;
  hlo_arena history, survey, scratch; /* until the end; until something changes; for one computation */
  int pass_count, time;
  int counted, capacity; /* computations with a history */
  int *changed_at;       /* by computation */
  int *done_at;          /* by computation and pass: when it had nothing to do there */
  int known;             /* computations at the time of the survey; 0: it must be made again */
  int *order;            /* callees first */
  int *newest;           /* by computation: when it changed, or what it calls */
  bool *reached, *effects, *applied; /* see hlo_rewriter */
} hlo_rewriting;

void hlo_rewriting_init(hlo_rewriting *rewriting, hlo_module *module, int pass_count, hlo_status *status);
void hlo_rewriting_free(hlo_rewriting *rewriting);
/* Rewrites every computation that the entry reaches, once, where the pass may find something. *changed is set, never cleared. */
bool hlo_rewriting_run(hlo_rewriting *rewriting, int pass, hlo_rewrite *rewrite, bool *changed);
/* Computations have got other numbers. */
void hlo_rewriting_forget(hlo_rewriting *rewriting);

#endif
