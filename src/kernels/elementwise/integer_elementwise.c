/* Arithmetic, bits and comparison of 32- and 64-bit integers, and logic of pred.
 *
 * Nothing traps: sums and products wrap, x / 0 is -1 (all ones), x % 0 is x, MIN / -1 is MIN, MIN % -1 is 0; a
 * shift by the width or more leaves nothing, or the sign. */
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/simd128.h"

/* ---- The same for either sign: two's complement in unsigned arithmetic ---- */

HLO_BINARY_SIMD128(i32_add, uint32_t, 4, wasm_i32x4_splat, x + y, wasm_i32x4_add(x, y))
HLO_BINARY_SIMD128(i32_subtract, uint32_t, 4, wasm_i32x4_splat, x - y, wasm_i32x4_sub(x, y))
HLO_BINARY_SIMD128(i32_multiply, uint32_t, 4, wasm_i32x4_splat, x * y, hlo_i32x4_mul(x, y))
HLO_BINARY_SIMD128(i32_and, uint32_t, 4, wasm_i32x4_splat, x & y, wasm_v128_and(x, y))
HLO_BINARY_SIMD128(i32_or, uint32_t, 4, wasm_i32x4_splat, x | y, wasm_v128_or(x, y))
HLO_BINARY_SIMD128(i32_xor, uint32_t, 4, wasm_i32x4_splat, x ^ y, wasm_v128_xor(x, y))
HLO_UNARY_SIMD128(i32_negate, uint32_t, 4, 0 - x, hlo_i32x4_neg(x))
HLO_UNARY_SIMD128(i32_not, uint32_t, 4, ~x, wasm_v128_not(x))
HLO_COMPARE_SIMD128(i32_equal, uint32_t, wasm_i32x4_splat, ==, wasm_i32x4_eq)
HLO_COMPARE_SIMD128(i32_not_equal, uint32_t, wasm_i32x4_splat, !=, wasm_i32x4_ne)
HLO_BINARY_SCALAR(i32_shift_left, uint32_t, uint32_t, y < 32 ? x << y : 0)
HLO_BINARY_SCALAR(i32_shift_right_logical, uint32_t, uint32_t, y < 32 ? x >> y : 0)
HLO_BINARY_SCALAR(i32_shift_right_arithmetic, uint32_t, uint32_t, (int32_t)x >> (y < 32 ? y : 31))

HLO_UNARY_SCALAR(i32_popcnt, uint32_t, uint32_t, __builtin_popcount(x))
HLO_UNARY_SCALAR(i32_count_leading_zeros, uint32_t, uint32_t, x ? __builtin_clz(x) : 32)

HLO_UNARY_SCALAR(i64_popcnt, uint64_t, uint64_t, __builtin_popcountll(x))
HLO_UNARY_SCALAR(i64_count_leading_zeros, uint64_t, uint64_t, x ? __builtin_clzll(x) : 64)
HLO_BINARY_SCALAR(i64_add, uint64_t, uint64_t, x + y)
HLO_BINARY_SCALAR(i64_subtract, uint64_t, uint64_t, x - y)
HLO_BINARY_SCALAR(i64_multiply, uint64_t, uint64_t, x * y)
HLO_BINARY_SCALAR(i64_and, uint64_t, uint64_t, x & y)
HLO_BINARY_SCALAR(i64_or, uint64_t, uint64_t, x | y)
HLO_BINARY_SCALAR(i64_xor, uint64_t, uint64_t, x ^ y)
HLO_UNARY_SCALAR(i64_negate, uint64_t, uint64_t, 0 - x)
HLO_UNARY_SCALAR(i64_not, uint64_t, uint64_t, ~x)
HLO_BINARY_SCALAR(i64_equal, uint64_t, uint8_t, x == y)
HLO_BINARY_SCALAR(i64_not_equal, uint64_t, uint8_t, x != y)
HLO_BINARY_SCALAR(i64_shift_left, uint64_t, uint64_t, y < 64 ? x << y : 0)
HLO_BINARY_SCALAR(i64_shift_right_logical, uint64_t, uint64_t, y < 64 ? x >> y : 0)
HLO_BINARY_SCALAR(i64_shift_right_arithmetic, uint64_t, uint64_t, (int64_t)x >> (y < 64 ? y : 63))

/* ---- Upper halves of products of words ---- */

#define UPPER_WORDS(low, high) wasm_i32x4_shuffle(low, high, 1, 3, 5, 7)
HLO_BINARY_SIMD128(s32_multiply_high, uint32_t, 4, wasm_i32x4_splat, (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32),
                   UPPER_WORDS(wasm_i64x2_extmul_low_i32x4(x, y), wasm_i64x2_extmul_high_i32x4(x, y)))
HLO_BINARY_SIMD128(u32_multiply_high, uint32_t, 4, wasm_i32x4_splat, (uint32_t)((uint64_t)x * y >> 32),
                   UPPER_WORDS(wasm_u64x2_extmul_low_u32x4(x, y), wasm_u64x2_extmul_high_u32x4(x, y)))

/* ---- Quotients of words ---- */

/* Quotients of doubles that hold words, cut: no quotient rounds to a whole number that it is not. Modulo 2^32 they are the words 0 and 2. */
static inline v128_t cut_quotients(v128_t x, v128_t y) { return wasm_f64x2_add(wasm_f64x2_trunc(wasm_f64x2_div(x, y)), wasm_f64x2_splat(0x1.8p52)); }

#define QUOTIENTS(kind, doubles)                                                                                                      \
  static v128_t kind##_quotients(v128_t x, v128_t y) {                                                                                \
    v128_t low = cut_quotients(doubles(x), doubles(y));                                                                               \
    v128_t high = cut_quotients(doubles(HLO_UPPER_WORDS(x)), doubles(HLO_UPPER_WORDS(y)));                                            \
    return wasm_v128_or(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6), wasm_i32x4_eq(y, wasm_i32x4_splat(0))); /* x / 0 has all bits set */ \
  }                                                                                                                                   \
  static v128_t kind##_remainders(v128_t x, v128_t y) { return wasm_i32x4_sub(x, hlo_i32x4_mul(kind##_quotients(x, y), y)); }
QUOTIENTS(s32, wasm_f64x2_convert_low_i32x4)
QUOTIENTS(u32, wasm_f64x2_convert_low_u32x4)

void hlo_words_run(hlo_words_function *function, hlo_elementwise_kernel *twin, HLO_KERNEL_PARAMETERS) {
  const int32_t *lhs = operands[0], *rhs = operands[1];
  int64_t done = 0;
  assert(count >= 0 && scalars < 3);
  for (; done + 4 <= count; done += 4, lhs += 4 * HLO_STEP(0), rhs += 4 * HLO_STEP(1)) {
    v128_t x = HLO_STEP(0) ? wasm_v128_load(lhs) : wasm_v128_load32_splat(lhs), y = HLO_STEP(1) ? wasm_v128_load(rhs) : wasm_v128_load32_splat(rhs);
    wasm_v128_store((int32_t *)result + done, function(x, y));
  }
  if (done < count) twin((const void *[]){lhs, rhs}, scalars, (int32_t *)result + done, count - done);
}

/* ---- Signed ---- */

HLO_BINARY_SIMD128(s32_maximum, int32_t, 4, wasm_i32x4_splat, x > y ? x : y, wasm_i32x4_max(x, y))
HLO_BINARY_SIMD128(s32_minimum, int32_t, 4, wasm_i32x4_splat, x < y ? x : y, wasm_i32x4_min(x, y))
HLO_UNARY_SIMD128(s32_abs, int32_t, 4, x < 0 ? 0 - (uint32_t)x : (uint32_t)x, hlo_i32x4_abs(x))
HLO_UNARY_SCALAR(s32_sign, int32_t, int32_t, (x > 0) - (x < 0))
HLO_BINARY_LOOP(HLO_TWIN_LOOP, s32_divide, int32_t, int32_t, y == 0 ? -1 : y == -1 ? (int32_t)(0 - (uint32_t)x) : x / y)
HLO_BINARY_LOOP(HLO_TWIN_LOOP, s32_remainder, int32_t, int32_t, y == 0 ? x : y == -1 ? 0 : x % y)
HLO_WORDS_SIMD128(s32_divide, s32_quotients)
HLO_WORDS_SIMD128(s32_remainder, s32_remainders)
HLO_COMPARE_SIMD128(s32_greater_equal, int32_t, wasm_i32x4_splat, >=, wasm_i32x4_ge)
HLO_COMPARE_SIMD128(s32_greater, int32_t, wasm_i32x4_splat, >, wasm_i32x4_gt)
HLO_COMPARE_SIMD128(s32_less_equal, int32_t, wasm_i32x4_splat, <=, wasm_i32x4_le)
HLO_COMPARE_SIMD128(s32_less, int32_t, wasm_i32x4_splat, <, wasm_i32x4_lt)
HLO_TERNARY_SCALAR(s32_clamp, int32_t, (y > x ? y : x) < z ? (y > x ? y : x) : z)

HLO_BINARY_SCALAR(s64_maximum, int64_t, int64_t, x > y ? x : y)
HLO_BINARY_SCALAR(s64_minimum, int64_t, int64_t, x < y ? x : y)
HLO_UNARY_SCALAR(s64_abs, int64_t, int64_t, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)
HLO_UNARY_SCALAR(s64_sign, int64_t, int64_t, (x > 0) - (x < 0))
HLO_BINARY_SCALAR(s64_divide, int64_t, int64_t, y == 0 ? -1 : y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y)
HLO_BINARY_SCALAR(s64_remainder, int64_t, int64_t, y == 0 ? x : y == -1 ? 0 : x % y)
HLO_BINARY_SCALAR(s64_greater_equal, int64_t, uint8_t, x >= y)
HLO_BINARY_SCALAR(s64_greater, int64_t, uint8_t, x > y)
HLO_BINARY_SCALAR(s64_less_equal, int64_t, uint8_t, x <= y)
HLO_BINARY_SCALAR(s64_less, int64_t, uint8_t, x < y)
HLO_TERNARY_SCALAR(s64_clamp, int64_t, (y > x ? y : x) < z ? (y > x ? y : x) : z)

/* ---- Unsigned ---- */

HLO_BINARY_SIMD128(u32_maximum, uint32_t, 4, wasm_i32x4_splat, x > y ? x : y, wasm_u32x4_max(x, y))
HLO_BINARY_SIMD128(u32_minimum, uint32_t, 4, wasm_i32x4_splat, x < y ? x : y, wasm_u32x4_min(x, y))
HLO_BINARY_LOOP(HLO_TWIN_LOOP, u32_divide, uint32_t, uint32_t, y ? x / y : UINT32_MAX)
HLO_BINARY_LOOP(HLO_TWIN_LOOP, u32_remainder, uint32_t, uint32_t, y ? x % y : x)
HLO_WORDS_SIMD128(u32_divide, u32_quotients)
HLO_WORDS_SIMD128(u32_remainder, u32_remainders)
HLO_COMPARE_SIMD128(u32_greater_equal, uint32_t, wasm_i32x4_splat, >=, wasm_u32x4_ge)
HLO_COMPARE_SIMD128(u32_greater, uint32_t, wasm_i32x4_splat, >, wasm_u32x4_gt)
HLO_COMPARE_SIMD128(u32_less_equal, uint32_t, wasm_i32x4_splat, <=, wasm_u32x4_le)
HLO_COMPARE_SIMD128(u32_less, uint32_t, wasm_i32x4_splat, <, wasm_u32x4_lt)

HLO_TERNARY_SCALAR(u32_clamp, uint32_t, (y > x ? y : x) < z ? (y > x ? y : x) : z)

HLO_BINARY_SCALAR(u64_maximum, uint64_t, uint64_t, x > y ? x : y)
HLO_BINARY_SCALAR(u64_minimum, uint64_t, uint64_t, x < y ? x : y)
HLO_BINARY_SCALAR(u64_divide, uint64_t, uint64_t, y ? x / y : UINT64_MAX)
HLO_BINARY_SCALAR(u64_remainder, uint64_t, uint64_t, y ? x % y : x)
HLO_BINARY_SCALAR(u64_greater_equal, uint64_t, uint8_t, x >= y)
HLO_BINARY_SCALAR(u64_greater, uint64_t, uint8_t, x > y)
HLO_BINARY_SCALAR(u64_less_equal, uint64_t, uint8_t, x <= y)
HLO_BINARY_SCALAR(u64_less, uint64_t, uint8_t, x < y)
HLO_TERNARY_SCALAR(u64_clamp, uint64_t, (y > x ? y : x) < z ? (y > x ? y : x) : z)

/* ---- Pred: bytes of 0 and 1 ---- */

HLO_BINARY_SIMD128(pred_and, uint8_t, 16, wasm_i8x16_splat, x & y, wasm_v128_and(x, y))
HLO_BINARY_SIMD128(pred_or, uint8_t, 16, wasm_i8x16_splat, x | y, wasm_v128_or(x, y))
HLO_BINARY_SIMD128(pred_xor, uint8_t, 16, wasm_i8x16_splat, x ^ y, wasm_v128_xor(x, y))
HLO_BINARY_SIMD128(pred_equal, uint8_t, 16, wasm_i8x16_splat, x == y,
                   wasm_v128_xor(wasm_v128_xor(x, y), wasm_i8x16_splat(1)))
HLO_BINARY_SIMD128(pred_less, uint8_t, 16, wasm_i8x16_splat, x < y, wasm_v128_andnot(y, x))
HLO_BINARY_SIMD128(pred_less_equal, uint8_t, 16, wasm_i8x16_splat, x <= y, wasm_v128_or(y, wasm_v128_xor(x, wasm_i8x16_splat(1))))
HLO_BINARY_SIMD128(pred_greater, uint8_t, 16, wasm_i8x16_splat, x > y, wasm_v128_andnot(x, y))
HLO_BINARY_SIMD128(pred_greater_equal, uint8_t, 16, wasm_i8x16_splat, x >= y, wasm_v128_or(x, wasm_v128_xor(y, wasm_i8x16_splat(1))))
HLO_UNARY_SIMD128(pred_not, uint8_t, 16, x ^ 1, wasm_v128_xor(x, wasm_i8x16_splat(1)))
