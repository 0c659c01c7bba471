/* A linked list of the sources that land on each target. */
#include "reference/apply/landing.h"

#include "base/arena.h"
#include "base/status.h"

bool hlo_landings_init(hlo_landings *landings, hlo_evaluation *evaluation, int64_t targets, int64_t sources) {
  landings->first = hlo_arena_many(evaluation->scratch, int64_t, targets, evaluation->status);
  landings->last = hlo_arena_many(evaluation->scratch, int64_t, targets, evaluation->status);
  landings->next = hlo_arena_many(evaluation->scratch, int64_t, sources, evaluation->status);
  if (!hlo_ok(evaluation->status)) return false;
  for (int64_t i = 0; i < targets; i++) landings->first[i] = -1;
  return true;
}

void hlo_landings_add(hlo_landings *landings, int64_t target, int64_t source) {
  if (landings->first[target] < 0) landings->first[target] = source;
  else landings->next[landings->last[target]] = source;
  landings->last[target] = source;
  landings->next[source] = -1;
}

bool hlo_landings_fold(const hlo_landings *landings, hlo_fold *fold, int64_t target, const hlo_literal *const *inits,
                       int64_t init_index, const hlo_literal *const *sources, hlo_literal *result) {
  int64_t count = 0;
  for (int64_t source = landings->first[target]; source >= 0; source = landings->next[source]) count++;
  fold->narrow = true;
  hlo_fold_begin(fold, inits, init_index, count);
  for (int64_t source = landings->first[target]; source >= 0; source = landings->next[source])
    if (!hlo_fold_run(fold, sources, source, 1, 1)) return false;
  hlo_fold_end(fold, result, target);
  return true;
}
