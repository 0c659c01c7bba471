/* Which source elements land on each target element: scatters as folds.
 *
 * What happens to one element of a scatter's result does not depend on the others, so the sources are first
 * dealt out to the targets, in order, and each target is then folded with what landed on it. */
#ifndef HLO_REFERENCE_LANDING_H
#define HLO_REFERENCE_LANDING_H

#include "reference/fold.h"

typedef struct hlo_landings {
  int64_t *first, *last; /* of each target: a source element; first is -1 where nothing landed */
  int64_t *next;         /* of each source: the next one on the same target, or -1 */
} hlo_landings;

/* In scratch memory. */
bool hlo_landings_init(hlo_landings *landings, hlo_evaluation *evaluation, int64_t targets, int64_t sources);
/* Each source lands at most once. */
void hlo_landings_add(hlo_landings *landings, int64_t target, int64_t source);
/* result[target] = inits[init_index] folded with the sources that landed there. */
bool hlo_landings_fold(const hlo_landings *landings, hlo_fold *fold, int64_t target, const hlo_literal *const *inits,
                       int64_t init_index, const hlo_literal *const *sources, hlo_literal *result);

#endif
