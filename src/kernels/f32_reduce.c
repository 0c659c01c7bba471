/* f32 reductions: rows with four vectors of running totals; columns in strips that stay in the cache, sixteen (then four) at a
 * time through a run of rows. */
#ifdef __clang__
#define HLO_REDUCE_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#endif
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
#define F32_FOLDS(name, operation, vector)                                                           \
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
  }

/* `rows` folds rows, `columns` up to HLO_REDUCE_WIDTH columns, a multiple of four. */
#define F32_REDUCE(name, rows, columns)                                                              \
  void hlo_##name##_simd128(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    assert(outer >= 0 && reduced > 0 && inner >= 0);                                                 \
    const float *from = in;                                                                          \
    float *to = out;                                                                                 \
    if (inner == 1) {                                                                                \
      rows(from, to, outer, reduced);                                                                \
      return;                                                                                        \
    }                                                                                                \
    for (int64_t o = 0; o < outer; o++, from += reduced * inner, to += inner) {                      \
      int64_t whole = inner & ~(int64_t)3;                                                           \
      for (int64_t i = 0; i < whole; i += HLO_REDUCE_WIDTH)                                          \
        columns(from + i, to + i, reduced, inner, whole - i < HLO_REDUCE_WIDTH ? whole - i : HLO_REDUCE_WIDTH); \
      if (whole < inner) name##_columns(from + whole, to + whole, reduced, inner, inner - whole);    \
    }                                                                                                \
  }

F32_FOLDS(f32_reduce_add, x + y, wasm_f32x4_add)
F32_FOLDS(f32_reduce_multiply, x * y, wasm_f32x4_mul)

/* ---- Maximum and minimum ---- */

/* An engine has one instruction for x < y ? y : x, and about eight for a maximum that knows NaN and the signs of zeros. As the
 * order of folding does not matter, the short one is used, with a sum beside it that notices NaN; what comes out as zero or NaN is
 * looked at again. Minima are maxima of what is negated: `flip` is the sign bit. */
HLO_REDUCE_SCALAR(f32_reduce_maximum, float, maximum(x, y))
HLO_REDUCE_SCALAR(f32_reduce_minimum, float, minimum(x, y))

typedef struct extreme {
  v128_t most, sum;
} extreme;

static inline extreme extreme_begin(void) { return (extreme){wasm_f32x4_splat(-INFINITY), wasm_f32x4_splat(0)}; }

static inline extreme extreme_add(extreme e, const float *in, v128_t flip) {
  v128_t x = wasm_v128_xor(wasm_v128_load(in), flip);
  return (extreme){wasm_f32x4_pmax(e.most, x), wasm_f32x4_add(e.sum, x)};
}

static inline extreme extreme_join(extreme a, extreme b) {
  return (extreme){wasm_f32x4_pmax(a.most, b.most), wasm_f32x4_add(a.sum, b.sum)};
}

/* The extreme of `count` elements, `stride` apart, of which `most` and `sum` tell all but NaN and which zero. */
static float extreme_told(const float *in, int64_t count, int64_t stride, float most, float sum, uint32_t flip) {
  union {
    float number;
    uint32_t bits;
  } told = {.number = most};
  for (int64_t i = 0; i < count && isnan(sum); i++) /* it may be the sum of two infinities */
    if (isnan(in[i * stride])) return NAN;
  if (most == 0) {
    told.number = -0.0f;
    for (int64_t i = 0; i < count && told.bits; i++) {
      union {
        float number;
        uint32_t bits;
      } x = {.number = in[i * stride]};
      if (x.bits == flip) told.bits = 0;
    }
  }
  told.bits ^= flip;
  return told.number;
}

static void extreme_rows(const float *in, float *out, int64_t outer, int64_t reduced, uint32_t flip) {
  v128_t flips = wasm_i32x4_splat((int32_t)flip);
  for (int64_t o = 0; o < outer; o++, in += reduced) {
    extreme e[4] = {extreme_begin(), extreme_begin(), extreme_begin(), extreme_begin()};
    for (int64_t i = 0; i < reduced; i += HLO_REDUCE_LANES) {
      const float *from = in + (i + HLO_REDUCE_LANES <= reduced ? i : reduced - HLO_REDUCE_LANES); /* the last ones may come again */
      for (int n = 0; n < 4; n++) e[n] = extreme_add(e[n], from + 4 * n, flips);
    }
    extreme all = extreme_join(extreme_join(e[0], e[1]), extreme_join(e[2], e[3]));
    all = extreme_join(all, (extreme){wasm_i32x4_shuffle(all.most, all.most, 2, 3, 0, 1), wasm_i32x4_shuffle(all.sum, all.sum, 2, 3, 0, 1)});
    all = extreme_join(all, (extreme){wasm_i32x4_shuffle(all.most, all.most, 1, 0, 3, 2), wasm_i32x4_shuffle(all.sum, all.sum, 1, 0, 3, 2)});
    out[o] = extreme_told(in, reduced, 1, wasm_f32x4_extract_lane(all.most, 0), wasm_f32x4_extract_lane(all.sum, 0), flip);
  }
}

/* `vectors` vectors of columns through a run of rows. */
static inline void extreme_run(float *most, float *sums, const float *in, int64_t rows, int64_t inner, int vectors, v128_t flip) {
  extreme e[4];
  for (int n = 0; n < vectors; n++) e[n] = (extreme){wasm_v128_load(most + 4 * n), wasm_v128_load(sums + 4 * n)};
  for (int64_t r = 0; r < rows; r++, in += inner)
    for (int n = 0; n < vectors; n++) e[n] = extreme_add(e[n], in + 4 * n, flip);
  for (int n = 0; n < vectors; n++) wasm_v128_store(most + 4 * n, e[n].most), wasm_v128_store(sums + 4 * n, e[n].sum);
}

static void extreme_columns(const float *in, float *out, int64_t reduced, int64_t inner, int64_t width, uint32_t flip) {
  float most[HLO_REDUCE_WIDTH], sums[HLO_REDUCE_WIDTH];
  v128_t flips = wasm_i32x4_splat((int32_t)flip);
  for (int64_t i = 0; i < width; i++) most[i] = -INFINITY, sums[i] = 0;
  for (int64_t r = 0; r < reduced; r += HLO_REDUCE_LANES) {
    int64_t rows = reduced - r < HLO_REDUCE_LANES ? reduced - r : HLO_REDUCE_LANES, i = 0;
    for (; i + 16 <= width; i += 16) extreme_run(most + i, sums + i, in + r * inner + i, rows, inner, 4, flips);
    for (; i < width; i += 4) extreme_run(most + i, sums + i, in + r * inner + i, rows, inner, 1, flips);
  }
  for (int64_t i = 0; i < width; i++) out[i] = extreme_told(in + i, reduced, inner, most[i], sums[i], flip);
}

#define F32_EXTREME(name, flip)                                                                      \
  static void name##_short_rows(const float *in, float *out, int64_t outer, int64_t reduced) {       \
    if (reduced < HLO_REDUCE_LANES) name##_rows(in, out, outer, reduced);                            \
    else extreme_rows(in, out, outer, reduced, flip);                                                \
  }                                                                                                  \
  static void name##_short_columns(const float *in, float *out, int64_t reduced, int64_t inner, int64_t width) { \
    extreme_columns(in, out, reduced, inner, width, flip);                                           \
  }
F32_EXTREME(f32_reduce_maximum, 0)
F32_EXTREME(f32_reduce_minimum, 0x80000000u)

/* ---- All of them ---- */

F32_REDUCE(f32_reduce_add, f32_reduce_add_rows_f32x4, f32_reduce_add_columns_f32x4)
F32_REDUCE(f32_reduce_multiply, f32_reduce_multiply_rows_f32x4, f32_reduce_multiply_columns_f32x4)
F32_REDUCE(f32_reduce_maximum, f32_reduce_maximum_short_rows, f32_reduce_maximum_short_columns)
F32_REDUCE(f32_reduce_minimum, f32_reduce_minimum_short_rows, f32_reduce_minimum_short_columns)
