/* Following origins through a run: marked arguments in, results that know what they are made of out.
 *
 *   hlo_origins_check         may this module be followed?
 *   hlo_origins_begin         every element of the arguments becomes an origin of its own
 *   hlo_reference_run         as always
 *   hlo_origins_of            what one element of the result is made of
 *   hlo_origins_find, _found  which elements of the arguments those are, by number */
#ifndef HLO_REFERENCE_ORIGINS_H
#define HLO_REFERENCE_ORIGINS_H

#include "reference/reference.h"

#ifdef HLO_ORIGINS

/* Refuses, by name, what reaches beyond the arguments (other devices, queues, custom calls) and dynamic sizes. */
bool hlo_origins_check(const hlo_module *module, hlo_status *status);
/* False for ops whose every result element is said to be made of all elements of all operands, such as fft. */
bool hlo_origins_exact(hlo_opcode opcode);

/* Elements are numbered in the order of the arguments, of the leaves in each, and row by row. */
bool hlo_origins_begin(hlo_origins *origins, hlo_literal *const *arguments, int count, hlo_status *status);
/* Element `index` of array `number` of a value, counting arrays alone. False if there is none. */
bool hlo_origins_of(const hlo_literal *value, int64_t number, int64_t index, hlo_origin *origin);

/* After an op that is not exact: every element of the result is made of all of the operands. */
void hlo_origins_settle(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);

#else

static inline void hlo_origins_settle(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {}

#endif

#endif
