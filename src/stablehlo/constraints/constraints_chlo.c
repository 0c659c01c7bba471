/* CHLO: implicit broadcasts, constants like others, top_k. */
#include "stablehlo/constraints/constraints.h"

/* ---- Broadcasts: the last dimensions meet, or those that broadcast_dimensions names ---- */

static bool is_one(const hlo_shape *s, int i) { return hlo_check_is_static(s, i) && s->dims[i] == 1; }

static bool check_broadcast_dimensions(const hlo_check *c, const hlo_check_list *dimensions, const hlo_shape *small, const hlo_shape *large) {
  if (!dimensions->attribute) return true;
  return hlo_check_size(c, "C2", "broadcast_dimensions", dimensions, small->rank) &&
      hlo_check_range(c, "C2", "broadcast_dimensions", dimensions, large->rank) &&
         hlo_check_unique(c, "C2", "broadcast_dimensions", dimensions);
}

static bool check_broadcast_shapes(const hlo_check *c, const hlo_shape *small, const hlo_shape *large) {
  hlo_check_list dimensions = hlo_check_ints(c, "broadcast_dimensions");
  hlo_check_dims dims = hlo_check_dims_of(large);
  if (!check_broadcast_dimensions(c, &dimensions, small, large)) return false;
  for (int i = 0; i < small->rank; i++) {
    int to = dimensions.attribute ? (int)hlo_check_at(&dimensions, i) : large->rank - small->rank + i;
    if (!is_one(small, i) && !is_one(large, to) && !hlo_check_dims_agree(small, i, large, to))
      return hlo_check_fail(c, "C2: operands %pD and %pD cannot be broadcast together", small, large);
    bool unknown = dims.kinds[to] == HLO_DIM_UNBOUNDED && !is_one(small, i);
    if (is_one(large, to) || unknown) hlo_check_set(&dims, to, hlo_shape_dim_kind(small, i), small->dims[i]);
  }
  return hlo_check_result_dims(c, "C3", 0, &dims);
}

bool hlo_check_chlo_broadcast(const hlo_check *c) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1), *result = hlo_check_result_shape(c, 0);
  bool keeps = !hlo_span_is(c->op->name, "chlo.broadcast_compare") && !hlo_span_is(c->op->name, "chlo.broadcast_complex");
  if (!hlo_check_elements_agree(lhs, rhs) || (keeps && !hlo_check_elements_agree(lhs, result)))
    return hlo_check_fail(c, "C1: operands and result must have the same element type, got {0}, {1} and {r}");
  return lhs->rank <= rhs->rank ? check_broadcast_shapes(c, lhs, rhs) : check_broadcast_shapes(c, rhs, lhs);
}

/* The last dimensions of all three meet; what is one, or unknown, gives way. */
bool hlo_check_chlo_broadcast_select(const hlo_check *c) {
  hlo_check_dims dims = {0};
  if (!hlo_check_elements_agree(hlo_check_operand_shape(c, 1), hlo_check_operand_shape(c, 2)))
    return hlo_check_fail(c, "C1: on_true and on_false must have the same element type, got {1} and {2}");
  for (int i = 0; i < 3; i++)
    if (hlo_check_operand_shape(c, i)->rank > dims.rank) dims = hlo_check_dims_of(hlo_check_operand_shape(c, i));
  for (int i = 0; i < 3; i++) {
    const hlo_shape *operand = hlo_check_operand_shape(c, i);
    for (int j = 0, to = dims.rank - operand->rank; j < operand->rank; j++, to++) {
      if (is_one(operand, j) || !hlo_check_is_static(operand, j)) continue;
      bool known = dims.kinds[to] == HLO_DIM_STATIC && dims.sizes[to] != 1;
      if (known && dims.sizes[to] != operand->dims[j])
        return hlo_check_fail(c, "C2: operand %d, %pT, cannot be broadcast with the others", i, hlo_check_operand(c, i));
      hlo_check_set(&dims, to, HLO_DIM_STATIC, operand->dims[j]);
    }
  }
  return hlo_check_result_element(c, "C3", 0, hlo_check_operand_shape(c, 1)) && hlo_check_result_dims(c, "C3", 0, &dims);
}

/* ---- The rest ---- */

bool hlo_check_constant_like(const hlo_check *c) {
  const hlo_mlir_attribute *value = hlo_mlir_find(c->op, "value");
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  bool scalar = value->kind == HLO_MLIR_INT || value->kind == HLO_MLIR_FLOAT;
  if (!scalar) return hlo_check_fail(c, "I2: value must be a number");
  if (scalar && value->type && value->type->kind == HLO_MLIR_SCALAR && value->type->element != result->type)
    return hlo_check_fail(c, "C1: value must have the element type of the result, %s, got %s", hlo_type_name(result->type),
                          hlo_type_name(value->type->element));
  return hlo_check_result_element(c, "C2", 0, hlo_check_operand_shape(c, 0));
}

bool hlo_check_top_k(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  int64_t k = hlo_check_int_or(c, "k", 0);
  int last = operand->rank - 1;
  if (last < 0) return hlo_check_fail(c, "C1: the operand must have rank 1 at least, got {0}");
  if (hlo_check_is_static(operand, last) && operand->dims[last] < k)
    return hlo_check_fail(c, "C2: the last dimension must have %lld elements at least, got %lld", (long long)k,
                          (long long)operand->dims[last]);
  hlo_check_dims dims = hlo_check_dims_of(operand);
  hlo_check_set(&dims, last, HLO_DIM_STATIC, k);
  return hlo_check_result_element(c, "C3", 0, operand) && hlo_check_result_dims(c, "C4", 0, &dims) && hlo_check_result_dims(c, "C4", 1, &dims);
}
