/* Loops for element-wise kernels, around expressions of x, y and z: elements of the operands in a scalar twin, vectors of elements in a
 * SIMD kernel. A SIMD kernel leaves its last elements, which fill no vector, to its twin. */
#ifndef HLO_KERNELS_ELEMENTWISE_ELEMENTWISE_LOOPS_H
#define HLO_KERNELS_ELEMENTWISE_ELEMENTWISE_LOOPS_H

#include <assert.h>
#include <math.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/simd128.h"

#define HLO_KERNEL_PARAMETERS const void *const *operands, unsigned scalars, void *result, int64_t count

/* The step from element to element of an operand: 0 for a scalar, which has one. */
#define HLO_STEP(operand) ((scalars >> (operand)&1) ? 0 : 1)

/* HLO_TWIN_LOOP precedes the loop of a SIMD kernel's twin, which runs for a few elements only: it is not vectorised. HLO_LONE_LOOP precedes
 * a loop that runs for all elements, which compilers may vectorise. */
#ifdef __clang__
#define HLO_TWIN_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#define HLO_LONE_LOOP _Pragma("clang loop interleave_count(1) unroll(disable)")
#else
#define HLO_TWIN_LOOP
#define HLO_LONE_LOOP
#endif

#define HLO_UNARY_LOOP(loop, name, in_type, out_type, expression)                \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                              \
    assert(count >= 0 && scalars == 0);                                          \
    const in_type *in = operands[0];                                             \
    out_type *out = result;                                                      \
    loop for (int64_t i = 0; i < count; i++) {                                   \
      in_type x = in[i];                                                         \
      out[i] = (out_type)(expression);                                           \
    }                                                                            \
  }

#define HLO_BINARY_LOOP(loop, name, in_type, out_type, expression)               \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                              \
    assert(count >= 0 && scalars < 3);                                           \
    const in_type *lhs = operands[0], *rhs = operands[1];                        \
    out_type *out = result;                                                      \
    loop for (int64_t i = 0; i < count; i++) {                                   \
      in_type x = lhs[i * HLO_STEP(0)], y = rhs[i * HLO_STEP(1)];                \
      out[i] = (out_type)(expression);                                           \
    }                                                                            \
  }

#define HLO_TERNARY_LOOP(loop, name, type, expression)                           \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                              \
    assert(count >= 0 && scalars < 7);                                           \
    const type *first = operands[0], *second = operands[1], *third = operands[2]; \
    type *out = result;                                                          \
    loop for (int64_t i = 0; i < count; i++) {                                   \
      type x = first[i * HLO_STEP(0)], y = second[i * HLO_STEP(1)], z = third[i * HLO_STEP(2)]; \
      out[i] = (type)(expression);                                               \
    }                                                                            \
  }

#define HLO_UNARY_SCALAR(name, in_type, out_type, expression) HLO_UNARY_LOOP(HLO_LONE_LOOP, name, in_type, out_type, expression)
#define HLO_BINARY_SCALAR(name, in_type, out_type, expression) HLO_BINARY_LOOP(HLO_LONE_LOOP, name, in_type, out_type, expression)
#define HLO_TERNARY_SCALAR(name, type, expression) HLO_TERNARY_LOOP(HLO_LONE_LOOP, name, type, expression)

/* Runs the twin for the elements after `done`. */
#define HLO_REST(name, arity, in_bytes, out_bytes)                               \
  do {                                                                           \
    const void *rest[arity];                                                     \
    for (int n = 0; n < arity; n++)                                              \
      rest[n] = (const char *)operands[n] + (size_t)done * HLO_STEP(n) * (in_bytes); \
    hlo_##name##_scalar(rest, scalars, (char *)result + (size_t)done * (out_bytes), count - done); \
  } while (0)

#define HLO_UNARY_SIMD128(name, type, lanes, scalar, vector)                     \
  HLO_UNARY_LOOP(HLO_TWIN_LOOP, name, type, type, scalar)                        \
  void hlo_##name##_simd128(HLO_KERNEL_PARAMETERS) {                             \
    assert(count >= 0 && scalars == 0);                                          \
    const type *in = operands[0];                                                \
    type *out = result;                                                          \
    int64_t done = 0;                                                            \
    for (; done + lanes <= count; done += lanes) {                               \
      v128_t x = wasm_v128_load(in + done);                                      \
      wasm_v128_store(out + done, vector);                                       \
    }                                                                            \
    HLO_REST(name, 1, sizeof(type), sizeof(type));                               \
  }

#define HLO_BINARY_VECTOR(at, vector)                                            \
  {                                                                              \
    v128_t x = wasm_v128_load(lhs + (at)), y = wasm_v128_load(rhs + (at));       \
    wasm_v128_store(out + (at), vector);                                         \
  }

/* Two arrays are read in both halves at once: memory delivers more to several streams. */
#define HLO_BINARY_SIMD128(name, type, lanes, splat, scalar, vector)             \
  HLO_BINARY_LOOP(HLO_TWIN_LOOP, name, type, type, scalar)                       \
  void hlo_##name##_simd128(HLO_KERNEL_PARAMETERS) {                             \
    assert(count >= 0 && scalars < 3);                                           \
    const type *lhs = operands[0], *rhs = operands[1];                           \
    type *out = result;                                                          \
    int64_t done = 0;                                                            \
    if (scalars == 0) {                                                          \
      int64_t half = count / (2 * lanes) * lanes;                                \
      for (; done < half; done += lanes) {                                       \
        HLO_BINARY_VECTOR(done, vector)                                          \
        HLO_BINARY_VECTOR(half + done, vector)                                   \
      }                                                                          \
      done += half;                                                              \
      if (done + lanes <= count) {                                               \
        HLO_BINARY_VECTOR(done, vector)                                          \
        done += lanes;                                                           \
      }                                                                          \
    } else if (scalars & 1) {                                                    \
      v128_t x = splat(*lhs);                                                    \
      for (; done + lanes <= count; done += lanes) {                             \
        v128_t y = wasm_v128_load(rhs + done);                                   \
        wasm_v128_store(out + done, vector);                                     \
      }                                                                          \
    } else {                                                                     \
      v128_t y = splat(*rhs);                                                    \
      for (; done + lanes <= count; done += lanes) {                             \
        v128_t x = wasm_v128_load(lhs + done);                                   \
        wasm_v128_store(out + done, vector);                                     \
      }                                                                          \
    }                                                                            \
    HLO_REST(name, 2, sizeof(type), sizeof(type));                               \
  }

/* The upper two words of a vector, as its lower two. */
#define HLO_UPPER_WORDS(x) wasm_i32x4_shuffle(x, x, 2, 3, 2, 3)

/* A kernel of words that takes longer than to call a function for every vector. */
typedef v128_t hlo_words_function(v128_t x, v128_t y);
void hlo_words_run(hlo_words_function *function, hlo_elementwise_kernel *twin, HLO_KERNEL_PARAMETERS);
#define HLO_WORDS_SIMD128(name, function) \
  void hlo_##name##_simd128(HLO_KERNEL_PARAMETERS) { hlo_words_run(function, hlo_##name##_scalar, operands, scalars, result, count); }

/* Narrows four vectors of 32-bit masks to 16 bytes of 0 and 1. */
static inline v128_t hlo_pred_of_masks(v128_t a, v128_t b, v128_t c, v128_t d) {
  v128_t bytes = wasm_i8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d));
  return wasm_v128_and(bytes, wasm_i8x16_splat(1));
}

/* Comparison of 32-bit elements: `relation` is an operator in the twin, `vector` the instruction. */
#define HLO_COMPARE_SIMD128(name, type, splat, relation, vector)                 \
  HLO_BINARY_LOOP(HLO_TWIN_LOOP, name, type, uint8_t, x relation y)              \
  void hlo_##name##_simd128(HLO_KERNEL_PARAMETERS) {                             \
    assert(count >= 0 && scalars < 3);                                           \
    const type *lhs = operands[0], *rhs = operands[1];                           \
    uint8_t *out = result;                                                       \
    v128_t x = splat(count ? *lhs : 0), y = splat(count ? *rhs : 0);             \
    int64_t done = 0;                                                            \
    for (; done + 16 <= count; done += 16) {                                     \
      v128_t masks[4];                                                           \
      for (int n = 0; n < 4; n++) {                                              \
        if (HLO_STEP(0)) x = wasm_v128_load(lhs + done + 4 * n);                 \
        if (HLO_STEP(1)) y = wasm_v128_load(rhs + done + 4 * n);                 \
        masks[n] = vector(x, y);                                                 \
      }                                                                          \
      wasm_v128_store(out + done, hlo_pred_of_masks(masks[0], masks[1], masks[2], masks[3])); \
    }                                                                            \
    HLO_REST(name, 2, sizeof(type), 1);                                          \
  }

#endif
