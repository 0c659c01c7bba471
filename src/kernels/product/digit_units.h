/* The parts of a vector times 4-bit integers (narrow_nibbles.c) and of one times bytes (narrow_bytes.c) for which hosts with relaxed SIMD have
 * faster functions (emit/digit_emit.h). */
#ifndef HLO_KERNELS_PRODUCT_DIGIT_UNITS_H
#define HLO_KERNELS_PRODUCT_DIGIT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/product/fixed_vector.h"

/* Multiplies units of a vector by those rows of a panel, integers of 0 to 15: out[unit][column] = sum of x * q, rounded once.
 *
 * panel   eight rows of eight columns after one another, as hlo_nibble_pack wrote them
 * digits  of each unit and every eight rows of it [digit][rows 0, 2, 4, 6][digit][rows 1, 3, 5, 7]: digit 0 counts 2^24, digit 3 counts 1
 * first   what the sum of each digit begins with
 * Requires units > 0. */
typedef void hlo_nibble_units_kernel(const char *panel, const int8_t *digits, const int32_t (*first)[HLO_FIXED_DIGITS], int units, float (*out)[8]);
hlo_nibble_units_kernel hlo_nibble_units;

/* The same for four columns of signed bytes, the first of which begins at `column` and each `apart` bytes behind the one before: out[unit][column].
 *
 * digits   of each unit and every sixteen rows of it [digit 0][digit 1][digit 2][digit 3]
 * first    what the sums of the upper and of the lower two digits begin with
 * flipped  bits of every four bytes that are flipped before they are multiplied */
typedef void hlo_byte_units_kernel(const char *column, ptrdiff_t apart, const int8_t *digits, const int32_t (*first)[2], int units, float (*out)[4], uint32_t flipped);
hlo_byte_units_kernel hlo_byte_units;

#endif
