/* Gather, scatter, dot, convolution, and the rest of the ops with attributes of their own. */
#include <string.h>

#include "stablehlo/lower/lower.h"

static bool finish(const hlo_lower_call *c, const int *operands, int count, const hlo_lower_attributes *list) {
  const hlo_shape *declared = c->op->result_count == 1 ? hlo_lower_result_shape(c, 0) : NULL;
  return operands && hlo_lower_results(c, hlo_lower_emit(c, c->opcode, declared, operands, count, list->items, list->count));
}

/* Entries of a dimension-numbers dictionary that are lists; missing ones are empty. */
typedef struct list_entry {
  const char *name;
  hlo_attribute_id id;
} list_entry;

static bool push_entries(const hlo_lower_call *c, const hlo_mlir_attribute *dict, const list_entry *entries, int count, hlo_lower_attributes *list) {
  for (int i = 0; i < count; i++) {
    const hlo_mlir_attribute *entry = hlo_mlir_entry(dict, entries[i].name);
    hlo_ints values = {NULL, 0};
    if (entry && !hlo_lower_read_ints(c, entry, entries[i].name, &values)) return false;
    hlo_lower_push_ints(list, entries[i].id, values);
  }
  return true;
}

static const hlo_mlir_attribute *dictionary(const hlo_lower_call *c, const char *name) {
  const hlo_mlir_attribute *dict = hlo_mlir_find(c->op, name);
  if (dict && dict->kind == HLO_MLIR_DICT) return dict;
  hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  return NULL;
}

static int64_t entry_int(const hlo_mlir_attribute *dict, const char *name) {
  const hlo_mlir_attribute *entry = hlo_mlir_entry(dict, name);
  return entry ? entry->integer : 0;
}

bool hlo_lower_gather_sized(const hlo_lower_call *c, hlo_ints sizes) {
  static const list_entry entries[] = {{"offset_dims", HLO_ATTR_offset_dims},
                                       {"collapsed_slice_dims", HLO_ATTR_collapsed_slice_dims},
                                       {"start_index_map", HLO_ATTR_start_index_map},
                                       {"operand_batching_dims", HLO_ATTR_operand_batching_dims},
                                       {"start_indices_batching_dims", HLO_ATTR_start_indices_batching_dims}};
  const hlo_mlir_attribute *dict = dictionary(c, "dimension_numbers");
  hlo_lower_attributes list = {.count = 0};
  if (!dict || !push_entries(c, dict, entries, 5, &list)) return false;
  hlo_lower_push_int(&list, HLO_ATTR_index_vector_dim, entry_int(dict, "index_vector_dim"));
  hlo_lower_push_ints(&list, HLO_ATTR_slice_sizes, sizes);
  hlo_lower_push_bool(&list, HLO_ATTR_indices_are_sorted, hlo_lower_flag(c, "indices_are_sorted", false));
  return finish(c, hlo_lower_operands(c, 0, 2), 2, &list);
}

bool hlo_lower_gather(const hlo_lower_call *c) {
  hlo_ints sizes;
  return hlo_lower_list(c, "slice_sizes", -1, 0, &sizes) && hlo_lower_gather_sized(c, sizes);
}

bool hlo_lower_scatter(const hlo_lower_call *c) {
  static const list_entry entries[] = {{"update_window_dims", HLO_ATTR_update_window_dims},
                                       {"inserted_window_dims", HLO_ATTR_inserted_window_dims},
                                       {"scatter_dims_to_operand_dims", HLO_ATTR_scatter_dims_to_operand_dims},
                                       {"input_batching_dims", HLO_ATTR_input_batching_dims},
                                       {"scatter_indices_batching_dims", HLO_ATTR_scatter_indices_batching_dims}};
  const hlo_mlir_attribute *dict = dictionary(c, "scatter_dimension_numbers");
  hlo_lower_attributes list = {.count = 0};
  if (!dict || !push_entries(c, dict, entries, 5, &list)) return false;
  if (c->op->region_count != 1) return hlo_lower_fail(c, HLO_SHAPE, "requires one region");
  int computation = hlo_lower_applied(c, &c->op->regions[0]);
  if (computation < 0) return false;
  hlo_lower_push_int(&list, HLO_ATTR_index_vector_dim, entry_int(dict, "index_vector_dim"));
  hlo_lower_push_bool(&list, HLO_ATTR_indices_are_sorted, hlo_lower_flag(c, "indices_are_sorted", false));
  hlo_lower_push_bool(&list, HLO_ATTR_unique_indices, hlo_lower_flag(c, "unique_indices", false));
  hlo_lower_push_computation(&list, HLO_ATTR_to_apply, computation);
  return finish(c, hlo_lower_operands(c, 0, c->op->operand_count), c->op->operand_count, &list);
}

bool hlo_lower_dot_general(const hlo_lower_call *c) {
  static const list_entry entries[] = {{"lhs_batching_dimensions", HLO_ATTR_lhs_batch_dims},
                                       {"lhs_contracting_dimensions", HLO_ATTR_lhs_contracting_dims},
                                       {"rhs_batching_dimensions", HLO_ATTR_rhs_batch_dims},
                                       {"rhs_contracting_dimensions", HLO_ATTR_rhs_contracting_dims}};
  const hlo_mlir_attribute *dict = dictionary(c, "dot_dimension_numbers");
  hlo_lower_attributes list = {.count = 0};
  return dict && push_entries(c, dict, entries, 4, &list) && finish(c, hlo_lower_operands(c, 0, 2), 2, &list);
}

bool hlo_lower_ragged_dot(const hlo_lower_call *c) {
  static const list_entry entries[] = {{"lhs_batching_dimensions", HLO_ATTR_lhs_batch_dims},
                                       {"lhs_contracting_dimensions", HLO_ATTR_lhs_contracting_dims},
                                       {"rhs_batching_dimensions", HLO_ATTR_rhs_batch_dims},
                                       {"rhs_contracting_dimensions", HLO_ATTR_rhs_contracting_dims},
                                       {"lhs_ragged_dimensions", HLO_ATTR_lhs_ragged_dims},
                                       {"rhs_group_dimensions", HLO_ATTR_rhs_group_dims}};
  const hlo_mlir_attribute *dict = dictionary(c, "ragged_dot_dimension_numbers");
  hlo_lower_attributes list = {.count = 0};
  return dict && push_entries(c, dict, entries, 6, &list) && finish(c, hlo_lower_operands(c, 0, 3), 3, &list);
}

/* The last dimension of lhs with the first of rhs. */
bool hlo_lower_dot(const hlo_lower_call *c) {
  const int *operands = hlo_lower_operands(c, 0, 2);
  if (!operands) return false;
  const hlo_shape *lhs = c->computation->instructions[operands[0]]->shape, *rhs = c->computation->instructions[operands[1]]->shape;
  if (lhs->rank < 1 || rhs->rank < 1 || lhs->rank > 2 || rhs->rank > 2)
    return hlo_lower_fail(c, HLO_SHAPE, "lhs and rhs must have rank 1 or 2, got %pS and %pS", lhs, rhs);
  int64_t *dims = hlo_arena_many(c->l->arena, int64_t, 2, c->l->status);
  if (!dims) return false;
  dims[0] = lhs->rank - 1;
  hlo_lower_attributes list = {.count = 0};
  hlo_lower_push_ints(&list, HLO_ATTR_lhs_contracting_dims, (hlo_ints){dims, 1});
  hlo_lower_push_ints(&list, HLO_ATTR_rhs_contracting_dims, (hlo_ints){dims + 1, 1});
  return finish(c, operands, 2, &list);
}

/* [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] as b01f_01io->b01f */
static const hlo_dim_labels *dim_labels(const hlo_lower_call *c) {
  const hlo_mlir_attribute *numbers = hlo_mlir_find(c->op, "dimension_numbers");
  if (!numbers || numbers->kind != HLO_MLIR_CONV) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute dimension_numbers"), NULL;
  char text[4 * HLO_MAX_RANK * 3 + 8];
  size_t length = 0;
  int group = 0;
  for (size_t i = 0; i < numbers->text.length && length + 4 < sizeof text; i++) {
    char ch = numbers->text.text[i];
    bool label = (ch >= '0' && ch <= '9') || ch == 'b' || ch == 'f' || ch == 'i' || ch == 'o';
    if (label) text[length++] = ch;
    else if (ch == ']' && group++ < 2) {
      memcpy(text + length, group == 1 ? "_" : "->", (size_t)group);
      length += (size_t)group;
    }
  }
  hlo_status inner = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, text, length, &inner);
  hlo_attribute attribute = {.id = HLO_ATTR_dim_labels};
  hlo_name_scope none = {0};
  if (hlo_attribute_read(&reader, c->l->arena, &none, &attribute)) return attribute.dim_labels;
  hlo_lower_fail(c, HLO_SHAPE, "dimension_numbers %pN name no dimensions", &numbers->text);
  return NULL;
}

static bool read_padding(const hlo_lower_call *c, const hlo_ints *given, int rank, int64_t *low, int64_t *high) {
  if (!given) return hlo_lower_padding(c, "padding", rank, low, high);
  if (given->count != 2 * rank)
    return hlo_lower_fail(c, HLO_SHAPE, "padding must have a pair for each of %d dimensions, got %d values", rank, given->count);
  for (int i = 0; i < rank; i++) low[i] = given->data[2 * i], high[i] = given->data[2 * i + 1];
  return true;
}

/* JAX has written dynamic_conv with too many strides, all the same. */
static bool read_strides(const hlo_lower_call *c, int rank, bool dynamic, hlo_ints *strides) {
  if (!dynamic || !hlo_mlir_find(c->op, "window_strides")) return hlo_lower_list(c, "window_strides", rank, 1, strides);
  if (!hlo_lower_list(c, "window_strides", -1, 1, strides)) return false;
  bool same = strides->count >= rank;
  for (int i = 1; same && i < strides->count; i++) same = strides->count == rank || strides->data[i] == strides->data[0];
  return same ||
      hlo_lower_fail(c, HLO_SHAPE, "window_strides must have %d values, one for each spatial dimension, got %d", rank,
                     strides->count);
}

static bool lower_convolution(const hlo_lower_call *c, const hlo_ints *padding) {
  const hlo_dim_labels *labels = dim_labels(c);
  const int *operands = hlo_lower_operands(c, 0, 2);
  if (!labels || !operands) return false;
  int rank = labels->spatial_rank;
  const hlo_shape *kernel = c->computation->instructions[operands[1]]->shape;
  if (kernel->rank != rank + 2)
    return hlo_lower_fail(c, HLO_SHAPE, "dimension_numbers are for rank %d, rhs is %pS", rank + 2, kernel);
  hlo_ints strides, lhs_dilation, rhs_dilation, reversal;
  int64_t low[HLO_MAX_RANK], high[HLO_MAX_RANK], groups = 1, batches = 1;
  if (!read_strides(c, rank, padding != NULL, &strides) || !hlo_lower_list(c, "lhs_dilation", rank, 1, &lhs_dilation) ||
      !hlo_lower_list(c, "rhs_dilation", rank, 1, &rhs_dilation) || !hlo_lower_list(c, "window_reversal", rank, 0, &reversal) ||
      !read_padding(c, padding, rank, low, high) || !hlo_lower_required_int(c, "feature_group_count", &groups) ||
      !hlo_lower_required_int(c, "batch_group_count", &batches))
    return false;
  hlo_window *window = hlo_arena_new(c->l->arena, hlo_window, c->l->status);
  hlo_window_dim *dims = hlo_arena_many(c->l->arena, hlo_window_dim, rank, c->l->status);
  if (!window || !dims) return false;
  for (int i = 0; i < rank; i++)
    dims[i] = (hlo_window_dim){kernel->dims[labels->kernel_spatial[i]], strides.data[i], low[i], high[i], lhs_dilation.data[i], rhs_dilation.data[i], reversal.data[i] != 0};
  *window = (hlo_window){rank, dims};
  hlo_lower_attributes list = {.count = 0};
  hlo_lower_push(&list, (hlo_attribute){.id = HLO_ATTR_window, .window = window});
  hlo_lower_push(&list, (hlo_attribute){.id = HLO_ATTR_dim_labels, .dim_labels = labels});
  hlo_lower_push_int(&list, HLO_ATTR_feature_group_count, groups);
  hlo_lower_push_int(&list, HLO_ATTR_batch_group_count, batches);
  return finish(c, operands, 2, &list);
}

bool hlo_lower_convolution(const hlo_lower_call *c) { return lower_convolution(c, NULL); }
bool hlo_lower_convolution_padded(const hlo_lower_call *c, hlo_ints padding) { return lower_convolution(c, &padding); }

bool hlo_lower_compare(const hlo_lower_call *c) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT", NULL};
  static const char *const types[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED", "NOTYPE", NULL};
  hlo_lower_attributes list = {.count = 0};
  int direction = hlo_lower_word(c, "comparison_direction", directions);
  if (direction < 0) return false;
  hlo_lower_push_enum(&list, HLO_ATTR_direction, direction);
  if (hlo_mlir_find(c->op, "compare_type")) {
    int type = hlo_lower_word(c, "compare_type", types);
    if (type < 0) return false;
    if (type < 4) hlo_lower_push_enum(&list, HLO_ATTR_comparison_type, type);
  }
  return finish(c, hlo_lower_operands(c, 0, 2), 2, &list);
}

bool hlo_lower_fft(const hlo_lower_call *c) {
  static const char *const types[] = {"FFT", "IFFT", "RFFT", "IRFFT", NULL};
  hlo_lower_attributes list = {.count = 0};
  hlo_ints lengths;
  int type = hlo_lower_word(c, "fft_type", types);
  if (type < 0 || !hlo_lower_list(c, "fft_length", -1, 0, &lengths)) return false;
  hlo_lower_push_enum(&list, HLO_ATTR_fft_type, type);
  hlo_lower_push_ints(&list, HLO_ATTR_fft_length, lengths);
  return finish(c, hlo_lower_operands(c, 0, 1), 1, &list);
}

bool hlo_lower_cholesky(const hlo_lower_call *c) {
  hlo_lower_attributes list = {.count = 0};
  hlo_lower_push_bool(&list, HLO_ATTR_lower, hlo_lower_flag(c, "lower", false));
  return finish(c, hlo_lower_operands(c, 0, 1), 1, &list);
}

bool hlo_lower_triangular_solve(const hlo_lower_call *c) {
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT", NULL};
  hlo_lower_attributes list = {.count = 0};
  int transpose = hlo_lower_word(c, "transpose_a", transposes);
  if (transpose < 0) return false;
  hlo_lower_push_bool(&list, HLO_ATTR_left_side, hlo_lower_flag(c, "left_side", false));
  hlo_lower_push_bool(&list, HLO_ATTR_lower, hlo_lower_flag(c, "lower", false));
  hlo_lower_push_bool(&list, HLO_ATTR_unit_diagonal, hlo_lower_flag(c, "unit_diagonal", false));
  hlo_lower_push_enum(&list, HLO_ATTR_transpose_a, transpose);
  return finish(c, hlo_lower_operands(c, 0, 2), 2, &list);
}

bool hlo_lower_reduce_precision(const hlo_lower_call *c) {
  int64_t exponent, mantissa;
  hlo_lower_attributes list = {.count = 0};
  if (!hlo_lower_required_int(c, "exponent_bits", &exponent) || !hlo_lower_required_int(c, "mantissa_bits", &mantissa)) return false;
  hlo_lower_push_int(&list, HLO_ATTR_exponent_bits, exponent);
  hlo_lower_push_int(&list, HLO_ATTR_mantissa_bits, mantissa);
  return finish(c, hlo_lower_operands(c, 0, 1), 1, &list);
}

bool hlo_lower_batch_norm(const hlo_lower_call *c) {
  int64_t feature;
  const hlo_mlir_attribute *epsilon = hlo_mlir_find(c->op, "epsilon");
  hlo_lower_attributes list = {.count = 0};
  if (!hlo_lower_required_int(c, "feature_index", &feature)) return false;
  if (!epsilon || epsilon->kind != HLO_MLIR_FLOAT) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute epsilon, a float");
  hlo_lower_push(&list, (hlo_attribute){.id = HLO_ATTR_epsilon, .real = epsilon->real});
  hlo_lower_push_int(&list, HLO_ATTR_feature_index, feature);
  return finish(c, hlo_lower_operands(c, 0, c->op->operand_count), c->op->operand_count, &list);
}

/* The shape operand repeats what the result's type says. */
bool hlo_lower_rng(const hlo_lower_call *c) {
  static const char *const distributions[] = {"UNIFORM", "NORMAL", NULL};
  hlo_lower_attributes list = {.count = 0};
  int distribution = hlo_lower_word(c, "rng_distribution", distributions);
  if (distribution < 0) return false;
  hlo_lower_push_enum(&list, HLO_ATTR_distribution, distribution);
  const hlo_shape *settled;
  if (!hlo_lower_sized_result(c, 0, 2, &settled)) return false;
  hlo_lower_call inner = *c;
  inner.settled = &settled;
  return finish(&inner, hlo_lower_operands(c, 0, 2), 2, &list);
}

bool hlo_lower_rng_bit_generator(const hlo_lower_call *c) {
  static const char *const algorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX", NULL};
  int algorithm = hlo_lower_word(c, "rng_algorithm", algorithms), state = hlo_lower_operand(c, 0);
  const hlo_shape *shape = hlo_lower_results_shape(c);
  if (algorithm < 0 || state < 0 || !shape) return false;
  hlo_attribute attribute = hlo_lower_enum(HLO_ATTR_rng_algorithm, algorithm);
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_RNG_BIT_GENERATOR, shape, &state, 1, &attribute, 1));
}

bool hlo_lower_top_k(const hlo_lower_call *c) {
  int64_t k;
  hlo_lower_attributes list = {.count = 0};
  if (!hlo_lower_required_int(c, "k", &k)) return false;
  hlo_lower_push_int(&list, HLO_ATTR_k, k);
  hlo_lower_push_bool(&list, HLO_ATTR_largest, hlo_lower_flag(c, "largest", true));
  return finish(c, hlo_lower_operands(c, 0, 1), 1, &list);
}
