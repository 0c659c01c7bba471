/* The checks of hlo_verify_module, in the order in which they run: each may rely on the ones before it.
 *
 * Inside src/verify only. */
#ifndef HLO_VERIFY_VERIFY_CHECKS_H
#define HLO_VERIFY_VERIFY_CHECKS_H

#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"

typedef struct hlo_verification {
  const hlo_module *module;
  const int *order;  /* computations, callees first; set after hlo_verify_structure */
  hlo_arena *arena;  /* freed after verification */
  hlo_arena *scratch; /* each check that uses it resets it */
  hlo_status *status;
} hlo_verification;

/* Fails with "computation NAME, instruction NAME: ..." and the instruction's line. Always false. */
bool hlo_verify_fail(const hlo_verification *v, const hlo_computation *computation, const hlo_instruction *instruction,
                     hlo_code code, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Checks the entry, roots, parameters, operands, and indices of computations and instructions. */
bool hlo_check_structure(const hlo_verification *v);
/* Checks every instruction's shape and layouts, and the entry's layout. */
bool hlo_check_shapes(const hlo_verification *v);
/* Checks that computations applied to elements touch nothing but their parameters, and that their nesting is bounded. */
bool hlo_check_applied(const hlo_verification *v);
/* Checks that each start has its done. */
bool hlo_check_starts(const hlo_verification *v);
/* Checks that infeeds are in a total order. */
bool hlo_check_infeeds(const hlo_verification *v);
/* Checks that the two ends of each channel agree. */
bool hlo_check_channels(const hlo_verification *v);

/* Lists the computations that an instruction calls, in `arena`. False if there is no memory. */
bool hlo_called_of(const hlo_instruction *instruction, hlo_arena *arena, int **called, int *count, hlo_status *status);

#endif
