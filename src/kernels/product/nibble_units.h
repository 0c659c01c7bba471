/* The part of a vector times 4-bit integers (narrow_nibbles.c) for which hosts with relaxed SIMD have a faster function (emit/nibble_emit.h). */
#ifndef HLO_KERNELS_PRODUCT_NIBBLE_UNITS_H
#define HLO_KERNELS_PRODUCT_NIBBLE_UNITS_H

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

#endif
