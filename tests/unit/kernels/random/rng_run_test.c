/* rng-bit-generator's kernel against the definition of its generators, word by word: where words go for every order of dimensions and odd
 * sizes, that nothing is written behind the array, that states count on, and that a team gives the same. */
#include "kernels/random/rng_run.h"

#include "reference/ops/random_bits.h"
#include "threads.h"
#include "unit.h"

enum { MOST_BYTES = 1 << 16, GUARD = 0xA5 };

static hlo_team *team;

static uint32_t element(const uint8_t *array, int bytes, int64_t i) {
  uint32_t value = 0;
  memcpy(&value, array + i * bytes, (size_t)bytes);
  return value;
}

static uint32_t low_bytes(uint32_t word, int bytes) { return bytes == 4 ? word : word & ((1u << 8 * bytes) - 1); }

/* Runs the kernel over its own state; checks that the counter has gone on, and that bytes behind the elements are as they were. */
static void run(const hlo_rng_parameters *p, const uint64_t *state, int64_t elements, int64_t counters, hlo_team *by, uint8_t *array) {
  uint64_t next[3];
  memcpy(next, state, sizeof next);
  memset(array, GUARD, MOST_BYTES);
  hlo_rng_run(p, (const void *const[]){next, array}, next, NULL, by);
  CHECK(next[0] == state[0], "the key has changed");
  CHECK(next[1] == state[1] + (uint64_t)counters, "the counter is %llu", (unsigned long long)next[1]);
  bool carries = p->is_philox && next[1] < state[1];
  if (p->state_words > 2) CHECK(next[2] == state[2] + carries, "the counter's high word is %llu", (unsigned long long)next[2]);
  for (int64_t i = elements * p->element_bytes; i < MOST_BYTES; i++)
    if (array[i] != GUARD) {
      CHECK(false, "byte %d is written, behind the last of %d elements of %d", (int)i, (int)elements, p->element_bytes);
      return;
    }
}

static void check_threefry(int64_t outer, int64_t size, int64_t inner, int bytes) {
  static uint8_t alone[MOST_BYTES], shared[MOST_BYTES];
  const uint64_t state[3] = {0x0123456789ABCDEFu, UINT64_MAX - 3, 7};
  hlo_rng_parameters p = {.state_words = 2, .element_bytes = bytes, .outer = outer, .size = size, .half = (size + 1) / 2, .inner = inner};
  int64_t elements = outer * size * inner;
  run(&p, state, elements, outer * p.half * inner, NULL, alone);
  run(&p, state, elements, outer * p.half * inner, team, shared);
  CHECK(memcmp(alone, shared, MOST_BYTES) == 0, "[%d,%d,%d]: a team gives other bits", (int)outer, (int)size, (int)inner);
  for (int64_t e = 0; e < elements; e++) {
    int64_t i = e % inner, at = e / inner % size, counter = (e / inner / size * p.half + at / 2) * inner + i;
    uint64_t both = hlo_threefry(state[0], state[1] + (uint64_t)counter);
    uint32_t expected = low_bytes((uint32_t)(both >> 32 * (at % 2)), bytes);
    CHECK(element(alone, bytes, e) == expected, "[%d,%d,%d] of %d bytes: element %d", (int)outer, (int)size, (int)inner, bytes, (int)e);
  }
}

static void check_philox(int64_t count, int state_words, int bytes) {
  static uint8_t alone[MOST_BYTES], shared[MOST_BYTES];
  const uint64_t state[3] = {42, UINT64_MAX - 3, 7};
  hlo_rng_parameters p = {.is_philox = true, .state_words = state_words, .element_bytes = bytes, .count = count};
  run(&p, state, count, (count + 3) / 4, NULL, alone);
  run(&p, state, count, (count + 3) / 4, team, shared);
  CHECK(memcmp(alone, shared, MOST_BYTES) == 0, "%d elements: a team gives other bits", (int)count);
  for (int64_t e = 0; e < count; e++) {
    uint64_t low = state[1] + (uint64_t)(e / 4), high = (state_words > 2 ? state[2] : state[0]) + (low < state[1]);
    uint32_t words[4];
    hlo_philox(state[0], (const uint64_t[]){low, high}, words);
    CHECK(element(alone, bytes, e) == low_bytes(words[e % 4], bytes), "%d elements of %d bytes: element %d", (int)count, bytes, (int)e);
  }
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  team->least_nanoseconds = 0;
  for (int bytes = 1; bytes <= 4; bytes *= 2) {
    for (int64_t outer = 1; outer <= 3; outer++)
      for (int64_t size = 1; size <= 9; size++)
        for (int64_t inner = 1; inner <= 3; inner++) check_threefry(outer, size, inner, bytes);
    check_threefry(1, 3001, 1, bytes);
    check_threefry(3, 5, 301, bytes);
    check_threefry(5, 301, 3, bytes);
    for (int64_t count = 0; count <= 20; count++)
      for (int words = 2; words <= 3; words++) check_philox(count, words, bytes);
    check_philox(4099, 3, bytes);
  }
  threads_stop(&t);
  return unit_report();
}
