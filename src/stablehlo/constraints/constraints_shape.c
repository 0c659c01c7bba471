/* Operations that move whole dimensions: broadcasts, reshape, transpose, concatenate, iota, sizes. */
#include <string.h>

#include "base/checked.h"
#include "stablehlo/constraints/constraints.h"

/* ---- The elements of what is only moved ---- */

static bool same_scales(const hlo_quantization *p, const hlo_quantization *q) {
  if (p->count != q->count) return false;
  for (int64_t i = 0; i < p->count; i++)
    if (p->scales[i] != q->scales[i] || p->zero_points[i] != q->zero_points[i]) return false;
  return true;
}

/* c1 of reshape, transpose, broadcast_in_dim: the same element type; per axis, the dimension may change. */
static bool check_moved_element(const hlo_check *c, const hlo_shape *operand, const hlo_shape *result, bool same_count) {
  const hlo_quantization *p = operand->quantization, *q = result->quantization;
  if (!hlo_check_elements_agree(operand, result) || hlo_check_operand(c, 0)->is_index != hlo_check_result(c, 0)->is_index)
    return hlo_check_fail(c, "C1: operand and result must have the same element type, got {0} and {r}");
  if (!p) return true;
  if ((p->dimension >= 0) != (q->dimension >= 0))
    return hlo_check_fail(c, "C1: operand and result must both be quantized per axis, or neither");
  if ((p->dimension < 0 || same_count) && !same_scales(p, q))
    return hlo_check_fail(c, "C1: operand and result must have the same scales and zero points, got {0} and {r}");
  return true;
}

/* ---- Broadcasts ---- */

bool hlo_check_broadcast(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_list sizes = hlo_check_ints(c, "broadcast_sizes");
  hlo_check_dims dims = {.rank = 0};
  if (!hlo_check_least(c, "C1", "broadcast_sizes", &sizes, 0)) return false;
  for (int64_t i = 0; i < sizes.count; i++) hlo_check_push(&dims, hlo_check_at(&sizes, i));
  for (int i = 0; i < operand->rank; i++) hlo_check_push_dim(&dims, operand, i);
  return hlo_check_result_element(c, "C1", 0, operand) && hlo_check_result_dims(c, "C2", 0, &dims);
}

/* broadcast_in_dim_c6: scales that go to a dimension of their own, or are repeated along it */
static bool check_broadcast_quantization(const hlo_check *c, const hlo_check_list *dimensions) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  if (!hlo_check_per_axis(operand)) return true;
  const hlo_quantization *p = operand->quantization, *q = result->quantization;
  int64_t to = hlo_check_at(dimensions, p->dimension);
  if (to != q->dimension)
    return hlo_check_fail(c,
                          "C6: the result must be quantized along dimension %lld, where dimension %d of the operand goes, got %d",
                          (long long)to, p->dimension, q->dimension);
  bool repeated = hlo_check_is_static(operand, p->dimension) && operand->dims[p->dimension] == 1;
  for (int64_t i = 0; i < q->count; i++) {
    int64_t from = repeated ? 0 : i;
    if (from < p->count && q->scales[i] == p->scales[from] && q->zero_points[i] == p->zero_points[from]) continue;
    return hlo_check_fail(c, "C6: scale and zero point %lld of the result must be those of the operand, got %g:%lld",
                          (long long)i, q->scales[i], (long long)q->zero_points[i]);
  }
  return true;
}

/* broadcast_in_dim_c1 to c6, shared by the dynamic form */
static bool check_broadcast_in_dim(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  hlo_check_list dimensions = hlo_check_ints(c, "broadcast_dimensions");
  if (!check_moved_element(c, operand, result, false) || !hlo_check_size(c, "C2", "broadcast_dimensions", &dimensions, operand->rank) ||
      !hlo_check_range(c, "C3", "broadcast_dimensions", &dimensions, result->rank) || !hlo_check_unique(c, "C4", "broadcast_dimensions", &dimensions))
    return false;
  for (int i = 0; i < operand->rank; i++) {
    int to = (int)hlo_check_at(&dimensions, i);
    bool one = hlo_check_is_static(operand, i) && operand->dims[i] == 1;
    if (!one && !hlo_check_dims_agree(operand, i, result, to))
      return hlo_check_fail(c, "C5: dimension %d of the operand, %lld, must be 1 or dimension %d of the result, %lld", i,
                            (long long)operand->dims[i], to, (long long)result->dims[to]);
  }
  return check_broadcast_quantization(c, &dimensions);
}

bool hlo_check_broadcast_in_dim(const hlo_check *c) {
  if (hlo_shape_has_unbounded(hlo_check_result_shape(c, 0)))
    return hlo_check_fail(c, "O1: the result must have static or bounded dimensions, got {r}");
  return check_broadcast_in_dim(c);
}

/* An operand that holds a shape: as many sizes as the result has dimensions, and those sizes where they are known. */
static bool check_shape_operand(const hlo_check *c, const char *label, int operand) {
  const hlo_shape *sizes = hlo_check_operand_shape(c, operand), *result = hlo_check_result_shape(c, 0);
  const hlo_literal *known = hlo_check_constant(c, operand);
  if (hlo_check_is_static(sizes, 0) && sizes->dims[0] != result->rank)
    return hlo_check_fail(c, "%s: operand %d must hold %d sizes, one for each dimension of the result, got %pT", label, operand,
                          result->rank, hlo_check_operand(c, operand));
  for (int i = 0; known && i < result->rank; i++) {
    int64_t size = hlo_literal_get(known, i).s;
    hlo_shape dim = {.type = HLO_TYPE_F32, .rank = 1, .dims = &size};
    if (!hlo_check_dims_agree(&dim, 0, result, i))
      return hlo_check_fail(c, "%s: dimension %d of the result must be %lld, as operand %d says, got {r}", label, i,
                            (long long)size, operand);
  }
  return true;
}

/* dynamic_broadcast_in_dim_c5, where output_dimensions is a constant */
static bool check_known_broadcast(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  const hlo_literal *sizes = hlo_check_constant(c, 1);
  hlo_check_list dimensions = hlo_check_ints(c, "broadcast_dimensions");
  for (int i = 0; sizes && i < operand->rank; i++) {
    int64_t to = hlo_check_at(&dimensions, i), size = hlo_literal_get(sizes, to).s;
    if (hlo_check_is_static(operand, i) && operand->dims[i] != 1 && operand->dims[i] != size)
      return hlo_check_fail(c, "C5: dimension %d of the operand, %lld, must be 1 or size %lld of output_dimensions, %lld", i,
                            (long long)operand->dims[i], (long long)to, (long long)size);
  }
  return true;
}

bool hlo_check_dynamic_broadcast_in_dim(const hlo_check *c) {
  hlo_check_list expanding = hlo_check_ints(c, "known_expanding_dimensions"), kept = hlo_check_ints(c, "known_nonexpanding_dimensions");
  int rank = hlo_check_operand_shape(c, 0)->rank;
  return check_broadcast_in_dim(c) && check_shape_operand(c, "C7", 1) && check_known_broadcast(c) &&
         hlo_constraint_disjoint(c, "C8", "known_expanding_dimensions", &expanding, "known_nonexpanding_dimensions", &kept) &&
         hlo_check_range(c, "C9", "known_expanding_dimensions", &expanding, rank) &&
         hlo_check_range(c, "C10", "known_nonexpanding_dimensions", &kept, rank);
}

/* ---- Reshape ---- */

/* Of the first dimensions. */
static bool known_product(const hlo_shape *shape, int end, int64_t *count) {
  *count = 1;
  for (int i = 0; i < end; i++) {
    if (!hlo_check_is_static(shape, i)) return false;
    if (!hlo_checked_mul(*count, shape->dims[i], count)) return false;
  }
  return true;
}

static bool known_count(const hlo_shape *shape, int64_t *count) { return known_product(shape, shape->rank, count); }

/* reshape_c3: what comes before the quantized dimension stays before it */
static bool check_reshape_quantization(const hlo_check *c, const hlo_shape *operand, const hlo_shape *result) {
  if (!hlo_check_per_axis(operand)) return true;
  int p = operand->quantization->dimension, q = result->quantization->dimension;
  if (!hlo_check_dims_agree(operand, p, result, q))
    return hlo_check_fail(c, "C3: the quantized dimension must keep its size, got %lld and %lld", (long long)operand->dims[p],
                          (long long)result->dims[q]);
  int64_t before = 1, after = 1;
  bool known = known_product(operand, p, &before) && known_product(result, q, &after);
  if (known && before != after)
    return hlo_check_fail(c, "C3: the dimensions before the quantized one must have the same product, got %lld and %lld",
                          (long long)before, (long long)after);
  if (!same_scales(operand->quantization, result->quantization))
    return hlo_check_fail(c, "C1: operand and result must have the same scales and zero points");
  return true;
}

static bool check_reshape(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  int64_t from, to;
  bool known = known_count(operand, &from) && known_count(result, &to);
  if (!check_moved_element(c, operand, result, false) || !check_reshape_quantization(c, operand, result)) return false;
  if (known && from != to)
    return hlo_check_fail(c, "C2: operand and result must have the same number of elements, got %lld and %lld", (long long)from,
                          (long long)to);
  return true;
}

bool hlo_check_reshape(const hlo_check *c) {
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  int bounded = 0;
  for (int i = 0; i < result->rank; i++) bounded += hlo_shape_dim_kind(result, i) == HLO_DIM_BOUNDED;
  if (hlo_shape_has_unbounded(result) || bounded > 1)
    return hlo_check_fail(c, "O1: the result must have a static shape or a single bounded dimension, got {r}");
  return check_reshape(c);
}

bool hlo_check_dynamic_reshape(const hlo_check *c) {
  const hlo_literal *sizes = hlo_check_constant(c, 1);
  int64_t from, to = 1;
  if (!check_reshape(c) || !check_shape_operand(c, "C4", 1)) return false;
  if (!sizes || !known_count(hlo_check_operand_shape(c, 0), &from)) return true;
  for (int64_t i = 0; i < hlo_shape_element_count(sizes->shape); i++) {
    int64_t size = hlo_literal_get(sizes, i).s;
    if (size < 0) return true; /* -1 stands for what is left, as TensorFlow writes it */
    if (!hlo_checked_mul(to, size, &to)) to = -1;
  }
  return from == to ||
      hlo_check_fail(c, "C2: the operand has %lld elements, but output_shape says %lld", (long long)from, (long long)to);
}

/* ---- Transpose, reverse, concatenate ---- */

bool hlo_check_transpose(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  hlo_check_list permutation = hlo_check_ints(c, "permutation");
  hlo_check_dims dims = {.rank = 0};
  if (!check_moved_element(c, operand, result, true) || !hlo_check_size(c, "C2", "permutation", &permutation, operand->rank) ||
      !hlo_check_range(c, "C2", "permutation", &permutation, operand->rank) || !hlo_check_unique(c, "C2", "permutation", &permutation))
    return false;
  for (int i = 0; i < operand->rank; i++) hlo_check_push_dim(&dims, operand, (int)hlo_check_at(&permutation, i));
  if (!hlo_check_result_dims(c, "C3", 0, &dims)) return false;
  if (hlo_check_per_axis(operand) && hlo_check_at(&permutation, result->quantization->dimension) != operand->quantization->dimension)
    return hlo_check_fail(c,
                          "C4: the result must be quantized along the dimension that dimension %d of the operand becomes, got %d",
                          operand->quantization->dimension, result->quantization->dimension);
  return true;
}

bool hlo_check_reverse(const hlo_check *c) {
  hlo_check_list dimensions = hlo_check_ints(c, "dimensions");
  return hlo_check_unique(c, "C2", "dimensions", &dimensions) && hlo_check_range(c, "C3", "dimensions", &dimensions,
                                                                                 hlo_check_operand_shape(c, 0)->rank);
}

/* concatenate_c2: the sizes elsewhere, and concatenate_c6: the sum here */
static bool check_concatenated(const hlo_check *c, int dimension) {
  const hlo_shape *first = hlo_check_operand_shape(c, 0);
  hlo_check_dims dims = hlo_check_dims_of(first);
  for (int k = 1; k < c->op->operand_count; k++) {
    const hlo_shape *other = hlo_check_operand_shape(c, k);
    if (other->rank != first->rank)
      return hlo_check_fail(c, "C2: operand %d must have rank %d like operand 0, got %pT", k, first->rank,
                            hlo_check_operand(c, k));
    for (int i = 0; i < first->rank; i++) {
      if (i != dimension && !hlo_check_dims_agree(first, i, other, i))
        return hlo_check_fail(c, "C2: operands 0 and %d must agree outside dimension %d, got %pD and %pD", k, dimension, first,
                              other);
      hlo_dim_kind kind = hlo_shape_dim_kind(other, i), had = (hlo_dim_kind)dims.kinds[i];
      int64_t sum = 0;
      bool known = kind != HLO_DIM_UNBOUNDED && had != HLO_DIM_UNBOUNDED && hlo_checked_add(dims.sizes[i], other->dims[i], &sum);
      if (i == dimension) hlo_check_set(&dims, i, !known ? HLO_DIM_UNBOUNDED : kind > had ? kind : had, sum);
      else if (had == HLO_DIM_UNBOUNDED) hlo_check_set(&dims, i, kind, other->dims[i]);
    }
  }
  return hlo_check_result_dims(c, "C6", 0, &dims);
}

bool hlo_check_concatenate(const hlo_check *c) {
  if (!c->op->operand_count) return hlo_check_fail(c, "C3: takes at least one operand");
  const hlo_shape *first = hlo_check_operand_shape(c, 0);
  int64_t dimension = hlo_check_int_or(c, "dimension", 0);
  for (int i = 1; i < c->op->operand_count; i++)
    if (!hlo_check_elements_agree(first, hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "C1: operands must have the same element type, got {0} and %pT", hlo_check_operand(c, i));
  if (first->rank == 0) return hlo_check_fail(c, "C4: scalars cannot be concatenated");
  if (dimension >= first->rank)
    return hlo_check_fail(c, "C4: dimension must be in [0, %d), got %lld", first->rank, (long long)dimension);
  return hlo_check_result_element(c, "C5", 0, first) && check_concatenated(c, (int)dimension);
}

/* ---- Iota and sizes ---- */

bool hlo_check_iota(const hlo_check *c) {
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  int64_t dimension = hlo_check_int_or(c, "iota_dimension", 0);
  if (hlo_shape_has_unbounded(result)) return hlo_check_fail(c, "O1: the result must have a static shape, got {r}");
  if (result->rank == 0) return hlo_check_fail(c, "C1: a scalar has no dimension to count along");
  return dimension < result->rank ||
      hlo_check_fail(c, "C1: iota_dimension must be in [0, %d), got %lld", result->rank, (long long)dimension);
}

bool hlo_check_dynamic_iota(const hlo_check *c) {
  const hlo_shape *result = hlo_check_result_shape(c, 0);
  int64_t dimension = hlo_check_int_or(c, "iota_dimension", 0);
  if (dimension >= result->rank)
    return hlo_check_fail(c, "C1: iota_dimension must be in [0, %d), got %lld", result->rank, (long long)dimension);
  return check_shape_operand(c, "C2", 0);
}

static bool check_dimension(const hlo_check *c) {
  int64_t dimension = hlo_check_int_or(c, "dimension", 0);
  int rank = hlo_check_operand_shape(c, 0)->rank;
  return dimension < rank || hlo_check_fail(c, "C1: dimension must be in [0, %d), got %lld", rank, (long long)dimension);
}

bool hlo_check_get_dimension_size(const hlo_check *c) { return check_dimension(c); }

bool hlo_check_set_dimension_size(const hlo_check *c) {
  if (hlo_check_operand_shape(c, 1)->rank != 0)
    return hlo_check_fail(c, "I2: size must be a scalar, got {1}");
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_dims dims = hlo_check_dims_of(operand);
  if (!check_dimension(c)) return false;
  int dimension = (int)hlo_check_int_or(c, "dimension", 0);
  if (hlo_check_is_static(operand, dimension)) hlo_check_set(&dims, dimension, HLO_DIM_BOUNDED, operand->dims[dimension]);
  return hlo_check_result_element(c, "C2", 0, operand) && hlo_check_result_dims(c, "C3", 0, &dims);
}
