/* Custom assembly of ops that have a syntax of their own. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_pretty.h"
#include "stablehlo/mlir/mlir_reader.h"

bool hlo_pretty_constant(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_pretty_attributes(r, p)) return false;
  bool generic = hlo_reader_peek(&r->text) == '(';
  const char *where = r->text.cursor;
  if (generic) { /* generic form: () <{value = ...}> : () -> T */
    if (!hlo_reader_expect(&r->text, "()")) return false;
    if (hlo_reader_accept(&r->text, "<{")) {
      r->text.cursor--;
      if (!hlo_mlir_read_dictionary(r, &p->named) || !hlo_reader_expect(&r->text, ">")) return false;
    }
    return hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
  }
  const hlo_mlir_attribute *value = hlo_mlir_read_attribute(r);
  if (!hlo_mlir_push_named(r, &p->named, "value", value)) return false;
  if (hlo_reader_accept(&r->text, ":")) return hlo_pretty_push_result(r, p, hlo_mlir_read_type(r));
  if (!value->type) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "expected a constant with a type");
  return hlo_pretty_push_result(r, p, value->type);
}

/* Reads EQ, %a, %b, FLOAT : types */
bool hlo_pretty_compare(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_pretty_push_word(r, p, "comparison_direction") || !hlo_reader_expect(&r->text, ",") || !hlo_mlir_read_operand(r, p) ||
      !hlo_reader_expect(&r->text, ",") || !hlo_mlir_read_operand(r, p))
    return false;
  if (hlo_reader_accept(&r->text, ",") && (!hlo_mlir_check_word(r, "compare_type", "comparison_type") || !hlo_pretty_push_word(r, p, "compare_type")))
    return false;
  return hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Reads select %p, %a, %b : pred type, type */
bool hlo_pretty_select(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_mlir_read_operands(r, p) || !hlo_pretty_attributes(r, p) || !hlo_reader_expect(&r->text, ":")) return false;
  if (hlo_reader_peek(&r->text) == '(') return hlo_mlir_take_types(r, p, hlo_mlir_read_function_type(r));
  const hlo_mlir_type *pred = hlo_mlir_read_type(r);
  const hlo_mlir_type *type = pred && hlo_reader_expect(&r->text, ",") ? hlo_mlir_read_type(r) : NULL;
  if (!type || p->operands.count != 3) return hlo_reader_fail_at(&r->text, p->where, HLO_PARSE, "select has three operands and two types");
  return hlo_pretty_expect_type(r, p, 0, pred) && hlo_pretty_expect_type(r, p, 1, type) && hlo_pretty_push_result(r, p, type);
}

/* Reads slice %a [0:2, 0:4:2] */
bool hlo_pretty_slice(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  static const char *const names[3] = {"start_indices", "limit_indices", "strides"};
  hlo_list parts[3] = {{.size = 8}, {.size = 8}, {.size = 8}};
  bool ok = hlo_mlir_read_operand(r, p) && hlo_reader_expect(&r->text, "[");
  bool first = true;
  while (ok && !hlo_reader_accept(&r->text, "]")) {
    int64_t start, limit, stride = 1;
    ok = (first || hlo_reader_expect(&r->text, ",")) && hlo_reader_int(&r->text, &start) && hlo_reader_expect(&r->text, ":") &&
         hlo_reader_int(&r->text, &limit) && (!hlo_reader_accept(&r->text, ":") || hlo_reader_int(&r->text, &stride)) &&
         hlo_list_push(&parts[0], &start, r->status) && hlo_list_push(&parts[1], &limit, r->status) && hlo_list_push(&parts[2], &stride, r->status);
    first = false;
  }
  for (int k = 0; k < 3; k++) {
    int64_t count = parts[k].count;
    const hlo_shape *shape = ok ? hlo_shape_make(r->arena, HLO_TYPE_S64, &count, 1, r->status) : NULL;
    hlo_mlir_attribute *attribute = shape ? hlo_mlir_new_attribute(r, HLO_MLIR_DENSE) : NULL;
    hlo_literal *literal = attribute ? hlo_literal_make(r->arena, shape, r->status) : NULL;
    if (literal && count) memcpy(literal->data, parts[k].items, (size_t)count * 8);
    if (attribute) attribute->literal = literal;
    ok = literal && hlo_mlir_push_named(r, &p->named, names[k], attribute);
    hlo_list_drop(&parts[k]);
  }
  return ok && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Reads get_tuple_element %t[0] */
bool hlo_pretty_get_tuple_element(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_attribute *index = hlo_mlir_new_attribute(r, HLO_MLIR_INT);
  return index && (index->type = hlo_mlir_scalar_type(r, HLO_TYPE_S32)) && hlo_mlir_read_operand(r, p) && hlo_reader_expect(&r->text, "[") && hlo_reader_int(&r->text, &index->integer) &&
         hlo_reader_expect(&r->text, "]") && hlo_mlir_push_named(r, &p->named, "index", index) && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Reads tuple %a, %b : tuple<A, B>;   optimization_barrier %a, %b : A, B;   return %a, %b : A, B */
bool hlo_pretty_tuple(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_mlir_read_operands(r, p) || !hlo_pretty_attributes(r, p) || !hlo_reader_expect(&r->text, ":")) return false;
  return hlo_pretty_push_result(r, p, hlo_mlir_read_type(r));
}
bool hlo_pretty_barrier(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  return hlo_pretty_attributes(r, p) && (hlo_reader_accept(&r->text, "()") || hlo_mlir_read_operands(r, p)) && hlo_pretty_attributes(r, p) && hlo_pretty_operand_types(r, p, true);
}
bool hlo_pretty_return(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  return hlo_mlir_read_operands(r, p) && hlo_pretty_attributes(r, p) && hlo_pretty_operand_types(r, p, false);
}

/* Reads custom_call @target(%a, %b) {attributes} : types;   call @f(%a) : types;   composite "name" %a, %b {...} : types */
bool hlo_pretty_call(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  bool custom = hlo_span_is(p->op.name, "stablehlo.custom_call");
  hlo_mlir_attribute *target = hlo_mlir_new_attribute(r, custom ? HLO_MLIR_STRING : HLO_MLIR_SYMBOL);
  return target && hlo_mlir_read_symbol(r, &target->text) && hlo_mlir_push_named(r, &p->named, custom ? "call_target_name" : "callee", target) &&
         hlo_reader_expect(&r->text, "(") && hlo_mlir_read_operands(r, p) && hlo_reader_expect(&r->text, ")") &&
         hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}
bool hlo_pretty_composite(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  return hlo_pretty_push_attribute(r, p, "name") && hlo_mlir_read_operands(r, p) && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Reads reduce_precision %a, format = e5m10 : type */
bool hlo_pretty_reduce_precision(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_mlir_read_operand(r, p) || !hlo_reader_expect(&r->text, ",") || !hlo_reader_accept_word(&r->text, "format") ||
      !hlo_reader_expect(&r->text, "="))
    return hlo_reader_fail(&r->text, "expected an operand and format = eXmY");
  hlo_span word = hlo_mlir_read_bare(r);
  hlo_mlir_attribute *exponent = hlo_mlir_new_attribute(r, HLO_MLIR_INT), *mantissa = hlo_mlir_new_attribute(r, HLO_MLIR_INT);
  if (!exponent || !mantissa || !(exponent->type = mantissa->type = hlo_mlir_scalar_type(r, HLO_TYPE_S32))) return false;
  hlo_mlir_attribute *part = NULL;
  for (size_t i = 0; i < word.length; i++) {
    char c = word.text[i];
    if (c == 'e' && !part) part = exponent;
    else if (c == 'm' && part == exponent) part = mantissa;
    else if (c >= '0' && c <= '9' && part && part->integer < 1000) part->integer = part->integer * 10 + (c - '0');
    else part = NULL;
    if (!part) break;
  }
  if (part != mantissa) return hlo_reader_fail_at(&r->text, word.text, HLO_PARSE, "expected a format like e5m10");
  return hlo_mlir_push_named(r, &p->named, "exponent_bits", exponent) && hlo_mlir_push_named(r, &p->named, "mantissa_bits", mantissa) &&
         hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Reads check.expect_eq_const %a, dense<...> : T [, tolerance = x];   check.expect_eq %a, %b : T */
bool hlo_pretty_check(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  char c;
  while (hlo_reader_peek(&r->text) == '%') {
    if (!hlo_mlir_read_operand(r, p)) return false;
    if (!hlo_reader_accept(&r->text, ",")) break;
  }
  bool constant = hlo_reader_peek(&r->text) == 'd';
  if (constant && !hlo_pretty_push_attribute(r, p, "value")) return false;
  bool more = constant ? hlo_reader_accept(&r->text, ",") : (c = hlo_reader_peek(&r->text)) >= 'a' && c <= 'z';
  while (more) {
    if (!hlo_pretty_push_keyword(r, p)) return false;
    more = hlo_reader_accept(&r->text, ",");
  }
  if (!hlo_pretty_attributes(r, p)) return false;
  if (constant && hlo_reader_peek(&r->text) != ':') return true;
  if (!hlo_reader_expect(&r->text, ":")) return false;
  do {
    if (!hlo_mlir_read_type(r)) return false;
  } while (hlo_reader_accept(&r->text, ","));
  return true;
}

/* ---- Shardy: shardings say where arrays are, and do not change their values ---- */

/* Reads sharding_constraint %a <@mesh, [{"x"}, {}]> : T */
bool hlo_pretty_annotation(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_span ignored;
  if (!hlo_mlir_read_operand(r, p)) return false;
  if (hlo_reader_accept(&r->text, "allowed_direction") && (!hlo_reader_expect(&r->text, "=") || !hlo_mlir_read_bare(r).length))
    return hlo_reader_fail(&r->text, "expected a direction");
  if (hlo_reader_accept(&r->text, "<") && !hlo_mlir_read_angle(r, &ignored)) return false;
  return hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}

/* Keeps the text from `start` to the cursor as an attribute, with what generic form has around it. */
static bool push_raw(hlo_mlir_reader *r, hlo_mlir_pending *p, const char *name, const char *before, const char *start, const char *behind) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_RAW);
  const char *text = hlo_arena_format(r->arena, r->status, "%s%.*s%s", before, (int)(r->text.cursor - start), start, behind);
  if (text && attribute) attribute->text = hlo_span_of(text);
  return text && attribute && hlo_mlir_push_named(r, &p->named, name, attribute);
}

/* Reads mesh @mesh = <["x"=2, "y"=4]> */
bool hlo_pretty_mesh(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_span ignored;
  hlo_mlir_attribute *symbol = hlo_mlir_new_attribute(r, HLO_MLIR_SYMBOL);
  if (!symbol || !hlo_mlir_read_symbol(r, &symbol->text) || !hlo_mlir_push_named(r, &p->named, "sym_name", symbol)) return false;
  if (!hlo_reader_expect(&r->text, "=") || !hlo_reader_expect(&r->text, "<")) return false;
  const char *start = r->text.cursor - 1;
  return hlo_mlir_read_angle(r, &ignored) && push_raw(r, p, "mesh", "#sdy.mesh", start, "") && hlo_pretty_attributes(r, p);
}

/* Reads manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%b: T) { ... } : (T) ->
 * T */
bool hlo_pretty_manual_computation(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  static const char *const names[] = {"in_shardings", "out_shardings", "manual_axes"};
  static const char *const before[] = {"#sdy.sharding_per_value<", "#sdy.sharding_per_value<", "#sdy<manual_axes"};
  if (!hlo_reader_expect(&r->text, "(") || !hlo_mlir_read_operands(r, p) || !hlo_reader_expect(&r->text, ")")) return false;
  for (int i = 0; i < 3; i++) {
    hlo_span ignored;
    if (!hlo_reader_accept_word(&r->text, names[i])) return hlo_reader_fail(&r->text, "expected '%s'", names[i]);
    if (!hlo_reader_expect(&r->text, "=")) return false;
    hlo_reader_peek(&r->text);
    const char *start = r->text.cursor;
    if (!hlo_reader_balanced(&r->text, &ignored) || !push_raw(r, p, names[i], before[i], start, ">")) return false;
  }
  hlo_list types = {.size = sizeof(const hlo_mlir_type *)}, arguments = {.size = sizeof(hlo_span)};
  bool ok = hlo_reader_expect(&r->text, "("), first = true;
  while (ok && !hlo_reader_accept(&r->text, ")")) {
    ok = (first || hlo_reader_expect(&r->text, ",")) && hlo_pretty_argument(r, &arguments, &types);
    first = false;
  }
  ok = ok && hlo_mlir_read_region(r, p, arguments.items, types.items, arguments.count) && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
  hlo_list_drop(&arguments);
  hlo_list_drop(&types);
  return ok;
}
