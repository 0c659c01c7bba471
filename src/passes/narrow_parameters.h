/* Programs that take narrow weights: which parameters are sides of products, and a program that widens them itself.
 *
 * None of this is among the passes that run when a program is compiled: it is asked for, and changes what the program takes.
 *
 *   from:  ENTRY (x f32[m,k], w f32[k,n])   dot(x, w)
 *   to:    ENTRY (x f32[m,k], w s8[k,n], w.scale f32[n])   dot(x, multiply(convert(w), broadcast(w.scale)))
 *   or:    ENTRY (x f32[m,k], w u4[k,n], w.scale f16[k/g,n], w.minimum f16[k/g,n])
 *          dot(x, reshape(add(multiply(convert(reshape(w)), broadcast(convert(w.scale))), broadcast(convert(w.minimum)))))
 *
 * The narrow array takes the parameter's number; factors and minima get numbers behind all others, in the order of the list. */
#ifndef HLO_PASSES_NARROW_PARAMETERS_H
#define HLO_PASSES_NARROW_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/module.h"

/* How the entry uses a parameter. */
typedef struct hlo_parameter_use {
  int products, gathers, others; /* how often; gathers: of whole rows of a matrix */
  uint32_t summed;               /* bit d is set where a product sums along dimension d, or a gather takes all of it */
  const hlo_instruction *other;  /* one of the others; NULL if there is none */
} hlo_parameter_use;

typedef enum hlo_narrowing_type { HLO_NARROWING_S8, HLO_NARROWING_U4, HLO_NARROWING_TYPES } hlo_narrowing_type;

typedef struct hlo_narrowing {
  int parameter;
  hlo_narrowing_type type;
  uint32_t summed; /* S8: there is one factor for all elements along these dimensions. U4: one dimension, which is cut into groups */
  int64_t group;
} hlo_narrowing;

/* Returns a copy, with literals of its own, in which the entry does itself what it called other computations for. */
hlo_module *hlo_module_inlined(const hlo_module *source, hlo_status *status);
/* Returns the number-th constant of the entry with this many elements or more; NULL if there are fewer. */
const hlo_instruction *hlo_large_constant(const hlo_module *module, int64_t least, int number);
/* Turns these constants into parameters of their names, behind all others. The module is changed. */
bool hlo_lift_constants(hlo_module *module, int64_t least, hlo_status *status);
/* Fills in one use for each parameter of the entry. */
bool hlo_find_parameter_uses(const hlo_module *module, hlo_parameter_use *uses, hlo_status *status);
/* Changes the entry so that it takes narrow arrays for the parameters of the list. Fails with ARGUMENT where a parameter cannot be narrowed so. */
bool hlo_narrow_parameters(hlo_module *module, const hlo_narrowing *list, int count, hlo_status *status);

#endif
