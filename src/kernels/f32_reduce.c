/* f32 reductions: rows with four vectors of running totals; columns in strips that stay in the cache, sixteen (then four) at a
 * time through a run of rows. */
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
  /* A run of up to 16 rows of some vectors of columns, carried into the levels like a block of a counter. */ \
  static inline void name##_run_f32x4(float (*levels)[HLO_REDUCE_WIDTH], int level, const float *in, int64_t i, int64_t rows, \
                                      int64_t inner, int vectors) {                                  \
    v128_t totals[4];                                                                                \
    for (int n = 0; n < vectors; n++) totals[n] = wasm_v128_load(in + i + 4 * n);                    \
    for (int64_t r = 1; r < rows; r++)                                                               \
      for (int n = 0; n < vectors; n++) totals[n] = vector(totals[n], wasm_v128_load(in + r * inner + i + 4 * n)); \
    for (int l = 0; l < level; l++)                                                                  \
      for (int n = 0; n < vectors; n++) totals[n] = vector(wasm_v128_load(levels[l] + i + 4 * n), totals[n]); \
    for (int n = 0; n < vectors; n++) wasm_v128_store(levels[level] + i + 4 * n, totals[n]);         \
  }                                                                                                  \
                                                                                                     \
  /* As name##_columns does; `width` is a multiple of four. */                                       \
  static void name##_columns_f32x4(const float *in, float *out, int64_t reduced, int64_t inner, int64_t width) { \
    float levels[HLO_REDUCE_LEVELS][HLO_REDUCE_WIDTH];                                               \
    int64_t block = 0;                                                                               \
    for (int64_t r = 0; r < reduced; r += HLO_REDUCE_LANES, block++, in += HLO_REDUCE_LANES * inner) { \
      int64_t rows = reduced - r < HLO_REDUCE_LANES ? reduced - r : HLO_REDUCE_LANES, i = 0;         \
      int level = 0;                                                                                 \
      while (block >> level & 1) level++;                                                            \
      for (; i + 16 <= width; i += 16) name##_run_f32x4(levels, level, in, i, rows, inner, 4);       \
      for (; i < width; i += 4) name##_run_f32x4(levels, level, in, i, rows, inner, 1);              \
    }                                                                                                \
    int lowest = 0;                                                                                  \
    while (!(block >> lowest & 1)) lowest++;                                                         \
    for (int64_t i = 0; i < width; i += 4) {                                                         \
      v128_t total = wasm_v128_load(levels[lowest] + i);                                             \
      for (int level = lowest + 1; block >> level; level++)                                          \
        if (block >> level & 1) total = vector(wasm_v128_load(levels[level] + i), total);            \
      wasm_v128_store(out + i, total);                                                               \
    }                                                                                                \
  }                                                                                                  \
  void hlo_##name##_simd128(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    assert(outer >= 0 && reduced > 0 && inner >= 0);                                                 \
    const float *from = in;                                                                          \
    float *to = out;                                                                                 \
    if (inner == 1) {                                                                                \
      name##_rows_f32x4(from, to, outer, reduced);                                                   \
      return;                                                                                        \
    }                                                                                                \
    for (int64_t o = 0; o < outer; o++, from += reduced * inner, to += inner) {                      \
      int64_t whole = inner & ~(int64_t)3;                                                           \
      for (int64_t i = 0; i < whole; i += HLO_REDUCE_WIDTH)                                          \
        name##_columns_f32x4(from + i, to + i, reduced, inner, whole - i < HLO_REDUCE_WIDTH ? whole - i : HLO_REDUCE_WIDTH); \
      if (whole < inner) name##_columns(from + whole, to + whole, reduced, inner, inner - whole);    \
    }                                                                                                \
  }

F32_REDUCE(f32_reduce_add, x + y, wasm_f32x4_add)
F32_REDUCE(f32_reduce_multiply, x * y, wasm_f32x4_mul)
F32_REDUCE(f32_reduce_maximum, maximum(x, y), hlo_f32x4_max)
F32_REDUCE(f32_reduce_minimum, minimum(x, y), hlo_f32x4_min)
