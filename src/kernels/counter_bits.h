/* Random bits from counters: what reference/random_bits.h defines, four counters at a time.
 *
 * key, counter  of counters counter, counter + 1, ...: those of Philox have 128 bits, low word first
 * words         of each counter: two of Threefry, four of Philox; word w of counter i is words[w][i]
 * count         of counters; a multiple of 4
 * Never fail, never allocate. */
#ifndef HLO_KERNELS_COUNTER_BITS_H
#define HLO_KERNELS_COUNTER_BITS_H

#include "base/checked.h"

enum { HLO_COUNTER_BLOCK = 256 }; /* counters, at most */

void hlo_threefry_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]);
void hlo_philox_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]);

#endif
