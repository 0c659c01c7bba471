/* Custom assembly: the types behind the colon, and small parts that many ops share. */
#include <string.h>

#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_pretty.h"
#include "stablehlo/mlir/mlir_reader.h"

bool hlo_pretty_push_result(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *type) {
  return type && hlo_list_push(&p->result_types, &type, r->status);
}

const hlo_mlir_type *hlo_pretty_operand_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i) {
  return r->tree->values[((int *)p->operands.items)[i]].type;
}

static bool same_type(const hlo_mlir_type *a, const hlo_mlir_type *b) {
  return a->kind == b->kind && (a->kind != HLO_MLIR_SHAPED || hlo_shape_compatible(a->shape, b->shape));
}

bool hlo_pretty_expect_type(hlo_mlir_reader *r, hlo_mlir_pending *p, int i, const hlo_mlir_type *written) {
  const hlo_mlir_type *type = hlo_pretty_operand_type(r, p, i);
  if (same_type(type, written)) return true;
  return hlo_reader_fail_at(&r->text, p->where, HLO_SHAPE, "%.*s: operand %d is written as %.*s, but its type is %.*s", (int)p->op.name.length,
                            p->op.name.text, i, (int)written->text.length, written->text.text, (int)type->text.length, type->text.text);
}

/* Takes one type for every operand and the result. */
static bool take_same_type(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *type) {
  bool complex = hlo_span_is(p->op.name, "stablehlo.complex");
  for (int i = 0; i < p->operands.count && !complex; i++)
    if (!hlo_pretty_expect_type(r, p, i, type)) return false;
  return hlo_pretty_push_result(r, p, type);
}

/* Reads A, B -> C: a function type without parentheses, as CHLO writes it. */
static bool take_arrow_types(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *type) {
  hlo_mlir_type function = {.kind = HLO_MLIR_FUNCTION};
  hlo_list inputs = {.size = sizeof type}, results = {.size = sizeof type};
  bool ok = hlo_list_push(&inputs, &type, r->status);
  while (ok && hlo_reader_accept(&r->text, ",")) ok = (type = hlo_mlir_read_type(r)) && hlo_list_push(&inputs, &type, r->status);
  ok = ok && hlo_reader_expect(&r->text, "->");
  bool many = ok && hlo_reader_accept(&r->text, "(");
  do {
    ok = ok && (type = hlo_mlir_read_type(r)) && hlo_list_push(&results, &type, r->status);
  } while (ok && many && hlo_reader_accept(&r->text, ","));
  ok = ok && (!many || hlo_reader_expect(&r->text, ")"));
  function.input_count = inputs.count;
  function.inputs = inputs.items;
  function.result_count = results.count;
  function.results = results.items;
  ok = ok && hlo_mlir_take_types(r, p, &function);
  hlo_list_drop(&inputs);
  hlo_list_drop(&results);
  return ok;
}

bool hlo_pretty_types(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_reader_expect(&r->text, ":")) return false;
  if (hlo_reader_peek(&r->text) == '(') {
    const char *where = r->text.cursor;
    hlo_span group; /* the parenthesis begins a function type, or only a list of types */
    if (!hlo_reader_balanced(&r->text, &group)) return false;
    bool function = hlo_reader_accept(&r->text, "->");
    r->text.cursor = where;
    if (function) return hlo_mlir_take_types(r, p, hlo_mlir_read_function_type(r));
  }
  const hlo_mlir_type *type = hlo_mlir_read_type(r);
  if (!type) return false;
  char c = hlo_reader_peek(&r->text);
  return c == '-' || c == ',' ? take_arrow_types(r, p, type) : take_same_type(r, p, type);
}

/* Reads the types of the operands. `results`: the results have the same types; otherwise there are no results. */
bool hlo_pretty_operand_types(hlo_mlir_reader *r, hlo_mlir_pending *p, bool results) {
  if (p->operands.count == 0) return !hlo_reader_accept(&r->text, ":") || hlo_reader_expect(&r->text, "()");
  const char *colon = r->text.cursor;
  if (!hlo_reader_expect(&r->text, ":")) return false;
  if (results && hlo_reader_peek(&r->text) == '(') {
    r->text.cursor = colon;
    return hlo_pretty_types(r, p);
  }
  for (int i = 0; i < p->operands.count; i++) {
    const hlo_mlir_type *type = i && !hlo_reader_expect(&r->text, ",") ? NULL : hlo_mlir_read_type(r);
    if (!type || !hlo_pretty_expect_type(r, p, i, type) || (results && !hlo_pretty_push_result(r, p, type))) return false;
  }
  return true;
}

bool hlo_pretty_attributes(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  return hlo_reader_peek(&r->text) != '{' || hlo_mlir_read_dictionary(r, &p->named);
}

/* Reads a word such as EQ or RFFT as an enum attribute. */
bool hlo_pretty_push_word(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name) {
  hlo_span word = hlo_mlir_read_bare(r);
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_ENUM);
  if (!word.length) return hlo_reader_fail(&r->text, "expected a value for %s", name);
  if (attribute) attribute->text = hlo_mlir_keep(r, word);
  return hlo_mlir_push_named(r, &p->named, name, attribute);
}

bool hlo_pretty_push_attribute(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name) {
  return hlo_mlir_push_named(r, &p->named, name, hlo_mlir_read_attribute(r));
}

/* Reads the value of "keyword = value". A colon behind a number or a string does not belong to it but to the operation. */
const hlo_mlir_attribute *hlo_pretty_value(hlo_mlir_reader *r) {
  char c = hlo_reader_peek(&r->text);
  if (c == '"') {
    hlo_mlir_attribute *text = hlo_mlir_new_attribute(r, HLO_MLIR_STRING);
    return text && hlo_mlir_read_string(r, &text->text) ? text : NULL;
  }
  if (c != '-' && (c < '0' || c > '9')) return hlo_mlir_read_attribute(r);
  const char *where = r->text.cursor;
  double real;
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_INT);
  if (!attribute || !hlo_reader_double(&r->text, &real)) return NULL;
  for (const char *q = where; q < r->text.cursor; q++)
    if (*q == '.' || *q == 'e') attribute->kind = HLO_MLIR_FLOAT;
  attribute->real = real;
  attribute->type = hlo_mlir_scalar_type(r, attribute->kind == HLO_MLIR_INT ? HLO_TYPE_S64 : HLO_TYPE_F64);
  if (attribute->kind == HLO_MLIR_FLOAT) return attribute;
  r->text.cursor = where;
  bool ok = c == '-' ? hlo_reader_int(&r->text, &attribute->integer) : hlo_reader_uint(&r->text, (uint64_t *)&attribute->integer);
  return ok ? attribute : NULL;
}

/* Reads name = value. */
bool hlo_pretty_push_keyword(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_span name = hlo_mlir_read_bare(r);
  hlo_mlir_named entry = {hlo_mlir_keep(r, name), NULL};
  if (!name.length) return hlo_reader_fail(&r->text, "expected name = value");
  return hlo_reader_expect(&r->text, "=") && (entry.value = hlo_pretty_value(r)) && hlo_list_push(&p->named, &entry, r->status);
}
