/* The order in which reductions fold, once for all types and operations.
 *
 * Blocks of HLO_REDUCE_BLOCK elements (or rows) are folded and then combined like the carries of a binary counter:
 * block totals 2^k apart meet at level k, which makes the whole a balanced tree. */
#ifndef HLO_KERNELS_REDUCE_LOOPS_H
#define HLO_KERNELS_REDUCE_LOOPS_H

#include <assert.h>
#include <math.h>

#include "kernels/reduce.h"

enum { HLO_REDUCE_LANES = 16, HLO_REDUCE_DEPTH = 8, HLO_REDUCE_BLOCK = 128, HLO_REDUCE_LEVELS = 40, HLO_REDUCE_WIDTH = 512 };

/* Before the loops that a compiler may make vectors of. A file whose vectors are its own keeps them small. */
#ifndef HLO_REDUCE_LOOP
#define HLO_REDUCE_LOOP
#endif

/* Sixteen lanes to one: halves meet, as four vectors of four do and then the two halves of a vector. */
#define HLO_FOLD_LANES(type, lanes, operation)                             \
  for (int half = HLO_REDUCE_LANES / 2; half > 0; half /= 2)               \
    HLO_REDUCE_LOOP for (int l = 0; l < half; l++) {                       \
      type x = lanes[l], y = lanes[l + half];                              \
      lanes[l] = (operation);                                              \
    }

#define HLO_REDUCE_SCALAR(name, type, operation)                                                     \
  /* A block of `depth` times sixteen elements, contiguous. */                                       \
  static inline type name##_block(const type *in, int64_t depth) {                                   \
    type lanes[HLO_REDUCE_LANES];                                                                    \
    HLO_REDUCE_LOOP for (int l = 0; l < HLO_REDUCE_LANES; l++) lanes[l] = in[l];                                     \
    for (int64_t d = 1; d < depth; d++)                                                              \
      HLO_REDUCE_LOOP for (int l = 0; l < HLO_REDUCE_LANES; l++) {                                   \
        type x = lanes[l], y = in[d * HLO_REDUCE_LANES + l];                                         \
        lanes[l] = (operation);                                                                      \
      }                                                                                              \
    HLO_FOLD_LANES(type, lanes, operation)                                                           \
    return lanes[0];                                                                                 \
  }                                                                                                  \
  /* A few elements, one after another. */                                                           \
  static inline type name##_run(const type *in, int64_t count, int64_t stride) {                     \
    type x = in[0];                                                                                  \
    for (int64_t i = 1; i < count; i++) {                                                            \
      type y = in[i * stride];                                                                       \
      x = (operation);                                                                               \
    }                                                                                                \
    return x;                                                                                        \
  }                                                                                                  \
  /* Adds one block's total to the counter, then folds the counter from its lowest level up. */      \
  static inline void name##_carry(type *levels, int64_t block, type x) {                             \
    int level = 0;                                                                                   \
    for (; block >> level & 1; level++) {                                                            \
      type y = x;                                                                                    \
      x = levels[level];                                                                             \
      x = (operation);                                                                               \
    }                                                                                                \
    levels[level] = x;                                                                               \
  }                                                                                                  \
  static inline type name##_total(const type *levels, int64_t blocks) {                              \
    int level = 0;                                                                                   \
    while (!(blocks >> level & 1)) level++;                                                          \
    type x = levels[level];                                                                          \
    for (level++; blocks >> level; level++)                                                          \
      if (blocks >> level & 1) {                                                                     \
        type y = x;                                                                                  \
        x = levels[level];                                                                           \
        x = (operation);                                                                             \
      }                                                                                              \
    return x;                                                                                        \
  }                                                                                                  \
  /* A row whose blocks are done: the sixteens that are left, given as `part`, and a few elements more. */ \
  static inline type name##_row_end(const type *levels, int64_t blocks, bool has_part, type part, const type *rest, int64_t count) { \
    type x = has_part ? part : 0, y = count ? name##_run(rest, count, 1) : 0;                        \
    x = !has_part ? y : count ? (operation) : x;                                                     \
    if (blocks == 0) return x;                                                                       \
    y = x;                                                                                           \
    x = name##_total(levels, blocks);                                                                \
    return has_part || count ? (operation) : x;                                                      \
  }                                                                                                  \
  static void name##_rows(const type *in, type *out, int64_t outer, int64_t reduced) {               \
    int64_t blocks = reduced / HLO_REDUCE_BLOCK, depth = reduced % HLO_REDUCE_BLOCK / HLO_REDUCE_LANES; \
    int64_t whole = blocks * HLO_REDUCE_BLOCK + depth * HLO_REDUCE_LANES;                            \
    for (int64_t o = 0; o < outer; o++, in += reduced) {                                             \
      type levels[HLO_REDUCE_LEVELS];                                                                \
      for (int64_t b = 0; b < blocks; b++)                                                           \
        name##_carry(levels, b, name##_block(in + b * HLO_REDUCE_BLOCK, HLO_REDUCE_DEPTH));          \
      type part = depth ? name##_block(in + blocks * HLO_REDUCE_BLOCK, depth) : 0;                   \
      out[o] = name##_row_end(levels, blocks, depth > 0, part, in + whole, reduced - whole);         \
    }                                                                                                \
  }                                                                                                  \
  /* Up to HLO_REDUCE_WIDTH columns: runs of 16 rows, whose totals are carried as they are made. */  \
  static void name##_columns(const type *in, type *out, int64_t reduced, int64_t inner, int64_t width) { \
    type levels[HLO_REDUCE_LEVELS][HLO_REDUCE_WIDTH], totals[HLO_REDUCE_WIDTH];                      \
    int64_t block = 0;                                                                               \
    for (int64_t r = 0; r < reduced; r += HLO_REDUCE_LANES, block++) {                               \
      HLO_REDUCE_LOOP for (int64_t i = 0; i < width; i++) totals[i] = in[r * inner + i];                             \
      for (int64_t n = r + 1; n < r + HLO_REDUCE_LANES && n < reduced; n++)                          \
        HLO_REDUCE_LOOP for (int64_t i = 0; i < width; i++) {                                                        \
          type x = totals[i], y = in[n * inner + i];                                                 \
          totals[i] = (operation);                                                                   \
        }                                                                                            \
      int level = 0;                                                                                 \
      for (; block >> level & 1; level++)                                                            \
        HLO_REDUCE_LOOP for (int64_t i = 0; i < width; i++) {                                                        \
          type x = levels[level][i], y = totals[i];                                                  \
          totals[i] = (operation);                                                                   \
        }                                                                                            \
      HLO_REDUCE_LOOP for (int64_t i = 0; i < width; i++) levels[level][i] = totals[i];                              \
    }                                                                                                \
    int level = 0;                                                                                   \
    while (!(block >> level & 1)) level++;                                                           \
    HLO_REDUCE_LOOP for (int64_t i = 0; i < width; i++) out[i] = levels[level][i];                                   \
    for (level++; block >> level; level++)                                                           \
      HLO_REDUCE_LOOP for (int64_t i = 0; i < width && (block >> level & 1); i++) {                                  \
        type x = levels[level][i], y = out[i];                                                       \
        out[i] = (operation);                                                                        \
      }                                                                                              \
  }                                                                                                  \
  void hlo_##name##_scalar(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    assert(outer >= 0 && reduced > 0 && inner >= 0);                                                 \
    const type *from = in;                                                                           \
    type *to = out;                                                                                  \
    if (inner == 1) {                                                                                \
      name##_rows(from, to, outer, reduced);                                                         \
      return;                                                                                        \
    }                                                                                                \
    for (int64_t o = 0; o < outer; o++)                                                              \
      for (int64_t i = 0; i < inner; i += HLO_REDUCE_WIDTH)                                          \
        name##_columns(from + o * reduced * inner + i, to + o * inner + i, reduced, inner,           \
                       inner - i < HLO_REDUCE_WIDTH ? inner - i : HLO_REDUCE_WIDTH);                 \
  }

#endif
