/* Custom assembly of ops with regions: while, reduce, scan. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_pretty.h"
#include "stablehlo/mlir/mlir_reader.h"

/* Reads while(%i = %a, %j = %b) : A, B attributes {...} cond {...} do {...} */
bool hlo_pretty_while(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_list names = {.size = sizeof(hlo_span)};
  bool ok = hlo_reader_expect(&r->text, "(");
  bool first = true;
  while (ok && !hlo_reader_accept(&r->text, ")")) {
    ok = (first || hlo_reader_expect(&r->text, ",")) && hlo_reader_expect(&r->text, "%");
    hlo_span name = ok ? hlo_mlir_read_suffix(r) : (hlo_span){0};
    ok = ok && hlo_list_push(&names, &name, r->status) && hlo_reader_expect(&r->text, "=") && hlo_mlir_read_operand(r, p);
    first = false;
  }
  ok = ok && hlo_pretty_operand_types(r, p, true);
  if (ok && hlo_reader_accept_word(&r->text, "attributes")) ok = hlo_mlir_read_dictionary(r, &p->named);
  const hlo_mlir_type *const *types = (const hlo_mlir_type *const *)p->result_types.items;
  ok = ok && (hlo_reader_accept_word(&r->text, "cond") || hlo_reader_fail(&r->text, "expected 'cond'")) &&
       hlo_mlir_read_region(r, p, names.items, types, names.count) &&
       (hlo_reader_accept_word(&r->text, "do") || hlo_reader_fail(&r->text, "expected 'do'")) &&
       hlo_mlir_read_region(r, p, names.items, types, names.count);
  hlo_list_drop(&names);
  return ok;
}

/* Makes the region { op(%x, %y) } that "applies op" stands for. */
static bool push_applied(hlo_mlir_reader *r, hlo_mlir_pending *p, hlo_span applied, const hlo_mlir_type *const *types) {
  hlo_mlir_region region = {.block_count = 1};
  hlo_mlir_op *ops[2];
  region.block.first_argument = r->tree->value_count;
  region.block.argument_count = 2;
  for (int i = 0; i < 2; i++)
    if (hlo_mlir_new_value(r, types[i], (hlo_span){"", 0}) < 0) return false;
  int arguments[2] = {region.block.first_argument, region.block.first_argument + 1};
  for (int i = 0; i < 2; i++) {
    if (!(ops[i] = hlo_arena_new(r->arena, hlo_mlir_op, r->status))) return false;
    ops[i]->name = i ? (hlo_span){"stablehlo.return", 16} : hlo_mlir_keep(r, applied);
    ops[i]->place = p->op.place;
    ops[i]->operand_count = 2 - i;
  }
  ops[0]->operands = hlo_arena_copy(r->arena, arguments, sizeof arguments, r->status);
  ops[0]->result_count = 1;
  int result = ops[0]->first_result = hlo_mlir_new_value(r, types[0], (hlo_span){"", 0});
  ops[1]->operands = hlo_arena_copy(r->arena, &result, sizeof result, r->status);
  region.block.op_count = 2;
  region.block.ops = hlo_arena_copy(r->arena, ops, sizeof ops, r->status);
  return result >= 0 && ops[0]->operands && ops[1]->operands && region.block.ops && hlo_list_push(&p->regions, &region, r->status);
}

static const hlo_mlir_type *scalar_tensor(hlo_mlir_reader *r, const hlo_mlir_type *of) {
  if (of->kind != HLO_MLIR_SHAPED || !hlo_shape_is_array(of->shape)) return of;
  hlo_mlir_type *type = hlo_arena_new(r->arena, hlo_mlir_type, r->status);
  hlo_shape *shape = (hlo_shape *)hlo_shape_make_scalar(r->arena, of->shape->type, r->status);
  if (!type || !shape) return NULL;
  shape->quantization = of->shape->quantization;
  *type = (hlo_mlir_type){.kind = HLO_MLIR_SHAPED, .shape = shape, .text = of->text};
  return type;
}

bool hlo_pretty_argument(hlo_mlir_reader *r, hlo_list *names, hlo_list *types) {
  if (!hlo_reader_expect(&r->text, "%")) return false;
  hlo_span name = hlo_mlir_read_suffix(r), location;
  const hlo_mlir_type *type = hlo_reader_expect(&r->text, ":") ? hlo_mlir_read_type(r) : NULL;
  return type && hlo_list_push(names, &name, r->status) && hlo_list_push(types, &type, r->status) &&
         (!hlo_reader_accept_word(&r->text, "loc") || hlo_reader_balanced(&r->text, &location));
}

/* Reads reduce(%a init: %i), (%b init: %j) applies op across dimensions = [0] {attributes} : types
 * or, instead of "applies op", at the end: reducer(%x: T, %y: T) (%z: T, %w: T) { ... } */
static bool read_reducer(hlo_mlir_reader *r, hlo_mlir_pending *p, int count) {
  hlo_list names = {.size = sizeof(hlo_span)}, types = {.size = sizeof(const hlo_mlir_type *)};
  bool ok = true;
  /* Arguments are written in pairs, (%acc0, %x0) (%acc1, %x1); the block has all accumulators first. */
  for (int pair = 0; pair < count && ok; pair++) {
    ok = hlo_reader_expect(&r->text, "(");
    for (int side = 0; side < 2 && ok; side++)
      ok = (side == 0 || hlo_reader_expect(&r->text, ",")) && hlo_pretty_argument(r, &names, &types);
    ok = ok && hlo_reader_expect(&r->text, ")");
  }
  hlo_span *ordered_names = ok ? hlo_arena_many(r->arena, hlo_span, 2 * count, r->status) : NULL;
  const hlo_mlir_type **ordered = ok ? hlo_arena_many(r->arena, const hlo_mlir_type *, 2 * count, r->status) : NULL;
  for (int i = 0; ordered && ordered_names && i < 2 * count; i++) {
    ordered_names[(i % 2) * count + i / 2] = ((hlo_span *)names.items)[i];
    ordered[(i % 2) * count + i / 2] = ((const hlo_mlir_type **)types.items)[i];
  }
  ok = ordered && ordered_names && hlo_mlir_read_region(r, p, ordered_names, ordered, 2 * count);
  hlo_list_drop(&names);
  hlo_list_drop(&types);
  return ok;
}

static bool is_commutative(hlo_span name) {
  static const char *const names[] = {"stablehlo.add", "stablehlo.and", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply",
                                      "stablehlo.or", "stablehlo.xor"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hlo_span_is(name, names[i])) return true;
  return false;
}

bool hlo_pretty_reduce(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  hlo_mlir_pending inits = {.operands = {.size = sizeof(int)}, .where = p->where, .op = p->op};
  hlo_span applied = {0};
  bool ok = true;
  do {
    ok = hlo_reader_expect(&r->text, "(") && hlo_mlir_read_operand(r, p) &&
         (hlo_reader_accept_word(&r->text, "init") || hlo_reader_fail(&r->text, "expected 'init:'")) &&
         hlo_reader_expect(&r->text, ":") && hlo_mlir_read_operand(r, &inits) && hlo_reader_expect(&r->text, ")");
  } while (ok && hlo_reader_accept(&r->text, ","));
  int count = inits.operands.count;
  for (int i = 0; i < count && ok; i++) ok = hlo_list_push(&p->operands, (int *)inits.operands.items + i, r->status);
  hlo_list_drop(&inits.operands);
  if (ok && hlo_reader_accept_word(&r->text, "applies")) {
    applied = hlo_mlir_read_bare(r);
    if (!is_commutative(applied))
      return hlo_reader_fail_at(&r->text, p->where, HLO_SHAPE, "stablehlo.reduce: 'applies' takes a commutative operation of two operands, not %.*s",
                                (int)applied.length, applied.text);
  }
  ok = ok && (hlo_reader_accept_word(&r->text, "across") || hlo_reader_fail(&r->text, "expected 'across dimensions'")) &&
       (hlo_reader_accept_word(&r->text, "dimensions") || hlo_reader_fail(&r->text, "expected 'dimensions'")) &&
       hlo_reader_expect(&r->text, "=") && hlo_pretty_push_attribute(r, p, "dimensions") && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
  if (!ok) return false;
  if (!applied.length) {
    if (!hlo_reader_accept_word(&r->text, "reducer")) return hlo_reader_fail(&r->text, "expected 'reducer'");
    return read_reducer(r, p, count);
  }
  const hlo_mlir_type *type = scalar_tensor(r, hlo_pretty_operand_type(r, p, 0)), *types[2] = {type, type};
  return type && push_applied(r, p, applied, types);
}

/* Reads chlo.scan(%a) inits(%b) dimension=0 attributes {is_reverse = true} { ... } : types, where `attributes` may be missing. */
bool hlo_pretty_scan(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  bool ok = hlo_reader_expect(&r->text, "(") && hlo_mlir_read_operands(r, p) && hlo_reader_expect(&r->text, ")");
  hlo_mlir_attribute *inputs = hlo_mlir_new_attribute(r, HLO_MLIR_INT);
  if (!ok || !inputs) return false;
  inputs->integer = p->operands.count;
  ok = (hlo_reader_accept_word(&r->text, "inits") || hlo_reader_fail(&r->text, "expected 'inits'")) && hlo_reader_expect(&r->text, "(") &&
       hlo_mlir_read_operands(r, p) && hlo_reader_expect(&r->text, ")") && hlo_mlir_push_named(r, &p->named, "num_inputs", inputs);
  while (ok && hlo_reader_peek(&r->text) != '{') {
    bool attributes = hlo_reader_accept_word(&r->text, "attributes");
    ok = attributes ? hlo_reader_peek(&r->text) == '{' ? hlo_pretty_attributes(r, p) : hlo_reader_fail(&r->text, "expected attributes in braces")
                    : hlo_pretty_push_keyword(r, p);
    if (attributes) break;
    hlo_reader_accept(&r->text, ",");
  }
  return ok && hlo_mlir_read_region(r, p, NULL, NULL, 0) && hlo_pretty_attributes(r, p) && hlo_pretty_types(r, p);
}
