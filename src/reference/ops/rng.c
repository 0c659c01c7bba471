/* Random numbers of a distribution, from the global generator of a run.
 *
 * The generator's state is {number of draws so far, key}. Every instruction is one draw: its number and the key give it a
 * key of its own, and each element takes two counters. So runs with the same seed give the same numbers, and no
 * number depends on how others are drawn. */
#include <math.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/ops/random_bits.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

void hlo_rng_seed(uint64_t state[2], uint64_t seed, int device) {
  state[0] = 0;
  state[1] = seed + (uint64_t)device * UINT64_C(0x9E3779B97F4A7C15);
}

/* Adds `delta` to the state, which is one number of 128 bits. */
static void advance(uint64_t *state, uint64_t delta) {
  state[0] += delta;
  state[1] += state[0] < delta;
}

bool hlo_reference_rng_get_and_update_state(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                            const hlo_literal *const *operands, hlo_literal *result) {
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count && i < 2; i++) hlo_literal_set_int(result, i, (int64_t)evaluation->rng_state[i]);
  advance(evaluation->rng_state, (uint64_t)hlo_instruction_int(instruction, HLO_ATTR_delta, 1));
  return true;
}

/* A number in [0, 1), a multiple of 2^-53. */
static double unit(uint64_t bits) { return ldexp((double)(bits >> 11), -53); }

/* A number in [low, high): where rounding gives the limit, the low end is taken. */
static hlo_scalar uniform_real(hlo_type type, double low, double limit, uint64_t bits) {
  double u = unit(bits), value = hlo_float_rounded(type, low * (1 - u) + limit * u);
  return (hlo_scalar){.f = value >= low && value < limit ? value : low};
}

/* floor(bits * range / 2^128): no value is likelier than another by more than one part in 2^64. */
static hlo_scalar uniform_integer(hlo_type type, hlo_scalar low, hlo_scalar limit, uint64_t bits, uint64_t more_bits) {
  bool empty = hlo_type_is_signed(type) ? limit.s <= low.s : limit.u <= low.u;
  if (empty) return low;
  unsigned __int128 range = limit.u - low.u;
  unsigned __int128 scaled = range * bits + (range * more_bits >> 64);
  return (hlo_scalar){.u = low.u + (uint64_t)(scaled >> 64)};
}

static hlo_scalar uniform(hlo_type type, hlo_scalar low, hlo_scalar limit, uint64_t bits, uint64_t more_bits) {
  if (type == HLO_TYPE_PRED) return (hlo_scalar){.u = bits & 1};
  if (hlo_type_is_float(type)) return uniform_real(type, low.f, limit.f, bits);
  return uniform_integer(type, low, limit, bits, more_bits);
}

/* A normal number by the method of Box and Muller. 1 - u is never zero. */
static hlo_scalar normal(hlo_scalar mean, hlo_scalar deviation, uint64_t bits, uint64_t more_bits) {
  double radius = sqrt(-2 * log(1 - unit(bits))), angle = 2 * 3.14159265358979323846 * unit(more_bits);
  return (hlo_scalar){.f = mean.f + deviation.f * radius * cos(angle)};
}

bool hlo_reference_rng(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                       const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = result->shape->type;
  bool is_normal = hlo_instruction_enum(instruction, HLO_ATTR_distribution, 0) == HLO_distribution_rng_normal;
  hlo_scalar a = hlo_literal_get(operands[0], 0), b = hlo_literal_get(operands[1], 0);
  uint64_t key = hlo_threefry(evaluation->rng_state[1], evaluation->rng_state[0]);
  advance(evaluation->rng_state, 1);
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    uint64_t bits = hlo_threefry(key, 2 * (uint64_t)i), more_bits = hlo_threefry(key, 2 * (uint64_t)i + 1);
    hlo_literal_set(result, i, is_normal ? normal(a, b, bits, more_bits) : uniform(type, a, b, bits, more_bits));
  }
  return true;
}
