/* Random bits from counters, as reference/ops/random_bits.h defines them, of four counters at a time.
 *
 * key      the key for all counters
 * counter  the first counter, 128 bits, low word first; Threefry uses the low 64 bits. The others count on from it
 * count    how many counters: a multiple of 4, at most HLO_COUNTER_BLOCK
 * words    word w of counter i is words[w][i]: Threefry gives two words for each counter, Philox four
 * Never fail, never allocate. */
#ifndef HLO_KERNELS_RANDOM_COUNTER_BITS_H
#define HLO_KERNELS_RANDOM_COUNTER_BITS_H

#include <stdint.h>

enum { HLO_COUNTER_BLOCK = 256 };

void hlo_threefry_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]);
void hlo_philox_simd128(uint64_t key, const uint64_t counter[2], int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK]);

#endif
