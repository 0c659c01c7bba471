/* Programs with narrow weights, for JavaScript, which makes the weights. */
#include <stdlib.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/narrow_parameters.h"
#include "shape/literal.h"
#include "verify/verify.h"

/* Returns a module of one's own without calls; NULL on failure. */
static hlo_module *inlined(hlo_api_module *module) {
  hlo_status *status = &module->runtime->status;
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_graph(module);
  if (!graph) return NULL;
  if (graph->entry >= 0) return hlo_verify_module(graph, status) ? hlo_module_inlined(graph, status) : NULL;
  hlo_fail(status, HLO_VERIFY, "the module has no entry computation");
  return NULL;
}

/* Wraps a changed module, if it is right. */
static hlo_api_module *wrapped(hlo_runtime *runtime, hlo_module *changed, bool ok) {
  if (changed && ok && hlo_verify_module(changed, &runtime->status)) return hlo_api_module_wrap(runtime, changed, NULL);
  hlo_module_free(changed);
  return NULL;
}

HLO_API(hlo_api_module *, hlo_api_module_inlined)(hlo_api_module *module) { return wrapped(module->runtime, inlined(module), true); }

HLO_API(hlo_api_module *, hlo_api_module_lifted)(hlo_api_module *module, double least) {
  hlo_module *changed = inlined(module);
  bool ok = changed && hlo_lift_constants(changed, (int64_t)least, &module->runtime->status);
  return wrapped(module->runtime, changed, ok);
}

HLO_API(hlo_value *, hlo_api_module_constant)(hlo_api_module *module, double least, int number) {
  hlo_status *status = &module->runtime->status;
  hlo_api_begin(module->runtime);
  const hlo_module *graph = hlo_api_module_open(module);
  if (!graph) return NULL;
  const hlo_instruction *constant = graph->entry >= 0 ? hlo_large_constant(graph, (int64_t)least, number) : NULL;
  hlo_value *value = constant ? hlo_api_value_copy(module->runtime, hlo_instruction_attribute(constant, HLO_ATTR_literal)->literal) : NULL;
  if (!constant) hlo_fail(status, HLO_ARGUMENT, "the module has no constant %d of %lld elements or more", number, (long long)least);
  hlo_api_module_close(module);
  return value;
}

static void write_use(hlo_writer *writer, const hlo_parameter_use *use) {
  hlo_write_format(writer, "{\"products\":%d,\"gathers\":%d,\"others\":%d,\"summed\":%u,\"other\":", use->products, use->gathers, use->others,
                   (unsigned)use->summed);
  const char *name = use->other ? hlo_op_name(use->other->opcode) : "";
  hlo_write_json(writer, name, hlo_span_of(name).length);
  hlo_write_char(writer, '}');
}

HLO_API(bool, hlo_api_module_uses)(hlo_api_module *module) {
  hlo_runtime *runtime = module->runtime;
  hlo_module *graph = inlined(module);
  int count = graph ? hlo_module_entry(graph)->parameter_count : 0;
  hlo_parameter_use *uses = graph ? hlo_arena_many(&graph->arena, hlo_parameter_use, count, &runtime->status) : NULL;
  if (uses && hlo_find_parameter_uses(graph, uses, &runtime->status)) {
    hlo_write_char(&runtime->text, '[');
    for (int n = 0; n < count; n++) {
      if (n) hlo_write_char(&runtime->text, ',');
      write_use(&runtime->text, &uses[n]);
    }
    hlo_write_char(&runtime->text, ']');
  }
  hlo_module_free(graph);
  return hlo_ok(&runtime->status);
}

/* numbers: four for each parameter, as hlo_narrowing has them. */
HLO_API(hlo_api_module *, hlo_api_module_narrowed)(hlo_api_module *module, const int64_t *numbers, int count) {
  hlo_runtime *runtime = module->runtime;
  hlo_module *changed = inlined(module);
  hlo_narrowing *list = changed ? hlo_arena_many(&changed->arena, hlo_narrowing, count / 4, &runtime->status) : NULL;
  for (int n = 0; list && n < count / 4; n++, numbers += 4)
    list[n] = (hlo_narrowing){(int)numbers[0], numbers[1] ? HLO_NARROWING_U4 : HLO_NARROWING_S8, (uint32_t)numbers[2], numbers[3]};
  bool ok = list && hlo_narrow_parameters(changed, list, count / 4, &runtime->status);
  return wrapped(runtime, changed, ok);
}
