/* The reference evaluator as what folds constants while StableHLO is specialised. */
#ifndef HLO_REFERENCE_FOLD_CONSTANT_H
#define HLO_REFERENCE_FOLD_CONSTANT_H

#include "reference/reference.h"

/* An hlo_fold_function (stablehlo/stablehlo.h); `context` is not used. Refuses instructions that need frames or other devices. */
bool hlo_reference_fold(void *context, const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result, hlo_status *status);

#endif
