/* Attributes that are words of an enumeration, and those made of fields: of VHLO and of StableHLO as it stands, under codes of
 * their own but mostly the same. */
#include <string.h>

#include "stablehlo/bytecode/bytecode_reader.h"

/* words: by value; "-" has no meaning. Codes are 0 where a dialect has no such attribute. */
static const struct enum_row { uint8_t vhlo, stablehlo; const char *words; } enums[] = {
    {3, 2, "EQ NE GE GT LE LT"},
    {4, 3, "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"},
    {5, 0,
     "API_VERSION_UNSPECIFIED API_VERSION_ORIGINAL API_VERSION_STATUS_RETURNING API_VERSION_STATUS_RETURNING_UNIFIED API_VERSION_TYPED_FFI"},
    {7, 6, "FFT IFFT RFFT IRFFT"},
    {11, 8, "DEFAULT HIGH HIGHEST"},
    {12, 9, "DEFAULT THREE_FRY PHILOX"},
    {13, 10, "- UNIFORM NORMAL"},
    {16, 12, "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT"},
    {19, 16, "DEFAULT HIGHEST TOLERANCE"},
};
enum { ENUMS = sizeof enums / sizeof *enums };

/* fields: a letter each: l list of numbers, n number, r real, t type, b a byte that is true or false, a attribute, s string, i list
 * of attributes, f a flag and the attribute if it is 1, o attribute or none. VHLO has any attribute for s and i, StableHLO a byte
 * and the attribute if it is 1 for f and o. names: the mnemonic, then a name for each. */
static const struct struct_row { uint8_t vhlo, stablehlo; const char *fields, *names; } structs[] = {
    {0, 1, "nn", "stablehlo.channel_handle handle type"},
    {0, 4, "nnlnnlnnl",
     "stablehlo.conv input_batch_dimension input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension "
     "kernel_output_feature_dimension kernel_spatial_dimensions output_batch_dimension output_feature_dimension output_spatial_dimensions"},
    {0, 5, "llll", "stablehlo.dot lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions"},
    {0, 7, "llllln",
     "stablehlo.gather offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map index_vector_dim"},
    {0, 11, "llllln",
     "stablehlo.scatter update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim"},
    {18, 13, "l", "stablehlo.type_extensions bounds"},
    {10, 14, "lnl", "stablehlo.output_operand_alias output_tuple_indices operand_index operand_tuple_indices"},
    {0, 15, "tttnnnb",
     "stablehlo.dot_algorithm lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count "
     "num_primitive_operations allow_imprecise_accumulation"},
    {20, 17, "rrna", "stablehlo.result_accuracy atol rtol ulps mode"},
    {23, 18, "ai", "stablehlo.replica_group_mesh_axes mesh axes"},
    {21, 19, "nn", "stablehlo.sub_axis_info pre_size size"},
    {22, 20, "sf", "stablehlo.axis_ref name sub_axis_info"},
    {24, 21, "sn", "stablehlo.mesh_axis name size"},
    {25, 22, "ao", "stablehlo.mesh axes device_ids"},
};
enum { STRUCTS = sizeof structs / sizeof *structs };

static hlo_span word_at(const char *words, int64_t i) {
  for (; i && *words; i--) words += strcspn(words, " "), words += strspn(words, " ");
  return (hlo_span){words, strcspn(words, " ")};
}

static const struct enum_row *find_enum(uint64_t code, bool vhlo) {
  for (int i = 0; i < ENUMS && code; i++)
    if (code == (vhlo ? enums[i].vhlo : enums[i].stablehlo)) return &enums[i];
  return NULL;
}

static const struct struct_row *find_struct(uint64_t code, bool vhlo) {
  for (int i = 0; i < STRUCTS && code; i++)
    if (code == (vhlo ? structs[i].vhlo : structs[i].stablehlo)) return &structs[i];
  return NULL;
}

/* The number stays in `integer`: some attributes are numbers in StableHLO. */
static const hlo_mlir_attribute *read_enum(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *words) {
  size_t at = c->at;
  int64_t value, count = 0;
  while (word_at(words, count).length) count++;
  if (!hlo_bytecode_index(b, c, "enumerator", count, &value)) return NULL;
  hlo_span word = word_at(words, value);
  if (*word.text == '-') return hlo_bytecode_fail(b, at, HLO_PARSE, "enumerator %lld, which has no meaning", (long long)value), NULL;
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_ENUM);
  if (!attribute) return NULL;
  attribute->text = word;
  attribute->integer = value;
  return attribute;
}

static const hlo_mlir_attribute *read_list(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  int64_t *values, count;
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_DENSE);
  if (!attribute || !hlo_bytecode_ints(b, c, &values, &count)) return NULL;
  const hlo_shape *shape = hlo_shape_make(b->arena, HLO_TYPE_S64, &count, 1, b->status);
  hlo_literal *literal = shape ? hlo_literal_make(b->arena, shape, b->status) : NULL;
  if (!literal) return NULL;
  if (count) memcpy(literal->data, values, (size_t)count * sizeof *values);
  attribute->literal = literal;
  return attribute;
}

static const hlo_mlir_attribute *read_number(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  int64_t value;
  return hlo_bytecode_int(b, c, &value) ? hlo_bytecode_integer(b, value) : NULL;
}

static const hlo_mlir_attribute *read_real(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_FLOAT);
  if (!attribute || !hlo_bytecode_real(b, c, HLO_TYPE_F64, &attribute->real)) return NULL;
  return (attribute->type = hlo_bytecode_scalar(b, HLO_TYPE_F64, NULL)) ? attribute : NULL;
}

static const hlo_mlir_attribute *read_byte(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_BOOL);
  uint8_t byte;
  if (!attribute || !hlo_bytecode_byte(b, c, &byte)) return NULL;
  attribute->integer = byte != 0;
  return attribute;
}

/* An attribute that may be missing: *value stays NULL then. */
static bool read_optional(hlo_bytecode *b, hlo_bytecode_cursor *c, char field, bool vhlo, const hlo_mlir_attribute **value) {
  int64_t present;
  uint8_t byte;
  *value = NULL;
  if (vhlo && field == 'o') return hlo_bytecode_optional_attribute(b, c, value);
  if (vhlo) {
    if (!hlo_bytecode_index(b, c, "flag", 2, &present)) return false;
  } else {
    if (!hlo_bytecode_byte(b, c, &byte)) return false;
    present = byte;
  }
  return !present || (*value = hlo_bytecode_attribute(b, c));
}

static const hlo_mlir_attribute *read_field(hlo_bytecode *b, hlo_bytecode_cursor *c, char field, bool vhlo) {
  switch (field) {
    case 'l': return read_list(b, c);
    case 'n': return read_number(b, c);
    case 'r': return read_real(b, c);
    case 't': return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_TYPE);
    case 'b': return read_byte(b, c);
    default:
      if (vhlo || field == 'a') return hlo_bytecode_attribute(b, c);
      return hlo_bytecode_common_attribute(b, c, field == 's' ? HLO_BYTECODE_STRING : HLO_BYTECODE_ARRAY);
  }
}

bool hlo_bytecode_has_fields(uint64_t code, bool vhlo) { return find_enum(code, vhlo) || find_struct(code, vhlo); }

const hlo_mlir_attribute *hlo_bytecode_read_fields(hlo_bytecode *b, hlo_bytecode_cursor *c, uint64_t code, bool vhlo) {
  const struct enum_row *words = find_enum(code, vhlo);
  if (words) return read_enum(b, c, words->words);
  const struct struct_row *row = find_struct(code, vhlo);
  hlo_mlir_named named[9];
  int count = 0;
  for (int i = 0; row->fields[i]; i++) {
    hlo_mlir_named *one = &named[count];
    bool optional = row->fields[i] == 'f' || row->fields[i] == 'o';
    one->name = word_at(row->names, i + 1);
    if (optional ? !read_optional(b, c, row->fields[i], vhlo, &one->value) : !(one->value = read_field(b, c, row->fields[i], vhlo)))
      return NULL;
    count += one->value != NULL;
  }
  return hlo_bytecode_dict(b, word_at(row->names, 0), named, count);
}
