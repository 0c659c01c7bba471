/* A growing text. After a failed allocation, `status` holds the failure and further writes are ignored. */
#ifndef HLO_BASE_TEXT_WRITER_H
#define HLO_BASE_TEXT_WRITER_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"

typedef struct hlo_writer {
  char *text; /* malloc'd, NUL-terminated once anything was written */
  size_t length, capacity, most; /* most: a write that needs a larger capacity fails, and the text stays as it is */
  hlo_status *status;
} hlo_writer;

void hlo_writer_init(hlo_writer *writer, hlo_status *status);
void hlo_writer_free(hlo_writer *writer);
/* Begins an empty text in the memory of the last one. Also a writer whose allocation failed writes again. */
void hlo_writer_clear(hlo_writer *writer);
/* Moves the text into an arena and frees the writer. Returns false, with an empty text, after any failure. */
bool hlo_writer_keep(hlo_writer *writer, hlo_arena *arena, hlo_span *text);
void hlo_write(hlo_writer *writer, const char *text);
void hlo_write_bytes(hlo_writer *writer, const char *bytes, size_t length);
void hlo_write_char(hlo_writer *writer, char c);
void hlo_write_int(hlo_writer *writer, int64_t value);
void hlo_write_uint(hlo_writer *writer, uint64_t value);
void hlo_write_format(hlo_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes integers with the given separator: "1,2,3". */
void hlo_write_ints(hlo_writer *writer, const int64_t *values, int64_t count, const char *separator);
/* Writes a string in double quotes: with C escapes as XLA prints it, or with those of JSON. */
void hlo_write_quoted(hlo_writer *writer, const char *text, size_t length);
void hlo_write_json(hlo_writer *writer, const char *text, size_t length);

/* Writes the decimal that XLA prints, which reads back as the same value: 6 significant digits (15 for double)
 * where they suffice, else 9 (17): 1, 0.1, 1e-05, 0.333333343, 3.40282347e+38, inf, -inf, nan, -nan, nan(0x1). */
void hlo_write_float(hlo_writer *writer, float value);
void hlo_write_double(hlo_writer *writer, double value);

#endif
