/* The names that locations tell of a function's arguments, as the builtin dialect encodes them:
 *
 *   callsite: callee caller   file: name line column   fused: locations [metadata]   name: name child   unknown
 *
 * Locations say nothing about what a program does, so that one that cannot be read is no failure: it names nothing. */
#include "stablehlo/bytecode/bytecode_reader.h"

enum { LOCATION_CALL = 10, LOCATION_FUSED = 12, LOCATION_FUSED_METADATA, LOCATION_NAME };

/* Locations may name one another in circles. */
enum { MAX_LOCATION_STEPS = 64 };

static hlo_span read_name(hlo_bytecode *b, int64_t index, int *steps) {
  hlo_span none = {"", 0}, name = none;
  const hlo_bytecode_entry *entry = &b->attributes[index];
  hlo_bytecode_cursor c = entry->where;
  uint64_t code;
  int64_t count = 1, child;
  if ((*steps)-- <= 0 || !entry->custom || !hlo_span_is(b->dialects[entry->dialect], "builtin") || !hlo_bytecode_uint(b, &c, &code)) return none;
  if (code == LOCATION_NAME) {
    const hlo_mlir_attribute *text = hlo_bytecode_attribute(b, &c);
    return text && text->kind == HLO_MLIR_STRING ? text->text : none;
  }
  if (code != LOCATION_CALL && code != LOCATION_FUSED && code != LOCATION_FUSED_METADATA) return none;
  if (code != LOCATION_CALL && !hlo_bytecode_count(b, &c, "locations", &count)) return none;
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
  b->weight = weight;
  return name;
}
