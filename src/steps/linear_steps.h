/* Which instructions have kernels of linear algebra (kernels/linear/linear_library.h), beside cholesky and triangular-solve. */
#ifndef HLO_STEPS_LINEAR_STEPS_H
#define HLO_STEPS_LINEAR_STEPS_H

#include <stdbool.h>

#include "base/text_reader.h"

/* Returns whether custom calls of the target have. */
bool hlo_linear_has_target(hlo_span target);

#endif
