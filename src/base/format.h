/* Formats a text as snprintf does, as far as messages need it, without the C library's own, which is five times the size. */
#ifndef HLO_BASE_FORMAT_H
#define HLO_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* %s %c %d %u %x %X %o %e %g %% and %pS, a shape as hlo_shape_text writes it (a pointer in a message takes fewer bytes than a call
 * and room for its text); with the lengths l, ll and z, a width and the flag 0 for integers, a precision
 * for texts and floating-point numbers; width and precision may be *.
 *
 * Writes at most `size` bytes, the final NUL among them, and returns the length of the whole text. `buffer` may be NULL
 * where `size` is 0. Never fails, never allocates. */
int hlo_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int hlo_format_arguments(char *buffer, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/* The text of more things than shapes: of `thing` for %p and the letter behind it; for {x}, `thing` is NULL, and what is meant by the
 * letter follows from the context. Returns `buffer`, or any other text. */
typedef const char *hlo_format_thing(const void *context, char letter, const void *thing, char *buffer, size_t size);
int hlo_format_things(char *buffer, size_t size, hlo_format_thing *text_of, const void *context, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

#endif
