/* The uses of parameters: narrow_parameters.c rewrites what parameter_uses.c finds. */
#ifndef HLO_PASSES_PARAMETER_USES_H
#define HLO_PASSES_PARAMETER_USES_H

#include <stdbool.h>

#include "graph/module.h"

/* Returns whether the instruction gathers whole rows of a matrix, one for each index, with the rows' dimension last in its result. */
bool hlo_gathers_rows(const hlo_computation *computation, const hlo_instruction *instruction);

#endif
