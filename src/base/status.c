/* Records failures. The message buffer is part of the status, so that even a lack of memory can be reported. */
#include "base/status.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"
#include "base/utf8.h"

enum { EXCERPT_ROOM = 2 * HLO_EXCERPT_BUFFER }; /* reserved at the end of a message for the excerpt, and for the line with the caret */

static const char *const code_names[HLO_CODE_COUNT] = {
    [HLO_OK] = "OK",
#define HLO_CODE(id, text, doc) [HLO_##id] = text,
#include "base/status_codes.def"
#undef HLO_CODE
};

const char *hlo_code_name(hlo_code code) {
  return code_names[(unsigned)code < HLO_CODE_COUNT ? code : HLO_INTERNAL];
}

/* Ends a message that was cut with "...", without splitting a UTF-8 character. */
static void mark_as_cut(hlo_status *status, size_t size) {
  size_t end = size - sizeof("...");
  while (end > 0 && hlo_utf8_is_continuation(status->message[end])) end--;
  memcpy(status->message + end, "...", sizeof("..."));
}

/* Appends to the message, which is cut to `size` bytes. */
static void append(hlo_status *status, size_t size, const char *format, va_list arguments) {
  size_t used = strlen(status->message), room = size - used;
  int length = hlo_format_arguments(status->message + used, room, format, arguments);
  if ((size_t)length >= room) mark_as_cut(status, size);
}

bool hlo_fail_arguments(hlo_status *status, hlo_code code, const char *format, va_list arguments) {
  if (!hlo_ok(status)) return false;
  status->code = code;
  status->line = status->column = 0;
  status->message[0] = 0;
  append(status, HLO_STATUS_MESSAGE_BYTES, format, arguments);
  return false;
}

bool hlo_fail(hlo_status *status, hlo_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hlo_fail_arguments(status, code, format, arguments);
  va_end(arguments);
  return false;
}

bool hlo_fail_at(hlo_status *status, hlo_code code, const hlo_text_place *place, const char *format, ...) {
  if (!hlo_ok(status)) return false;
  status->code = code;
  status->line = place->line;
  status->column = place->column;
  if (place->column > 0) hlo_format(status->message, sizeof status->message, "%d:%d: ", place->line, place->column);
  else if (place->line > 0) hlo_format(status->message, sizeof status->message, "line %d: ", place->line);
  else status->message[0] = 0;
  va_list arguments;
  va_start(arguments, format);
  append(status, HLO_STATUS_MESSAGE_BYTES - (place->excerpt ? EXCERPT_ROOM : 0), format, arguments);
  va_end(arguments);
  if (!place->excerpt) return false;
  char indent[HLO_EXCERPT_BUFFER];
  memset(indent, ' ', (size_t)place->indent);
  indent[place->indent] = 0;
  return hlo_status_append(status, "\n%s\n%s^", place->excerpt, indent);
}

bool hlo_status_locate(hlo_status *status, const hlo_text_place *place) {
  if (hlo_ok(status) || status->column) return false;
  const hlo_status plain = *status;
  status->code = HLO_OK;
  return hlo_fail_at(status, plain.code, place, "%s", plain.message);
}

static bool ends_line(const char *c, const char *end) { return c == end || *c == '\n' || *c == '\r'; }

void hlo_text_place_show(hlo_text_place *place, char buffer[HLO_EXCERPT_BUFFER], const char *begin, const char *where, const char *end) {
  const char *line = where, *line_end = where;
  while (line > begin && line[-1] != '\n' && where - line < HLO_EXCERPT_BYTES / 2) line--;
  while (!ends_line(line_end, end) && line_end - line < HLO_EXCERPT_BYTES) line_end++;
  bool cut_before = line > begin && line[-1] != '\n', cut_after = !ends_line(line_end, end);
  while (cut_before && line < where && hlo_utf8_is_continuation(*line)) line++;
  while (cut_after && line_end > where && hlo_utf8_is_continuation(*line_end)) line_end--;

  char *out = buffer;
  if (cut_before) out = (char *)memcpy(out, "...", 3) + 3;
  place->excerpt = buffer;
  place->indent = cut_before ? 3 : 0;
  for (const char *c = line; c < line_end; c++) {
    *out++ = (unsigned char)*c < ' ' ? ' ' : *c;
    if (c < where && !hlo_utf8_is_continuation(*c)) place->indent++;
  }
  strcpy(out, cut_after ? "..." : "");
}

bool hlo_status_out_of_memory(hlo_status *status, const hlo_status *tried) {
  return tried->code == HLO_OUT_OF_MEMORY && !hlo_fail(status, tried->code, "%s", tried->message);
}

bool hlo_status_append(hlo_status *status, const char *format, ...) {
  if (hlo_ok(status)) return false;
  va_list arguments;
  va_start(arguments, format);
  append(status, HLO_STATUS_MESSAGE_BYTES, format, arguments);
  va_end(arguments);
  return false;
}
