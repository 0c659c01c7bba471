/* Looks up attributes and functions in a tree, and frees it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/literal.h"
#include "stablehlo/mlir/mlir.h"

void hlo_mlir_free(hlo_mlir *tree) {
  if (!tree) return;
  hlo_arena_free(&tree->arena);
  free(tree->values);
  free(tree);
}

static bool change_constants(const hlo_mlir_block *block, bool (*change)(hlo_literal *literal, hlo_status *status), hlo_status *status) {
  for (int i = 0; i < block->op_count; i++) {
    const hlo_mlir_op *op = block->ops[i];
    const hlo_mlir_attribute *value = hlo_span_is(op->name, "stablehlo.constant") ? hlo_mlir_find(op, "value") : NULL;
    if (value && value->kind == HLO_MLIR_DENSE && !change((hlo_literal *)value->literal, status)) return false;
    for (int r = 0; r < op->region_count; r++)
      if (op->regions[r].block_count && !change_constants(&op->regions[r].block, change, status)) return false;
  }
  return true;
}

static bool settle(hlo_literal *literal, hlo_status *status) {
  hlo_literal_settle(literal);
  return true;
}

bool hlo_mlir_pin(hlo_mlir *tree, hlo_status *status) { return change_constants(&tree->body, hlo_literal_pin, status); }
void hlo_mlir_settle(hlo_mlir *tree) { change_constants(&tree->body, settle, NULL); }

bool hlo_mlir_is_return(const hlo_mlir_op *op) {
  return hlo_span_is(op->name, "stablehlo.return") || hlo_span_is(op->name, "func.return") || hlo_span_is(op->name, "sdy.return");
}

const hlo_mlir_attribute *hlo_mlir_find(const hlo_mlir_op *op, const char *name) {
  for (int i = 0; i < op->attribute_count; i++)
    if (hlo_span_is(op->attributes[i].name, name)) return op->attributes[i].value;
  return NULL;
}

const hlo_mlir_attribute *hlo_mlir_entry(const hlo_mlir_attribute *dict, const char *name) {
  if (!dict || dict->kind != HLO_MLIR_DICT) return NULL;
  for (int i = 0; i < dict->count; i++)
    if (hlo_span_is(dict->names[i], name)) return dict->elements[i];
  return NULL;
}

const hlo_mlir_op *hlo_mlir_function(const hlo_mlir *tree, hlo_span symbol) {
  for (int i = 0; i < tree->body.op_count; i++) {
    const hlo_mlir_op *op = tree->body.ops[i];
    if (!hlo_span_is(op->name, "func.func")) continue;
    const hlo_mlir_attribute *name = hlo_mlir_find(op, "sym_name");
    if (name && hlo_span_equal(name->text, symbol)) return op;
  }
  return NULL;
}

char *hlo_mlir_function_hint(const hlo_mlir *tree, hlo_span symbol, char hint[HLO_HINT_BYTES]) {
  hlo_nearest_name nearest = {.name = symbol};
  for (int i = 0; i < tree->body.op_count; i++) {
    const hlo_mlir_op *op = tree->body.ops[i];
    const hlo_mlir_attribute *name = hlo_span_is(op->name, "func.func") ? hlo_mlir_find(op, "sym_name") : NULL;
    if (name) hlo_nearest_name_offer(&nearest, name->text);
  }
  return hlo_nearest_name_hint(&nearest, "@", hint, HLO_HINT_BYTES);
}
