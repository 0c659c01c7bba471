/* A growing text. Writes after a failed allocation are dropped and remembered in `status`. */
#ifndef HLO_BASE_TEXT_WRITER_H
#define HLO_BASE_TEXT_WRITER_H

#include "base/arena.h"
#include "base/text_reader.h"

typedef struct hlo_writer {
  char *text; /* malloc'd, NUL-terminated once anything was written */
  size_t length, capacity, most; /* most: a text that needs more is a failure, and keeps what it has */
  hlo_status *status;
} hlo_writer;

void hlo_writer_init(hlo_writer *writer, hlo_status *status);
void hlo_writer_free(hlo_writer *writer);
/* Moves the text to an arena and frees the writer. False, without a text, after any failure. */
bool hlo_writer_keep(hlo_writer *writer, hlo_arena *arena, hlo_span *text);
void hlo_write(hlo_writer *writer, const char *text);
void hlo_write_bytes(hlo_writer *writer, const char *bytes, size_t length);
void hlo_write_char(hlo_writer *writer, char c);
void hlo_write_int(hlo_writer *writer, int64_t value);
void hlo_write_uint(hlo_writer *writer, uint64_t value);
void hlo_write_format(hlo_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "1,2,3" with the given separator. */
void hlo_write_ints(hlo_writer *writer, const int64_t *values, int64_t count, const char *separator);
/* A double-quoted string with C escapes, as XLA prints it; and the same as JSON. */
void hlo_write_quoted(hlo_writer *writer, const char *text, size_t length);
void hlo_write_json(hlo_writer *writer, const char *text, size_t length);

/* A decimal that reads back as the same value, as XLA prints it: 6 significant digits (15 for double)
 * where they suffice, else 9 (17): 1, 0.1, 1e-05, 0.333333343, 3.40282347e+38, inf, -inf, nan, -nan, nan(0x1). */
void hlo_write_float(hlo_writer *writer, float value);
void hlo_write_double(hlo_writer *writer, double value);

#endif
