/* Floating-point numbers as text and back; every rounding is exact.
 *
 * A number takes one of two ways in. Up to 15 digits, times or over a power of ten up to 10^22, are one correctly rounded
 * operation, as both operands are exact in double (Clinger's fast path). Every other number becomes an hlo_decimal, which
 * holds all its digits. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/text_reader.h"
#include "base/text_writer.h"

/* ---- Reading ---- */

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum {
  LARGEST_EXACT_POWER = 22,
  MAX_EXPONENT = 100000000, /* numbers with a larger exponent are zero or infinite */
};

static bool is_digit(const hlo_reader *reader, const char *c) { return c < reader->end && *c >= '0' && *c <= '9'; }

/* Reads an exponent, `letter` [+-]?digits, if one stands at `c`. Returns the end of what was read. */
static const char *read_exponent(hlo_reader *reader, const char *c, char letter, int64_t *exponent) {
  *exponent = 0;
  if (c == reader->end || (*c | 0x20) != letter) return c;
  const char *at = c + 1;
  bool negative = at < reader->end && *at == '-';
  if (negative || (at < reader->end && *at == '+')) at++;
  if (!is_digit(reader, at)) return c;
  for (; is_digit(reader, at); at++)
    if (*exponent < MAX_EXPONENT) *exponent = *exponent * 10 + (*at - '0');
  if (negative) *exponent = -*exponent;
  return at;
}

static double decimal_value(hlo_decimal *number) {
  int64_t exponent = number->point - number->count; /* the number is an integer of these digits times 10^exponent */
  if (number->count <= 15 && exponent >= -LARGEST_EXACT_POWER && exponent <= LARGEST_EXACT_POWER) {
    uint64_t digits = 0;
    for (int i = 0; i < number->count; i++) digits = digits * 10 + (uint64_t)number->digits[i];
    return exponent < 0 ? (double)digits / powers_of_ten[-exponent] : (double)digits * powers_of_ten[exponent];
  }
  return hlo_decimal_value(number);
}

static bool read_decimal(hlo_reader *reader, double *value) {
  hlo_decimal number;
  hlo_decimal_clear(&number);
  const char *c = reader->cursor;
  bool any = false;
  for (; is_digit(reader, c); c++, any = true) hlo_decimal_append(&number, *c - '0', false);
  if (c < reader->end && *c == '.' && (any || is_digit(reader, c + 1)))
    for (c++; is_digit(reader, c); c++, any = true) hlo_decimal_append(&number, *c - '0', true);
  if (!any) return hlo_reader_fail(reader, "expected a number, found %s", HLO_FOUND(reader));
  int64_t exponent;
  reader->cursor = read_exponent(reader, c, 'e', &exponent);
  number.point += exponent;
  *value = decimal_value(&number);
  return true;
}

static int hexadecimal_digit(const hlo_reader *reader, const char *c) { return c < reader->end ? hlo_hex_digit(*c) : -1; }

static bool read_hexadecimal(hlo_reader *reader, double *value) {
  const char *c = reader->cursor + 2;
  uint64_t mantissa = 0;
  int64_t exponent = 0, given;
  bool any = false, after_point = false, more = false;
  for (;; c++) {
    if (c < reader->end && *c == '.' && !after_point) {
      after_point = true;
      continue;
    }
    int digit = hexadecimal_digit(reader, c);
    if (digit < 0) break;
    any = true;
    exponent -= after_point ? 4 : 0;
    if (mantissa >> 60) {
      more |= digit != 0;
      exponent += 4;
    } else {
      mantissa = mantissa << 4 | (uint64_t)digit;
    }
  }
  if (!any) return hlo_reader_fail(reader, "expected hexadecimal digits after '0x'");
  reader->cursor = read_exponent(reader, c, 'p', &given);
  *value = hlo_binary_value(mantissa, more, exponent + given);
  return true;
}

/* Reads the mantissa's bits in XLA's form, (0x1), which may follow "nan". */
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
    int digit = hexadecimal_digit(reader, c);
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

/* ---- Writing ---- */

static void write_nan(hlo_writer *writer, bool negative, uint64_t payload, uint64_t quiet) {
  hlo_write(writer, negative ? "-nan" : "nan");
  if (payload != quiet) hlo_write_format(writer, "(0x%llx)", (unsigned long long)payload);
}

/* Rounds a finite number to `count` decimal digits, and returns the double that a reader gets from them. */
static double from_digits(double value, int count) {
  hlo_decimal decimal;
  hlo_decimal_set(&decimal, value);
  hlo_decimal_round(&decimal, count);
  return copysign(decimal_value(&decimal), value);
}

void hlo_write_double(hlo_writer *writer, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) write_nan(writer, bits >> 63, bits & 0xFFFFFFFFFFFFF, 0x8000000000000);
  else hlo_write_format(writer, "%.*g", isinf(value) || from_digits(value, 15) == value ? 15 : 17, value);
}

void hlo_write_float(hlo_writer *writer, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) write_nan(writer, bits >> 31, bits & 0x7FFFFF, 0x400000);
  else hlo_write_format(writer, "%.*g", isinf(value) || (float)from_digits(value, 6) == value ? 6 : 9, (double)value);
}
