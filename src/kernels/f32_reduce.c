/* f32 reductions: rows with four vectors of running totals, columns sixteen (then four) at a time. */
#include "kernels/reduce_loops.h"
#include "kernels/simd128.h"

static inline float maximum(float x, float y) {
  if (x > y) return x;
  if (x < y) return y;
  return x == y ? (signbit(x) ? y : x) : x + y;
}

static inline float minimum(float x, float y) {
  if (x < y) return x;
  if (x > y) return y;
  return x == y ? (signbit(x) ? x : y) : x + y;
}

/* `operation` is over floats x, y; `vector` the instruction for four of them. */
#define F32_REDUCE(name, operation, vector)                                                          \
  HLO_REDUCE_SCALAR(name, float, operation)                                                          \
                                                                                                     \
  static inline float name##_block_f32x4(const float *in, int64_t depth) {                           \
    v128_t a = wasm_v128_load(in), b = wasm_v128_load(in + 4);                                       \
    v128_t c = wasm_v128_load(in + 8), d = wasm_v128_load(in + 12);                                  \
    for (const float *end = in + depth * HLO_REDUCE_LANES; (in += HLO_REDUCE_LANES) < end;) {        \
      a = vector(a, wasm_v128_load(in));                                                             \
      b = vector(b, wasm_v128_load(in + 4));                                                         \
      c = vector(c, wasm_v128_load(in + 8));                                                         \
      d = vector(d, wasm_v128_load(in + 12));                                                        \
    }                                                                                                \
    a = vector(vector(a, c), vector(b, d));                                                          \
    a = vector(a, wasm_i32x4_shuffle(a, a, 2, 3, 2, 3));                                             \
    float x = wasm_f32x4_extract_lane(a, 0), y = wasm_f32x4_extract_lane(a, 1);                      \
    return (operation);                                                                              \
  }                                                                                                  \
                                                                                                     \
  static void name##_rows_f32x4(const float *in, float *out, int64_t outer, int64_t reduced) {       \
    int64_t blocks = reduced / HLO_REDUCE_BLOCK, depth = reduced % HLO_REDUCE_BLOCK / HLO_REDUCE_LANES; \
    int64_t whole = blocks * HLO_REDUCE_BLOCK + depth * HLO_REDUCE_LANES;                            \
    for (int64_t o = 0; o < outer; o++, in += reduced) {                                             \
      float levels[HLO_REDUCE_LEVELS];                                                               \
      for (int64_t b = 0; b < blocks; b++)                                                           \
        name##_carry(levels, b, name##_block_f32x4(in + b * HLO_REDUCE_BLOCK, HLO_REDUCE_DEPTH));    \
      float part = depth ? name##_block_f32x4(in + blocks * HLO_REDUCE_BLOCK, depth) : 0;            \
      out[o] = name##_row_end(levels, blocks, depth > 0, part, in + whole, reduced - whole);         \
    }                                                                                                \
  }                                                                                                  \
                                                                                                     \
  static inline void name##_carry_f32x4(v128_t *levels, int64_t block, v128_t total) {               \
    int level = 0;                                                                                   \
    for (; block >> level & 1; level++) total = vector(levels[level], total);                        \
    levels[level] = total;                                                                           \
  }                                                                                                  \
                                                                                                     \
  static inline v128_t name##_total_f32x4(const v128_t *levels, int64_t blocks) {                    \
    int level = 0;                                                                                   \
    while (!(blocks >> level & 1)) level++;                                                          \
    v128_t total = levels[level];                                                                    \
    for (level++; blocks >> level; level++)                                                          \
      if (blocks >> level & 1) total = vector(levels[level], total);                                 \
    return total;                                                                                    \
  }                                                                                                  \
                                                                                                     \
  static void name##_16_columns(const float *in, float *out, int64_t reduced, int64_t inner) {       \
    v128_t levels[4][HLO_REDUCE_LEVELS];                                                             \
    int64_t block = 0;                                                                               \
    for (int64_t r = 0; r < reduced; block++) {                                                      \
      const float *row = in + r * inner;                                                             \
      v128_t a = wasm_v128_load(row), b = wasm_v128_load(row + 4);                                   \
      v128_t c = wasm_v128_load(row + 8), d = wasm_v128_load(row + 12);                              \
      int64_t end = r + HLO_REDUCE_LANES < reduced ? r + HLO_REDUCE_LANES : reduced;                 \
      for (r++; r < end; r++) {                                                                      \
        row += inner;                                                                                \
        a = vector(a, wasm_v128_load(row));                                                          \
        b = vector(b, wasm_v128_load(row + 4));                                                      \
        c = vector(c, wasm_v128_load(row + 8));                                                      \
        d = vector(d, wasm_v128_load(row + 12));                                                     \
      }                                                                                              \
      name##_carry_f32x4(levels[0], block, a);                                                       \
      name##_carry_f32x4(levels[1], block, b);                                                       \
      name##_carry_f32x4(levels[2], block, c);                                                       \
      name##_carry_f32x4(levels[3], block, d);                                                       \
    }                                                                                                \
    for (int n = 0; n < 4; n++) wasm_v128_store(out + 4 * n, name##_total_f32x4(levels[n], block));  \
  }                                                                                                  \
                                                                                                     \
  static void name##_4_columns(const float *in, float *out, int64_t reduced, int64_t inner) {        \
    v128_t levels[HLO_REDUCE_LEVELS];                                                                \
    int64_t block = 0;                                                                               \
    for (int64_t r = 0; r < reduced; block++) {                                                      \
      v128_t total = wasm_v128_load(in + r * inner);                                                 \
      int64_t end = r + HLO_REDUCE_LANES < reduced ? r + HLO_REDUCE_LANES : reduced;                 \
      for (r++; r < end; r++) total = vector(total, wasm_v128_load(in + r * inner));                 \
      name##_carry_f32x4(levels, block, total);                                                      \
    }                                                                                                \
    wasm_v128_store(out, name##_total_f32x4(levels, block));                                         \
  }                                                                                                  \
                                                                                                     \
  void hlo_##name##_simd128(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    assert(outer >= 0 && reduced > 0 && inner >= 0);                                                 \
    const float *from = in;                                                                          \
    float *to = out;                                                                                 \
    if (inner == 1) {                                                                                \
      name##_rows_f32x4(from, to, outer, reduced);                                                   \
      return;                                                                                        \
    }                                                                                                \
    for (int64_t o = 0; o < outer; o++, from += reduced * inner, to += inner) {                      \
      int64_t i = 0;                                                                                 \
      for (; i + 16 <= inner; i += 16) name##_16_columns(from + i, to + i, reduced, inner);          \
      for (; i + 4 <= inner; i += 4) name##_4_columns(from + i, to + i, reduced, inner);             \
      for (; i < inner; i++) to[i] = name##_column(from + i, reduced, inner);                        \
    }                                                                                                \
  }

F32_REDUCE(f32_reduce_add, x + y, wasm_f32x4_add)
F32_REDUCE(f32_reduce_multiply, x * y, wasm_f32x4_mul)
F32_REDUCE(f32_reduce_maximum, maximum(x, y), hlo_f32x4_max)
F32_REDUCE(f32_reduce_minimum, minimum(x, y), hlo_f32x4_min)
