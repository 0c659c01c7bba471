/* Reductions of the types that have no SIMD kernel of their own. */
#include "kernels/reduce_loops.h"

static inline double maximum(double x, double y) {
  if (x > y) return x;
  if (x < y) return y;
  return x == y ? (signbit(x) ? y : x) : x + y;
}

static inline double minimum(double x, double y) {
  if (x < y) return x;
  if (x > y) return y;
  return x == y ? (signbit(x) ? x : y) : x + y;
}

HLO_REDUCE_SCALAR(f64_reduce_add, double, x + y)
HLO_REDUCE_SCALAR(f64_reduce_multiply, double, x * y)
HLO_REDUCE_SCALAR(f64_reduce_maximum, double, maximum(x, y))
HLO_REDUCE_SCALAR(f64_reduce_minimum, double, minimum(x, y))

#ifdef __clang__
#define TWO_VECTORS _Pragma("clang loop interleave_count(2)")
#define FOUR_VECTORS _Pragma("clang loop interleave_count(4)")
#else
#define TWO_VECTORS
#define FOUR_VECTORS
#endif

/* Integers give the same in any order: rows of the output are folded as wholes. Folding a row begins with `first`, which changes
 * nothing, and takes in the whole row: as a rule its length is one of whole vectors. */
#define INTEGER_REDUCE(name, type, first, operation, row_loop)                                       \
  void hlo_##name##_scalar(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    assert(outer >= 0 && reduced > 0 && inner >= 0);                                                 \
    const type *from = in;                                                                           \
    type *to = out;                                                                                  \
    for (int64_t o = 0; o < outer; o++, from += reduced * inner, to += inner) {                      \
      if (inner == 1) {                                                                              \
        type x = first;                                                                              \
        row_loop                                                                                     \
        for (int64_t r = 0; r < reduced; r++) {                                                      \
          type y = from[r];                                                                          \
          x = (operation);                                                                           \
        }                                                                                            \
        to[0] = x;                                                                                   \
        continue;                                                                                    \
      }                                                                                              \
      for (int64_t i = 0; i < inner; i++) to[i] = from[i];                                           \
      for (int64_t r = 1; r < reduced; r++)                                                          \
        for (int64_t i = 0; i < inner; i++) {                                                        \
          type x = to[i], y = from[r * inner + i];                                                   \
          to[i] = (operation);                                                                       \
        }                                                                                            \
    }                                                                                                \
  }

INTEGER_REDUCE(i32_reduce_add, uint32_t, 0, x + y, FOUR_VECTORS)
INTEGER_REDUCE(i32_reduce_multiply, uint32_t, 1, x * y, FOUR_VECTORS)
INTEGER_REDUCE(s32_reduce_maximum, int32_t, from[0], x > y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(s32_reduce_minimum, int32_t, from[0], x < y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(u32_reduce_maximum, uint32_t, from[0], x > y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(u32_reduce_minimum, uint32_t, from[0], x < y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(i64_reduce_add, uint64_t, 0, x + y, FOUR_VECTORS)
INTEGER_REDUCE(i64_reduce_multiply, uint64_t, 1, x * y, FOUR_VECTORS)
INTEGER_REDUCE(s64_reduce_maximum, int64_t, from[0], x > y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(s64_reduce_minimum, int64_t, from[0], x < y ? x : y, FOUR_VECTORS)
INTEGER_REDUCE(pred_reduce_and, uint8_t, from[0], (uint8_t)(x & y), TWO_VECTORS)
INTEGER_REDUCE(pred_reduce_or, uint8_t, from[0], (uint8_t)(x | y), TWO_VECTORS)
