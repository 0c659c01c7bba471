/* The first elements of sorted lines, which need no sort of all.
 *
 *   slice(get-tuple-element(sort(x, iota), index=1), [0:k]) -> get-tuple-element(topk(x, k=k), index=1) */
#ifndef HLO_PASSES_FIRST_SORTED_H
#define HLO_PASSES_FIRST_SORTED_H

#include "graph/module.h"
#include "rewrite/rewriter.h"

/* Rewrites a slice; HLO_KEEP where it is none of the first elements of lines along the last dimension, sorted alone or with their places. */
int hlo_first_sorted(hlo_rewriter *r, const hlo_instruction *slice);

#endif
