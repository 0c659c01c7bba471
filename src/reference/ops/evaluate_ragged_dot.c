/* ragged-dot: a dot in which one dimension of lhs is cut into groups of given sizes, one after another.
 *
 *   ragged m: [b,m,k] x [g,b,k,n] -> [b,m,n]     each group of rows has a right side of its own; rows in no group give 0
 *   ragged k: [b,m,k] x [b,k,n]   -> [g,b,m,n]   each group of products is summed by itself
 *   ragged b: [b,m,k] x [b,k,n]   -> [b,m,n]     a plain dot; batches in no group give 0
 *
 * group_sizes is [g], or [outer..., g] with sizes for every index of the dimensions outside the ragged one. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/wide.h"
#include "reference/functions.h"
#include "reference/ops/dot_side.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef struct ragged {
  hlo_dot_side lhs, rhs;
  int64_t groups, ragged, inner; /* number of groups; size of the ragged dimension; product of the sizes inside it */
  int64_t outer_stride;          /* in `starts`, from one outer index to the next; 0: the same sizes for all */
  int64_t *starts;               /* for each outer index groups + 1 borders within [0, ragged] */
} ragged;

static bool find_borders(hlo_evaluation *evaluation, const hlo_literal *sizes, ragged *r) {
  const hlo_shape *shape = sizes->shape;
  r->groups = shape->dims[shape->rank - 1];
  int64_t outer = hlo_box_count(shape->dims, shape->rank - 1);
  r->outer_stride = shape->rank == 1 ? 0 : r->groups + 1;
  r->starts = hlo_arena_many(evaluation->scratch, int64_t, outer * (r->groups + 1), evaluation->status);
  if (!r->starts) return false;
  for (int64_t o = 0; o < outer; o++) {
    int64_t *starts = r->starts + o * (r->groups + 1);
    for (int64_t g = 0; g < r->groups; g++) {
      int64_t size = hlo_clamp(hlo_index_load(sizes, o * r->groups + g), 0, r->ragged - starts[g]);
      starts[g + 1] = starts[g] + size;
    }
  }
  return true;
}

/* Returns the group of index `row` in [outer, ragged, inner]; -1 if it is in none. */
static int64_t group_of(const ragged *r, int64_t row) {
  int64_t place = row / r->inner % r->ragged;
  const int64_t *starts = r->starts + row / (r->inner * r->ragged) * r->outer_stride;
  for (int64_t g = 0; g < r->groups; g++)
    if (place < starts[g + 1]) return g;
  return -1;
}

/* Computes the sum over all of k, for row [b,m] of lhs and column [g,b,n] of rhs. */
static void dot_row(const ragged *r, int64_t row, int64_t column, hlo_wide_sum *sum) {
  int64_t k = r->lhs.contracting;
  hlo_wide_dot(&r->lhs.values, row * k, &r->rhs.values, column * k, k, sum);
}

static bool ragged_rows(hlo_evaluation *evaluation, const ragged *r, bool by_batch, hlo_literal *result) {
  int64_t rows = r->lhs.free, columns = r->rhs.free, at = 0;
  for (int64_t b = 0; b < r->lhs.batch; b++)
    for (int64_t m = 0; m < rows; m++) {
      int64_t group = group_of(r, by_batch ? b : b * rows + m);
      int64_t right = by_batch ? b : group * r->rhs.batch + b;
      for (int64_t n = 0; n < columns; n++) {
        hlo_wide_sum sum = {0};
        if (!hlo_reference_tick(evaluation, 1 + r->lhs.contracting)) return false;
        if (group >= 0) dot_row(r, b * rows + m, right * columns + n, &sum);
        hlo_literal_set(result, at++, hlo_wide_total(r->lhs.values.arithmetic, &sum));
      }
    }
  return true;
}

/* Computes the part of a sum that belongs to group g; k is [outer, ragged, inner]. */
static void dot_group(const ragged *r, int64_t g, int64_t b, int64_t row, int64_t column, hlo_wide_sum *sum) {
  int64_t k = r->lhs.contracting, span = r->ragged * r->inner, outer = span ? k / span : 0;
  for (int64_t o = 0; o < outer; o++) {
    const int64_t *starts = r->starts + (b * outer + o) * r->outer_stride;
    int64_t first = o * span + starts[g] * r->inner, count = (starts[g + 1] - starts[g]) * r->inner;
    hlo_wide_dot(&r->lhs.values, row * k + first, &r->rhs.values, column * k + first, count, sum);
  }
}

static bool ragged_sums(hlo_evaluation *evaluation, const ragged *r, hlo_literal *result) {
  int64_t rows = r->lhs.free, columns = r->rhs.free, at = 0;
  for (int64_t g = 0; g < r->groups; g++)
    for (int64_t b = 0; b < r->lhs.batch; b++)
      for (int64_t m = 0; m < rows; m++)
        for (int64_t n = 0; n < columns; n++) {
          hlo_wide_sum sum = {0};
          if (!hlo_reference_tick(evaluation, 1 + r->lhs.contracting / r->groups)) return false;
          dot_group(r, g, b, b * rows + m, b * columns + n, &sum);
          hlo_literal_set(result, at++, hlo_wide_total(r->lhs.values.arithmetic, &sum));
        }
  return true;
}

/* Returns the product of the sizes behind `dimension` in a list of dimensions. */
static int64_t inner_size(const hlo_shape *shape, const int64_t *dims, int count, int64_t dimension) {
  int64_t inner = 1;
  for (int i = count - 1; i >= 0 && dims[i] != dimension; i--) inner *= shape->dims[dims[i]];
  return inner;
}

bool hlo_reference_ragged_dot(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                              const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_shape *lhs = operands[0]->shape;
  hlo_ints batch = *hlo_instruction_ints(instruction, HLO_ATTR_lhs_batch_dims), no_group = {0};
  hlo_ints contracting = *hlo_instruction_ints(instruction, HLO_ATTR_lhs_contracting_dims);
  int64_t dimension = hlo_instruction_ints(instruction, HLO_ATTR_lhs_ragged_dims)->data[0];
  ragged r = {0};
  if (!hlo_dot_side_gather(&r.lhs, evaluation, operands[0], result->shape->type, no_group, batch, contracting) ||
      !hlo_dot_side_gather(&r.rhs, evaluation, operands[1], result->shape->type,
                           *hlo_instruction_ints(instruction, HLO_ATTR_rhs_group_dims),
                           *hlo_instruction_ints(instruction, HLO_ATTR_rhs_batch_dims),
                           *hlo_instruction_ints(instruction, HLO_ATTR_rhs_contracting_dims)))
    return false;
  bool by_batch = hlo_ints_contain(batch, dimension), by_sum = hlo_ints_contain(contracting, dimension);
  r.ragged = lhs->dims[dimension];
  r.inner = by_batch ? inner_size(lhs, batch.data, batch.count, dimension)
            : by_sum ? inner_size(lhs, contracting.data, contracting.count, dimension)
                     : inner_size(lhs, r.lhs.free_dims, r.lhs.free_rank, dimension);
  if (!find_borders(evaluation, operands[2], &r)) return false;
  hlo_literal_clear(result);
  return by_sum ? ragged_sums(evaluation, &r, result) : ragged_rows(evaluation, &r, by_batch, result);
}
