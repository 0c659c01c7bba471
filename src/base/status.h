/* Errors, in the one form in which they travel: code, place, message.
 *
 * A fallible function takes `hlo_status *status` last and returns bool or a pointer. The first failure is kept and later ones are
 * ignored, so callers may pass a status on without checking it first. */
#ifndef HLO_BASE_STATUS_H
#define HLO_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each row of status_codes.def is one value of HloError.code in JavaScript. */
typedef enum hlo_code {
  HLO_OK = 0,
#define HLO_CODE(id, text, doc) HLO_##id,
#include "base/status_codes.def"
#undef HLO_CODE
  HLO_CODE_COUNT
} hlo_code;

enum { HLO_STATUS_MESSAGE_BYTES = 1536 };

typedef struct hlo_status {
  hlo_code code;
  int line;   /* 1-based; 0 when the error has no place in a text */
  int column; /* 1-based, in bytes */
  char message[HLO_STATUS_MESSAGE_BYTES]; /* always NUL-terminated; ends in "..." if it was cut */
} hlo_status;

/* A place in a text, with the part of the text that an error message shows. */
typedef struct hlo_text_place {
  int line;            /* 1-based; 0: no place, as in bytecode */
  int column;          /* 1-based, in bytes; 0: only the line is known */
  const char *excerpt; /* the source line, shortened around the column; NULL if there is no text to show */
  int indent;          /* number of characters of the excerpt in front of the caret */
} hlo_text_place;

/* Records a failure unless one is recorded already. Always returns false. */
bool hlo_fail(hlo_status *status, hlo_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool hlo_fail_arguments(hlo_status *status, hlo_code code, const char *format, va_list arguments);

/* Like hlo_fail, at a place of the text being read: line and column come before the message, excerpt and caret after it.
 *
 *   3:12: expected ',' or ')' after an operand, found 'y'
 *     ROOT add = f32[4] add(x y)
 *                             ^ */
bool hlo_fail_at(hlo_status *status, hlo_code code, const hlo_text_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a place to a failure that was recorded without a column (by inference, say). Always returns false. */
bool hlo_status_locate(hlo_status *status, const hlo_text_place *place);

/* Sets the excerpt of a place: the line of `where`, cut at both ends to at most HLO_EXCERPT_BYTES bytes. `buffer` holds it. */
enum { HLO_EXCERPT_BYTES = 100, HLO_EXCERPT_BUFFER = HLO_EXCERPT_BYTES + sizeof "......" };
void hlo_text_place_show(hlo_text_place *place, char buffer[HLO_EXCERPT_BUFFER], const char *begin, const char *where, const char *end);

/* Appends context that an inner function could not know to a recorded message. Always returns false. */
bool hlo_status_append(hlo_status *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Passes on the failure of something that was only tried, if memory ran out: that decides nothing. Returns whether it did. */
bool hlo_status_out_of_memory(hlo_status *status, const hlo_status *tried);

static inline bool hlo_ok(const hlo_status *status) { return status->code == HLO_OK; }

/* Returns the text of HloError.code: "PARSE", "SHAPE", ...; "OK" for HLO_OK. */
const char *hlo_code_name(hlo_code code);

#endif
