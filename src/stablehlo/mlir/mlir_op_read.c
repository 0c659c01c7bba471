/* Reads operations of MLIR text in generic form, their regions, and the parts that all operations have. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* ---- Blocks and regions ---- */

bool hlo_mlir_read_location(hlo_mlir_reader *r, hlo_span *body) {
  *body = (hlo_span){"", 0};
  return !hlo_reader_accept_word(&r->text, "loc") || hlo_reader_balanced(&r->text, body);
}

bool hlo_mlir_skip_location(hlo_mlir_reader *r) {
  hlo_span body;
  return hlo_mlir_read_location(r, &body);
}

static bool read_arguments(hlo_mlir_reader *r, hlo_mlir_block *block, hlo_list *locations) {
  bool first = true;
  while (!hlo_reader_accept(&r->text, ")")) {
    hlo_span location;
    if (!hlo_ok(r->status) || (!first && !hlo_reader_expect(&r->text, ","))) return false;
    first = false;
    if (!hlo_reader_expect(&r->text, "%")) return false;
    hlo_span name = hlo_mlir_read_suffix(r);
    const hlo_mlir_type *type = hlo_reader_expect(&r->text, ":") ? hlo_mlir_read_type(r) : NULL;
    int value = type ? hlo_mlir_new_value(r, type, hlo_mlir_keep(r, name)) : -1;
    if (value < 0 || !hlo_mlir_bind(r, name, value, 1)) return false;
    block->argument_count++;
    hlo_list named = {.size = sizeof(hlo_mlir_named)};
    bool ok = hlo_reader_peek(&r->text) != '{' || hlo_mlir_read_dictionary(r, &named);
    hlo_list_drop(&named);
    if (!ok || !hlo_mlir_read_location(r, &location) || (locations && !hlo_list_push(locations, &location, r->status))) return false;
  }
  return true;
}

/* Reads (%a: T, %b: T {attributes} loc(...)). */
bool hlo_mlir_read_arguments(hlo_mlir_reader *r, hlo_mlir_block *block, bool of_function) {
  hlo_list locations = {.size = sizeof(hlo_span)};
  block->first_argument = r->tree->value_count;
  bool ok = read_arguments(r, block, of_function ? &locations : NULL);
  if (ok && locations.count) {
    hlo_mlir_located located = {block->argument_names = hlo_list_take(&locations, r->arena, r->status), block->argument_count};
    ok = located.names && hlo_list_push(&r->located, &located, r->status);
  }
  hlo_list_drop(&locations);
  return ok;
}

bool hlo_mlir_read_ops(hlo_mlir_reader *r, hlo_mlir_block *block, char close) {
  hlo_list ops = {.size = sizeof(hlo_mlir_op *)};
  bool ok = true;
  while (ok && hlo_reader_peek(&r->text) != close) {
    if (close && hlo_reader_peek(&r->text) == '^') {
      hlo_reader_fail_at(&r->text, r->text.cursor, HLO_UNSUPPORTED, "a region of several blocks: control flow must be structured");
      ok = false;
      break;
    }
    hlo_mlir_op *op = hlo_mlir_read_op(r);
    ok = op && hlo_list_push(&ops, &op, r->status);
  }
  block->op_count = ops.count;
  block->ops = ok ? hlo_list_take(&ops, r->arena, r->status) : NULL;
  hlo_list_drop(&ops);
  return ok && block->ops;
}

static bool bind_given(hlo_mlir_reader *r, hlo_mlir_block *block, const hlo_span *names, const hlo_mlir_type *const *types, int count) {
  block->first_argument = r->tree->value_count;
  block->argument_count = count;
  for (int i = 0; i < count; i++) {
    int value = hlo_mlir_new_value(r, types[i], hlo_mlir_keep(r, names[i]));
    if (value < 0 || !hlo_mlir_bind(r, names[i], value, 1)) return false;
  }
  return true;
}

bool hlo_mlir_read_region(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_span *names,
                          const hlo_mlir_type *const *types, int count) {
  hlo_mlir_region region = {.block_count = 1};
  int mark = r->binding_count;
  if (!hlo_reader_enter(&r->text)) return false;
  bool ok = hlo_reader_expect(&r->text, "{") && bind_given(r, &region.block, names, types, count);
  if (ok && hlo_reader_accept(&r->text, "^")) {
    hlo_mlir_read_suffix(r);
    if (hlo_reader_accept(&r->text, "(")) ok = hlo_mlir_read_arguments(r, &region.block, hlo_span_is(p->op.name, "func.func"));
    ok = ok && hlo_reader_expect(&r->text, ":");
  }
  ok = ok && hlo_mlir_read_ops(r, &region.block, '}') && hlo_reader_expect(&r->text, "}");
  hlo_mlir_leave_scope(r, mark);
  hlo_reader_leave(&r->text);
  return ok && hlo_list_push(&p->regions, &region, r->status);
}

/* ---- Generic form ---- */

/* Reads a region without any block, which a function declaration has. */
static bool read_empty_region(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  const char *where = r->text.cursor;
  hlo_mlir_region region = {0};
  if (hlo_span_is(p->op.name, "func.func") && hlo_reader_accept(&r->text, "{") && hlo_reader_accept(&r->text, "}"))
    return hlo_list_push(&p->regions, &region, r->status);
  r->text.cursor = where;
  return false;
}

static bool read_generic(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (!hlo_mlir_read_string(r, &p->op.name) || !hlo_reader_expect(&r->text, "(") || !hlo_mlir_read_operands(r, p) ||
      !hlo_reader_expect(&r->text, ")"))
    return false;
  if (hlo_reader_accept(&r->text, "<{")) {
    r->text.cursor--; /* properties are a dictionary in angle brackets */
    if (!hlo_mlir_read_dictionary(r, &p->named) || !hlo_reader_expect(&r->text, ">")) return false;
  }
  if (hlo_reader_accept(&r->text, "(")) {
    do {
      if (!read_empty_region(r, p) && !hlo_mlir_read_region(r, p, NULL, NULL, 0)) return false;
    } while (hlo_reader_accept(&r->text, ","));
    if (!hlo_reader_expect(&r->text, ")")) return false;
  }
  if (hlo_reader_peek(&r->text) == '{' && !hlo_mlir_read_dictionary(r, &p->named)) return false;
  return hlo_reader_expect(&r->text, ":") && hlo_mlir_take_types(r, p, hlo_mlir_read_function_type(r));
}

/* ---- Any operation ---- */

typedef struct result_name {
  hlo_span name;
  int count;
} result_name;

/* Reads %a, %b:2 = */
static bool read_result_names(hlo_mlir_reader *r, hlo_list *names, int *total) {
  *total = 0;
  if (hlo_reader_peek(&r->text) != '%') return true;
  do {
    result_name result = {{0}, 1};
    int64_t count = 1;
    if (!hlo_reader_expect(&r->text, "%")) return false;
    result.name = hlo_mlir_read_suffix(r);
    if (hlo_reader_accept(&r->text, ":") && !hlo_reader_int(&r->text, &count)) return false;
    if (!result.name.length || count < 1 || count > 100000) return hlo_reader_fail(&r->text, "expected the name of a result");
    result.count = (int)count;
    *total += result.count;
    if (!hlo_list_push(names, &result, r->status)) return false;
  } while (hlo_reader_accept(&r->text, ","));
  return hlo_reader_expect(&r->text, "=");
}

static bool bind_results(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_list *names, int total) {
  p->op.result_count = p->result_types.count;
  p->op.first_result = r->tree->value_count;
  if (names->count && total != p->op.result_count)
    return hlo_reader_fail_at(&r->text, p->where, HLO_PARSE, "%.*s has %d results, but %d are named", (int)p->op.name.length,
                              p->op.name.text, p->op.result_count, total);
  int next = p->op.first_result;
  for (int i = 0, pack = 0, left = names->count ? ((result_name *)names->items)[0].count : 0; i < p->op.result_count; i++) {
    hlo_span name = {"", 0};
    if (names->count) {
      name = hlo_mlir_keep(r, ((result_name *)names->items)[pack].name);
      if (--left == 0 && ++pack < names->count) left = ((result_name *)names->items)[pack].count;
    }
    if (hlo_mlir_new_value(r, ((const hlo_mlir_type **)p->result_types.items)[i], name) < 0) return false;
  }
  for (int i = 0; i < names->count; i++) {
    result_name *result = &((result_name *)names->items)[i];
    if (!hlo_mlir_bind(r, result->name, next, result->count)) return false;
    next += result->count;
  }
  return true;
}

/* Sets the operation's place. Lines are counted from the previous operation on, so that the text is walked only once. */
static bool locate(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  char excerpt[HLO_EXCERPT_BUFFER];
  hlo_text_place *place = &p->op.place;
  for (; r->counted < p->where; r->counted++)
    if (*r->counted == '\n') r->line++, r->line_start = r->counted + 1;
  place->line = r->line;
  place->column = (int)(p->where - r->line_start) + 1;
  hlo_text_place_show(place, excerpt, r->text.begin, p->where, r->text.end);
  return (place->excerpt = hlo_arena_text(r->arena, excerpt, strlen(excerpt), r->status)) != NULL;
}

static bool read_body_of(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (hlo_reader_peek(&r->text) == '"') return read_generic(r, p);
  hlo_span name = hlo_mlir_read_bare(r);
  if (!name.length) return hlo_reader_fail(&r->text, "expected an operation");
  p->op.name = hlo_mlir_keep(r, name);
  if (hlo_span_is(name, "func.func") || hlo_span_is(name, "func")) {
    p->op.name = (hlo_span){"func.func", 9};
    return hlo_mlir_read_function(r, p);
  }
  if (hlo_span_is(name, "module") || hlo_span_is(name, "builtin.module")) {
    p->op.name = (hlo_span){"builtin.module", 14};
    return hlo_mlir_read_module(r, p);
  }
  return hlo_mlir_read_pretty(r, p);
}

static hlo_mlir_op *finish(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_op *op = hlo_arena_copy(r->arena, &p->op, sizeof p->op, r->status);
  if (!op) return NULL;
  op->operand_count = p->operands.count;
  op->operands = hlo_list_take(&p->operands, r->arena, r->status);
  op->attribute_count = p->named.count;
  op->attributes = hlo_list_take(&p->named, r->arena, r->status);
  op->region_count = p->regions.count;
  op->regions = hlo_list_take(&p->regions, r->arena, r->status);
  return op->operands && op->attributes && op->regions ? op : NULL;
}

hlo_mlir_op *hlo_mlir_read_op(hlo_mlir_reader *r) {
  hlo_mlir_pending p = {.operands = {.size = sizeof(int)}, .named = {.size = sizeof(hlo_mlir_named)},
                        .regions = {.size = sizeof(hlo_mlir_region)}, .result_types = {.size = sizeof(const hlo_mlir_type *)}};
  hlo_list names = {.size = sizeof(result_name)};
  int total;
  bool ok = read_result_names(r, &names, &total);
  hlo_reader_peek(&r->text);
  p.where = r->text.cursor;
  ok = ok && locate(r, &p) && read_body_of(r, &p) && hlo_mlir_skip_location(r) && bind_results(r, &p, &names, total);
  hlo_mlir_op *op = ok ? finish(r, &p) : NULL;
  hlo_list_drop(&names);
  hlo_list_drop(&p.operands);
  hlo_list_drop(&p.named);
  hlo_list_drop(&p.regions);
  hlo_list_drop(&p.result_types);
  return op;
}
