/* The files of jax.export: a FlatBuffers table that holds the artifact (jax/_src/export/serialization.fbs). */
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/bytecode/bytecode.h"
#include "stablehlo/bytecode/flat_buffer.h"

enum { MODULE_FIELD = 13 };

static bool find_module(const hlo_flat *f, hlo_span *module) {
  size_t root;
  return f->length >= 8 && hlo_flat_follow(f, 0, &root) && hlo_flat_bytes(f, root, MODULE_FIELD, module);
}

bool hlo_jax_export_recognise(const char *bytes, size_t length) {
  hlo_flat f = {(const uint8_t *)bytes, length};
  hlo_span module;
  return find_module(&f, &module) && hlo_bytecode_recognise(module.text, module.length);
}

bool hlo_jax_export_module(const char *bytes, size_t length, hlo_span *module, hlo_status *status) {
  hlo_flat f = {(const uint8_t *)bytes, length};
  if (!find_module(&f, module)) return hlo_fail(status, HLO_PARSE, "byte 0: this is no serialized jax.export, or it is cut short: it leads to no module");
  if (hlo_bytecode_recognise(module->text, module->length)) return true;
  return hlo_fail(status, HLO_PARSE, "byte %zu: the module of the jax.export is no MLIR bytecode", (size_t)(module->text - bytes));
}
