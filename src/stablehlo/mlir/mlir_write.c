/* Writes trees as MLIR text, in generic form. */
#include "stablehlo/mlir/mlir_write.h"

#include <string.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"

/* ---- Attributes ---- */

static bool is_word(hlo_span name) {
  for (size_t i = 0; i < name.length; i++) {
    char c = name.text[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i && ((c >= '0' && c <= '9') || c == '$' || c == '.'))) return false;
  }
  return name.length > 0;
}

/* Writes a string; bytes that cannot stand in quotes as two hexadecimal digits. */
static void write_string(hlo_writer *w, hlo_span text) {
  hlo_write_char(w, '"');
  for (size_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.text[i];
    if (c < 0x20 || c == 0x7F || c == '"' || c == '\\') hlo_write_format(w, "\\%02X", c);
    else hlo_write_char(w, (char)c);
  }
  hlo_write_char(w, '"');
}

static void write_name(hlo_writer *w, hlo_span name) {
  if (is_word(name)) hlo_write_bytes(w, name.text, name.length);
  else write_string(w, name);
}

static void write_typed_number(hlo_writer *w, const hlo_mlir_attribute *attribute) {
  const hlo_mlir_type *type = attribute->type;
  bool unsigned_type = type && type->kind == HLO_MLIR_SCALAR && hlo_type_is_unsigned(type->element);
  if (attribute->kind == HLO_MLIR_FLOAT) {
    hlo_type element = type && type->kind == HLO_MLIR_SCALAR ? type->element : HLO_TYPE_F64;
    hlo_write_format(w, "0x%llX", (unsigned long long)hlo_float_encode(element, attribute->real));
  } else if (unsigned_type) {
    hlo_write_uint(w, (uint64_t)attribute->integer);
  } else {
    hlo_write_int(w, attribute->integer);
  }
  bool is_default = attribute->kind == HLO_MLIR_INT && (!type || (type->kind == HLO_MLIR_SCALAR && type->element == HLO_TYPE_S64 && !type->is_index));
  if (is_default || !type) return; /* a bare integer is an i64 */
  hlo_write(w, " : ");
  hlo_mlir_write_type(w, type);
}

/* Writes an enumeration's word. The attribute's name says which enumeration: #stablehlo<comparison_direction EQ>. */
static void write_enum(hlo_writer *w, const char *dialect, hlo_span name, hlo_span value) {
  static const struct {
    const char *attribute, *type;
  } enums[] = {{"comparison_direction", "comparison_direction"}, {"compare_type", "comparison_type"}, {"fft_type", "fft_type"},
               {"transpose_a", "transpose"}, {"rng_distribution", "rng_distribution"}, {"rng_algorithm", "rng_algorithm"},
               {"precision_config", "precision"}, {"mode", "result_accuracy_mode"}};
  const char *type = "value";
  for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
    if (hlo_span_is(name, enums[i].attribute)) type = enums[i].type;
  bool dotted = hlo_span_is(name, "mode");
  hlo_write_format(w, dotted ? "#%s.%s<%.*s>" : "#%s<%s %.*s>", dialect, type, (int)value.length, value.text);
}

/* Returns the element type for attributes whose list is array<...> in generic form; NULL for other attributes. */
static const char *array_element(hlo_span name) {
  static const char *const names[] = {"base_dilations", "broadcast_dimensions", "broadcast_sizes", "dimensions", "edge_padding_high",
                                      "edge_padding_low", "fft_length", "interior_padding", "known_expanding_dimensions",
                                      "known_nonexpanding_dimensions", "lhs_dilation", "limit_indices", "permutation", "rhs_dilation",
                                      "slice_sizes", "start_indices", "strides", "window_dilations", "window_dimensions", "window_strides"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hlo_span_is(name, names[i])) return "i64";
  return hlo_span_is(name, "window_reversal") ? "i1" : NULL;
}

static void write_array(hlo_writer *w, const char *element, const hlo_mlir_attribute *list) {
  hlo_write_format(w, "array<%s", element);
  for (int i = 0; i < list->count; i++) {
    hlo_write(w, i ? ", " : ": ");
    if (strcmp(element, "i1") == 0) hlo_write(w, list->elements[i]->integer ? "true" : "false");
    else hlo_write_int(w, list->elements[i]->integer);
  }
  hlo_write_char(w, '>');
}

static bool all_equal(const hlo_mlir_attribute *pairs) {
  for (int i = 0; i < pairs->count; i++)
    for (int k = 0; k < pairs->elements[i]->count; k++)
      if (pairs->elements[i]->elements[k]->integer != pairs->elements[0]->elements[0]->integer) return false;
  return true;
}

/* Writes [[1, 1], [0, 2]] as dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>. */
static void write_pairs(hlo_writer *w, const hlo_mlir_attribute *list) {
  hlo_write(w, "dense<");
  if (list->count && list->elements[0]->count && all_equal(list)) hlo_write_int(w, list->elements[0]->elements[0]->integer);
  else if (list->count) hlo_mlir_write_attribute(w, list);
  hlo_write_format(w, "> : tensor<%dx2xi64>", list->count);
}

static void write_value(hlo_writer *w, const char *dialect, hlo_span name, const hlo_mlir_attribute *attribute);

/* Writes an attribute of an operation of these dialects, whose name decides the form. Dictionaries of other dialects are written
 * as they are. */
static void write_inherent(hlo_writer *w, const char *dialect, hlo_span name, const hlo_mlir_attribute *value) {
  bool list = value->kind == HLO_MLIR_ARRAY, bits = hlo_span_is(name, "exponent_bits") || hlo_span_is(name, "mantissa_bits");
  if (list && array_element(name)) write_array(w, array_element(name), value);
  else if (list && hlo_span_is(name, "padding")) write_pairs(w, value);
  else if (bits && value->kind == HLO_MLIR_INT) hlo_write_format(w, "%lld : i32", (long long)value->integer);
  else write_value(w, dialect, name, value);
}

static void write_entry(hlo_writer *w, const char *dialect, hlo_span name, const hlo_mlir_attribute *value) {
  write_name(w, name);
  if (value->kind == HLO_MLIR_UNIT) return;
  hlo_write(w, " = ");
  write_value(w, dialect, name, value);
}

static const char *dialect_of(hlo_span name) { return hlo_span_begins(name, "chlo.") ? "chlo" : "stablehlo"; }

void hlo_mlir_write_attribute(hlo_writer *w, const hlo_mlir_attribute *attribute) { write_value(w, "stablehlo", (hlo_span){0}, attribute); }

static void write_value(hlo_writer *w, const char *dialect, hlo_span name, const hlo_mlir_attribute *attribute) {
  hlo_span text = attribute->text;
  switch (attribute->kind) {
    case HLO_MLIR_UNIT: hlo_write(w, "unit"); break;
    case HLO_MLIR_BOOL: hlo_write(w, attribute->integer ? "true" : "false"); break;
    case HLO_MLIR_INT:
    case HLO_MLIR_FLOAT: write_typed_number(w, attribute); break;
    case HLO_MLIR_STRING: write_string(w, text); break;
    case HLO_MLIR_SYMBOL:
      hlo_write_char(w, '@');
      write_name(w, text);
      break;
    case HLO_MLIR_TYPE: hlo_mlir_write_type(w, attribute->type); break;
    case HLO_MLIR_DENSE: hlo_mlir_write_dense(w, attribute); break;
    case HLO_MLIR_ENUM: write_enum(w, dialect, name, text); break;
    case HLO_MLIR_CONV: hlo_write_format(w, "#stablehlo.conv<%.*s>", (int)text.length, text.text); break;
    case HLO_MLIR_RAW: hlo_write_bytes(w, text.text, text.length); break;
    case HLO_MLIR_ARRAY:
      hlo_write_char(w, '[');
      for (int i = 0; i < attribute->count; i++) {
        if (i) hlo_write(w, ", ");
        write_value(w, dialect, name, attribute->elements[i]);
      }
      hlo_write_char(w, ']');
      break;
    case HLO_MLIR_DICT:
      if (text.length) hlo_write_format(w, "#%.*s<", (int)text.length, text.text);
      else hlo_write_char(w, '{');
      for (int i = 0; i < attribute->count; i++) {
        if (i) hlo_write(w, ", ");
        const hlo_mlir_attribute *one = attribute->elements[i];
        bool parameter = text.length && one->kind == HLO_MLIR_FLOAT; /* the parameter's name implies the type */
        if (parameter) hlo_write_format(w, "%.*s = %.17e", (int)attribute->names[i].length, attribute->names[i].text, one->real);
        else write_entry(w, dialect, attribute->names[i], one);
      }
      hlo_write_char(w, text.length ? '>' : '}');
      break;
  }
}

static void write_named(hlo_writer *w, hlo_span owner, const hlo_mlir_named *named, int count) {
  bool own = hlo_span_begins(owner, "stablehlo.") || hlo_span_begins(owner, "chlo.");
  const char *dialect = dialect_of(owner);
  hlo_write_char(w, '{');
  for (int i = 0; i < count; i++) {
    if (i) hlo_write(w, ", ");
    if (!own || named[i].value->kind == HLO_MLIR_UNIT) {
      write_entry(w, dialect, named[i].name, named[i].value);
      continue;
    }
    write_name(w, named[i].name);
    hlo_write(w, " = ");
    write_inherent(w, dialect, named[i].name, named[i].value);
  }
  hlo_write_char(w, '}');
}

/* ---- Operations ---- */

static void write_block(hlo_writer *w, const hlo_mlir *tree, const hlo_mlir_block *block, int indent);

static void write_indent(hlo_writer *w, int indent) {
  for (int i = 0; i < indent; i++) hlo_write(w, "  ");
}

static void write_values(hlo_writer *w, const int *values, int first, int count) {
  for (int i = 0; i < count; i++) hlo_write_format(w, "%s%%%d", i ? ", " : "", values ? values[i] : first + i);
}

static void write_signature(hlo_writer *w, const hlo_mlir *tree, const hlo_mlir_op *op) {
  hlo_write(w, " : (");
  for (int i = 0; i < op->operand_count; i++) {
    if (i) hlo_write(w, ", ");
    hlo_mlir_write_type(w, hlo_mlir_operand_type(tree, op, i));
  }
  hlo_write(w, ") -> (");
  for (int i = 0; i < op->result_count; i++) {
    if (i) hlo_write(w, ", ");
    hlo_mlir_write_type(w, hlo_mlir_result_type(tree, op, i));
  }
  hlo_write_char(w, ')');
}

static void write_op(hlo_writer *w, const hlo_mlir *tree, const hlo_mlir_op *op, int indent) {
  write_indent(w, indent);
  if (op->result_count) {
    write_values(w, NULL, op->first_result, op->result_count);
    hlo_write(w, " = ");
  }
  hlo_write_quoted(w, op->name.text, op->name.length);
  hlo_write_char(w, '(');
  write_values(w, op->operands, 0, op->operand_count);
  hlo_write_char(w, ')');
  for (int i = 0; i < op->region_count; i++) {
    hlo_write(w, i ? ", {\n" : " ({\n");
    if (op->regions[i].block_count) write_block(w, tree, &op->regions[i].block, indent + 1);
    write_indent(w, indent);
    hlo_write_char(w, '}');
  }
  if (op->region_count) hlo_write_char(w, ')');
  if (op->attribute_count) {
    hlo_write_char(w, ' ');
    write_named(w, op->name, op->attributes, op->attribute_count);
  }
  write_signature(w, tree, op);
  hlo_write_char(w, '\n');
}

static void write_block(hlo_writer *w, const hlo_mlir *tree, const hlo_mlir_block *block, int indent) {
  if (block->argument_count) {
    write_indent(w, indent - 1);
    hlo_write(w, "^bb0(");
    for (int i = 0; i < block->argument_count; i++) {
      hlo_write_format(w, "%s%%%d: ", i ? ", " : "", block->first_argument + i);
      hlo_mlir_write_type(w, tree->values[block->first_argument + i].type);
      if (!block->argument_names || !block->argument_names[i].length) continue;
      hlo_write(w, " loc(");
      write_string(w, block->argument_names[i]);
      hlo_write_char(w, ')');
    }
    hlo_write(w, "):\n");
  }
  for (int i = 0; i < block->op_count; i++) write_op(w, tree, block->ops[i], indent);
}

void hlo_mlir_write(hlo_writer *w, const hlo_mlir *tree) {
  hlo_write(w, "module ");
  if (tree->name.length) {
    hlo_write_char(w, '@');
    write_name(w, tree->name);
    hlo_write_char(w, ' ');
  }
  if (tree->attribute_count) {
    hlo_write(w, "attributes ");
    write_named(w, (hlo_span){0}, tree->attributes, tree->attribute_count);
    hlo_write_char(w, ' ');
  }
  hlo_write(w, "{\n");
  write_block(w, tree, &tree->body, 1);
  hlo_write(w, "}\n");
}

/* ---- Comparison ---- */

/* Compares printed text, which names values by number and has everything else in full. */
bool hlo_mlir_same(const hlo_mlir *a, const hlo_mlir *b, hlo_status *status) {
  hlo_writer left, right;
  hlo_writer_init(&left, status);
  hlo_writer_init(&right, status);
  hlo_mlir_write(&left, a);
  hlo_mlir_write(&right, b);
  bool same = hlo_ok(status) && left.length == right.length && memcmp(left.text, right.text, left.length) == 0;
  hlo_writer_free(&left);
  hlo_writer_free(&right);
  return same;
}
