/* reduce by any applied program, over one array or several, as a step: results side by side are folded at once, each in the order of its
 * elements.
 *
 * operands  `parts` arrays of outer * reduced * inner elements; as many init values; then, to be written, the results after the first
 * results   `parts` arrays of outer * inner elements; they overlap nothing
 *
 * Things of the range are units of results that lie side by side: hlo_applied_fold_units. Never fails, never allocates. */
#ifndef HLO_KERNELS_REDUCE_APPLIED_FOLD_H
#define HLO_KERNELS_REDUCE_APPLIED_FOLD_H

#include "kernels/elementwise/applied_program.h"
#include "kernels/step_function.h"

enum { HLO_APPLIED_FOLD_MOST_PARTS = HLO_APPLIED_MOST_RESULTS / 2 };
/* Segments are used for fewer than FEW results, of at least LEAST elements each. */
enum { HLO_APPLIED_FOLD_FEW = 32, HLO_APPLIED_FOLD_LEAST = 512 };

typedef struct hlo_applied_fold_parameters {
  hlo_applied_program program; /* parameters: `parts` elements of the results so far, then as many of the arrays; results: `parts` */
  int parts, bytes[HLO_APPLIED_FOLD_MOST_PARTS]; /* of an element */
  int64_t outer, reduced, inner;
  bool segments; /* the program is associative: the elements of a result are folded in segments, side by side, and then the segments */
  int64_t tiles, partials; /* in the scratch, behind that of the program: see hlo_applied_fold_scratch */
} hlo_applied_fold_parameters;

hlo_range_function hlo_applied_fold_run;

/* Returns the number of units of results. */
int64_t hlo_applied_fold_units(const hlo_applied_fold_parameters *parameters);
/* Sets tiles and partials; returns how many bytes of scratch a thread needs. */
int64_t hlo_applied_fold_scratch(hlo_applied_fold_parameters *parameters);

#endif
