/* Operations that apply a function over elements: reduce, reduce_window, select_and_scatter, sort, map, and chlo.scan. */
#include "stablehlo/constraints/constraints.h"

enum { MOST = 64 }; /* operands of one reduction */

/* ---- Inputs and as many initial values ---- */

static bool split_operands(const hlo_check *c, int *count, const hlo_shape **inputs, const hlo_shape **inits) {
  *count = c->op->operand_count / 2;
  if (c->op->operand_count < 2 || c->op->operand_count % 2 || *count > MOST)
    return hlo_check_fail(c, "C3: takes inputs and as many initial values, got %d operands", c->op->operand_count);
  if (c->op->result_count != *count)
    return hlo_check_fail(c, "C3: gives a result for each of %d inputs, got %d", *count, c->op->result_count);
  for (int i = 0; i < *count; i++) {
    inputs[i] = hlo_check_operand_shape(c, i);
    inits[i] = hlo_check_operand_shape(c, *count + i);
    if (!hlo_check_shapes_agree(inputs[0], inputs[i]))
      return hlo_check_fail(c, "C1: inputs must have the same shape, got %pD and %pD", inputs[0], inputs[i]);
  }
  return true;
}

/* Sizes that are known in any of the inputs. */
static hlo_check_dims merged_dims(int count, const hlo_shape *const *inputs) {
  hlo_check_dims dims = hlo_check_dims_of(inputs[0]);
  for (int k = 1; k < count; k++)
    for (int i = 0; i < dims.rank; i++)
      if (dims.kinds[i] == HLO_DIM_UNBOUNDED) hlo_check_set(&dims, i, hlo_shape_dim_kind(inputs[k], i), inputs[k]->dims[i]);
  return dims;
}

bool hlo_check_reduce(const hlo_check *c) {
  const hlo_shape *inputs[MOST], *inits[MOST];
  int count;
  hlo_check_list dimensions = hlo_check_ints(c, "dimensions");
  if (!split_operands(c, &count, inputs, inits) || !hlo_check_range(c, "C4", "dimensions", &dimensions, inputs[0]->rank) ||
      !hlo_check_unique(c, "C5", "dimensions", &dimensions))
    return false;
  hlo_check_dims all = merged_dims(count, inputs), kept = {.rank = 0};
  hlo_shape merged = {.type = HLO_TYPE_F32, .rank = all.rank, .dims = all.sizes, .dim_kinds = all.kinds};
  for (int i = 0; i < all.rank; i++)
    if (!hlo_check_contains(&dimensions, i)) hlo_check_push_dim(&kept, &merged, i);
  if (!hlo_constraint_reducer(c, "C6", 0, count, inputs, inits, kept.rank)) return false;
  for (int i = 0; i < count; i++)
    if (!hlo_check_result_dims(c, "C7", i, &kept) || !hlo_check_reduced_element(c, "C8", 0, i)) return false;
  return true;
}

bool hlo_check_reduce_window(const hlo_check *c) {
  const hlo_shape *inputs[MOST], *inits[MOST];
  int count;
  if (!split_operands(c, &count, inputs, inits)) return false;
  hlo_check_window w = {.sizes = hlo_check_ints(c, "window_dimensions"), .strides = hlo_check_ints(c, "window_strides"),
                        .base_dilations = hlo_check_ints(c, "base_dilations"), .dilations = hlo_check_ints(c, "window_dilations"),
                        .padding = hlo_check_ints(c, "padding"), .rank = inputs[0]->rank, .size_label = "C4", .stride_label = "C6",
                        .base_label = "C8", .dilation_label = "C10", .padding_label = "C12"};
  if (!hlo_check_window_valid(c, &w) || !hlo_constraint_reducer(c, "C13", 0, count, inputs, inits, inputs[0]->rank)) return false;
  hlo_check_dims all = merged_dims(count, inputs), dims = {.rank = 0};
  hlo_shape merged = {.type = HLO_TYPE_F32, .rank = all.rank, .dims = all.sizes, .dim_kinds = all.kinds};
  for (int i = 0; i < all.rank; i++) hlo_check_window_push(&dims, &w, &merged, i, i, hlo_check_at(&w.sizes, i));
  for (int i = 0; i < count; i++)
    if (!hlo_check_result_dims(c, "C15", i, &dims) || !hlo_check_reduced_element(c, "C16", 0, i)) return false;
  return true;
}

/* ---- select_and_scatter ---- */

static bool is_scalar_of(const hlo_mlir_type *type, const hlo_shape *like) {
  const hlo_shape *shape = hlo_check_tensor(type);
  return shape && shape->rank == 0 && hlo_check_elements_agree(shape, like);
}

static bool is_scalar_pred(const hlo_mlir_type *type) {
  const hlo_shape *shape = hlo_check_tensor(type);
  return shape && shape->rank == 0 && shape->type == HLO_TYPE_PRED;
}

/* select_and_scatter_c9 */
static bool check_selector(const hlo_check *c, const hlo_shape *operand) {
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  if (block->argument_count != 2) return hlo_check_fail(c, "C9: select must take 2 parameters, got %d", block->argument_count);
  for (int i = 0; i < 2; i++)
    if (!is_scalar_of(hlo_check_argument(c, block, i), operand))
      return hlo_check_fail(c, "C9: parameter %d of select must be a scalar with the elements of the operand, got %pT", i,
                            hlo_check_argument(c, block, i));
  if (!end || end->operand_count != 1)
    return hlo_check_fail(c, "C9: select must return one value, got %d", end ? end->operand_count : 0);
  const hlo_mlir_type *returned = hlo_mlir_operand_type(c->tree, end, 0);
  return is_scalar_pred(returned) || hlo_check_fail(c, "C9: select must return tensor<i1>, got %pT", returned);
}

bool hlo_check_select_and_scatter(const hlo_check *c) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *source = hlo_check_operand_shape(c, 1), *init = hlo_check_operand_shape(c, 2);
  hlo_check_window w = {.sizes = hlo_check_ints(c, "window_dimensions"), .strides = hlo_check_ints(c, "window_strides"),
                        .padding = hlo_check_ints(c, "padding"), .rank = operand->rank, .size_label = "C4", .stride_label = "C6",
                            .padding_label = "C8"};
  hlo_check_dims windows = {.rank = 0}, dims = hlo_check_dims_of(operand);
  if (!hlo_check_elements_agree(operand, source))
    return hlo_check_fail(c, "C1: operand and source must have the same element type, got {0} and {1}");
  if (!hlo_check_size(c, "C4", "window_dimensions", &w.sizes, operand->rank) || !hlo_check_window_valid(c, &w) || !check_selector(c, operand) ||
      !hlo_constraint_reducer(c, "C10", 1, 1, &source, &init, 0)) return false;
  for (int i = 0; i < operand->rank; i++) hlo_check_window_push(&windows, &w, operand, i, i, hlo_check_at(&w.sizes, i));
  hlo_shape wanted = {.type = source->type, .rank = windows.rank, .dims = windows.sizes, .dim_kinds = windows.kinds};
  if (!hlo_check_shapes_agree(&wanted, source))
    return hlo_check_fail(c, "C2: source must have dimensions %pD, an element for each window, got %pD", &wanted, source);
  return hlo_check_result_dims(c, "C11", 0, &dims) && hlo_check_reduced_element(c, "C12", 1, 0);
}

/* ---- sort, map ---- */

bool hlo_check_sort(const hlo_check *c) {
  int count = c->op->operand_count;
  if (!count) return hlo_check_fail(c, "C1: takes at least one operand");
  const hlo_shape *first = hlo_check_operand_shape(c, 0);
  int64_t dimension = hlo_check_int_or(c, "dimension", -1);
  if (c->op->result_count != count)
    return hlo_check_fail(c, "C2: gives a result for each of %d operands, got %d", count, c->op->result_count);
  for (int i = 0; i < count; i++)
    if (!hlo_check_shapes_agree(first, hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "C3: operands must have the same shape, got %pD and %pD", first, hlo_check_operand_shape(c, i));
  for (int i = 0; i < count; i++)
    if (!hlo_check_result_like(c, "C2", i, i)) return false;
  if (dimension < -first->rank || dimension >= first->rank)
    return hlo_check_fail(c, "C4: dimension must be in [%d, %d), got %lld", -first->rank, first->rank, (long long)dimension);
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  if (block->argument_count != 2 * count)
    return hlo_check_fail(c, "C5: comparator must take %d parameters, got %d", 2 * count, block->argument_count);
  for (int i = 0; i < 2 * count; i++)
    if (!is_scalar_of(hlo_check_argument(c, block, i), hlo_check_operand_shape(c, i / 2)))
      return hlo_check_fail(c, "C5: parameter %d of comparator must be a scalar with the elements of operand %d, got %pT", i,
                            i / 2, hlo_check_argument(c, block, i));
  if (!end || end->operand_count != 1)
    return hlo_check_fail(c, "C5: comparator must return one value, got %d", end ? end->operand_count : 0);
  const hlo_mlir_type *returned = hlo_mlir_operand_type(c->tree, end, 0);
  return is_scalar_pred(returned) || hlo_check_fail(c, "C5: comparator must return tensor<i1>, got %pT", returned);
}

/* map_c4: a function of scalars */
static bool check_mapped(const hlo_check *c, const hlo_shape **returned) {
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  if (block->argument_count != c->op->operand_count)
    return hlo_check_fail(c, "C4: computation must take %d parameters, one for each operand, got %d", c->op->operand_count,
                          block->argument_count);
  for (int i = 0; i < c->op->operand_count; i++)
    if (!is_scalar_of(hlo_check_argument(c, block, i), hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "C4: parameter %d of computation must be a scalar with the elements of operand %d, got %pT", i, i,
                            hlo_check_argument(c, block, i));
  if (!end || end->operand_count != 1)
    return hlo_check_fail(c, "C4: computation must return one value, got %d", end ? end->operand_count : 0);
  *returned = hlo_check_tensor(hlo_mlir_operand_type(c->tree, end, 0));
  if (*returned && (*returned)->rank == 0) return true;
  return hlo_check_fail(c, "C4: computation must return a scalar, got %pT", hlo_mlir_operand_type(c->tree, end, 0));
}

bool hlo_check_map(const hlo_check *c) {
  const hlo_shape *returned;
  if (!c->op->operand_count) return hlo_check_fail(c, "C2: takes at least one operand");
  const hlo_shape *first = hlo_check_operand_shape(c, 0);
  hlo_check_list dimensions = hlo_check_ints(c, "dimensions");
  for (int i = 1; i < c->op->operand_count; i++)
    if (!hlo_check_shapes_agree(first, hlo_check_operand_shape(c, i)))
      return hlo_check_fail(c, "C1: operands must have the same shape, got %pD and %pD", first, hlo_check_operand_shape(c, i));
  bool all = dimensions.count == first->rank;
  for (int64_t i = 0; all && i < dimensions.count; i++) all = hlo_check_at(&dimensions, i) == i;
  if (!all) return hlo_check_fail(c, "C3: dimensions must be all %d dimensions in order, got %pL", first->rank, &dimensions);
  hlo_check_dims dims = hlo_check_dims_of(first);
  return check_mapped(c, &returned) && hlo_check_result_dims(c, "C1", 0, &dims) && hlo_check_result_element(c, "C4", 0, returned);
}

/* ---- chlo.scan: inputs sliced along a dimension, then carries ---- */

static hlo_check_dims without(const hlo_shape *shape, int64_t dimension) {
  hlo_check_dims dims = {.rank = 0};
  for (int i = 0; i < shape->rank; i++)
    if (i != dimension) hlo_check_push_dim(&dims, shape, i);
  return dims;
}

/* Result i is what the body returns, stacked along the dimension. */
static bool check_scanned(const hlo_check *c, int i, const hlo_mlir_type *returned, int64_t dimension, int inputs) {
  const hlo_shape *result = hlo_check_result_shape(c, i), *part = hlo_check_tensor(returned);
  if (dimension < 0 || dimension >= result->rank)
    return hlo_check_fail(c, "C2: dimension must be in [0, %d), the rank of result %d, got %lld", result->rank, i,
                          (long long)dimension);
  if (inputs && !hlo_check_dims_agree(hlo_check_operand_shape(c, 0), (int)dimension, result, (int)dimension))
    return hlo_check_fail(c, "C6: result %d must have the inputs' size in dimension %lld, got %pT", i, (long long)dimension,
                          hlo_check_result(c, i));
  hlo_check_dims dims = without(result, dimension);
  hlo_shape wanted = {.type = result->type, .quantization = result->quantization, .rank = dims.rank, .dims = dims.sizes, .dim_kinds = dims.kinds};
  if (part && hlo_check_elements_agree(part, &wanted) && hlo_check_shapes_agree(part, &wanted)) return true;
  return hlo_check_fail(c, "C4: the body must return %pS for result %d, got %pT", &wanted, i, returned);
}

static int scan_inputs(const hlo_check *c) {
  hlo_check_list segments = hlo_check_ints(c, "operandSegmentSizes");
  if (segments.count == 2) return (int)hlo_check_at(&segments, 0);
  return (int)hlo_check_int_or(c, "num_inputs", 0);
}

/* Inputs and what is carried, together all of them. */
static bool segments_fit(const hlo_check *c, const char *name, int count) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  hlo_check_list sizes = hlo_check_view(a);
  if (!a) return true;
  return a->kind == HLO_MLIR_DENSE && sizes.count == 2 && hlo_check_at(&sizes, 0) >= 0 && hlo_check_at(&sizes, 1) >= 0 &&
         hlo_check_at(&sizes, 0) + hlo_check_at(&sizes, 1) == count;
}

bool hlo_check_scan(const hlo_check *c) {
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  int inputs = scan_inputs(c), count = c->op->operand_count;
  int64_t dimension = hlo_check_int_or(c, "dimension", 0);
  if (inputs < 0 || !segments_fit(c, "operandSegmentSizes", count) || !segments_fit(c, "resultSegmentSizes", c->op->result_count))
    return hlo_check_fail(c, "I: operandSegmentSizes and resultSegmentSizes must count the operands and the results");
  if (block->argument_count != count)
    return hlo_check_fail(c, "C1: the body must take %d parameters, one for each operand, got %d", count, block->argument_count);
  for (int i = 0; i < count; i++) {
    const hlo_shape *operand = hlo_check_operand_shape(c, i), *argument = hlo_check_tensor(hlo_check_argument(c, block, i));
    if (i < inputs && (dimension < 0 || dimension >= operand->rank))
      return hlo_check_fail(c, "C2: dimension must be in [0, %d), the rank of operand %d, got %lld", operand->rank, i,
                            (long long)dimension);
    if (i < inputs && !hlo_check_dims_agree(hlo_check_operand_shape(c, 0), (int)dimension, operand, (int)dimension))
      return hlo_check_fail(c, "C2: operands 0 and %d must have the same size in dimension %lld", i, (long long)dimension);
    hlo_check_dims dims = i < inputs ? without(operand, dimension) : hlo_check_dims_of(operand);
    hlo_shape wanted = {.type = operand->type, .quantization = operand->quantization, .rank = dims.rank, .dims = dims.sizes, .dim_kinds = dims.kinds};
    if (!argument || !hlo_check_elements_agree(argument, &wanted) || !hlo_check_shapes_agree(argument, &wanted))
      return hlo_check_fail(c, "C3: parameter %d of the body must be %pS, as operand %d asks, got %pT", i, &wanted, i,
                            hlo_check_argument(c, block, i));
  }
  if (!end || end->operand_count != c->op->result_count)
    return hlo_check_fail(c, "C4: the body must return %d values, one for each result, got %d", c->op->result_count,
                          end ? end->operand_count : 0);
  int carries = count - inputs, outputs = c->op->result_count - carries;
  for (int i = 0; i < outputs; i++)
    if (!check_scanned(c, i, hlo_mlir_operand_type(c->tree, end, i), dimension, inputs)) return false;
  for (int i = 0; i < carries; i++)
    if (outputs < 0 || !hlo_check_types_agree(hlo_mlir_operand_type(c->tree, end, outputs + i), hlo_check_operand(c, inputs + i)))
      return hlo_check_fail(c, "C5: the body must return carry %d as it takes it, %pT", i, hlo_check_operand(c, inputs + i));
  return true;
}
