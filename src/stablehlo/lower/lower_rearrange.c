/* Lowers constants, and ops that move data. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static hlo_literal *constant_literal(hlo_lowering *l, const hlo_literal *value) {
  if (value->shared || !l->given || !l->given->borrows) return hlo_literal_borrow(l->arena, value, l->status);
  hlo_literal *literal = hlo_arena_new(l->arena, hlo_literal, l->status);
  if (literal) *literal = *value;
  return literal;
}

int hlo_lower_elements(const hlo_lower_call *c, const hlo_mlir_attribute *value, const hlo_shape *shape) {
  bool repeated = hlo_mlir_is_repeated(value);
  hlo_literal *literal = constant_literal(c->l, value->literal);
  if (!literal || !(literal->shape = hlo_lower_shape(c->l, literal->shape))) return -1;
  hlo_attribute attribute = {.id = HLO_ATTR_literal, .literal = literal}, none = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){0});
  int constant = hlo_lower_emit(c, HLO_OP_CONSTANT, repeated ? literal->shape : shape, NULL, 0, &attribute, 1);
  return repeated && constant >= 0 ? hlo_lower_emit(c, HLO_OP_BROADCAST, shape, &constant, 1, &none, 1) : constant;
}

bool hlo_lower_constant(const hlo_lower_call *c) {
  const hlo_mlir_attribute *value = hlo_mlir_find(c->op, "value");
  if (!value || value->kind != HLO_MLIR_DENSE)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute value, a dense array of elements");
  const hlo_shape *shape = hlo_lower_result_shape(c, 0), *own = hlo_lower_shape(c->l, value->type ? value->type->shape : value->literal->shape);
  if (!shape || !own) return false;
  if (!hlo_shape_compatible(shape, own))
    return hlo_lower_fail(c, HLO_SHAPE, "the result is declared as %pS, but the value is %pS", shape, own);
  return hlo_lower_results(c, hlo_lower_elements(c, value, shape));
}

/* If the module is specialised, a known dimension size becomes a constant. */
bool hlo_lower_dimension_size(const hlo_lower_call *c) {
  int64_t dimension;
  int operand = hlo_lower_operand(c, 0);
  if (operand < 0 || !hlo_lower_required_int(c, "dimension", &dimension)) return false;
  const hlo_shape *shape = hlo_lower_shape_of(c, operand);
  bool known = c->l->refines && c->opcode == HLO_OP_GET_DIMENSION_SIZE && dimension >= 0 && dimension < shape->rank &&
               hlo_shape_dim_kind(shape, (int)dimension) == HLO_DIM_STATIC;
  return known ? hlo_lower_results(c, hlo_lower_scalar(c, HLO_TYPE_S32, (hlo_scalar){.s = shape->dims[dimension]})) : hlo_lower_formed(c);
}

int hlo_lower_permute(const hlo_lower_call *c, int operand, const int64_t *permutation) {
  int rank = hlo_lower_shape_of(c, operand)->rank;
  bool moves = false;
  for (int i = 0; i < rank; i++) moves |= permutation[i] != i;
  if (!moves) return operand;
  int64_t *own = hlo_arena_copy(c->l->arena, permutation, (size_t)rank * sizeof *permutation, c->l->status);
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){own, rank});
  return own ? hlo_lower_emit(c, HLO_OP_TRANSPOSE, NULL, &operand, 1, &attribute, 1) : -1;
}

/* StableHLO repeats dimensions of size 1, HLO does not, so they are dropped first. HLO also wants ascending dimensions, which a
 * transpose ensures. */
int hlo_lower_stretch(const hlo_lower_call *c, int operand, const int64_t *dims, const hlo_shape *result) {
  hlo_lowering *l = c->l;
  const hlo_shape *shape = hlo_lower_shape_of(c, operand);
  int64_t sizes[HLO_MAX_RANK], kept[HLO_MAX_RANK], order[HLO_MAX_RANK];
  int64_t *sorted = hlo_arena_many(l->arena, int64_t, shape->rank, l->status);
  int count = 0;
  if (!sorted) return -1;
  for (int i = 0; i < shape->rank; i++) {
    if (shape->dims[i] == 1 && result->dims[dims[i]] != 1) continue;
    sizes[count] = shape->dims[i];
    kept[count++] = dims[i];
  }
  if (count < shape->rank) {
    if (!hlo_lower_is_known(c, shape)) return -1;
    const hlo_shape *dropped = hlo_shape_make(l->arena, shape->type, sizes, count, l->status);
    if (!dropped || (operand = hlo_lower_emit(c, HLO_OP_RESHAPE, dropped, &operand, 1, NULL, 0)) < 0) return -1;
  }
  for (int i = 0; i < count; i++) {
    int j = i;
    for (; j > 0 && sorted[j - 1] > kept[i]; j--) sorted[j] = sorted[j - 1], order[j] = order[j - 1];
    sorted[j] = kept[i];
    order[j] = i;
  }
  if ((operand = hlo_lower_permute(c, operand, order)) < 0) return -1;
  const hlo_shape *stretched = hlo_shape_with_type(&l->scratch, result, shape->type, l->status);
  if (stretched) stretched = hlo_lower_shape(l, stretched);
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){sorted, count});
  return stretched ? hlo_lower_emit(c, HLO_OP_BROADCAST, stretched, &operand, 1, &attribute, 1) : -1;
}

static bool check_broadcast_dimensions(const hlo_lower_call *c, const hlo_shape *shape, const hlo_shape *result, hlo_ints dims) {
  if (dims.count != shape->rank)
    return hlo_lower_fail(c, HLO_SHAPE, "broadcast_dimensions must have a value for each of the operand's %d dimensions, got %d",
                          shape->rank, dims.count);
  for (int i = 0; i < dims.count; i++) {
    if (dims.data[i] < 0 || dims.data[i] >= result->rank)
      return hlo_lower_fail(c, HLO_SHAPE, "broadcast_dimensions[%d] is %lld, but the result %pS has %d dimensions", i,
                            (long long)dims.data[i], result, result->rank);
    for (int j = 0; j < i; j++)
      if (dims.data[i] == dims.data[j])
        return hlo_lower_fail(c, HLO_SHAPE, "broadcast_dimensions must not repeat %lld", (long long)dims.data[i]);
  }
  return true;
}

bool hlo_lower_broadcast_in_dim(const hlo_lower_call *c) {
  hlo_ints dims;
  int operand = hlo_lower_operand(c, 0);
  const hlo_shape *result = hlo_lower_result_shape(c, 0);
  return operand >= 0 && result && hlo_lower_list(c, "broadcast_dimensions", -1, 0, &dims) &&
         check_broadcast_dimensions(c, hlo_lower_shape_of(c, operand), result, dims) &&
         hlo_lower_results(c, hlo_lower_stretch(c, operand, dims.data, result));
}

/* New dimensions come first. */
bool hlo_lower_broadcast(const hlo_lower_call *c) {
  hlo_ints sizes;
  int operand = hlo_lower_operand(c, 0);
  if (operand < 0 || !hlo_lower_list(c, "broadcast_sizes", -1, 0, &sizes)) return false;
  const hlo_shape *shape = hlo_lower_shape_of(c, operand), *settled;
  int rank = shape->rank + sizes.count;
  int64_t *dims = hlo_arena_many(c->l->arena, int64_t, shape->rank, c->l->status), all[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  if (!dims) return false;
  if (rank > HLO_MAX_RANK)
    return hlo_lower_fail(c, HLO_LIMIT, "broadcast_sizes must be %d at most, got %d", HLO_MAX_RANK - shape->rank, sizes.count);
  for (int i = 0; i < sizes.count; i++)
    if (sizes.data[i] < 0) return hlo_lower_fail(c, HLO_SHAPE, "broadcast_sizes must not be negative, got %lld", (long long)sizes.data[i]);
  for (int i = 0; i < rank; i++) {
    int from = i - sizes.count;
    all[i] = from < 0 ? sizes.data[i] : shape->dims[from];
    kinds[i] = from < 0 ? HLO_DIM_STATIC : (uint8_t)hlo_shape_dim_kind(shape, from);
    if (from >= 0) dims[from] = i;
  }
  if (!hlo_lower_settle_result(c, 0, hlo_shape_make_dynamic(c->l->arena, shape->type, all, kinds, rank, c->l->status), &settled)) return false;
  hlo_lower_call inner = *c;
  inner.settled = &settled;
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){dims, shape->rank});
  return hlo_lower_results(&inner, hlo_lower_emit(c, HLO_OP_BROADCAST, settled, &operand, 1, &attribute, 1));
}
