/* Names of a function's arguments, taken from their locations in the builtin dialect's encoding:
 *
 *   callsite: callee caller   file: name line column   fused: locations [metadata]   name: name child   unknown
 *
 * Locations have no effect on what a program does, so a location that cannot be read is no failure: it gives no name. */
#include "base/status.h"
#include "base/text_reader.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"

/* Bounds the number of locations looked at: they may refer to one another in circles. */
enum { MAX_LOCATION_STEPS = 64 };

static hlo_span read_name(hlo_bytecode *b, int64_t index, int *steps) {
  hlo_span none = {"", 0}, name = none;
  const hlo_bytecode_entry *entry = &b->attributes[index];
  hlo_bytecode_cursor c = entry->where;
  uint64_t code;
  int64_t count = 1, child;
  if ((*steps)-- <= 0 || !entry->custom || !hlo_span_is(b->dialects[entry->dialect], "builtin")) return none;
  if (!hlo_bytecode_uint(b, &c, &code)) return none;
  if (code == HLO_BUILTIN_LOCATION_NAME) {
    const hlo_mlir_attribute *text = hlo_bytecode_attribute(b, &c);
    return text && text->kind == HLO_MLIR_STRING ? text->text : none;
  }
  bool is_fused = code == HLO_BUILTIN_LOCATION_FUSED || code == HLO_BUILTIN_LOCATION_FUSED_METADATA;
  if (code != HLO_BUILTIN_LOCATION_CALL && !is_fused) return none;
  if (is_fused && !hlo_bytecode_count(b, &c, "locations", &count)) return none;
  for (int64_t i = 0; i < count && !name.length && *steps > 0; i++) {
    if (!hlo_bytecode_index(b, &c, "location", b->attribute_count, &child)) return none;
    name = read_name(b, child, steps);
  }
  return name;
}

hlo_span hlo_bytecode_location_name(hlo_bytecode *b, int64_t index) {
  hlo_status *status = b->status, unread = {0};
  int64_t weight = b->weight;
  int steps = MAX_LOCATION_STEPS;
  b->status = &unread;
  hlo_span name = read_name(b, index, &steps);
  b->status = status;
  hlo_status_out_of_memory(status, &unread);
  b->weight = weight;
  return name;
}
