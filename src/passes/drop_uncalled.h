/* Computations that nothing calls any more go. */
#ifndef HLO_PASSES_DROP_UNCALLED_H
#define HLO_PASSES_DROP_UNCALLED_H

#include "base/status.h"
#include "graph/module.h"

/* Removes the computations that the entry does not call, directly or through others, and numbers the rest anew: sets *changed (never
 * clears it) if there were any. Computations and instructions that stay may be shared with another module: those that refer to a changed
 * number are replaced by copies. */
bool hlo_drop_uncalled(hlo_module *module, bool *changed, hlo_status *status);

#endif
