#include "kernels/product/fixed_vector.h"

#include <assert.h>

#include "base/float_bits.h"
#include "kernels/simd128.h"

enum { MANTISSA = 23, UPPER_BITS = 6, FIXED_BITS = 31, LEAST_EXPONENT = 64, MOST_EXPONENT = 224 };

static float power_of_two(uint32_t exponent) { return hlo_float_of_bits(exponent << MANTISSA); }

/* A sum of k terms in pairs may be off by log2 k roundings, of which the sum of integers has few. */
float hlo_fixed_allowance(int64_t k) {
  float allowance = 0x1p-22f;
  for (int64_t most = 256; most <= k; most *= 2) allowance += 0x1p-24f;
  return allowance;
}

/* Makes integers of elements, writes to `left` what the integers do not say, and returns their unit. *is_wide: more is left than elements of these sizes may be off.
 * 0: some elements are too large, or not finite. */
static float split(const float *elements, const float *sizes, int count, float allowance, int32_t *made, float *left, bool *is_wide) {
  v128_t greatest = wasm_i32x4_splat(0), magnitude = wasm_i32x4_splat(INT32_MAX), off = greatest;
  assert(count <= HLO_FIXED_UNIT && count % 4 == 0);
  for (int i = 0; i < count; i += 4) greatest = wasm_i32x4_max(greatest, wasm_v128_and(wasm_v128_load(elements + i), magnitude));
  uint32_t lanes[4], most = 0;
  wasm_v128_store(lanes, greatest);
  for (int i = 0; i < 4; i++)
    if (lanes[i] > most) most = lanes[i];
  most += 1 << (MANTISSA - UPPER_BITS); /* upper digits and halves are rounded, and must not grow a bit */
  uint32_t exponent = most >> MANTISSA;
  if (exponent > MOST_EXPONENT) return 0;
  if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT;
  float unit = power_of_two(exponent + 1 - FIXED_BITS);
  v128_t units = wasm_f32x4_splat(unit), inverses = wasm_f32x4_splat(power_of_two(253 - exponent + FIXED_BITS)), allowances = wasm_f32x4_splat(allowance);
  for (int i = 0; i < count; i += 4) {
    v128_t x = wasm_v128_load(elements + i), whole = wasm_f32x4_nearest(wasm_f32x4_mul(x, inverses)), rest = wasm_f32x4_sub(x, wasm_f32x4_mul(whole, units));
    off = wasm_v128_or(off, wasm_f32x4_gt(wasm_f32x4_abs(rest), wasm_f32x4_mul(allowances, wasm_f32x4_abs(wasm_v128_load(sizes + i)))));
    wasm_v128_store(made + i, wasm_i32x4_trunc_sat_f32x4(whole));
    wasm_v128_store(left + i, rest);
  }
  *is_wide = wasm_v128_any_true(off);
  return unit;
}

hlo_fixed_pass *hlo_fixed_passes(const float *elements, int count, float allowance, hlo_fixed_form *form, int bias, hlo_fixed_pass *pass, const hlo_fixed_pass *end) {
  float left[HLO_FIXED_UNIT];
  const float *from = elements;
  for (bool is_wide = true; is_wide; from = left, pass++) {
    int32_t made[HLO_FIXED_UNIT];
    float unit = pass == end ? 0 : split(from, elements, count, allowance, made, left, &is_wide);
    if (unit == 0) return NULL;
    pass->unit = unit, pass->upper_unit = unit * (1 << HLO_FIXED_HALF);
    pass->goes_on = is_wide;
    form(made, count, bias, pass);
  }
  return pass;
}
