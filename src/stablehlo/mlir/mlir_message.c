/* Writes types, attributes and dimensions for messages about an operation. */
#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_write.h"

enum { MOST_BYTES = 4096 }; /* the longest text that is written to be cut: messages are shorter */

static const char *written(hlo_writer *w, char *buffer, size_t size) {
  hlo_format(buffer, size, "%.*s", (int)w->length, w->text ? w->text : "");
  hlo_writer_free(w);
  return buffer;
}

static const char *span_text(hlo_span span, char *buffer, size_t size) {
  hlo_format(buffer, size, "%.*s", (int)span.length, span.text);
  return buffer;
}

static const char *type_text(const hlo_mlir_type *type, char *buffer, size_t size) {
  hlo_status ignored = {0};
  hlo_writer w;
  if (type->text.length) return span_text(type->text, buffer, size);
  hlo_writer_init(&w, &ignored);
  w.most = MOST_BYTES;
  hlo_mlir_write_type(&w, type);
  return written(&w, buffer, size);
}

static const char *attribute_text(const hlo_mlir_attribute *attribute, char *buffer, size_t size) {
  hlo_status ignored = {0};
  hlo_writer w;
  hlo_writer_init(&w, &ignored);
  w.most = MOST_BYTES;
  hlo_mlir_write_attribute(&w, attribute);
  return written(&w, buffer, size);
}

const char *hlo_mlir_thing(const void *context, char letter, const void *thing, char *buffer, size_t size) {
  const hlo_mlir_place *place = context;
  switch (letter) {
    case 'T': return type_text(thing, buffer, size);
    case 'S': hlo_shape_text(thing, buffer, size); return buffer;
    case 'A': return attribute_text(thing, buffer, size);
    case 'N': return span_text(*(const hlo_span *)thing, buffer, size);
    case 'r': return type_text(hlo_mlir_result_type(place->tree, place->op, 0), buffer, size);
    default: return type_text(hlo_mlir_operand_type(place->tree, place->op, letter - '0'), buffer, size);
  }
}
