/* What messages about an operation say of types and dimensions. */
#include "base/format.h"
#include "stablehlo/mlir/mlir_write.h"

static const char *type_text(const hlo_mlir_type *type, char *buffer, size_t size) {
  if (type->text.length) hlo_format(buffer, size, "%.*s", (int)type->text.length, type->text.text);
  else if (type->kind == HLO_MLIR_SHAPED) hlo_shape_text(type->shape, buffer, size);
  else return "another type";
  return buffer;
}

static void attribute_text(const hlo_mlir_attribute *attribute, char *buffer, size_t size) {
  hlo_status ignored = {0};
  hlo_writer w;
  hlo_writer_init(&w, &ignored);
  hlo_mlir_write_attribute(&w, attribute);
  hlo_format(buffer, size, "%.*s", (int)w.length, w.text ? w.text : "");
  hlo_writer_free(&w);
}

const char *hlo_mlir_thing(const void *context, char letter, const void *thing, char *buffer, size_t size) {
  const hlo_mlir_place *place = context;
  const hlo_span *span = thing;
  switch (letter) {
    case 'T': return type_text(thing, buffer, size);
    case 'S': hlo_shape_text(thing, buffer, size); return buffer;
    case 'A': attribute_text(thing, buffer, size); return buffer;
    case 'N': hlo_format(buffer, size, "%.*s", (int)span->length, span->text); return buffer;
    case 'r': return type_text(hlo_mlir_result_type(place->tree, place->op, 0), buffer, size);
    default: return type_text(hlo_mlir_operand_type(place->tree, place->op, letter - '0'), buffer, size);
  }
}
