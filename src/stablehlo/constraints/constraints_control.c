/* Control flow, calls, tuples, async pairs. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

/* ---- Lists of types ---- */

static bool returns_agree(const hlo_check *c, const hlo_mlir_op *a, const hlo_mlir_op *b) {
  if (a->operand_count != b->operand_count) return false;
  for (int i = 0; i < a->operand_count; i++)
    if (!hlo_check_types_agree(hlo_mlir_operand_type(c->tree, a, i), hlo_mlir_operand_type(c->tree, b, i))) return false;
  return true;
}

/* The results of the op are what a region returns. */
static bool check_returned(const hlo_check *c, const char *label, const hlo_mlir_op *end) {
  if (end->operand_count != c->op->result_count)
    return hlo_check_fail(c, "%s: must give the %d values that are returned, got %d results", label, end->operand_count,
                          c->op->result_count);
  for (int i = 0; i < c->op->result_count; i++)
    if (!hlo_check_types_agree(hlo_check_result(c, i), hlo_mlir_operand_type(c->tree, end, i)))
      return hlo_check_fail(c, "%s: result %d must have the returned type %pT, got %pT", label, i,
                            hlo_mlir_operand_type(c->tree, end, i), hlo_check_result(c, i));
  return true;
}

/* ---- if, case ---- */

/* c1 to c3 of if and of case: branches without parameters that return the same */
static bool check_branches(const hlo_check *c) {
  const hlo_mlir_op *first = hlo_check_terminator(hlo_check_block(c, 0));
  for (int i = 0; i < c->op->region_count; i++) {
    const hlo_mlir_block *block = hlo_check_block(c, i);
    const hlo_mlir_op *end = hlo_check_terminator(block);
    if (block->argument_count) return hlo_check_fail(c, "C1: branch %d must take no parameters, got %d", i, block->argument_count);
    if (!end) return hlo_check_fail(c, "C2: branch %d must end with a return", i);
    if (!returns_agree(c, first, end)) return hlo_check_fail(c, "C2: branches 0 and %d must return the same types", i);
  }
  return check_returned(c, "C3", first);
}

bool hlo_check_if(const hlo_check *c) { return check_branches(c); }

bool hlo_check_case(const hlo_check *c) {
  if (!c->op->region_count) return hlo_check_fail(c, "C1: takes at least one branch");
  return check_branches(c);
}

/* ---- while ---- */

static bool check_loop_arguments(const hlo_check *c, const char *label, const char *what, int region) {
  const hlo_mlir_block *block = hlo_check_block(c, region);
  if (block->argument_count != c->op->operand_count)
    return hlo_check_fail(c, "%s: %s must take %d parameters, one for each operand, got %d", label, what, c->op->operand_count,
                          block->argument_count);
  for (int i = 0; i < c->op->operand_count; i++)
    if (!hlo_check_types_agree(hlo_check_operand(c, i), hlo_check_argument(c, block, i)))
      return hlo_check_fail(c, "%s: parameter %d of %s must have the type of operand %d, %pT, got %pT", label, i, what, i,
                            hlo_check_operand(c, i), hlo_check_argument(c, block, i));
  return true;
}

static bool check_condition(const hlo_check *c) {
  const hlo_mlir_op *end = hlo_check_terminator(hlo_check_block(c, 0));
  if (!end || end->operand_count != 1)
    return hlo_check_fail(c, "C1: cond must return one value, got %d", end ? end->operand_count : 0);
  const hlo_mlir_type *type = hlo_mlir_operand_type(c->tree, end, 0);
  const hlo_shape *shape = hlo_check_tensor(type);
  return (shape && shape->rank == 0 && shape->type == HLO_TYPE_PRED) ||
      hlo_check_fail(c, "C1: cond must return tensor<i1>, got %pT", type);
}

bool hlo_check_while(const hlo_check *c) {
  if (!check_loop_arguments(c, "C1", "cond", 0) || !check_loop_arguments(c, "C2", "body", 1) || !check_condition(c)) return false;
  const hlo_mlir_op *end = hlo_check_terminator(hlo_check_block(c, 1));
  if (!end || end->operand_count != c->op->operand_count)
    return hlo_check_fail(c, "C2: body must return %d values, one for each operand, got %d", c->op->operand_count,
                          end ? end->operand_count : 0);
  for (int i = 0; i < end->operand_count; i++)
    if (!hlo_check_types_agree(hlo_mlir_operand_type(c->tree, end, i), hlo_check_operand(c, i)))
      return hlo_check_fail(c, "C2: body must return value %d as %pT, the type of the operand, got %pT", i,
                            hlo_check_operand(c, i), hlo_mlir_operand_type(c->tree, end, i));
  return check_returned(c, "C3", end);
}

/* ---- Calls ---- */

static const hlo_mlir_type *function_type(const hlo_mlir_op *function) {
  const hlo_mlir_attribute *type = hlo_mlir_find(function, "function_type");
  return type && type->type && type->type->kind == HLO_MLIR_FUNCTION ? type->type : NULL;
}

typedef bool types_rule(const hlo_mlir_type *a, const hlo_mlir_type *b);

static bool check_signature(const hlo_check *c, const hlo_mlir_attribute *symbol, const char *exists, const char *takes, const char *gives,
                            types_rule *fits) {
  const hlo_mlir_op *function = hlo_mlir_function(c->tree, symbol->text);
  if (!function) return hlo_check_fail(c, "%s: there is no function @%pN", exists, &symbol->text);
  const hlo_mlir_type *type = function_type(function);
  if (!type) return true;
  if (type->input_count != c->op->operand_count)
    return hlo_check_fail(c, "%s: @%pN takes %d operands, got %d", takes, &symbol->text, type->input_count, c->op->operand_count);
  for (int i = 0; i < type->input_count; i++)
    if (!fits(type->inputs[i], hlo_check_operand(c, i)))
      return hlo_check_fail(c, "%s: operand %d must be %pT, as the function takes, got %pT", takes, i, type->inputs[i],
                            hlo_check_operand(c, i));
  if (type->result_count != c->op->result_count)
    return hlo_check_fail(c, "%s: @%pN gives %d results, got %d", gives, &symbol->text, type->result_count, c->op->result_count);
  for (int i = 0; i < type->result_count; i++)
    if (!fits(type->results[i], hlo_check_result(c, i)))
      return hlo_check_fail(c, "%s: result %d must be %pT, as the function gives, got %pT", gives, i, type->results[i],
                            hlo_check_result(c, i));
  return true;
}

bool hlo_check_call(const hlo_check *c) { return check_signature(c, hlo_mlir_find(c->op, "callee"), "C1", "C2", "C3", hlo_check_types_same); }

/* A letter, then letters, digits, '_', '$': words joined by dots, two at least. */
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
  if (!is_namespaced(name)) return hlo_check_fail(c, "C1: name must be that of an op in a namespace, got \"%pN\"", &name);
  for (int i = 0; attributes && attributes->kind == HLO_MLIR_DICT && i < attributes->count; i++)
    for (int j = 0; j < i; j++)
      if (hlo_span_equal(attributes->names[i], attributes->names[j]))
        return hlo_check_fail(c, "C5: composite_attributes must have unique names");
  if (hlo_check_int_or(c, "version", 0) < 0) return hlo_check_fail(c, "I5: version must not be negative");
  return check_signature(c, hlo_mlir_find(c->op, "decomposition"), "C2", "C3", "C4", hlo_check_types_agree);
}

/* A function's own return, checked once its body is. */
bool hlo_check_function_returns(const hlo_check *c) {
  const hlo_mlir_type *type = function_type(c->op);
  const hlo_mlir_op *end = c->op->region_count == 1 ? hlo_check_terminator(hlo_check_block(c, 0)) : NULL;
  if (!type || !end) return true;
  hlo_check at = *c;
  at.op = end;
  if (end->operand_count != type->result_count)
    return hlo_check_fail(&at, "C: the function gives %d results, got %d", type->result_count, end->operand_count);
  for (int i = 0; i < type->result_count; i++)
    if (!hlo_check_types_same(type->results[i], hlo_check_operand(&at, i)))
      return hlo_check_fail(&at, "C: operand %d must be %pT, as the function gives, got %pT", i, type->results[i],
                            hlo_check_operand(&at, i));
  return true;
}

/* ---- Tuples, barriers ---- */

bool hlo_check_tuple_op(const hlo_check *c) {
  const hlo_mlir_type *result = hlo_check_result(c, 0);
  bool same = hlo_check_part_count(result) == c->op->operand_count;
  for (int i = 0; same && i < c->op->operand_count; i++) {
    hlo_mlir_type part = hlo_check_part(result, i);
    same = hlo_check_types_agree(&part, hlo_check_operand(c, i)) || hlo_check_operand(c, i)->is_index;
  }
  return same || hlo_check_fail(c, "C1: the result must be the tuple of the operands' types, got %pT", result);
}

bool hlo_check_get_tuple_element(const hlo_check *c) {
  const hlo_mlir_type *tuple = hlo_check_operand(c, 0);
  int64_t index = hlo_check_int_or(c, "index", 0);
  int count = hlo_check_part_count(tuple);
  if (index >= count) return hlo_check_fail(c, "C1: index must be in [0, %d), got %lld", count, (long long)index);
  hlo_mlir_type part = hlo_check_part(tuple, (int)index);
  if (hlo_check_types_agree(&part, hlo_check_result(c, 0)) || hlo_check_result(c, 0)->is_index) return true;
  return hlo_check_fail(c, "C2: the result must have the type of element %lld of %pT, got {r}", (long long)index, tuple);
}

bool hlo_check_optimization_barrier(const hlo_check *c) {
  if (c->op->operand_count != c->op->result_count)
    return hlo_check_fail(c, "C1: gives a result for each of %d operands, got %d", c->op->operand_count, c->op->result_count);
  for (int i = 0; i < c->op->result_count; i++)
    if (!hlo_check_types_same(hlo_check_operand(c, i), hlo_check_result(c, i)))
      return hlo_check_fail(c, "C1: result %d must have the type of operand %d, %pT, got %pT", i, i, hlo_check_operand(c, i),
                            hlo_check_result(c, i));
  return true;
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

static bool check_future(const hlo_check *c, const hlo_mlir_op *end) {
  const hlo_mlir_type *future = hlo_check_result(c, 0);
  bool same = future->result_count == end->operand_count;
  for (int i = 0; same && i < end->operand_count; i++) same = hlo_check_types_agree(future->results[i], hlo_mlir_operand_type(c->tree, end, i));
  return same || hlo_check_fail(c, "C4: the result must be a future of what the body returns, got %pT", future);
}

bool hlo_check_async_start(const hlo_check *c) {
  const hlo_mlir_block *block = hlo_check_block(c, 0);
  const hlo_mlir_op *end = hlo_check_terminator(block);
  if (block->argument_count != c->op->operand_count)
    return hlo_check_fail(c, "C1: the body must take %d parameters, one for each operand, got %d", c->op->operand_count,
                          block->argument_count);
  for (int i = 0; i < c->op->operand_count; i++)
    if (!hlo_check_types_agree(hlo_check_operand(c, i), hlo_check_argument(c, block, i)))
      return hlo_check_fail(c, "C1: parameter %d of the body must have the type of operand %d, %pT, got %pT", i, i,
                            hlo_check_operand(c, i), hlo_check_argument(c, block, i));
  if (block->op_count != 2 || !end)
    return hlo_check_fail(c, "C2: the body must hold one operation and a return, got %d operations", block->op_count);
  if (!may_be_async(block->ops[0]->name))
    return hlo_check_fail(c, "C3: the body must hold a collective or a slice, got %pN", &block->ops[0]->name);
  return check_future(c, end);
}

bool hlo_check_async_done(const hlo_check *c) {
  const hlo_mlir_type *future = hlo_check_operand(c, 0);
  bool same = future->result_count == c->op->result_count;
  for (int i = 0; same && i < c->op->result_count; i++) same = hlo_check_types_agree(future->results[i], hlo_check_result(c, i));
  return same || hlo_check_fail(c, "C1: the results must be what the operand is a future of, %pT", future);
}
