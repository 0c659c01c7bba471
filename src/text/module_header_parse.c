/* Reads a module's header, with the tables of stack frames behind it:
 *
 *   HloModule name, is_scheduled=true, entry_computation_layout={(f32[2]{0})->f32[2]{0}}, replica_count=2
 *
 *   FileNames
 *   1 "model.py"
 *   ... */
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "shape/shape.h"
#include "text/hlo_text_parser.h"

/* ---- entry_computation_layout={(f32[2]{0}, s32[])->f32[2]{0}} ---- */

static bool add_shape(hlo_text_parser *parser, int *capacity, const hlo_shape *shape) {
  hlo_module *module = parser->module;
  if (!hlo_list_grow(&module->arena, &module->entry_parameter_shapes, module->entry_parameter_count, capacity, sizeof shape,
                     parser->reader.status))
    return false;
  module->entry_parameter_shapes[module->entry_parameter_count++] = shape;
  return true;
}

static bool parse_entry_layout(hlo_text_parser *parser, const char *where) {
  hlo_reader *reader = &parser->reader;
  hlo_module *module = parser->module;
  int capacity = 0;
  parser->entry_layout_at = where;
  module->entry_parameter_shapes = hlo_arena_many(&module->arena, const hlo_shape *, 0, reader->status);
  if (!hlo_reader_expect(reader, "{")) return false;
  while (hlo_list_next(reader, "(", ")", module->entry_parameter_count)) {
    const hlo_shape *shape = hlo_shape_read(reader, &module->arena);
    if (!shape || !add_shape(parser, &capacity, shape)) return false;
  }
  if (!hlo_ok(reader->status) || !hlo_reader_expect(reader, "->")) return false;
  module->entry_result_shape = hlo_shape_read(reader, &module->arena);
  return module->entry_result_shape && hlo_reader_expect(reader, "}");
}

bool hlo_text_check_entry_layout(hlo_text_parser *parser) {
  const hlo_module *module = parser->module;
  int count = hlo_module_entry(module)->parameter_count;
  if (!parser->entry_layout_at || module->entry_parameter_count == count) return true;
  return hlo_reader_fail_at(&parser->reader, parser->entry_layout_at, HLO_VERIFY,
                            "entry_computation_layout has %d parameters, but the entry has %d", module->entry_parameter_count,
                            count);
}

/* ---- Fields ---- */

static bool parse_count(hlo_text_parser *parser, int64_t *count) {
  hlo_reader_skip_space(&parser->reader);
  const char *where = parser->reader.cursor;
  if (!hlo_reader_int(&parser->reader, count)) return false;
  return *count > 0 || hlo_reader_fail_at(&parser->reader, where, HLO_PARSE, "expected a positive number");
}

/* Keeps the text of a field that has no effect here. */
static bool parse_other(hlo_text_parser *parser, hlo_span name, int *capacity) {
  hlo_module *module = parser->module;
  hlo_status *status = parser->reader.status;
  if (!hlo_list_grow(&module->arena, &module->fields, module->field_count, capacity, sizeof *module->fields, status)) return false;
  hlo_module_field *field = &module->fields[module->field_count];
  field->name = (hlo_span){hlo_arena_text(&module->arena, name.text, name.length, status), name.length};
  if (!field->name.text || !hlo_read_verbatim(&parser->reader, &module->arena, &field->text)) return false;
  module->field_count++;
  return true;
}

static bool check_new(hlo_text_parser *parser, hlo_span name, const hlo_name_table *seen) {
  if (hlo_name_table_find(seen, name) < 0) return true;
  return hlo_reader_fail_at(&parser->reader, name.text, HLO_PARSE, "'%.*s' is given twice", (int)name.length, name.text);
}

static bool remember(hlo_text_parser *parser, hlo_span name, hlo_name_table *seen) {
  const char *copy = hlo_arena_text(&parser->scratch, name.text, name.length, parser->reader.status);
  return copy && hlo_name_table_add(seen, &parser->scratch, copy, 0, parser->reader.status);
}

static bool parse_fields(hlo_text_parser *parser) {
  hlo_reader *reader = &parser->reader;
  hlo_name_table seen = {0};
  int capacity = 0;
  while (hlo_reader_accept(reader, ",")) {
    hlo_span name = hlo_reader_name(reader);
    if (name.length == 0) return hlo_reader_fail(reader, "expected a field of the module, found %s", HLO_FOUND(reader));
    if (!check_new(parser, name, &seen) || !remember(parser, name, &seen) || !hlo_reader_expect(reader, "=")) return false;
    bool read;
    if (hlo_span_is(name, "entry_computation_layout")) read = parse_entry_layout(parser, name.text);
    else if (hlo_span_is(name, "replica_count")) read = parse_count(parser, &parser->module->replica_count);
    else if (hlo_span_is(name, "num_partitions")) read = parse_count(parser, &parser->module->num_partitions);
    else read = parse_other(parser, name, &capacity);
    if (!read) return false;
  }
  return true;
}

/* ---- Tables of stack frames ---- */

/* Returns whether a table comes next. A computation may have a table's name: the next token tells them apart. */
static bool at_table(hlo_text_parser *parser) {
  static const char *const tables[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
  hlo_reader ahead = parser->reader;
  hlo_span name = hlo_reader_name(&ahead);
  for (int i = 0; i < 4; i++) {
    if (!hlo_span_is(name, tables[i])) continue;
    char next = hlo_reader_peek(&ahead);
    return next != '{' && next != '(';
  }
  return false;
}

static bool at_digit(hlo_reader *reader) {
  char next = hlo_reader_peek(reader);
  return next >= '0' && next <= '9';
}

/* Skips rows like 1 "model.py" and 1 {file_name_id=1 line=4}. */
static bool parse_rows(hlo_reader *reader, const char **end) {
  while (at_digit(reader)) {
    uint64_t number;
    hlo_span row;
    if (!hlo_reader_uint(reader, &number)) return false;
    bool read = hlo_reader_peek(reader) == '"' ? hlo_reader_quoted(reader, &row) : hlo_reader_balanced(reader, &row);
    if (!read) return false;
    *end = reader->cursor;
  }
  return true;
}

static bool parse_trailer(hlo_text_parser *parser) {
  hlo_reader *reader = &parser->reader;
  hlo_reader_skip_space(reader);
  const char *start = reader->cursor, *end = start;
  while (at_table(parser)) {
    hlo_reader_name(reader);
    end = reader->cursor;
    if (!parse_rows(reader, &end)) return false;
  }
  if (end == start) return true;
  hlo_span *trailer = &parser->module->trailer;
  trailer->length = (size_t)(end - start);
  trailer->text = hlo_arena_text(&parser->module->arena, start, trailer->length, reader->status);
  return trailer->text != NULL;
}

/* ---- The whole header ---- */

/* Returns whether the text begins with a computation, without a header. */
static bool at_computation(hlo_text_parser *parser) {
  hlo_reader ahead = parser->reader;
  if (hlo_reader_accept_word(&ahead, "ENTRY") || hlo_reader_accept(&ahead, "%")) return true;
  if (hlo_reader_name(&ahead).length == 0) return false;
  char next = hlo_reader_peek(&ahead);
  return next == '{' || next == '(';
}

bool hlo_text_parse_header(hlo_text_parser *parser) {
  hlo_reader *reader = &parser->reader;
  if (!hlo_reader_accept_word(reader, "HloModule"))
    return at_computation(parser) || hlo_reader_fail(reader, "expected 'HloModule' and a name, found %s", HLO_FOUND(reader));
  hlo_span name = hlo_reader_name(reader);
  if (name.length == 0) return hlo_reader_fail(reader, "expected the name of the module, found %s", HLO_FOUND(reader));
  parser->module->name = hlo_arena_text(&parser->module->arena, name.text, name.length, reader->status);
  hlo_reader_accept(reader, ":"); /* older XLA writes a colon */
  return parser->module->name && parse_fields(parser) && parse_trailer(parser);
}
