/* Floating-point numbers as text.
 *
 * Reading is exact: a number is either small enough for one correctly rounded operation
 * (an integer below 2^53 times or over a power of ten up to 10^22, all exact in double; Clinger's
 * fast path), or goes through strtod, with as many digits as can matter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_reader.h"
#include "base/text_writer.h"

/* ---- Writing ---- */

static void write_nan(hlo_writer *writer, bool negative, uint64_t payload, uint64_t quiet) {
  hlo_write(writer, negative ? "-nan" : "nan");
  if (payload != quiet) hlo_write_format(writer, "(0x%llx)", (unsigned long long)payload);
}

void hlo_write_double(hlo_writer *writer, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) {
    write_nan(writer, bits >> 63, bits & 0xFFFFFFFFFFFFF, 0x8000000000000);
    return;
  }
  char text[32];
  snprintf(text, sizeof text, "%.15g", value);
  if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
  hlo_write(writer, text);
}

void hlo_write_float(hlo_writer *writer, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) {
    write_nan(writer, bits >> 31, bits & 0x7FFFFF, 0x400000);
    return;
  }
  char text[32];
  snprintf(text, sizeof text, "%.6g", (double)value);
  if (strtof(text, NULL) != value) snprintf(text, sizeof text, "%.9g", (double)value);
  hlo_write(writer, text);
}

/* ---- Reading ---- */

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum {
  LARGEST_EXACT_POWER = 22,
  MAX_DIGITS = 800,         /* a tie between two doubles never has more than 767 significant digits */
  MAX_EXPONENT = 100000000, /* beyond this every number is zero or infinite */
  MAX_HEX_BYTES = 128,
};

/* A decimal number taken apart: digits without leading zeros, as 0.ddd... * 10^(point). */
typedef struct decimal {
  uint64_t mantissa;   /* the first 19 digits as an integer */
  int digit_count;     /* significant digits seen, up to MAX_DIGITS */
  bool more;           /* a digit other than 0 was dropped beyond MAX_DIGITS */
  int64_t exponent;    /* of the integer that all kept digits form */
  char digits[MAX_DIGITS];
} decimal;

static bool is_digit(const hlo_reader *reader, const char *c) { return c < reader->end && *c >= '0' && *c <= '9'; }

static void add_digit(decimal *number, char digit, bool after_point) {
  if (number->digit_count == 0 && digit == '0') {
    number->exponent -= after_point;
  } else if (number->digit_count < MAX_DIGITS) {
    if (number->digit_count < 19) number->mantissa = number->mantissa * 10 + (uint64_t)(digit - '0');
    number->digits[number->digit_count++] = digit;
    number->exponent -= after_point;
  } else {
    number->more |= digit != '0';
    number->exponent += !after_point;
  }
}

/* [eE][+-]?digits, or nothing. */
static const char *read_exponent(hlo_reader *reader, const char *c, int64_t *exponent) {
  *exponent = 0;
  if (c == reader->end || (*c != 'e' && *c != 'E')) return c;
  const char *at = c + 1;
  bool negative = at < reader->end && *at == '-';
  if (negative || (at < reader->end && *at == '+')) at++;
  if (!is_digit(reader, at)) return c;
  for (; is_digit(reader, at); at++)
    if (*exponent < MAX_EXPONENT) *exponent = *exponent * 10 + (*at - '0');
  if (negative) *exponent = -*exponent;
  return at;
}

static double decimal_by_strtod(const decimal *number) {
  char text[MAX_DIGITS + 32];
  int length = number->digit_count;
  memcpy(text, number->digits, (size_t)length);
  int64_t exponent = number->exponent;
  if (number->more) { /* only whether the rest is zero matters */
    text[length++] = '1';
    exponent--;
  }
  if (exponent > MAX_EXPONENT) exponent = MAX_EXPONENT;
  if (exponent < -MAX_EXPONENT) exponent = -MAX_EXPONENT;
  snprintf(text + length, sizeof text - (size_t)length, "e%lld", (long long)exponent);
  return strtod(text, NULL);
}

static double decimal_value(const decimal *number) {
  if (number->digit_count == 0) return 0;
  if (number->digit_count <= 19 && number->mantissa <= (uint64_t)1 << 53) {
    double mantissa = (double)number->mantissa;
    if (number->exponent >= 0 && number->exponent <= LARGEST_EXACT_POWER)
      return mantissa * powers_of_ten[number->exponent];
    if (number->exponent < 0 && number->exponent >= -LARGEST_EXACT_POWER)
      return mantissa / powers_of_ten[-number->exponent];
  }
  return decimal_by_strtod(number);
}

static bool read_decimal(hlo_reader *reader, double *value) {
  decimal number;
  number.mantissa = 0;
  number.digit_count = 0;
  number.more = false;
  number.exponent = 0;
  const char *c = reader->cursor;
  bool any = false;
  for (; is_digit(reader, c); c++, any = true) add_digit(&number, *c, false);
  if (c < reader->end && *c == '.' && (any || is_digit(reader, c + 1)))
    for (c++; is_digit(reader, c); c++, any = true) add_digit(&number, *c, true);
  if (!any) return hlo_reader_fail(reader, "expected a number, found %s", HLO_FOUND(reader));
  int64_t exponent;
  reader->cursor = read_exponent(reader, c, &exponent);
  number.exponent += exponent;
  *value = decimal_value(&number);
  return true;
}

static bool read_hexadecimal(hlo_reader *reader, double *value) {
  char text[MAX_HEX_BYTES];
  size_t length = (size_t)(reader->end - reader->cursor);
  if (length > sizeof text - 1) length = sizeof text - 1;
  memcpy(text, reader->cursor, length);
  text[length] = 0;
  char *after;
  *value = strtod(text, &after);
  if (after == text + sizeof text - 1) return hlo_reader_fail(reader, "this hexadecimal number is too long");
  if (after - text < 3) return hlo_reader_fail(reader, "expected hexadecimal digits after '0x'");
  reader->cursor += after - text;
  return true;
}

/* What may follow "nan": the bits of the mantissa in XLA's form, (0x1). */
static bool read_nan(hlo_reader *reader, double *value) {
  uint64_t payload;
  if (!hlo_reader_nan_payload(reader, 52, &payload)) return false;
  uint64_t bits = (uint64_t)0x7FF << 52 | payload;
  memcpy(value, &bits, sizeof bits);
  return true;
}

bool hlo_reader_nan_payload(hlo_reader *reader, int mantissa_bits, uint64_t *payload) {
  *payload = mantissa_bits ? (uint64_t)1 << (mantissa_bits - 1) : 0;
  const char *c = reader->cursor;
  if (reader->end - c < 3 || memcmp(c, "(0x", 3) != 0) return true;
  uint64_t bits = 0;
  const char *digits = c += 3;
  for (; c < reader->end; c++) {
    int digit = *c >= '0' && *c <= '9' ? *c - '0' : *c >= 'a' && *c <= 'f' ? *c - 'a' + 10 : -1;
    if (digit < 0 || bits >> 60) break;
    bits = bits << 4 | (uint64_t)digit;
  }
  if (c == digits || c == reader->end || *c != ')')
    return hlo_reader_fail(reader, "expected the bits of a NaN, like nan(0x1)");
  if (bits == 0 || bits >> mantissa_bits)
    return hlo_reader_fail(reader, "the bits of this NaN must be between 1 and 0x%llx",
                           mantissa_bits ? ((unsigned long long)1 << mantissa_bits) - 1 : 0ull);
  *payload = bits;
  reader->cursor = c + 1;
  return true;
}

bool hlo_reader_double(hlo_reader *reader, double *value) {
  hlo_reader_skip_space(reader);
  const char *start = reader->cursor;
  bool negative = start < reader->end && *start == '-';
  if (negative) reader->cursor++;
  const char *c = reader->cursor;
  bool ok;
  if (is_digit(reader, c)) {
    bool hexadecimal = reader->end - c > 1 && *c == '0' && (c[1] == 'x' || c[1] == 'X');
    ok = hexadecimal ? read_hexadecimal(reader, value) : read_decimal(reader, value);
  } else if (c < reader->end && *c == 'n' && hlo_reader_accept_word(reader, "nan")) {
    ok = read_nan(reader, value);
  } else if (c < reader->end && *c == 'i' && hlo_reader_accept_word(reader, "inf")) {
    *value = (double)__builtin_inf();
    ok = true;
  } else {
    ok = read_decimal(reader, value);
  }
  if (!ok) {
    reader->cursor = start;
    return false;
  }
  if (negative) *value = -*value;
  return true;
}
