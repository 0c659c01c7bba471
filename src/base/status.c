/* Recording failures. The message buffer is part of the status, so that running out of memory
 * can be reported without any. */
#include "base/status.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"

typedef struct code_row {
  const char *name, *doc;
} code_row;

static const code_row code_rows[HLO_CODE_COUNT] = {
    [HLO_OK] = {"OK", "no error"},
#define HLO_CODE(id, text, doc) [HLO_##id] = {text, doc},
#include "base/status_codes.def"
#undef HLO_CODE
};

const char *hlo_code_name(hlo_code code) {
  return (unsigned)code < HLO_CODE_COUNT ? code_rows[code].name : code_rows[HLO_INTERNAL].name;
}

const char *hlo_code_doc(hlo_code code) {
  return (unsigned)code < HLO_CODE_COUNT ? code_rows[code].doc : code_rows[HLO_INTERNAL].doc;
}

/* A cut message ends in "...", never in half a UTF-8 character. */
static void mark_as_cut(hlo_status *status) {
  size_t end = HLO_STATUS_MESSAGE_BYTES - sizeof("...");
  while (end > 0 && ((unsigned char)status->message[end] & 0xC0) == 0x80) end--;
  memcpy(status->message + end, "...", sizeof("..."));
}

static void append(hlo_status *status, const char *format, va_list arguments) {
  size_t used = strlen(status->message), room = HLO_STATUS_MESSAGE_BYTES - used;
  int length = hlo_format_arguments(status->message + used, room, format, arguments);
  if ((size_t)length >= room) mark_as_cut(status);
}

bool hlo_fail(hlo_status *status, hlo_code code, const char *format, ...) {
  if (!hlo_ok(status)) return false;
  status->code = code;
  status->line = status->column = 0;
  status->message[0] = 0;
  va_list arguments;
  va_start(arguments, format);
  append(status, format, arguments);
  va_end(arguments);
  return false;
}

bool hlo_fail_at(hlo_status *status, hlo_code code, int line, int column, const char *format, ...) {
  if (!hlo_ok(status)) return false;
  status->code = code;
  status->line = line;
  status->column = column;
  if (column > 0) hlo_format(status->message, sizeof status->message, "%d:%d: ", line, column);
  else if (line > 0) hlo_format(status->message, sizeof status->message, "line %d: ", line);
  va_list arguments;
  va_start(arguments, format);
  append(status, format, arguments);
  va_end(arguments);
  return false;
}

bool hlo_status_append(hlo_status *status, const char *format, ...) {
  if (hlo_ok(status)) return false;
  va_list arguments;
  va_start(arguments, format);
  append(status, format, arguments);
  va_end(arguments);
  return false;
}
