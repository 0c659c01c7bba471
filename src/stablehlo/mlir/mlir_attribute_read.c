/* Reads attributes of MLIR text: numbers, strings, lists, dictionaries, and the dialects' own #name<...>. */
#include <string.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_conv_numbers.h"
#include "stablehlo/mlir/mlir_reader.h"

hlo_mlir_attribute *hlo_mlir_new_attribute(hlo_mlir_reader *r, hlo_mlir_attribute_kind kind) {
  hlo_mlir_attribute *attribute = hlo_arena_new(r->arena, hlo_mlir_attribute, r->status);
  if (attribute) attribute->kind = kind;
  return attribute;
}

bool hlo_mlir_push_named(hlo_mlir_reader *r, hlo_list *named, const char *name, const hlo_mlir_attribute *value) {
  hlo_mlir_named entry = {{name, strlen(name)}, value};
  return value && hlo_list_push(named, &entry, r->status);
}

/* Returns why the number cannot have the type that was given; NULL if it can. */
static const char *number_problem(const hlo_mlir_attribute *a, bool negative) {
  if (a->type->kind != HLO_MLIR_SCALAR || a->type->is_index || !hlo_type_is_integral(a->type->element)) return NULL;
  int bits = hlo_type_bits(a->type->element);
  if (a->kind == HLO_MLIR_FLOAT) return "a float stands where the type says an integer";
  if (negative && hlo_type_is_unsigned(a->type->element)) return "a negative number stands where the type says an unsigned one";
  if (bits >= 64 || (negative && a->integer >= -((int64_t)1 << (bits - 1)))) return NULL;
  return !negative && (uint64_t)a->integer >> bits == 0 ? NULL : "the integer does not fit the type behind it";
}

/* Reads 1, -1 : i64, 1.0e-5 : f32, 0x7FC00000 : f32 */
static const hlo_mlir_attribute *read_number(hlo_mlir_reader *r) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_INT);
  if (!attribute) return NULL;
  const char *p = r->text.cursor, *end = r->text.end, *where = p;
  bool negative = *p == '-', hex = false, is_real = false;
  if (negative) p++;
  if (end - p > 2 && p[0] == '0' && p[1] == 'x') hex = true;
  for (const char *q = p; !hex && q < end && ((*q >= '0' && *q <= '9') || *q == '.' || *q == 'e' || *q == 'E' || *q == '-' || *q == '+'); q++)
    if (*q == '.' || *q == 'e' || *q == 'E') is_real = true;
  if (hex) {
    uint64_t bits;
    r->text.cursor = p;
    if (!hlo_mlir_read_hex(r, &bits)) return NULL;
    attribute->integer = (int64_t)(negative ? 0 - bits : bits);
  } else if (is_real) {
    attribute->kind = HLO_MLIR_FLOAT;
    if (!hlo_reader_double(&r->text, &attribute->real)) return NULL;
  } else if (negative ? !hlo_reader_int(&r->text, &attribute->integer) : !hlo_reader_uint(&r->text, (uint64_t *)&attribute->integer)) {
    return NULL;
  }
  if (hlo_reader_accept(&r->text, ":")) {
    if (!(attribute->type = hlo_mlir_read_type(r))) return NULL;
  } else {
    attribute->type = hlo_mlir_scalar_type(r, is_real ? HLO_TYPE_F64 : HLO_TYPE_S64);
  }
  if (!attribute->type) return NULL;
  const char *problem = number_problem(attribute, negative);
  if (problem) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "%s", problem), NULL;
  if (attribute->type->kind == HLO_MLIR_SCALAR && hlo_type_is_float(attribute->type->element) && !is_real) {
    attribute->kind = HLO_MLIR_FLOAT;
    if (!hex) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "an integer stands where the type says a float"), NULL;
    attribute->real = hlo_float_decode(attribute->type->element, (uint64_t)attribute->integer);
  }
  return attribute;
}

static const hlo_mlir_attribute *read_list(hlo_mlir_reader *r) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_ARRAY);
  hlo_list elements = {.size = sizeof(const hlo_mlir_attribute *)};
  bool ok = attribute && hlo_reader_expect(&r->text, "[");
  while (ok && hlo_reader_peek(&r->text) != ']') {
    ok = elements.count == 0 || hlo_reader_expect(&r->text, ",");
    const hlo_mlir_attribute *element = ok ? hlo_mlir_read_attribute(r) : NULL;
    ok = element && hlo_list_push(&elements, &element, r->status);
  }
  ok = ok && hlo_reader_expect(&r->text, "]");
  if (ok) {
    attribute->count = elements.count;
    ok = (attribute->elements = hlo_list_take(&elements, r->arena, r->status)) != NULL;
  }
  hlo_list_drop(&elements);
  return ok ? attribute : NULL;
}

/* Reads a name or "name", then "= value", or nothing (a unit). */
static bool read_entry(hlo_mlir_reader *r, hlo_list *named) {
  hlo_mlir_named entry = {{0}, NULL};
  if (hlo_reader_peek(&r->text) == '"') {
    if (!hlo_mlir_read_string(r, &entry.name)) return false;
  } else {
    hlo_span name = hlo_mlir_read_bare(r);
    if (!name.length) return hlo_reader_fail(&r->text, "expected the name of an attribute");
    entry.name = hlo_mlir_keep(r, name);
  }
  for (int i = 0; i < named->count; i++) {
    hlo_span other = ((hlo_mlir_named *)named->items)[i].name;
    if (hlo_span_equal(other, entry.name))
      return hlo_reader_fail(&r->text, "attribute '%.*s' is given twice", (int)other.length, other.text);
  }
  entry.value = hlo_reader_accept(&r->text, "=") ? hlo_mlir_read_attribute(r) : hlo_mlir_new_attribute(r, HLO_MLIR_UNIT);
  return entry.value && hlo_list_push(named, &entry, r->status);
}

static bool read_entries(hlo_mlir_reader *r, const char *close, hlo_list *named) {
  bool first = true;
  while (!hlo_reader_accept(&r->text, close)) {
    if (!hlo_ok(r->status) || (!first && !hlo_reader_expect(&r->text, ","))) return false;
    if (*close == '>' && !first && hlo_reader_accept(&r->text, close)) return true; /* a comma before the end: #stablehlo.scatter<..., > */
    if (!read_entry(r, named)) return false;
    first = false;
  }
  return true;
}

bool hlo_mlir_read_dictionary(hlo_mlir_reader *r, hlo_list *named) {
  return hlo_reader_expect(&r->text, "{") && read_entries(r, "}", named);
}

static const hlo_mlir_attribute *make_dict(hlo_mlir_reader *r, const hlo_list *named) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_DICT);
  hlo_span *names = hlo_arena_many(r->arena, hlo_span, named->count, r->status);
  const hlo_mlir_attribute **elements = hlo_arena_many(r->arena, const hlo_mlir_attribute *, named->count, r->status);
  if (!attribute || !names || !elements) return NULL;
  for (int i = 0; i < named->count; i++) {
    names[i] = ((hlo_mlir_named *)named->items)[i].name;
    elements[i] = ((hlo_mlir_named *)named->items)[i].value;
  }
  attribute->count = named->count;
  attribute->names = names;
  attribute->elements = elements;
  return attribute;
}

static const hlo_mlir_attribute *read_dict(hlo_mlir_reader *r, const char *close) {
  hlo_list named = {.size = sizeof(hlo_mlir_named)};
  const hlo_mlir_attribute *attribute = read_entries(r, close, &named) ? make_dict(r, &named) : NULL;
  hlo_list_drop(&named);
  return attribute;
}

/* Returns whether this is a structured attribute of StableHLO or CHLO: #dialect.mnemonic<name = value, ...>. */
static bool is_structured(hlo_span name) {
  static const char *const mnemonics[] = {
      "stablehlo.dot", "stablehlo.gather", "stablehlo.scatter", "stablehlo.channel_handle", "chlo.ragged_dot",
      "stablehlo.output_operand_alias", "stablehlo.result_accuracy", "stablehlo.dot_algorithm", "chlo.result_accuracy",
      "stablehlo.type_extensions", "stablehlo.replica_group_mesh_axes", "mhlo.channel_handle", "mhlo.dot",
      "mhlo.gather", "mhlo.scatter", "chlo.ragged_dot_dimension_numbers"};
  for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
    if (hlo_span_is(name, mnemonics[i])) return true;
  return false;
}

/* Returns the word of an enumeration's body: "EQ", or "comparison_direction EQ". */
static hlo_span enum_value(hlo_span body) {
  if (!body.length) return body;
  const char *end = body.text + body.length;
  while (end > body.text && end[-1] == ' ') end--;
  const char *start = end;
  while (start > body.text && start[-1] != ' ') start--;
  return (hlo_span){start, (size_t)(end - start)};
}

/* The enumerations of StableHLO and CHLO, and their words. */
static const char *const enums[][2] = {
    {"precision", " DEFAULT HIGH HIGHEST PACKED_NIBBLE "}, {"comparison_direction", " EQ NE GE GT LE LT "},
    {"comparison_type", " NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED "}, {"fft_type", " FFT IFFT RFFT IRFFT "},
    {"transpose", " TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT "}, {"rng_distribution", " UNIFORM NORMAL "},
    {"rng_algorithm", " DEFAULT THREE_FRY PHILOX "}, {"result_accuracy_mode", " DEFAULT HIGHEST TOLERANCE "}};
enum { ENUMS = sizeof enums / sizeof *enums };

/* Returns whether the list has the word, and offers its words. */
static bool has_word(const char *words, hlo_span wanted, hlo_nearest_name *nearest) {
  *nearest = (hlo_nearest_name){.name = wanted};
  for (hlo_span word; *++words; words += word.length) {
    word = (hlo_span){words, strcspn(words, " ")};
    if (hlo_span_equal(word, wanted)) return true;
    hlo_nearest_name_offer(nearest, word);
  }
  return false;
}

/* Checks that an enumeration of StableHLO or CHLO has the word. Those of mhlo are not checked. */
static const char *enum_problem(hlo_span name, hlo_span body, hlo_nearest_name *nearest) {
  if (memchr(name.text, '.', name.length) || name.text[0] == 'm' || !body.length) return NULL;
  size_t length = 0;
  while (length < body.length && body.text[length] != ' ') length++;
  for (size_t i = 0; i < ENUMS; i++)
    if (hlo_span_is((hlo_span){body.text, length}, enums[i][0]))
      return has_word(enums[i][1], enum_value(body), nearest) ? NULL : enums[i][1] + 1;
  *nearest = (hlo_nearest_name){.name = {body.text, length}};
  for (size_t i = 0; i < ENUMS; i++) hlo_nearest_name_offer(nearest, hlo_span_of(enums[i][0]));
  return hlo_span_is((hlo_span){body.text, length}, "value") ? NULL : "";
}

bool hlo_mlir_check_word(hlo_mlir_reader *r, const char *attribute, const char *enumeration) {
  hlo_reader ahead = r->text;
  hlo_span word = hlo_reader_name(&ahead);
  hlo_nearest_name nearest;
  for (size_t i = 0; i < ENUMS && word.length; i++)
    if (strcmp(enumeration, enums[i][0]) == 0 && !has_word(enums[i][1], word, &nearest))
      return hlo_reader_fail_at(&r->text, word.text, HLO_PARSE, "%.*s is no value of %s%s", word.length > 40 ? 40 : (int)word.length, word.text,
                                attribute, HLO_DID_YOU_MEAN(&nearest, ""));
  return true;
}

const hlo_mlir_attribute *hlo_mlir_read_structure(hlo_mlir_reader *r, const char *where, hlo_span name) {
  hlo_mlir_attribute *dict = (hlo_mlir_attribute *)read_dict(r, ">");
  if (!dict) return NULL;
  dict->text = name;
  const char *problem = hlo_mlir_attribute_problem(dict);
  if (problem) hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "#%.*s %s", (int)name.length, name.text, problem);
  return problem ? NULL : dict;
}

static const hlo_mlir_attribute *read_dialect(hlo_mlir_reader *r) {
  const char *where = r->text.cursor++;
  hlo_span name = hlo_mlir_read_suffix(r), body = {0};
  for (int i = 0; i < r->alias_count; i++)
    if (r->aliases[i].attribute && hlo_span_equal(r->aliases[i].name, name))
      return r->aliases[i].attribute;
  name = hlo_mlir_keep(r, name);
  bool has_body = r->text.cursor < r->text.end && *r->text.cursor == '<';
  if (!has_body && !memchr(name.text, '.', name.length))
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "there is no alias #%.*s", (int)name.length, name.text), NULL;
  if (has_body && is_structured(name)) {
    r->text.cursor++;
    return hlo_mlir_read_structure(r, where, name);
  }
  if (has_body && (r->text.cursor++, !hlo_mlir_read_angle(r, &body))) return NULL;
  bool is_bounds = hlo_span_is(name, "stablehlo.bounds");
  bool is_enum = hlo_span_is(name, "stablehlo") || hlo_span_is(name, "chlo") || hlo_span_is(name, "mhlo") ||
                 (hlo_span_begins(name, "stablehlo.") && !is_bounds) || hlo_span_begins(name, "chlo.");
  bool is_conv = hlo_span_is(name, "stablehlo.conv") || hlo_span_is(name, "mhlo.conv") || hlo_span_is(name, "stablehlo.conv_dimension_numbers");
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, is_conv ? HLO_MLIR_CONV : is_enum ? HLO_MLIR_ENUM : HLO_MLIR_RAW);
  if (!attribute) return NULL;
  const char *place = where, *problem = is_conv ? hlo_mlir_conv_problem(body, &place) : NULL;
  if (problem) return hlo_reader_fail_at(&r->text, place, HLO_PARSE, "dimension numbers: %s", problem), NULL;
  if (attribute->kind == HLO_MLIR_RAW) body = (hlo_span){where, (size_t)(r->text.cursor - where)};
  if (attribute->kind == HLO_MLIR_ENUM) {
    hlo_nearest_name nearest = {.name = body};
    const char *words = enum_problem(name, body, &nearest);
    if (words) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, *words ? "#%.*s<%.*s>: expected one of %.*s%s" : "there is no #%.*s<%.*s>%.*s%s",
                                         (int)name.length, name.text, (int)body.length, body.text, (int)strlen(words) - (*words != 0), words,
                                         HLO_DID_YOU_MEAN(&nearest, "")), NULL;
    body = enum_value(body);
  }
  attribute->text = hlo_mlir_keep(r, body);
  return attribute;
}

static const hlo_mlir_attribute *read_text(hlo_mlir_reader *r, bool symbol) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, symbol ? HLO_MLIR_SYMBOL : HLO_MLIR_STRING);
  bool ok = attribute && (symbol ? hlo_mlir_read_symbol(r, &attribute->text) : hlo_mlir_read_string(r, &attribute->text));
  if (ok && !symbol && hlo_reader_accept(&r->text, ":")) ok = (attribute->type = hlo_mlir_read_type(r)) != NULL;
  return ok ? attribute : NULL;
}

static const hlo_mlir_attribute *read_word(hlo_mlir_reader *r) {
  const char *where = r->text.cursor;
  hlo_span word = hlo_mlir_read_bare(r);
  hlo_mlir_attribute *attribute;
  if (hlo_span_is(word, "dense")) return hlo_mlir_read_dense(r, where);
  if (hlo_span_is(word, "array")) return hlo_mlir_read_array(r);
  if (hlo_span_is(word, "unit")) return hlo_mlir_new_attribute(r, HLO_MLIR_UNIT);
  if (hlo_span_is(word, "true") || hlo_span_is(word, "false")) {
    if ((attribute = hlo_mlir_new_attribute(r, HLO_MLIR_BOOL))) attribute->integer = hlo_span_is(word, "true");
    return attribute;
  }
  if (hlo_span_is(word, "sparse")) return hlo_mlir_read_sparse(r, where);
  if (hlo_span_is(word, "dense_resource")) return hlo_mlir_read_resource(r);
  bool distinct = hlo_span_is(word, "distinct");
  if (distinct || hlo_span_is(word, "loc") || hlo_span_is(word, "affine_map") || hlo_span_is(word, "affine_set") || hlo_span_is(word, "strided")) {
    hlo_span body;
    if (distinct && hlo_reader_peek(&r->text) != '[') return hlo_reader_fail(&r->text, "expected '[' and a number"), NULL;
    if (distinct && !hlo_reader_balanced(&r->text, &body)) return NULL;
    if (hlo_reader_peek(&r->text) == '<' ? (r->text.cursor++, hlo_mlir_read_angle(r, &body)) : hlo_reader_balanced(&r->text, &body)) {
      if ((attribute = hlo_mlir_new_attribute(r, HLO_MLIR_RAW)))
        attribute->text = hlo_mlir_keep(r, (hlo_span){where, (size_t)(r->text.cursor - where)});
      return attribute;
    }
    return NULL;
  }
  r->text.cursor = where;
  attribute = hlo_mlir_new_attribute(r, HLO_MLIR_TYPE);
  return attribute && (attribute->type = hlo_mlir_read_type(r)) ? attribute : NULL;
}

const hlo_mlir_attribute *hlo_mlir_read_attribute(hlo_mlir_reader *r) {
  if (!hlo_reader_enter(&r->text)) return NULL;
  const hlo_mlir_attribute *attribute;
  char c = hlo_reader_peek(&r->text);
  if (c == '"' || c == '@') attribute = read_text(r, c == '@');
  else if (c == '[') attribute = read_list(r);
  else if (c == '{') r->text.cursor++, attribute = read_dict(r, "}");
  else if (c == '#') attribute = read_dialect(r);
  else if (c == '-' || (c >= '0' && c <= '9')) attribute = read_number(r);
  else attribute = read_word(r);
  hlo_reader_leave(&r->text);
  return attribute;
}
