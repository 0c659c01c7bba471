#include "kernels/integer_combine.h"

static inline uint64_t combine(const hlo_integer_combine *how, uint64_t a, uint64_t b) {
  int unused = 64 - 8 * how->bytes; /* by so many bits numbers are moved up, to be compared with their signs */
  bool greater = how->is_signed ? (int64_t)(a << unused) > (int64_t)(b << unused) : a > b;
  switch (how->op) {
  case HLO_INTEGER_ADD: return a + b;
  case HLO_INTEGER_MULTIPLY: return a * b;
  case HLO_INTEGER_MAXIMUM: return greater ? a : b;
  case HLO_INTEGER_MINIMUM: return greater ? b : a;
  case HLO_INTEGER_AND: return a & b;
  case HLO_INTEGER_OR: return a | b;
  case HLO_INTEGER_XOR: return a ^ b;
  default: return b;
  }
}

#define COMBINE(type) \
  for (int64_t i = 0; i < count; i++) ((type *)out)[i] = (type)combine(how, ((const type *)a)[i], ((const type *)b)[i]);

void hlo_integers_combine(const hlo_integer_combine *how, const char *a, const char *b, char *out, int64_t count) {
  switch (how->bytes) {
  case 1: COMBINE(uint8_t) return;
  case 2: COMBINE(uint16_t) return;
  case 4: COMBINE(uint32_t) return;
  default: COMBINE(uint64_t) return;
  }
}
