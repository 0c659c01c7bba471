#include "kernels/product/fixed_vector.h"

#include <assert.h>
#include <math.h>

#include "base/float_bits.h"

enum { MANTISSA = 23, UPPER_BITS = 15, FIXED_BITS = 31, LEAST_EXPONENT = 64, MOST_EXPONENT = 224 };

static float power_of_two(uint32_t exponent) { return hlo_float_of_bits(exponent << MANTISSA); }

/* A sum of k terms in pairs may be off by log2 k roundings, of which the sum of integers has few. */
float hlo_fixed_allowance(int64_t k) {
  float allowance = 0x1p-22f;
  for (int64_t most = 256; most <= k; most *= 2) allowance += 0x1p-24f;
  return allowance;
}

float hlo_fixed_make(const float *elements, int count, float allowance, hlo_fixed_halves *made) {
  uint32_t most = 0;
  assert(count <= HLO_FIXED_UNIT);
  for (int i = 0; i < count; i++) {
    uint32_t size = hlo_float_bits(elements[i]) & INT32_MAX;
    if (size > most) most = size;
  }
  most += 1 << (MANTISSA - UPPER_BITS); /* the upper half of the largest is rounded, and must not grow a bit */
  uint32_t exponent = most >> MANTISSA;
  if (exponent > MOST_EXPONENT) return 0;
  if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT;
  float unit = power_of_two(exponent + 1 - FIXED_BITS), inverse = power_of_two(253 - exponent + FIXED_BITS);
  for (int i = 0; i < count; i++) {
    float whole = nearbyintf(elements[i] * inverse);
    if (fabsf(whole * unit - elements[i]) > allowance * fabsf(elements[i])) return 0;
    int16_t lower = (int16_t)(int32_t)whole;
    made[i] = (hlo_fixed_halves){(int16_t)(((int32_t)whole - lower) >> HLO_FIXED_HALF), lower};
  }
  return unit;
}
