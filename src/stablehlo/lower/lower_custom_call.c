/* Reads the optional attributes of a custom call: calling convention, configuration, functions it may call. */
#include <string.h>

#include "base/arena.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "shape/dims.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_write.h"

static const char *const api_versions[] = {NULL, NULL, "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

/* Writes backend_config as HLO text: a string that is JSON as it is, any other in quotes, a dictionary as MLIR does. */
static bool configuration(const hlo_lower_call *c, const hlo_mlir_attribute *given, hlo_span *text) {
  hlo_writer w;
  hlo_writer_init(&w, c->l->status);
  if (given->kind != HLO_MLIR_STRING) hlo_mlir_write_attribute(&w, given);
  else if (given->text.length) hlo_write_backend_config(&w, given->text);
  return hlo_writer_keep(&w, c->l->arena, text);
}

static bool called(const hlo_lower_call *c, const hlo_mlir_attribute *list, hlo_ints *ids) {
  int64_t *data = hlo_arena_many(c->l->arena, int64_t, list->count, c->l->status);
  for (int i = 0; data && i < list->count; i++)
    if ((data[i] = hlo_lower_function(c, list->elements[i])) < 0) return false;
  *ids = (hlo_ints){data, list->count};
  return data != NULL;
}

bool hlo_lower_custom_call_attributes(const hlo_lower_call *c, hlo_attribute *attributes, int *count) {
  const hlo_mlir_attribute *version = hlo_mlir_find(c->op, "api_version"), *config = hlo_mlir_find(c->op, "backend_config");
  const hlo_mlir_attribute *functions = hlo_mlir_find(c->op, "called_computations"), *typed = hlo_mlir_find(c->op, "mhlo.backend_config");
  if (typed && typed->kind == HLO_MLIR_DICT) config = typed; /* JAX's form of typed attributes; backend_config is empty then */
  if (version && version->kind == HLO_MLIR_INT && version->integer >= 2 && version->integer <= 4) {
    const char *name = api_versions[version->integer];
    attributes[(*count)++] = (hlo_attribute){.id = HLO_ATTR_api_version, .text = {name, strlen(name)}};
  }
  if (functions && functions->kind == HLO_MLIR_ARRAY && functions->count) {
    hlo_ints ids;
    if (!called(c, functions, &ids)) return false;
    attributes[(*count)++] = hlo_lower_ints(HLO_ATTR_called_computations, ids);
  }
  if (config && (config->kind == HLO_MLIR_STRING || config->kind == HLO_MLIR_DICT)) {
    hlo_span text;
    if (!configuration(c, config, &text)) return false;
    if (text.length) attributes[(*count)++] = (hlo_attribute){.id = HLO_ATTR_backend_config, .text = text};
  }
  return true;
}
