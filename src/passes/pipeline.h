/* The optimising passes: a verified module in, one that gives the same results in less time out. */
#ifndef HLO_PASSES_PIPELINE_H
#define HLO_PASSES_PIPELINE_H

#include "reference/reference.h"

int hlo_pass_count(void);
const char *hlo_pass_name(int number);

/* Told after every run of a pass; passes that take turns run several times. */
typedef void hlo_pass_observer(void *context, int number, bool changed, const hlo_module *module);

/* A module of its own, for the caller to free; `source` must outlive it: they share instructions and literals. Nothing
 * that compiled is refused, and instructions that stay keep their names. observer: or NULL. NULL on failure. */
hlo_module *hlo_passes_run(const hlo_module *source, hlo_pass_observer *observer, void *context, hlo_status *status);
/* One pass alone, until it finds nothing more to do. */
hlo_module *hlo_pass_run(const hlo_module *source, int number, hlo_status *status);

#endif
