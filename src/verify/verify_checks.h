/* The checks that make up hlo_verify_module, in the order in which they run: each may trust what those before it
 * have established.
 *
 * Inside src/verify only. */
#ifndef HLO_VERIFY_VERIFY_CHECKS_H
#define HLO_VERIFY_VERIFY_CHECKS_H

#include "verify/verify.h"

typedef struct hlo_verification {
  const hlo_module *module;
  const int *order;  /* of computations: callees first; set once structure is sound */
  hlo_arena *arena;  /* lives as long as the verification */
  hlo_arena *scratch; /* reset by whoever uses it */
  hlo_status *status;
} hlo_verification;

/* Fails with "computation NAME, instruction NAME: ..." and the instruction's line. Always false. */
bool hlo_verify_fail(const hlo_verification *v, const hlo_computation *computation, const hlo_instruction *instruction,
                     hlo_code code, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Entry, roots, parameters, operands, indices of computations and instructions. */
bool hlo_check_structure(const hlo_verification *v);
/* Every instruction's shape, and its layouts; the entry's layout. */
bool hlo_check_shapes(const hlo_verification *v);
/* What is applied to elements touches nothing else, and does not nest without end. */
bool hlo_check_applied(const hlo_verification *v);
/* Each start has its done. */
bool hlo_check_starts(const hlo_verification *v);
/* Infeeds are in a total order. */
bool hlo_check_infeeds(const hlo_verification *v);
/* The two ends of each channel agree. */
bool hlo_check_channels(const hlo_verification *v);

/* The computations that an instruction calls, in `arena`. False when there is no memory. */
bool hlo_called_of(const hlo_instruction *instruction, hlo_arena *arena, int **called, int *count, hlo_status *status);

#endif
