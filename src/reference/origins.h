/* Following origins through a run: arguments are marked, and results know which elements of the arguments they are made of.
 *
 *   hlo_origins_check         can this module be followed?
 *   hlo_origins_begin         every element of the arguments becomes an origin of its own
 *   hlo_reference_run         as always
 *   hlo_origins_of            what one element of the result is made of
 *   hlo_origins_find, _found  which elements of the arguments those are, by number */
#ifndef HLO_REFERENCE_ORIGINS_H
#define HLO_REFERENCE_ORIGINS_H

#include "base/status.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/literal.h"
#include "shape/origin.h"

#ifdef HLO_ORIGINS

/* Refuses, by name, instructions that need other devices or the host, and dynamic sizes. */
bool hlo_origins_check(const hlo_module *module, hlo_status *status);
/* False for ops such as fft, for which every element of the result counts as made of all elements of all operands. */
bool hlo_origins_exact(hlo_opcode opcode);

/* Marks every element of the arguments. Elements are numbered in the order of the arguments, of the leaves in each, and row by
 * row. */
bool hlo_origins_begin(hlo_origins *origins, hlo_literal *const *arguments, int count, hlo_status *status);
/* Finds the origin of element `index` of array number `number` of a value; only arrays are counted. False if there is none. */
bool hlo_origins_of(const hlo_literal *value, int64_t number, int64_t index, hlo_origin *origin);

/* Called after every instruction: if the op is not exact, every element of the result becomes one made of all of the operands. */
void hlo_origins_settle(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);

#else

static inline void hlo_origins_settle(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {}

#endif

#endif
