/* rng-bit-generator: the bits and the next state that XLA's CPU backend gives, bit for bit.
 *
 * The state is u64[2] {key, counter}, or u64[3] {key, counter low, counter high}. Every element takes one 32-bit
 * word (narrower elements its low bits), or, if it has 64 bits, two words, low first.
 *
 * Philox (and the default): words come in order, four a counter. The counter has 128 bits; with a state of two
 * words its high half is the key, and only the low half is given back.
 *
 * Threefry: two words a counter. For elements of 64 bits, one counter each. For narrower ones a dimension is split in
 * two (the first one of even size, else the first of the largest, rounded up), [.., n, ..] into [.., n/2, 2, ..]: the
 * low words of the counters fill the first places of the pairs, the high words the second, counters running over the
 * halved array in row-major order. */
#include <string.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/ops/random_bits.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

static void set_bits(hlo_literal *literal, int64_t index, uint64_t bits) {
  hlo_type type = literal->shape->type;
  int bytes = hlo_type_bytes(type), width = hlo_type_bits(type);
  if (hlo_type_is_integral(type)) {
    hlo_literal_set_int(literal, index, (int64_t)bits); /* wraps */
    return;
  }
  if (width < 64) bits &= ((uint64_t)1 << width) - 1;
  memcpy((char *)literal->data + index * bytes, &bits, (size_t)bytes);
}

/* ---- Philox ---- */

static bool philox(hlo_evaluation *evaluation, uint64_t state[3], bool has_high, hlo_literal *output) {
  uint64_t counter[2] = {state[1], has_high ? state[2] : state[0]};
  int words_each = hlo_type_bits(output->shape->type) == 64 ? 2 : 1;
  int64_t count = hlo_shape_element_count(output->shape);
  for (int64_t i = 0; i < count;) {
    uint32_t words[4];
    if (!hlo_reference_tick(evaluation, 4)) return false;
    hlo_philox(state[0], counter, words);
    for (int w = 0; w < 4 && i < count; w += words_each, i++)
      set_bits(output, i, words_each == 2 ? (uint64_t)words[w + 1] << 32 | words[w] : words[w]);
    if (++counter[0] == 0) counter[1]++;
  }
  state[1] = counter[0];
  if (has_high) state[2] = counter[1];
  return true;
}

/* ---- Threefry ---- */

int hlo_threefry_split_dimension(const hlo_shape *shape) {
  int largest = -1;
  for (int i = 0; i < shape->rank; i++) {
    if (shape->dims[i] % 2 == 0) return i;
    if (largest < 0 || shape->dims[i] > shape->dims[largest]) largest = i;
  }
  return largest;
}

static bool threefry_narrow(hlo_evaluation *evaluation, uint64_t state[3], hlo_literal *output) {
  const hlo_shape *shape = output->shape;
  int dimension = hlo_threefry_split_dimension(shape);
  int64_t size = dimension < 0 ? 1 : shape->dims[dimension], half = (size + 1) / 2, inner = 1;
  for (int i = dimension + 1; i < shape->rank; i++) inner *= shape->dims[i];
  int64_t count = hlo_shape_element_count(shape), outer = size ? count / size / (inner ? inner : 1) : 0;
  for (int64_t i = 0; i < outer * half * inner; i++) {
    if (!hlo_reference_tick(evaluation, 2)) return false;
    uint64_t words = hlo_threefry(state[0], state[1] + (uint64_t)i);
    int64_t before = i / inner / half, pair = i / inner % half, after = i % inner;
    int64_t first = (before * size + 2 * pair) * inner + after;
    set_bits(output, first, (uint32_t)words);
    if (2 * pair + 1 < size) set_bits(output, first + inner, words >> 32);
  }
  state[1] += (uint64_t)(outer * half * inner);
  return true;
}

static bool threefry_wide(hlo_evaluation *evaluation, uint64_t state[3], hlo_literal *output) {
  int64_t count = hlo_shape_element_count(output->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    set_bits(output, i, hlo_threefry(state[0], state[1]++));
  }
  return true;
}

bool hlo_reference_rng_bit_generator(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                     const hlo_literal *const *operands, hlo_literal *result) {
  hlo_literal *next_state = result->elements[0], *output = result->elements[1];
  int words = (int)hlo_shape_element_count(next_state->shape);
  uint64_t state[3] = {0};
  for (int i = 0; i < words && i < 3; i++) state[i] = (uint64_t)hlo_literal_int(operands[0], i);
  int algorithm = hlo_instruction_enum(instruction, HLO_ATTR_rng_algorithm, HLO_rng_algorithm_rng_default);
  bool done = algorithm != HLO_rng_algorithm_rng_three_fry       ? philox(evaluation, state, words > 2, output)
              : hlo_type_bits(output->shape->type) == 64 ? threefry_wide(evaluation, state, output)
                                                         : threefry_narrow(evaluation, state, output);
  if (!done) return false;
  hlo_literal_assign(next_state, operands[0]);
  for (int i = 0; i < words && i < 3; i++) hlo_literal_set_int(next_state, i, (int64_t)state[i]);
  return true;
}
