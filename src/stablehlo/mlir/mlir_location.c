/* Names of a function's arguments, taken from their locations:
 *
 *   loc("params['w']")   loc("x"("model.py":3:4))   loc(#loc3)   loc(callsite("x" at #loc))   loc(fused["x", "y"])
 *
 * A place in a file is not a name. Locations have no effect on what a program does, so a location that cannot be read is
 * no failure: it gives no name. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

/* Bounds the number of locations looked at: they may refer to one another in circles. */
enum { MAX_LOCATION_STEPS = 64 };

static bool read_name(hlo_mlir_reader *r, int *steps, hlo_span *name);

/* Finds the name in the text of a location, or of (location ...). */
static bool read_name_in(hlo_mlir_reader *r, int *steps, hlo_span text, hlo_span *name) {
  hlo_reader outer = r->text;
  hlo_reader_init(&r->text, text.text, text.length, outer.status);
  hlo_reader_accept_word(&r->text, "loc");
  hlo_reader_accept(&r->text, "(");
  bool found = read_name(r, steps, name);
  r->text = outer;
  return found;
}

/* Finds the name in the location that #loc3 or #loc stands for. */
static bool read_alias(hlo_mlir_reader *r, int *steps, hlo_span *name) {
  r->text.cursor++;
  hlo_span alias = hlo_mlir_read_suffix(r);
  for (int i = 0; i < r->alias_count; i++)
    if (r->aliases[i].attribute && hlo_span_equal(r->aliases[i].name, alias)) return read_name_in(r, steps, r->aliases[i].attribute->text, name);
  return false;
}

/* Reads "name", "name"(child), or "file":3:4. */
static bool read_quoted(hlo_mlir_reader *r, hlo_span *name) {
  hlo_span child;
  bool read = hlo_mlir_read_string(r, name);
  char next = hlo_reader_peek(&r->text);
  if (next != ':') return read && (next != '(' || hlo_reader_balanced(&r->text, &child)) && name->length > 0;
  for (; next && next != ','; next = hlo_reader_peek(&r->text)) r->text.cursor++;
  return false;
}

/* Reads <metadata>[A, B] and takes the first name. */
static bool read_fused(hlo_mlir_reader *r, int *steps, hlo_span *name) {
  hlo_span metadata;
  bool read = !hlo_reader_accept(&r->text, "<") || hlo_mlir_read_angle(r, &metadata);
  if (!read || !hlo_reader_accept(&r->text, "[")) return false;
  do {
    if (read_name(r, steps, name)) return true;
  } while (hlo_reader_accept(&r->text, ","));
  return false;
}

/* Reads a location, and skips it if it holds no name. */
static bool read_name(hlo_mlir_reader *r, int *steps, hlo_span *name) {
  hlo_span group;
  char c = hlo_reader_peek(&r->text);
  if ((*steps)-- <= 0) return false;
  if (c == '"') return read_quoted(r, name);
  if (c == '#') return read_alias(r, steps, name);
  if (hlo_reader_accept_word(&r->text, "callsite")) return hlo_reader_balanced(&r->text, &group) && read_name_in(r, steps, group, name);
  if (hlo_reader_accept_word(&r->text, "fused")) return read_fused(r, steps, name);
  hlo_reader_accept_word(&r->text, "unknown");
  return false;
}

bool hlo_mlir_name_located(hlo_mlir_reader *r) {
  hlo_reader outer = r->text;
  for (int i = 0; i < r->located.count; i++) {
    const hlo_mlir_located *located = (const hlo_mlir_located *)r->located.items + i;
    for (int k = 0; k < located->count; k++) {
      hlo_span body = located->names[k];
      hlo_status unread = {0};
      located->names[k] = (hlo_span){"", 0};
      hlo_reader_init(&r->text, body.text, body.length, &unread);
      hlo_span name;
      int steps = MAX_LOCATION_STEPS;
      if (read_name_in(r, &steps, body, &name)) located->names[k] = name;
    }
  }
  r->text = outer;
  return hlo_ok(r->status);
}

/* ---- Arguments passed on ---- */

/* Returns the index of the argument of `block` that a value is, perhaps converted to another type; -1 if it is none. */
static int argument_of(const hlo_mlir_block *block, const int *converted, int first_value, int value_count, int value) {
  int argument = value - block->first_argument;
  if (argument >= 0 && argument < block->argument_count) return argument;
  return value >= first_value && value - first_value < value_count ? converted[value - first_value] - 1 : -1;
}

static void take_names(hlo_mlir *tree, const hlo_mlir_block *block, const hlo_mlir_op *call, const int *converted, int first, int count) {
  const hlo_mlir_attribute *callee = hlo_mlir_find(call, "callee");
  const hlo_mlir_op *function = callee ? hlo_mlir_function(tree, callee->text) : NULL;
  const hlo_mlir_block *inner = function && function->region_count == 1 ? &function->regions[0].block : NULL;
  if (!inner || inner == block || !inner->argument_names || inner->argument_count != call->operand_count) return;
  for (int i = 0; i < call->operand_count; i++) {
    int argument = argument_of(block, converted, first, count, call->operands[i]);
    if (argument >= 0 && !block->argument_names[argument].length) block->argument_names[argument] = inner->argument_names[i];
  }
}

static bool name_arguments(hlo_mlir *tree, hlo_mlir_block *block, hlo_status *status) {
  const hlo_mlir_op *last = block->op_count ? block->ops[block->op_count - 1] : NULL;
  int first = block->first_argument + block->argument_count, count = last ? last->first_result - first : 0;
  if (!block->argument_names) block->argument_names = hlo_arena_many(&tree->arena, hlo_span, block->argument_count, status);
  /* For each value: argument number + 1; 0 if it is not an argument. */
  int *converted = hlo_arena_many(&tree->arena, int, count > 0 ? count : 0, status);
  if (!block->argument_names || !converted) return false;
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    if (hlo_span_is(op->name, "func.call")) take_names(tree, block, op, converted, first, count);
    if (!hlo_span_is(op->name, "stablehlo.convert") || op->operand_count != 1 || op->result_count != 1) continue;
    int result = op->first_result - first;
    if (result >= 0 && result < count) converted[result] = argument_of(block, converted, first, count, op->operands[0]) + 1;
  }
  return true;
}

static bool all_named(const hlo_mlir_block *block) {
  for (int i = 0; i < block->argument_count; i++)
    if (!block->argument_names || !block->argument_names[i].length) return false;
  return true;
}

bool hlo_mlir_name_passed_arguments(hlo_mlir *tree, hlo_status *status) {
  const hlo_mlir_op *main = hlo_mlir_function(tree, (hlo_span){"main", 4});
  if (!main || main->region_count != 1 || !main->regions[0].block_count) return true;
  hlo_mlir_block *block = (hlo_mlir_block *)&main->regions[0].block; /* not const: it belongs to the tree's arena */
  return all_named(block) || name_arguments(tree, block, status);
}
