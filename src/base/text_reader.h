/* A cursor over a text, and readers for the tokens that all grammars here share.
 *
 * The text need not end in NUL. Nothing is copied: tokens are spans of the text. Positions become
 * line and column only when an error is recorded. */
#ifndef HLO_BASE_TEXT_READER_H
#define HLO_BASE_TEXT_READER_H

#include <string.h>

#include "base/status.h"

typedef struct hlo_span {
  const char *text;
  size_t length;
} hlo_span;

static inline hlo_span hlo_span_of(const char *text) { return (hlo_span){text, __builtin_strlen(text)}; }

typedef struct hlo_reader {
  const char *begin, *cursor, *end;
  hlo_status *status;
  int depth; /* current nesting, for hlo_reader_enter */
} hlo_reader;

enum { HLO_READER_MAX_DEPTH = 256 };

void hlo_reader_init(hlo_reader *reader, const char *text, size_t length, hlo_status *status);

/* Fails at the cursor (or at `where`) with line, column, the source line and a caret under it, like hlo_fail_at.
 * Always returns false. */
bool hlo_reader_fail(hlo_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hlo_reader_fail_at(hlo_reader *reader, const char *where, hlo_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds the place `where` to a failure that was recorded without a column (by inference, say). */
bool hlo_reader_locate(hlo_reader *reader, const char *where);
/* Adds a column to a failure that has only a line (from verification): that of the first word of the line. */
bool hlo_reader_locate_line(hlo_reader *reader);

/* Describes the text at the cursor for a message: 'y', 'add', or the end of the text. Skips space. Returns buffer. */
char *hlo_reader_found(hlo_reader *reader, char *buffer, size_t size);
enum { HLO_FOUND_BYTES = 40 };
#define HLO_FOUND(reader) hlo_reader_found((reader), (char[HLO_FOUND_BYTES]){0}, HLO_FOUND_BYTES)

void hlo_reader_skip_space(hlo_reader *reader); /* white space, and comments: slash-star, and // to the end of the line */
bool hlo_reader_at_end(hlo_reader *reader);       /* skips space first */
char hlo_reader_peek(hlo_reader *reader);         /* skips space; the next byte, 0 at the end */
bool hlo_reader_accept(hlo_reader *reader, const char *token); /* skips space; moves past `token` if it comes next, else returns false */
bool hlo_reader_expect(hlo_reader *reader, const char *token); /* like accept, but a failure if another token comes next */
/* Accepts a whole word only: `word` must be followed by a byte that no name contains. */
bool hlo_reader_accept_word(hlo_reader *reader, const char *word);
/* Reads [A-Za-z_][A-Za-z0-9_.-]*. Returns an empty span if there is no name. A `%` in front is left to the caller. */
hlo_span hlo_reader_name(hlo_reader *reader);
bool hlo_reader_int(hlo_reader *reader, int64_t *value);   /* an optional '-' and digits; fails on overflow */
bool hlo_reader_uint(hlo_reader *reader, uint64_t *value);
/* Reads any number that XLA prints: 1, -1.5, 1e-05, 0x1.8p3, inf, -inf, nan, -nan, nan(0x1). Takes linear time. */
bool hlo_reader_double(hlo_reader *reader, double *value);
/* Reads the mantissa's bits that may follow the word nan, as in nan(0x1). Without them, the payload is the quiet bit. */
bool hlo_reader_nan_payload(hlo_reader *reader, int mantissa_bits, uint64_t *payload);
/* Reads a string in double quotes. `contents` excludes the quotes and keeps the escapes. */
bool hlo_reader_quoted(hlo_reader *reader, hlo_span *contents);
/* Reads a balanced group of (), {} or [] from the opening bracket to the closing one, both included. Brackets in strings and
 * comments do not count. */
bool hlo_reader_balanced(hlo_reader *reader, hlo_span *group);

/* Counts nesting, to bound recursion: fails with LIMIT beyond HLO_READER_MAX_DEPTH. */
bool hlo_reader_enter(hlo_reader *reader);
void hlo_reader_leave(hlo_reader *reader);

/* Returns what a hexadecimal digit counts, or -1 if it is none. */
int hlo_hex_digit(char c);

/* These functions take a text and its length apart, because a struct argument would go through memory at each of many calls. */
bool hlo_text_is(const char *text, size_t length, const char *expected);
bool hlo_text_begins(const char *text, size_t length, const char *beginning);
bool hlo_text_ends(const char *text, size_t length, const char *ending);
static inline __attribute__((always_inline)) bool hlo_span_is(hlo_span span, const char *text) {
  return hlo_text_is(span.text, span.length, text);
}
static inline bool hlo_span_begins(hlo_span span, const char *beginning) { return hlo_text_begins(span.text, span.length, beginning); }
static inline bool hlo_span_ends(hlo_span span, const char *ending) { return hlo_text_ends(span.text, span.length, ending); }
static inline bool hlo_span_equal(hlo_span a, hlo_span b) { return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0); }

#endif
