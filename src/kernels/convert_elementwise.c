/* Conversions between the types that programs mix most. Float to integer saturates, NaN to 0; integers wrap. */
#include "kernels/elementwise_loops.h"

static inline int32_t saturate_s32(double x) {
  return x != x ? 0 : x <= INT32_MIN ? INT32_MIN : x >= INT32_MAX ? INT32_MAX : (int32_t)x;
}
static inline uint32_t saturate_u32(double x) {
  return !(x > 0) ? 0 : x >= UINT32_MAX ? UINT32_MAX : (uint32_t)x;
}

#define CONVERT(from, from_type, to, to_type, expression) \
  HLO_UNARY_SCALAR(convert_##from##_##to, from_type, to_type, expression)

CONVERT(pred, uint8_t, f32, float, x)
CONVERT(u8, uint8_t, f32, float, x)
CONVERT(s32, int32_t, f32, float, x)
CONVERT(u32, uint32_t, f32, float, x)
CONVERT(s64, int64_t, f32, float, x)
CONVERT(f64, double, f32, float, x)
CONVERT(f32, float, f64, double, x)
CONVERT(s32, int32_t, f64, double, x)
CONVERT(s64, int64_t, f64, double, x)
CONVERT(f32, float, s32, int32_t, saturate_s32(x))
CONVERT(f32, float, u32, uint32_t, saturate_u32(x))
CONVERT(f64, double, s32, int32_t, saturate_s32(x))
CONVERT(f32, float, pred, uint8_t, x != 0)
CONVERT(s32, int32_t, pred, uint8_t, x != 0)
CONVERT(pred, uint8_t, s32, int32_t, x)
CONVERT(pred, uint8_t, u8, uint8_t, x)
CONVERT(u8, uint8_t, s32, int32_t, x)
CONVERT(s32, int32_t, u8, uint8_t, x)
CONVERT(s32, uint32_t, u32, uint32_t, x)
CONVERT(s64, int64_t, s32, int32_t, (uint32_t)x)
CONVERT(s32, int32_t, s64, int64_t, x)
CONVERT(u32, uint32_t, s64, int64_t, x)
CONVERT(u32, uint32_t, u64, uint64_t, x)
CONVERT(u64, uint64_t, u32, uint32_t, x)
