/* Folding elements with a computation, for reduce, reduce-window, scatter and select-and-scatter.
 *
 * acc = init, then acc = f(acc, element) for one element after another: the specification's in-order evaluation, in
 * which each init is counted once. Long sums of floats are taken in wide numbers (wide.h). Other single operations are
 * done directly, and so is overwriting, f(acc, element) = element. Any other computation is run, on any number of arrays
 * at once. */
#ifndef HLO_REFERENCE_APPLY_FOLD_H
#define HLO_REFERENCE_APPLY_FOLD_H

#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/apply/wide.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/origin.h"

typedef struct hlo_fold {
  hlo_evaluation *evaluation; /* polled */
  int count;                 /* arrays folded together */
  hlo_type type;             /* in which a single array is folded: that of the computation's parameters */
  bool sum, direct, last;    /* sum: as wide.h says; direct: by `opcode`; last: f(acc, element) = element */
  hlo_opcode opcode;
  bool narrow;               /* set by windows and scatters: see wide.h */
  hlo_arithmetic arithmetic; /* sum */
  hlo_wide_sum total;
  hlo_scalar value;          /* direct */
  hlo_literal cell;          /* last: the element, copied bit by bit */
  _Alignas(16) char cell_bytes[16];
  hlo_origin cell_origin;
  hlo_applied *applied;      /* any other computation; NULL for these */
  hlo_literal **accumulators; /* applied: copies of the results, which may share memory with the parameters */
} hlo_fold;

/* `count` arrays; the computation takes `count` accumulators, then `count` elements. */
bool hlo_fold_init(hlo_fold *fold, hlo_evaluation *evaluation, const hlo_computation *computation, int count);

/* acc = the scalars at `index` of each of `count` literals. `terms`: about how many elements will be folded. */
void hlo_fold_begin(hlo_fold *fold, const hlo_literal *const *inits, int64_t index, int64_t terms);
/* acc = f(acc, element) for `elements` elements of each operand: at `start`, start + stride, ... */
bool hlo_fold_run(hlo_fold *fold, const hlo_literal *const *operands, int64_t start, int64_t stride, int64_t elements);
/* Writes acc to index `index` of the result: an array, or a tuple of `count` arrays. */
void hlo_fold_end(hlo_fold *fold, hlo_literal *result, int64_t index);

#endif
