#include "passes/expand_division.h"

#include <math.h>

#include "graph/opcode.h"
#include "passes/integer_range.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Integers of 8 and 16 bits: the quotient is the product with a number that is a little more than 1 / divisor, so little that no quotient becomes greater. Of bytes that is m / 2^16, where
 * m < 2^16 / divisor + 1; shifts round towards the least number, so that negative ones lack 1. Of 16 bits it is the next f32. */
static int divide_narrow(hlo_rewriter *r, const hlo_instruction *i, int64_t divisor) {
  int bits = hlo_type_bits(i->shape->type), x = hlo_add_convert(r, i->operands[0], HLO_TYPE_S32), quotient;
  int64_t size = divisor < 0 ? -divisor : divisor;
  if (bits == 8) {
    quotient = hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, hlo_with(r, HLO_OP_MULTIPLY, x, 65536 / size + 1), 16);
    if (hlo_type_is_signed(i->shape->type)) quotient = hlo_add_binary(r, HLO_OP_SUBTRACT, quotient, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, x, 31));
  } else {
    float factor = (float)(1.0 / (double)size);
    if ((double)factor * (double)size < 1) factor = nextafterf(factor, 1);
    int number = hlo_add_convert(r, x, HLO_TYPE_F32);
    quotient = hlo_add_convert(r, hlo_add_binary(r, HLO_OP_MULTIPLY, number, hlo_add_splat_like(r, number, (hlo_scalar){.f = (double)factor})), HLO_TYPE_S32);
  }
  if (i->opcode == HLO_OP_REMAINDER) quotient = hlo_add_binary(r, HLO_OP_SUBTRACT, x, hlo_with(r, HLO_OP_MULTIPLY, quotient, size));
  else if (divisor < 0) quotient = hlo_add_unary(r, HLO_OP_NEGATE, quotient);
  return hlo_add_convert(r, quotient, i->shape->type);
}

/* ---- Words ---- */

/* The quotient by `size` of a word that is not negative is (x * factor) >> (32 + shift): factor is a little more than 2^(32 + shift) / size, so little that
 * no quotient of so many bits becomes greater. */
typedef struct reciprocal {
  uint64_t factor;
  int shift;
} reciprocal;

static reciprocal reciprocal_of(uint64_t size, int bits) {
  reciprocal made = {0};
  for (;; made.shift++) {
    uint64_t power = (uint64_t)1 << (32 + made.shift);
    made.factor = power / size + 1;
    if (made.factor * size - power <= (uint64_t)1 << (32 + made.shift - bits)) return made;
  }
}

/* A factor of 33 bits has x added to what its lower 32 bits make, which is halved before, as the sum may have 33 bits itself. */
static int divide_unsigned_word(hlo_rewriter *r, int x, uint64_t size) {
  reciprocal by = reciprocal_of(size, 32);
  int high = hlo_with(r, HLO_OP_MULTIPLY_HIGH, x, (int64_t)(by.factor & UINT32_MAX));
  if (by.factor <= UINT32_MAX) return hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, high, by.shift);
  int half = hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_add_binary(r, HLO_OP_SUBTRACT, x, high), 1);
  return hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_add_binary(r, HLO_OP_ADD, half, high), by.shift - 1);
}

/* Shifts round towards the least number, so that negative quotients lack 1. A factor that is no positive word is 2^32 less, and x is added. */
static int divide_signed_word(hlo_rewriter *r, int x, uint64_t size, bool may_be_negative) {
  reciprocal by = reciprocal_of(size, 31);
  int quotient = hlo_with(r, HLO_OP_MULTIPLY_HIGH, x, (int32_t)by.factor);
  if (by.factor > INT32_MAX) quotient = hlo_add_binary(r, HLO_OP_ADD, quotient, x);
  if (by.shift) quotient = hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, quotient, by.shift);
  return may_be_negative ? hlo_add_binary(r, HLO_OP_SUBTRACT, quotient, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, x, 31)) : quotient;
}

static int divide_word(hlo_rewriter *r, const hlo_instruction *i, int64_t divisor) {
  int x = i->operands[0];
  bool is_signed = hlo_type_is_signed(i->shape->type);
  uint64_t size = is_signed && divisor < 0 ? 0 - (uint64_t)divisor : (uint64_t)divisor;
  int quotient = is_signed ? divide_signed_word(r, x, size, hlo_integer_range_of(r, x).least < 0) : divide_unsigned_word(r, x, size);
  if (i->opcode == HLO_OP_REMAINDER) return hlo_add_binary(r, HLO_OP_SUBTRACT, x, hlo_with(r, HLO_OP_MULTIPLY, quotient, (int64_t)size));
  return is_signed && divisor < 0 ? hlo_add_unary(r, HLO_OP_NEGATE, quotient) : quotient;
}

/* ---- Signed ones by a power of two (simplify_algebra.c has unsigned ones) ---- */

/* A quotient is rounded towards zero, and shifts towards the least number: to what may be negative, 2^k - 1 is added before, if it is. */
static int divide_signed(hlo_rewriter *r, const hlo_instruction *i, int64_t divisor) {
  int bits = hlo_type_bits(i->shape->type), x = i->operands[0];
  if (bits < 32 || divisor < 2 || (divisor & (divisor - 1))) return HLO_KEEP;
  int shift = __builtin_ctzll((uint64_t)divisor);
  if (hlo_integer_range_of(r, x).least >= 0) return i->opcode == HLO_OP_DIVIDE ? hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, x, shift) : hlo_with(r, HLO_OP_AND, x, divisor - 1);
  int sign = hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, x, bits - 1);
  int moved = hlo_add_binary(r, HLO_OP_ADD, x, hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, sign, bits - shift));
  if (i->opcode == HLO_OP_DIVIDE) return hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, moved, shift);
  return hlo_add_binary(r, HLO_OP_SUBTRACT, x, hlo_with(r, HLO_OP_AND, moved, -divisor));
}

/* The remainder is x - x / y * y where the quotient x / y has been added a little before: it is not divided for again. */
static int rest_of_quotient(hlo_rewriter *r, const hlo_instruction *i) {
  enum { NEAR = 64 };
  const int *of = i->operands;
  if (hlo_type_bits(i->shape->type) < 32) return HLO_KEEP;
  for (int n = r->to->instruction_count - 1, least = n - NEAR; n >= 0 && n > least; n--) {
    const hlo_instruction *quotient = hlo_rewriter_value(r, n);
    if (quotient->opcode != HLO_OP_DIVIDE || quotient->operands[0] != of[0] || quotient->operands[1] != of[1]) continue;
    return hlo_add_binary(r, HLO_OP_SUBTRACT, of[0], hlo_add_binary(r, HLO_OP_MULTIPLY, n, of[1]));
  }
  return HLO_KEEP;
}

/* Returns whether quotients are products: others are shifts, what they would be without division, or 0 and 1. */
static bool takes_product(int64_t divisor) { return divisor < -1 || ((divisor & (divisor - 1)) && divisor <= INT32_MAX); }

int hlo_expand_division(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_scalar divisor;
  int shifted = HLO_KEEP;
  int bits = hlo_type_bits(i->shape->type);
  if (!hlo_type_is_integral(i->shape->type)) return HLO_KEEP;
  bool is_known = hlo_splat_of(r, i->operands[1], &divisor);
  if (is_known && bits <= 32 && takes_product(divisor.s)) return bits < 32 ? divide_narrow(r, i, divisor.s) : divide_word(r, i, divisor.s);
  if (is_known && hlo_type_is_signed(i->shape->type)) shifted = divide_signed(r, i, divisor.s);
  return shifted == HLO_KEEP && i->opcode == HLO_OP_REMAINDER ? rest_of_quotient(r, i) : shifted;
}
