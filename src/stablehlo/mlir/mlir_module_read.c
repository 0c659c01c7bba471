/* Functions, modules, aliases: what stands around operations. */
#include <stdlib.h>
#include <string.h>

#include "stablehlo/mlir/mlir_reader.h"

/* ---- Functions ---- */

static bool read_attributes_keyword(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  return !hlo_reader_accept_word(&r->text, "attributes") || hlo_mlir_read_dictionary(r, &p->named);
}

static bool read_results(hlo_mlir_reader *r, hlo_list *types) {
  if (!hlo_reader_accept(&r->text, "->")) return true;
  bool parenthesised = hlo_reader_accept(&r->text, "(");
  if (!parenthesised) {
    const hlo_mlir_type *type = hlo_mlir_read_type(r);
    return type && hlo_list_push(types, &type, r->status);
  }
  bool first = true;
  while (!hlo_reader_accept(&r->text, ")")) {
    if (!hlo_ok(r->status) || (!first && !hlo_reader_expect(&r->text, ","))) return false;
    first = false;
    const hlo_mlir_type *type = hlo_mlir_read_type(r);
    if (!type || !hlo_list_push(types, &type, r->status)) return false;
    hlo_list named = {.size = sizeof(hlo_mlir_named)};
    bool ok = hlo_reader_peek(&r->text) != '{' || hlo_mlir_read_dictionary(r, &named);
    hlo_list_drop(&named);
    if (!ok) return false;
  }
  return true;
}

static const hlo_mlir_attribute *text_attribute(hlo_mlir_reader *r, hlo_mlir_attribute_kind kind, hlo_span text) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, kind);
  if (attribute) attribute->text = text;
  return attribute;
}

/* The function's type as an attribute, as in generic form. */
static const hlo_mlir_attribute *function_type(hlo_mlir_reader *r, const hlo_mlir_block *block, hlo_list *results) {
  hlo_mlir_type *type = hlo_arena_new(r->arena, hlo_mlir_type, r->status);
  const hlo_mlir_type **inputs = hlo_arena_many(r->arena, const hlo_mlir_type *, block->argument_count, r->status);
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_TYPE);
  if (!type || !inputs || !attribute) return NULL;
  for (int i = 0; i < block->argument_count; i++) inputs[i] = r->tree->values[block->first_argument + i].type;
  type->kind = HLO_MLIR_FUNCTION;
  type->text = (hlo_span){"", 0};
  type->input_count = block->argument_count;
  type->inputs = inputs;
  type->result_count = results->count;
  type->results = hlo_list_take(results, r->arena, r->status);
  attribute->type = type;
  return type->results ? attribute : NULL;
}

/* func.func public @name(%a: T {...}) -> (T {...}) attributes {...} { body } */
bool hlo_mlir_read_function(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_span visibility = {"public", 6}, symbol;
  if (hlo_reader_accept_word(&r->text, "private")) visibility = (hlo_span){"private", 7};
  else if (!hlo_reader_accept_word(&r->text, "public")) hlo_reader_accept_word(&r->text, "nested");
  hlo_mlir_region region = {0};
  int mark = r->binding_count, floor = r->scope_floor;
  r->scope_floor = mark;
  hlo_list results = {.size = sizeof(const hlo_mlir_type *)};
  bool ok = hlo_mlir_read_symbol(r, &symbol) && hlo_reader_expect(&r->text, "(");
  if (ok && hlo_reader_peek(&r->text) != '%' && hlo_reader_peek(&r->text) != ')')
    ok = hlo_reader_fail_at(&r->text, r->text.cursor, HLO_UNSUPPORTED, "a function without a body");
  ok = ok && hlo_mlir_read_arguments(r, &region.block) && read_results(r, &results) && read_attributes_keyword(r, p);
  ok = ok && hlo_mlir_push_named(r, &p->named, "sym_name", text_attribute(r, HLO_MLIR_STRING, symbol)) &&
       hlo_mlir_push_named(r, &p->named, "sym_visibility", text_attribute(r, HLO_MLIR_STRING, visibility)) &&
       hlo_mlir_push_named(r, &p->named, "function_type", function_type(r, &region.block, &results));
  hlo_list_drop(&results);
  region.block_count = 1;
  ok = ok && hlo_reader_expect(&r->text, "{") && hlo_mlir_read_ops(r, &region.block, '}') && hlo_reader_expect(&r->text, "}");
  hlo_mlir_leave_scope(r, mark);
  r->scope_floor = floor;
  return ok && hlo_list_push(&p->regions, &region, r->status);
}

/* ---- The whole text ---- */

static bool read_alias(hlo_mlir_reader *r) {
  bool is_type = hlo_reader_peek(&r->text) == '!';
  r->text.cursor++;
  hlo_mlir_alias alias = {.name = hlo_mlir_keep(r, hlo_mlir_read_suffix(r))};
  if (!hlo_reader_expect(&r->text, "=")) return false;
  if (is_type) alias.type = hlo_mlir_read_type(r);
  else alias.attribute = hlo_mlir_read_attribute(r);
  if (!alias.type && !alias.attribute) return false;
  hlo_list list = {r->aliases, r->alias_count, r->alias_capacity, sizeof alias};
  bool ok = hlo_list_push(&list, &alias, r->status);
  r->aliases = list.items;
  r->alias_count = list.count;
  r->alias_capacity = list.capacity;
  return ok;
}

/* Aliases may stand before and after; module { ... } may be left out. */
static bool read_top(hlo_mlir_reader *r, hlo_list *ops) {
  for (;;) {
    char c = hlo_reader_peek(&r->text);
    if (c == 0) return true;
    if (c == '#' || c == '!') {
      if (!read_alias(r)) return false;
    } else if (c == '{') {
      return hlo_reader_fail_at(&r->text, r->text.cursor, HLO_UNSUPPORTED, "resources that stand outside the module; print it with its elements in place");
    } else if (hlo_reader_accept_word(&r->text, "module")) {
      hlo_mlir_pending p = {.named = {.size = sizeof(hlo_mlir_named)}};
      hlo_mlir_block body = {0};
      bool ok = hlo_reader_peek(&r->text) != '@' || hlo_mlir_read_symbol(r, &r->tree->name);
      ok = ok && read_attributes_keyword(r, &p) && hlo_reader_expect(&r->text, "{") && hlo_mlir_read_ops(r, &body, '}') && hlo_reader_expect(&r->text, "}");
      r->tree->attribute_count = p.named.count;
      r->tree->attributes = ok ? hlo_list_take(&p.named, r->arena, r->status) : NULL;
      hlo_list_drop(&p.named);
      if (!ok || !hlo_mlir_skip_location(r)) return false;
      for (int i = 0; i < body.op_count; i++)
        if (!hlo_list_push(ops, &body.ops[i], r->status)) return false;
    } else {
      hlo_mlir_op *op = hlo_mlir_read_op(r);
      if (!op || !hlo_list_push(ops, &op, r->status)) return false;
    }
  }
}

/* A module in generic form stands for its body. */
static void unwrap(hlo_mlir *tree) {
  while (tree->body.op_count == 1 && hlo_span_is(tree->body.ops[0]->name, "builtin.module") &&
         tree->body.ops[0]->region_count == 1) {
    const hlo_mlir_op *module = tree->body.ops[0];
    tree->attributes = module->attributes;
    tree->attribute_count = module->attribute_count;
    tree->body = module->regions[0].block;
  }
}

hlo_mlir *hlo_mlir_parse(const char *text, size_t length, hlo_status *status) {
  hlo_mlir *tree = calloc(1, sizeof *tree);
  hlo_mlir_reader *r = calloc(1, sizeof *r);
  if (!tree || !r) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a module");
    free(tree);
    free(r);
    return NULL;
  }
  hlo_arena_init(&tree->arena);
  r->tree = tree;
  r->arena = &tree->arena;
  r->status = status;
  r->counted = r->line_start = text;
  r->line = 1;
  memset(r->buckets, -1, sizeof r->buckets);
  hlo_reader_init(&r->text, text, length, status);
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  bool ok = read_top(r, &ops);
  tree->body.op_count = ops.count;
  tree->body.ops = ok ? hlo_list_take(&ops, &tree->arena, status) : NULL;
  hlo_list_drop(&ops);
  free(r->bindings);
  free(r->aliases);
  free(r);
  if (ok && tree->body.ops) return unwrap(tree), tree;
  hlo_mlir_free(tree);
  return NULL;
}
