/* Integers that grow in equal steps along each dimension: iotas, and what is made of them by sums, factors and movement. What limits
 * them is gone by then, where it changes nothing (integer_range.h).
 *
 *   add(broadcast(iota), multiply(iota, 3)) of s32[4,5] along dimensions 0 and 1: first 0, steps 1 and 3 */
#ifndef HLO_PASSES_AFFINE_H
#define HLO_PASSES_AFFINE_H

#include <stdbool.h>

#include "graph/module.h"
#include "passes/integer_range.h"
#include "rewrite/rewriter.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* The integer at index {i0, i1, ...} is first + steps[0] * i0 + steps[1] * i1 + ...; all are whole, and exact. A dimension of one element has step 0. */
typedef struct hlo_affine {
  double first, steps[HLO_MAX_RANK];
} hlo_affine;

hlo_integer_range hlo_affine_range_of(const hlo_shape *shape, const hlo_affine *affine);

/* Finds what the elements of a value are, which *affine gets. Returns false where they do not grow in equal steps, where one does not fit its type,
 * or where that is not seen; *looks, at instructions, become fewer. */
bool hlo_find_affine(const hlo_rewriter *r, int value, int *looks, hlo_affine *affine);

#endif
