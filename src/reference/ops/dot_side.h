/* One operand of a dot, ready for its loops: dimensions in the order [group, batch, free, contracting], elements as the
 * numbers in which sums are taken (apply/wide.h). */
#ifndef HLO_REFERENCE_OPS_DOT_SIDE_H
#define HLO_REFERENCE_OPS_DOT_SIDE_H

#include "reference/apply/wide.h"
#include "reference/reference.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"

typedef struct hlo_dot_side {
  hlo_wide values;
  int64_t groups, batch, free, contracting; /* sizes: products of dimensions; groups is 1 without group dimensions */
  int64_t free_dims[HLO_MAX_RANK];
  int free_rank;
} hlo_dot_side;

/* `group` is empty except for the right side of a ragged dot. */
bool hlo_dot_side_gather(hlo_dot_side *side, hlo_evaluation *evaluation, const hlo_literal *operand, hlo_type type,
                         hlo_ints group, hlo_ints batch, hlo_ints contracting);

#endif
