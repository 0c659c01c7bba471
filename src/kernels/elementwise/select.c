/* select and bitcast-convert for each size of elements, whose type does not matter. */
#include "kernels/elementwise/elementwise_loops.h"

typedef struct block16 {
  uint64_t halves[2];
} block16;

#define SELECT_SCALAR(size, type)                                                  \
  void hlo_select_##size##_scalar(HLO_KERNEL_PARAMETERS) {                         \
    assert(count >= 0 && scalars < 7);                                             \
    const uint8_t *pred = operands[0];                                             \
    const type *on_true = operands[1], *on_false = operands[2];                    \
    type *out = result;                                                            \
    HLO_TWIN_LOOP                                                                  \
    for (int64_t i = 0; i < count; i++)                                            \
      out[i] = pred[i * HLO_STEP(0)] ? on_true[i * HLO_STEP(1)] : on_false[i * HLO_STEP(2)]; \
  }

SELECT_SCALAR(1, uint8_t)
SELECT_SCALAR(2, uint16_t)
SELECT_SCALAR(4, uint32_t)
SELECT_SCALAR(8, uint64_t)
SELECT_SCALAR(16, block16)

/* Runs the twin for the elements after `done`. Elements of pred are bytes. */
#define SELECT_REST(size)                                                          \
  do {                                                                             \
    const void *rest[3] = {(const char *)operands[0] + done * HLO_STEP(0),         \
                           (const char *)operands[1] + done * HLO_STEP(1) * size,  \
                           (const char *)operands[2] + done * HLO_STEP(2) * size}; \
    hlo_select_##size##_scalar(rest, scalars, (char *)result + done * size, count - done); \
  } while (0)

void hlo_select_1_simd128(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 7);
  const uint8_t *pred = operands[0], *on_true = operands[1], *on_false = operands[2];
  uint8_t *out = result;
  v128_t chosen = wasm_i8x16_splat(count ? *pred : 0);
  v128_t yes = wasm_i8x16_splat(count ? *on_true : 0), no = wasm_i8x16_splat(count ? *on_false : 0);
  int64_t done = 0;
  for (; done + 16 <= count; done += 16) {
    if (HLO_STEP(0)) chosen = wasm_v128_load(pred + done);
    if (HLO_STEP(1)) yes = wasm_v128_load(on_true + done);
    if (HLO_STEP(2)) no = wasm_v128_load(on_false + done);
    wasm_v128_store(out + done, wasm_v128_bitselect(no, yes, wasm_i8x16_eq(chosen, wasm_i8x16_splat(0))));
  }
  SELECT_REST(1);
}

void hlo_select_2_simd128(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 7);
  const uint8_t *pred = operands[0];
  const uint16_t *on_true = operands[1], *on_false = operands[2];
  uint16_t *out = result;
  v128_t yes = wasm_i16x8_splat(count ? *on_true : 0), no = wasm_i16x8_splat(count ? *on_false : 0);
  v128_t chosen = wasm_i16x8_splat(count ? *pred : 0);
  int64_t done = 0;
  for (; done + 8 <= count; done += 8) {
    if (HLO_STEP(0)) chosen = wasm_u16x8_load8x8(pred + done);
    if (HLO_STEP(1)) yes = wasm_v128_load(on_true + done);
    if (HLO_STEP(2)) no = wasm_v128_load(on_false + done);
    wasm_v128_store(out + done, wasm_v128_bitselect(no, yes, wasm_i16x8_eq(chosen, wasm_i16x8_splat(0))));
  }
  SELECT_REST(2);
}

void hlo_select_4_simd128(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 7);
  const uint8_t *pred = operands[0];
  const uint32_t *on_true = operands[1], *on_false = operands[2];
  uint32_t *out = result;
  v128_t yes = wasm_i32x4_splat(count ? *on_true : 0), no = wasm_i32x4_splat(count ? *on_false : 0);
  v128_t zero = wasm_i32x4_splat(0), chosen = wasm_i16x8_splat(count ? *pred : 0);
  int64_t done = 0;
  for (; done + 8 <= count; done += 8) {
    if (HLO_STEP(0)) chosen = wasm_u16x8_load8x8(pred + done);
    v128_t unchosen[2] = {wasm_i32x4_eq(wasm_u32x4_extend_low_u16x8(chosen), zero),
                          wasm_i32x4_eq(wasm_u32x4_extend_high_u16x8(chosen), zero)};
    for (int n = 0; n < 2; n++) {
      if (HLO_STEP(1)) yes = wasm_v128_load(on_true + done + 4 * n);
      if (HLO_STEP(2)) no = wasm_v128_load(on_false + done + 4 * n);
      wasm_v128_store(out + done + 4 * n, wasm_v128_bitselect(no, yes, unchosen[n]));
    }
  }
  SELECT_REST(4);
}

HLO_UNARY_SCALAR(bitcast_1, uint8_t, uint8_t, x)
HLO_UNARY_SCALAR(bitcast_2, uint16_t, uint16_t, x)
HLO_UNARY_SCALAR(bitcast_4, uint32_t, uint32_t, x)
HLO_UNARY_SCALAR(bitcast_8, uint64_t, uint64_t, x)
