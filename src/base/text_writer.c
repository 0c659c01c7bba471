/* A growing text. A writer whose allocation failed holds no text and ignores all further writes. */
#include "base/text_writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"

enum { FIRST_CAPACITY = 128, LIKELY_BYTES = 32 };
#define CAPACITY_AFTER_FAILURE SIZE_MAX

void hlo_writer_init(hlo_writer *writer, hlo_status *status) { *writer = (hlo_writer){.most = SIZE_MAX, .status = status}; }

void hlo_writer_free(hlo_writer *writer) {
  free(writer->text);
  writer->text = NULL;
  writer->length = writer->capacity = 0;
}

void hlo_writer_clear(hlo_writer *writer) {
  writer->length = 0;
  if (!writer->text) writer->capacity = 0;
}

bool hlo_writer_keep(hlo_writer *writer, hlo_arena *arena, hlo_span *text) {
  char *kept = hlo_ok(writer->status) ? hlo_arena_text(arena, writer->text, writer->length, writer->status) : NULL;
  *text = (hlo_span){kept, kept ? writer->length : 0};
  hlo_writer_free(writer);
  return kept != NULL;
}

static bool give_up(hlo_writer *writer, size_t bytes) {
  hlo_writer_free(writer);
  writer->capacity = CAPACITY_AFTER_FAILURE;
  return hlo_fail(writer->status, HLO_OUT_OF_MEMORY, "no memory for a text of %zu bytes", bytes);
}

/* Ensures room for `more` bytes and the final NUL. */
static bool reserve(hlo_writer *writer, size_t more) {
  if (writer->capacity == CAPACITY_AFTER_FAILURE) return false;
  if (writer->text && more < writer->capacity - writer->length) return true;
  if (more > SIZE_MAX / 4 || writer->length > SIZE_MAX / 4) return give_up(writer, more);
  size_t capacity = writer->capacity ? writer->capacity * 2 : FIRST_CAPACITY;
  if (capacity < writer->length + more + 1) capacity = writer->length + more + 1;
  if (capacity > writer->most) return hlo_fail(writer->status, HLO_OUT_OF_MEMORY, "a text of more than %zu bytes", writer->most);
  char *text = realloc(writer->text, capacity);
  if (!text) return give_up(writer, capacity);
  writer->text = text;
  writer->capacity = capacity;
  return true;
}

void hlo_write_bytes(hlo_writer *writer, const char *bytes, size_t length) {
  if (!reserve(writer, length)) return;
  if (length) memcpy(writer->text + writer->length, bytes, length);
  writer->length += length;
  writer->text[writer->length] = 0;
}

void hlo_write(hlo_writer *writer, const char *text) { hlo_write_bytes(writer, text, strlen(text)); }

void hlo_write_char(hlo_writer *writer, char c) { hlo_write_bytes(writer, &c, 1); }

void hlo_write_uint(hlo_writer *writer, uint64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  hlo_write_bytes(writer, digits + at, sizeof digits - at);
}

void hlo_write_int(hlo_writer *writer, int64_t value) {
  if (value < 0) hlo_write_char(writer, '-');
  hlo_write_uint(writer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void hlo_write_ints(hlo_writer *writer, const int64_t *values, int64_t count, const char *separator) {
  for (int64_t i = 0; i < count; i++) {
    if (i) hlo_write(writer, separator);
    hlo_write_int(writer, values[i]);
  }
}

/* Formats into the free room; if the text is longer, makes room and formats again. */
void hlo_write_format(hlo_writer *writer, const char *format, ...) {
  if (!reserve(writer, LIKELY_BYTES)) return;
  size_t room = writer->capacity - writer->length;
  va_list arguments;
  va_start(arguments, format);
  size_t length = (size_t)hlo_format_arguments(writer->text + writer->length, room, format, arguments);
  va_end(arguments);
  if (length >= room) {
    if (!reserve(writer, length)) return;
    va_start(arguments, format);
    hlo_format_arguments(writer->text + writer->length, length + 1, format, arguments);
    va_end(arguments);
  }
  writer->length += length;
}

/* Returns the letter after the backslash, or 0 if C and JSON have no short escape for this byte. */
static char short_escape(char c) {
  switch (c) {
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '"': return '"';
    case '\\': return '\\';
    default: return 0;
  }
}

void hlo_write_quoted(hlo_writer *writer, const char *text, size_t length) {
  hlo_write_char(writer, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    char letter = c == '\'' ? '\'' : short_escape(text[i]);
    if (letter) {
      hlo_write_bytes(writer, (char[]){'\\', letter}, 2);
    } else if (c < 0x20 || c >= 0x7F) {
      hlo_write_format(writer, "\\%03o", c);
    } else {
      hlo_write_char(writer, text[i]);
    }
  }
  hlo_write_char(writer, '"');
}

void hlo_write_json(hlo_writer *writer, const char *text, size_t length) {
  hlo_write_char(writer, '"');
  for (size_t i = 0; i < length; i++) {
    char letter = short_escape(text[i]);
    if (letter) {
      hlo_write_bytes(writer, (char[]){'\\', letter}, 2);
    } else if ((unsigned char)text[i] < 0x20) {
      hlo_write_format(writer, "\\u%04x", (unsigned char)text[i]);
    } else {
      hlo_write_char(writer, text[i]);
    }
  }
  hlo_write_char(writer, '"');
}
