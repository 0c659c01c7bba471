/* Lowers dot, dimension numbers of convolutions, and rng. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_conv_numbers.h"

/* Contracts the last dimension of lhs with the first of rhs. */
bool hlo_lower_dot(const hlo_lower_call *c) {
  const int *operands = hlo_lower_operands(c, 0, 2);
  if (!operands) return false;
  const hlo_shape *lhs = c->computation->instructions[operands[0]]->shape, *rhs = c->computation->instructions[operands[1]]->shape;
  if (lhs->rank < 1 || rhs->rank < 1 || lhs->rank > 2 || rhs->rank > 2)
    return hlo_lower_fail(c, HLO_SHAPE, "lhs and rhs must have rank 1 or 2, got %pS and %pS", lhs, rhs);
  int64_t *dims = hlo_arena_many(c->l->arena, int64_t, 2, c->l->status);
  if (!dims) return false;
  dims[0] = lhs->rank - 1;
  hlo_attribute attributes[2] = {hlo_lower_ints(HLO_ATTR_lhs_contracting_dims, (hlo_ints){dims, 1}),
                                 hlo_lower_ints(HLO_ATTR_rhs_contracting_dims, (hlo_ints){dims + 1, 1})};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_DOT, hlo_lower_result_shape(c, 0), operands, 2, attributes, 2));
}

/* Takes a dimension number, unless another one took it. */
static bool take(int64_t number, uint64_t *left, int *dimension) {
  bool is_left = number >= 0 && number < 2 * HLO_MAX_RANK && *left >> number & 1;
  if (is_left) *left &= ~((uint64_t)1 << number);
  *dimension = (int)number;
  return is_left;
}

static bool take_all(const hlo_mlir_conv_dims *dims, int rank, int *batch, int *feature, int *spatial) {
  uint64_t left = ((uint64_t)1 << (rank + 2)) - 1;
  bool ok = dims->spatial_count == rank && take(dims->batch, &left, batch) && take(dims->feature, &left, feature);
  for (int i = 0; ok && i < rank; i++) ok = take(dims->spatial[i], &left, &spatial[i]);
  return ok;
}

const hlo_dim_labels *hlo_lower_dim_labels(const hlo_lower_call *c) {
  const hlo_mlir_attribute *numbers = hlo_mlir_find(c->op, "dimension_numbers");
  hlo_mlir_conv_numbers n = {0};
  hlo_dim_labels *l = hlo_arena_new(c->l->arena, hlo_dim_labels, c->l->status);
  if (!l || !numbers || !hlo_mlir_conv_read(numbers, &n))
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute dimension_numbers"), NULL;
  int rank = l->spatial_rank = n.input.spatial_count;
  if (rank <= HLO_MAX_RANK && take_all(&n.input, rank, &l->input_batch, &l->input_feature, l->input_spatial) &&
      take_all(&n.kernel, rank, &l->kernel_output_feature, &l->kernel_input_feature, l->kernel_spatial) &&
      take_all(&n.output, rank, &l->output_batch, &l->output_feature, l->output_spatial))
    return l;
  hlo_lower_fail(c, HLO_SHAPE, "dimension_numbers %pN name no dimensions", &numbers->text);
  return NULL;
}

/* The shape operand only repeats the result's type. */
bool hlo_lower_rng(const hlo_lower_call *c) { return hlo_lower_with_shape_operand(c, 2, hlo_lower_formed); }
