/* Operations that take or put a part: slices, and pads, whose strides and gaps are their inverse. */
#include "base/checked.h"
#include "stablehlo/constraints/constraints.h"

bool hlo_check_slice(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_list start = hlo_check_ints(c, "start_indices"), limit = hlo_check_ints(c, "limit_indices"), strides = hlo_check_ints(c, "strides");
  hlo_check_dims dims = {.rank = 0};
  if (!hlo_check_size(c, "C2", "start_indices", &start, operand->rank) || !hlo_check_size(c, "C2", "limit_indices", &limit, operand->rank) ||
      !hlo_check_size(c, "C2", "strides", &strides, operand->rank))
    return false;
  for (int i = 0; i < operand->rank; i++) {
    int64_t from = hlo_check_at(&start, i), to = hlo_check_at(&limit, i), stride = hlo_check_at(&strides, i);
    if (from < 0) return hlo_check_fail(c, "C3: start_indices must not be negative, got %lld in dimension %d", (long long)from, i);
    if (hlo_shape_dim_kind(operand, i) != HLO_DIM_UNBOUNDED && to > operand->dims[i])
      return hlo_check_fail(c, "C3: limit_indices must be at most %lld in dimension %d, got %lld", (long long)operand->dims[i], i,
                            (long long)to);
    if (from > to)
      return hlo_check_fail(c, "C3: start_indices must not be above limit_indices, got %lld and %lld in dimension %d",
                            (long long)from, (long long)to, i);
    if (stride <= 0) return hlo_check_fail(c, "C4: strides must be positive, got %lld in dimension %d", (long long)stride, i);
    hlo_check_push(&dims, (to - from) / stride + ((to - from) % stride != 0));
  }
  return hlo_check_result_element(c, "C1", 0, operand) && hlo_check_result_dims(c, "C5", 0, &dims);
}

/* The scalars from operand `first` on: one for each dimension, all of one type. */
static bool check_start_indices(const hlo_check *c, const char *count_label, const char *type_label, int first, int rank) {
  int count = c->op->operand_count - first;
  if (count != rank)
    return hlo_check_fail(c, "%s: there must be %d start indices, one for each dimension of the operand, got %d", count_label,
                          rank, count);
  for (int i = first + 1; i < c->op->operand_count; i++)
    if (hlo_check_operand_shape(c, i)->type != hlo_check_operand_shape(c, first)->type)
      return hlo_check_fail(c, "%s: start indices must have the same type, got %pT and %pT", type_label,
                            hlo_check_operand(c, first), hlo_check_operand(c, i));
  return true;
}

bool hlo_check_dynamic_slice(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_list sizes = hlo_check_ints(c, "slice_sizes");
  hlo_check_dims dims = {.rank = 0};
  if (sizes.count != c->op->operand_count - 1)
    return hlo_check_fail(c, "C2: slice_sizes must have as many elements as there are start indices, %d, got %lld",
                          c->op->operand_count - 1, (long long)sizes.count);
  if (!check_start_indices(c, "C2", "C3", 1, operand->rank)) return false;
  for (int i = 0; i < operand->rank; i++) {
    int64_t size = hlo_check_at(&sizes, i);
    if (size < 0 || (hlo_shape_dim_kind(operand, i) != HLO_DIM_UNBOUNDED && size > operand->dims[i]))
      return hlo_check_fail(c, "C4: slice_sizes must be in [0, %lld] in dimension %d, got %lld", (long long)operand->dims[i], i,
                            (long long)size);
    hlo_check_push(&dims, size);
  }
  return hlo_check_result_element(c, "C1", 0, operand) && hlo_check_result_dims(c, "C5", 0, &dims);
}

bool hlo_check_dynamic_update_slice(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *update = hlo_check_operand_shape(c, 1);
  if (!hlo_check_elements_agree(operand, update))
    return hlo_check_fail(c, "C2: update must have the element type of the operand, got {1} and {0}");
  if (operand->rank != update->rank) return hlo_check_fail(c, "C3: update must have rank %d, got %d", operand->rank, update->rank);
  if (!check_start_indices(c, "C4", "C5", 2, operand->rank)) return false;
  for (int i = 0; i < operand->rank; i++)
    if (hlo_check_is_static(operand, i) && hlo_check_is_static(update, i) && update->dims[i] > operand->dims[i])
      return hlo_check_fail(c, "C6: dimension %d of update must be at most %lld, got %lld", i, (long long)operand->dims[i],
                            (long long)update->dims[i]);
  return hlo_check_result_like(c, "C1", 0, 0);
}

/* Operands `first` and the two after it hold a number for each dimension. */
static bool check_index_operands(const hlo_check *c, int first) {
  int rank = hlo_check_operand_shape(c, 0)->rank;
  for (int i = first; i < first + 3; i++) {
    const hlo_shape *list = hlo_check_operand_shape(c, i);
    if (hlo_check_is_static(list, 0) && list->dims[0] != rank)
      return hlo_check_fail(c, "C2: operand %d must hold %d numbers, one for each dimension of the operand, got %pT", i, rank,
                            hlo_check_operand(c, i));
    if (list->type != hlo_check_operand_shape(c, first)->type)
      return hlo_check_fail(c, "C2: operands %d and %d must have the same type", first, i);
  }
  if (hlo_check_result_shape(c, 0)->rank != rank)
    return hlo_check_fail(c, "C1: the result must have rank %d like the operand, got {r}", rank);
  return true;
}

bool hlo_check_real_dynamic_slice(const hlo_check *c) {
  return check_index_operands(c, 1) && hlo_check_result_element(c, "C1", 0, hlo_check_operand_shape(c, 0));
}

/* ---- Pads ---- */

/* The size of a padded dimension: gaps between the elements, then edges that may be negative. */
static int64_t padded(int64_t size, int64_t low, int64_t high, int64_t interior) {
  int64_t gaps, sum;
  bool fits = hlo_checked_mul(size > 1 ? size - 1 : 0, interior, &gaps) && hlo_checked_add(size, gaps, &sum) &&
              hlo_checked_add(sum, low, &sum) && hlo_checked_add(sum, high, &sum);
  return fits ? sum : -1;
}

static bool check_padding_element(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  if (!hlo_check_elements_agree(operand, hlo_check_operand_shape(c, 1)))
    return hlo_check_fail(c, "C1: padding_value must have the element type of the operand, got {1} and {0}");
  return hlo_check_result_element(c, "C1", 0, operand);
}

bool hlo_check_pad(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  hlo_check_list low = hlo_check_ints(c, "edge_padding_low"), high = hlo_check_ints(c, "edge_padding_high"),
      interior = hlo_check_ints(c, "interior_padding");
  hlo_check_dims dims = {.rank = 0};
  if (!check_padding_element(c) || !hlo_check_size(c, "C2", "edge_padding_low", &low, operand->rank) ||
      !hlo_check_size(c, "C2", "edge_padding_high", &high, operand->rank) || !hlo_check_size(c, "C2", "interior_padding", &interior, operand->rank) ||
      !hlo_check_least(c, "C3", "interior_padding", &interior, 0))
    return false;
  for (int i = 0; i < operand->rank; i++) {
    hlo_check_push_dim(&dims, operand, i);
    if (dims.kinds[i] == HLO_DIM_UNBOUNDED) continue;
    int64_t size = padded(operand->dims[i], hlo_check_at(&low, i), hlo_check_at(&high, i), hlo_check_at(&interior, i));
    if (size < 0) return hlo_check_fail(c, "C4: dimension %d would be padded to %lld", i, (long long)size);
    hlo_check_set(&dims, i, (hlo_dim_kind)dims.kinds[i], size);
  }
  return hlo_check_result_dims(c, "C4", 0, &dims);
}

/* dynamic_pad_c4, where the paddings are constants */
static bool check_dynamic_padding(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0);
  const hlo_literal *low = hlo_check_constant(c, 2), *high = hlo_check_constant(c, 3), *interior = hlo_check_constant(c, 4);
  for (int i = 0; interior && i < operand->rank; i++)
    if (hlo_literal_get(interior, i).s < 0)
      return hlo_check_fail(c, "C3: interior_padding must be at least 0, got %lld", (long long)hlo_literal_get(interior, i).s);
  if (!low || !high || !interior) return true;
  hlo_check_dims dims = {.rank = 0};
  for (int i = 0; i < operand->rank; i++) {
    hlo_check_push_dim(&dims, operand, i);
    if (dims.kinds[i] == HLO_DIM_STATIC)
      dims.sizes[i] = padded(operand->dims[i], hlo_literal_get(low, i).s, hlo_literal_get(high, i).s, hlo_literal_get(interior, i).s);
    else hlo_check_set(&dims, i, HLO_DIM_UNBOUNDED, 0);
  }
  return hlo_check_result_dims(c, "C4", 0, &dims);
}

bool hlo_check_dynamic_pad(const hlo_check *c) { return check_padding_element(c) && check_index_operands(c, 2) && check_dynamic_padding(c); }
