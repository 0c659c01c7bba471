/* Attributes that HLO keeps as text, and protocol buffers as messages. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/parameter_path.h"
#include "proto/proto_attribute.h"
#include "proto/proto_numbers.h"
#include "proto/proto_value.h"
#include "proto/wire.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* Closes the list {a b} or {a,b} that the writer holds, and keeps it as the attribute's text. An empty list means no attribute. */
static bool close_list(hlo_writer *out, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  *present = out->length > 0;
  if (*present) hlo_write_char(out, '}');
  return hlo_writer_keep(out, arena, &attribute->text);
}

enum { METADATA_FIELDS = 5 };
static const struct metadata_field { const char *name; int number; bool text; } metadata_fields[METADATA_FIELDS] = {
    {"op_type", 1, true}, {"op_name", 2, true}, {"source_file", 3, true}, {"source_line", 4, false}, {"stack_frame_id", 15, false}};

bool hlo_proto_read_metadata(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_writer out;
  hlo_writer_init(&out, wire.status);
  for (int i = 0; i < METADATA_FIELDS; i++) {
    hlo_span text = hlo_wire_text(&wire, metadata_fields[i].number);
    int64_t number = hlo_wire_int(&wire, metadata_fields[i].number, 0);
    if (metadata_fields[i].text ? !text.length : !number) continue;
    hlo_write_format(&out, "%s%s=", out.length ? " " : "{", metadata_fields[i].name);
    if (metadata_fields[i].text) hlo_write_quoted(&out, text.text, text.length);
    else hlo_write_int(&out, number);
  }
  return close_list(&out, arena, attribute, present);
}

void hlo_proto_put_metadata(hlo_writer *w, hlo_span metadata) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  for (int i = 0; i < METADATA_FIELDS; i++) {
    hlo_span value;
    hlo_reader number;
    int64_t integer;
    if (!hlo_metadata_field(metadata, metadata_fields[i].name, &value)) continue;
    hlo_status unread = {0};
    hlo_reader_init(&number, value.text, value.length, &unread);
    if (metadata_fields[i].text) hlo_proto_put_unescaped(&message, metadata_fields[i].number, value);
    else if (hlo_reader_int(&number, &integer)) hlo_put_int(&message, metadata_fields[i].number, integer);
  }
  if (message.length) hlo_put_message(w, HLO_INSTRUCTION_PROTO_METADATA, &message);
  else hlo_writer_free(&message);
}

/* Returns whether a list {key="value"} can hold a key: nothing in it ends the key, or begins a comment. */
static bool is_key(hlo_span key) {
  for (size_t i = 0; i < key.length; i++) {
    bool begins_comment = key.text[i] == '/' && i + 1 < key.length && (key.text[i + 1] == '/' || key.text[i + 1] == '*');
    if ((unsigned char)key.text[i] <= ' ' || strchr("{}[]()\",=", key.text[i]) || begins_comment) return false;
  }
  return true;
}

bool hlo_proto_read_frontend_attributes(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_writer out;
  hlo_writer_init(&out, wire.status);
  for (hlo_wire entry; hlo_wire_next_message(&wire, 1, &entry);) {
    hlo_span key = hlo_wire_text(&entry, 1), value = hlo_wire_text(&entry, 2);
    if (!is_key(key)) hlo_wire_fail(&entry, "%.*s cannot name a frontend attribute", key.length > 60 ? 60 : (int)key.length, key.text);
    hlo_write_char(&out, out.length ? ',' : '{');
    hlo_write_bytes(&out, key.text, key.length);
    hlo_write_char(&out, '=');
    hlo_write_quoted(&out, value.text, value.length);
  }
  return close_list(&out, arena, attribute, present);
}

/* The names of CustomCallApiVersion, from number 1 on; 0 is unspecified. */
static const char *const api_versions[] = {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                                           "API_VERSION_TYPED_FFI"};
enum { API_VERSIONS = sizeof api_versions / sizeof *api_versions };

bool hlo_proto_read_api_version(hlo_wire wire, hlo_attribute *attribute, bool *present) {
  int64_t version = hlo_wire_int(&wire, HLO_INSTRUCTION_PROTO_CUSTOM_CALL_API_VERSION, 1);
  *present = version > 1 && version <= API_VERSIONS;
  if (*present) attribute->text = (hlo_span){api_versions[version - 1], strlen(api_versions[version - 1])};
  return true;
}

void hlo_proto_put_api_version(hlo_writer *w, const hlo_instruction *instruction) {
  const hlo_attribute *version = hlo_instruction_attribute(instruction, HLO_ATTR_api_version);
  int number = 0;
  for (int i = 1; version && i < API_VERSIONS; i++)
    if (hlo_span_is(version->text, api_versions[i])) number = i;
  hlo_put_int(w, HLO_INSTRUCTION_PROTO_CUSTOM_CALL_API_VERSION, number + 1);
}

/* Reads {f32[4,4]{0,1}, f32[4,2]{0,1}}. */
bool hlo_proto_read_layout_constraints(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute, bool *present) {
  hlo_writer out;
  if (!(*present = hlo_wire_int(&wire, HLO_INSTRUCTION_PROTO_CONSTRAIN_LAYOUT, 0) != 0)) return true;
  hlo_writer_init(&out, wire.status);
  for (hlo_wire one; hlo_wire_next_message(&wire, HLO_INSTRUCTION_PROTO_OPERAND_SHAPES_WITH_LAYOUT, &one);) {
    const hlo_shape *shape = hlo_proto_read_shape(one, arena);
    if (!shape) break;
    hlo_write(&out, out.length ? ", " : "{");
    hlo_shape_write(&out, shape, true);
  }
  hlo_write(&out, out.length ? "}" : "{}");
  return hlo_writer_keep(&out, arena, &attribute->text);
}

void hlo_proto_put_layout_constraints(hlo_writer *w, hlo_span text) {
  hlo_status status = {0};
  hlo_reader reader;
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_reader_init(&reader, text.text, text.length, &status);
  hlo_put_int(w, HLO_INSTRUCTION_PROTO_CONSTRAIN_LAYOUT, 1);
  hlo_reader_accept(&reader, "{");
  while (hlo_ok(&status) && hlo_reader_peek(&reader) != '}') {
    const hlo_shape *shape = hlo_shape_read(&reader, &arena);
    if (!shape) break;
    hlo_proto_write_shape(w, HLO_INSTRUCTION_PROTO_OPERAND_SHAPES_WITH_LAYOUT, shape);
    hlo_reader_accept(&reader, ",");
  }
  hlo_status_out_of_memory(w->status, &status);
  hlo_arena_free(&arena);
}

/* ---- Groups of devices ---- */

/* Reads the text that the writer holds as the attribute. */
static bool read_written(hlo_writer *text, hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_reader reader;
  hlo_name_scope none = {0};
  hlo_span kept;
  if (!hlo_writer_keep(text, arena, &kept)) return false;
  hlo_reader_init(&reader, kept.text, kept.length, wire.status);
  return hlo_attribute_read(&reader, arena, &none, attribute);
}

/* Writes [dims]T(permutation), which the message holds from field `first` on. */
static bool write_iota(hlo_writer *text, hlo_wire wire, int first, hlo_arena *arena) {
  hlo_ints dims, permutation;
  if (!hlo_wire_ints(&wire, first, arena, &dims) || !hlo_wire_ints(&wire, first + 1, arena, &permutation)) return false;
  hlo_write_char(text, '[');
  hlo_write_ints(text, dims.data, dims.count, ",");
  hlo_write_char(text, ']');
  if (permutation.count < 2) return true;
  hlo_write(text, "T(");
  hlo_write_ints(text, permutation.data, permutation.count, ",");
  hlo_write_char(text, ')');
  return true;
}

bool hlo_proto_read_iota_groups(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_writer text;
  hlo_writer_init(&text, wire.status);
  hlo_write_format(&text, "[%lld,%lld]<=", (long long)hlo_wire_int(&wire, 1, 0), (long long)hlo_wire_int(&wire, 2, 0));
  if (write_iota(&text, wire, 3, arena)) return read_written(&text, wire, arena, attribute);
  hlo_writer_free(&text);
  return false;
}

/* Writes , device_ids=(0,2,1,3) or , device_ids=([4,2]T(1,0)); nothing where they are counted. */
static bool write_device_ids(hlo_writer *text, hlo_wire mesh, hlo_arena *arena) {
  hlo_ints listed;
  bool is_iota = hlo_wire_has(&mesh, 3);
  if (!hlo_wire_ints(&mesh, 2, arena, &listed)) return false;
  if (!is_iota && listed.count == 0) return true;
  hlo_write(text, ", device_ids=(");
  if (!is_iota) hlo_write_ints(text, listed.data, listed.count, ",");
  else if (!write_iota(text, hlo_wire_message(&mesh, 3), 1, arena)) return false;
  hlo_write_char(text, ')');
  return true;
}

/* Writes 'a' or 'b':(1)2, the name being that of an axis of the mesh. */
static bool write_axis(hlo_writer *text, hlo_wire mesh, hlo_wire reference) {
  int64_t index = hlo_wire_int(&reference, 1, 0), at = 0;
  hlo_wire axis, part = hlo_wire_message(&reference, 2), axes = mesh;
  while (hlo_wire_next_message(&axes, 1, &axis) && at < index) at++;
  if (index < 0 || index >= hlo_wire_count(&mesh, 1)) return hlo_wire_fail(&reference, "a group names axis %lld of a mesh of %d", (long long)index, hlo_wire_count(&mesh, 1));
  hlo_span name = hlo_wire_text(&axis, 1);
  hlo_write_format(text, "'%.*s'", (int)name.length, name.text);
  if (hlo_wire_has(&reference, 2)) hlo_write_format(text, ":(%lld)%lld", (long long)hlo_wire_int(&part, 1, 0), (long long)hlo_wire_int(&part, 2, 0));
  return true;
}

static bool write_mesh(hlo_writer *text, hlo_wire wire, hlo_arena *arena) {
  hlo_wire mesh = hlo_wire_message(&wire, 1), item, axes = mesh;
  hlo_write(text, "mesh[");
  for (int n = 0; hlo_wire_next_message(&axes, 1, &item); n++) {
    hlo_span name = hlo_wire_text(&item, 1);
    hlo_write_format(text, n ? ",'%.*s'=%lld" : "'%.*s'=%lld", (int)name.length, name.text, (long long)hlo_wire_int(&item, 2, 0));
  }
  hlo_write_char(text, ']');
  if (!write_device_ids(text, mesh, arena)) return false;
  hlo_write(text, " {");
  for (int n = 0; hlo_wire_next_message(&wire, 2, &item); n++) {
    if (n) hlo_write_char(text, ',');
    if (!write_axis(text, mesh, item)) return false;
  }
  hlo_write_char(text, '}');
  return hlo_ok(wire.status);
}

bool hlo_proto_read_mesh_groups(hlo_wire wire, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_writer text;
  hlo_writer_init(&text, wire.status);
  if (write_mesh(&text, wire, arena)) return read_written(&text, wire, arena, attribute);
  hlo_writer_free(&text);
  return false;
}
