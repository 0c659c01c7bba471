/* Reductions of all types as folds of vectors. Macros make the functions that know the operation; the others know only bytes. */
#include <assert.h>
#include <math.h>

#include "kernels/reduce/reduce.h"
#include "kernels/simd128.h"

enum {
  BLOCK_LANES = 16, BLOCK_DEPTH = 8, /* a block of a row: 8 elements for each of 16 lanes */
  RUN_ROWS = 16,                     /* a run of rows, of which columns are folded */
  LEVELS = 32,                       /* of the binary counter of totals */
  ROWS_AT_ONCE = 4,
  STRIP_BYTES = 4096,                /* of columns that are folded at once */
  VECTORS_BYTES = 64                 /* of the vectors that are folded side by side */
};

/* totals = first op row op row ...: each `width` bytes, the rows `stride` bytes apart. `totals` may be `first`. */
typedef void fold(char *totals, const char *first, const char *in, size_t rows, size_t stride, size_t width);
/* out[o] = op of the `count` elements that follow each other at in[o * count]. */
typedef void fold_rows(const char *in, char *out, size_t outer, size_t count);

/* The elements behind the last whole vector are folded one at a time, each in all lanes. */
#define FOLD(name, bits, operation)                                                                             \
  static void name(char *totals, const char *first, const char *in, size_t rows, size_t stride, size_t width) { \
    size_t i = 0;                                                                                               \
    for (; i + 64 <= width; i += 64) {                                                                          \
      v128_t a = wasm_v128_load(first + i), b = wasm_v128_load(first + i + 16);                                 \
      v128_t c = wasm_v128_load(first + i + 32), d = wasm_v128_load(first + i + 48);                            \
      const char *row = in + i;                                                                                 \
      for (size_t r = rows; r > 0; r--, row += stride) {                                                        \
        a = operation(a, wasm_v128_load(row)), b = operation(b, wasm_v128_load(row + 16));                      \
        c = operation(c, wasm_v128_load(row + 32)), d = operation(d, wasm_v128_load(row + 48));                 \
      }                                                                                                         \
      wasm_v128_store(totals + i, a), wasm_v128_store(totals + i + 16, b);                                      \
      wasm_v128_store(totals + i + 32, c), wasm_v128_store(totals + i + 48, d);                                 \
    }                                                                                                           \
    for (; i + 16 <= width; i += 16) {                                                                          \
      v128_t a = wasm_v128_load(first + i);                                                                     \
      const char *row = in + i;                                                                                 \
      for (size_t r = rows; r > 0; r--, row += stride) a = operation(a, wasm_v128_load(row));                   \
      wasm_v128_store(totals + i, a);                                                                           \
    }                                                                                                           \
    for (; i < width; i += (bits) / 8) {                                                                        \
      v128_t a = wasm_v128_load##bits##_splat(first + i);                                                       \
      const char *row = in + i;                                                                                 \
      for (size_t r = rows; r > 0; r--, row += stride) a = operation(a, wasm_v128_load##bits##_splat(row));     \
      wasm_v128_store##bits##_lane(totals + i, a, 0);                                                           \
    }                                                                                                           \
  }

/* ---- Rows of elements that follow each other ---- */

/* Folds vectors, then the halves of the one that is left, then the halves of those, until each lane has the total; bits: 64 or 32. */
#define FOLD_FOUR(totals, bits, operation)                                                                      \
  for (int n = 0; n < 2; n++) totals[n] = operation(totals[n], totals[n + 2]);                                  \
  totals[0] = operation(totals[0], totals[1]);                                                                  \
  totals[0] = operation(totals[0], wasm_i64x2_shuffle(totals[0], totals[0], 1, 0));                             \
  if ((bits) == 32) totals[0] = operation(totals[0], wasm_i32x4_shuffle(totals[0], totals[0], 1, 0, 3, 2));

/* Rows of an operation for which any order gives the same bits, by its fold of columns: four vectors at a time, then one, then single elements. */
static void fold_freely(fold *fold, size_t bytes, const char *in, char *out, size_t outer, size_t count) {
  size_t all = count * bytes, wide = all < 2 * VECTORS_BYTES ? 16 : VECTORS_BYTES, folded = all / wide * wide, vectors = (all - folded) / 16;
  char totals[VECTORS_BYTES] __attribute__((aligned(16)));
  for (; outer > 0; outer--, in += all, out += bytes) {
    if (all < 16) {
      fold(out, in, in + bytes, count - 1, bytes, bytes);
      continue;
    }
    fold(totals, in, in + wide, all / wide - 1, wide, wide);
    if (wide > 16) fold(totals, totals, totals + 16, 3, 16, 16);
    if (vectors > 0) fold(totals, totals, in + folded, vectors, 16, 16);
    fold(out, totals, totals + bytes, 16 / bytes - 1, bytes, bytes);
    fold(out, out, in + all / 16 * 16, all % 16 / bytes, bytes, bytes);
  }
}

/* Rows in the order of reduce.h. ROWS_AT_ONCE rows are folded block by block in turns, since several streams read memory faster than one.
 * Each row has a binary counter of totals. Its levels are combined from the lowest up; then come the groups of sixteen that fill no block,
 * and then single elements. */
#define FOLD_IN_ORDER(name, bits, operation)                                                                    \
  /* The total of `depth` times sixteen elements. */                                                                         \
  static inline v128_t name##_block(const char *in, size_t depth) {                                             \
    enum { VECTORS = BLOCK_LANES * (bits) / 128 };                                                              \
    v128_t totals[8];                                                                                           \
    for (int n = 0; n < VECTORS; n++) totals[n] = wasm_v128_load(in + 16 * n);                                  \
    while (in += 16 * VECTORS, --depth > 0)                                                                     \
      for (int n = 0; n < VECTORS; n++) totals[n] = operation(totals[n], wasm_v128_load(in + 16 * n));          \
    for (int n = 0; n < VECTORS - 4; n++) totals[n] = operation(totals[n], totals[n + 4]);                      \
    FOLD_FOUR(totals, bits, operation)                                                                          \
    return totals[0];                                                                                           \
  }                                                                                                             \
  static void name(const char *in, char *out, size_t outer, size_t count) {                                     \
    enum { BYTES = (bits) / 8, BLOCK = BLOCK_LANES * BLOCK_DEPTH };                                             \
    size_t blocks = count / BLOCK, sixteens = count % BLOCK / BLOCK_LANES;                                      \
    for (size_t rows; outer > 0; outer -= rows, in += rows * count * BYTES) {                                   \
      v128_t levels[ROWS_AT_ONCE][LEVELS], total, rest;                                                         \
      rows = outer < ROWS_AT_ONCE ? outer : ROWS_AT_ONCE;                                                       \
      for (size_t block = 0; block < blocks; block++)                                                           \
        for (size_t r = 0; r < rows; r++) {                                                                     \
          int level = 0;                                                                                        \
          total = name##_block(in + (r * count + block * BLOCK) * BYTES, BLOCK_DEPTH);                          \
          for (; block >> level & 1; level++) total = operation(levels[r][level], total);                       \
          levels[r][level] = total;                                                                             \
        }                                                                                                       \
      for (size_t r = 0; r < rows; r++, out += BYTES) {                                                         \
        const char *left = in + (r * count + blocks * BLOCK) * BYTES;                                           \
        if (sixteens > 0) rest = name##_block(left, sixteens), left += sixteens * BLOCK_LANES * BYTES;          \
        size_t last = count % BLOCK_LANES;                                                                      \
        if (last > 0) {                                                                                         \
          total = wasm_v128_load##bits##_splat(left);                                                           \
          while (left += BYTES, --last > 0) total = operation(total, wasm_v128_load##bits##_splat(left));       \
          rest = sixteens == 0 ? total : operation(rest, total);                                                \
        }                                                                                                       \
        bool begun = false;                                                                                     \
        for (int level = 0; blocks >> level; level++)                                                           \
          if (blocks >> level & 1) total = begun ? operation(levels[r][level], total) : levels[r][level], begun = true; \
        if (count % BLOCK > 0) total = begun ? operation(total, rest) : rest;                                   \
        wasm_v128_store##bits##_lane(out, total, 0);                                                            \
      }                                                                                                         \
    }                                                                                                           \
  }

/* ---- Columns ---- */

/* Folds columns, at most STRIP_BYTES of them, in runs of rows, whose totals are carried as they are made. */
static void fold_columns(fold *fold, const char *in, char *out, size_t rows, size_t stride, size_t width) {
  char levels[LEVELS][STRIP_BYTES] __attribute__((aligned(16)));
  size_t runs = 0;
  for (; rows > RUN_ROWS; rows -= RUN_ROWS, runs++, in += RUN_ROWS * stride) {
    int level = 0;
    while (runs >> level & 1) level++;
    fold(levels[level], in, in + stride, RUN_ROWS - 1, stride, width);
    if (level > 0) fold(levels[level], levels[level], *levels, (size_t)level, STRIP_BYTES, width);
  }
  fold(out, in, in + stride, rows - 1, stride, width);
  for (int level = 0; runs >> level; level++)
    if (runs >> level & 1) fold(out, out, levels[level], 1, 0, width);
}

/* ---- Rows or columns ---- */

/* rows: NULL: any order gives the same bits. */
static void reduce(fold *fold, fold_rows *rows, size_t bytes, const char *in, char *out, int64_t outer, int64_t reduced,
                   int64_t inner) {
  assert(outer >= 0 && reduced > 0 && inner >= 0);
  if (inner == 1) {
    if (rows) rows(in, out, (size_t)outer, (size_t)reduced);
    else fold_freely(fold, bytes, in, out, (size_t)outer, (size_t)reduced);
    return;
  }
  size_t width = (size_t)inner * bytes;
  for (; outer > 0; outer--, in += (size_t)reduced * width, out += width)
    for (size_t i = 0; i < width; i += STRIP_BYTES)
      fold_columns(fold, in + i, out + i, (size_t)reduced, width, width - i < STRIP_BYTES ? width - i : STRIP_BYTES);
}

#define REDUCE(name, bits, fold, rows)                                                                          \
  void hlo_##name##_simd128(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) {         \
    reduce(fold, rows, (bits) / 8, in, out, outer, reduced, inner);                                             \
  }

#define ORDERED_REDUCE(name, bits, operation)                                                                   \
  FOLD(name##_fold, bits, operation)                                                                            \
  FOLD_IN_ORDER(name##_rows, bits, operation)                                                                   \
  REDUCE(name, bits, name##_fold, name##_rows)

ORDERED_REDUCE(f32_reduce_add, 32, wasm_f32x4_add)
ORDERED_REDUCE(f32_reduce_multiply, 32, wasm_f32x4_mul)
ORDERED_REDUCE(f64_reduce_add, 64, wasm_f64x2_add)
ORDERED_REDUCE(f64_reduce_multiply, 64, wasm_f64x2_mul)

/* Engines make one instruction of x < y ? y : x, and about eight of a maximum that heeds NaN and the signs of zeros. The short form is
 * used, with a sum beside it that becomes NaN if an element is. Where the result is zero or the sum is NaN (which two infinities give,
 * too), the exact form does it again. */
static inline v128_t is_doubtful(v128_t most, v128_t sum) {
  return wasm_v128_or(wasm_f32x4_ne(sum, sum), wasm_f32x4_eq(most, wasm_f32x4_splat(0)));
}

/* most, sums = the extremes and sums of `count` columns of vectors (16 bytes each, or one element in all lanes), from `first` and all
 * rows. */
#define ADD_EXTREMES(short, count, load)                                                                        \
  for (int n = 0; n < (count); n++) most[n] = sums[n] = load(first + 16 * n);                                   \
  const char *row = in;                                                                                         \
  for (size_t r = rows; r > 0; r--, row += stride)                                                              \
    for (int n = 0; n < (count); n++) {                                                                         \
      v128_t x = load(row + 16 * n);                                                                            \
      most[n] = short(most[n], x), sums[n] = wasm_f32x4_add(sums[n], x);                                        \
    }                                                                                                           \
  v128_t doubts = is_doubtful(most[0], sums[0]);                                                                \
  for (int n = 1; n < (count); n++) doubts = wasm_v128_or(doubts, is_doubtful(most[n], sums[n]));

#define EXTREME_REDUCE(name, exact, short)                                                                      \
  FOLD(name##_exact_fold, 32, exact)                                                                            \
  static void name##_fold(char *totals, const char *first, const char *in, size_t rows, size_t stride, size_t width) { \
    while (width > 0) {                                                                                         \
      size_t bytes = width < VECTORS_BYTES ? 4 : VECTORS_BYTES;                                                 \
      v128_t most[4], sums[4];                                                                                  \
      if (bytes == 4) {                                                                                         \
        ADD_EXTREMES(short, 1, wasm_v128_load32_splat)                                                          \
        if (wasm_v128_any_true(doubts)) name##_exact_fold(totals, first, in, rows, stride, bytes);              \
        else wasm_v128_store32_lane(totals, most[0], 0);                                                        \
      } else {                                                                                                  \
        ADD_EXTREMES(short, 4, wasm_v128_load)                                                                  \
        if (wasm_v128_any_true(doubts)) name##_exact_fold(totals, first, in, rows, stride, bytes);              \
        else for (int n = 0; n < 4; n++) wasm_v128_store(totals + 16 * n, most[n]);                             \
      }                                                                                                         \
      width -= bytes, totals += bytes, first += bytes, in += bytes;                                             \
    }                                                                                                           \
  }                                                                                                             \
  static void name##_rows(const char *in, char *out, size_t outer, size_t count) {                              \
    for (; outer > 0; outer--, in += count * 4, out += 4) {                                                     \
      if (count < BLOCK_LANES) {                                                                                \
        name##_fold(out, in, in + 4, count - 1, 4, 4);                                                          \
        continue;                                                                                               \
      }                                                                                                         \
      v128_t most[4], sums[4];                                                                                  \
      for (int n = 0; n < 4; n++) most[n] = sums[n] = wasm_v128_load(in + 16 * n);                              \
      for (size_t i = BLOCK_LANES; i < count; i += BLOCK_LANES) {                                               \
        const char *from = in + 4 * (i + BLOCK_LANES <= count ? i : count - BLOCK_LANES); /* some may come twice */ \
        for (int n = 0; n < 4; n++) {                                                                           \
          v128_t x = wasm_v128_load(from + 16 * n);                                                             \
          most[n] = short(most[n], x), sums[n] = wasm_f32x4_add(sums[n], x);                                    \
        }                                                                                                       \
      }                                                                                                         \
      FOLD_FOUR(most, 32, short)                                                                                \
      FOLD_FOUR(sums, 32, wasm_f32x4_add)                                                                       \
      float told = wasm_f32x4_extract_lane(most[0], 0), sum = wasm_f32x4_extract_lane(sums[0], 0);              \
      if (told == 0 || isnan(sum)) fold_freely(name##_exact_fold, 4, in, out, 1, count);                        \
      else wasm_v128_store32_lane(out, most[0], 0);                                                             \
    }                                                                                                           \
  }                                                                                                             \
  REDUCE(name, 32, name##_fold, name##_rows)

EXTREME_REDUCE(f32_reduce_maximum, hlo_f32x4_max, wasm_f32x4_pmax)
EXTREME_REDUCE(f32_reduce_minimum, hlo_f32x4_min, wasm_f32x4_pmin)

#define FREE_REDUCE(name, bits, operation)                                                                      \
  FOLD(name##_fold, bits, operation)                                                                            \
  REDUCE(name, bits, name##_fold, NULL)

static inline v128_t s64x2_max(v128_t x, v128_t y) { return wasm_v128_bitselect(x, y, wasm_i64x2_gt(x, y)); }
static inline v128_t s64x2_min(v128_t x, v128_t y) { return wasm_v128_bitselect(y, x, wasm_i64x2_gt(x, y)); }

FREE_REDUCE(f64_reduce_maximum, 64, hlo_f64x2_max)
FREE_REDUCE(f64_reduce_minimum, 64, hlo_f64x2_min)
FREE_REDUCE(i32_reduce_add, 32, wasm_i32x4_add)
FREE_REDUCE(i32_reduce_multiply, 32, hlo_i32x4_mul)
FREE_REDUCE(s32_reduce_maximum, 32, wasm_i32x4_max)
FREE_REDUCE(s32_reduce_minimum, 32, wasm_i32x4_min)
FREE_REDUCE(u32_reduce_maximum, 32, wasm_u32x4_max)
FREE_REDUCE(u32_reduce_minimum, 32, wasm_u32x4_min)
FREE_REDUCE(i64_reduce_add, 64, wasm_i64x2_add)
FREE_REDUCE(i64_reduce_multiply, 64, wasm_i64x2_mul)
FREE_REDUCE(s64_reduce_maximum, 64, s64x2_max)
FREE_REDUCE(s64_reduce_minimum, 64, s64x2_min)
FREE_REDUCE(pred_reduce_and, 8, wasm_v128_and)
FREE_REDUCE(pred_reduce_or, 8, wasm_v128_or)
FREE_REDUCE(pred_reduce_xor, 8, wasm_v128_xor)

/* Bits are folded alike in elements of any size. */
REDUCE(i32_reduce_and, 32, pred_reduce_and_fold, NULL)
REDUCE(i32_reduce_or, 32, pred_reduce_or_fold, NULL)
REDUCE(i32_reduce_xor, 32, pred_reduce_xor_fold, NULL)
REDUCE(i64_reduce_and, 64, pred_reduce_and_fold, NULL)
REDUCE(i64_reduce_or, 64, pred_reduce_or_fold, NULL)
REDUCE(i64_reduce_xor, 64, pred_reduce_xor_fold, NULL)
