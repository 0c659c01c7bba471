/* The text of a layout: {1,0:T(2,2)(2,1)L(16)E(4)S(5)}, with its fields in XLA's order.
 *
 * Fields without effect here (D, #, *, SC, P, M, ...) are kept as they were written, in one text, and are
 * printed back at the places where XLA prints them. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"
#include "shape/tiling.h"

/* ---- Writing ---- */

static void write_tiles(hlo_writer *writer, const hlo_layout *layout) {
  for (int i = 0; i < hlo_layout_tile_count(layout); i++) {
    int64_t storage[HLO_MAX_RANK];
    hlo_tile tile = hlo_layout_tile(layout, i, storage);
    hlo_write(writer, i == 0 ? "T(" : "(");
    for (int d = 0; d < tile.rank; d++) {
      if (d) hlo_write_char(writer, ',');
      if (tile.dims[d] == HLO_TILE_COMBINE) hlo_write_char(writer, '*');
      else hlo_write_int(writer, tile.dims[d]);
    }
    hlo_write_char(writer, ')');
  }
}

/* The place at which XLA prints a field that has no effect here. */
typedef enum field_place { BEFORE_TILES, BEFORE_ELEMENT_SIZE, AT_THE_END } field_place;

static field_place place_of(char first_letter, char second) {
  if (first_letter == 'D' && second == '(') return BEFORE_TILES;
  return first_letter == '#' || first_letter == '*' ? BEFORE_ELEMENT_SIZE : AT_THE_END;
}

/* Returns the length of the field at the start of `text`: its name and all groups of parentheses after it. */
static size_t field_length(const char *text, size_t length) {
  size_t i = 0;
  int depth = 0;
  while (i < length && text[i] != '(') i++;
  for (; i < length; i++) {
    if (depth == 0 && text[i] != '(') break;
    depth += (text[i] == '(') - (text[i] == ')');
  }
  return i;
}

static void write_kept_fields(hlo_writer *writer, hlo_span fields, field_place place) {
  while (fields.length) {
    size_t length = field_length(fields.text, fields.length);
    char second = length > 1 ? fields.text[1] : 0;
    if (place_of(fields.text[0], second) == place) hlo_write_bytes(writer, fields.text, length);
    fields.text += length;
    fields.length -= length;
  }
}

static void write_number(hlo_writer *writer, const char *letter, int64_t value, int64_t least) {
  if (value < least) return;
  hlo_write(writer, letter);
  hlo_write_char(writer, '(');
  hlo_write_int(writer, value);
  hlo_write_char(writer, ')');
}

static bool has_fields(const hlo_layout *layout) {
  return hlo_layout_tile_count(layout) || layout->tail_padding_alignment_in_elements > 1 ||
         layout->element_size_in_bits || layout->memory_space || layout->verbatim.length;
}

void hlo_layout_write(hlo_writer *writer, const hlo_layout *layout, const hlo_shape *shape) {
  if (!layout) {
    for (int d = shape->rank - 1; d >= 0; d--) {
      hlo_write_int(writer, d);
      if (d) hlo_write_char(writer, ',');
    }
    return;
  }
  hlo_write_ints(writer, layout->minor_to_major, layout->rank, ",");
  if (!has_fields(layout)) return;
  hlo_write_char(writer, ':');
  write_kept_fields(writer, layout->verbatim, BEFORE_TILES);
  write_tiles(writer, layout);
  write_number(writer, "L", layout->tail_padding_alignment_in_elements, 2);
  write_kept_fields(writer, layout->verbatim, BEFORE_ELEMENT_SIZE);
  write_number(writer, "E", layout->element_size_in_bits, 1);
  write_number(writer, "S", layout->memory_space, 1);
  write_kept_fields(writer, layout->verbatim, AT_THE_END);
}

/* ---- Reading ---- */

enum { MAX_TILES = HLO_MAX_TILED_RANK }; /* each tile adds a dimension */

typedef struct layout_parts {
  hlo_layout layout;
  int64_t minor_to_major[HLO_MAX_RANK];
  hlo_tile tiles[MAX_TILES];
  hlo_writer kept;
} layout_parts;

static bool read_minor_to_major(hlo_reader *reader, layout_parts *parts) {
  char next = hlo_reader_peek(reader);
  if (next == ':' || next == '}') return true;
  do {
    if (parts->layout.rank == HLO_MAX_RANK)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a layout has at most %d dimensions", HLO_MAX_RANK);
    if (!hlo_reader_int(reader, &parts->minor_to_major[parts->layout.rank++])) return false;
  } while (hlo_reader_accept(reader, ","));
  return true;
}

static bool read_tile(hlo_reader *reader, hlo_arena *arena, hlo_tile *tile) {
  int64_t dims[HLO_MAX_TILED_RANK];
  tile->rank = 0;
  do {
    if (tile->rank == HLO_MAX_TILED_RANK)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a tile has at most %d dimensions",
                                HLO_MAX_TILED_RANK);
    if (hlo_reader_accept(reader, "*")) dims[tile->rank] = HLO_TILE_COMBINE;
    else if (!hlo_reader_int(reader, &dims[tile->rank])) return false;
    tile->rank++;
  } while (hlo_reader_accept(reader, ","));
  tile->dims = hlo_arena_copy(arena, dims, (size_t)tile->rank * sizeof *dims, reader->status);
  return tile->dims && hlo_reader_expect(reader, ")");
}

static bool read_tiles(hlo_reader *reader, hlo_arena *arena, layout_parts *parts) {
  if (!hlo_reader_expect(reader, "(")) return false;
  do {
    if (parts->layout.tile_count == MAX_TILES)
      return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "a layout has at most %d tiles", MAX_TILES);
    if (!read_tile(reader, arena, &parts->tiles[parts->layout.tile_count++])) return false;
  } while (hlo_reader_accept(reader, "("));
  return true;
}

static bool read_number(hlo_reader *reader, int64_t *value) {
  if (!hlo_reader_expect(reader, "(")) return false;
  const char *where = reader->cursor;
  if (!hlo_reader_int(reader, value)) return false;
  if (*value < 0) return hlo_reader_fail_at(reader, where, HLO_PARSE, "expected a number that is not negative");
  return hlo_reader_expect(reader, ")");
}

/* Keeps a field that has no effect here: its name and the groups of parentheses after it. */
static bool keep_field(hlo_reader *reader, layout_parts *parts, const char *field) {
  if (hlo_reader_peek(reader) != '(') return hlo_reader_fail(reader, "expected '(', found %s", HLO_FOUND(reader));
  hlo_write_bytes(&parts->kept, field, (size_t)(reader->cursor - field));
  while (hlo_reader_peek(reader) == '(') {
    hlo_span group;
    const char *begin = reader->cursor;
    if (!hlo_reader_balanced(reader, &group)) return false;
    hlo_write_bytes(&parts->kept, begin, (size_t)(reader->cursor - begin)); /* without the space between groups */
  }
  return hlo_ok(reader->status);
}

static bool read_field(hlo_reader *reader, hlo_arena *arena, layout_parts *parts) {
  hlo_reader_skip_space(reader);
  const char *field = reader->cursor;
  hlo_layout *layout = &parts->layout;
  if (hlo_reader_accept(reader, "#") || hlo_reader_accept(reader, "*")) return keep_field(reader, parts, field);
  hlo_span name = hlo_reader_name(reader);
  if (name.length == 0)
    return hlo_reader_fail(reader, "expected a field of the layout or '}', found %s", HLO_FOUND(reader));
  if (hlo_span_is(name, "T")) return read_tiles(reader, arena, parts);
  if (hlo_span_is(name, "L")) return read_number(reader, &layout->tail_padding_alignment_in_elements);
  if (hlo_span_is(name, "E")) return read_number(reader, &layout->element_size_in_bits);
  if (hlo_span_is(name, "S")) return read_number(reader, &layout->memory_space);
  return keep_field(reader, parts, field);
}

static bool read_parts(hlo_reader *reader, hlo_arena *arena, layout_parts *parts) {
  if (!hlo_reader_expect(reader, "{") || !read_minor_to_major(reader, parts)) return false;
  if (hlo_reader_accept(reader, ":"))
    while (hlo_reader_peek(reader) != '}')
      if (!read_field(reader, arena, parts)) return false;
  return hlo_reader_expect(reader, "}");
}

/* Sorts kept fields in the order of printing, so that equal layouts have equal texts. */
static hlo_span sorted_kept_fields(hlo_arena *arena, const hlo_writer *kept, hlo_status *status) {
  hlo_writer sorted;
  hlo_writer_init(&sorted, status);
  for (field_place place = BEFORE_TILES; place <= AT_THE_END; place++)
    write_kept_fields(&sorted, (hlo_span){kept->text, kept->length}, place);
  hlo_span fields = {hlo_arena_text(arena, sorted.text, sorted.length, status), sorted.length};
  hlo_writer_free(&sorted);
  return fields;
}

static const hlo_layout *layout_of_parts(hlo_arena *arena, const layout_parts *parts, hlo_status *status) {
  size_t order_bytes = (size_t)parts->layout.rank * sizeof *parts->minor_to_major;
  size_t tile_bytes = (size_t)parts->layout.tile_count * sizeof *parts->tiles;
  hlo_layout *layout = hlo_arena_copy(arena, &parts->layout, sizeof parts->layout, status);
  if (!layout) return NULL;
  layout->minor_to_major = hlo_arena_copy(arena, parts->minor_to_major, order_bytes, status);
  layout->tiles = hlo_arena_copy(arena, parts->tiles, tile_bytes, status);
  layout->verbatim = sorted_kept_fields(arena, &parts->kept, status);
  return layout;
}

const hlo_layout *hlo_layout_read(hlo_reader *reader, hlo_arena *arena) {
  layout_parts parts = {.layout.tail_padding_alignment_in_elements = 1};
  hlo_writer_init(&parts.kept, reader->status);
  const hlo_layout *layout = NULL;
  if (read_parts(reader, arena, &parts)) layout = layout_of_parts(arena, &parts, reader->status);
  hlo_writer_free(&parts.kept);
  return hlo_ok(reader->status) ? layout : NULL;
}
