/* One operand of a dot, ready for its loops: [group, batch, free, contracting], in the numbers they are summed in. */
#ifndef HLO_REFERENCE_DOT_SIDE_H
#define HLO_REFERENCE_DOT_SIDE_H

#include "reference/wide.h"

typedef struct hlo_dot_side {
  hlo_wide values;
  int64_t groups, batch, free, contracting; /* sizes: products of dimensions; groups is 1 without group dimensions */
  int64_t free_dims[HLO_MAX_RANK];
  int free_rank;
} hlo_dot_side;

/* `group` is empty but for the right side of a ragged dot. */
bool hlo_dot_side_gather(hlo_dot_side *side, hlo_evaluation *evaluation, const hlo_literal *operand, hlo_type type,
                         hlo_ints group, hlo_ints batch, hlo_ints contracting);

#endif
