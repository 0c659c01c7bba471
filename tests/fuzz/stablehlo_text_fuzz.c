/* StableHLO text: what is read prints as itself, and what lowers can be raised and lowered again. */
#include "stablehlo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_status status = {0};
  hlo_mlir *tree = hlo_mlir_parse((const char *)data, size, &status);
  FUZZ_REQUIRE_RESULT(tree, &status);
  if (!tree) return 0;
  if (fuzz_lower(tree)) fuzz_print(tree, data, size);
  hlo_mlir_free(tree);
  return 0;
}
