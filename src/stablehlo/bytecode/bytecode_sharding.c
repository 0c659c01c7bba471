/* Writes Shardy's attributes as their MLIR text: <@mesh, [{"x"}, {}]>. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"

typedef enum code { MANUAL_AXES, MESH_AXIS, MESH, SUB_AXIS, AXIS, DIMENSION, SHARDING, SHARDINGS } code;

/* Writes one attribute: strings in quotes, symbols with their '@', other attributes as they are. */
static bool write_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  const hlo_mlir_attribute *attribute = hlo_bytecode_attribute(b, c);
  if (!attribute) return false;
  const char *quote = attribute->kind == HLO_MLIR_STRING ? "\"" : attribute->kind == HLO_MLIR_SYMBOL ? "@" : "";
  hlo_write_format(w, "%s%.*s%s", quote, (int)attribute->text.length, attribute->text.text, *quote == '"' ? quote : "");
  return true;
}

static bool write_list(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *open, const char *close, hlo_writer *w) {
  int64_t count;
  if (!hlo_bytecode_count(b, c, "parts of a sharding", &count)) return false;
  hlo_write(w, open);
  for (int64_t i = 0; i < count; i++) {
    if (i) hlo_write(w, ", ");
    if (!write_attribute(b, c, w)) return false;
  }
  hlo_write(w, close);
  return true;
}

static bool write_name(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  hlo_span name;
  if (!hlo_bytecode_string(b, c, &name)) return false;
  hlo_write_format(w, "\"%.*s\"", (int)name.length, name.text);
  return true;
}

static bool write_int(hlo_bytecode *b, hlo_bytecode_cursor *c, const char *before, const char *after, hlo_writer *w) {
  int64_t value;
  if (!hlo_bytecode_int(b, c, &value)) return false;
  hlo_write_format(w, "%s%lld%s", before, (long long)value, after);
  return true;
}

static bool write_mesh(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  int64_t ids;
  if (!write_list(b, c, "mesh<[", "]", w) || !hlo_bytecode_count(b, c, "device ids", &ids)) return false;
  for (int64_t i = 0; i < ids; i++)
    if (!write_int(b, c, i ? ", " : ", device_ids=[", "", w)) return false;
  hlo_write(w, ids ? "]>" : ">");
  return true;
}

static bool write_axis(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  const hlo_mlir_attribute *part;
  if (!write_name(b, c, w) || !hlo_bytecode_optional_attribute(b, c, &part)) return false;
  if (part) hlo_write_format(w, ":%.*s", (int)part->text.length, part->text.text);
  return true;
}

static bool write_dimension(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  uint8_t closed;
  uint64_t priority; /* has no effect on where parts are */
  if (!write_list(b, c, "{", "", w) || !hlo_bytecode_byte(b, c, &closed) || !hlo_bytecode_uint(b, c, &priority)) return false;
  hlo_write(w, closed ? "}" : w->length && w->text[w->length - 1] == '{' ? "?}" : ", ?}");
  return true;
}

static bool write_sharding(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  hlo_write(w, "<");
  if (!write_attribute(b, c, w) || !write_list(b, c, ", [", "]", w) || !write_list(b, c, ", replicated={", "}", w)) return false;
  hlo_write(w, ">");
  return true;
}

static bool write(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_writer *w) {
  uint64_t kind;
  if (!hlo_bytecode_uint(b, c, &kind)) return false;
  switch (kind) {
  case MANUAL_AXES: return write_list(b, c, "{", "}", w);
  case MESH_AXIS: return write_name(b, c, w) && write_int(b, c, "=", "", w);
  case MESH: return write_mesh(b, c, w);
  case SUB_AXIS: return write_int(b, c, "(", ")", w) && write_int(b, c, "", "", w);
  case AXIS: return write_axis(b, c, w);
  case DIMENSION: return write_dimension(b, c, w);
  case SHARDING: return write_sharding(b, c, w);
  case SHARDINGS: return write_list(b, c, "[", "]", w);
  default: return true; /* an attribute of a later version: only its dialect is known */
  }
}

const hlo_mlir_attribute *hlo_sdy_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_writer w;
  hlo_writer_init(&w, b->status);
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_RAW);
  bool ok = attribute && write(b, c, &w);
  if (ok && c->at == c->end && w.length) attribute->text.text = hlo_arena_text(b->arena, w.text, w.length, b->status);
  if (ok && attribute->text.text) attribute->text.length = w.length;
  else if (ok) attribute->text = (hlo_span){"sdy", 3};
  ok = ok && hlo_ok(b->status);
  c->at = c->end;
  hlo_writer_free(&w);
  return ok ? attribute : NULL;
}
