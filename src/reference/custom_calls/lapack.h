/* Custom calls named after LAPACK routines, as JAX emits them on CPU: lapack_spotrf_ffi, lapack_zgeev_ffi, ... */
#ifndef HLO_REFERENCE_CUSTOM_CALLS_LAPACK_H
#define HLO_REFERENCE_CUSTOM_CALLS_LAPACK_H

#include <stdbool.h>

#include "base/text_reader.h"
#include "graph/module.h"
#include "reference/linear_algebra/routine_library.h"
#include "reference/reference.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* Returns the routine that a target names; HLO_ROUTINES: it names none. */
hlo_routine_name hlo_lapack_routine(hlo_span target);
/* Runs a routine on every matrix of a batch, whose sizes are those of `shape` but for its last `own_rank` dimensions. */
bool hlo_lapack_run(hlo_routine_name routine, hlo_evaluation *evaluation, const hlo_instruction *instruction,
                    const hlo_literal *const *operands, hlo_literal *result, const hlo_shape *shape, int own_rank);

#endif
