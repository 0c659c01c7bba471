/* Conversions between all types that programs keep. A conversion is one step, or several steps block by block, by way of s32, s64, f32 or
 * f64. Only the last step rounds to nearest; steps before it are exact or round to odd, so that no number is rounded twice.
 *
 * Real numbers become integers by truncation, saturating, NaN 0; integers wrap; to pred is != 0. */
#include <string.h>

#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/convert/widen.h"
#include "kernels/simd128.h"
#include "shape/element_type.h"

/* A STEP is a loop that compilers may vectorise; an ODD_STEP is one that they must not, since vectors would be longer and no faster. */
#define STEP(name, from_type, to_type, expression) STEP_LOOP(HLO_LONE_LOOP, name, from_type, to_type, expression)
#define ODD_STEP(name, from_type, to_type, expression) STEP_LOOP(HLO_TWIN_LOOP, name, from_type, to_type, expression)
#define STEP_LOOP(loop, name, from_type, to_type, expression)                              \
  static void name(const void *from_data, int64_t count, void *to_data) {                  \
    const from_type *from = from_data;                                                     \
    to_type *to = to_data;                                                                 \
    loop                                                                                   \
    for (size_t i = 0; i < (size_t)count; i++) {                                           \
      from_type x = from[i];                                                               \
      to[i] = (to_type)(expression);                                                       \
    }                                                                                      \
  }

/* ---- Integers ---- */

STEP(copy_1, uint8_t, uint8_t, x)
STEP(copy_2, uint16_t, uint16_t, x)
STEP(copy_4, uint32_t, uint32_t, x)
STEP(copy_8, uint64_t, uint64_t, x)
STEP(s32_s64, int32_t, int64_t, x)
STEP(u32_s64, uint32_t, int64_t, x)
STEP(s64_s32, uint64_t, uint32_t, x)
ODD_STEP(i32_pred, uint32_t, uint8_t, x != 0)
ODD_STEP(i64_pred, uint64_t, uint8_t, x != 0)

/* ---- Integers to real numbers ---- */

STEP(s32_f32, int32_t, float, x)
STEP(u32_f32, uint32_t, float, x)
STEP(s32_f64, int32_t, double, x)
STEP(u32_f64, uint32_t, double, x)
ODD_STEP(s64_f32, int64_t, float, x)
ODD_STEP(u64_f32, uint64_t, float, x)
ODD_STEP(s64_f64, int64_t, double, x)
ODD_STEP(u64_f64, uint64_t, double, x)

/* A number of more than 53 bits is cut to its upper bits (at least 42), the last of which is set if a bit below was. */
static inline double round_to_odd(uint64_t magnitude) {
  return (double)(magnitude >> 53 ? (magnitude & ~(uint64_t)0x7FF) | (uint64_t)((magnitude & 0x7FF) != 0) << 11 : magnitude);
}
ODD_STEP(s64_f64_odd, int64_t, double, x < 0 ? -round_to_odd(0 - (uint64_t)x) : round_to_odd((uint64_t)x))
ODD_STEP(u64_f64_odd, uint64_t, double, round_to_odd(x))

/* ---- Real numbers ---- */

/* Rounds to odd: a number between two floats becomes the one whose last bit is 1. */
static inline float odd_float(double x) {
  float nearest = (float)x;
  uint32_t bits;
  memcpy(&bits, &nearest, sizeof bits);
  if (nearest == x || x != x || bits & 1) return nearest;
  bits += fabs((double)nearest) > fabs(x) ? -1u : 1;
  memcpy(&nearest, &bits, sizeof bits);
  return nearest;
}
STEP(f64_f32, double, float, x)
ODD_STEP(f64_f32_odd, double, float, odd_float(x))
ODD_STEP(f32_pred, float, uint8_t, x != 0)
ODD_STEP(f64_pred, double, uint8_t, x != 0)

#define SATURATE_SIGNED(bits) x >= 0x1p##bits ? INT64_MAX >> (63 - bits) : x > -0x1p##bits ? (int64_t)x : x == x ? INT64_MIN >> (63 - bits) : 0
#define SATURATE_UNSIGNED(bits) x >= 0x1p##bits ? UINT64_MAX : x > 0 ? (uint64_t)x : 0
STEP(f64_s8, double, int8_t, SATURATE_SIGNED(7))
STEP(f64_u8, double, uint8_t, SATURATE_UNSIGNED(8))
ODD_STEP(f64_s16, double, int16_t, SATURATE_SIGNED(15))
ODD_STEP(f64_u16, double, uint16_t, SATURATE_UNSIGNED(16))
/* To words and longer integers, WebAssembly has an instruction that does the same. */
#ifdef __wasm__
#define TRUNCATED(signs, bits, from, portable) __builtin_wasm_trunc_saturate_##signs##_i##bits##_##from(x)
#else
#define TRUNCATED(signs, bits, from, portable) portable
#endif
ODD_STEP(f64_s32, double, int32_t, TRUNCATED(s, 32, f64, SATURATE_SIGNED(31)))
ODD_STEP(f64_u32, double, uint32_t, TRUNCATED(u, 32, f64, SATURATE_UNSIGNED(32)))
ODD_STEP(f64_s64, double, int64_t, TRUNCATED(s, 64, f64, SATURATE_SIGNED(63)))
ODD_STEP(f64_u64, double, uint64_t, TRUNCATED(u, 64, f64, SATURATE_UNSIGNED(64)))
ODD_STEP(f32_u32, float, uint32_t, TRUNCATED(u, 32, f32, SATURATE_UNSIGNED(32)))

/* Four elements at a time; the last ones in a vector that is filled up. */
static void f32_s32(const void *from, int64_t count, void *to) {
  int64_t done = 0;
  for (; done + 4 <= count; done += 4)
    wasm_v128_store((int32_t *)to + done, wasm_i32x4_trunc_sat_f32x4(wasm_v128_load((const float *)from + done)));
  float rest[4] = {0};
  size_t bytes = (size_t)(count - done) * sizeof(float);
  memcpy(rest, (const float *)from + done, bytes);
  v128_t last = wasm_i32x4_trunc_sat_f32x4(wasm_v128_load(rest));
  memcpy((int32_t *)to + done, &last, bytes);
}

/* ---- The way from type to type ---- */

typedef enum convert_type { T_pred, T_s8, T_u8, T_s16, T_u16, T_s32, T_u32, T_s64, T_u64, T_f16, T_bf16, T_f32, T_f64, TYPE_COUNT } convert_type;
static const uint8_t type_bytes[TYPE_COUNT] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

/* S(step, type of its results, kernel) */
#define STEPS                                                                                                                  \
  S(NONE, pred, NULL) S(C1, s8, copy_1) S(C2, s16, copy_2) S(C4, s32, copy_4) S(C8, s64, copy_8)                               \
  S(U8, s32, hlo_widen_u8_s32) S(S8, s32, hlo_widen_s8_s32) S(U16, s32, hlo_widen_u16_s32) S(S16, s32, hlo_widen_s16_s32)      \
  S(TO8, s8, hlo_narrow_s32_s8) S(TO16, s16, hlo_narrow_s32_s16) S(SX, s64, s32_s64) S(UX, s64, u32_s64) S(TO32, s32, s64_s32) \
  S(I32P, pred, i32_pred) S(I64P, pred, i64_pred) S(F32P, pred, f32_pred) S(F64P, pred, f64_pred)                              \
  S(S32F, f32, s32_f32) S(U32F, f32, u32_f32) S(S32D, f64, s32_f64) S(U32D, f64, u32_f64)                                      \
  S(S64F, f32, s64_f32) S(U64F, f32, u64_f32) S(S64D, f64, s64_f64) S(U64D, f64, u64_f64)                                      \
  S(S64O, f64, s64_f64_odd) S(U64O, f64, u64_f64_odd)                                                                          \
  S(F16F, f32, hlo_widen_f16_f32) S(BF16F, f32, hlo_widen_bf16_f32) S(FF16, f16, hlo_narrow_f32_f16) S(FBF16, bf16, hlo_narrow_f32_bf16) \
  S(FD, f64, hlo_widen_f32_f64) S(DF, f32, f64_f32) S(DFO, f32, f64_f32_odd) S(FS32, s32, f32_s32) S(FU32, u32, f32_u32)       \
  S(DS8, s8, f64_s8) S(DU8, u8, f64_u8) S(DS16, s16, f64_s16) S(DU16, u16, f64_u16)                                            \
  S(DS32, s32, f64_s32) S(DU32, u32, f64_u32) S(DS64, s64, f64_s64) S(DU64, u64, f64_u64)
enum {
#define S(number, to, kernel) number,
  STEPS
#undef S
};
static const struct {
  hlo_widen_kernel *kernel;
  uint8_t to;
} steps[] = {
#define S(number, to, kernel) {kernel, T_##to},
    STEPS
#undef S
};

/* The first step from each type (the row) to each type (the column). From integers, columns of unsigned types are not used: results wrap, so
 * that convert() asks for the signed type. */
static const uint8_t first_step[TYPE_COUNT][TYPE_COUNT] = {
    /*          pred  s8    u8    s16   u16   s32   u32   s64   u64   f16   bf16   f32   f64 */
    [T_pred] = {C1,   C1,   NONE, U8,   NONE, U8,   NONE, U8,   NONE, U8,   U8,    U8,   U8},
    [T_s8] =   {S8,   C1,   NONE, S8,   NONE, S8,   NONE, S8,   NONE, S8,   S8,    S8,   S8},
    [T_u8] =   {U8,   C1,   NONE, U8,   NONE, U8,   NONE, U8,   NONE, U8,   U8,    U8,   U8},
    [T_s16] =  {S16,  S16,  NONE, C2,   NONE, S16,  NONE, S16,  NONE, S16,  S16,   S16,  S16},
    [T_u16] =  {U16,  U16,  NONE, C2,   NONE, U16,  NONE, U16,  NONE, U16,  U16,   U16,  U16},
    [T_s32] =  {I32P, TO8,  NONE, TO16, NONE, C4,   NONE, SX,   NONE, S32D, S32D,  S32F, S32D},
    [T_u32] =  {I32P, TO8,  NONE, TO16, NONE, C4,   NONE, UX,   NONE, U32D, U32D,  U32F, U32D},
    [T_s64] =  {I64P, TO32, NONE, TO32, NONE, TO32, NONE, C8,   NONE, S64O, S64O,  S64F, S64D},
    [T_u64] =  {I64P, TO32, NONE, TO32, NONE, TO32, NONE, C8,   NONE, U64O, U64O,  U64F, U64D},
    [T_f16] =  {F16F, F16F, F16F, F16F, F16F, F16F, F16F, F16F, F16F, C2,   F16F,  F16F, F16F},
    [T_bf16] = {BF16F, BF16F, BF16F, BF16F, BF16F, BF16F, BF16F, BF16F, BF16F, BF16F, C2, BF16F, BF16F},
    [T_f32] =  {F32P, FD,   FD,   FD,   FD,   FS32, FU32, FD,   FD,   FF16, FBF16, C4,   FD},
    [T_f64] =  {F64P, DS8,  DU8,  DS16, DU16, DS32, DU32, DS64, DU64, DFO,  DFO,   DF,   C8},
};

enum { BLOCK = 256 };

/* Runs the steps of one block, each into memory of the block, and the last one into the result. */
static void run_block(int step, convert_type to, const void *from, void *result, int64_t count) {
  _Alignas(16) uint64_t memory[2][BLOCK];
  for (int turn = 0;; turn ^= 1) {
    convert_type given = steps[step].to;
    /* a copy is always the last step: its entry names one of several types */
    bool is_last = given == to || (step >= C1 && step <= C8);
    steps[step].kernel(from, count, is_last ? result : memory[turn]);
    if (is_last) return;
    from = memory[turn];
    step = first_step[given][to];
  }
}

static __attribute__((noinline)) void convert(HLO_KERNEL_PARAMETERS, convert_type from, convert_type to) {
  assert(count >= 0 && scalars == 0);
  int from_bytes = type_bytes[from], to_bytes = type_bytes[to];
  if (from < T_f16 && (to == T_u8 || to == T_u16 || to == T_u32 || to == T_u64)) to--;
  int step = first_step[from][to];
  bool is_single = steps[step].to == to || (step >= C1 && step <= C8);
  for (int64_t done = 0, block; done < count; done += block) {
    block = is_single || count - done < BLOCK ? count - done : BLOCK;
    run_block(step, to, (const char *)operands[0] + done * from_bytes, (char *)result + done * to_bytes, block);
  }
}

void hlo_f32_round_f16_scalar(HLO_KERNEL_PARAMETERS) {
  uint16_t block[BLOCK];
  assert(count >= 0 && scalars == 0);
  for (int64_t done = 0; done < count; done += BLOCK) {
    int64_t part = count - done < BLOCK ? count - done : BLOCK;
    hlo_narrow_f32_f16((const float *)operands[0] + done, part, block);
    hlo_widen_f16_f32(block, part, (float *)result + done);
  }
}

/* ---- Floats of 8 bits ---- */

/* Eight elements at a time: sign, exponent and mantissa go where f32 has them. Subnormal ones get an exponent, and lose its power of two again. */
static void decode(hlo_type type, const uint8_t *from, float *to, int64_t count) {
  hlo_float_format f = hlo_type_float_format(type);
  bool has_one_nan = !f.has_negative_zero; /* the code of -0 */
  int32_t normal = 1 << f.mantissa_bits, most = has_one_nan ? 0xff : f.has_infinity ? (0x7f & -normal) - 1 : 0x7e, bias = (127 - f.bias) << 23;
  v128_t unit = wasm_i32x4_splat(1 << (23 - f.mantissa_bits)), sign = wasm_i32x4_splat(0x80), special = wasm_i32x4_splat(has_one_nan ? 0x7fc00000 : 0x7f800000);
  for (int64_t i = 0; i < count; i += 8) {
    _Alignas(16) float made[8];
    uint8_t last[8] = {0};
    size_t left = (size_t)(count - i);
    if (left < 8) memcpy(last, from + i, left);
    v128_t bytes = wasm_u16x8_load8x8(left < 8 ? last : from + i);
    float *out = left < 8 ? made : to + i;
    for (int half = 0; half < 2; half++) {
      v128_t x = half ? wasm_u32x4_extend_high_u16x8(bytes) : wasm_u32x4_extend_low_u16x8(bytes), size = wasm_v128_andnot(x, sign);
      v128_t is_special = wasm_v128_or(wasm_i32x4_gt(size, wasm_i32x4_splat(most)), wasm_i32x4_eq(x, wasm_i32x4_splat(has_one_nan ? 0x80 : -1)));
      v128_t is_small = wasm_i32x4_lt(size, wasm_i32x4_splat(normal));
      v128_t value = wasm_i32x4_add(hlo_i32x4_mul(size, unit), wasm_i32x4_splat(bias));
      value = wasm_i32x4_add(value, wasm_v128_and(is_small, wasm_i32x4_splat(1 << 23)));
      value = wasm_f32x4_sub(value, wasm_v128_and(is_small, wasm_i32x4_splat(bias + (1 << 23))));
      value = wasm_v128_or(value, wasm_v128_and(is_special, special));
      wasm_v128_store(out + 4 * half, wasm_v128_or(value, wasm_i32x4_shl(wasm_v128_and(x, sign), 24)));
    }
    if (left < 8) memcpy(to + i, made, left * sizeof *to);
  }
}

#define HLO_CONVERT_SMALL(from, FROM, ...) \
  void hlo_convert_##from##_f32_scalar(HLO_KERNEL_PARAMETERS) { decode(HLO_TYPE_##FROM, operands[0], result, count); }
#define HLO_CONVERT(from, FROM, to, TO, ...) \
  void hlo_convert_##from##_##to##_scalar(HLO_KERNEL_PARAMETERS) { convert(operands, scalars, result, count, T_##from, T_##to); }
#include "kernels/elementwise/convert.def"
#undef HLO_CONVERT
