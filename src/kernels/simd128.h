/* The vector instructions of WebAssembly in every build: Emscripten's under Emscripten, SIMDe's portable form natively, so that the same
 * kernels run under sanitizers. Functions named hlo_* are instructions whose portable form differs from what WebAssembly does. */
#ifndef HLO_KERNELS_SIMD128_H
#define HLO_KERNELS_SIMD128_H

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#define hlo_f32x4_max wasm_f32x4_max
#define hlo_f32x4_min wasm_f32x4_min
#define hlo_f64x2_max wasm_f64x2_max
#define hlo_f64x2_min wasm_f64x2_min
#define hlo_i32x4_mul wasm_i32x4_mul
#define hlo_i32x4_neg wasm_i32x4_neg
#define hlo_i32x4_abs wasm_i32x4_abs
#define hlo_f32x4_nearest wasm_f32x4_nearest
#define hlo_f64x2_floor wasm_f64x2_floor
#define hlo_f64x2_ceil wasm_f64x2_ceil
/* Hides from the compiler how a vector was made. */
#define HLO_HIDE(vector) __asm__("" : "+r"(vector));

#else

#define HLO_HIDE(vector)

#define SIMDE_ENABLE_NATIVE_ALIASES
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* SIMDe asks for vectorisation that builds without optimisation do not do */
#endif
#include <simde/wasm/simd128.h>

/* WebAssembly's maximum and minimum give NaN if either operand is NaN, and take -0 for less than +0. SIMDe's do as the host's instruction
 * does. */
#define HLO_EXTREME_SIMD128(name, lanes, wins, zeros)                                                  \
  static inline v128_t hlo_##lanes##_##name(v128_t a, v128_t b) {                                      \
    v128_t extreme = wasm_v128_bitselect(a, b, wasm_##lanes##_##wins(a, b));                           \
    extreme = wasm_v128_bitselect(wasm_v128_##zeros(a, b), extreme, wasm_##lanes##_eq(a, b));          \
    v128_t unordered = wasm_v128_or(wasm_##lanes##_ne(a, a), wasm_##lanes##_ne(b, b));                 \
    return wasm_v128_bitselect(wasm_##lanes##_add(a, b), extreme, unordered);                          \
  }
HLO_EXTREME_SIMD128(max, f32x4, gt, and)
HLO_EXTREME_SIMD128(min, f32x4, lt, or)
HLO_EXTREME_SIMD128(max, f64x2, gt, and)
HLO_EXTREME_SIMD128(min, f64x2, lt, or)
#undef HLO_EXTREME_SIMD128

/* Integers wrap, for which unsigned ones are needed: SIMDe's portable forms compute with signed ones, whose overflow is undefined. */
typedef uint32_t hlo_u32x4 __attribute__((vector_size(16)));
static inline v128_t hlo_i32x4_mul(v128_t a, v128_t b) { return (v128_t)((hlo_u32x4)a * (hlo_u32x4)b); }
static inline v128_t hlo_i32x4_neg(v128_t a) { return (v128_t)(0 - (hlo_u32x4)a); }
static inline v128_t hlo_i32x4_abs(v128_t a) {
  return wasm_v128_bitselect(hlo_i32x4_neg(a), a, wasm_i32x4_lt(a, wasm_i32x4_splat(0)));
}

/* Rounding keeps the sign, of a result that is zero, too. SIMDe's portable forms lose it. */
static inline v128_t hlo_f32x4_nearest(v128_t x) {
  return wasm_v128_or(wasm_f32x4_nearest(x), wasm_v128_and(x, wasm_f32x4_splat(-0.0f)));
}
static inline v128_t hlo_f64x2_floor(v128_t x) {
  return wasm_v128_or(wasm_f64x2_floor(x), wasm_v128_and(x, wasm_f64x2_splat(-0.0)));
}
static inline v128_t hlo_f64x2_ceil(v128_t x) {
  return wasm_v128_or(wasm_f64x2_ceil(x), wasm_v128_and(x, wasm_f64x2_splat(-0.0)));
}

#endif

/* Adds up every four neighbouring signed bytes. */
static inline v128_t hlo_i32x4_sum_fours(v128_t bytes) { return wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(bytes)); }

#endif
