/* Elements of a vector of f32 as integers of 32 bits, times a power of two for every 32 of them: their unit. The upper and the lower half of such
 * an integer are multiplied by weights of 8 bits or fewer as s16, for pairs of which there is one instruction, and sums of integers are exact.
 * An element that is much smaller than the largest of its unit would lose digits: such a unit is wide, and is multiplied as f32. */
#ifndef HLO_KERNELS_PRODUCT_FIXED_VECTOR_H
#define HLO_KERNELS_PRODUCT_FIXED_VECTOR_H

#include <stdint.h>

enum { HLO_FIXED_UNIT = 32, HLO_FIXED_HALF = 16 };

typedef struct hlo_fixed_halves {
  int16_t upper, lower; /* upper * 2^16 + lower */
} hlo_fixed_halves;

/* Returns how much of itself an element may be off, in a sum of k terms. */
float hlo_fixed_allowance(int64_t k);
/* Makes integers of `count` <= HLO_FIXED_UNIT elements, and returns their unit; 0: they are wide, or some are not finite. */
float hlo_fixed_make(const float *elements, int count, float allowance, hlo_fixed_halves *made);

#endif
