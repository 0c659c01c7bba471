#include "kernels/random/rng_run.h"

#include <string.h>

#include "base/ranges.h"
#include "base/team.h"
#include "kernels/random/counter_bits.h"

#define PUT(type) \
  for (int64_t i = 0; i < count; i++) ((type *)result)[at + i * stride] = (type)words[i]

/* Writes the low bytes of `count` words to every stride-th element from element `at` on. */
static void put(void *result, int bytes, int64_t at, int64_t stride, const uint32_t *words, int64_t count) {
  switch (bytes) {
  case 1: PUT(uint8_t); break;
  case 2: PUT(uint16_t); break;
  default: PUT(uint32_t); break;
  }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Writes the words of counters first to first + count - 1 of Threefry, by runs of counters whose elements lie evenly apart. */
static void put_pairs(const hlo_rng_parameters *p, int64_t first, int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK], void *result) {
  bool splits_last = p->inner == 1; /* the split dimension is the last one: the words of a counter are neighbours */
  int64_t line = splits_last ? p->half : p->inner;
  for (int64_t done = 0, run; done < count; done += run) {
    int64_t i = first + done, after = i % p->inner, pair = i / p->inner % p->half, before = i / p->inner / p->half;
    int64_t at = (before * p->size + 2 * pair) * p->inner + after;
    run = least(count - done, line - i % line);
    int64_t stride = splits_last ? 2 : 1, second = run;
    if (p->size % 2 && splits_last && pair + run == p->half) second = run - 1; /* an odd size has no room for the last second words */
    if (p->size % 2 && !splits_last && pair + 1 == p->half) second = 0;
    put(result, p->element_bytes, at, stride, words[0] + done, run);
    put(result, p->element_bytes, at + p->inner, stride, words[1] + done, second);
  }
}

/* The counters of a run, which threads share, and where their words go. */
typedef struct counting {
  const hlo_rng_parameters *p;
  uint64_t key, counter[2];
  void *output;
} counting;

/* Adds to a counter of 128 bits. */
static void count_on(uint64_t *counter, int64_t count) {
  counter[0] += (uint64_t)count;
  counter[1] += counter[0] < (uint64_t)count;
}

static void put_counters(const void *context, int64_t first, int64_t count, int thread) {
  const counting *c = context;
  const hlo_rng_parameters *p = c->p;
  uint32_t words[4][HLO_COUNTER_BLOCK];
  uint64_t counter[2] = {c->counter[0], c->counter[1]};
  count_on(counter, first);
  for (int64_t done = first, block; done < first + count; done += block) {
    block = least(first + count - done, HLO_COUNTER_BLOCK);
    int64_t whole = (block + 3) / 4 * 4;
    if (p->is_philox) {
      hlo_philox_simd128(c->key, counter, whole, words);
      for (int w = 0; w < 4; w++)
        put(c->output, p->element_bytes, 4 * done + w, 4, words[w], least(block, (p->count - 4 * done - w + 3) / 4));
    } else {
      hlo_threefry_simd128(c->key, counter, whole, words);
      put_pairs(p, done, block, words, c->output);
    }
    count_on(counter, block);
  }
}

void hlo_rng_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_rng_parameters *p = parameters;
  uint64_t state[3] = {0};
  memcpy(state, operands[0], (size_t)least(p->state_words, 3) * sizeof *state);
  counting c = {p, state[0], {state[1], p->state_words > 2 ? state[2] : state[0]}, (void *)operands[1]};
  int64_t counters = p->is_philox ? (p->count + 3) / 4 : p->outer * p->half * p->inner;
  hlo_ranges_run(team, counters, HLO_COUNTER_BLOCK, (double)counters * 8, put_counters, &c);
  count_on(c.counter, counters);
  memmove(result, operands[0], (size_t)p->state_words * sizeof *state);
  state[1] = c.counter[0];
  if (p->is_philox && p->state_words > 2) state[2] = c.counter[1];
  memcpy(result, state, (size_t)least(p->state_words, 3) * sizeof *state);
}
