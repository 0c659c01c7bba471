/* Modules for JavaScript: parse, print, describe. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/source_bytes.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/module.h"
#include "graph/parameter_path.h"
#include "passes/pipeline.h"
#include "proto/hlo_proto.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"
#include "shape/weight.h"
#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_write.h"
#include "stablehlo/raise/raise.h"
#include "text/hlo_text.h"
#include "verify/verify.h"

hlo_api_module *hlo_api_module_wrap(hlo_runtime *runtime, hlo_module *module, hlo_api_dynamic *dynamic) {
  if (!module && !dynamic) return NULL;
  hlo_api_module *wrapped = hlo_api_object(runtime, sizeof *wrapped);
  if (!wrapped) {
    hlo_module_free(module);
    hlo_api_dynamic_free(dynamic);
    return NULL;
  }
  if (module && module->pins) hlo_module_settle(module);
  if (dynamic) hlo_mlir_settle(dynamic->tree);
  *wrapped = (hlo_api_module){.runtime = runtime, .module = module, .dynamic = dynamic, .references = 1};
  runtime->live_modules++;
  return wrapped;
}

void hlo_api_module_release(hlo_api_module *module) {
  if (--module->references > 0) return;
  module->runtime->live_modules--;
  hlo_module_free(module->module);
  hlo_api_dynamic_free(module->dynamic);
  if (module->origin) hlo_api_module_release(module->origin);
  hlo_writer_free(&module->exported);
  free(module);
}

HLO_API(hlo_api_module *, hlo_api_module_share)(hlo_api_module *module) {
  module->references++;
  return module;
}

hlo_module *hlo_api_module_graph(hlo_api_module *module) {
  if (module->module) return module->module;
  module->module = hlo_stablehlo_lower(module->dynamic->tree, module->dynamic->entry, &module->runtime->status);
  if (module->module) hlo_module_settle(module->module);
  return module->module;
}

hlo_module *hlo_api_module_open(hlo_api_module *module) {
  hlo_module *graph = hlo_api_module_graph(module);
  return graph && hlo_module_pin(graph, &module->runtime->status) ? graph : NULL;
}

void hlo_api_module_close(hlo_api_module *module) { hlo_module_settle(module->module); }

static hlo_api_module *parse(hlo_runtime *runtime, hlo_source *source, hlo_span bytes, hlo_span function, hlo_span arguments) {
  hlo_api_dynamic *dynamic = NULL;
  hlo_writer exported;
  hlo_writer_init(&exported, &runtime->status);
  hlo_module *read = hlo_api_read_module(source, bytes.text, bytes.length, function, arguments, &dynamic, &exported, &runtime->status);
  hlo_api_module *wrapped = hlo_api_module_wrap(runtime, read, dynamic);
  if (wrapped) wrapped->exported = exported;
  else hlo_writer_free(&exported);
  return wrapped;
}

HLO_API(hlo_api_module *, hlo_api_module_parse)(hlo_runtime *runtime, const char *bytes, size_t length, const char *entry,
                                                size_t entry_length, const char *shapes, size_t shapes_length) {
  hlo_api_begin(runtime);
  return parse(runtime, NULL, (hlo_span){bytes, length}, (hlo_span){entry, entry_length}, (hlo_span){shapes, shapes_length});
}

HLO_API(hlo_api_module *, hlo_api_module_parse_own)(hlo_runtime *runtime, char *bytes, size_t length, size_t allocated, const char *entry,
                                                    size_t entry_length, const char *shapes, size_t shapes_length) {
  hlo_api_begin(runtime);
  hlo_source *source = hlo_source_new(bytes, length, &runtime->status);
  if (!source) return NULL;
  hlo_api_module *module = parse(runtime, source, (hlo_span){bytes, length}, (hlo_span){entry, entry_length}, (hlo_span){shapes, shapes_length});
  if (module) {
    hlo_api_disown(runtime, allocated);
    hlo_source_release(source);
  } else {
    free(source); /* the tree that referred to it is gone */
  }
  return module;
}

static bool fits(const hlo_weight *weight, const hlo_shape *parameter) {
  bool fits = hlo_shape_is_array(parameter) && hlo_shape_is_static(parameter) && weight->shape->type == parameter->type && weight->shape->rank == parameter->rank;
  for (int d = 0; fits && d < parameter->rank; d++) fits = weight->shape->dims[d] == parameter->dims[d];
  return fits;
}

HLO_API(hlo_api_module *, hlo_api_module_bind)(hlo_api_module *module, const int32_t *numbers, hlo_weight *const *weights, int count) {
  hlo_runtime *runtime = module->runtime;
  hlo_status *status = &runtime->status;
  hlo_api_begin(runtime);
  const hlo_module *graph = hlo_api_module_graph(module);
  if (!graph || graph->entry < 0) return graph ? hlo_fail(status, HLO_VERIFY, "the module has no entry computation") : false, NULL;
  const hlo_computation *entry = hlo_module_entry(graph);
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  hlo_shared_array **arrays = hlo_arena_many(&scratch, hlo_shared_array *, entry->parameter_count, status);
  for (int i = 0; i < count && hlo_ok(status); i++) {
    int number = numbers[i];
    const hlo_shape *shape = number >= 0 && number < entry->parameter_count ? entry->instructions[entry->parameters[number]]->shape : NULL;
    if (!shape || arrays[number]) hlo_fail(status, HLO_ARGUMENT, "parameter %d cannot be bound: there are %d, each once", number, entry->parameter_count);
    else if (!fits(weights[i], shape)) hlo_fail(status, HLO_ARGUMENT, "parameter %d is %pS, but the constant is %pS", number, shape, weights[i]->shape);
    else arrays[number] = hlo_weight_share(weights[i], status);
  }
  hlo_module *bound = hlo_ok(status) ? hlo_module_bind(graph, arrays, status) : NULL;
  for (int n = 0; arrays && n < entry->parameter_count; n++) hlo_shared_array_release(arrays[n]);
  hlo_arena_free(&scratch);
  hlo_api_module *wrapped = hlo_api_module_wrap(runtime, bound, NULL);
  if (wrapped) wrapped->origin = hlo_api_module_share(module);
  return wrapped;
}

HLO_API(void, hlo_api_module_free)(hlo_api_module *module) { hlo_api_module_release(module); }

HLO_API(bool, hlo_api_module_text)(hlo_api_module *module) {
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_open(module);
  if (!graph) return false;
  hlo_text_write(&module->runtime->text, graph);
  hlo_api_module_close(module);
  return hlo_ok(&module->runtime->status);
}

typedef struct dump {
  hlo_writer *writer;
  int pass;
} dump;

static void write_after(void *context, int number, bool changed, const hlo_module *module) {
  const dump *d = context;
  if (d->pass < 0 ? !changed : number != d->pass) return;
  if (d->pass < 0) hlo_write_format(d->writer, "// after %s\n", hlo_pass_name(number));
  else d->writer->length = 0;
  hlo_text_write(d->writer, module);
}

HLO_API(bool, hlo_api_module_dump)(hlo_api_module *module, int pass) {
  hlo_status *status = &module->runtime->status;
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_graph(module);
  dump d = {&module->runtime->text, pass};
  if (graph && graph->entry < 0) return hlo_fail(status, HLO_VERIFY, "the module has no entry computation");
  if (!graph || !hlo_verify_module(graph, status) || !hlo_api_module_open(module)) return false;
  hlo_module_free(hlo_passes_run(graph, write_after, &d, status));
  hlo_api_module_close(module);
  return hlo_ok(status);
}

HLO_API(bool, hlo_api_module_proto)(hlo_api_module *module, bool wrapped) {
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_open(module);
  if (!graph) return false;
  bool done = (wrapped ? hlo_proto_write_hlo : hlo_proto_write)(&module->runtime->text, graph, &module->runtime->status);
  hlo_api_module_close(module);
  return done;
}

HLO_API(bool, hlo_api_module_snapshot)(hlo_api_module *module, const hlo_value *values) {
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_open(module);
  if (!graph) return false;
  const hlo_literal *arguments = values->literal->elements[0], *results = values->literal->elements[1];
  hlo_snapshot snapshot = {arguments->shape->element_count, arguments->elements, results->shape->element_count ? results->elements[0] : NULL};
  bool done = hlo_proto_write_snapshot(&module->runtime->text, graph, &snapshot, &module->runtime->status);
  hlo_api_module_close(module);
  return done;
}

HLO_API(bool, hlo_api_module_stablehlo)(hlo_api_module *module) {
  hlo_runtime *runtime = module->runtime;
  hlo_api_begin(runtime);
  if (module->dynamic) {
    hlo_mlir *own = module->dynamic->tree;
    if (hlo_mlir_pin(own, &runtime->status)) hlo_mlir_write(&runtime->text, own);
    hlo_mlir_settle(own);
    return hlo_ok(&runtime->status);
  }
  if (!hlo_api_module_open(module)) return false;
  hlo_mlir *tree = hlo_stablehlo_raise(module->module, &runtime->status);
  if (tree) hlo_mlir_write(&runtime->text, tree);
  hlo_mlir_free(tree);
  hlo_api_module_close(module);
  return hlo_ok(&runtime->status);
}

static void write_name(hlo_writer *writer, const char *name) {
  hlo_write(writer, "{\"name\":");
  hlo_write_json(writer, name, strlen(name));
}

void hlo_api_write_parameter(hlo_writer *writer, const hlo_instruction *parameter, const hlo_shape *shape) {
  hlo_writer path;
  hlo_writer_init(&path, writer->status);
  hlo_write_parameter_path(&path, parameter);
  hlo_write(writer, "{\"name\":");
  hlo_write_json(writer, path.text, path.length);
  hlo_writer_free(&path);
  hlo_write(writer, ",\"shape\":");
  hlo_api_write_shape(writer, shape);
  hlo_write_char(writer, '}');
}

static void write_computation(hlo_writer *writer, const hlo_computation *computation) {
  write_name(writer, computation->name);
  hlo_write_format(writer, ",\"instructions\":%d,\"parameters\":[", computation->instruction_count);
  for (int i = 0; i < computation->parameter_count; i++) {
    const hlo_instruction *parameter = hlo_instruction_at(computation, computation->parameters[i]);
    if (i) hlo_write_char(writer, ',');
    hlo_api_write_parameter(writer, parameter, parameter->shape);
  }
  hlo_write(writer, "],\"result\":");
  hlo_api_write_shape(writer, hlo_computation_root(computation)->shape);
  hlo_write_char(writer, '}');
}

HLO_API(bool, hlo_api_module_is_dynamic)(const hlo_api_module *module) { return module->dynamic; }

HLO_API(bool, hlo_api_module_info)(hlo_api_module *module) {
  hlo_api_begin(module->runtime);
  hlo_writer *writer = &module->runtime->text;
  if (module->dynamic) return hlo_api_dynamic_write_info(writer, module->dynamic), hlo_ok(&module->runtime->status);
  const hlo_module *m = module->module;
  write_name(writer, m->name);
  hlo_write_format(writer, ",\"entry\":%d,\"replicas\":%lld,\"partitions\":%lld,\"computations\":[", m->entry,
                   (long long)m->replica_count, (long long)m->num_partitions);
  for (int i = 0; i < m->computation_count; i++) {
    if (i) hlo_write_char(writer, ',');
    write_computation(writer, m->computations[i]);
  }
  hlo_write(writer, "]}");
  return hlo_ok(&module->runtime->status);
}

HLO_API(bool, hlo_api_module_exported)(hlo_api_module *module) {
  hlo_api_begin(module->runtime);
  while (module->origin) module = module->origin;
  const hlo_writer *exported = &module->exported;
  hlo_write_bytes(&module->runtime->text, exported->text, exported->length);
  return hlo_ok(&module->runtime->status);
}

HLO_API(hlo_api_module *, hlo_api_module_extract)(hlo_api_module *module, int computation) {
  hlo_runtime *runtime = module->runtime;
  hlo_api_begin(runtime);
  const hlo_module *graph = hlo_api_module_graph(module);
  if (!graph) return NULL;
  if (module->dynamic) computation = graph->entry;
  if (computation < 0 || computation >= graph->computation_count) {
    hlo_fail(&runtime->status, HLO_ARGUMENT, "the module has no computation %d", computation);
    return NULL;
  }
  const char *name = graph->computations[computation]->name;
  hlo_module *copy = hlo_module_new(name, strlen(name), &runtime->status);
  if (!copy) return NULL;
  copy->entry = hlo_module_import(copy, graph, computation, &runtime->status);
  if (copy->entry < 0 || !hlo_verify_module(copy, &runtime->status)) {
    hlo_module_free(copy);
    return NULL;
  }
  return hlo_api_module_wrap(runtime, copy, NULL);
}
