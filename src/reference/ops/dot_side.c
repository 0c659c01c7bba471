/* Gathers an operand of a dot in the order of the loops. */
#include "reference/ops/dot_side.h"

#include "shape/dims.h"
#include "shape/shape.h"

/* Appends dimensions to an order; returns the product of their sizes. */
static int64_t append(const hlo_shape *shape, const int64_t *dims, int count, int64_t *order, int *length) {
  int64_t product = 1;
  for (int i = 0; i < count; i++) {
    order[(*length)++] = dims[i];
    product *= shape->dims[dims[i]];
  }
  return product;
}

bool hlo_dot_side_gather(hlo_dot_side *side, hlo_evaluation *evaluation, const hlo_literal *operand, hlo_type type,
                         hlo_ints group, hlo_ints batch, hlo_ints contracting) {
  int64_t order[HLO_MAX_RANK], rest[HLO_MAX_RANK];
  int length = 0, rest_rank = hlo_dims_missing(operand->shape->rank, batch, contracting, rest);
  side->free_rank = 0;
  for (int i = 0; i < rest_rank; i++)
    if (!hlo_ints_contain(group, rest[i])) side->free_dims[side->free_rank++] = rest[i];
  side->groups = append(operand->shape, group.data, group.count, order, &length);
  side->batch = append(operand->shape, batch.data, batch.count, order, &length);
  side->free = append(operand->shape, side->free_dims, side->free_rank, order, &length);
  side->contracting = append(operand->shape, contracting.data, contracting.count, order, &length);
  return hlo_wide_gather(evaluation, operand, type, side->contracting, order, &side->values);
}
