/* Tokens, and errors that show their place. Lines and columns are counted only when an error is recorded. */
#include "base/text_reader.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"
#include "base/utf8.h"

void hlo_reader_init(hlo_reader *reader, const char *text, size_t length, hlo_status *status) {
  bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; /* a byte-order mark, which some editors put first */
  const char *begin = marked ? text + 3 : text;
  *reader = (hlo_reader){.begin = begin, .cursor = begin, .end = text + length, .status = status};
}

/* ---- Errors ---- */

/* The line and column of `where`. `excerpt` is the buffer for the source line. */
static hlo_text_place place_of(const hlo_reader *reader, const char *where, char excerpt[HLO_EXCERPT_BUFFER]) {
  const char *line_begin = reader->begin;
  hlo_text_place place = {.line = 1};
  for (const char *c = reader->begin; c < where; c++) {
    if (*c != '\n') continue;
    place.line++;
    line_begin = c + 1;
  }
  place.column = (int)(where - line_begin) + 1;
  hlo_text_place_show(&place, excerpt, reader->begin, where, reader->end);
  return place;
}

static const char *clamp_to_text(const hlo_reader *reader, const char *where) {
  if (where < reader->begin) return reader->begin;
  return where > reader->end ? reader->end : where;
}

static bool fail_at(hlo_reader *reader, const char *where, hlo_code code, const char *format, va_list arguments) {
  if (!hlo_ok(reader->status)) return false;
  char message[HLO_STATUS_MESSAGE_BYTES];
  hlo_format_arguments(message, sizeof message, format, arguments);
  hlo_fail(reader->status, code, "%s", message);
  return hlo_reader_locate(reader, where);
}

bool hlo_reader_fail(hlo_reader *reader, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_at(reader, reader->cursor, HLO_PARSE, format, arguments);
  va_end(arguments);
  return false;
}

bool hlo_reader_fail_at(hlo_reader *reader, const char *where, hlo_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_at(reader, where, code, format, arguments);
  va_end(arguments);
  return false;
}

bool hlo_reader_locate(hlo_reader *reader, const char *where) {
  char excerpt[HLO_EXCERPT_BUFFER];
  if (hlo_ok(reader->status) || reader->status->column) return false;
  const hlo_text_place place = place_of(reader, clamp_to_text(reader, where), excerpt);
  return hlo_status_locate(reader->status, &place);
}

bool hlo_reader_locate_line(hlo_reader *reader) {
  const char *where = reader->begin;
  for (int line = 1; line < reader->status->line && where < reader->end; where++) line += *where == '\n';
  while (where < reader->end && (*where == ' ' || *where == '\t')) where++;
  return reader->status->line ? hlo_reader_locate(reader, where) : false;
}

char *hlo_reader_found(hlo_reader *reader, char *buffer, size_t size) {
  hlo_reader_skip_space(reader);
  const char *c = reader->cursor;
  if (c == reader->end) {
    hlo_format(buffer, size, "the end of the text");
    return buffer;
  }
  const char *token_end = c + 1;
  hlo_reader ahead = *reader;
  hlo_span name = hlo_reader_name(&ahead);
  if (name.length) token_end = c + name.length;
  else if (*c >= '0' && *c <= '9')
    while (token_end < reader->end && *token_end >= '0' && *token_end <= '9') token_end++;
  while (token_end < reader->end && hlo_utf8_is_continuation(*token_end)) token_end++;
  size_t length = (size_t)(token_end - c), room = size - sizeof("''...") + 1;
  hlo_format(buffer, size, length < room ? "'%.*s'" : "'%.*s...'", (int)(length < room ? length : room - 1), c);
  return buffer;
}

/* ---- Space and comments ---- */

/* Returns the end of the comment that starts at `c`, or `c` if none does. */
static const char *skip_comment(hlo_reader *reader, const char *c) {
  if (reader->end - c < 2 || c[0] != '/') return c;
  if (c[1] == '/') {
    const char *line_end = memchr(c, '\n', (size_t)(reader->end - c));
    return line_end ? line_end : reader->end;
  }
  if (c[1] != '*') return c;
  for (const char *at = c + 2; at + 1 < reader->end; at++)
    if (at[0] == '*' && at[1] == '/') return at + 2;
  hlo_reader_fail_at(reader, c, HLO_PARSE, "this comment is never closed");
  return reader->end;
}

void hlo_reader_skip_space(hlo_reader *reader) {
  const char *c = reader->cursor;
  while (c < reader->end) {
    if (*c == ' ' || (*c >= '\t' && *c <= '\r')) {
      c++;
    } else {
      const char *after = skip_comment(reader, c);
      if (after == c) break;
      c = after;
    }
  }
  reader->cursor = c;
}

bool hlo_reader_at_end(hlo_reader *reader) {
  hlo_reader_skip_space(reader);
  return reader->cursor == reader->end;
}

char hlo_reader_peek(hlo_reader *reader) { return hlo_reader_at_end(reader) ? 0 : *reader->cursor; }

/* ---- Tokens ---- */

static bool is_name_start(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

/* Returns whether `c` continues a name: the minus of an arrow (->) does not. */
static bool is_name_byte(const hlo_reader *reader, const char *c) {
  if (is_name_start(*c) || (*c >= '0' && *c <= '9') || *c == '.') return true;
  return *c == '-' && !(c + 1 < reader->end && c[1] == '>');
}

bool hlo_reader_accept(hlo_reader *reader, const char *token) {
  hlo_reader_skip_space(reader);
  size_t length = strlen(token);
  if ((size_t)(reader->end - reader->cursor) < length || memcmp(reader->cursor, token, length) != 0) return false;
  reader->cursor += length;
  return true;
}

bool hlo_reader_expect(hlo_reader *reader, const char *token) {
  if (hlo_reader_accept(reader, token)) return true;
  return hlo_reader_fail(reader, "expected '%s', found %s", token, HLO_FOUND(reader));
}

bool hlo_reader_accept_word(hlo_reader *reader, const char *word) {
  const char *start = reader->cursor;
  if (!hlo_reader_accept(reader, word)) return false;
  if (reader->cursor == reader->end || !is_name_byte(reader, reader->cursor)) return true;
  reader->cursor = start;
  return false;
}

hlo_span hlo_reader_name(hlo_reader *reader) {
  hlo_reader_skip_space(reader);
  const char *start = reader->cursor, *c = start;
  if (c == reader->end || !is_name_start(*c)) return (hlo_span){start, 0};
  while (c < reader->end && is_name_byte(reader, c)) c++;
  reader->cursor = c;
  return (hlo_span){start, (size_t)(c - start)};
}

/* Reads the digits of an integer. `where` is the start of the number, with its sign, for errors. */
static bool read_digits(hlo_reader *reader, const char *where, uint64_t largest, uint64_t *value) {
  const char *c = reader->cursor;
  if (c == reader->end || *c < '0' || *c > '9')
    return hlo_reader_fail(reader, "expected an integer, found %s", HLO_FOUND(reader));
  *value = 0;
  for (; c < reader->end && *c >= '0' && *c <= '9'; c++) {
    uint64_t digit = (uint64_t)(*c - '0');
    if (*value > (largest - digit) / 10)
      return hlo_reader_fail_at(reader, where, HLO_PARSE, "this integer does not fit into 64 bits");
    *value = *value * 10 + digit;
  }
  reader->cursor = c;
  return true;
}

bool hlo_reader_uint(hlo_reader *reader, uint64_t *value) {
  hlo_reader_skip_space(reader);
  return read_digits(reader, reader->cursor, UINT64_MAX, value);
}

bool hlo_reader_int(hlo_reader *reader, int64_t *value) {
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  bool negative = where < reader->end && *where == '-';
  if (negative) reader->cursor++;
  uint64_t magnitude;
  if (!read_digits(reader, where, (uint64_t)INT64_MAX + negative, &magnitude)) return false;
  *value = (int64_t)(negative ? 0 - magnitude : magnitude);
  return true;
}

/* Returns the byte after the closing quote of the string that opens at `c`, or NULL if it is never closed. */
static const char *after_quoted(const hlo_reader *reader, const char *c) {
  for (c++; c < reader->end; c++) {
    if (*c == '\\') c++;
    else if (*c == '"') return c + 1;
  }
  return NULL;
}

bool hlo_reader_quoted(hlo_reader *reader, hlo_span *contents) {
  if (hlo_reader_peek(reader) != '"')
    return hlo_reader_fail(reader, "expected a string in double quotes, found %s", HLO_FOUND(reader));
  const char *start = reader->cursor, *after = after_quoted(reader, start);
  if (!after) return hlo_reader_fail(reader, "this string is never closed");
  *contents = (hlo_span){start + 1, (size_t)(after - start) - 2};
  reader->cursor = after;
  return true;
}

static char closing_bracket(char c) { return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0; }

bool hlo_reader_balanced(hlo_reader *reader, hlo_span *group) {
  if (!closing_bracket(hlo_reader_peek(reader)))
    return hlo_reader_fail(reader, "expected an opening bracket, found %s", HLO_FOUND(reader));
  const char *start = reader->cursor;
  char expected[HLO_READER_MAX_DEPTH];
  int depth = 0;
  for (const char *c = start; c < reader->end;) {
    const char *after = *c == '"' ? after_quoted(reader, c) : skip_comment(reader, c);
    if (!after) return hlo_reader_fail_at(reader, c, HLO_PARSE, "this string is never closed");
    if (after != c) {
      c = after;
      continue;
    }
    if (closing_bracket(*c)) {
      if (depth == HLO_READER_MAX_DEPTH)
        return hlo_reader_fail_at(reader, c, HLO_LIMIT, "nested more than %d deep", HLO_READER_MAX_DEPTH);
      expected[depth++] = closing_bracket(*c);
    } else if (*c == ')' || *c == ']' || *c == '}') {
      if (*c != expected[--depth])
        return hlo_reader_fail_at(reader, c, HLO_PARSE, "expected '%c', found '%c'", expected[depth], *c);
    }
    c++;
    if (depth == 0) {
      *group = (hlo_span){start, (size_t)(c - start)};
      reader->cursor = c;
      return true;
    }
  }
  return hlo_reader_fail_at(reader, start, HLO_PARSE, "this '%c' is never closed", *start);
}

bool hlo_reader_enter(hlo_reader *reader) {
  if (reader->depth == HLO_READER_MAX_DEPTH)
    return hlo_reader_fail_at(reader, reader->cursor, HLO_LIMIT, "nested more than %d deep", HLO_READER_MAX_DEPTH);
  reader->depth++;
  return true;
}

void hlo_reader_leave(hlo_reader *reader) { reader->depth--; }

int hlo_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hlo_text_is(const char *text, size_t length, const char *expected) {
  size_t i = 0;
  for (; i < length; i++)
    if (expected[i] == 0 || expected[i] != text[i]) return false;
  return expected[i] == 0;
}

bool hlo_text_begins(const char *text, size_t length, const char *beginning) {
  size_t begun = strlen(beginning);
  return length >= begun && hlo_text_is(text, begun, beginning);
}

bool hlo_text_ends(const char *text, size_t length, const char *ending) {
  size_t ended = strlen(ending);
  return length >= ended && hlo_text_is(text + length - ended, ended, ending);
}
