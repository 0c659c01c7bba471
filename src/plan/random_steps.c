/* rng-bit-generator: reference/rng_bit_generator.c says which word goes where. */
#include <string.h>

#include "base/parts.h"
#include "kernels/counter_bits.h"
#include "plan/kernel_table.h"
#include "reference/random_bits.h"

typedef struct random_parameters {
  bool is_philox;
  int state_words;
  int element_bytes; /* 1, 2 or 4; those of 8 are twice as many of 4 */
  /* Philox: `count` elements. Threefry: its counters run over [outer, half, inner], their words go to places 2h and 2h + 1 of a
   * dimension of `size` */
  int64_t count, outer, size, half, inner;
} random_parameters;

#define PUT(type) \
  for (int64_t i = 0; i < count; i++) ((type *)result)[at + i * stride] = (type)words[i]

/* Every `stride`-th element, from `at` on. */
static void put(void *result, int bytes, int64_t at, int64_t stride, const uint32_t *words, int64_t count) {
  switch (bytes) {
  case 1: PUT(uint8_t); break;
  case 2: PUT(uint16_t); break;
  default: PUT(uint32_t); break;
  }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Counters from `first` on, of which `count` are asked for: as many lines, or parts of them, as they cover. */
static void put_pairs(const random_parameters *p, int64_t first, int64_t count, uint32_t words[4][HLO_COUNTER_BLOCK], void *result) {
  int64_t line = p->inner == 1 ? p->half : p->inner; /* of counters whose words are equally far apart */
  for (int64_t done = 0, run; done < count; done += run) {
    int64_t i = first + done, after = i % p->inner, pair = i / p->inner % p->half, before = i / p->inner / p->half;
    int64_t at = (before * p->size + 2 * pair) * p->inner + after;
    run = least(count - done, line - i % line);
    int64_t stride = p->inner == 1 ? 2 : 1, second = run;
    if (p->inner == 1 ? pair + run == p->half && p->size % 2 : 2 * pair + 1 == p->size) second = p->inner == 1 ? run - 1 : 0;
    put(result, p->element_bytes, at, stride, words[0] + done, run);
    put(result, p->element_bytes, at + p->inner, stride, words[1] + done, second);
  }
}

typedef struct counting {
  const random_parameters *p;
  uint64_t key, counter[2];
  void *output;
} counting;

static void count_on(uint64_t *counter, int64_t count) {
  counter[0] += (uint64_t)count;
  counter[1] += counter[0] < (uint64_t)count;
}

static void put_counters(const void *context, int64_t first, int64_t count, int thread) {
  const counting *c = context;
  const random_parameters *p = c->p;
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

static void run_random(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const random_parameters *p = parameters;
  uint64_t state[3] = {0};
  memcpy(state, operands[0], (size_t)least(p->state_words, 3) * sizeof *state);
  counting c = {p, state[0], {state[1], p->state_words > 2 ? state[2] : state[0]}, (void *)operands[1]};
  int64_t counters = p->is_philox ? (p->count + 3) / 4 : p->outer * p->half * p->inner;
  hlo_parts_run(team, counters, HLO_COUNTER_BLOCK, (double)counters * 8, put_counters, &c);
  count_on(c.counter, counters);
  memmove(result, operands[0], (size_t)p->state_words * sizeof *state);
  state[1] = c.counter[0];
  if (p->is_philox && p->state_words > 2) state[2] = c.counter[1];
  memcpy(result, state, (size_t)least(p->state_words, 3) * sizeof *state);
}

bool hlo_setup_random(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *state = hlo_kernel_operand(question, 0), *output = instruction->shape->elements[1];
  hlo_type type = output->type;
  bool is_wide = hlo_type_bits(type) == 64;
  if (state->type != HLO_TYPE_U64 || hlo_type_bits(type) < 8 || hlo_type_is_complex(type)) return false;
  random_parameters p = {.state_words = (int)hlo_shape_element_count(state), .element_bytes = is_wide ? 4 : hlo_type_bytes(type),
                         .count = hlo_shape_element_count(output) * (is_wide ? 2 : 1), .outer = 1, .inner = 1};
  p.is_philox = hlo_instruction_enum(instruction, HLO_ATTR_rng_algorithm, HLO_rng_algorithm_rng_default) != HLO_rng_algorithm_rng_three_fry;
  int split = is_wide ? -1 : hlo_threefry_split_dimension(output);
  p.size = is_wide ? p.count : split < 0 ? 1 : output->dims[split];
  p.half = (p.size + 1) / 2;
  if (!is_wide) p.outer = hlo_kernel_split(output, split, &p.inner);
  return p.state_words > 1 && HLO_RUN(question, choice, run_random, p);
}
