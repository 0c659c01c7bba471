/* Folding constants with the reference evaluator. */
#ifndef HLO_REFERENCE_FOLD_CONSTANT_H
#define HLO_REFERENCE_FOLD_CONSTANT_H

#include "base/status.h"
#include "graph/module.h"
#include "shape/literal.h"

/* An hlo_fold_function (stablehlo/lower/stablehlo.h); `context` is not used. Refuses instructions that run computations, or need other
 * devices or the host. */
bool hlo_reference_fold(void *context, const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result, hlo_status *status);

#endif
