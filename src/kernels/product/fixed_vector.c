#include "kernels/product/fixed_vector.h"

#include <assert.h>

#include "base/float_bits.h"
#include "kernels/simd128.h"

enum { MANTISSA = 23, UPPER_BITS = 6, FIXED_BITS = 31, SHORT_BITS = 23, LEAST_EXPONENT = 64, MOST_EXPONENT = 224 };

static float power_of_two(uint32_t exponent) { return hlo_float_of_bits(exponent << MANTISSA); }

/* A sum of k terms in pairs may be off by log2 k roundings, of which the sum of integers has few. */
float hlo_fixed_allowance(int64_t k) {
  float allowance = 0x1p-22f;
  for (int64_t most = 256; most <= k; most *= 2) allowance += 0x1p-24f;
  return allowance;
}

/* The size of a unit. */
typedef struct unit_size {
  uint32_t exponent; /* of the largest, as f32 has it; more than MOST_EXPONENT: some elements are too large, or not finite */
  bool is_even;      /* none is larger than a quarter of the sum of all sizes, and the largest is not very small */
} unit_size;

/* All lanes get what two lanes in each step gave. */
#define FOLD(x, op) x = op(x, wasm_i32x4_shuffle(x, x, 2, 3, 0, 1)), x = op(x, wasm_i32x4_shuffle(x, x, 1, 0, 3, 2))

static unit_size size_of(const float *elements, int count) {
  v128_t greatest = wasm_i32x4_splat(0), sum = greatest, magnitude = wasm_i32x4_splat(INT32_MAX);
  assert(count <= HLO_FIXED_UNIT && count % 4 == 0);
  for (int i = 0; i < count; i += 4) {
    v128_t x = wasm_v128_and(wasm_v128_load(elements + i), magnitude);
    greatest = wasm_i32x4_max(greatest, x), sum = wasm_f32x4_add(sum, x);
  }
  FOLD(greatest, wasm_i32x4_max);
  FOLD(sum, wasm_f32x4_add);
  uint32_t most = (uint32_t)wasm_i32x4_extract_lane(greatest, 0);
  bool is_even = wasm_f32x4_extract_lane(greatest, 0) * 4 <= wasm_f32x4_extract_lane(sum, 0);
  most += 1 << (MANTISSA - UPPER_BITS); /* upper digits and halves are rounded, and must not grow a bit */
  uint32_t exponent = most >> MANTISSA;
  return exponent < LEAST_EXPONENT ? (unit_size){LEAST_EXPONENT, false} : (unit_size){exponent, is_even};
}

static float unit_of(unit_size size, int bits) { return power_of_two(size.exponent + 1 - (uint32_t)bits); }
static v128_t inverse_of(unit_size size, int bits) { return wasm_f32x4_splat(power_of_two(253 - size.exponent + (uint32_t)bits)); }

/* Makes integers of elements, writes to `left` what the integers do not say, and returns whether the unit is wide: more is left than elements of these sizes may be off. */
static bool split(const float *elements, const float *sizes, int count, unit_size size, float allowance, int32_t *made, float *left) {
  v128_t units = wasm_f32x4_splat(unit_of(size, FIXED_BITS)), inverses = inverse_of(size, FIXED_BITS), allowances = wasm_f32x4_splat(allowance), off = wasm_i32x4_splat(0);
  for (int i = 0; i < count; i += 4) {
    v128_t x = wasm_v128_load(elements + i), whole = wasm_f32x4_nearest(wasm_f32x4_mul(x, inverses)), rest = wasm_f32x4_sub(x, wasm_f32x4_mul(whole, units));
    off = wasm_v128_or(off, wasm_f32x4_gt(wasm_f32x4_abs(rest), wasm_f32x4_mul(allowances, wasm_f32x4_abs(wasm_v128_load(sizes + i)))));
    wasm_v128_store(made + i, wasm_i32x4_trunc_sat_f32x4(whole));
    wasm_v128_store(left + i, rest);
  }
  return wasm_v128_any_true(off);
}

/* Makes integers of three digits. */
static void round_to_short(const float *elements, int count, unit_size size, int32_t *made) {
  v128_t inverses = inverse_of(size, SHORT_BITS);
  for (int i = 0; i < count; i += 4)
    wasm_v128_store(made + i, wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(elements + i), inverses))));
}

hlo_fixed_pass *hlo_fixed_passes(const float *elements, int count, float allowance, bool may_be_short, hlo_fixed_form *form, int bias, hlo_fixed_pass *pass, const hlo_fixed_pass *end) {
  float left[HLO_FIXED_UNIT];
  int32_t made[HLO_FIXED_UNIT];
  const float *from = elements;
  for (bool is_wide = true; is_wide; from = left, pass++) {
    unit_size size = size_of(from, count);
    if (pass == end || size.exponent > MOST_EXPONENT) return NULL;
    pass->is_short = may_be_short && size.is_even;
    may_be_short = false; /* what is left is left to be exact */
    if (pass->is_short) round_to_short(from, count, size, made), is_wide = false;
    else is_wide = split(from, elements, count, size, allowance, made, left);
    pass->unit = unit_of(size, pass->is_short ? SHORT_BITS : FIXED_BITS), pass->upper_unit = pass->unit * (1 << HLO_FIXED_HALF);
    pass->goes_on = is_wide;
    form(made, count, bias, pass);
  }
  return pass;
}
