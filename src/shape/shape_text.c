/* The text of a shape.
 *
 *   shape = type '[' dims ']' layout? | '(' shape, ... ')' | "token[]" | "opaque[]"
 *   dim   = size | "<=" bound | '?'
 *
 * A brace after an array's dimensions opens a layout only if an integer or a colon follows: in
 * `-> f32[4] {` it opens a computation. */
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/list.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

/* ---- Reading ---- */

static const hlo_shape *read_shape(hlo_reader *reader, hlo_arena *arena, bool layout_must_touch);

static bool read_dim(hlo_reader *reader, int64_t *size, uint8_t *kind) {
  if (hlo_reader_accept(reader, "?")) {
    *kind = HLO_DIM_UNBOUNDED;
    *size = HLO_UNKNOWN_SIZE;
    return true;
  }
  *kind = hlo_reader_accept(reader, "<=") ? HLO_DIM_BOUNDED : HLO_DIM_STATIC;
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  if (!hlo_reader_int(reader, size)) return false;
  if (*size < 0)
    return hlo_reader_fail_at(reader, where, HLO_PARSE, "a dimension cannot have the negative size %lld",
                              (long long)*size);
  return true;
}

static bool read_dims(hlo_reader *reader, int64_t *dims, uint8_t *kinds, int *rank) {
  *rank = 0;
  if (!hlo_reader_expect(reader, "[")) return false;
  if (hlo_reader_accept(reader, "]")) return true;
  do {
    if (*rank == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a shape has at most %d dimensions", HLO_MAX_RANK);
    if (!read_dim(reader, &dims[*rank], &kinds[*rank])) return false;
    ++*rank;
  } while (hlo_reader_accept(reader, ","));
  return hlo_reader_expect(reader, "]");
}

static bool layout_follows(const hlo_reader *reader, bool must_touch) {
  hlo_reader ahead = *reader;
  char at_cursor = ahead.cursor < ahead.end ? *ahead.cursor : 0;
  if (must_touch && at_cursor != '{') return false;
  if (hlo_reader_peek(&ahead) != '{') return false;
  ahead.cursor++;
  char next = hlo_reader_peek(&ahead);
  return next == ':' || (next >= '0' && next <= '9') || (next == '}' && at_cursor == '{' && reader->cursor[1] == '}');
}

static const hlo_shape *with_layout_read(hlo_reader *reader, hlo_arena *arena, const hlo_shape *shape) {
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  const hlo_layout *layout = hlo_layout_read(reader, arena);
  if (!layout) return NULL;
  const hlo_shape *result = hlo_shape_with_layout(arena, shape, layout, reader->status);
  if (!result) hlo_reader_locate(reader, where);
  return result;
}

static const hlo_shape *read_array(hlo_reader *reader, hlo_arena *arena, hlo_type type, const char *where,
                                   bool layout_must_touch) {
  int64_t dims[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  int rank;
  if (!read_dims(reader, dims, kinds, &rank)) return NULL;
  const hlo_shape *shape = hlo_shape_make_dynamic(arena, type, dims, kinds, rank, reader->status);
  if (!shape) {
    hlo_reader_locate(reader, where);
    return NULL;
  }
  return layout_follows(reader, layout_must_touch) ? with_layout_read(reader, arena, shape) : shape;
}

static const hlo_shape *read_named(hlo_reader *reader, hlo_arena *arena, bool layout_must_touch) {
  hlo_span name = hlo_reader_name(reader);
  hlo_type type;
  if (name.length == 0 || !hlo_type_from_name(name, &type) || type == HLO_TYPE_TUPLE) {
    hlo_nearest_name nearest = {.name = name};
    for (int i = 0; i < HLO_TYPE_COUNT; i++)
      if (i != HLO_TYPE_TUPLE) hlo_nearest_name_offer(&nearest, hlo_span_of(hlo_type_name((hlo_type)i)));
    if (name.length) reader->cursor = name.text;
    hlo_reader_fail(reader, "expected a shape like f32[3,5], found %s%s", HLO_FOUND(reader), HLO_DID_YOU_MEAN(&nearest, ""));
    return NULL;
  }
  if (hlo_type_is_array(type)) return read_array(reader, arena, type, name.text, layout_must_touch);
  if (!hlo_reader_expect(reader, "[") || !hlo_reader_expect(reader, "]")) return NULL;
  if (type == HLO_TYPE_TOKEN) return hlo_shape_make_token(arena, reader->status);
  return hlo_shape_make_opaque(arena, reader->status);
}

typedef struct shape_list {
  const hlo_shape **shapes;
  int count, capacity;
} shape_list;

static bool list_add(shape_list *list, hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  if (!hlo_list_grow(arena, &list->shapes, list->count, &list->capacity, sizeof shape, status)) return false;
  list->shapes[list->count++] = shape;
  return true;
}

static const hlo_shape *read_tuple(hlo_reader *reader, hlo_arena *arena) {
  const char *where = reader->cursor;
  shape_list list = {0};
  if (!hlo_reader_expect(reader, "(")) return NULL;
  if (!hlo_reader_accept(reader, ")")) {
    do {
      const hlo_shape *element = read_shape(reader, arena, false);
      if (!element || !list_add(&list, arena, element, reader->status)) return NULL;
    } while (hlo_reader_accept(reader, ","));
    if (!hlo_reader_expect(reader, ")")) return NULL;
  }
  const hlo_shape *tuple = hlo_shape_make_tuple(arena, list.shapes, list.count, reader->status);
  if (!tuple) hlo_reader_locate(reader, where);
  return tuple;
}

static const hlo_shape *read_shape(hlo_reader *reader, hlo_arena *arena, bool layout_must_touch) {
  if (hlo_reader_peek(reader) != '(') return read_named(reader, arena, layout_must_touch);
  if (!hlo_reader_enter(reader)) return NULL;
  const hlo_shape *shape = read_tuple(reader, arena);
  hlo_reader_leave(reader);
  return shape;
}

/* What stands behind a shape may fail as well: a comment without an end. */
static const hlo_shape *checked(const hlo_shape *shape, const hlo_reader *reader) { return hlo_ok(reader->status) ? shape : NULL; }

const hlo_shape *hlo_shape_read(hlo_reader *reader, hlo_arena *arena) { return checked(read_shape(reader, arena, false), reader); }
const hlo_shape *hlo_shape_read_before_value(hlo_reader *reader, hlo_arena *arena) {
  return checked(read_shape(reader, arena, true), reader);
}

const hlo_shape *hlo_shape_parse(hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  hlo_reader reader;
  hlo_reader_init(&reader, text, length, status);
  const hlo_shape *shape = hlo_shape_read(&reader, arena);
  if (shape && !hlo_reader_at_end(&reader))
    hlo_reader_fail(&reader, "expected the end of the shape, found %s", HLO_FOUND(&reader));
  return hlo_ok(status) ? shape : NULL;
}

/* ---- Writing ---- */

enum { TUPLE_INDEX_INTERVAL = 5 }; /* XLA numbers every fifth element of a tuple in a comment */

static void write_dims(hlo_writer *writer, const hlo_shape *shape) {
  hlo_write_char(writer, '[');
  for (int i = 0; i < shape->rank; i++) {
    if (i) hlo_write_char(writer, ',');
    hlo_dim_kind kind = hlo_shape_dim_kind(shape, i);
    if (kind == HLO_DIM_BOUNDED) hlo_write(writer, "<=");
    if (kind == HLO_DIM_UNBOUNDED) hlo_write_char(writer, '?');
    else hlo_write_int(writer, shape->dims[i]);
  }
  hlo_write_char(writer, ']');
}

/* Writes a layout in braces; nothing for a scalar without fields. */
static void write_layout(hlo_writer *writer, const hlo_shape *shape) {
  size_t start = writer->length;
  hlo_write_char(writer, '{');
  hlo_layout_write(writer, shape->layout, shape);
  if (writer->length == start + 1 && writer->text) writer->text[--writer->length] = 0;
  else hlo_write_char(writer, '}');
}

void hlo_shape_write(hlo_writer *writer, const hlo_shape *shape, bool with_layout) {
  if (!hlo_shape_is_tuple(shape)) {
    hlo_write(writer, hlo_type_name(shape->type));
    write_dims(writer, shape);
    if (with_layout && hlo_shape_is_array(shape)) write_layout(writer, shape);
    return;
  }
  hlo_write_char(writer, '(');
  for (int i = 0; i < shape->element_count; i++) {
    if (i) hlo_write(writer, ", ");
    if (i && i % TUPLE_INDEX_INTERVAL == 0) hlo_write_format(writer, "/*index=%d*/", i);
    hlo_shape_write(writer, shape->elements[i], with_layout);
  }
  hlo_write_char(writer, ')');
}

char *hlo_shape_text(const hlo_shape *shape, char *buffer, size_t size) {
  hlo_status ignored = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &ignored);
  hlo_shape_write(&writer, shape, false);
  int length = hlo_format(buffer, size, "%s", writer.text ? writer.text : hlo_type_name(shape->type));
  bool cut = length >= 0 && (size_t)length >= size;
  if (cut && size > sizeof "...") memcpy(buffer + size - sizeof "...", "...", sizeof "...");
  hlo_writer_free(&writer);
  return buffer;
}
