/* Formats text as snprintf does, with the conversions that messages need, and shapes. The C library's function, which knows many
 * more, would add five times as much code to the WebAssembly module. */
#ifndef HLO_BASE_FORMAT_H
#define HLO_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Conversions: %s %c %d %u %x %X %o %e %g %%, and %pS for a `const hlo_shape *`, written as hlo_shape_text does.
 * Integers take the lengths l, ll and z, a width and the flag 0; texts and floating-point numbers take a precision. Width and
 * precision may be *.
 *
 * Writes at most `size` bytes, including the final NUL, and returns the length of the whole text, as snprintf does.
 * `buffer` may be NULL if `size` is 0. Never fails, never allocates. */
int hlo_format(char *buffer, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int hlo_format_arguments(char *buffer, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/* Writes the text of other things than shapes. The format names them in two ways:
 *
 *   %pX   `thing` is the argument, `letter` is X
 *   {x}   `thing` is NULL, `letter` is x: the context says what to write
 *
 * Returns `buffer`, or any other text. */
typedef const char *hlo_format_thing(const void *context, char letter, const void *thing, char *buffer, size_t size);
int hlo_format_things(char *buffer, size_t size, hlo_format_thing *text_of, const void *context, const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

#endif
