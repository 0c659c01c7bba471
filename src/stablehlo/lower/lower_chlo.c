/* Lowers CHLO operations that are not just another name: implicit broadcasting, and ops composed of others. */
#include <math.h>

#include "base/status.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

/* ---- Implicit broadcasting ---- */

/* Broadcasts an operand. Its dimensions become those in broadcast_dimensions if it has the lower rank, else the result's last ones. */
static bool stretch(const hlo_lower_call *c, int *operand, const hlo_ints *given, const hlo_shape *result) {
  const hlo_shape *shape = hlo_lower_shape_of(c, *operand);
  int64_t dims[HLO_MAX_RANK];
  if (!hlo_shape_is_static(shape) || !hlo_shape_is_static(result))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "broadcasting of dynamic shapes, here %pS to %pS", shape, result);
  if (shape->rank > result->rank || (given && given->count != shape->rank))
    return hlo_lower_fail(c, HLO_SHAPE, "%pS cannot be broadcast to %pS", shape, result);
  for (int i = 0; i < shape->rank; i++) {
    dims[i] = given ? given->data[i] : result->rank - shape->rank + i;
    bool ascending = i == 0 || dims[i] > dims[i - 1];
    if (dims[i] < 0 || dims[i] >= result->rank || !ascending || (shape->dims[i] != 1 && shape->dims[i] != result->dims[dims[i]]))
      return hlo_lower_fail(c, HLO_SHAPE, "dimension %d of %pS cannot be broadcast to dimension %lld of %pS", i, shape,
                            (long long)dims[i], result);
  }
  if (!hlo_shape_same_dims(shape, result)) *operand = hlo_lower_stretch(c, *operand, dims, result);
  return *operand >= 0;
}

/* Returns the shape of implicit broadcasting, if the operands' shapes are known: in each dimension, the size that is not 1. */
static const hlo_shape *result_shape(const hlo_lower_call *c, const int *operands, int count, const hlo_ints *given) {
  const hlo_shape *declared = hlo_lower_result_shape(c, 0);
  int64_t sizes[HLO_MAX_RANK];
  bool known = declared != NULL;
  int rank = 0;
  for (int k = 0; k < count; k++) {
    const hlo_shape *shape = hlo_lower_shape_of(c, operands[k]);
    known = known && (c->l->refines || hlo_shape_is_static(shape));
    if (shape->rank > rank) rank = shape->rank;
  }
  if (declared && declared->rank != rank) return hlo_lower_fail(c, HLO_SHAPE, "its result must have rank %d, got %pS", rank, declared), NULL;
  if (!known) return declared;
  for (int d = 0; d < declared->rank; d++) sizes[d] = 1;
  for (int k = 0; k < count; k++) {
    const hlo_shape *shape = hlo_lower_shape_of(c, operands[k]);
    for (int i = 0; i < shape->rank; i++) {
      int64_t d = given && given->count == shape->rank && shape->rank < declared->rank ? given->data[i] : declared->rank - shape->rank + i;
      if (d >= 0 && d < declared->rank && shape->dims[i] != 1) sizes[d] = shape->dims[i];
    }
  }
  const hlo_shape *inferred = hlo_shape_make(c->l->arena, declared->type, sizes, declared->rank, c->l->status), *settled;
  return hlo_lower_settle_result(c, 0, inferred, &settled) ? settled : NULL;
}

bool hlo_lower_chlo_broadcast(const hlo_lower_call *c) {
  int operands[2] = {hlo_lower_operand(c, 0), hlo_lower_operand(c, 1)};
  hlo_ints dims;
  bool given = hlo_mlir_find(c->op, "broadcast_dimensions") != NULL;
  if (operands[0] < 0 || operands[1] < 0 || (given && !hlo_lower_list(c, "broadcast_dimensions", -1, 0, &dims))) return false;
  const hlo_shape *result = result_shape(c, operands, 2, given ? &dims : NULL);
  if (!result) return false;
  int lhs_rank = hlo_lower_shape_of(c, operands[0])->rank, rhs_rank = hlo_lower_shape_of(c, operands[1])->rank;
  if (!stretch(c, &operands[0], given && lhs_rank < rhs_rank ? &dims : NULL, result) ||
      !stretch(c, &operands[1], given && rhs_rank <= lhs_rank ? &dims : NULL, result))
    return false;
  hlo_lower_call inner = *c;
  inner.given = operands;
  inner.settled = &result;
  return hlo_lower_formed(&inner);
}

bool hlo_lower_chlo_select(const hlo_lower_call *c) {
  int operands[3];
  for (int i = 0; i < 3; i++)
    if ((operands[i] = hlo_lower_operand(c, i)) < 0) return false;
  const hlo_shape *result = result_shape(c, operands, 3, NULL);
  for (int i = 0; i < 3; i++)
    if (!result || !stretch(c, &operands[i], NULL, result)) return false;
  hlo_lower_call inner = *c;
  inner.given = operands;
  inner.settled = &result;
  return hlo_lower_formed(&inner);
}

/* ---- Ops composed of others ---- */

static int everywhere(const hlo_lower_call *c, hlo_type type, hlo_scalar value, const hlo_shape *shape) {
  int scalar = hlo_lower_scalar(c, type, value);
  return scalar < 0 ? -1 : hlo_lower_stretch(c, scalar, NULL, shape);
}

bool hlo_lower_constant_like(const hlo_lower_call *c) {
  const hlo_mlir_attribute *value = hlo_mlir_find(c->op, "value");
  const hlo_shape *shape = hlo_lower_result_shape(c, 0);
  int like = hlo_lower_operand(c, 0);
  if (!shape || like < 0 || !hlo_lower_settle_result(c, 0, hlo_lower_shape_of(c, like), &shape)) return false;
  if (!value || (value->kind != HLO_MLIR_FLOAT && value->kind != HLO_MLIR_INT && (value->kind != HLO_MLIR_BOOL || shape->type != HLO_TYPE_PRED)))
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute value, a number");
  if (value->type && value->type->kind == HLO_MLIR_SCALAR && value->type->element != shape->type)
    return hlo_lower_fail(c, HLO_SHAPE, "value is of type %s, but the result is %pS", hlo_type_name(value->type->element), shape);
  if (!hlo_shape_is_static(shape)) return hlo_lower_fail(c, HLO_UNSUPPORTED, "a constant of dynamic shape %pS", shape);
  hlo_scalar scalar = {.s = value->integer};
  if (value->kind == HLO_MLIR_FLOAT) scalar.f = value->real;
  return hlo_lower_results(c, everywhere(c, shape->type, scalar, shape));
}

bool hlo_lower_conj(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0);
  if (operand < 0) return false;
  if (!hlo_type_is_complex(hlo_lower_shape_of(c, operand)->type)) return hlo_lower_identity(c);
  int parts[2] = {hlo_lower_emit(c, HLO_OP_REAL, NULL, &operand, 1, NULL, 0), hlo_lower_emit(c, HLO_OP_IMAG, NULL, &operand, 1, NULL, 0)};
  if (parts[0] < 0 || parts[1] < 0 || (parts[1] = hlo_lower_emit(c, HLO_OP_NEGATE, NULL, &parts[1], 1, NULL, 0)) < 0) return false;
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_COMPLEX, NULL, parts, 2, NULL, 0));
}

/* Compares elements with an infinity; gives false if the type has none. */
static bool compare_with(const hlo_lower_call *c, int operand, double infinity) {
  if (operand < 0) return false;
  const hlo_shape *shape = hlo_lower_shape_of(c, operand);
  if (!hlo_type_is_float(shape->type))
    return hlo_lower_fail(c, HLO_SHAPE, "operand must have floating-point elements, got %pS", shape);
  if (!hlo_type_float_format(shape->type).has_infinity)
    return hlo_lower_results(c, everywhere(c, HLO_TYPE_PRED, (hlo_scalar){.u = 0}, shape));
  int operands[2] = {operand, everywhere(c, shape->type, (hlo_scalar){.f = infinity}, shape)};
  hlo_attribute direction = hlo_lower_enum(HLO_ATTR_direction, HLO_direction_EQ);
  return operands[1] >= 0 && hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_COMPARE, NULL, operands, 2, &direction, 1));
}

bool hlo_lower_is_pos_inf(const hlo_lower_call *c) { return compare_with(c, hlo_lower_operand(c, 0), INFINITY); }
bool hlo_lower_is_neg_inf(const hlo_lower_call *c) { return compare_with(c, hlo_lower_operand(c, 0), -INFINITY); }
bool hlo_lower_is_inf(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0);
  return operand >= 0 && compare_with(c, hlo_lower_emit(c, HLO_OP_ABS, NULL, &operand, 1, NULL, 0), INFINITY);
}
