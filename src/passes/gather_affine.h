/* Gathers at indices that grow in equal steps: windows, frames, every second element, the reverse. What such an index counts through
 * becomes a dimension of the slices, which are runs of the operand then.
 *
 *   gather(f32[9] x, {0 1 2, 1 2 3, 2 3 4}), slice_sizes={1} -> gather(x, {0, 1, 2}), slice_sizes={3} */
#ifndef HLO_PASSES_GATHER_AFFINE_H
#define HLO_PASSES_GATHER_AFFINE_H

#include "graph/module.h"
#include "rewrite/rewriter.h"

/* Rewrites a gather; HLO_KEEP where no dimension of its indices is one of equal steps, or where an index does not fit. */
int hlo_gather_affine(hlo_rewriter *r, const hlo_instruction *gather);

#endif
