/* Attributes that are a word of an enumeration or a structure of fields. VHLO and unversioned StableHLO have mostly the same ones, under
 * different codes. */
#include <string.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"

/* `words` in the order of their values; "-" is a value without a meaning. A code of 0: the dialect has no such attribute. */
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

/* `members` is the mnemonic, then a word for each field: its name, and a letter for its kind:
 *
 *   l  a list of integers    n  an integer      r  a real               t  a type
 *   b  a byte, 0 or 1        a  an attribute    s  a string             i  a list of attributes
 *   f  a flag, and an attribute if it is 1      o  an attribute or none
 *
 * In VHLO, s and i may be any attribute; in StableHLO, f and o are both a byte and, if it is 1, an attribute. */
enum { MOST_FIELDS = 9 };
static const struct struct_row { uint8_t vhlo, stablehlo; const char *members; } structs[] = {
    {0, 1, "stablehlo.channel_handle handle:n type:n"},
    {0, 4,
     "stablehlo.conv input_batch_dimension:n input_feature_dimension:n input_spatial_dimensions:l "
     "kernel_input_feature_dimension:n kernel_output_feature_dimension:n kernel_spatial_dimensions:l "
     "output_batch_dimension:n output_feature_dimension:n output_spatial_dimensions:l"},
    {0, 5,
     "stablehlo.dot lhs_batching_dimensions:l rhs_batching_dimensions:l lhs_contracting_dimensions:l "
     "rhs_contracting_dimensions:l"},
    {0, 7,
     "stablehlo.gather offset_dims:l collapsed_slice_dims:l operand_batching_dims:l start_indices_batching_dims:l "
     "start_index_map:l index_vector_dim:n"},
    {0, 11,
     "stablehlo.scatter update_window_dims:l inserted_window_dims:l input_batching_dims:l scatter_indices_batching_dims:l "
     "scatter_dims_to_operand_dims:l index_vector_dim:n"},
    {18, 13, "stablehlo.type_extensions bounds:l"},
    {10, 14, "stablehlo.output_operand_alias output_tuple_indices:l operand_index:n operand_tuple_indices:l"},
    {0, 15,
     "stablehlo.dot_algorithm lhs_precision_type:t rhs_precision_type:t accumulation_type:t lhs_component_count:n "
     "rhs_component_count:n num_primitive_operations:n allow_imprecise_accumulation:b"},
    {20, 17, "stablehlo.result_accuracy atol:r rtol:r ulps:n mode:a"},
    {23, 18, "stablehlo.replica_group_mesh_axes mesh:a axes:i"},
    {21, 19, "stablehlo.sub_axis_info pre_size:n size:n"},
    {22, 20, "stablehlo.axis_ref name:s sub_axis_info:f"},
    {24, 21, "stablehlo.mesh_axis name:s size:n"},
    {25, 22, "stablehlo.mesh axes:a device_ids:o"},
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

const char *hlo_bytecode_fields_of(const char *mnemonic) {
  int i = 0;
  while (!hlo_span_is(word_at(structs[i].members, 0), mnemonic)) i++;
  return structs[i].members + strlen(mnemonic) + 1;
}

/* Reads a word. Its number stays in `integer`, because some of these attributes are numbers in StableHLO. */
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

/* Reads an attribute that may be missing: *value is NULL then. */
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
  hlo_mlir_named named[MOST_FIELDS];
  int count = 0;
  hlo_span word;
  for (int i = 1; (word = word_at(row->members, i)).length; i++) {
    hlo_mlir_named *one = &named[count];
    char kind = word.text[word.length - 1];
    bool optional = kind == 'f' || kind == 'o';
    one->name = (hlo_span){word.text, word.length - strlen(":n")};
    if (optional ? !read_optional(b, c, kind, vhlo, &one->value) : !(one->value = read_field(b, c, kind, vhlo))) return NULL;
    count += one->value != NULL;
  }
  return hlo_bytecode_dict(b, word_at(row->members, 0), named, count);
}
