/* Operations that work element by element, and what quantized elements may be put together. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

bool hlo_check_abs(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  if (!hlo_type_is_complex(operand->type)) return hlo_check_result_element(c, "C2", 0, operand);
  if (result->type == hlo_type_real_part(operand->type)) return true;
  return hlo_check_fail(c, "C2: the result must have %s elements, got {r}", hlo_type_name(hlo_type_real_part(operand->type)));
}

/* real_c2, imag_c2 */
bool hlo_check_real_part(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  if (result->type == hlo_type_real_part(operand->type)) return true;
  return hlo_check_fail(c, "C2: the result must have %s elements, got {r}", hlo_type_name(hlo_type_real_part(operand->type)));
}

bool hlo_check_complex(const hlo_check *c) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1), *result = hlo_check_result_shape(c, 0);
  if (lhs->type != rhs->type) return hlo_check_fail(c, "C1: lhs and rhs must have the same type, got %pS and %pS", lhs, rhs);
  if (result->type == hlo_type_complex_of(lhs->type)) return true;
  return hlo_check_fail(c, "C3: the result must have %s elements, got {r}", hlo_type_name(hlo_type_complex_of(lhs->type)));
}

/* add_c3 to add_c7: quantized operands and result */
static bool check_quantized_add(const hlo_check *c, const hlo_quantization *lhs, const hlo_quantization *rhs, const hlo_quantization *result) {
  if (lhs->storage_type != rhs->storage_type || lhs->storage_type != result->storage_type || lhs->storage_min != result->storage_min ||
      lhs->storage_max != result->storage_max || rhs->storage_min != result->storage_min || rhs->storage_max != result->storage_max)
    return hlo_check_fail(c, "C3: operands and result must have the same storage type and range, got %s, %s and %s",
                          hlo_type_name(lhs->storage_type), hlo_type_name(rhs->storage_type), hlo_type_name(result->storage_type));
  if (lhs->expressed_type != rhs->expressed_type || lhs->expressed_type != result->expressed_type)
    return hlo_check_fail(c, "C4: operands and result must have the same expressed type, got %s, %s and %s",
                          hlo_type_name(lhs->expressed_type), hlo_type_name(rhs->expressed_type),
                          hlo_type_name(result->expressed_type));
  if ((lhs->dimension >= 0 || rhs->dimension >= 0) != (result->dimension >= 0))
    return hlo_check_fail(c, "C5: the result must be quantized per axis just when lhs or rhs is");
  if (lhs->dimension >= 0 && lhs->dimension != result->dimension)
    return hlo_check_fail(c, "C6: lhs and result must be quantized along the same dimension, got %d and %d", lhs->dimension,
                          result->dimension);
  if (rhs->dimension >= 0 && rhs->dimension != result->dimension)
    return hlo_check_fail(c, "C7: rhs and result must be quantized along the same dimension, got %d and %d", rhs->dimension,
                          result->dimension);
  return true;
}

bool hlo_check_add(const hlo_check *c) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1), *result = hlo_check_result_shape(c, 0);
  int quantized = (lhs->quantization != NULL) + (rhs->quantization != NULL) + (result->quantization != NULL);
  if (quantized == 3) return check_quantized_add(c, lhs->quantization, rhs->quantization, result->quantization);
  if (quantized) return hlo_check_fail(c, "C2: operands and result must all be quantized, or none of them");
  bool same = hlo_check_types_agree(hlo_check_operand(c, 0), hlo_check_operand(c, 1)) &&
      hlo_check_types_agree(hlo_check_operand(c, 0), hlo_check_result(c, 0));
  return same || hlo_check_fail(c, "C1: operands and result must have the same type, got {0}, {1} and {r}");
}

/* compare_c3 to compare_c7 */
static bool compare_type_fits(const hlo_check *c, const hlo_shape *lhs) {
  bool is_signed = hlo_check_word(c, "compare_type", "SIGNED"), is_unsigned = hlo_check_word(c, "compare_type", "UNSIGNED");
  bool is_float = hlo_check_word(c, "compare_type", "FLOAT"), total = hlo_check_word(c, "compare_type", "TOTALORDER");
  if (lhs->quantization) return is_float || total || is_signed || is_unsigned;
  switch (hlo_type_classify(lhs->type)) {
    case HLO_CLASS_SIGNED: return is_signed;
    case HLO_CLASS_UNSIGNED:
    case HLO_CLASS_PRED: return is_unsigned;
    case HLO_CLASS_FLOAT: return is_float || total;
    default: return is_float;
  }
}

bool hlo_check_compare(const hlo_check *c) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  const hlo_mlir_type *lhs = hlo_check_operand(c, 0), *rhs = hlo_check_operand(c, 1);
  if (!hlo_check_types_agree(lhs, rhs))
    return hlo_check_fail(c, "C1: lhs and rhs must have the same element type, got %pT and %pT", lhs, rhs);
  bool known = false;
  for (int i = 0; i < 6; i++) known = known || hlo_check_word(c, "comparison_direction", directions[i]);
  if (!known) return hlo_check_fail(c, "I3: comparison_direction must be EQ, NE, GE, GT, LE or LT");
  if (!hlo_mlir_find(c->op, "compare_type") || hlo_check_word(c, "compare_type", "NOTYPE")) return true;
  return compare_type_fits(c, lhs->shape) || hlo_check_fail(c, "C3: compare_type does not suit the element type of %pT", lhs);
}

bool hlo_check_clamp(const hlo_check *c) {
  static const char *const names[] = {"min", "operand", "max"}, *const labels[] = {"C1", "", "C2"};
  const hlo_shape *operand = hlo_check_operand_shape(c, 1);
  for (int i = 0; i < 3; i += 2) {
    const hlo_shape *limit = hlo_check_operand_shape(c, i);
    if (limit->rank != 0 && !hlo_check_shapes_agree(limit, operand))
      return hlo_check_fail(c, "%s: %s must be a scalar or have the shape of the operand, %pD, got %pD", labels[i], names[i],
                            operand, limit);
    if (!hlo_check_elements_agree(limit, operand))
      return hlo_check_fail(c, "C3: %s must have the element type of the operand, got %pT and {1}", names[i],
                            hlo_check_operand(c, i));
  }
  return hlo_check_result_like(c, "C4", 0, 1);
}

bool hlo_check_select(const hlo_check *c) {
  const hlo_shape *pred = hlo_check_operand_shape(c, 0), *on_true = hlo_check_operand_shape(c, 1);
  if (!hlo_check_types_agree(hlo_check_operand(c, 1), hlo_check_operand(c, 2)))
    return hlo_check_fail(c, "C2: on_true and on_false must have the same type, got {1} and {2}");
  if (pred->rank != 0 && !hlo_check_shapes_agree(pred, on_true))
    return hlo_check_fail(c, "C1: pred must be a scalar or have the shape of on_true, %pD, got %pD", on_true, pred);
  return hlo_check_result_like(c, "C2", 0, 1);
}

static bool check_bitcast_dims(const hlo_check *c, const hlo_shape *large, const hlo_shape *small, int64_t ratio) {
  if (small->rank != large->rank + 1)
    return hlo_check_fail(c, "C1: the smaller elements must have one dimension more than the larger ones, got rank %d and %d",
                          small->rank, large->rank);
  for (int i = 0; i < large->rank; i++)
    if (!hlo_check_dims_agree(large, i, small, i)) return hlo_check_fail(c, "C1: dimension %d must stay as it is", i);
  if (hlo_check_is_static(small, large->rank) && small->dims[large->rank] != ratio)
    return hlo_check_fail(c, "C1: the last dimension of the smaller elements must be %lld, got %lld", (long long)ratio,
                          (long long)small->dims[large->rank]);
  return true;
}

bool hlo_check_bitcast_convert(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  if (hlo_type_is_complex(operand->type) != hlo_type_is_complex(result->type))
    return hlo_check_fail(c, "C2: cannot convert between real and complex elements");
  int from = hlo_type_bits(operand->type), to = hlo_type_bits(result->type);
  if (from == to)
    return hlo_check_shapes_agree(operand, result) ||
           hlo_check_fail(c, "C1: operand and result must have the same shape, got %pD and %pD", operand, result);
  return from > to ? check_bitcast_dims(c, operand, result, from / to) : check_bitcast_dims(c, result, operand, to / from);
}

bool hlo_check_uniform_quantize(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  hlo_type expressed = operand->quantization ? operand->quantization->expressed_type : operand->type;
  if (result->quantization->expressed_type == expressed) return true;
  return hlo_check_fail(c, "C2: the result must have the expressed type %s, got %s", hlo_type_name(expressed),
                        hlo_type_name(result->quantization->expressed_type));
}

bool hlo_check_uniform_dequantize(const hlo_check *c) {
  hlo_type expressed = hlo_check_operand_shape(c, 0)->quantization->expressed_type;
  if (hlo_check_result_shape(c, 0)->type == expressed) return true;
  return hlo_check_fail(c, "C2: the result must have the expressed type %s, got {r}", hlo_type_name(expressed));
}

/* A quantized constant is written as the integers that are stored. */
static bool constant_element_fits(const hlo_shape *value, const hlo_shape *result) {
  const hlo_quantization *q = result->quantization;
  if (!q || value->quantization) return hlo_check_elements_agree(value, result);
  bool signless = hlo_type_is_signed(value->type) && hlo_type_bits(value->type) == hlo_type_bits(q->storage_type);
  return value->type == q->storage_type || signless;
}

bool hlo_check_constant_op(const hlo_check *c) {
  const hlo_mlir_attribute *value = hlo_mlir_find(c->op, "value");
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  if (value->kind != HLO_MLIR_DENSE || !value->literal) return hlo_check_fail(c, "I1: value must be the elements of a tensor");
  const hlo_shape *given = value->literal->shape;
  if (constant_element_fits(given, result) && hlo_shape_is_static(result) && hlo_check_shapes_agree(given, result)) return true;
  return hlo_check_fail(c, "C1: value and result must have the same type, got %pS and {r}", given);
}
