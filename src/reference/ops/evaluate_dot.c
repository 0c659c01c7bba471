/* dot: sums of products over the contracting dimensions; the result has batch, lhs and rhs dimensions. */
#include "graph/module.h"
#include "infer/infer.h"
#include "reference/apply/wide.h"
#include "reference/functions.h"
#include "reference/ops/dot_side.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"

static void set_sizes(const hlo_literal *lhs, const hlo_dot_side *left, const hlo_literal *rhs,
                      const hlo_dot_side *right, hlo_ints lhs_batch, hlo_literal *result) {
  int d = 0;
  for (int i = 0; i < lhs_batch.count; i++) hlo_size_set(result, d++, hlo_literal_size(lhs, (int)lhs_batch.data[i]));
  for (int i = 0; i < left->free_rank; i++) hlo_size_set(result, d++, hlo_literal_size(lhs, (int)left->free_dims[i]));
  for (int i = 0; i < right->free_rank; i++) hlo_size_set(result, d++, hlo_literal_size(rhs, (int)right->free_dims[i]));
}

bool hlo_reference_dot(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  hlo_dot_dims dims = hlo_dot_dims_of(instruction);
  hlo_ints no_group = {0};
  hlo_type type = result->shape->type;
  hlo_dot_side lhs, rhs;
  if (!hlo_dot_side_gather(&lhs, evaluation, operands[0], type, no_group, dims.lhs_batch, dims.lhs_contracting) ||
      !hlo_dot_side_gather(&rhs, evaluation, operands[1], type, no_group, dims.rhs_batch, dims.rhs_contracting))
    return false;
  hlo_literal_clear(result);
  set_sizes(operands[0], &lhs, operands[1], &rhs, dims.lhs_batch, result);
  int64_t at = 0;
  for (int64_t b = 0; b < lhs.batch; b++)
    for (int64_t m = b * lhs.free; m < (b + 1) * lhs.free; m++)
      for (int64_t n = b * rhs.free; n < (b + 1) * rhs.free; n++) {
        hlo_wide_sum sum = {0};
        if (!hlo_reference_tick(evaluation, 1 + lhs.contracting)) return false;
        hlo_wide_dot(&lhs.values, m * lhs.contracting, &rhs.values, n * rhs.contracting, lhs.contracting, &sum);
        hlo_literal_set(result, at++, hlo_wide_total(lhs.values.arithmetic, &sum));
      }
  return true;
}
