/* Rules for quantized operands and results, beyond the types of their elements. */
#include "base/checked.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_conv_numbers.h"

static const hlo_quantization *of_operand(const hlo_check *c, int i) { return hlo_check_operand_shape(c, i)->quantization; }
static const hlo_quantization *of_result(const hlo_check *c) { return hlo_check_result_shape(c, 0)->quantization; }

/* Checks add_c5 to add_c7. */
bool hlo_check_add(const hlo_check *c) {
  const hlo_quantization *lhs = of_operand(c, 0), *rhs = of_operand(c, 1), *result = of_result(c);
  if (!lhs) return true;
  bool same = result->dimension < 0 ? lhs->dimension < 0 && rhs->dimension < 0 : lhs->dimension >= 0 || rhs->dimension >= 0;
  same = same && (lhs->dimension < 0 || lhs->dimension == result->dimension) && (rhs->dimension < 0 || rhs->dimension == result->dimension);
  return same || hlo_check_fail(c, "the result must be quantized along the dimension that lhs or rhs is, got {0}, {1} and {r}");
}

/* ---- Moving elements keeps their scales, along the dimension that the quantized one becomes ---- */

static bool keeps_scales(const hlo_quantization *p, const hlo_quantization *q) {
  if ((p->dimension >= 0) != (q->dimension >= 0) || (p->count != 1 && p->count != q->count)) return false;
  for (int64_t i = 0; i < q->count; i++) {
    int64_t from = p->count == 1 ? 0 : i; /* a broadcast repeats it */
    if (q->scales[i] != p->scales[from] || q->zero_points[i] != p->zero_points[from]) return false;
  }
  return true;
}

static bool check_moved(const hlo_check *c, bool along) {
  const hlo_quantization *p = of_operand(c, 0), *q = of_result(c);
  return !p || (along && keeps_scales(p, q)) ||
         hlo_check_fail(c, "the result must have the scales and zero points of the operand, along the dimension that theirs becomes, "
                           "got {0} and {r}");
}

/* Returns whether entry `from` of the list is `to`. If the list has no such entry, lowering refuses it. */
static bool leads(const hlo_check *c, const char *name, int from, int to) {
  hlo_check_list list = hlo_check_ints(c, name);
  return from < 0 || from >= list.count || hlo_check_at(&list, from) == to;
}

/* Checks transpose_c1 and transpose_c4. */
bool hlo_check_transpose(const hlo_check *c) {
  const hlo_quantization *p = of_operand(c, 0), *q = of_result(c);
  return check_moved(c, p && leads(c, "permutation", q->dimension, p->dimension));
}

/* Checks broadcast_in_dim_c1 and broadcast_in_dim_c6. */
bool hlo_check_broadcast_in_dim(const hlo_check *c) {
  const hlo_quantization *p = of_operand(c, 0), *q = of_result(c);
  return check_moved(c, p && leads(c, "broadcast_dimensions", p->dimension, q->dimension));
}

/* Returns the product of the first `end` sizes; -1 if one is not known. */
static int64_t product(const hlo_shape *shape, int end) {
  int64_t count = 1;
  for (int i = 0; i < end; i++)
    if (hlo_shape_dim_kind(shape, i) != HLO_DIM_STATIC || !hlo_checked_mul(count, shape->dims[i], &count)) return -1;
  return count;
}

static bool same_or_unknown(int64_t a, int64_t b) { return a < 0 || b < 0 || a == b; }

/* Checks reshape_c1 and reshape_c3: the dimensions before the quantized one keep their number of elements. */
bool hlo_check_dynamic_reshape(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  const hlo_quantization *p = operand->quantization, *q = result->quantization;
  bool along = true;
  for (int i = 0; i < 2; i++) along = along && (!p || same_or_unknown(product(operand, p->dimension + i), product(result, q->dimension + i)));
  return check_moved(c, along);
}

bool hlo_check_reshape(const hlo_check *c) {
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  int bounded = 0;
  for (int i = 0; i < result->rank; i++) bounded += hlo_shape_dim_kind(result, i) == HLO_DIM_BOUNDED;
  if (bounded > 1) return hlo_check_fail(c, "the result must have a static shape or a single bounded dimension, got {r}");
  return hlo_check_dynamic_reshape(c);
}

bool hlo_check_dynamic_iota(const hlo_check *c) {
  int64_t d = hlo_mlir_find(c->op, "iota_dimension")->integer;
  return d < hlo_check_result_shape(c, 0)->rank || hlo_check_fail(c, "iota_dimension must name a dimension of {r}, got %lld", (long long)d);
}

/* Checks dynamic_broadcast_in_dim_c3 to c5 and c8 to c10, as far as possible before the shape is known. */
bool hlo_check_dynamic_broadcast_in_dim(const hlo_check *c) {
  static const char *const names[] = {"known_expanding_dimensions", "known_nonexpanding_dimensions"};
  const hlo_shape *shape = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  int rank = shape->rank;
  bool seen[HLO_MAX_RANK] = {false}, taken[HLO_MAX_RANK] = {false};
  hlo_check_list dimensions = hlo_check_ints(c, "broadcast_dimensions");
  if (dimensions.count != rank) return hlo_check_fail(c, "broadcast_dimensions must have a value for each dimension of {0}");
  for (int i = 0; i < rank; i++) {
    int64_t d = hlo_check_at(&dimensions, i);
    if (d < 0 || d >= result->rank || taken[d])
      return hlo_check_fail(c, "broadcast_dimensions must name dimensions of {r}, each once, got %lld", (long long)d);
    taken[d] = true;
    bool known = hlo_shape_dim_kind(shape, i) == HLO_DIM_STATIC && hlo_shape_dim_kind(result, (int)d) == HLO_DIM_STATIC;
    if (known && shape->dims[i] != 1 && shape->dims[i] != result->dims[d])
      return hlo_check_fail(c, "dimension %d of {0} must have size 1 or that of dimension %lld of {r}", i, (long long)d);
  }
  for (int k = 0; k < 2; k++) {
    hlo_check_list list = hlo_check_ints(c, names[k]);
    for (int64_t i = 0; i < list.count; i++) {
      int64_t d = hlo_check_at(&list, i);
      if (d < 0 || d >= rank || seen[d])
        return hlo_check_fail(c, "%s must name dimensions of {0}, each in one of the lists and once, got %lld", names[k], (long long)d);
      seen[d] = true;
    }
  }
  return hlo_check_broadcast_in_dim(c);
}

/* ---- Products: rhs may be quantized alone, and then stands for the type that it expresses ---- */

/* Checks dot_general_c14, c17 to c20; convolution_c28, c31 to c34. */
static bool check_product(const hlo_check *c) {
  const hlo_quantization *p = of_operand(c, 0), *q = of_operand(c, 1), *r = of_result(c);
  if (!p && !q && !r) return true;
  if (!q || !p != !r) return hlo_check_fail(c, "lhs, rhs and result must all be quantized, or rhs alone, got {0}, {1} and {r}");
  hlo_type lhs = p ? p->expressed_type : hlo_check_operand_shape(c, 0)->type, result = r ? r->expressed_type : hlo_check_result_shape(c, 0)->type;
  if (lhs != q->expressed_type || result != q->expressed_type)
    return hlo_check_fail(c, "lhs, rhs and result must have the same type, or be quantized from it, got {0}, {1} and {r}");
  if (p && p->storage_type != q->storage_type)
    return hlo_check_fail(c, "lhs and rhs must have the same storage type, got {0} and {1}");
  return q->dimension >= 0 || !r || r->dimension < 0 || hlo_check_fail(c, "the result must be quantized per tensor as rhs is, got {r}");
}

/* Checks dot_general_c15, dot_general_c16, dot_general_c21. */
bool hlo_check_dot_general(const hlo_check *c) {
  const hlo_mlir_attribute *precision = hlo_mlir_find(c->op, "precision_config");
  const hlo_quantization *q = of_operand(c, 1);
  hlo_check_list contracting = hlo_check_view(hlo_mlir_entry(hlo_mlir_find(c->op, "dot_dimension_numbers"), "rhs_contracting_dimensions"));
  for (int i = 0; precision && hlo_mlir_find(c->op, "algorithm") && i < precision->count; i++)
    if (!hlo_span_is(precision->elements[i]->text, "DEFAULT"))
      return hlo_check_fail(c, "precision_config must be DEFAULT where an algorithm is given");
  for (int64_t i = 0; q && i < q->count; i++)
    if (q->zero_points[i] != 0) return hlo_check_fail(c, "zero points of rhs must be 0, got %lld", (long long)q->zero_points[i]);
  if (q && q->dimension >= 0 && hlo_check_contains(&contracting, q->dimension))
    return hlo_check_fail(c, "rhs must not be quantized along a contracting dimension, got {1}");
  return check_product(c);
}

/* Checks convolution_c26, convolution_c27, convolution_c29, convolution_c30. */
bool hlo_check_convolution(const hlo_check *c) {
  const hlo_quantization *q = of_operand(c, 1), *r = of_result(c);
  hlo_mlir_conv_numbers n = {0};
  bool known = hlo_mlir_conv_read(hlo_mlir_find(c->op, "dimension_numbers"), &n);
  if (known && ((q && q->dimension >= 0 && q->dimension != n.kernel.batch) || (r && r->dimension >= 0 && r->dimension != n.output.feature)))
    return hlo_check_fail(c, "rhs and result must be quantized along the dimension of output features, got {1} and {r}");
  hlo_type lhs = hlo_check_operand_shape(c, 0)->type, rhs = hlo_check_operand_shape(c, 1)->type;
  if (!q && lhs != rhs)
    return hlo_check_fail(c, "lhs and rhs must have the same element type, got {0} and {1}");
  return check_product(c);
}
