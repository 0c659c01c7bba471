/* Elements of a vector of f32 as integers of 32 bits, times a power of two for every 32 of them: their unit. The upper and the lower half of such
 * an integer are multiplied by weights of 8 bits or fewer as s16, for pairs of which there is one instruction, or its four digits of s8 by weights
 * of 4 bits, for sixteen of which there is one on some hosts; sums of integers are exact.
 * An element that is much smaller than the largest of its unit would lose digits: such a unit is wide. It is multiplied as the sum of two units or more,
 * of which each has what the ones before left. */
#ifndef HLO_KERNELS_PRODUCT_FIXED_VECTOR_H
#define HLO_KERNELS_PRODUCT_FIXED_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { HLO_FIXED_UNIT = 32, HLO_FIXED_HALF = 16, HLO_FIXED_DIGITS = 4 };

/* Returns how much of itself an element may be off, in a sum of k terms. */
float hlo_fixed_allowance(int64_t k);
/* Makes integers of `count` <= HLO_FIXED_UNIT elements, a multiple of 4, subtracts from them what the integers say, and returns their unit. *is_wide: more is
 * left than elements of these sizes may be off. 0: some elements are too large, or not finite. An integer is less than 127 * 2^24, so that both its halves
 * of s16 and its HLO_FIXED_DIGITS of s8 hold it. */
float hlo_fixed_split(float *elements, const float *sizes, int count, float allowance, int32_t *made, bool *is_wide);
static inline int16_t hlo_fixed_lower(int32_t made) { return (int16_t)made; }
static inline int16_t hlo_fixed_upper(int32_t made) { return (int16_t)((made - (int16_t)made) >> HLO_FIXED_HALF); }

#endif
