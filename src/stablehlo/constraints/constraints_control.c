/* Rules for control flow, calls and async pairs: given values must have the expected types. */
#include <string.h>

#include "base/text_reader.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"

/* ---- Lists of types ---- */

/* Types of listed values, of consecutive values, or by themselves. */
typedef struct type_list {
  int count;
  const int *values;
  int first;
  const hlo_mlir_type *const *types;
} type_list;

static type_list operands_of(const hlo_mlir_op *op) { return (type_list){.count = op->operand_count, .values = op->operands}; }
static type_list results_of(const hlo_mlir_op *op) { return (type_list){.count = op->result_count, .first = op->first_result}; }
static type_list arguments_of(const hlo_mlir_block *block) { return (type_list){.count = block->argument_count, .first = block->first_argument}; }
static type_list returned_by(const hlo_mlir_block *block) {
  const hlo_mlir_op *end = hlo_check_terminator(block);
  return end ? operands_of(end) : (type_list){0};
}
static type_list held_by(const hlo_mlir_type *future) { return (type_list){.count = future->result_count, .types = future->results}; }

static const hlo_mlir_type *type_at(const hlo_check *c, const type_list *list, int i) {
  return list->types ? list->types[i] : c->tree->values[list->values ? list->values[i] : list->first + i].type;
}

typedef bool types_rule(const hlo_mlir_type *a, const hlo_mlir_type *b);

/* `what` names the given values in the message: "operands", "what branch 1 returns". */
static bool check_types(const hlo_check *c, const char *what, type_list given, type_list expected, types_rule *fits) {
  if (given.count != expected.count)
    return hlo_check_fail(c, "%s must be %d in number, got %d", what, expected.count, given.count);
  for (int i = 0; i < given.count; i++) {
    const hlo_mlir_type *wanted = type_at(c, &expected, i), *type = type_at(c, &given, i);
    if (!fits(wanted, type)) return hlo_check_fail(c, "%s: number %d must be %pT, got %pT", what, i, wanted, type);
  }
  return true;
}

/* ---- if, case, while, optimization_barrier ---- */

bool hlo_check_branches(const hlo_check *c) {
  for (int i = 0; i < c->op->region_count; i++)
    if (!check_types(c, "what each branch returns", returned_by(hlo_check_block(c, i)), results_of(c->op), hlo_check_types_agree)) return false;
  return true;
}

bool hlo_check_while(const hlo_check *c) {
  const hlo_mlir_block *cond = hlo_check_block(c, 0), *body = hlo_check_block(c, 1);
  type_list state = operands_of(c->op);
  return check_types(c, "parameters of cond", arguments_of(cond), state, hlo_check_types_agree) &&
         check_types(c, "parameters of body", arguments_of(body), state, hlo_check_types_agree) &&
         check_types(c, "what body returns", returned_by(body), state, hlo_check_types_agree) &&
         check_types(c, "results", results_of(c->op), state, hlo_check_types_agree);
}

bool hlo_check_optimization_barrier(const hlo_check *c) {
  return check_types(c, "results", results_of(c->op), operands_of(c->op), hlo_check_types_same);
}

/* ---- Calls ---- */

static const hlo_mlir_type *function_type(const hlo_mlir_op *function) {
  const hlo_mlir_attribute *type = hlo_mlir_find(function, "function_type");
  return type && type->type && type->type->kind == HLO_MLIR_FUNCTION ? type->type : NULL;
}

static bool check_signature(const hlo_check *c, const char *callee, types_rule *fits) {
  const hlo_mlir_attribute *symbol = hlo_mlir_find(c->op, callee);
  const hlo_mlir_op *function = hlo_mlir_function(c->tree, symbol->text);
  if (!function) return hlo_check_fail(c, "there is no function @%pN%s", &symbol->text, HLO_NEAREST_FUNCTION(c->tree, symbol->text));
  const hlo_mlir_type *type = function_type(function);
  return !type || (check_types(c, "operands", operands_of(c->op), (type_list){.count = type->input_count, .types = type->inputs}, fits) &&
                   check_types(c, "results", results_of(c->op), held_by(type), fits));
}

bool hlo_check_call(const hlo_check *c) { return check_signature(c, "callee", hlo_check_types_same); }

/* Returns whether a name has at least two words, joined by dots: each a letter, then letters, digits, '_', '$'. */
static bool is_namespaced(hlo_span name) {
  int words = 0;
  size_t at = 0;
  while (at <= name.length) {
    size_t start = at;
    for (; at < name.length && name.text[at] != '.'; at++) {
      char ch = name.text[at];
      bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z'), more = (ch >= '0' && ch <= '9') || ch == '_' || (words && ch == '$');
      if (!letter && !(more && (at > start || words))) return false;
    }
    if (at == start) return false;
    words++;
    at++;
  }
  return words > 1;
}

bool hlo_check_composite(const hlo_check *c) {
  hlo_span name = hlo_mlir_find(c->op, "name")->text;
  const hlo_mlir_attribute *attributes = hlo_mlir_find(c->op, "composite_attributes");
  if (!is_namespaced(name)) return hlo_check_fail(c, "name must be that of an op in a namespace, got \"%pN\"", &name);
  for (int i = 0; attributes && i < attributes->count; i++)
    for (int j = 0; j < i; j++)
      if (hlo_span_equal(attributes->names[i], attributes->names[j]))
        return hlo_check_fail(c, "composite_attributes must have unique names, got %pN twice", &attributes->names[i]);
  return check_signature(c, "decomposition", hlo_check_types_agree);
}

/* Checks a function's return, after its body has been checked. */
bool hlo_check_function_returns(const hlo_check *c) {
  const hlo_mlir_type *type = function_type(c->op);
  const hlo_mlir_op *end = c->op->region_count == 1 ? hlo_check_terminator(hlo_check_block(c, 0)) : NULL;
  if (!type || !end) return true;
  hlo_check at = *c;
  at.op = end;
  return check_types(&at, "what the function returns", operands_of(end), held_by(type), hlo_check_types_same);
}

/* ---- async_start, async_done ---- */

static bool may_be_async(hlo_span name) {
  static const char *const names[] = {"stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all", "stablehlo.collective_broadcast",
                                      "stablehlo.collective_permute", "stablehlo.collective_reduce", "stablehlo.reduce_scatter", "stablehlo.slice",
                                      "stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hlo_span_is(name, names[i])) return true;
  return false;
}

bool hlo_check_async_start(const hlo_check *c) {
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  if (block->op_count != 2 || !may_be_async(block->ops[0]->name))
    return hlo_check_fail(c, "the body must hold a collective or a slice, and a return");
  return check_types(c, "parameters of the body", arguments_of(block), operands_of(c->op), hlo_check_types_agree) &&
         check_types(c, "what the body returns", returned_by(block), held_by(hlo_check_result(c, 0)), hlo_check_types_agree);
}

bool hlo_check_async_done(const hlo_check *c) {
  return check_types(c, "results", results_of(c->op), held_by(hlo_check_operand(c, 0)), hlo_check_types_agree);
}
