/* Operations that change the element type, or round to fewer bits. */
#include <math.h>
#include <string.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"

bool hlo_reference_convert(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                           const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type from = operands[0]->shape->type, to = result->shape->type;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    hlo_literal_set(result, i, hlo_scalar_convert(to, from, hlo_literal_get(operands[0], i)));
  }
  return true;
}

/* ---- bitcast-convert ---- */

/* Returns bit `bit` of an array that is read as one stream of packed elements, least significant bits first. */
static bool get_bit(const hlo_literal *literal, int64_t bit) {
  int width = hlo_type_bits(literal->shape->type), bytes = hlo_type_bytes(literal->shape->type);
  const uint8_t *element = (const uint8_t *)literal->data + bit / width * bytes;
  int64_t place = bit % width;
  return element[place / 8] >> (place % 8) & 1;
}

static void set_bit(hlo_literal *literal, int64_t bit) {
  int width = hlo_type_bits(literal->shape->type), bytes = hlo_type_bytes(literal->shape->type);
  uint8_t *element = (uint8_t *)literal->data + bit / width * bytes;
  int64_t place = bit % width;
  element[place / 8] |= (uint8_t)(1 << (place % 8));
}

/* Elements of s2 and s4 are kept sign-extended in their byte. */
static void extend_signs(hlo_literal *literal) {
  int bits = hlo_type_bits(literal->shape->type);
  if (!hlo_type_is_signed(literal->shape->type) || bits >= 8) return;
  int8_t *data = literal->data;
  int64_t count = hlo_shape_element_count(literal->shape);
  for (int64_t i = 0; i < count; i++)
    if (data[i] >> (bits - 1) & 1) data[i] = (int8_t)(data[i] | -(1 << bits));
}

/* pred counts as one bit; but between pred and a type of eight bits of the same dimensions, it counts as its byte. Returns
 * whether that is the case. */
static bool same_bytes(const hlo_literal *operand, const hlo_literal *result) {
  return (operand->shape->type == HLO_TYPE_PRED || result->shape->type == HLO_TYPE_PRED) &&
         hlo_shape_same_dims(operand->shape, result->shape) && hlo_literal_bytes(operand) == hlo_literal_bytes(result);
}

/* Moves origins: each element of the array with fewer elements corresponds to a run of neighbours in the other. */
static void join_origins(const hlo_literal *operand, hlo_literal *result) {
  int64_t from = hlo_shape_element_count(operand->shape), to = hlo_shape_element_count(result->shape), most = from > to ? from : to;
  for (int64_t i = 0; HLO_FOLLOWS_ORIGINS && i < most; i++) {
    int64_t at = i / (most / to), of = i / (most / from);
    hlo_origin first = i % (most / to) ? hlo_origin_at(result->origins, at) : (hlo_origin){};
    hlo_origin_put(result->origins, at, hlo_origin_join(first, hlo_origin_at(operand->origins, of)));
  }
}

/* Reads the operand's packed bits as the result's. Where widths differ, the array of the narrower type has one more dimension,
 * the last, for the parts of a wide element: both arrays hold the same stream of bits. */
bool hlo_reference_bitcast_convert(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                   const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type from = operands[0]->shape->type, to = result->shape->type;
  size_t bytes = hlo_literal_bytes(result);
  if (hlo_type_bits(from) == hlo_type_bits(to) && hlo_type_bits(to) >= 8) {
    memcpy(result->data, operands[0]->data, bytes);
  } else if (same_bytes(operands[0], result)) { /* pred and a type of eight bits */
    int64_t count = hlo_shape_element_count(result->shape);
    for (int64_t i = 0; i < count; i++) {
      uint8_t byte = ((const uint8_t *)operands[0]->data)[i];
      ((uint8_t *)result->data)[i] = to == HLO_TYPE_PRED ? byte != 0 : byte;
    }
  } else {
    int64_t bits = hlo_shape_element_count(result->shape) * hlo_type_bits(result->shape->type);
    memset(result->data, 0, bytes);
    for (int64_t i = 0; i < bits; i++) {
      if (!hlo_reference_tick(evaluation, 1)) return false;
      if (get_bit(operands[0], i)) set_bit(result, i);
    }
    extend_signs(result);
  }
  join_origins(operands[0], result);
  hlo_reference_copy_sizes(result, operands[0]);
  return true;
}

/* ---- reduce-precision ---- */

typedef struct bit_format {
  int exponent_bits, mantissa_bits; /* of a float format, in that order below the sign */
} bit_format;

static uint64_t ones(int count) { return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1; }

/* Rounds the lowest `dropped` bits away, half to even. A carry out of the mantissa increments the exponent. */
static uint64_t round_mantissa(uint64_t magnitude, int dropped) {
  if (dropped <= 0) return magnitude;
  uint64_t last = magnitude >> dropped & 1;
  return (magnitude + (ones(dropped - 1) + last)) & ~ones(dropped);
}

/* Handles exponents that the narrower format lacks: overflow gives infinity, underflow zero (it has no subnormals). */
static uint64_t clip_exponent(uint64_t magnitude, bit_format format, int exponent_bits) {
  if (exponent_bits >= format.exponent_bits) return magnitude;
  uint64_t bias = ones(format.exponent_bits - 1), narrow_bias = ones(exponent_bits - 1);
  uint64_t exponent = magnitude >> format.mantissa_bits;
  if (exponent > bias + narrow_bias) return ones(format.exponent_bits) << format.mantissa_bits;
  if (exponent <= bias - narrow_bias) return 0;
  return magnitude;
}

static uint64_t reduce_bits(uint64_t bits, bit_format format, int exponent_bits, int mantissa_bits) {
  int sign_place = format.exponent_bits + format.mantissa_bits;
  uint64_t sign = bits & (uint64_t)1 << sign_place, magnitude = bits & ones(sign_place);
  uint64_t infinity = ones(format.exponent_bits) << format.mantissa_bits;
  /* NaN stays NaN even with no mantissa left, in which no NaN could be written: XLA's operation semantics keep it, and so does XLA's CPU
   * backend. The StableHLO specification speaks of rounding and of the exponent's range alone, and of no value for NaN. */
  if (magnitude > infinity) return bits;
  magnitude = round_mantissa(magnitude, format.mantissa_bits - mantissa_bits);
  if (magnitude < infinity) magnitude = clip_exponent(magnitude, format, exponent_bits);
  return sign | magnitude;
}

/* Reduces by way of a double: for formats that do not encode infinity and NaN as IEEE does. */
static hlo_scalar reduce_through_double(hlo_float_format own, double value, int exponent_bits, int mantissa_bits) {
  if (exponent_bits >= own.exponent_bits) exponent_bits = 11;
  if (mantissa_bits >= own.mantissa_bits) mantissa_bits = 52;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = reduce_bits(bits, (bit_format){11, 52}, exponent_bits, mantissa_bits);
  memcpy(&value, &bits, sizeof bits);
  return (hlo_scalar){.f = value};
}

/* More than 64 bits are as good as 64. */
static int bits_of(const hlo_instruction *instruction, hlo_attribute_id attribute, int own) {
  int64_t bits = hlo_instruction_int(instruction, attribute, own);
  return bits < 64 ? (int)bits : 64;
}

bool hlo_reference_reduce_precision(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type type = result->shape->type;
  hlo_float_format own = hlo_type_float_format(type);
  int exponent_bits = bits_of(instruction, HLO_ATTR_exponent_bits, own.exponent_bits);
  int mantissa_bits = bits_of(instruction, HLO_ATTR_mantissa_bits, own.mantissa_bits);
  int64_t count = hlo_shape_element_count(result->shape);
  size_t bytes = (size_t)hlo_type_bytes(type);
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    if (!hlo_reference_tick(evaluation, 1)) return false;
    if (!own.has_infinity) {
      hlo_scalar value = hlo_literal_get(operands[0], i);
      hlo_scalar reduced = reduce_through_double(own, value.f, exponent_bits, mantissa_bits);
      hlo_literal_set(result, i, hlo_scalar_made_of(reduced, value, value));
      continue;
    }
    memcpy(&bits, (const char *)operands[0]->data + (size_t)i * bytes, bytes);
    bits = reduce_bits(bits, (bit_format){own.exponent_bits, own.mantissa_bits}, exponent_bits, mantissa_bits);
    memcpy((char *)result->data + (size_t)i * bytes, &bits, bytes);
    hlo_origin_put(result->origins, i, hlo_origin_at(operands[0]->origins, i));
  }
  return true;
}

/* ---- stochastic-convert ---- */

/* Truncates, and rounds away from zero if the random number is less than the fraction dropped. The fraction is first scaled to
 * the width of the random type, and truncated. */
static double stochastic_round(hlo_type to, double value, uint64_t random, int random_bits) {
  if (!isfinite(value)) return value;
  double magnitude = fabs(value), low, high;
  int exponent;
  if (hlo_type_is_float(to)) {
    hlo_float_format format = hlo_type_float_format(to);
    frexp(magnitude, &exponent);
    int least = 1 - format.bias;
    int unit = (exponent - 1 < least ? least : exponent - 1) - format.mantissa_bits;
    low = ldexp(floor(ldexp(magnitude, -unit)), unit);
    high = low + ldexp(1, unit);
  } else {
    low = floor(magnitude);
    high = low + 1;
  }
  double fraction = (magnitude - low) / (high - low);
  return copysign((double)random < floor(ldexp(fraction, random_bits)) ? high : low, value);
}

bool hlo_reference_stochastic_convert(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                      const hlo_literal *const *operands, hlo_literal *result) {
  hlo_type from = operands[0]->shape->type, to = result->shape->type;
  int random_bits = hlo_type_bits(operands[1]->shape->type);
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    hlo_scalar value = hlo_literal_get(operands[0], i);
    hlo_scalar random = hlo_literal_get(operands[1], i);
    value.f = stochastic_round(to, value.f, random.u, random_bits);
    hlo_literal_set(result, i, hlo_scalar_convert(to, from, hlo_scalar_made_of(value, value, random)));
  }
  return true;
}
