/* The list of passes, in the order in which they run. */
#include "passes/pipeline.h"

#include "passes/pass_list.h"

/* Passes that run once come first and last; between them the REPEATED ones take turns until none finds anything. The passes that make
 * fused loops come last, so that no later pass takes apart what they have put together. */
const hlo_pass hlo_pass_list[] = {
    {"explicit-layouts", hlo_explicit_layouts, HLO_PASS_ONCE},
    {"inline-calls", hlo_inline_calls, HLO_PASS_ONCE},
    {"decompose-batch-norm", hlo_decompose_batch_norm, HLO_PASS_ONCE},
    {"simplify-tuples", hlo_simplify_tuples, HLO_PASS_REPEATED},
    {"fold-constants", hlo_fold_constants, HLO_PASS_REPEATED},
    {"simplify-algebra", hlo_simplify_algebra, HLO_PASS_REPEATED},
    {"simplify-shapes", hlo_simplify_shapes, HLO_PASS_REPEATED},
    {"simplify-slices", hlo_simplify_slices, HLO_PASS_REPEATED},
    {"simplify-reductions", hlo_simplify_reductions, HLO_PASS_REPEATED},
    {"absorb-transposes", hlo_absorb_transposes, HLO_PASS_REPEATED},
    {"sink-movement", hlo_sink_movement, HLO_PASS_REPEATED},
    {"simplify-control", hlo_simplify_control, HLO_PASS_REPEATED},
    {"hoist-invariants", hlo_hoist_invariants, HLO_PASS_REPEATED},
    {"merge-equal", hlo_merge_equal, HLO_PASS_REPEATED},
    {"undilate-convolutions", hlo_undilate_convolutions, HLO_PASS_REPEATED},
    {"expand-ops", hlo_expand_ops, HLO_PASS_REPEATED},
    {"split-complex", hlo_split_complex, HLO_PASS_REPEATED},
    {"widen-narrow", hlo_widen_narrow, HLO_PASS_REPEATED},
    {"remove-barriers", hlo_remove_barriers, HLO_PASS_ONCE},
    {"remove-dead", NULL, HLO_PASS_ONCE},
    {"split-reductions", hlo_split_reductions, HLO_PASS_ONCE},
    {"fuse-epilogues", hlo_fuse_epilogues, HLO_PASS_ONCE},
    {"fuse-loops", hlo_fuse_loops, HLO_PASS_ONCE},
};
_Static_assert(sizeof hlo_pass_list / sizeof *hlo_pass_list == HLO_PASS_COUNT, "every pass has a row");

int hlo_pass_count(void) { return HLO_PASS_COUNT; }
const char *hlo_pass_name(int number) { return hlo_pass_list[number].name; }
