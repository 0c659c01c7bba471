#include "kernels/bits_combine.h"

#include "kernels/simd128.h"

/* A number as one to be compared with its sign. Floats of one sign are ordered as their bits; NaN is beyond all numbers, on the side that is asked for. */
static inline int64_t order_of(const hlo_bits_combine *how, uint64_t number) {
  int unused = 64 - 8 * how->bytes;
  int64_t moved = (int64_t)(number << unused), magnitude = moved & INT64_MAX;
  if (!how->greatest) return how->is_signed ? moved : moved ^ INT64_MIN;
  if (magnitude > (int64_t)(how->greatest << unused)) return how->op == HLO_BITS_MAXIMUM ? INT64_MAX : INT64_MIN;
  return moved < 0 ? ~magnitude : magnitude;
}

static inline bool is_greater(const hlo_bits_combine *how, uint64_t a, uint64_t b) { return order_of(how, a) > order_of(how, b); }

static inline uint64_t combine(const hlo_bits_combine *how, uint64_t a, uint64_t b) {
  switch (how->op) {
  case HLO_BITS_ADD: return a + b;
  case HLO_BITS_MULTIPLY: return a * b;
  case HLO_BITS_MAXIMUM: return is_greater(how, a, b) ? a : b;
  case HLO_BITS_MINIMUM: return is_greater(how, a, b) ? b : a;
  case HLO_BITS_AND: return a & b;
  case HLO_BITS_OR: return a | b;
  case HLO_BITS_XOR: return a ^ b;
  default: return b;
  }
}

/* The numbers of order_of(), of eight floats of 16 bits; `beyond`: that of NaN. */
static inline v128_t order_of_halves(v128_t x, v128_t greatest, v128_t beyond) {
  v128_t magnitude = wasm_v128_and(x, wasm_i16x8_splat(INT16_MAX)), order = wasm_v128_xor(x, wasm_u16x8_shr(wasm_i16x8_shr(x, 15), 1));
  return wasm_v128_bitselect(beyond, order, wasm_i16x8_gt(magnitude, greatest));
}

/* Combines floats of 16 bits, eight at a time; returns how many. */
static int64_t combine_halves(const hlo_bits_combine *how, const uint16_t *a, const uint16_t *b, uint16_t *out, int64_t count) {
  bool least = how->op == HLO_BITS_MINIMUM;
  v128_t greatest = wasm_i16x8_splat((int16_t)how->greatest), beyond = wasm_i16x8_splat(least ? INT16_MIN : INT16_MAX);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    v128_t x = wasm_v128_load(a + i), y = wasm_v128_load(b + i), greater = wasm_i16x8_gt(order_of_halves(x, greatest, beyond), order_of_halves(y, greatest, beyond));
    wasm_v128_store(out + i, least ? wasm_v128_bitselect(y, x, greater) : wasm_v128_bitselect(x, y, greater));
  }
  return i;
}

#define COMBINE(type) \
  for (; i < count; i++) ((type *)out)[i] = (type)combine(how, ((const type *)a)[i], ((const type *)b)[i]);

void hlo_combine_bits(const hlo_bits_combine *how, const char *a, const char *b, char *out, int64_t count) {
  int64_t i = how->greatest && how->bytes == 2 ? combine_halves(how, (const uint16_t *)a, (const uint16_t *)b, (uint16_t *)out, count) : 0;
  switch (how->bytes) {
  case 1: COMBINE(uint8_t) return;
  case 2: COMBINE(uint16_t) return;
  case 4: COMBINE(uint32_t) return;
  default: COMBINE(uint64_t) return;
  }
}

#define COMBINE_AT(type)                                                          \
  for (int i = 0; i < count; i++, b += apart) {                                   \
    if (places[i] < 0) continue;                                                  \
    type *a = (type *)(array + places[i]);                                        \
    *a = (type)combine(how, *a, *(const type *)b);                                \
  }

void hlo_combine_bits_at(const hlo_bits_combine *how, char *array, const ptrdiff_t *places, int count, const char *b, ptrdiff_t apart) {
  switch (how->bytes) {
  case 1: COMBINE_AT(uint8_t) return;
  case 2: COMBINE_AT(uint16_t) return;
  case 4: COMBINE_AT(uint32_t) return;
  default: COMBINE_AT(uint64_t) return;
  }
}
