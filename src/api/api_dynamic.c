/* Modules of dynamic shape: their description, and specialisation for the shapes of actual arguments. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "reference/fold_constant.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"

hlo_api_dynamic *hlo_api_dynamic_new(hlo_mlir *tree, hlo_span entry, hlo_status *status) {
  hlo_api_dynamic *dynamic = calloc(1, sizeof *dynamic);
  if (!dynamic) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a dynamic module");
    hlo_mlir_free(tree);
    return NULL;
  }
  dynamic->tree = tree;
  hlo_arena_init(&dynamic->arena);
  dynamic->entry = (hlo_span){hlo_arena_text(&dynamic->arena, entry.text, entry.length, status), entry.length};
  if (dynamic->entry.text && hlo_stablehlo_signature(tree, entry, &dynamic->arena, &dynamic->signature, status)) return dynamic;
  hlo_api_dynamic_free(dynamic);
  return NULL;
}

void hlo_api_dynamic_free(hlo_api_dynamic *dynamic) {
  if (!dynamic) return;
  hlo_mlir_free(dynamic->tree);
  hlo_arena_free(&dynamic->arena);
  free(dynamic);
}

static void write_named(hlo_writer *writer, const char *name, size_t length) {
  hlo_write(writer, "{\"name\":");
  hlo_write_json(writer, name, length);
}

void hlo_api_dynamic_write_info(hlo_writer *writer, const hlo_api_dynamic *dynamic) {
  const hlo_signature *s = &dynamic->signature;
  hlo_status ignored = {0};
  const hlo_mlir_op *function = hlo_stablehlo_entry(dynamic->tree, dynamic->entry, &ignored);
  hlo_span name = dynamic->tree->name, symbol = hlo_mlir_find(function, "sym_name")->text;
  write_named(writer, name.length ? name.text : "module", name.length ? name.length : 6);
  hlo_write_format(writer, ",\"entry\":0,\"replicas\":%lld,\"partitions\":%lld,\"computations\":[", (long long)s->replicas,
                   (long long)s->partitions);
  write_named(writer, symbol.text, symbol.length);
  hlo_write_format(writer, ",\"instructions\":%d,\"parameters\":[", function->regions[0].block.op_count);
  for (int i = 0; i < s->count; i++) {
    if (i) hlo_write_char(writer, ',');
    write_named(writer, s->names[i], strlen(s->names[i]));
    hlo_write(writer, ",\"shape\":");
    hlo_api_write_shape(writer, s->shapes[i]);
    hlo_write_char(writer, '}');
  }
  hlo_write(writer, "],\"result\":");
  hlo_api_write_shape(writer, s->result);
  hlo_write(writer, "}]}");
}

/* Reads the values of arguments from their numbers and elements; their shapes are known. */
static bool read_values(const int64_t *values, int count, hlo_arena *arena, hlo_specialisation *given, hlo_status *status) {
  const hlo_literal **known = hlo_arena_many(arena, const hlo_literal *, given->count, status);
  for (int at = 0; known && at < count;) {
    int64_t argument = values[at++];
    if (argument < 0 || argument >= given->count) return hlo_fail(status, HLO_ARGUMENT, "there is no argument %lld", (long long)argument);
    const hlo_shape *shape = given->shapes[argument];
    bool integers = hlo_shape_is_array(shape) && hlo_shape_is_static(shape) && hlo_type_is_integral(shape->type);
    if (!integers || hlo_shape_element_count(shape) > count - at)
      return hlo_fail(status, HLO_ARGUMENT, "the value of argument %lld is not known as %pS", (long long)argument, shape);
    hlo_literal *literal = hlo_literal_make(arena, shape, status);
    if (!literal) return false;
    int64_t elements = hlo_shape_element_count(shape);
    for (int64_t i = 0; i < elements; i++) hlo_literal_set(literal, i, (hlo_scalar){.s = values[at++]});
    known[argument] = literal;
  }
  given->values = known;
  return known != NULL;
}

static void write_wanted(hlo_writer *writer, const hlo_specialisation *given) {
  hlo_write_char(writer, '[');
  for (int i = 0, any = 0; i < given->count; i++) {
    if (!given->wanted[i] || given->values[i]) continue;
    hlo_write_format(writer, any++ ? ",%d" : "%d", i);
  }
  hlo_write_char(writer, ']');
}

HLO_API(hlo_api_module *, hlo_api_module_specialise)(hlo_api_module *module, const char *shapes, size_t length, const int64_t *values, int count) {
  hlo_runtime *runtime = module->runtime;
  hlo_api_begin(runtime);
  const hlo_api_dynamic *dynamic = module->dynamic;
  hlo_status *status = &runtime->status;
  if (!dynamic) return hlo_fail(status, HLO_ARGUMENT, "the module is not dynamic"), NULL;
  hlo_specialisation given = {.fold = hlo_reference_fold, .borrows = true};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_module *made = NULL;
  if (hlo_api_read_shapes((hlo_span){shapes, length}, &arena, &given, status) && (given.wanted = hlo_arena_many(&arena, bool, given.count, status)) &&
      read_values(values, count, &arena, &given, status) && !(made = hlo_stablehlo_lower_for(dynamic->tree, dynamic->entry, &given, status)))
    write_wanted(&runtime->text, &given);
  hlo_arena_free(&arena);
  hlo_api_module *wrapped = hlo_api_module_wrap(runtime, made, NULL);
  if (wrapped) wrapped->origin = hlo_api_module_share(module);
  return wrapped;
}
