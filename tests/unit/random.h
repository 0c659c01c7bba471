/* Random numbers of the unit tests, the same in every run: xorshift64 (Marsaglia, "Xorshift RNGs", 2003). */
#ifndef HLO_TESTS_RANDOM_H
#define HLO_TESTS_RANDOM_H

#include <stdint.h>

#define RANDOM_SEED 88172645463325252u

/* Not zero. */
static uint64_t random_state = RANDOM_SEED;

static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* From 0 to limit - 1. */
static inline int random_below(int limit) { return (int)(random_bits() % (uint64_t)limit); }

/* In [0, 1). */
static inline double random_unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }

/* In [-1, 1). */
static inline double random_signed(void) { return (double)(random_bits() >> 11) * 0x1p-52 - 1; }

#endif
