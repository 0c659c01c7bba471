/* Converts VHLO's operations to StableHLO's: their names and attributes.
 *
 * VHLO has every attribute, even where StableHLO leaves it out because it has its default value, and has separate attributes where
 * StableHLO has one (dimension numbers, channel handles). Old versions of an operation have fewer attributes; StableHLO's defaults
 * stand for the others. */
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* ---- The table of operations ---- */

typedef struct vhlo_row {
  const char *names, *attributes;
} vhlo_row;

static const vhlo_row rows[] = {
#define VHLO_OPS(names, attributes) {names, attributes},
#include "stablehlo/bytecode/vhlo_ops.def"
#undef VHLO_OPS
};

bool hlo_vhlo_look_up(hlo_bytecode *b, hlo_bytecode_op_name *op) {
  hlo_span name = op->name;
  int stem = (int)name.length - 3; /* without _v1 */
  if (stem < 1) return true;
  bool function = stem == 4 && (memcmp(name.text, "call", 4) == 0 || memcmp(name.text, "func", 4) == 0);
  const char *stable = hlo_arena_format(b->arena, b->status, "%s.%.*s", function ? "func" : "stablehlo", stem, name.text);
  if (!stable) return false;
  op->stable = (hlo_span){stable, strlen(stable)};
  const hlo_form_operation *operation = hlo_form_operation_of(op->stable);
  if (operation && memcmp(name.text + stem, "_v1", 3) == 0) op->attributes = operation->attributes;
  for (size_t i = sizeof rows / sizeof *rows; i-- > 0;)
    if (hlo_form_has_name(rows[i].names, name)) op->attributes = rows[i].attributes;
  return true;
}

/* ---- The list of attributes ---- */

static hlo_mlir_named *entry(hlo_list *named, int i) { return (hlo_mlir_named *)named->items + i; }

static int position(hlo_list *named, const char *name) {
  for (int i = 0; i < named->count; i++)
    if (hlo_span_is(entry(named, i)->name, name)) return i;
  return -1;
}

static const hlo_mlir_attribute *look_up(hlo_list *named, const char *name) {
  int i = position(named, name);
  return i < 0 ? NULL : entry(named, i)->value;
}

static void drop(hlo_list *named, int i) {
  memmove(entry(named, i), entry(named, i + 1), (size_t)(named->count - i - 1) * sizeof(hlo_mlir_named));
  named->count--;
}

static void drop_name(hlo_list *named, const char *name) {
  int i = position(named, name);
  if (i >= 0) drop(named, i);
}

static bool put(hlo_bytecode *b, hlo_list *named, const char *name, const hlo_mlir_attribute *value) {
  hlo_mlir_named item = hlo_bytecode_named(name, value);
  return value && hlo_list_push(named, &item, b->status);
}

/* ---- Single attributes ---- */

typedef enum action {
  DROP_FALSE,   /* true becomes a unit attribute */
  DROP_EMPTY,   /* arrays, dictionaries and dense attributes without elements */
  DROP_DEFAULT, /* if the word or the mode is DEFAULT or NOTYPE */
  DROP_ZERO,    /* the integer 0, whatever its type */
  TO_SYMBOL,
  TO_SYMBOLS,   /* an array of symbols, dropped if empty */
  TO_NUMBER     /* an enumerator becomes an i32 */
} action;

typedef struct attribute_rule {
  const char *name;
  action action;
} attribute_rule;

static const attribute_rule rules[] = {
    {"use_global_device_ids", DROP_FALSE}, {"has_dynamic_root", DROP_FALSE},
    {"result_accuracy", DROP_DEFAULT}, {"compare_type", DROP_DEFAULT},
    {"precision_config", DROP_EMPTY}, {"operand_layouts", DROP_EMPTY}, {"result_layouts", DROP_EMPTY}, {"result_tilings", DROP_EMPTY},
    {"output_operand_aliases", DROP_EMPTY}, {"known_expanding_dimensions", DROP_EMPTY}, {"known_nonexpanding_dimensions", DROP_EMPTY},
    {"arg_attrs", DROP_EMPTY}, {"res_attrs", DROP_EMPTY}, {"layout", DROP_EMPTY},
    {"version", DROP_ZERO}, {"callee", TO_SYMBOL}, {"decomposition", TO_SYMBOL}, {"called_computations", TO_SYMBOLS}, {"api_version", TO_NUMBER},
};

static bool is_empty(const hlo_mlir_attribute *value) {
  if (value->kind == HLO_MLIR_DENSE) return hlo_shape_element_count(value->literal->shape) == 0;
  return (value->kind == HLO_MLIR_ARRAY || value->kind == HLO_MLIR_DICT) && value->count == 0;
}

static bool is_default(const hlo_mlir_attribute *value) {
  if (value->kind == HLO_MLIR_DICT) value = hlo_mlir_entry(value, "mode");
  return value && value->kind == HLO_MLIR_ENUM && value->integer == 0;
}

static const hlo_mlir_attribute *to_symbol(hlo_bytecode *b, const hlo_mlir_attribute *value) {
  if (value->kind != HLO_MLIR_STRING) return value;
  hlo_mlir_attribute *symbol = hlo_bytecode_new_attribute(b, HLO_MLIR_SYMBOL);
  if (symbol) symbol->text = value->text;
  return symbol;
}

static const hlo_mlir_attribute *to_symbols(hlo_bytecode *b, size_t at, const hlo_mlir_attribute *value) {
  if (value->kind != HLO_MLIR_ARRAY) return value;
  if (!hlo_bytecode_spend(b, at, value->count)) return NULL;
  hlo_mlir_attribute *array = hlo_bytecode_new_attribute(b, HLO_MLIR_ARRAY);
  const hlo_mlir_attribute **elements = hlo_arena_many(b->arena, const hlo_mlir_attribute *, value->count, b->status);
  for (int i = 0; array && elements && i < value->count; i++)
    if (!(elements[i] = to_symbol(b, value->elements[i]))) return NULL;
  if (!array || !elements) return NULL;
  array->count = value->count;
  array->elements = elements;
  return array;
}

static const hlo_mlir_attribute *to_number(hlo_bytecode *b, const hlo_mlir_attribute *value) {
  if (value->kind != HLO_MLIR_ENUM) return value;
  hlo_mlir_attribute *number = (hlo_mlir_attribute *)hlo_bytecode_integer(b, value->integer);
  return number && (number->type = hlo_bytecode_scalar(b, HLO_TYPE_S32, NULL)) ? number : NULL;
}

/* Replaces an attribute's value, or drops the attribute. Fails only for lack of memory. */
static bool apply_rule(hlo_bytecode *b, hlo_vhlo_op *op, int *i, action action) {
  const hlo_mlir_attribute **value = &entry(op->named, *i)->value;
  bool dropped = false;
  switch (action) {
    case DROP_FALSE:
      if (!(dropped = (*value)->kind == HLO_MLIR_BOOL && !(*value)->integer)) *value = hlo_bytecode_new_attribute(b, HLO_MLIR_UNIT);
      break;
    case DROP_EMPTY: dropped = is_empty(*value); break;
    case DROP_DEFAULT: dropped = is_default(*value); break;
    case DROP_ZERO: dropped = (*value)->kind == HLO_MLIR_INT && (*value)->integer == 0; break;
    case TO_SYMBOL: *value = to_symbol(b, *value); break;
    case TO_SYMBOLS:
      if (!(dropped = is_empty(*value))) *value = to_symbols(b, op->at, *value);
      break;
    case TO_NUMBER: *value = to_number(b, *value); break;
  }
  if (dropped) drop(op->named, (*i)--);
  else if (!*value) return false;
  return true;
}

static bool apply_rules(hlo_bytecode *b, hlo_vhlo_op *op, const char *attributes) {
  for (int i = 0; i < op->named->count; i++) {
    hlo_span name = entry(op->named, i)->name;
    if (!hlo_form_has_name(attributes, name)) continue; /* an attribute that the operation does not define */
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
      if (hlo_span_is(name, rules[k].name)) {
        if (!apply_rule(b, op, &i, rules[k].action)) return false;
        break;
      }
  }
  return true;
}

/* ---- Several attributes that become one ---- */

/* Attributes of the operation that are fields of a structure (bytecode_fields.c) become one attribute, `into`. */
typedef struct grouping {
  const char *op, *into, *mnemonic;
} grouping;

static const grouping groupings[] = {
    {"stablehlo.dot_general", "dot_dimension_numbers", "stablehlo.dot"},
    {"stablehlo.dot_general", "algorithm", "stablehlo.dot_algorithm"},
    {"stablehlo.gather", "dimension_numbers", "stablehlo.gather"},
    {"stablehlo.dynamic_gather", "dimension_numbers", "stablehlo.gather"},
    {"stablehlo.scatter", "scatter_dimension_numbers", "stablehlo.scatter"},
};
enum { MOST_MEMBERS = 8 };

static bool gather_members(hlo_bytecode *b, hlo_vhlo_op *op, const grouping *g) {
  const char *fields = hlo_bytecode_fields_of(g->mnemonic);
  hlo_mlir_named members[MOST_MEMBERS];
  int count = 0;
  for (int i = 0; i < op->named->count; i++)
    if (count < MOST_MEMBERS && hlo_form_has_name(fields, entry(op->named, i)->name)) {
      members[count++] = *entry(op->named, i);
      drop(op->named, i--);
    }
  bool none = strcmp(g->into, "algorithm") == 0; /* an algorithm whose types are all none means that there is none */
  for (int i = 0; i < count && none; i++)
    if (members[i].value->kind == HLO_MLIR_TYPE && members[i].value->type->kind != HLO_MLIR_OTHER) none = false;
  return none || put(b, op->named, g->into, hlo_bytecode_dict(b, (hlo_span){g->mnemonic, strlen(g->mnemonic)}, members, count));
}

/* Makes a channel handle from channel_id and, for send and recv, channel_type. For collective operations 0 means no channel. */
static bool gather_channel(hlo_bytecode *b, hlo_vhlo_op *op) {
  const hlo_mlir_attribute *id = look_up(op->named, "channel_id"), *type = look_up(op->named, "channel_type");
  if (!id) return true;
  drop_name(op->named, "channel_id");
  drop_name(op->named, "channel_type");
  if (!type && id->integer <= 0) return true;
  hlo_mlir_named members[2] = {hlo_bytecode_named("handle", id), hlo_bytecode_named("type", type ? type : hlo_bytecode_integer(b, 1))};
  return put(b, op->named, "channel_handle", hlo_bytecode_dict(b, (hlo_span){"stablehlo.channel_handle", 24}, members, 2));
}

/* ---- Convolutions: nine attributes become [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] ---- */

static bool place(int64_t labels[HLO_MAX_RANK], int rank, int64_t dimension, int64_t label) {
  if (dimension < 0 || dimension >= rank || labels[dimension] != INT64_MIN) return false;
  labels[dimension] = label;
  return true;
}

/* Writes one of the three lists. In `labels`, the letter b is -'b'. */
static bool write_labels(hlo_bytecode *b, hlo_vhlo_op *op, hlo_writer *writer, const char *side, const char *first, const char *second, char letters[2]) {
  char names[3][48];
  int64_t labels[HLO_MAX_RANK];
  hlo_format(names[0], sizeof names[0], "%s_%s_dimension", side, first);
  hlo_format(names[1], sizeof names[1], "%s_%s_dimension", side, second);
  hlo_format(names[2], sizeof names[2], "%s_spatial_dimensions", side);
  const hlo_mlir_attribute *spatial = look_up(op->named, names[2]);
  bool ok = spatial && spatial->kind == HLO_MLIR_DENSE && hlo_type_is_integral(spatial->literal->shape->type);
  int64_t count = ok ? hlo_shape_element_count(spatial->literal->shape) : 0;
  ok = ok && count <= HLO_MAX_RANK - 2;
  int rank = (int)count + 2;
  for (int i = 0; i < HLO_MAX_RANK; i++) labels[i] = INT64_MIN;
  for (int i = 0; i < 2 && ok; i++) {
    const hlo_mlir_attribute *dimension = look_up(op->named, names[i]);
    ok = dimension && dimension->kind == HLO_MLIR_INT && place(labels, rank, dimension->integer, -letters[i]);
  }
  for (int i = 0; i < count && ok; i++) ok = place(labels, rank, hlo_literal_get(spatial->literal, i).s, i);
  if (!ok) return hlo_bytecode_fail(b, op->at, HLO_SHAPE, "%s's dimensions are not %d different ones", side, rank);
  for (int i = 0; i < rank; i++) {
    hlo_write(writer, i ? ", " : "[");
    if (labels[i] < 0) hlo_write_char(writer, (char)-labels[i]);
    else hlo_write_int(writer, labels[i]);
  }
  hlo_write(writer, "]");
  for (int i = 0; i < 3; i++) drop_name(op->named, names[i]);
  return true;
}

bool hlo_vhlo_gather_convolution(hlo_bytecode *b, hlo_vhlo_op *op) {
  hlo_writer writer;
  hlo_writer_init(&writer, b->status);
  bool ok = write_labels(b, op, &writer, "input", "batch", "feature", "bf");
  hlo_write(&writer, "x");
  ok = ok && write_labels(b, op, &writer, "kernel", "input_feature", "output_feature", "io");
  hlo_write(&writer, "->");
  ok = ok && write_labels(b, op, &writer, "output", "batch", "feature", "bf");
  hlo_span text;
  ok = hlo_writer_keep(&writer, b->arena, &text) && ok;
  return ok && put(b, op->named, "dimension_numbers", hlo_bytecode_word(b, HLO_MLIR_CONV, text.text));
}

/* Up to 0.19, dynamic_conv had padding as an operand, and also as an attribute that had no effect. */
static bool drop_dynamic_padding(hlo_bytecode *b, hlo_vhlo_op *op) {
  const hlo_mlir_attribute *padding = look_up(op->named, "padding");
  if (!padding) return true;
  int64_t count = padding->kind == HLO_MLIR_DENSE ? hlo_shape_element_count(padding->literal->shape) : 0;
  for (int64_t i = 0; i < count; i++)
    if (hlo_literal_get(padding->literal, i).s) return hlo_bytecode_fail(b, op->at, HLO_UNSUPPORTED, "dynamic_conv_v1 with padding as an attribute");
  drop_name(op->named, "padding");
  return true;
}

/* ---- One operation ---- */

static bool convert_function(hlo_bytecode *b, hlo_vhlo_op *op) {
  const hlo_mlir_attribute *name = look_up(op->named, "sym_name"), *type = look_up(op->named, "function_type");
  if (!name || name->kind != HLO_MLIR_STRING || name->text.length == 0) return hlo_bytecode_fail(b, op->at, HLO_PARSE, "a function without a name");
  if (!type || type->kind != HLO_MLIR_TYPE || type->type->kind != HLO_MLIR_FUNCTION) return hlo_bytecode_fail(b, op->at, HLO_PARSE, "function @%s without a type", name->text.text);
  int visibility = position(op->named, "sym_visibility");
  if (visibility >= 0 && entry(op->named, visibility)->value->text.length) return true;
  drop_name(op->named, "sym_visibility");
  return put(b, op->named, "sym_visibility", hlo_bytecode_word(b, HLO_MLIR_STRING, "public"));
}

static bool check_present(hlo_bytecode *b, hlo_vhlo_op *op, const char *attributes) {
  while (*attributes) {
    hlo_span wanted = hlo_form_next_name(&attributes);
    int i = 0;
    while (i < op->named->count && !hlo_span_equal(entry(op->named, i)->name, wanted)) i++;
    if (i == op->named->count)
      return hlo_bytecode_fail(b, op->at, HLO_PARSE, "%s requires the attribute %pN", op->op->full.text, &wanted);
  }
  return true;
}

bool hlo_vhlo_convert(hlo_bytecode *b, hlo_vhlo_op *op) {
  const char *attributes = op->op->attributes;
  if (!attributes)
    return hlo_bytecode_fail(b, op->at, HLO_UNSUPPORTED, "%s is no operation of any version known here", op->op->full.text);
  if (!check_present(b, op, attributes) || !apply_rules(b, op, attributes) || !gather_channel(b, op)) return false;
  op->name = op->op->stable;
  for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++)
    if (hlo_span_is(op->name, groupings[i].op) && !gather_members(b, op, &groupings[i])) return false;
  if (hlo_span_is(op->name, "func.func")) return convert_function(b, op);
  bool dynamic = hlo_span_is(op->name, "stablehlo.dynamic_conv");
  if (dynamic && !drop_dynamic_padding(b, op)) return false;
  if (dynamic || hlo_span_is(op->name, "stablehlo.convolution")) return hlo_vhlo_gather_convolution(b, op);
  if (op->in_function && hlo_span_is(op->name, "stablehlo.return")) op->name = (hlo_span){"func.return", 11};
  return true;
}
