/* power and remainder of f32, computed in double: an element gives the same bits wherever it stands. */
#include <math.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/simd128.h"

#define ADD wasm_f64x2_add
#define SUB wasm_f64x2_sub
#define MUL wasm_f64x2_mul
#define WHERE(mask, yes, no) wasm_v128_bitselect(yes, no, mask)

/* Constants are read, which takes engines less than making them anew for every use. The low bits of x + SHIFTER hold x rounded to an
 * integer, for |x| below 2^51. ORIGIN: the bits of 2/3, with an exponent that is smaller by 1024. FRACTION: the bits below the exponent. */
#define NUMBERS                                                                                                              \
  N(ONE, 1) N(HALF, 1 / 2.0) N(THIRD, 1 / 3.0) N(FIFTH, 1 / 5.0) N(SIXTH, 1 / 6.0) N(SEVENTH, 1 / 7.0) N(NINTH, 1 / 9.0)      \
  N(ELEVENTH, 1 / 11.0) N(THIRTEENTH, 1 / 13.0) N(TWO_THIRDS, 2 / 3.0) N(LOG2_E_TWICE, 2 * 1.4426950408889634)               \
  N(LOG_2, 0.6931471805599453) N(BY_4, 1 / 24.0) N(BY_5, 1 / 120.0) N(BY_6, 1 / 720.0) N(BY_7, 1 / 5040.0) N(BY_8, 1 / 40320.0) \
  N(SHIFTER, 0x1.8p52) N(SHIFTED_ORIGIN, 0x1.8p52 + 1024) N(ORIGIN, -0x1.5555555555555p1023) N(FRACTION, 0x0.fffffffffffffp-1022) \
  N(LEAST, -200) N(MOST, 200) N(INFINITE, INFINITY) N(SIGN, -0.0) N(NO_NUMBER, NAN) N(MOST_QUOTIENT, 0x1p28)
enum {
#define N(name, value) name,
  NUMBERS
#undef N
};
static const double numbers[] = {
#define N(name, value) value,
  NUMBERS
#undef N
};
#define ALL(name) wasm_v128_load64_splat(n + name)

/* log2(2^k m) = k + 2/ln 2 artanh s, s = (m - 1) / (m + 1), m in [2/3, 4/3): to 2^-36 of itself. */
static inline v128_t log2_of(v128_t x, const double *n) {
  v128_t above = wasm_i64x2_sub(x, ALL(ORIGIN)), m = wasm_i64x2_add(wasm_v128_and(above, ALL(FRACTION)), ALL(TWO_THIRDS)), one = ALL(ONE);
  v128_t s = wasm_f64x2_div(SUB(m, one), ADD(m, one)), z = MUL(s, s), z2 = MUL(z, z);
  v128_t low = ADD(ADD(one, MUL(z, ALL(THIRD))), MUL(z2, ADD(ALL(FIFTH), MUL(z, ALL(SEVENTH)))));
  v128_t high = ADD(ADD(ALL(NINTH), MUL(z, ALL(ELEVENTH))), MUL(z2, ALL(THIRTEENTH)));
  v128_t whole = SUB(wasm_v128_or(wasm_u64x2_shr(above, 52), ALL(SHIFTER)), ALL(SHIFTED_ORIGIN));
  return ADD(whole, MUL(MUL(s, ALL(LOG2_E_TWICE)), ADD(low, MUL(MUL(z2, z2), high))));
}

/* 2^t for |t| < 1000, to 2^-32. */
static inline v128_t exp2_of(v128_t t, const double *n) {
  v128_t shifted = ADD(t, ALL(SHIFTER)), u = MUL(SUB(t, SUB(shifted, ALL(SHIFTER))), ALL(LOG_2)), u2 = MUL(u, u), u4 = MUL(u2, u2);
  v128_t low = ADD(ADD(ALL(ONE), u), MUL(u2, ADD(ALL(HALF), MUL(u, ALL(SIXTH)))));
  v128_t high = ADD(ADD(ALL(BY_4), MUL(u, ALL(BY_5))), MUL(u2, ADD(ALL(BY_6), MUL(u, ALL(BY_7)))));
  v128_t series = ADD(low, MUL(u4, ADD(high, MUL(u4, ALL(BY_8)))));
  return wasm_i64x2_add(series, wasm_i64x2_shl(shifted, 52));
}

/* Two powers. Where all numbers are finite and x is above zero, no case is special: log2(1) is 0. */
static inline v128_t power_of(v128_t x, v128_t y, const double *n) {
  v128_t size = wasm_f64x2_abs(x), zero = wasm_f64x2_splat(0), infinity = ALL(INFINITE);
  v128_t t = wasm_f64x2_pmax(ALL(LEAST), wasm_f64x2_pmin(ALL(MOST), MUL(y, log2_of(size, n)))); /* NaN becomes 200 */
  v128_t value = exp2_of(t, n), is_finite = wasm_v128_and(wasm_f64x2_lt(x, infinity), wasm_f64x2_lt(wasm_f64x2_abs(y), infinity));
  if (wasm_i64x2_all_true(wasm_v128_and(is_finite, wasm_f64x2_gt(x, zero)))) return value;
  v128_t one = ALL(ONE), half = MUL(y, ALL(HALF)), rises = wasm_f64x2_gt(y, zero), is_infinite = wasm_f64x2_eq(size, infinity);
  v128_t is_whole = wasm_f64x2_eq(hlo_f64x2_floor(y), y), is_odd = wasm_v128_and(is_whole, wasm_f64x2_ne(hlo_f64x2_floor(half), half));
  value = WHERE(wasm_f64x2_eq(size, one), one, value);
  value = WHERE(is_infinite, wasm_v128_and(infinity, rises), value);
  value = WHERE(wasm_f64x2_eq(size, zero), wasm_v128_andnot(infinity, rises), value);
  value = wasm_v128_or(value, wasm_v128_and(is_odd, wasm_v128_and(x, ALL(SIGN))));
  v128_t is_nan = wasm_v128_andnot(wasm_f64x2_lt(x, zero), wasm_v128_or(is_whole, is_infinite));
  is_nan = wasm_v128_or(is_nan, wasm_v128_or(wasm_f64x2_ne(x, x), wasm_f64x2_ne(y, y)));
  value = WHERE(is_nan, ALL(NO_NUMBER), value);
  return WHERE(wasm_v128_or(wasm_f64x2_eq(x, one), wasm_f64x2_eq(y, zero)), one, value);
}

void hlo_f32_power_simd128(HLO_KERNEL_PARAMETERS) {
  const double *n = numbers;
  float *out = result;
  assert(count >= 0 && scalars < 3);
  HLO_HIDE(n)
  for (int64_t i = 0; i < count; i += 2) {
    v128_t in[2];
    for (int k = 0; k < 2; k++) {
      const float *from = (const float *)operands[k] + i * HLO_STEP(k);
      in[k] = wasm_f64x2_promote_low_f32x4(HLO_STEP(k) && i + 1 < count ? wasm_v128_load64_zero(from) : wasm_v128_load32_splat(from));
    }
    v128_t both = wasm_f32x4_demote_f64x2_zero(power_of(in[0], in[1], n));
    if (i + 1 < count) wasm_v128_store64_lane(out + i, both, 0);
    else wasm_v128_store32_lane(out + i, both, 0);
  }
}

/* Two remainders, of sizes. If the quotient is below 2^28, its product with y is exact, and it rounds to no whole number above it: x is at least 2^-24 y
 * away from a multiple of y. All others are left to fmod: *rare gets ones. */
static inline v128_t remainders_of(v128_t x, v128_t y, v128_t *rare) {
  const double *n = numbers;
  HLO_HIDE(n)
  v128_t quotient = wasm_f64x2_trunc(wasm_f64x2_div(x, y)), rest = SUB(x, MUL(quotient, y));
  *rare = wasm_v128_or(*rare, wasm_v128_not(wasm_v128_and(wasm_f64x2_lt(quotient, ALL(MOST_QUOTIENT)), wasm_f64x2_lt(y, ALL(INFINITE)))));
  return wasm_f32x4_demote_f64x2_zero(rest);
}

static v128_t remainders(v128_t x, v128_t y) {
  v128_t sizes = wasm_f32x4_abs(x), parts = wasm_f32x4_abs(y), rare = wasm_i32x4_splat(0), sign = wasm_v128_xor(x, sizes);
  v128_t low = remainders_of(wasm_f64x2_promote_low_f32x4(sizes), wasm_f64x2_promote_low_f32x4(parts), &rare);
  v128_t high = remainders_of(wasm_f64x2_promote_low_f32x4(HLO_UPPER_WORDS(sizes)), wasm_f64x2_promote_low_f32x4(HLO_UPPER_WORDS(parts)), &rare);
  v128_t result = wasm_v128_or(wasm_i32x4_shuffle(low, high, 0, 1, 4, 5), sign);
  if (!wasm_v128_any_true(rare)) return result;
  const void *operands[] = {&x, &y};
  hlo_f32_remainder_scalar(operands, 0, &result, 4);
  return result;
}

HLO_WORDS_SIMD128(f32_remainder, remainders)
