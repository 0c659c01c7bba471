/* Looks up attributes and functions in a tree, and frees it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/text_reader.h"
#include "stablehlo/mlir/mlir.h"

void hlo_mlir_free(hlo_mlir *tree) {
  if (!tree) return;
  hlo_arena_free(&tree->arena);
  free(tree->values);
  free(tree);
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
