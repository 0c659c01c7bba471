/* Types and attributes of unversioned StableHLO and CHLO: codes and fields as the dialects define them today, unlike VHLO's. */
#include "base/status.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

static const void *unknown(hlo_bytecode *b, size_t at, const char *what, uint64_t code) {
  hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "%s %llu, which is unknown; jax.export or stablehlo.serialize_portable_artifact write a portable artifact", what,
                    (unsigned long long)code);
  return NULL;
}

const hlo_mlir_type *hlo_stablehlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  if (code == 0) return hlo_bytecode_token(b);
  return code == 1 ? hlo_bytecode_future(b, c) : unknown(b, at, "StableHLO type", code);
}

enum { CONVOLUTION = 4, COMPARISON_DIRECTION = 2 };

/* Joins nine integers and lists into [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]. */
static const hlo_mlir_attribute *read_convolution(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_list named = {.size = sizeof(hlo_mlir_named)};
  hlo_vhlo_op op = {.at = c->at, .named = &named};
  const hlo_mlir_attribute *dict = hlo_bytecode_read_fields(b, c, CONVOLUTION, false), *numbers = NULL;
  bool ok = dict != NULL;
  for (int i = 0; ok && i < dict->count; i++) ok = hlo_list_push(&named, &(hlo_mlir_named){dict->names[i], dict->elements[i]}, b->status);
  if (ok && hlo_vhlo_gather_convolution(b, &op)) numbers = ((const hlo_mlir_named *)named.items)->value;
  hlo_list_drop(&named);
  return numbers;
}

const hlo_mlir_attribute *hlo_stablehlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  if (code == CONVOLUTION) return read_convolution(b, c);
  return hlo_bytecode_has_fields(code, false) ? hlo_bytecode_read_fields(b, c, code, false) : unknown(b, at, "StableHLO attribute", code);
}

/* Reads the CHLO attributes that have an encoding: comparison_direction and comparison_type, in StableHLO's order. */
const hlo_mlir_attribute *hlo_chlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  return code < 2 ? hlo_bytecode_read_fields(b, c, code + COMPARISON_DIRECTION, false) : unknown(b, at, "CHLO attribute", code);
}
