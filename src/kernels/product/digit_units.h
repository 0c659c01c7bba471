/* The parts of a vector times 4-bit integers (nibble_dot.c) and of one times bytes (narrow_bytes.c) for which hosts with relaxed SIMD have
 * faster functions (emit/digit_emit.h). */
#ifndef HLO_KERNELS_PRODUCT_DIGIT_UNITS_H
#define HLO_KERNELS_PRODUCT_DIGIT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/product/fixed_vector.h"

/* Units of a vector times those rows of some panels, which are read side by side: so many streams are fetched from memory at once. */
typedef struct hlo_nibble_task {
  const char *panel; /* eight rows of eight columns after one another, as hlo_nibble_pack wrote them */
  const hlo_fixed_pass *passes;
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

/* Multiplies units of a vector by four columns of signed bytes, the first of which begins at `column` and each `apart` bytes behind the one before, scales them,
 * and adds up blocks of four units: out[block][column].
 *
 * scales   of each unit and column
 * out      has room for one block more
 * flipped  bits of every four bytes that are flipped before digits are multiplied by them
 * in_halves  passes have halves
 * Requires units > 0. */
typedef void hlo_byte_blocks_kernel(const char *column, ptrdiff_t apart, const hlo_fixed_pass *passes, int units, const float (*scales)[4], float (*out)[4], uint32_t flipped, int in_halves);
hlo_byte_blocks_kernel hlo_byte_blocks;

#endif
