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

#endif
