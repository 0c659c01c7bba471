/* Puts fusion instructions in the place of groups (loops/fusion_groups.h); fuse_loops.c and fuse_epilogues.c choose the groups. */
#ifndef HLO_PASSES_LOOP_FUSION_H
#define HLO_PASSES_LOOP_FUSION_H

#include "loops/fusion_groups.h"
#include "rewrite/rewriter.h"

/* Finds the groups, with hlo_group_unite. Returns false where memory ran out. */
typedef bool hlo_group_finder(hlo_fused_groups *groups);
/* A rewrite made of a finder: each group that it finds becomes a fusion. */
int hlo_fuse_groups(hlo_rewriter *r, hlo_group_finder *find, bool with_products);

#endif
