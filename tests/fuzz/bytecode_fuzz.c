/* StableHLO bytecode, and the files of jax.export around it. */
#include "stablehlo.h"
#include "stablehlo/bytecode/bytecode.h"

static hlo_mlir *read_export(const char *bytes, size_t length, hlo_status *status) {
  hlo_span module;
  hlo_writer json;
  if (!hlo_jax_export_module(bytes, length, &module, status)) return NULL;
  hlo_mlir *tree = hlo_bytecode_read(module.text, module.length, status);
  if (!tree) return NULL;
  hlo_writer_init(&json, status);
  bool described = hlo_jax_export_describe(bytes, length, tree, &json, status);
  hlo_writer_free(&json);
  if (described) return tree;
  hlo_mlir_free(tree);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_status status = {0};
  const char *bytes = (const char *)data;
  hlo_mlir *tree = hlo_jax_export_recognise(bytes, size) ? read_export(bytes, size, &status) : hlo_bytecode_read(bytes, size, &status);
  FUZZ_REQUIRE_RESULT(tree, &status);
  if (!tree) return 0;
  fuzz_lower(tree);
  hlo_mlir_free(tree);
  return 0;
}
