/* Scatters as folds: lists of the source elements that land on each target element.
 *
 * Elements of a scatter's result do not depend on one another. So each target first gets a list of the source elements
 * that land on it, in their order, and is then folded with them. */
#ifndef HLO_REFERENCE_APPLY_LANDING_H
#define HLO_REFERENCE_APPLY_LANDING_H

#include "reference/apply/fold.h"
#include "reference/reference.h"
#include "shape/literal.h"

typedef struct hlo_landings {
  int64_t *first, *last; /* of each target: a source element; first is -1 where nothing landed */
  int64_t *next;         /* of each source: the next one on the same target, or -1 */
} hlo_landings;

/* All lists are empty; they lie in scratch memory. */
bool hlo_landings_init(hlo_landings *landings, hlo_evaluation *evaluation, int64_t targets, int64_t sources);
/* Adds a source to the list of a target. Each source may land once. */
void hlo_landings_add(hlo_landings *landings, int64_t target, int64_t source);
/* result[target] = inits[init_index], folded with the sources that land there. */
bool hlo_landings_fold(const hlo_landings *landings, hlo_fold *fold, int64_t target, const hlo_literal *const *inits,
                       int64_t init_index, const hlo_literal *const *sources, hlo_literal *result);

#endif
