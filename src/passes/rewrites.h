/* The rewrites, each in the file named after it; pipeline.c says in which order they run. */
#ifndef HLO_PASSES_REWRITES_H
#define HLO_PASSES_REWRITES_H

#include "passes/rewriter.h"

hlo_rewrite hlo_explicit_layouts, hlo_inline_calls, hlo_simplify_tuples, hlo_decompose_batch_norm, hlo_fold_constants,
    hlo_simplify_algebra, hlo_simplify_shapes, hlo_simplify_slices, hlo_simplify_reductions, hlo_sink_movement,
    hlo_absorb_transposes, hlo_simplify_control, hlo_hoist_invariants, hlo_merge_equal, hlo_widen_narrow,
    hlo_remove_barriers, hlo_split_reductions, hlo_fuse_epilogues, hlo_fuse_loops;

/* Whether an op of anything and this constant gives the former. */
bool hlo_is_identity(hlo_opcode opcode, hlo_type type, hlo_scalar constant);

#endif
