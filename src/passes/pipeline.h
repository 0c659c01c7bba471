/* The optimising passes: a verified module in, one that gives the same results in less time out. */
#ifndef HLO_PASSES_PIPELINE_H
#define HLO_PASSES_PIPELINE_H

#include "base/meter.h"
#include "base/status.h"
#include "graph/module.h"

int hlo_pass_count(void);
const char *hlo_pass_name(int number);

/* Called after every run of a pass; passes that take turns run several times. */
typedef void hlo_pass_observer(void *context, int number, bool changed, const hlo_module *module);

/* Returns an optimised module, which the caller frees; NULL on failure. `source` must outlive it, because they share instructions and
 * literals. A program that compiled before still compiles, and instructions that stay keep their names. observer: may be NULL. */
hlo_module *hlo_passes_run(const hlo_module *source, hlo_pass_observer *observer, void *context, hlo_status *status);
/* The same without an observer, as far as the meter allows. emits: loops will run as code that is written for them, not step by step. */
hlo_module *hlo_passes_run_within(const hlo_module *source, hlo_meter *meter, bool emits, hlo_status *status);
/* Runs one pass alone, until it finds nothing more to do. */
hlo_module *hlo_pass_run(const hlo_module *source, int number, hlo_status *status);

#endif
