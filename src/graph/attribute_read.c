/* Reading an attribute's value: the simple kinds. Windows, slices and groups have their own files. */
#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/list.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/attribute_forms.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Integers ---- */

bool hlo_list_next(hlo_reader *reader, const char *open, const char *close, int count) {
  if (count == 0) return hlo_reader_expect(reader, open) && !hlo_reader_accept(reader, close);
  if (hlo_reader_accept(reader, ",")) return true;
  hlo_reader_expect(reader, close);
  return false;
}

bool hlo_int_list_add(hlo_int_list *list, hlo_arena *arena, int64_t value, hlo_status *status) {
  if (!hlo_list_grow(arena, &list->data, list->count, &list->capacity, sizeof value, status)) return false;
  list->data[list->count++] = value;
  return true;
}

bool hlo_read_ints(hlo_reader *reader, hlo_arena *arena, const char *open, const char *close, hlo_ints *ints) {
  hlo_int_list list = {0};
  int64_t value;
  while (hlo_list_next(reader, open, close, list.count))
    if (!hlo_reader_int(reader, &value) || !hlo_int_list_add(&list, arena, value, reader->status)) return false;
  *ints = (hlo_ints){list.data, list.count};
  return hlo_ok(reader->status);
}

bool hlo_accept_here(hlo_reader *reader, char c) {
  if (reader->cursor == reader->end || *reader->cursor != c) return false;
  reader->cursor++;
  return true;
}

bool hlo_read_digits(hlo_reader *reader, int64_t *value) {
  const char *c = reader->cursor;
  if (c < reader->end && *c == '-') c++;
  if (c == reader->end || *c < '0' || *c > '9')
    return hlo_reader_fail(reader, "expected an integer, found %s", HLO_FOUND(reader));
  return hlo_reader_int(reader, value);
}

/* ---- Words ---- */

static bool read_bool(hlo_reader *reader, hlo_attribute *attribute) {
  attribute->boolean = hlo_reader_accept_word(reader, "true");
  if (attribute->boolean || hlo_reader_accept_word(reader, "false")) return true;
  return hlo_reader_fail(reader, "expected true or false, found %s", HLO_FOUND(reader));
}

/* Adds the allowed words to a message: "; there are EQ, NE, GE". */
static const char *list_of(const char *const *names, char buffer[HLO_HINT_BYTES]) {
  size_t used = 0;
  for (int i = 0; names[i] && used < HLO_HINT_BYTES; i++)
    used += (size_t)hlo_format(buffer + used, HLO_HINT_BYTES - used, i ? ", %s" : "; there are %s", names[i]);
  return buffer;
}

static bool read_enum(hlo_reader *reader, hlo_attribute *attribute) {
  const char *const *names = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id));
  hlo_span name = hlo_reader_name(reader);
  hlo_nearest_name nearest = {.name = name};
  for (int i = 0; names[i]; i++) {
    attribute->enumerant = i;
    if (hlo_span_is(name, names[i])) return true;
    hlo_nearest_name_offer(&nearest, hlo_span_of(names[i]));
  }
  reader->cursor = name.text;
  const char *hint = nearest.best.length ? HLO_DID_YOU_MEAN(&nearest, "") : list_of(names, (char[HLO_HINT_BYTES]){0});
  return hlo_reader_fail(reader, "%s is no value of %s%s", HLO_FOUND(reader), hlo_attribute_name(attribute->id), hint);
}

/* XLA keeps the attribute as a float, so the number is rounded to one. */
static bool read_float(hlo_reader *reader, hlo_attribute *attribute) {
  double value;
  if (!hlo_reader_double(reader, &value)) return false;
  attribute->real = (double)(float)value;
  return true;
}

/* ---- Strings ---- */

/* Reads at most `most` digits of a base, and moves *c past them. */
static char read_code(const char **c, const char *end, unsigned base, int most) {
  unsigned code = 0;
  for (int digit; most > 0 && *c < end && (unsigned)(digit = hlo_hex_digit(**c)) < base; ++*c, most--) code = code * base + (unsigned)digit;
  return (char)code;
}

/* Returns the byte that the escape behind a backslash stands for, and moves *c past it. */
static char unescape(const char **c, const char *end) {
  static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
  if (**c >= '0' && **c < '8') return read_code(c, end, 8, 3);
  char letter = *(*c)++;
  if (letter == 'x' && *c < end && hlo_hex_digit(**c) >= 0) return read_code(c, end, 16, 2);
  const char *known = strchr(letters, letter);
  return known && letter ? bytes[known - letters] : letter;
}

size_t hlo_unescape(char *text, size_t length) {
  size_t count = 0;
  const char *c = text, *end = text + length;
  while (c < end) {
    char byte = *c++;
    text[count++] = byte == '\\' && c < end ? unescape(&c, end) : byte;
  }
  return count;
}

static bool read_string(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  hlo_span quoted;
  if (!hlo_reader_quoted(reader, &quoted)) return false;
  char *text = hlo_arena_text(arena, quoted.text, quoted.length, reader->status);
  if (!text) return false;
  size_t length = hlo_unescape(text, quoted.length);
  text[length] = 0;
  attribute->text = (hlo_span){text, length};
  return true;
}

/* ---- Verbatim ---- */

static bool is_word_byte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr("_.-+:<>=*@", c));
}

/* Reads one token at the cursor: a string, a balanced group or a word. False, without an error, if there is none. */
static bool skip_token(hlo_reader *reader) {
  if (reader->cursor == reader->end) return false;
  hlo_span span;
  char c = *reader->cursor;
  if (c == '"') return hlo_reader_quoted(reader, &span);
  if (c == '{' || c == '(' || c == '[') return hlo_reader_balanced(reader, &span);
  const char *start = reader->cursor;
  while (reader->cursor < reader->end && is_word_byte(*reader->cursor)) reader->cursor++;
  return reader->cursor > start;
}

bool hlo_read_verbatim(hlo_reader *reader, hlo_arena *arena, hlo_span *value) {
  hlo_reader_skip_space(reader);
  const char *start = reader->cursor, *end = start;
  while (skip_token(reader)) {
    end = reader->cursor;
    while (hlo_accept_here(reader, ' ')) continue; /* f32[2] {1, 2} and s32[] -5 are one value, but behind {replicated} an instruction may begin */
    if (reader->cursor > end && (reader->cursor == reader->end || !strchr("{([-0123456789", *reader->cursor))) break;
  }
  if (!hlo_ok(reader->status)) return false;
  reader->cursor = end;
  if (end == start) return hlo_reader_fail(reader, "expected a value, found %s", HLO_FOUND(reader));
  *value = (hlo_span){hlo_arena_text(arena, start, (size_t)(end - start), reader->status), (size_t)(end - start)};
  return value->text != NULL;
}

/* ---- Names ---- */

typedef int lookup_function(void *context, hlo_span name);

static bool read_reference(hlo_reader *reader, const hlo_name_scope *scope, lookup_function *lookup, const char *what, int *index) {
  if (lookup == scope->computation && scope->in_place && hlo_reader_peek(reader) == '{') return scope->in_place(scope->context, index);
  hlo_reader_accept(reader, "%");
  hlo_span name = hlo_reader_name(reader);
  if (name.length == 0) return hlo_reader_fail(reader, "expected the name of %s, found %s", what, HLO_FOUND(reader));
  *index = lookup(scope->context, name);
  if (*index >= 0) return true;
  reader->cursor = name.text;
  hlo_nearest_name nearest = {.name = name};
  if (scope->offer) scope->offer(scope->context, lookup == scope->computation, &nearest);
  return hlo_reader_fail(reader, "%s is not the name of %s here%s", HLO_FOUND(reader), what,
                         nearest.tied ? "" : HLO_DID_YOU_MEAN(&nearest, ""));
}

static bool read_references(hlo_reader *reader, hlo_arena *arena, const hlo_name_scope *scope, lookup_function *lookup,
                            const char *what, hlo_ints *indices) {
  hlo_int_list list = {0};
  int index;
  while (hlo_list_next(reader, "{", "}", list.count))
    if (!read_reference(reader, scope, lookup, what, &index) || !hlo_int_list_add(&list, arena, index, reader->status)) return false;
  *indices = (hlo_ints){list.data, list.count};
  return hlo_ok(reader->status);
}

/* ---- Every kind ---- */

static bool read_shape(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  return (attribute->shape = hlo_shape_read(reader, arena)) != NULL;
}

static bool read_literal(hlo_reader *reader, hlo_arena *arena, hlo_attribute *attribute) {
  const hlo_shape *shape = hlo_shape_read_before_value(reader, arena);
  return shape && (attribute->literal = hlo_literal_read(reader, arena, shape)) != NULL;
}

bool hlo_attribute_read(hlo_reader *reader, hlo_arena *arena, const hlo_name_scope *scope, hlo_attribute *attribute) {
  switch (hlo_attribute_kind_of(attribute->id)) {
  case HLO_KIND_INT: return hlo_reader_int(reader, &attribute->integer);
  case HLO_KIND_INTS: return hlo_read_ints(reader, arena, "{", "}", &attribute->ints);
  case HLO_KIND_BOOL: return read_bool(reader, attribute);
  case HLO_KIND_FLOAT: return read_float(reader, attribute);
  case HLO_KIND_STRING: return read_string(reader, arena, attribute);
  case HLO_KIND_RAW: return hlo_read_verbatim(reader, arena, &attribute->text);
  case HLO_KIND_WINDOW: return hlo_read_window(reader, arena, attribute);
  case HLO_KIND_PADDING: return hlo_read_padding(reader, arena, attribute);
  case HLO_KIND_DIM_LABELS: return hlo_read_dim_labels(reader, arena, attribute);
  case HLO_KIND_SLICE: return hlo_read_slice(reader, arena, attribute);
  case HLO_KIND_COMPUTATION: return read_reference(reader, scope, scope->computation, "a computation", &attribute->computation);
  case HLO_KIND_COMPUTATIONS: return read_references(reader, arena, scope, scope->computation, "a computation", &attribute->ints);
  case HLO_KIND_INSTRUCTIONS: return read_references(reader, arena, scope, scope->instruction, "an instruction", &attribute->ints);
  case HLO_KIND_SHAPE: return read_shape(reader, arena, attribute);
  case HLO_KIND_GROUPS: return hlo_read_groups(reader, arena, attribute);
  case HLO_KIND_LITERAL: return read_literal(reader, arena, attribute);
  case HLO_KIND_QUANTIZATION: return hlo_read_quantization(reader, arena, attribute);
  default: return read_enum(reader, attribute);
  }
}
