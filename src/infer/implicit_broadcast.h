/* The broadcasting that builders offer between operands of different shapes: XLA's "Broadcasting semantics".
 *
 * The graph knows only explicit broadcasts; a builder turns each operand into
 *   reshape (size-1 dimensions that must grow are dropped), then broadcast (along the rest). */
#ifndef HLO_INFER_IMPLICIT_BROADCAST_H
#define HLO_INFER_IMPLICIT_BROADCAST_H

#include "base/status.h"
#include "shape/layout.h"
#include "shape/shape.h"

typedef struct hlo_broadcast_step {
  bool reshape;   /* the operand is first reshaped to kept_dims, whose sizes are sizes[] */
  bool broadcast; /* then broadcast with dimensions kept_dims */
  int kept;
  int64_t sizes[HLO_MAX_RANK];
  int64_t kept_dims[HLO_MAX_RANK]; /* result dimension of each kept operand dimension, ascending */
} hlo_broadcast_step;

typedef struct hlo_implicit_broadcast {
  int rank;
  int64_t dims[HLO_MAX_RANK]; /* of the result */
  hlo_broadcast_step lhs, rhs;
} hlo_implicit_broadcast;

/* Plans the steps for both operands. Scalars fit any shape. Otherwise, operands of different rank need broadcast_dimensions: which dimension of
 * the higher-ranked operand each dimension of the lower-ranked one matches, strictly ascending. Then sizes must
 * be equal or 1. Fails with SHAPE and the rule that is broken, `op_name` in front. */
bool hlo_implicit_broadcast_plan(const char *op_name, const hlo_shape *lhs, const hlo_shape *rhs,
                                 const int64_t *broadcast_dimensions, int broadcast_dimension_count,
                                 hlo_implicit_broadcast *plan, hlo_status *status);

#endif
