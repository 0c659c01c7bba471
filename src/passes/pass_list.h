/* The passes, each in the file named after it (other files of the folder are parts of these, or look for what programs have); pipeline.c lists them in the order in which they run. */
#ifndef HLO_PASSES_PASS_LIST_H
#define HLO_PASSES_PASS_LIST_H

#include "rewrite/rewriter.h"

hlo_rewrite hlo_explicit_layouts, hlo_inline_calls, hlo_simplify_tuples, hlo_decompose_batch_norm, hlo_fold_constants,
    hlo_simplify_algebra, hlo_simplify_shapes, hlo_simplify_slices, hlo_simplify_reductions, hlo_recognise_dots, hlo_sink_movement,
    hlo_absorb_transposes, hlo_simplify_control, hlo_hoist_invariants, hlo_merge_equal, hlo_undilate_convolutions, hlo_expand_ops, hlo_loop_reductions, hlo_split_complex, hlo_widen_narrow,
    hlo_remove_barriers, hlo_complex_as_pairs, hlo_flush_softmax, hlo_split_reductions, hlo_fuse_epilogues, hlo_fuse_loops;

typedef struct hlo_pass {
  const char *name;
  hlo_rewrite *rewrite; /* NULL: only instructions and computations that nothing needs go */
  enum { HLO_PASS_ONCE, HLO_PASS_REPEATED, HLO_PASS_EMITTING /* repeated, but only where loops are emitted: it makes some */ } when;
  hlo_opcodes rewrites; /* it leaves instructions of all other opcodes as they are; none: it may rewrite any */
} hlo_pass;

enum { HLO_PASS_COUNT = 27 };
extern const hlo_pass hlo_pass_list[HLO_PASS_COUNT];

#endif
