/* rng-bit-generator: random bits of Threefry or Philox, and the state after them. reference/ops/rng_bit_generator.c defines which word
 * goes where.
 *
 * operands  the state, u64[state_words]: a key, a counter of one word or two, low word first, and words that are only passed on; and the
 *           array of bits, to be written
 * result    the next state; may lie over the state
 * scratch   none
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_RANDOM_RNG_RUN_H
#define HLO_KERNELS_RANDOM_RNG_RUN_H

#include "kernels/step_function.h"

typedef struct hlo_rng_parameters {
  bool is_philox;    /* else Threefry */
  int state_words;   /* at least 2 */
  int element_bytes; /* 1, 2 or 4: the low bytes of a word; an element of 8 bytes counts as two of 4 */
  int64_t count;     /* Philox: elements, four for each counter */
  /* Threefry: counters run over [outer, half, inner], and elements over [outer, size, inner]. The words of counter (o, h, i) are
   * elements (o, 2h, i) and (o, 2h + 1, i); half is size / 2, rounded up */
  int64_t outer, size, half, inner;
} hlo_rng_parameters;

/* Parameters: a hlo_rng_parameters. */
hlo_shared_step_function hlo_rng_run;

#endif
