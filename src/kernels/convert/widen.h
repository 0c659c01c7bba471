/* Conversions of whole arrays: elements of 8 and 16 bits to f32 or s32, in which they are computed, and results back.
 *
 * Widening is exact. Narrowing rounds floats to nearest even, and cuts off the upper bits of integers. Arrays do not overlap, and are
 * aligned to their elements. Never fail, never allocate. */
#ifndef HLO_KERNELS_CONVERT_WIDEN_H
#define HLO_KERNELS_CONVERT_WIDEN_H

#include <stdbool.h>
#include <stdint.h>

typedef void hlo_widen_kernel(const void *from, int64_t count, void *to);
hlo_widen_kernel hlo_widen_f16_f32, hlo_widen_bf16_f32, hlo_widen_s8_s32, hlo_widen_u8_s32, hlo_widen_s16_s32, hlo_widen_u16_s32, hlo_widen_f32_f64;
hlo_widen_kernel hlo_narrow_f32_f16, hlo_narrow_f32_bf16, hlo_narrow_s32_s8, hlo_narrow_s32_s16;

/* Widens rows of k bytes to rows of s16, each filled up with a zero to an even number of elements. */
typedef void hlo_widen_rows_kernel(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to);
hlo_widen_rows_kernel hlo_widen_byte_rows_simd128, hlo_widen_byte_rows_scalar;
/* Widens k rows of n bytes to (k + 1) / 2 rows of n pairs of s16: a byte and the one below it, or zero behind the last row. */
void hlo_interleave_byte_rows(const void *from, bool is_signed, int64_t k, int64_t n, int16_t *to);

/* The same for quads (kernels/product/byte_quads.h), which are copies of the bytes, exclusive or `flip`, and filled up with zeros: rows of k
 * bytes become rows of (k + 3) / 4 quads, and k rows of n bytes (k + 3) / 4 rows of n quads. */
void hlo_quads_of_rows(const void *from, uint8_t flip, int64_t rows, int64_t k, void *to);
void hlo_interleave_quads(const void *from, uint8_t flip, int64_t k, int64_t n, void *to);

#endif
