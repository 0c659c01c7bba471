/* The list of passes, in the order in which they run. */
#include "passes/pipeline.h"

#include "graph/opcode.h"
#include "passes/pass_list.h"

/* Passes that run once come first and last; between them the others take turns until none finds anything. The passes that make
 * fused loops come last, so that no later pass takes apart what they have put together. */
#define OPS(...) {(const hlo_opcode[]){__VA_ARGS__}, sizeof (const hlo_opcode[]){__VA_ARGS__} / sizeof(hlo_opcode)}
#define ANY {NULL, 0}
const hlo_pass hlo_pass_list[] = {
    {"explicit-layouts", hlo_explicit_layouts, HLO_PASS_ONCE, ANY},
    {"inline-calls", hlo_inline_calls, HLO_PASS_ONCE, OPS(HLO_OP_CALL, HLO_OP_FUSION)},
    {"decompose-batch-norm", hlo_decompose_batch_norm, HLO_PASS_ONCE, OPS(HLO_OP_BATCH_NORM_TRAINING, HLO_OP_BATCH_NORM_INFERENCE, HLO_OP_BATCH_NORM_GRAD)},
    {"simplify-tuples", hlo_simplify_tuples, HLO_PASS_REPEATED, OPS(HLO_OP_TUPLE, HLO_OP_GET_TUPLE_ELEMENT)},
    {"fold-constants", hlo_fold_constants, HLO_PASS_REPEATED, ANY},
    {"simplify-algebra", hlo_simplify_algebra, HLO_PASS_REPEATED, ANY},
    {"simplify-shapes", hlo_simplify_shapes, HLO_PASS_REPEATED, OPS(HLO_OP_COPY, HLO_OP_RESHAPE, HLO_OP_TRANSPOSE, HLO_OP_BROADCAST, HLO_OP_REVERSE, HLO_OP_IOTA)},
    {"simplify-slices", hlo_simplify_slices, HLO_PASS_REPEATED, OPS(HLO_OP_SLICE, HLO_OP_DYNAMIC_SLICE, HLO_OP_DYNAMIC_UPDATE_SLICE, HLO_OP_GATHER, HLO_OP_SCATTER, HLO_OP_SELECT, HLO_OP_PAD, HLO_OP_CONCATENATE)},
    {"simplify-reductions", hlo_simplify_reductions, HLO_PASS_REPEATED, OPS(HLO_OP_REDUCE)},
    {"recognise-dots", hlo_recognise_dots, HLO_PASS_REPEATED, OPS(HLO_OP_REDUCE)},
    {"absorb-transposes", hlo_absorb_transposes, HLO_PASS_REPEATED, OPS(HLO_OP_TRANSPOSE, HLO_OP_DOT, HLO_OP_CONVOLUTION)},
    {"sink-movement", hlo_sink_movement, HLO_PASS_REPEATED, ANY},
    {"simplify-control", hlo_simplify_control, HLO_PASS_REPEATED, OPS(HLO_OP_CONDITIONAL, HLO_OP_WHILE)},
    {"hoist-invariants", hlo_hoist_invariants, HLO_PASS_REPEATED, OPS(HLO_OP_WHILE)},
    {"merge-equal", hlo_merge_equal, HLO_PASS_REPEATED, ANY},
    {"undilate-convolutions", hlo_undilate_convolutions, HLO_PASS_REPEATED, OPS(HLO_OP_CONVOLUTION)},
    {"expand-ops", hlo_expand_ops, HLO_PASS_REPEATED, OPS(HLO_OP_COMPARE, HLO_OP_POWER, HLO_OP_DIVIDE, HLO_OP_REMAINDER, HLO_OP_CONVOLUTION, HLO_OP_DOT, HLO_OP_CONVERT, HLO_OP_REDUCE_WINDOW, HLO_OP_REDUCE_PRECISION)},
    {"loop-reductions", hlo_loop_reductions, HLO_PASS_EMITTING, OPS(HLO_OP_REDUCE)},
    {"split-complex", hlo_split_complex, HLO_PASS_REPEATED, ANY},
    {"widen-narrow", hlo_widen_narrow, HLO_PASS_REPEATED, ANY},
    {"remove-barriers", hlo_remove_barriers, HLO_PASS_ONCE, OPS(HLO_OP_OPT_BARRIER, HLO_OP_DOMAIN, HLO_OP_TUPLE, HLO_OP_GET_TUPLE_ELEMENT)},
    {"complex-as-pairs", hlo_complex_as_pairs, HLO_PASS_ONCE, OPS(HLO_OP_REAL, HLO_OP_IMAG, HLO_OP_COMPLEX)},
    {"flush-softmax", hlo_flush_softmax, HLO_PASS_ONCE, OPS(HLO_OP_DOT)},
    {"remove-dead", NULL, HLO_PASS_ONCE, ANY},
    {"split-reductions", hlo_split_reductions, HLO_PASS_ONCE, OPS(HLO_OP_REDUCE)},
    {"fuse-epilogues", hlo_fuse_epilogues, HLO_PASS_ONCE, ANY},
    {"fuse-loops", hlo_fuse_loops, HLO_PASS_ONCE, ANY},
};
#undef OPS
#undef ANY
_Static_assert(sizeof hlo_pass_list / sizeof *hlo_pass_list == HLO_PASS_COUNT, "every pass has a row");

int hlo_pass_count(void) { return HLO_PASS_COUNT; }
const char *hlo_pass_name(int number) { return hlo_pass_list[number].name; }
