/* gather, scatter and their dynamic forms: dimension numbers that say which dimension is which. */
#include "stablehlo/constraints/constraints.h"

/* The two have the same shape of rules: a window of the operand, dimensions of it left out, batching dimensions of
 * operand and indices, and the operand's dimensions that an index vector points into. */
typedef struct index_rules {
  const char *window, *collapsed, *batching, *indices_batching, *map, *indices;
  const char *window_unique, *window_range, *collapsed_unique, *collapsed_sorted, *collapsed_range, *batching_sorted, *batching_range,
      *indices_unique, *indices_range, *indices_vector, *sizes_equal, *dims_equal, *vector_range, *map_size, *map_unique, *map_range;
} index_rules;

static const index_rules gather_rules = {
    "offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map", "start_indices",
    "C4", "C5", "C6", "C7", "C8", "C10", "C11", "C13", "C14", "C15", "C16", "C17", "C2", "C3", "C18", "C19"};
static const index_rules scatter_rules = {
    "update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
        "scatter_indices",
    "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C22", "C19", "C20", "C21"};

typedef struct index_numbers {
  const index_rules *rules;
  hlo_check_list window, collapsed, batching, indices_batching, map;
  int64_t vector; /* index_vector_dim */
} index_numbers;

static index_numbers read_numbers(const hlo_mlir_attribute *dict, const index_rules *rules) {
  const hlo_mlir_attribute *vector = hlo_mlir_entry(dict, "index_vector_dim");
  return (index_numbers){rules,
                         hlo_check_view(hlo_mlir_entry(dict, rules->window)),
                         hlo_check_view(hlo_mlir_entry(dict, rules->collapsed)),
                         hlo_check_view(hlo_mlir_entry(dict, rules->batching)),
                         hlo_check_view(hlo_mlir_entry(dict, rules->indices_batching)),
                         hlo_check_view(hlo_mlir_entry(dict, rules->map)),
                         vector ? vector->integer : 0};
}

static bool check_operand_side(const hlo_check *c, const index_numbers *n, const hlo_shape *operand) {
  const index_rules *r = n->rules;
  return hlo_constraint_disjoint(c, r->collapsed_unique, r->collapsed, &n->collapsed, r->batching, &n->batching) &&
         hlo_check_sorted(c, r->collapsed_sorted, r->collapsed, &n->collapsed) &&
         hlo_check_range(c, r->collapsed_range, r->collapsed, &n->collapsed, operand->rank) &&
         hlo_check_sorted(c, r->batching_sorted, r->batching, &n->batching) &&
         hlo_check_range(c, r->batching_range, r->batching, &n->batching, operand->rank);
}

static bool check_indices_side(const hlo_check *c, const index_numbers *n, const hlo_shape *operand, const hlo_shape *indices) {
  const index_rules *r = n->rules;
  if (!hlo_check_unique(c, r->indices_unique, r->indices_batching, &n->indices_batching) ||
      !hlo_check_range(c, r->indices_range, r->indices_batching, &n->indices_batching, indices->rank))
    return false;
  if (hlo_check_contains(&n->indices_batching, n->vector))
    return hlo_check_fail(c, "%s: %s must not have index_vector_dim, %lld", r->indices_vector, r->indices_batching,
                          (long long)n->vector);
  if (n->batching.count != n->indices_batching.count)
    return hlo_check_fail(c, "%s: %s and %s must have the same size, got %lld and %lld", r->sizes_equal, r->batching,
                          r->indices_batching, (long long)n->batching.count, (long long)n->indices_batching.count);
  for (int64_t i = 0; i < n->batching.count; i++) {
    int p = (int)hlo_check_at(&n->batching, i), q = (int)hlo_check_at(&n->indices_batching, i);
    if (!hlo_check_dims_agree(operand, p, indices, q))
      return hlo_check_fail(c,
                            "%s: dimension %d of the operand and dimension %d of %s must have the same size, got %lld and %lld",
                            r->dims_equal, p, q, r->indices, (long long)operand->dims[p], (long long)indices->dims[q]);
  }
  return hlo_constraint_disjoint(c, r->map_unique, r->map, &n->map, r->batching, &n->batching) &&
         hlo_check_range(c, r->map_range, r->map, &n->map, operand->rank);
}

static bool check_vector(const hlo_check *c, const index_numbers *n, const hlo_shape *indices) {
  const index_rules *r = n->rules;
  if (n->vector < 0 || n->vector > indices->rank)
    return hlo_check_fail(c, "%s: index_vector_dim must be in [0, %d], got %lld", r->vector_range, indices->rank,
                          (long long)n->vector);
  int64_t size = n->vector == indices->rank ? 1 : indices->dims[n->vector];
  bool known = n->vector == indices->rank || hlo_check_is_static(indices, (int)n->vector);
  return !known || size == n->map.count ||
         hlo_check_fail(c, "%s: %s must have %lld elements, as an index vector has, got %lld", r->map_size, r->map,
                        (long long)size, (long long)n->map.count);
}

static bool check_window_dims(const hlo_check *c, const index_numbers *n, int rank) {
  const index_rules *r = n->rules;
  return hlo_check_sorted(c, r->window_unique, r->window, &n->window) && hlo_check_unique(c, r->window_unique, r->window, &n->window) &&
         hlo_check_range(c, r->window_range, r->window, &n->window, rank);
}

/* ---- gather ---- */

/* Sizes of slices, an attribute or a constant; unknown when neither. */
typedef struct slice_sizes {
  bool known;
  int64_t count;
  int64_t values[HLO_MAX_RANK];
} slice_sizes;

static bool check_slice_sizes(const hlo_check *c, const index_numbers *n, const hlo_shape *operand, const slice_sizes *sizes) {
  if (sizes->count >= 0 && sizes->count != operand->rank)
    return hlo_check_fail(c, "C20: slice_sizes must have %d elements, one for each dimension of the operand, got %lld",
                          operand->rank, (long long)sizes->count);
  if (!sizes->known) return true;
  for (int i = 0; i < operand->rank; i++) {
    int64_t size = sizes->values[i];
    if (size < 0 || (hlo_shape_dim_kind(operand, i) != HLO_DIM_UNBOUNDED && size > operand->dims[i]))
      return hlo_check_fail(c, "C21: slice_sizes must be in [0, %lld] in dimension %d, got %lld", (long long)operand->dims[i], i,
                            (long long)size);
    if (size > 1 && hlo_check_contains(&n->collapsed, i))
      return hlo_check_fail(c, "C9: slice_sizes of collapsed dimension %d must be at most 1, got %lld", i, (long long)size);
    if (size > 1 && hlo_check_contains(&n->batching, i))
      return hlo_check_fail(c, "C12: slice_sizes of batching dimension %d must be at most 1, got %lld", i, (long long)size);
  }
  return true;
}

/* gather_c22: batch dimensions from the indices, offset dimensions from the slices */
static bool check_gather_result(const hlo_check *c, const index_numbers *n, const hlo_shape *operand, const hlo_shape *indices,
                                const slice_sizes *sizes, int rank) {
  hlo_check_dims dims = {.rank = 0};
  for (int i = 0, batch = 0, offset = 0; i < rank; i++) {
    if (hlo_check_contains(&n->window, i)) {
      while (offset < operand->rank && (hlo_check_contains(&n->collapsed, offset) || hlo_check_contains(&n->batching, offset))) offset++;
      if (sizes->known && offset < operand->rank) hlo_check_push(&dims, sizes->values[offset]);
      else hlo_check_push(&dims, 0), hlo_check_set(&dims, dims.rank - 1, HLO_DIM_UNBOUNDED, 0);
      offset++;
    } else {
      if (batch == n->vector) batch++;
      if (batch < indices->rank) hlo_check_push_dim(&dims, indices, batch++);
    }
  }
  return hlo_check_result_element(c, "C23", 0, operand) && hlo_check_result_dims(c, "C22", 0, &dims);
}

static bool check_gather(const hlo_check *c, const slice_sizes *sizes) {
  const hlo_mlir_attribute *dict = hlo_mlir_find(c->op, "dimension_numbers");
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *indices = hlo_check_operand_shape(c, 1);
  if (dict->kind != HLO_MLIR_DICT) return hlo_check_fail(c, "I3: dimension_numbers must be #stablehlo.gather<...>");
  index_numbers n = read_numbers(dict, &gather_rules);
  int64_t dims = n.window.count + n.collapsed.count + n.batching.count;
  if (dims != operand->rank)
    return hlo_check_fail(c,
        "C1: offset_dims, collapsed_slice_dims and operand_batching_dims must be %d dimensions, the rank of the operand, got %lld + %lld + %lld",
        operand->rank, (long long)n.window.count, (long long)n.collapsed.count, (long long)n.batching.count);
  if (!check_vector(c, &n, indices)) return false;
  int rank = (int)n.window.count + indices->rank - (n.vector < indices->rank);
  return check_window_dims(c, &n, rank) && check_operand_side(c, &n, operand) && check_indices_side(c, &n, operand, indices) &&
         check_slice_sizes(c, &n, operand, sizes) && check_gather_result(c, &n, operand, indices, sizes, rank);
}

bool hlo_check_gather(const hlo_check *c) {
  hlo_check_list list = hlo_check_ints(c, "slice_sizes");
  slice_sizes sizes = {.known = true, .count = list.count};
  for (int64_t i = 0; i < list.count && i < HLO_MAX_RANK; i++) sizes.values[i] = hlo_check_at(&list, i);
  return check_gather(c, &sizes);
}

bool hlo_check_dynamic_gather(const hlo_check *c) {
  const hlo_shape *shape = hlo_check_operand_shape(c, 2);
  const hlo_literal *known = hlo_check_constant(c, 2);
  slice_sizes sizes = {.known = known != NULL, .count = hlo_check_is_static(shape, 0) ? shape->dims[0] : -1};
  for (int64_t i = 0; known && i < sizes.count && i < HLO_MAX_RANK; i++) sizes.values[i] = hlo_literal_get(known, i).s;
  return check_gather(c, &sizes);
}

/* result[..., indices, ...] = operand[..., index, ...] */
bool hlo_check_torch_index_select(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *index = hlo_check_operand_shape(c, 1);
  int64_t dim = hlo_check_int_or(c, "dim", 0), batch = hlo_check_int_or(c, "batch_dims", 0);
  if (dim < -operand->rank || dim >= operand->rank)
    return hlo_check_fail(c, "C1: dim must be in [0, %d), got %lld", operand->rank, (long long)dim);
  if (batch < -index->rank || batch > index->rank)
    return hlo_check_fail(c, "C2: batch_dims must be in [0, %d], got %lld", index->rank, (long long)batch);
  return hlo_check_result_element(c, "C3", 0, operand);
}

/* ---- scatter ---- */

/* scatter_c4: scatter dimensions from the indices, window dimensions within those of the input */
static bool check_update_shape(const hlo_check *c, const index_numbers *n, const hlo_shape *input, const hlo_shape *indices,
                               const hlo_shape *updates) {
  for (int i = 0, scatter = 0, window = 0; i < updates->rank; i++) {
    if (hlo_check_contains(&n->window, i)) {
      while (window < input->rank && (hlo_check_contains(&n->collapsed, window) || hlo_check_contains(&n->batching, window))) window++;
      if (window < input->rank && hlo_check_is_static(input, window) && hlo_check_is_static(updates, i) && updates->dims[i] > input->dims[window])
        return hlo_check_fail(c, "C4: window dimension %d of updates must be at most %lld, as the input has, got %lld", i,
                              (long long)input->dims[window], (long long)updates->dims[i]);
      window++;
      continue;
    }
    if (scatter == n->vector) scatter++;
    if (scatter < indices->rank && !hlo_check_dims_agree(updates, i, indices, scatter))
      return hlo_check_fail(c, "C4: scatter dimension %d of updates must be %lld, as scatter_indices has, got %lld", i,
                            (long long)indices->dims[scatter], (long long)updates->dims[i]);
    scatter++;
  }
  return true;
}

static bool check_scatter_numbers(const hlo_check *c, const index_numbers *n, const hlo_shape *input, const hlo_shape *indices,
                                  const hlo_shape *updates) {
  if (!check_vector(c, n, indices)) return false;
  int64_t dims = n->window.count + n->collapsed.count + n->batching.count;
  if (dims != input->rank)
    return hlo_check_fail(c,
        "C2: update_window_dims, inserted_window_dims and input_batching_dims must be %d dimensions, the rank of the inputs, got %lld",
        input->rank, (long long)dims);
  int64_t rank = indices->rank - (n->vector < indices->rank) + n->window.count;
  if (updates->rank != rank) return hlo_check_fail(c, "C4: updates must have rank %lld, got %d", (long long)rank, updates->rank);
  return check_window_dims(c, n, updates->rank) && check_operand_side(c, n, input) && check_indices_side(c, n, input, indices) &&
         check_update_shape(c, n, input, indices, updates);
}

/* Inputs, then indices, then updates: all tensors, inputs alike and updates alike. */
static bool check_scatter_operands(const hlo_check *c, int count, const hlo_shape **inputs, const hlo_shape **updates) {
  for (int i = 0; i < c->op->operand_count; i++)
    if (!hlo_check_operand_shape(c, i) || (hlo_check_per_axis(hlo_check_operand_shape(c, i))))
      return hlo_check_fail(c, "I1: operand %d must be a tensor, got %pT", i, hlo_check_operand(c, i));
  if (!hlo_type_is_integral(hlo_check_operand_shape(c, count)->type) || hlo_check_operand_shape(c, count)->quantization)
    return hlo_check_fail(c, "I2: scatter_indices must be integers, got %pT", hlo_check_operand(c, count));
  for (int i = 0; i < count; i++) {
    inputs[i] = hlo_check_operand_shape(c, i);
    updates[i] = hlo_check_operand_shape(c, count + 1 + i);
    if (!hlo_check_shapes_agree(inputs[0], inputs[i]))
      return hlo_check_fail(c, "C1: inputs must have the same shape, got %pD and %pD", inputs[0], inputs[i]);
    if (!hlo_check_shapes_agree(updates[0], updates[i]))
      return hlo_check_fail(c, "C3: updates must have the same shape, got %pD and %pD", updates[0], updates[i]);
  }
  return true;
}

bool hlo_check_scatter(const hlo_check *c) {
  enum { MOST = 64 };
  const hlo_shape *inputs[MOST], *updates[MOST];
  const hlo_mlir_attribute *dict = hlo_mlir_find(c->op, "scatter_dimension_numbers");
  int count = (c->op->operand_count - 1) / 2;
  if (c->op->operand_count < 3 || c->op->operand_count % 2 == 0 || count > MOST)
    return hlo_check_fail(c, "C5: takes inputs, indices and as many updates as inputs, got %d operands", c->op->operand_count);
  if (c->op->result_count != count)
    return hlo_check_fail(c, "C5: gives a result for each of %d inputs, got %d", count, c->op->result_count);
  if (dict->kind != HLO_MLIR_DICT) return hlo_check_fail(c, "I4: scatter_dimension_numbers must be #stablehlo.scatter<...>");
  if (!check_scatter_operands(c, count, inputs, updates)) return false;
  index_numbers n = read_numbers(dict, &scatter_rules);
  if (!check_scatter_numbers(c, &n, inputs[0], hlo_check_operand_shape(c, count), updates[0]) ||
      !hlo_constraint_reducer(c, "C23", 0, count, inputs, NULL, 0) || !hlo_constraint_reducer(c, "C23", 0, count, updates, NULL, 0))
    return false;
  for (int i = 0; i < count; i++) {
    hlo_check_dims dims = hlo_check_dims_of(inputs[i]);
    if (!hlo_check_result_dims(c, "C24", i, &dims) || !hlo_check_reduced_element(c, "C25", 0, i)) return false;
  }
  return true;
}
