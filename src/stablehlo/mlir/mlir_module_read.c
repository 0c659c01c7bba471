/* Reads functions, modules and aliases. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"
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

/* Makes the attribute function_type, as generic form has it. */
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

/* Reads the arguments of a function without a body: (T {...}, T) */
static bool read_declared_arguments(hlo_mlir_reader *r, hlo_mlir_block *block) {
  block->first_argument = r->tree->value_count;
  do {
    hlo_list named = {.size = sizeof(hlo_mlir_named)};
    const hlo_mlir_type *type = hlo_mlir_read_type(r);
    bool ok = type && hlo_mlir_new_value(r, type, (hlo_span){"", 0}) >= 0 && (hlo_reader_peek(&r->text) != '{' || hlo_mlir_read_dictionary(r, &named));
    hlo_list_drop(&named);
    if (!ok) return false;
    block->argument_count++;
  } while (hlo_reader_accept(&r->text, ","));
  return hlo_reader_expect(&r->text, ")");
}

/* Reads func.func public @name(%a: T {...}) -> (T {...}) attributes {...} { body } */
bool hlo_mlir_read_function(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_reader_enter(&r->text)) return false;
  hlo_span visibility = {"public", 6}, symbol;
  if (hlo_reader_accept_word(&r->text, "private")) visibility = (hlo_span){"private", 7};
  else if (!hlo_reader_accept_word(&r->text, "public")) hlo_reader_accept_word(&r->text, "nested");
  hlo_mlir_region region = {0};
  int mark = r->binding_count, floor = r->scope_floor;
  r->scope_floor = mark;
  hlo_list results = {.size = sizeof(const hlo_mlir_type *)};
  bool ok = hlo_mlir_read_symbol(r, &symbol) && hlo_reader_expect(&r->text, "(");
  bool declared = ok && hlo_reader_peek(&r->text) != '%' && hlo_reader_peek(&r->text) != ')';
  ok = ok && (declared ? read_declared_arguments(r, &region.block) : hlo_mlir_read_arguments(r, &region.block, true));
  ok = ok && read_results(r, &results) && read_attributes_keyword(r, p);
  ok = ok && hlo_mlir_push_named(r, &p->named, "sym_name", text_attribute(r, HLO_MLIR_STRING, symbol)) &&
       hlo_mlir_push_named(r, &p->named, "sym_visibility", text_attribute(r, HLO_MLIR_STRING, visibility)) &&
       hlo_mlir_push_named(r, &p->named, "function_type", function_type(r, &region.block, &results));
  hlo_list_drop(&results);
  region.block_count = ok && !declared && hlo_reader_accept(&r->text, "{");
  if (ok && !region.block_count && !hlo_span_is(visibility, "private"))
    ok = hlo_reader_fail_at(&r->text, p->where, HLO_VERIFY, "a function without a body must be private");
  if (ok && !region.block_count) { /* a declaration's values were needed only for their types */
    r->tree->value_count = region.block.first_argument;
    region.block = (hlo_mlir_block){0};
  } else if (ok) {
    if (hlo_reader_accept(&r->text, "^")) hlo_mlir_read_suffix(r), ok = hlo_reader_expect(&r->text, ":");
    ok = ok && hlo_mlir_read_ops(r, &region.block, '}') && hlo_reader_expect(&r->text, "}");
    if (ok && !region.block.op_count) ok = hlo_reader_fail_at(&r->text, p->where, HLO_VERIFY, "the body of a function must not be empty");
  }
  hlo_mlir_leave_scope(r, mark);
  hlo_reader_leave(&r->text);
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

/* Skips {-# ... #-}. A resource's blob is looked up when its name is used. */
static bool skip_resources(hlo_mlir_reader *r) {
  const char *p = r->text.cursor;
  if (!hlo_reader_expect(&r->text, "{-#")) return false;
  while (p + 3 <= r->text.end && memcmp(p, "#-}", 3) != 0) p++;
  if (p + 3 > r->text.end) return hlo_reader_fail(&r->text, "'{-#' is never closed");
  r->text.cursor = p + 3;
  return true;
}

/* Reads the rest of a module after the word "module": @name attributes {...} { ... } */
bool hlo_mlir_read_module(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_region region = {.block_count = 1};
  hlo_span name;
  if (!hlo_reader_enter(&r->text)) return false;
  int mark = r->binding_count;
  bool ok = hlo_reader_peek(&r->text) != '@' ||
            (hlo_mlir_read_symbol(r, &name) && hlo_mlir_push_named(r, &p->named, "sym_name", text_attribute(r, HLO_MLIR_STRING, name)));
  ok = ok && read_attributes_keyword(r, p) && hlo_reader_expect(&r->text, "{") && hlo_mlir_read_ops(r, &region.block, '}') && hlo_reader_expect(&r->text, "}");
  hlo_mlir_leave_scope(r, mark);
  hlo_reader_leave(&r->text);
  return ok && hlo_list_push(&p->regions, &region, r->status);
}

/* Reads the top level. Aliases may come before and after the module, and "module { ... }" may be left out. */
static bool read_top(hlo_mlir_reader *r, hlo_list *ops) {
  for (;;) {
    char c = hlo_reader_peek(&r->text);
    if (c == 0) return true;
    if (c == '#' || c == '!') {
      if (!read_alias(r)) return false;
    } else if (c == '{') {
      if (!skip_resources(r)) return false;
    } else {
      hlo_mlir_op *op = hlo_mlir_read_op(r);
      if (!op || !hlo_list_push(ops, &op, r->status)) return false;
    }
  }
}

/* Replaces a single module operation by its body; its name and attributes become those of the tree. */
static bool unwrap(hlo_mlir *tree, hlo_status *status) {
  if (tree->body.op_count != 1 || !hlo_span_is(tree->body.ops[0]->name, "builtin.module") || tree->body.ops[0]->region_count != 1) return true;
  const hlo_mlir_op *module = tree->body.ops[0];
  hlo_mlir_named *attributes = hlo_arena_many(&tree->arena, hlo_mlir_named, module->attribute_count, status);
  if (!attributes) return false;
  for (int i = 0; i < module->attribute_count; i++) {
    const hlo_mlir_named *named = &module->attributes[i];
    if (hlo_span_is(named->name, "sym_name") && named->value->kind == HLO_MLIR_STRING) tree->name = named->value->text;
    else attributes[tree->attribute_count++] = *named;
  }
  tree->attributes = attributes;
  tree->body = module->regions[0].block;
  return true;
}

static void begin(hlo_mlir_reader *r, hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  r->arena = arena;
  r->status = status;
  hlo_reader_init(&r->text, text, length, status);
  r->counted = r->line_start = r->text.begin;
  r->line = 1;
  memset(r->buckets, -1, sizeof r->buckets);
  r->located.size = sizeof(hlo_mlir_located);
}

static void end(hlo_mlir_reader *r) {
  free(r->bindings);
  free(r->aliases);
  hlo_list_drop(&r->located);
  free(r);
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
  begin(r, &tree->arena, text, length, status);
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  bool ok = read_top(r, &ops) && hlo_mlir_name_located(r);
  tree->body.op_count = ops.count;
  tree->body.ops = ok ? hlo_list_take(&ops, &tree->arena, status) : NULL;
  hlo_list_drop(&ops);
  end(r);
  if (ok && tree->body.ops && unwrap(tree, status) && hlo_mlir_name_passed_arguments(tree, status)) return tree;
  hlo_mlir_free(tree);
  return NULL;
}

const hlo_mlir_attribute *hlo_mlir_parse_attribute(hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  hlo_mlir none = {.value_count = 0};
  hlo_mlir_reader *r = calloc(1, sizeof *r);
  const char *kept = hlo_arena_text(arena, text, length, status); /* parts of an attribute may point into its text */
  const hlo_mlir_attribute *attribute = NULL;
  if (!r) hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an attribute");
  if (r && kept) {
    r->tree = &none;
    begin(r, arena, kept, length, status);
    attribute = hlo_mlir_read_attribute(r);
    if (attribute && hlo_reader_peek(&r->text)) attribute = (hlo_reader_fail(&r->text, "expected the end of the attribute"), NULL);
    end(r);
    free(none.values);
  } else {
    free(r);
  }
  return hlo_ok(status) ? attribute : NULL;
}
