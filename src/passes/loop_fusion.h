/* Fusions in the place of groups. */
#ifndef HLO_PASSES_LOOP_FUSION_H
#define HLO_PASSES_LOOP_FUSION_H

#include "passes/loop_groups.h"

/* Gives the rewriter an order in which the members of a group follow each other in its place. */
bool hlo_fusions_order(hlo_loop_groups *groups);
/* What the rewrite answers for an instruction. */
int hlo_fusions_visit(hlo_loop_groups *groups, int instruction);

#endif
