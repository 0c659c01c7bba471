/* One pass over the format; each conversion becomes a short text, which is padded to its width. */
#include "base/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"

typedef struct output {
  char *buffer;
  size_t size, length; /* length: of the whole text, with the part that did not fit */
} output;

typedef struct conversion {
  bool zeros;    /* fill the width with zeros instead of spaces */
  int width;
  int precision; /* -1: not given */
  int longs;     /* number of l; z counts as one or two, so that the argument has the size of size_t */
  char letter;
  char thing;    /* of %p: the letter behind it, which says what is pointed to */
} conversion;

/* Room for the longest number: a sign, zeros, 18 digits with their point, an exponent; or 22 octal digits. */
enum { NUMBER_BYTES = 40, MOST_DIGITS = 18 };

/* Room for the text of a thing (%p, {x}); longer texts are cut. */
enum { THING_BYTES = 320 };

static void put(output *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++, out->length++)
    if (out->length + 1 < out->size) out->buffer[out->length] = text[i];
}

static void put_padded(output *out, const conversion *c, const char *text, size_t length) {
  bool sign_first = c->zeros && length > 0 && text[0] == '-';
  if (sign_first) put(out, text, 1);
  for (size_t i = length; c->width > 0 && i < (size_t)c->width; i++) put(out, c->zeros ? "0" : " ", 1);
  put(out, text + sign_first, length - sign_first);
}

/* ---- Numbers ---- */

/* Writes the digits of `value` so that they end before `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t value, unsigned base, bool capitals) {
  do {
    *--end = (capitals ? "0123456789ABCDEF" : "0123456789abcdef")[value % base];
    value /= base;
  } while (value);
  return end;
}

static void put_integer(output *out, const conversion *c, int64_t value) {
  char text[NUMBER_BYTES], *end = text + sizeof text;
  bool is_decimal = c->letter == 'd' || c->letter == 'i', negative = is_decimal && value < 0;
  unsigned base = c->letter == 'o' ? 8 : c->letter == 'x' || c->letter == 'X' ? 16 : 10;
  char *begin = digits_before(end, negative ? 0 - (uint64_t)value : (uint64_t)value, base, c->letter == 'X');
  if (negative) *--begin = '-';
  put_padded(out, c, begin, (size_t)(end - begin));
}

static int64_t next_integer(const conversion *c, va_list *arguments) {
  bool is_signed = c->letter == 'd' || c->letter == 'i';
  if (c->longs > 1) return va_arg(*arguments, long long);
  if (c->longs == 1) return is_signed ? va_arg(*arguments, long) : (int64_t)va_arg(*arguments, unsigned long);
  return is_signed ? va_arg(*arguments, int) : (int64_t)va_arg(*arguments, unsigned);
}

/* Writes `count` digits with `leading` of them before the point. If `leading` is 0 or negative, zeros come first: 0.00123. */
static char *write_digits(char *end, const hlo_decimal *decimal, int leading, int count) {
  int first = leading < 1 ? leading - 1 : 0, units = leading < 1 ? first : leading - 1;
  int last = count - 1 > units ? count - 1 : units;
  for (int i = first; i <= last; i++) {
    *end++ = (char)('0' + (i >= 0 && i < decimal->count ? decimal->digits[i] : 0));
    if (i == units && i < last) *end++ = '.';
  }
  return end;
}

static char *write_exponent(char *end, int exponent) {
  char digits[NUMBER_BYTES], *digits_end = digits + sizeof digits;
  char *begin = digits_before(digits_end, (uint64_t)(exponent < 0 ? -exponent : exponent), 10, false);
  if (digits_end - begin < 2) *--begin = '0';
  *end++ = 'e';
  *end++ = exponent < 0 ? '-' : '+';
  memcpy(end, begin, (size_t)(digits_end - begin));
  return end + (digits_end - begin);
}

/* %e writes d.ddde-05 with all digits; %g drops final zeros, and writes an exponent only for very small or large numbers. */
static void put_real(output *out, const conversion *c, double value) {
  char text[NUMBER_BYTES], *end = text;
  if (signbit(value)) *end++ = '-';
  if (isfinite(value)) {
    bool all = c->letter == 'e';
    int digits = (c->precision < 0 ? 6 : c->precision) + all;
    digits = digits < 1 ? 1 : digits > MOST_DIGITS ? MOST_DIGITS : digits;
    hlo_decimal decimal;
    hlo_decimal_set(&decimal, value);
    hlo_decimal_round(&decimal, digits);
    int exponent = decimal.count ? (int)decimal.point - 1 : 0;
    bool scientific = all || exponent < -4 || exponent >= digits;
    end = write_digits(end, &decimal, scientific ? 1 : exponent + 1, all ? digits : decimal.count);
    if (scientific) end = write_exponent(end, exponent);
  } else {
    memcpy(end, isnan(value) ? "nan" : "inf", 3);
    end += 3;
  }
  put_padded(out, c, text, (size_t)(end - text));
}

/* ---- The format ---- */

static int read_number(const char **format, va_list *arguments) {
  int value = 0;
  if (**format == '*') {
    ++*format;
    return va_arg(*arguments, int);
  }
  while (**format >= '0' && **format <= '9') value = value * 10 + (*(*format)++ - '0');
  return value;
}

/* Reads the conversion behind a percent sign; returns its end. */
static const char *read_conversion(conversion *c, const char *format, va_list *arguments) {
  *c = (conversion){.precision = -1};
  for (; *format == '0'; format++) c->zeros = true;
  c->width = read_number(&format, arguments);
  if (*format == '.') {
    format++;
    c->precision = read_number(&format, arguments);
  }
  for (; *format == 'l' || *format == 'z'; format++) c->longs += *format == 'l' || sizeof(size_t) == sizeof(long) ? 1 : 2;
  c->letter = *format++;
  if (c->letter == 'p') c->thing = *format++;
  return format;
}

static void put_text(output *out, const conversion *c, const char *text) {
  size_t length = 0;
  while ((c->precision < 0 || length < (size_t)c->precision) && text[length]) length++;
  put_padded(out, c, text, length);
}

static void put_conversion(output *out, const conversion *c, va_list *arguments) {
  char letter = c->letter;
  switch (letter) {
    case 's': put_text(out, c, va_arg(*arguments, const char *)); break;
    case 'c': letter = (char)va_arg(*arguments, int); /* fallthrough */
    case '%': put(out, &letter, 1); break;
    case 'e':
    case 'g': put_real(out, c, va_arg(*arguments, double)); break;
    default: put_integer(out, c, next_integer(c, arguments));
  }
}

/* Messages name shapes often, so %pS writes one. src/shape defines this function, and base needs no more than its declaration. */
struct hlo_shape;
char *hlo_shape_text(const struct hlo_shape *shape, char *buffer, size_t size);

static const char *text_of_shape(const void *context, char letter, const void *thing, char *buffer, size_t size) {
  return hlo_shape_text(thing, buffer, size);
}

int hlo_format_things(char *buffer, size_t size, hlo_format_thing *text_of, const void *context, const char *format, va_list given) {
  output out = {.buffer = buffer, .size = size};
  const char *special = text_of ? "%{" : "%";
  if (!text_of) text_of = text_of_shape;
  va_list arguments; /* a copy: where va_list is an array, a parameter of that type is a pointer, whose address is of the wrong type */
  va_copy(arguments, given);
  while (*format) {
    size_t plain = strcspn(format, special);
    put(&out, format, plain);
    format += plain;
    if (!*format) break;
    conversion c = {.precision = -1};
    const void *thing = NULL;
    if (*format == '{') {
      c.thing = format[1];
      format += 3;
    } else {
      format = read_conversion(&c, format + 1, &arguments);
      if (c.thing) thing = va_arg(arguments, const void *);
    }
    char text[THING_BYTES];
    if (c.thing) put_text(&out, &c, text_of(context, c.thing, thing, text, sizeof text));
    else put_conversion(&out, &c, &arguments);
  }
  va_end(arguments);
  if (size) buffer[out.length < size ? out.length : size - 1] = 0;
  return (int)out.length;
}

int hlo_format_arguments(char *buffer, size_t size, const char *format, va_list arguments) {
  return hlo_format_things(buffer, size, NULL, NULL, format, arguments);
}

int hlo_format(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = hlo_format_arguments(buffer, size, format, arguments);
  va_end(arguments);
  return length;
}
