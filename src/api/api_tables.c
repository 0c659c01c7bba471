/* The tables of the core as JSON, for the builder, its types and `webhlo ops`. Their sentences of documentation are left out:
 * tools/documentation.js reads them from the tables. */
#include <string.h>

#include "api/api.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "passes/pipeline.h"
#include "shape/element_type.h"

HLO_API(void, hlo_api_version)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  hlo_write(&runtime->text, "0.1.0");
}

static void write_text(hlo_writer *writer, const char *key, const char *text) {
  hlo_write_format(writer, "\"%s\":", key);
  hlo_write_json(writer, text, strlen(text));
}

static const char *kind_name(hlo_attribute_kind kind) {
  static const char *const names[] = {
#define HLO_KIND(kind, member, form) #kind,
#include "graph/attribute_kinds.def"
#undef HLO_KIND
  };
  return strncmp(names[kind], "ENUM_", 5) == 0 ? "ENUM" : names[kind];
}

static void write_attribute(hlo_writer *writer, hlo_attribute_id id, bool required) {
  hlo_attribute_kind kind = hlo_attribute_kind_of(id);
  hlo_write_char(writer, '{');
  write_text(writer, "name", hlo_attribute_name(id));
  hlo_write_format(writer, ",\"kind\":\"%s\",\"required\":%s", kind_name(kind), required ? "true" : "false");
  const char *const *values = hlo_attribute_enum_names(kind);
  if (values) {
    hlo_write(writer, ",\"values\":[");
    for (int i = 0; values[i]; i++) hlo_write_format(writer, i ? ",\"%s\"" : "\"%s\"", values[i]);
    hlo_write_char(writer, ']');
  }
  hlo_write_char(writer, '}');
}

/* Writes the flags that tell a program how to use an op, in the order of hlo_op_flags; MOVES, which follows them there, only guides
 * the compiler and is left out. */
static void write_flags(hlo_writer *writer, unsigned flags) {
  static const char *const names[] = {"elementwise", "commutative", "sideEffect", "collective", "random",
                                      "calls", "frames", "declared", "pair"};
  bool first = true;
  hlo_write(writer, ",\"flags\":[");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!(flags >> i & 1)) continue;
    hlo_write_format(writer, first ? "\"%s\"" : ",\"%s\"", names[i]);
    first = false;
  }
  hlo_write_char(writer, ']');
}

static void write_op(hlo_writer *writer, hlo_opcode opcode) {
  const hlo_op_info *op = hlo_op(opcode);
  hlo_write_char(writer, '{');
  write_text(writer, "name", hlo_op_name(opcode));
  hlo_write_format(writer, ",\"arity\":%d,\"operands\":[", op->arity);
  const char *name = op->operands;
  for (bool first = true; *name; first = false) {
    size_t length = strcspn(name, " ");
    if (!first) hlo_write_char(writer, ',');
    hlo_write_json(writer, name, length);
    name += length + (name[length] == ' ');
  }
  hlo_write(writer, "],");
  write_text(writer, "types", op->types);
  hlo_write(writer, ",\"attributes\":[");
  for (int i = 0; i < op->attribute_count; i++) {
    if (i) hlo_write_char(writer, ',');
    write_attribute(writer, op->attributes[i].id, op->attributes[i].required);
  }
  hlo_write_char(writer, ']');
  write_flags(writer, op->flags);
  hlo_write_char(writer, '}');
}

/* Writes the attributes that any instruction may carry: all those of `tuple`, which has none of its own. */
static void write_common_attributes(hlo_writer *writer) {
  bool first = true;
  for (int id = 0; id < HLO_ATTRIBUTE_COUNT; id++) {
    const char *name = hlo_attribute_name((hlo_attribute_id)id);
    hlo_attribute_id found;
    if (!hlo_op_attribute_from_name(HLO_OP_TUPLE, (hlo_span){name, strlen(name)}, &found) || (int)found != id) continue;
    if (!first) hlo_write_char(writer, ',');
    write_attribute(writer, found, false);
    first = false;
  }
}

static void write_types(hlo_writer *writer) {
  static const char *const classes[] = {"pred", "signed", "unsigned", "float", "complex", "other"};
  for (int type = 0; type < HLO_TYPE_COUNT; type++)
    hlo_write_format(writer, "%s{\"name\":\"%s\",\"bits\":%d,\"bytes\":%d,\"class\":\"%s\"}", type ? "," : "",
                     hlo_type_name((hlo_type)type), hlo_type_bits((hlo_type)type), hlo_type_bytes((hlo_type)type),
                     classes[hlo_type_classify((hlo_type)type)]);
}

HLO_API(void, hlo_api_op_names)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  for (int opcode = 0; opcode < HLO_OPCODE_COUNT; opcode++) {
    if (opcode) hlo_write_char(&runtime->text, ' ');
    hlo_write(&runtime->text, hlo_op_name((hlo_opcode)opcode));
  }
}

HLO_API(void, hlo_api_op_json)(hlo_runtime *runtime, int opcode) {
  hlo_api_begin(runtime);
  write_op(&runtime->text, (hlo_opcode)opcode);
}

HLO_API(void, hlo_api_ops_json)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  hlo_writer *writer = &runtime->text;
  hlo_write(writer, "{\"ops\":[");
  for (int opcode = 0; opcode < HLO_OPCODE_COUNT; opcode++) {
    if (opcode) hlo_write_char(writer, ',');
    write_op(writer, (hlo_opcode)opcode);
  }
  hlo_write(writer, "],\"commonAttributes\":[");
  write_common_attributes(writer);
  hlo_write(writer, "],\"types\":[");
  write_types(writer);
  hlo_write(writer, "],\"passes\":[");
  for (int i = 0; i < hlo_pass_count(); i++) hlo_write_format(writer, i ? ",\"%s\"" : "\"%s\"", hlo_pass_name(i));
  hlo_write(writer, "],\"codes\":[");
  for (int code = 1; code < HLO_CODE_COUNT; code++) {
    hlo_write(writer, code > 1 ? ",{" : "{");
    write_text(writer, "name", hlo_code_name((hlo_code)code));
    hlo_write_char(writer, '}');
  }
  hlo_write(writer, "]}");
}
