/* A cursor over a text with the few token readers that every grammar here shares.
 *
 * The text need not end in NUL. Nothing is copied: tokens are spans of the text. Positions become
 * line and column only when an error is made. */
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

/* Fails at the cursor (or at `where`) with line, column, the source line and a caret under it, as hlo_fail_at does.
 * Always returns false. */
bool hlo_reader_fail(hlo_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hlo_reader_fail_at(hlo_reader *reader, const char *where, hlo_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Turns a failure recorded without a column (by inference, say) into one at `where`. */
bool hlo_reader_locate(hlo_reader *reader, const char *where);
/* The same for a failure of which the line is known (from verification): at the first word of that line. */
bool hlo_reader_locate_line(hlo_reader *reader);

/* For messages: what stands at the cursor, after space: 'y', 'add', or the end of the text. Returns buffer. */
char *hlo_reader_found(hlo_reader *reader, char *buffer, size_t size);
enum { HLO_FOUND_BYTES = 40 };
#define HLO_FOUND(reader) hlo_reader_found((reader), (char[HLO_FOUND_BYTES]){0}, HLO_FOUND_BYTES)

void hlo_reader_skip_space(hlo_reader *reader); /* white space, and comments: slash-star and // to end of line */
bool hlo_reader_at_end(hlo_reader *reader);       /* after skipping space */
char hlo_reader_peek(hlo_reader *reader);         /* next byte after space, 0 at the end */
bool hlo_reader_accept(hlo_reader *reader, const char *token); /* skips space; consumes and returns true if next */
bool hlo_reader_expect(hlo_reader *reader, const char *token); /* fails if not next */
/* A word followed by a non-word byte: consumes and returns true only for the whole word. */
bool hlo_reader_accept_word(hlo_reader *reader, const char *word);
/* [A-Za-z_][A-Za-z0-9_.-]* ; empty span if none. `%` prefixes are the caller's business. */
hlo_span hlo_reader_name(hlo_reader *reader);
bool hlo_reader_int(hlo_reader *reader, int64_t *value);   /* optional '-'; refuses overflow */
bool hlo_reader_uint(hlo_reader *reader, uint64_t *value);
/* Any number XLA prints: 1, -1.5, 1e-05, 0x1.8p3, inf, -inf, nan, -nan, nan(0x1). Linear time. */
bool hlo_reader_double(hlo_reader *reader, double *value);
/* What may follow the word nan: the bits of its mantissa, as in nan(0x1); the quiet bit alone when absent. */
bool hlo_reader_nan_payload(hlo_reader *reader, int mantissa_bits, uint64_t *payload);
/* A "quoted" string with escapes; the span includes neither quote and is still escaped. */
bool hlo_reader_quoted(hlo_reader *reader, hlo_span *contents);
/* The span of a balanced group of (), {}, [] (quotes respected) starting at the cursor, brackets included. */
bool hlo_reader_balanced(hlo_reader *reader, hlo_span *group);

/* Bounds recursion: fails with LIMIT beyond HLO_READER_MAX_DEPTH. */
bool hlo_reader_enter(hlo_reader *reader);
void hlo_reader_leave(hlo_reader *reader);

/* Text and length by themselves: a struct would go through memory at each of many calls. */
bool hlo_text_is(const char *text, size_t length, const char *expected);
static inline __attribute__((always_inline)) bool hlo_span_is(hlo_span span, const char *text) {
  return hlo_text_is(span.text, span.length, text);
}
static inline bool hlo_span_equal(hlo_span a, hlo_span b) { return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0); }

#endif
