/* The parts of a vector times 4-bit integers (nibble_dot.c) and of one times bytes (narrow_bytes.c) for which hosts with relaxed SIMD have
 * faster functions (emit/digit_emit.h). */
#ifndef HLO_KERNELS_PRODUCT_DIGIT_UNITS_H
#define HLO_KERNELS_PRODUCT_DIGIT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/product/fixed_vector.h"

/* Integers of up to 32 elements of a vector, which are multiplied by that many rows of a panel. What they leave of their elements, the next pass has.
 * It takes few cache lines, which each thread fetches from that of the thread that wrote them. */
typedef struct hlo_nibble_pass {
  union {
    int8_t digits[HLO_FIXED_UNIT][4];   /* of every eight rows [digit][rows 0, 2, 4, 6][digit][rows 1, 3, 5, 7]: digit 0 counts 2^24, digit 3 counts 1 */
    int16_t halves[HLO_FIXED_UNIT * 2]; /* of every eight rows [row 0, row 4][of upper halves, of lower halves], then of rows 1 and 5, ... */
  };
  int32_t first[HLO_FIXED_DIGITS]; /* what the sum of each digit begins with */
  float unit, upper_unit;          /* of the lower and the upper two digits */
  float sum;                       /* of the elements */
  int32_t goes_on;                 /* the next pass has the same rows */
} hlo_nibble_pass;

/* Units of a vector times those rows of some panels, which are read side by side: so many streams are fetched from memory at once. */
typedef struct hlo_nibble_task {
  const char *panel; /* eight rows of eight columns after one another, as hlo_nibble_pack wrote them */
  const hlo_nibble_pass *passes;
  float (*out)[8];   /* of the first panel, by block: two units; has room for one block more */
  const char *scale, *more; /* values of eight columns; more is NULL: there are none */
  int panels, panel_apart, out_apart, scale_apart, more_apart; /* bytes from panel to panel */
  int scale_step, more_step;                                   /* and from group to group */
  int units, group, left; /* all units; those that have the same values; those left of the first group */
  int halves;             /* values are finite f16, else f32 */
  int in_pairs;           /* the host multiplies bytes in pairs faster than in fours */
} hlo_nibble_task;

/* out[block][column] = the sum of x * q * scale + sum(x) * more, where integers q are 0 to 15. The product of a pass is rounded once. Requires panels > 0 and units > 0. */
typedef void hlo_nibble_blocks_kernel(const hlo_nibble_task *task);
hlo_nibble_blocks_kernel hlo_nibble_blocks;

/* The same of a vector that is multiplied by columns of bytes. */
typedef struct hlo_byte_pass {
  union {
    int8_t digits[HLO_FIXED_UNIT / 16][HLO_FIXED_DIGITS][16]; /* of every sixteen rows */
    int16_t halves[HLO_FIXED_UNIT / 8][2][8];                 /* of every eight rows, upper and lower halves */
  };
  int32_t first[2]; /* what the sums of the upper and of the lower two digits begin with */
  float unit;
  int32_t goes_on;
} hlo_byte_pass;

/* Multiplies units of a vector by four columns of signed bytes, the first of which begins at `column` and each `apart` bytes behind the one before, scales them,
 * and adds up blocks of four units: out[block][column].
 *
 * scales   of each unit and column
 * out      has room for one block more
 * flipped  bits of every four bytes that are flipped before digits are multiplied by them
 * in_halves  passes have halves
 * Requires units > 0. */
typedef void hlo_byte_blocks_kernel(const char *column, ptrdiff_t apart, const hlo_byte_pass *passes, int units, const float (*scales)[4], float (*out)[4], uint32_t flipped, int in_halves);
hlo_byte_blocks_kernel hlo_byte_blocks;

#endif
