/* Looks up MLIR's names in the table of element_types.def. */
#include "stablehlo/mlir/mlir_element_name.h"

static const char *const names[HLO_TYPE_COUNT] = {
#define HLO_TYPE(id, name, mlir_name, storage_bits, bits, class) [HLO_TYPE_##id] = mlir_name,
#include "shape/element_types.def"
#undef HLO_TYPE
};

const char *hlo_mlir_element_name(hlo_type type) { return names[type]; }

bool hlo_mlir_element_from_name(hlo_span name, hlo_type *type) {
  for (int i = 0; i < HLO_TYPE_COUNT; i++) {
    if (!hlo_mlir_element_is_word((hlo_type)i) || !hlo_span_is(name, names[i])) continue;
    *type = (hlo_type)i;
    return true;
  }
  return false;
}
