/* Decimal numbers with enough digits to hold every double exactly, for converting numbers to text and text to numbers. */
#ifndef HLO_BASE_DECIMAL_H
#define HLO_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* A double has at most 767 significant digits, and so has a number half way between two doubles. */
enum { HLO_DECIMAL_DIGITS = 800 };

/* The number 0.d1 d2 d3 ... * 10^point, with d1 != 0; zero has no digits. */
typedef struct hlo_decimal {
  int count;
  bool more;     /* the digits that were dropped after the last one are not all zero */
  int64_t point;
  char digits[HLO_DECIMAL_DIGITS]; /* 0 to 9, not '0' to '9' */
} hlo_decimal;

/* Sets the number to zero. */
void hlo_decimal_clear(hlo_decimal *decimal);
void hlo_decimal_append(hlo_decimal *decimal, int digit, bool after_point);

/* Sets the decimal to exactly |value|. Requires a finite value. */
void hlo_decimal_set(hlo_decimal *decimal, double value);
/* Rounds to at most `count` > 0 digits, halves to even, and drops final zeros. */
void hlo_decimal_round(hlo_decimal *decimal, int count);
/* Returns the nearest double, halves to even; infinity beyond the largest double. Uses the decimal up: its digits change. */
double hlo_decimal_value(hlo_decimal *decimal);

/* Returns mantissa * 2^exponent, rounded once, halves to even. `more`: the exact mantissa is a little larger than `mantissa`. */
double hlo_binary_value(uint64_t mantissa, bool more, int64_t exponent);

#endif
