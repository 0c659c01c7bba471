/* Arithmetic that reports overflow: every function returns false on overflow and leaves *result undefined. */
#ifndef HLO_BASE_CHECKED_H
#define HLO_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool hlo_checked_add(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_add_overflow(a, b, result);
}
static inline bool hlo_checked_mul(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_mul_overflow(a, b, result);
}
/* Converts int64_t to size_t, which has 32 bits in WebAssembly. */
static inline bool hlo_checked_size(int64_t value, size_t *result) {
  *result = (size_t)value;
  return value >= 0 && (uint64_t)value <= (uint64_t)SIZE_MAX / 2;
}
static inline int64_t hlo_ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }
static inline int64_t hlo_round_up(int64_t value, int64_t step) { return hlo_ceil_div(value, step) * step; }

#endif
