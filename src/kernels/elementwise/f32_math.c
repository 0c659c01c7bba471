/* The kernels of math_f32.def. The last elements, fewer than four, are computed by the same instructions in a vector that is filled up, so
 * that a result never depends on the place of its element. */
#include <string.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/elementwise/math_f32.def"

#define F(name, value) v128_t name = wasm_f32x4_splat(value);
#define I(name, bits) v128_t name = wasm_i32x4_splat((int32_t)(bits));
#define U(name, op, a) v128_t name = wasm_##op(a);
#define B(name, op, a, b) v128_t name = wasm_##op(a, b);
#define S(name, op, a, count) v128_t name = wasm_##op(a, count);
#define T(name, a, b, mask) v128_t name = wasm_v128_bitselect(a, b, mask);

/* Runs the kernel on the elements from `done` on, fewer than four. */
static __attribute__((noinline)) void run_rest(hlo_elementwise_kernel *kernel, int arity, HLO_KERNEL_PARAMETERS, int64_t done) {
  float lanes[2][4] = {{0}}, results[4];
  const void *rest[2] = {lanes[0], lanes[1]};
  size_t bytes = (size_t)(count - done) * sizeof(float);
  if (!bytes) return;
  for (int n = 0; n < arity; n++) {
    if (HLO_STEP(n)) memcpy(lanes[n], (const float *)operands[n] + done, bytes);
    else rest[n] = operands[n];
  }
  kernel(rest, scalars, results, 4);
  memcpy((float *)result + done, results, bytes);
}

/* Replaces the rare lanes of `value` by what the scalar twin computes. */
static __attribute__((noinline)) v128_t replace_rare(v128_t value, v128_t rare, v128_t x, hlo_elementwise_kernel *scalar) {
  float lanes[4], in[4];
  uint32_t is_rare[4];
  wasm_v128_store(lanes, value);
  wasm_v128_store(in, x);
  wasm_v128_store(is_rare, rare);
  for (int i = 0; i < 4; i++) {
    const void *operand = &in[i];
    if (is_rare[i]) scalar(&operand, 0, &lanes[i], 1);
  }
  return wasm_v128_load(lanes);
}

#define REPLACE_TOTAL(name)
#define REPLACE_PARTIAL(name) \
  if (wasm_v128_any_true(rare)) result = replace_rare(result, rare, x, hlo_f32_##name##_scalar);

#define KERNEL_1(name, coverage, list)                                                       \
  void hlo_f32_##name##_simd128(HLO_KERNEL_PARAMETERS) {                                     \
    assert(count >= 0 && scalars == 0);                                                      \
    const float *in = operands[0];                                                           \
    float *out = result;                                                                     \
    int64_t done = 0;                                                                        \
    for (; done + 4 <= count; done += 4) {                                                   \
      v128_t x = wasm_v128_load(in + done);                                                  \
      list REPLACE_##coverage(name) wasm_v128_store(out + done, result);                     \
    }                                                                                        \
    run_rest(hlo_f32_##name##_simd128, 1, operands, scalars, out, count, done);              \
  }
#define KERNEL_2(name, coverage, list)                                                       \
  void hlo_f32_##name##_simd128(HLO_KERNEL_PARAMETERS) {                                     \
    assert(count >= 0 && scalars < 3);                                                       \
    const float *lhs = operands[0], *rhs = operands[1];                                      \
    float *out = result;                                                                     \
    v128_t x = wasm_f32x4_splat(count ? *lhs : 0), y = wasm_f32x4_splat(count ? *rhs : 0);   \
    int64_t done = 0;                                                                        \
    for (; done + 4 <= count; done += 4) {                                                   \
      if (HLO_STEP(0)) x = wasm_v128_load(lhs + done);                                       \
      if (HLO_STEP(1)) y = wasm_v128_load(rhs + done);                                       \
      list REPLACE_##coverage(name) wasm_v128_store(out + done, result);                     \
    }                                                                                        \
    run_rest(hlo_f32_##name##_simd128, 2, operands, scalars, out, count, done);              \
  }

#define HLO_MATH_F32(name, arity, coverage, list) KERNEL_##arity(name, coverage, list)
HLO_MATH_F32_FUNCTIONS
