/* Arrays of narrow elements to f32 or s32, in which products of them are computed, and results back.
 *
 * Floats: exact, and rounded to nearest even. Integers: extended, and cut off. Arrays do not overlap, and are aligned to
 * their elements. Never fail, never allocate. */
#ifndef HLO_KERNELS_WIDEN_H
#define HLO_KERNELS_WIDEN_H

#include "base/checked.h"

typedef void hlo_widen_kernel(const void *from, int64_t count, void *to);
hlo_widen_kernel hlo_widen_f16_f32, hlo_widen_bf16_f32, hlo_widen_s8_s32, hlo_widen_u8_s32, hlo_widen_s16_s32, hlo_widen_u16_s32, hlo_widen_f32_f64;
hlo_widen_kernel hlo_narrow_f32_f16, hlo_narrow_f32_bf16, hlo_narrow_s32_s8, hlo_narrow_s32_s16;

/* Rows of k bytes to rows of s16, k or, with a zero behind them, k + 1: pairs of neighbours. */
typedef void hlo_widen_rows_kernel(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to);
hlo_widen_rows_kernel hlo_widen_byte_rows_simd128, hlo_widen_byte_rows_scalar;

#endif
