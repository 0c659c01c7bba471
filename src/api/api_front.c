/* Reading modules: the form is recognised by the bytes, HLO text, StableHLO text or bytecode, a jax.export file, or a protocol buffer. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/source_bytes.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "proto/hlo_proto.h"
#include "reference/fold_constant.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_write.h"
#include "text/hlo_text.h"

static hlo_mlir *read_export(hlo_source *source, const char *bytes, size_t length, hlo_writer *exported, hlo_status *status) {
  hlo_span module;
  hlo_mlir *tree = hlo_jax_export_module(bytes, length, &module, status) ? hlo_bytecode_read_in(source, module.text, module.length, status) : NULL;
  if (!tree || hlo_jax_export_describe(bytes, length, tree, exported, status)) return tree;
  hlo_mlir_free(tree);
  return NULL;
}

/* Reads a tree of StableHLO in any form; NULL without a failure if the bytes are not StableHLO. exported: gets the description of a
 * jax.export file; other forms leave it empty. */
static hlo_mlir *read_tree(hlo_source *source, const char *bytes, size_t length, hlo_writer *exported, hlo_status *status) {
  hlo_span module = {bytes, length};
  if (hlo_jax_export_recognise(bytes, length)) return read_export(source, bytes, length, exported, status);
  if (hlo_bytecode_recognise(module.text, module.length)) return hlo_bytecode_read_in(source, module.text, module.length, status);
  if (hlo_stablehlo_recognise(bytes, length)) return hlo_mlir_parse(bytes, length, status);
  return NULL;
}

static hlo_mlir *read_alone(const char *bytes, size_t length, hlo_status *status) {
  hlo_writer exported;
  hlo_writer_init(&exported, status);
  hlo_mlir *tree = read_tree(NULL, bytes, length, &exported, status);
  hlo_writer_free(&exported);
  return tree;
}

bool hlo_api_is_text(const char *bytes, size_t length) {
  for (size_t i = 0; i < length && i < 256; i++)
    if ((unsigned char)bytes[i] < 0x20 && bytes[i] != '\n' && bytes[i] != '\r' && bytes[i] != '\t') return false;
  return true;
}

bool hlo_api_read_shapes(hlo_span text, hlo_arena *arena, hlo_specialisation *given, hlo_status *status) {
  if (!text.length) return true;
  const hlo_shape *tuple = hlo_shape_parse(arena, text.text, text.length, status);
  if (!tuple) return false;
  if (!hlo_shape_is_tuple(tuple)) return hlo_fail(status, HLO_ARGUMENT, "expected a tuple of shapes, one for each argument");
  given->count = tuple->element_count;
  given->shapes = tuple->elements;
  return true;
}

static hlo_module *lower(const hlo_mlir *tree, hlo_span entry, hlo_span shapes, bool *wanted, hlo_status *status) {
  hlo_specialisation given = {.fold = hlo_reference_fold, .wanted = wanted};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_module *module = hlo_api_read_shapes(shapes, &arena, &given, status) ? hlo_stablehlo_lower_for(tree, entry, &given, status) : NULL;
  hlo_arena_free(&arena);
  return module;
}

static bool any_of(const bool *flags, int count) {
  for (int i = 0; i < count; i++)
    if (flags[i]) return true;
  return false;
}

/* Returns whether the entry has arguments of open shape. */
static bool is_open(const hlo_mlir *tree, const hlo_mlir_block *block) {
  for (int i = 0; i < block->argument_count; i++) {
    const hlo_mlir_type *type = tree->values[block->first_argument + i].type;
    if (type->kind == HLO_MLIR_SHAPED && hlo_shape_has_unbounded(type->shape)) return true;
  }
  return false;
}

/* Lowers a tree for which no shapes were given. A dynamic tree is lowered as far as its open shapes allow, to report its errors now; the rest
 * is left to specialisation. */
static hlo_module *read_open(hlo_mlir *tree, hlo_span entry, hlo_api_dynamic **dynamic, hlo_status *status) {
  hlo_status ignored = {0};
  const hlo_mlir_op *function = hlo_stablehlo_entry(tree, entry, &ignored);
  const hlo_mlir_block *block = function ? &function->regions[0].block : NULL;
  bool *wanted = block ? calloc((size_t)block->argument_count + 1, sizeof *wanted) : NULL;
  if (block && !wanted) hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for %d arguments", block->argument_count);
  hlo_module *module = block && !wanted ? NULL : lower(tree, entry, (hlo_span){"", 0}, wanted, status);
  bool open = block && (is_open(tree, block) || (!module && wanted && any_of(wanted, block->argument_count)));
  free(wanted);
  if (!open || (!module && status->code != HLO_UNSUPPORTED)) {
    hlo_mlir_free(tree);
    return module;
  }
  hlo_module_free(module);
  *status = (hlo_status){0};
  *dynamic = hlo_api_dynamic_new(tree, entry, status);
  return NULL;
}

hlo_module *hlo_api_read_module(hlo_source *source, const char *bytes, size_t length, hlo_span entry, hlo_span shapes, hlo_api_dynamic **dynamic,
                                hlo_writer *exported, hlo_status *status) {
  hlo_mlir *tree = read_tree(source, bytes, length, exported, status);
  if (entry.length && !hlo_span_is(entry, "main")) hlo_writer_free(exported); /* which describes main alone */
  if (tree && !shapes.length) return read_open(tree, entry, dynamic, status);
  if (tree) {
    hlo_module *module = lower(tree, entry, shapes, NULL, status);
    hlo_mlir_free(tree);
    return module;
  }
  if (!hlo_ok(status)) return NULL;
  if (entry.length || shapes.length) {
    hlo_fail(status, HLO_ARGUMENT, "%s: an option for StableHLO alone; HLO names its own entry, and its shapes are known", entry.length ? "entry" : "shapes");
    return NULL;
  }
  if (hlo_api_is_text(bytes, length)) return hlo_text_parse(bytes, length, status);
  hlo_module *module = hlo_proto_read((const uint8_t *)bytes, length, status);
  if (!module && !hlo_proto_recognise((const uint8_t *)bytes, length))
    hlo_status_append(status, "; nor are these bytes HLO text, StableHLO text or bytecode, or a file of jax.export");
  return module;
}

/* Writes the values that were chosen for scalar integers, null for the other arguments: [3,null]. */
static void write_values(hlo_writer *writer, const hlo_specialisation *chosen) {
  hlo_write_char(writer, '[');
  for (int i = 0; i < chosen->count; i++) {
    const hlo_literal *value = chosen->values ? chosen->values[i] : NULL;
    if (i) hlo_write_char(writer, ',');
    if (value) hlo_write_int(writer, hlo_literal_get(value, 0).s);
    else hlo_write(writer, "null");
  }
  hlo_write_char(writer, ']');
}

/* Specialises a dynamic module for the attempt-th set of argument shapes; the answer is the values that belong to them. NULL without a failure if
 * there are no more sets. */
HLO_API(hlo_api_module *, hlo_api_module_attempt)(hlo_runtime *runtime, const char *bytes, size_t length, int attempt) {
  hlo_api_begin(runtime);
  hlo_status *status = &runtime->status;
  hlo_mlir *tree = read_alone(bytes, length, status);
  hlo_specialisation chosen = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_module *module = NULL;
  if (tree && hlo_stablehlo_choose_shapes(tree, (hlo_span){"", 0}, attempt, &arena, &chosen, status)) {
    chosen.fold = hlo_reference_fold;
    module = hlo_stablehlo_lower_for(tree, (hlo_span){"", 0}, &chosen, status);
    if (module) write_values(&runtime->text, &chosen);
  }
  if (!module && hlo_ok(status)) hlo_fail(status, HLO_ARGUMENT, "there are no more shapes to try");
  hlo_arena_free(&arena);
  hlo_mlir_free(tree);
  return hlo_api_module_wrap(runtime, module, NULL);
}

/* [{"name":"main","public":true,"arguments":0}, ...] of StableHLO; [] of anything else. */
HLO_API(bool, hlo_api_functions)(hlo_runtime *runtime, const char *bytes, size_t length) {
  hlo_api_begin(runtime);
  hlo_writer *writer = &runtime->text;
  hlo_mlir *tree = read_alone(bytes, length, &runtime->status);
  hlo_write_char(writer, '[');
  bool any = false;
  for (int i = 0; tree && i < tree->body.op_count; i++) {
    const hlo_mlir_op *op = tree->body.ops[i];
    const hlo_mlir_attribute *name = hlo_mlir_find(op, "sym_name"), *visibility = hlo_mlir_find(op, "sym_visibility");
    if (!hlo_span_is(op->name, "func.func") || !name || op->region_count != 1 || !op->regions[0].block_count) continue;
    hlo_write(writer, any ? ",{\"name\":" : "{\"name\":");
    hlo_write_json(writer, name->text.text, name->text.length);
    hlo_write_format(writer, ",\"public\":%s,\"arguments\":%d}", visibility && hlo_span_is(visibility->text, "private") ? "false" : "true",
                     op->regions[0].block.argument_count);
    any = true;
  }
  hlo_write_char(writer, ']');
  hlo_mlir_free(tree);
  return hlo_ok(&runtime->status);
}

/* Returns whether StableHLO, printed and read again, is the same module. */
HLO_API(bool, hlo_api_prints_same)(hlo_runtime *runtime, const char *bytes, size_t length) {
  hlo_api_begin(runtime);
  hlo_status *status = &runtime->status;
  hlo_mlir *tree = read_alone(bytes, length, status), *again = NULL;
  hlo_writer text;
  hlo_writer_init(&text, status);
  if (tree) hlo_mlir_write(&text, tree);
  if (tree && hlo_ok(status)) again = hlo_mlir_parse(text.text, text.length, status);
  bool same = again && hlo_mlir_same(tree, again, status);
  hlo_writer_free(&text);
  hlo_mlir_free(tree);
  hlo_mlir_free(again);
  return same || hlo_fail(status, HLO_VERIFY, "printed and read again, it is another module");
}
