/* Counter-based generators of random bits: functions of a counter and a key.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#ifndef HLO_REFERENCE_OPS_RANDOM_BITS_H
#define HLO_REFERENCE_OPS_RANDOM_BITS_H

#include "shape/shape.h"

/* Threefry-2x32, 20 rounds. The low half of each number is its first word. */
uint64_t hlo_threefry(uint64_t key, uint64_t counter);

/* Philox-4x32, 10 rounds: a counter of 128 bits (two words, low first) gives four words. */
void hlo_philox(uint64_t key, const uint64_t counter[2], uint32_t words[4]);

/* The dimension that Threefry splits in rng-bit-generator: the first of even size, else the first of the largest size; -1 for
 * a scalar. */
int hlo_threefry_split_dimension(const hlo_shape *shape);

#endif
