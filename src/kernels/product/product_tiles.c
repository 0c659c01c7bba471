/* The tile kernels. Eight vectors of running sums, two of rhs and one of lhs fit the sixteen registers that V8 has. */
#include <assert.h>

#include "kernels/product/byte_quads.h"
#include "kernels/product/product.h"
#include "kernels/simd128.h"

#define SCALAR_TILE(name, type, number, columns, PRODUCT)                                                                        \
  void hlo_##name##_scalar(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs, ptrdiff_t rhs_stride,      \
                           void *out, ptrdiff_t out_stride, bool add) {                                                        \
    assert(k > 0 && rows > 0);                                                                                                \
    for (int r = 0; r < (rows + HLO_PRODUCT_ROWS - 1) / HLO_PRODUCT_ROWS * HLO_PRODUCT_ROWS; r++)                             \
      for (int c = 0; c < columns; c++) {                                                                                     \
        const number *left = (const number *)lhs + (r < rows ? r : 0) * lhs_stride;                                           \
        const number *right = (const number *)rhs + c;                                                                        \
        number total = 0, *place = (number *)out + r * out_stride + c;                                                        \
        for (int begin = 0; begin < k; begin += HLO_PRODUCT_RUN) {                                                            \
          number sum = 0;                                                                                                     \
          for (int p = begin; p < k && p < begin + HLO_PRODUCT_RUN; p++) sum += PRODUCT(left[p], right[p * rhs_stride]); \
          total = begin ? sum + total : sum;                                                                                  \
        }                                                                                                                     \
        *place = add ? total + *place : total;                                                                                \
      }                                                                                                                       \
  }
#define PRODUCT(a, b) a * b
static inline uint32_t product_of_pairs(uint32_t a, uint32_t b) {
  return (uint32_t)((int16_t)a * (int16_t)b) + (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}
SCALAR_TILE(f32_tile_4x8, f32, float, 8, PRODUCT)
SCALAR_TILE(f64_tile_4x4, f64, double, 4, PRODUCT)
SCALAR_TILE(s32_tile_4x8, s32, uint32_t, 8, PRODUCT)
SCALAR_TILE(s64_tile_4x4, s64, uint64_t, 4, PRODUCT)
SCALAR_TILE(s16_pairs_tile_4x8, s16_pairs, uint32_t, 8, product_of_pairs)
#ifdef __wasm__
/* There are quads only where a tile of relaxed SIMD has taken this place. */
void hlo_s8_quads_tile_4x8_scalar(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs, ptrdiff_t rhs_stride, void *out,
                                  ptrdiff_t out_stride, bool add) {
  __builtin_trap();
}
#else
static inline uint32_t product_of_quads(uint32_t a, uint32_t b) {
  uint32_t sum = 0, sign = hlo_byte_mode_now() == HLO_BYTES_SIGNED ? 256 : 0;
  for (int i = 0; i < 32; i += 8) {
    uint32_t right = (uint8_t)(b >> i);
    sum += (uint32_t)(int8_t)(a >> i) * (right < 128 ? right : right - sign);
  }
  return sum;
}
SCALAR_TILE(s8_quads_tile_4x8, s8_quads, uint32_t, 8, product_of_quads)
#endif
#undef PRODUCT

#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3)
#define LESS_THAN_ROWS(r) const number *lhs##r = (const number *)lhs + (r < rows ? r : 0) * lhs_stride;
#define ZERO(r) v128_t low##r = zero, high##r = zero;
#define MULTIPLY_ROW(r, p)                \
  x = SPLAT(lhs##r + p);                  \
  low##r = ADD(low##r, MULTIPLY(x, low)); \
  high##r = ADD(high##r, MULTIPLY(x, high));
#define STEP(p)                                                               \
  low = wasm_v128_load(rhs), high = wasm_v128_load(rhs + LANES);              \
  MULTIPLY_ROW(0, p) MULTIPLY_ROW(1, p) MULTIPLY_ROW(2, p) MULTIPLY_ROW(3, p) \
  rhs += rhs_stride;                                                          \
  KEEP_ORDER
#define NEXT_BUT_ONE(r) lhs##r += 2;
#define ADD_FROM(from, stride, r)                              \
  low##r = ADD(low##r, wasm_v128_load(from + r * stride));     \
  high##r = ADD(high##r, wasm_v128_load(from + r * stride + LANES));
#define STORE_TO(to, stride, r)                \
  wasm_v128_store(to + r * stride, low##r);    \
  wasm_v128_store(to + r * stride + LANES, high##r);
#define ADD_TOTAL(r) ADD_FROM(total, 2 * LANES, r)
#define STORE_TOTAL(r) STORE_TO(total, 2 * LANES, r)
#define ADD_OUT(r) ADD_FROM(place, out_stride, r)
#define STORE_OUT(r) STORE_TO(place, out_stride, r)

#ifdef __clang__
#define ONE_STEP_AT_A_TIME _Pragma("clang loop unroll(disable)") /* a second step in flight spills registers */
#else
#define ONE_STEP_AT_A_TIME
#endif
#define KEEP_ORDER __asm__ volatile("" ::: "memory"); /* a load that moved up into the step before would spill, too */

#define SIMD_TILE(name)                                                                                                    \
  static void name##_of_four(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs_data,                  \
                             ptrdiff_t rhs_stride, void *out, ptrdiff_t out_stride, bool add) {                             \
    EACH_ROW(LESS_THAN_ROWS)                                                                                                \
    const number *rhs = rhs_data;                                                                                           \
    number *place = out;                                                                                                    \
    _Alignas(16) number total[HLO_PRODUCT_ROWS * 2 * LANES];                                                                \
    const v128_t zero = wasm_i32x4_splat(0);                                                                                \
    for (int begin = 0;; begin += HLO_PRODUCT_RUN) {                                                                        \
      EACH_ROW(ZERO)                                                                                                        \
      int left = k - begin < HLO_PRODUCT_RUN ? k - begin : HLO_PRODUCT_RUN;                                                 \
      v128_t low, high, x;                                                                                                  \
      ONE_STEP_AT_A_TIME for (; left >= 2; left -= 2) { /* pointers move once for two steps */                              \
        STEP(0) STEP(1)                                                                                                     \
        EACH_ROW(NEXT_BUT_ONE)                                                                                              \
      }                                                                                                                     \
      if (left) {                                                                                                           \
        STEP(0)                                                                                                             \
      }                                                                                                                     \
      if (begin) { EACH_ROW(ADD_TOTAL) }                                                                                    \
      if (begin + HLO_PRODUCT_RUN >= k) {                                                                                   \
        if (add) { EACH_ROW(ADD_OUT) }                                                                                      \
        EACH_ROW(STORE_OUT)                                                                                                 \
        return;                                                                                                             \
      }                                                                                                                     \
      EACH_ROW(STORE_TOTAL)                                                                                                 \
    }                                                                                                                       \
  }                                                                                                                         \
  void name(int k, int rows, const void *lhs, ptrdiff_t lhs_stride, const void *rhs, ptrdiff_t rhs_stride, void *out,       \
            ptrdiff_t out_stride, bool add) {                                                                               \
    assert(k > 0 && rows > 0);                                                                                              \
    const number *four = lhs;                                                                                               \
    number *place = out;                                                                                                    \
    for (; rows > 0; rows -= HLO_PRODUCT_ROWS, four += HLO_PRODUCT_ROWS * lhs_stride, place += HLO_PRODUCT_ROWS * out_stride) \
      name##_of_four(k, rows, four, lhs_stride, rhs, rhs_stride, place, out_stride, add);                   \
  }

#define number float
#define LANES 4
#define SPLAT wasm_v128_load32_splat
#define ADD wasm_f32x4_add
#define MULTIPLY wasm_f32x4_mul
SIMD_TILE(hlo_f32_tile_4x8_simd128)
#undef ADD
#undef MULTIPLY
#undef number
#define number int32_t
#define ADD wasm_i32x4_add
#define MULTIPLY hlo_i32x4_mul
SIMD_TILE(hlo_s32_tile_4x8_simd128)
#undef MULTIPLY
#define MULTIPLY wasm_i32x4_dot_i16x8
SIMD_TILE(hlo_s16_pairs_tile_4x8_simd128)
#undef ADD
#undef MULTIPLY
#undef number
#undef LANES
#undef SPLAT
#define number double
#define LANES 2
#define SPLAT wasm_v128_load64_splat
#define ADD wasm_f64x2_add
#define MULTIPLY wasm_f64x2_mul
SIMD_TILE(hlo_f64_tile_4x4_simd128)
#undef ADD
#undef MULTIPLY
#undef number
#define number int64_t
#define ADD wasm_i64x2_add
#define MULTIPLY wasm_i64x2_mul
SIMD_TILE(hlo_s64_tile_4x4_simd128)

hlo_tile_kernel *hlo_product_float_tile(bool single) { return single ? hlo_f32_tile_4x8_simd128 : hlo_f64_tile_4x4_simd128; }
