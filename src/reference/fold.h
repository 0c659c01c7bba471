/* Folding elements with a computation: what reduce, reduce-window and the scatters have in common.
 *
 * acc = init, then acc = f(acc, element) for one element after another: the specification's in-order evaluation, in
 * which each init is counted once. Long sums of floats are taken in wide numbers (wide.h); other well-known
 * operations are done directly, and so is taking the element (scatters that overwrite); anything else runs the
 * computation, on any number of arrays at once. */
#ifndef HLO_REFERENCE_FOLD_H
#define HLO_REFERENCE_FOLD_H

#include "reference/wide.h"

typedef struct hlo_fold {
  int count;                 /* arrays folded together */
  hlo_type type;             /* in which a single array is folded: that of the computation's parameters */
  bool sum, direct, last;    /* sum: as wide.h says; direct: by `opcode`; last: f(acc, element) = element */
  hlo_opcode opcode;
  bool narrow;               /* set by windows and scatters: see wide.h */
  hlo_arithmetic arithmetic; /* sum */
  hlo_wide_sum total;
  hlo_scalar value;          /* direct */
  hlo_literal cell;          /* last: the element, bit by bit */
  _Alignas(16) char cell_bytes[16];
  hlo_origin cell_origin;
  hlo_applied *applied;      /* none of these */
  hlo_literal **accumulators; /* applied: own copies, as a result may share memory with a parameter */
} hlo_fold;

/* `count` arrays; the computation takes `count` accumulators, then `count` elements. */
bool hlo_fold_init(hlo_fold *fold, hlo_evaluation *evaluation, const hlo_computation *computation, int count);

/* acc = scalars at `index` of each of `count` literals; `terms` elements, about, are to follow. */
void hlo_fold_begin(hlo_fold *fold, const hlo_literal *const *inits, int64_t index, int64_t terms);
/* acc = f(acc, element) for `elements` elements of each operand: at `start`, start + stride, ... */
bool hlo_fold_run(hlo_fold *fold, const hlo_literal *const *operands, int64_t start, int64_t stride, int64_t elements);
/* Writes acc to place `index` of the parts of a result (an array, or a tuple of `count`). */
void hlo_fold_end(hlo_fold *fold, hlo_literal *result, int64_t index);

#endif
