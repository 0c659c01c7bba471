/* Whole-module checks: rules that inference of a single instruction cannot check. */
#ifndef HLO_VERIFY_VERIFY_H
#define HLO_VERIFY_VERIFY_H

#include "base/status.h"
#include "graph/module.h"

/* Checks that: there is an entry; every computation has a root and parameters 0..n-1; operands come first;
 * every instruction's shape is what inference gives; called computations have the right parameters and result;
 * no computation calls itself, directly or through others; channels and start/done pairs match; infeeds are
 * totally ordered; computations applied to elements (HLO_FLAG_CALLS) hold no collective, infeed or the like;
 * the entry layout matches. Messages begin with "computation NAME, instruction NAME:". */
bool hlo_verify_module(const hlo_module *module, hlo_status *status);

/* Orders computations so that callees come before callers; `order` has room for computation_count indices. Fails with VERIFY, naming the
 * cycle, if there is one. */
bool hlo_module_call_order(const hlo_module *module, int *order, hlo_status *status);

#endif
