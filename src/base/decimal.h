/* Decimal numbers long enough to hold every double exactly: how numbers become text and text becomes numbers. */
#ifndef HLO_BASE_DECIMAL_H
#define HLO_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* A double has at most 767 significant digits, and so has a number half way between two of them. */
enum { HLO_DECIMAL_DIGITS = 800 };

/* 0.d1 d2 d3 ... * 10^point, with d1 != 0; zero has no digits. */
typedef struct hlo_decimal {
  int count;
  bool more;     /* what was dropped after the last digit is not zero */
  int64_t point;
  char digits[HLO_DECIMAL_DIGITS]; /* 0 to 9, not '0' to '9' */
} hlo_decimal;

/* Zero, and one more digit at the end: before the point, or after it. */
void hlo_decimal_clear(hlo_decimal *decimal);
void hlo_decimal_append(hlo_decimal *decimal, int digit, bool after_point);

/* Exactly `value`, which is finite; its sign is left to the caller. */
void hlo_decimal_set(hlo_decimal *decimal, double value);
/* Rounds to `count` > 0 digits, halves to even; fewer where zeros end it. */
void hlo_decimal_round(hlo_decimal *decimal, int count);
/* The nearest double, halves to even; infinite beyond the largest. The decimal is used up. */
double hlo_decimal_value(hlo_decimal *decimal);

/* mantissa * 2^exponent, or with `more` a little above it, rounded once, halves to even. */
double hlo_binary_value(uint64_t mantissa, bool more, int64_t exponent);

#endif
