/* Dot, convolution, gather, scatter, and the rest of the ops with attributes of their own. */
#include <ctype.h>
#include <string.h>

#include "infer/infer.h"
#include "stablehlo/raise/raise.h"

static bool with(const hlo_raise_call *c, const hlo_raise_attributes *list) {
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_finish(c, c->name, operands, count, list, NULL, 0);
}

typedef struct list_entry {
  const char *name;
  hlo_attribute_id id;
} list_entry;

/* #mnemonic<name = [..], ..., index_vector_dim = N> */
static const hlo_mlir_attribute *numbers(const hlo_raise_call *c, const char *mnemonic, const list_entry *entries, int count, bool index_vector) {
  const char *names[8];
  const hlo_mlir_attribute *elements[8];
  for (int i = 0; i < count; i++) {
    names[i] = entries[i].name;
    elements[i] = hlo_raise_int_list(c->r, hlo_instruction_ints(c->instruction, entries[i].id));
  }
  if (index_vector) {
    names[count] = "index_vector_dim";
    elements[count++] = hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_int(c->instruction, HLO_ATTR_index_vector_dim, 0));
  }
  return hlo_raise_dictionary(c->r, mnemonic, names, elements, count);
}

static void push_bool(const hlo_raise_call *c, hlo_raise_attributes *list, const char *name, hlo_attribute_id id) {
  hlo_raise_push(list, name, hlo_raise_bool(c->r, hlo_instruction_bool(c->instruction, id, false)));
}

bool hlo_raise_gather(const hlo_raise_call *c) {
  static const list_entry entries[] = {{"offset_dims", HLO_ATTR_offset_dims},
                                       {"collapsed_slice_dims", HLO_ATTR_collapsed_slice_dims},
                                       {"operand_batching_dims", HLO_ATTR_operand_batching_dims},
                                       {"start_indices_batching_dims", HLO_ATTR_start_indices_batching_dims},
                                       {"start_index_map", HLO_ATTR_start_index_map}};
  hlo_ints sizes = hlo_instruction_ints(c->instruction, HLO_ATTR_slice_sizes);
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimension_numbers", numbers(c, "stablehlo.gather", entries, 5, true));
  push_bool(c, &list, "indices_are_sorted", HLO_ATTR_indices_are_sorted);
  hlo_raise_push(&list, "slice_sizes", hlo_raise_array(c->r, HLO_TYPE_S64, sizes.data, sizes.count));
  return with(c, &list);
}

bool hlo_raise_scatter(const hlo_raise_call *c) {
  static const list_entry entries[] = {{"update_window_dims", HLO_ATTR_update_window_dims},
                                       {"inserted_window_dims", HLO_ATTR_inserted_window_dims},
                                       {"input_batching_dims", HLO_ATTR_input_batching_dims},
                                       {"scatter_indices_batching_dims", HLO_ATTR_scatter_indices_batching_dims},
                                       {"scatter_dims_to_operand_dims", HLO_ATTR_scatter_dims_to_operand_dims}};
  hlo_raise_attributes list = {.count = 0};
  push_bool(c, &list, "indices_are_sorted", HLO_ATTR_indices_are_sorted);
  hlo_raise_push(&list, "scatter_dimension_numbers", numbers(c, "stablehlo.scatter", entries, 5, true));
  push_bool(c, &list, "unique_indices", HLO_ATTR_unique_indices);
  hlo_mlir_region region = {.block_count = 0};
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_region(c, hlo_instruction_attribute(c->instruction, HLO_ATTR_to_apply)->computation, &region) &&
         hlo_raise_finish(c, c->name, operands, count, &list, &region, 1);
}

/* {highest,default} as [#stablehlo<precision HIGHEST>, ...]; NULL when it says anything else. */
static const hlo_mlir_attribute *precision(const hlo_raise_call *c) {
  static const char *const words[] = {"default", "high", "highest"}, *const names[] = {"DEFAULT", "HIGH", "HIGHEST"};
  const hlo_attribute *given = hlo_instruction_attribute(c->instruction, HLO_ATTR_operand_precision);
  const hlo_mlir_attribute *elements[2];
  int count = 0;
  for (size_t i = 0; given && i < given->text.length; i++) {
    size_t start = i;
    while (i < given->text.length && islower((unsigned char)given->text.text[i])) i++;
    if (i == start) continue;
    int found = -1;
    for (int k = 0; k < 3; k++)
      if (hlo_span_is((hlo_span){given->text.text + start, i - start}, words[k])) found = k;
    if (found < 0 || count == 2 || !(elements[count++] = hlo_raise_word(c->r, names[found]))) return NULL;
  }
  return count == 2 ? hlo_raise_list(c->r, elements, 2) : NULL;
}

bool hlo_raise_dot(const hlo_raise_call *c) {
  static const char *const names[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"};
  hlo_dot_dims dims = hlo_dot_dims_of(c->instruction, hlo_raise_operand_shape(c, 0), hlo_raise_operand_shape(c, 1));
  const hlo_mlir_attribute *elements[4] = {hlo_raise_int_list(c->r, dims.lhs_batch), hlo_raise_int_list(c->r, dims.rhs_batch),
                                           hlo_raise_int_list(c->r, dims.lhs_contracting), hlo_raise_int_list(c->r, dims.rhs_contracting)};
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dot_dimension_numbers", hlo_raise_dictionary(c->r, "stablehlo.dot", names, elements, 4));
  hlo_raise_push(&list, "precision_config", precision(c));
  return with(c, &list);
}

bool hlo_raise_ragged_dot(const hlo_raise_call *c) {
  static const list_entry entries[] = {{"lhs_batching_dimensions", HLO_ATTR_lhs_batch_dims},
                                       {"rhs_batching_dimensions", HLO_ATTR_rhs_batch_dims},
                                       {"lhs_contracting_dimensions", HLO_ATTR_lhs_contracting_dims},
                                       {"rhs_contracting_dimensions", HLO_ATTR_rhs_contracting_dims},
                                       {"lhs_ragged_dimensions", HLO_ATTR_lhs_ragged_dims},
                                       {"rhs_group_dimensions", HLO_ATTR_rhs_group_dims}};
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "precision_config", precision(c));
  hlo_raise_push(&list, "ragged_dot_dimension_numbers", numbers(c, "chlo.ragged_dot", entries, 6, false));
  return with(c, &list);
}

/* [b, 0, 1, f] from the places of batch (or input feature), feature (or output feature) and spatial dimensions. */
static void write_labels(hlo_writer *w, int spatial_rank, int first, char first_label, int second, char second_label, const int *spatial) {
  hlo_write_char(w, '[');
  for (int i = 0; i < spatial_rank + 2; i++) {
    if (i) hlo_write(w, ", ");
    if (i == first) hlo_write_char(w, first_label);
    else if (i == second) hlo_write_char(w, second_label);
    for (int k = 0; k < spatial_rank; k++)
      if (spatial[k] == i) hlo_write_int(w, k);
  }
  hlo_write_char(w, ']');
}

static const hlo_mlir_attribute *dimension_labels(const hlo_raise_call *c, const hlo_dim_labels *labels) {
  hlo_writer w;
  hlo_writer_init(&w, c->r->status);
  write_labels(&w, labels->spatial_rank, labels->input_batch, 'b', labels->input_feature, 'f', labels->input_spatial);
  hlo_write_char(&w, 'x');
  write_labels(&w, labels->spatial_rank, labels->kernel_input_feature, 'i', labels->kernel_output_feature, 'o', labels->kernel_spatial);
  hlo_write(&w, "->");
  write_labels(&w, labels->spatial_rank, labels->output_batch, 'b', labels->output_feature, 'f', labels->output_spatial);
  const hlo_mlir_attribute *attribute = hlo_ok(c->r->status) ? hlo_raise_text(c->r, HLO_MLIR_CONV, w.text, w.length) : NULL;
  hlo_writer_free(&w);
  return attribute;
}

bool hlo_raise_convolution(const hlo_raise_call *c) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(c->instruction, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_window *window = hlo_instruction_window(c->instruction);
  int rank = labels->spatial_rank;
  int64_t strides[HLO_MAX_RANK], padding[2 * HLO_MAX_RANK], lhs[HLO_MAX_RANK], rhs[HLO_MAX_RANK], reversal[HLO_MAX_RANK], pairs[2] = {rank, 2};
  for (int i = 0; i < rank; i++) {
    hlo_window_dim dim = i < window->rank ? window->dims[i] : (hlo_window_dim){1, 1, 0, 0, 1, 1, false};
    strides[i] = dim.stride, lhs[i] = dim.base_dilation, rhs[i] = dim.window_dilation, reversal[i] = dim.reversal;
    padding[2 * i] = dim.padding_low, padding[2 * i + 1] = dim.padding_high;
  }
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "batch_group_count", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_int(c->instruction, HLO_ATTR_batch_group_count, 1)));
  hlo_raise_push(&list, "dimension_numbers", dimension_labels(c, labels));
  hlo_raise_push(&list, "feature_group_count", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_int(c->instruction, HLO_ATTR_feature_group_count, 1)));
  hlo_raise_push(&list, "lhs_dilation", hlo_raise_array(c->r, HLO_TYPE_S64, lhs, rank));
  hlo_raise_push(&list, "padding", hlo_raise_dense(c->r, padding, pairs, 2, false));
  hlo_raise_push(&list, "precision_config", precision(c));
  hlo_raise_push(&list, "rhs_dilation", hlo_raise_array(c->r, HLO_TYPE_S64, rhs, rank));
  hlo_raise_push(&list, "window_reversal", hlo_raise_array(c->r, HLO_TYPE_PRED, reversal, rank));
  hlo_raise_push(&list, "window_strides", hlo_raise_array(c->r, HLO_TYPE_S64, strides, rank));
  return with(c, &list);
}

bool hlo_raise_compare(const hlo_raise_call *c) {
  static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"}, *const types[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  int type = hlo_instruction_enum(c->instruction, HLO_ATTR_comparison_type, -1);
  hlo_raise_attributes list = {.count = 0};
  if (type >= 0) hlo_raise_push(&list, "compare_type", hlo_raise_word(c->r, types[type]));
  hlo_raise_push(&list, "comparison_direction", hlo_raise_word(c->r, directions[hlo_instruction_enum(c->instruction, HLO_ATTR_direction, 0)]));
  return with(c, &list);
}

bool hlo_raise_fft(const hlo_raise_call *c) {
  static const char *const types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  hlo_ints lengths = hlo_instruction_ints(c->instruction, HLO_ATTR_fft_length);
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "fft_length", hlo_raise_array(c->r, HLO_TYPE_S64, lengths.data, lengths.count));
  hlo_raise_push(&list, "fft_type", hlo_raise_word(c->r, types[hlo_instruction_enum(c->instruction, HLO_ATTR_fft_type, 0)]));
  return with(c, &list);
}

bool hlo_raise_cholesky(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  push_bool(c, &list, "lower", HLO_ATTR_lower);
  return with(c, &list);
}

bool hlo_raise_triangular_solve(const hlo_raise_call *c) {
  static const char *const transposes[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  hlo_raise_attributes list = {.count = 0};
  push_bool(c, &list, "left_side", HLO_ATTR_left_side);
  push_bool(c, &list, "lower", HLO_ATTR_lower);
  hlo_raise_push(&list, "transpose_a", hlo_raise_word(c->r, transposes[hlo_instruction_enum(c->instruction, HLO_ATTR_transpose_a, 0)]));
  push_bool(c, &list, "unit_diagonal", HLO_ATTR_unit_diagonal);
  return with(c, &list);
}

bool hlo_raise_reduce_precision(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "exponent_bits", hlo_raise_int(c->r, HLO_TYPE_S32, hlo_instruction_int(c->instruction, HLO_ATTR_exponent_bits, 0)));
  hlo_raise_push(&list, "mantissa_bits", hlo_raise_int(c->r, HLO_TYPE_S32, hlo_instruction_int(c->instruction, HLO_ATTR_mantissa_bits, 0)));
  return with(c, &list);
}

bool hlo_raise_batch_norm(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "epsilon", hlo_raise_f32(c->r, hlo_instruction_attribute(c->instruction, HLO_ATTR_epsilon)->real));
  hlo_raise_push(&list, "feature_index", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_int(c->instruction, HLO_ATTR_feature_index, 0)));
  return with(c, &list);
}

/* StableHLO wants the result's dimensions as an operand. */
bool hlo_raise_rng(const hlo_raise_call *c) {
  static const char *const distributions[] = {"UNIFORM", "NORMAL"};
  const hlo_shape *shape = c->instruction->shape;
  int64_t rank = shape->rank;
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  hlo_raise_attributes value = {.count = 0}, list = {.count = 0};
  hlo_raise_push(&value, "value", hlo_raise_dense(c->r, shape->dims, &rank, 1, false));
  hlo_raise_push(&list, "rng_distribution", hlo_raise_word(c->r, distributions[hlo_instruction_enum(c->instruction, HLO_ATTR_distribution, 0)]));
  if (!operands || count != 2) return operands && hlo_raise_refuse(c, "expected 2 operands, got %d", count);
  int dims = hlo_raise_one(c, "stablehlo.constant", NULL, 0, &value, hlo_shape_make(c->r->arena, HLO_TYPE_S64, &rank, 1, c->r->status));
  int all[3] = {operands[0], operands[1], dims};
  return dims >= 0 && hlo_raise_finish(c, c->name, all, 3, &list, NULL, 0);
}

bool hlo_raise_rng_bit_generator(const hlo_raise_call *c) {
  static const char *const algorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  if (!hlo_shape_is_tuple(c->instruction->shape)) return hlo_raise_refuse(c, "the result must be a state and bits");
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "rng_algorithm", hlo_raise_word(c->r, algorithms[hlo_instruction_enum(c->instruction, HLO_ATTR_rng_algorithm, 0)]));
  return with(c, &list);
}

/* "less than", in total order, of the first two of four arguments. */
static bool less_region(const hlo_raise_call *c, const hlo_shape *key, const hlo_shape *index, hlo_mlir_region *region) {
  hlo_raising *r = c->r;
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  hlo_raise_call inner = *c;
  inner.ops = &ops;
  const char *type = hlo_type_is_float(key->type) ? "TOTALORDER" : hlo_type_is_signed(key->type) ? "SIGNED" : "UNSIGNED";
  hlo_raise_attributes list = {.count = 0};
  *region = (hlo_mlir_region){.block_count = 1, .block = {.argument_count = 4, .first_argument = r->values.count}};
  for (int i = 0; i < 4; i++)
    if (hlo_raise_value(r, i < 2 ? key : index) < 0) return false;
  hlo_raise_push(&list, "compare_type", hlo_raise_word(r, type));
  hlo_raise_push(&list, "comparison_direction", hlo_raise_word(r, "LT"));
  int first = region->block.first_argument;
  const hlo_shape *pred = hlo_shape_make(r->arena, HLO_TYPE_PRED, NULL, 0, r->status);
  int less = pred ? hlo_raise_one(&inner, "stablehlo.compare", (const int[]){first, first + 1}, 2, &list, pred) : -1;
  bool ok = less >= 0 && hlo_raise_emit(&inner, "stablehlo.return", &less, 1, NULL, NULL, 0, NULL, 0) >= 0;
  region->block.op_count = ops.count;
  ok = ok && (region->block.ops = hlo_list_take(&ops, r->arena, r->status)) != NULL;
  hlo_list_drop(&ops);
  return ok;
}

/* The first of a stable sort that takes the places along: chlo.top_k gives the largest only. */
static bool smallest(const hlo_raise_call *c) {
  hlo_raising *r = c->r;
  const hlo_shape *shape = hlo_raise_operand_shape(c, 0), *const *parts = c->instruction->shape->elements;
  if (!hlo_shape_is_static(shape)) return hlo_raise_refuse(c, "of the smallest of %s, whose size is not known", HLO_SHAPE_TEXT(shape));
  int rank = shape->rank, count;
  const hlo_shape *all[2] = {shape, hlo_shape_make(r->arena, HLO_TYPE_S32, shape->dims, rank, r->status)};
  const hlo_shape *key = hlo_shape_make(r->arena, shape->type, NULL, 0, r->status);
  const hlo_shape *index = hlo_shape_make(r->arena, HLO_TYPE_S32, NULL, 0, r->status);
  const int *operands = hlo_raise_operands(c, 0, &count);
  hlo_raise_attributes places = {.count = 0}, order = {.count = 0};
  hlo_mlir_region region;
  if (!operands || !all[1] || !key || !index || !less_region(c, key, index, &region)) return false;
  hlo_raise_push(&places, "iota_dimension", hlo_raise_int(r, HLO_TYPE_S64, rank - 1));
  hlo_raise_push(&order, "dimension", hlo_raise_int(r, HLO_TYPE_S64, rank - 1));
  hlo_raise_push(&order, "is_stable", hlo_raise_bool(r, true));
  int sorted[2] = {operands[0], hlo_raise_one(c, "stablehlo.iota", NULL, 0, &places, all[1])}, first = -1;
  if (sorted[1] >= 0) first = hlo_raise_emit(c, "stablehlo.sort", sorted, 2, &order, &region, 1, all, 2);
  if (first < 0) return false;
  int64_t starts[HLO_MAX_RANK] = {0};
  for (int i = 0; i < 2; i++)
    if ((sorted[i] = hlo_raise_part(c, first + i, shape, starts, parts[i])) < 0) return false;
  return hlo_raise_set(c, sorted, 2);
}

bool hlo_raise_top_k(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  if (!hlo_instruction_bool(c->instruction, HLO_ATTR_largest, true)) return smallest(c);
  hlo_raise_push(&list, "k", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_int(c->instruction, HLO_ATTR_k, 0)));
  return with(c, &list);
}
