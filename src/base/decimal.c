/* Multiplication and division by powers of two, as long multiplication and long division of a row of decimal digits, up to 59 bits
 * at a time. Both are exact, short, and fast where the binary exponent is small, as it is for most numbers that people write. */
#include "base/decimal.h"

#include <float.h>
#include <math.h>

enum { MOST_BITS = 59 }; /* 10 * 2^59 and a carry still fit into 64 bits */

void hlo_decimal_clear(hlo_decimal *decimal) {
  decimal->count = 0;
  decimal->more = false;
  decimal->point = 0;
}

static void keep(hlo_decimal *decimal, int digit) {
  if (decimal->count < HLO_DECIMAL_DIGITS) decimal->digits[decimal->count++] = (char)digit;
  else decimal->more |= digit != 0;
}

void hlo_decimal_append(hlo_decimal *decimal, int digit, bool after_point) {
  if (decimal->count == 0 && digit == 0) {
    decimal->point -= after_point;
    return;
  }
  keep(decimal, digit);
  decimal->point += !after_point;
}

static void drop_final_zeros(hlo_decimal *decimal) {
  while (decimal->count > 0 && decimal->digits[decimal->count - 1] == 0) decimal->count--;
  if (decimal->count == 0) decimal->point = 0;
}

/* ---- Powers of two ---- */

/* Divides the number by 2^bits, digit by digit from the front: `rest` is the remainder that the next digit joins. */
static void divide(hlo_decimal *decimal, int bits) {
  hlo_decimal quotient;
  hlo_decimal_clear(&quotient);
  quotient.more = decimal->more;
  uint64_t rest = 0, mask = ((uint64_t)1 << bits) - 1;
  for (int i = 0; i < decimal->count || rest; i++) {
    rest = rest * 10 + (i < decimal->count ? (uint64_t)decimal->digits[i] : 0);
    hlo_decimal_append(&quotient, (int)(rest >> bits), true);
    rest &= mask;
  }
  /* The quotient starts right after the decimal point, and its `point` counts the zeros that it begins with. */
  quotient.point += decimal->point;
  *decimal = quotient;
}

/* Multiplies the number by 2^bits, digit by digit from the end: the last carry becomes the digits in front. */
static void multiply(hlo_decimal *decimal, int bits) {
  char product[HLO_DECIMAL_DIGITS + 20];
  int at = sizeof product;
  uint64_t carry = 0;
  for (int i = decimal->count; i > 0 || carry; carry /= 10) {
    if (i > 0) carry += (uint64_t)decimal->digits[--i] << bits;
    product[--at] = (char)(carry % 10);
  }
  decimal->point += (int)sizeof product - at - decimal->count;
  decimal->count = 0;
  for (; at < (int)sizeof product; at++) keep(decimal, product[at]);
}

static void scale(hlo_decimal *decimal, int exponent) {
  while (exponent != 0) {
    int size = exponent < 0 ? -exponent : exponent, bits = size < MOST_BITS ? size : MOST_BITS;
    if (exponent < 0) divide(decimal, bits);
    else multiply(decimal, bits);
    exponent += exponent < 0 ? bits : -bits;
  }
}

/* ---- From and to binary ---- */

void hlo_decimal_set(hlo_decimal *decimal, double value) {
  hlo_decimal_clear(decimal);
  if (value == 0) return;
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(value), &exponent), DBL_MANT_DIG);
  int zeros = __builtin_ctzll(mantissa);
  char reversed[20];
  int count = 0;
  for (mantissa >>= zeros; mantissa; mantissa /= 10) reversed[count++] = (char)(mantissa % 10);
  while (count > 0) hlo_decimal_append(decimal, reversed[--count], false);
  scale(decimal, exponent - DBL_MANT_DIG + zeros);
  drop_final_zeros(decimal);
}

void hlo_decimal_round(hlo_decimal *decimal, int count) {
  if (count < decimal->count) {
    bool half = decimal->digits[count] == 5 && decimal->count == count + 1 && !decimal->more;
    bool up = half ? decimal->digits[count - 1] & 1 : decimal->digits[count] >= 5;
    decimal->count = count;
    while (up && decimal->count > 0 && decimal->digits[decimal->count - 1] == 9) decimal->count--;
    if (up && decimal->count == 0) {
      decimal->digits[decimal->count++] = 0;
      decimal->point++;
    }
    decimal->digits[decimal->count - 1] = (char)(decimal->digits[decimal->count - 1] + up);
  }
  drop_final_zeros(decimal);
}

double hlo_binary_value(uint64_t mantissa, bool more, int64_t exponent) {
  if (mantissa == 0) return 0;
  int zeros = __builtin_clzll(mantissa);
  mantissa <<= zeros;
  exponent -= zeros;
  int64_t dropped = 64 - DBL_MANT_DIG, least = DBL_MIN_EXP - 64; /* smaller numbers are subnormal */
  if (exponent < least) dropped += least - exponent;
  if (dropped > 64) return 0;
  uint64_t kept = dropped == 64 ? 0 : mantissa >> dropped, rest = mantissa << (64 - dropped), half = (uint64_t)1 << 63;
  if (rest > half || (rest == half && (more || kept & 1))) kept++;
  exponent += dropped;
  return ldexp((double)kept, exponent > 2000 ? 2000 : (int)exponent);
}

double hlo_decimal_value(hlo_decimal *decimal) {
  if (decimal->count == 0 || decimal->point < -400) return 0;
  if (decimal->point > 400) return (double)__builtin_inf();
  int exponent = 0;
  while (decimal->point > 18) { /* divide until the part before the point fits into 64 bits */
    divide(decimal, MOST_BITS);
    exponent += MOST_BITS;
  }
  while (decimal->point < 18) { /* multiply until 18 digits stand before the point: more bits than a double has, so it rounds right */
    int bits = decimal->point < 0 ? MOST_BITS : 3 * (18 - (int)decimal->point);
    multiply(decimal, bits);
    exponent -= bits;
  }
  drop_final_zeros(decimal);
  uint64_t whole = 0;
  for (int i = 0; i < decimal->point; i++) whole = whole * 10 + (i < decimal->count ? (uint64_t)decimal->digits[i] : 0);
  return hlo_binary_value(whole, decimal->more || decimal->count > decimal->point, exponent);
}
