/* Element functions of integers and pred. Results may be wider than the type: storing wraps them.
 *
 * Nothing traps: x / 0 is -1 (all ones), x % 0 is x, MIN / -1 is MIN, MIN % -1 is 0; a shift by the width or
 * more gives 0, or -1 for an arithmetic shift of a negative number. */
#include "graph/opcode.h"
#include "reference/functions.h"
#include "shape/element_type.h"

static uint64_t mask_of(hlo_type type) {
  int bits = hlo_type_bits(type);
  return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static int leading_zeros(uint64_t bits, int width) {
  int zeros = 0;
  while (zeros < width && !(bits >> (width - 1 - zeros) & 1)) zeros++;
  return zeros;
}

uint64_t hlo_reference_unary_integer(hlo_opcode opcode, hlo_type type, uint64_t bits) {
  bool is_signed = hlo_type_is_signed(type);
  int64_t value = (int64_t)bits;
  switch (opcode) {
  case HLO_OP_ABS: return is_signed && value < 0 ? -bits : bits;
  case HLO_OP_NEGATE: return -bits;
  case HLO_OP_NOT: return type == HLO_TYPE_PRED ? !bits : ~bits;
  case HLO_OP_SIGN: return is_signed && value < 0 ? UINT64_MAX : bits != 0;
  case HLO_OP_SQUARE: return bits * bits;
  case HLO_OP_POPCNT: return (uint64_t)__builtin_popcountll(bits & mask_of(type));
  case HLO_OP_COUNT_LEADING_ZEROS: return (uint64_t)leading_zeros(bits & mask_of(type), hlo_type_bits(type));
  default: return bits; /* real, and ops that round to whole numbers */
  }
}

static uint64_t divide_signed(int64_t lhs, int64_t rhs) {
  if (rhs == 0) return UINT64_MAX;
  if (rhs == -1) return -(uint64_t)lhs;
  return (uint64_t)(lhs / rhs);
}

static uint64_t remainder_signed(int64_t lhs, int64_t rhs) {
  if (rhs == 0) return (uint64_t)lhs;
  if (rhs == -1) return 0;
  return (uint64_t)(lhs % rhs);
}

/* Powers by repeated squaring; products wrap. */
static uint64_t power_unsigned(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

static uint64_t power_signed(int64_t base, int64_t exponent) {
  if (exponent >= 0) return power_unsigned((uint64_t)base, (uint64_t)exponent);
  if (base == 1) return 1;
  if (base == -1) return exponent & 1 ? UINT64_MAX : 1;
  return 0;
}

/* The amount is read as an unsigned number of the type's width, so a negative one is too large. */
static uint64_t shift(hlo_opcode opcode, hlo_type type, uint64_t bits, uint64_t amount) {
  int width = hlo_type_bits(type);
  bool outside = (amount & mask_of(type)) >= (uint64_t)width;
  bool negative = bits >> (width - 1) & 1;
  uint64_t value = bits & mask_of(type);
  amount &= 63;
  switch (opcode) {
  case HLO_OP_SHIFT_LEFT: return outside ? 0 : value << amount;
  case HLO_OP_SHIFT_RIGHT_LOGICAL: return outside ? 0 : value >> amount;
  default: /* arithmetic, of unsigned types too: the top bit is the sign */
    if (outside) return negative ? UINT64_MAX : 0;
    return value >> amount | (negative && amount ? ~(mask_of(type) >> amount) : 0);
  }
}

static uint64_t binary_pred(hlo_opcode opcode, bool lhs, bool rhs) {
  switch (opcode) {
  case HLO_OP_ADD: case HLO_OP_OR: case HLO_OP_MAXIMUM: return lhs | rhs;
  case HLO_OP_MULTIPLY: case HLO_OP_AND: case HLO_OP_MINIMUM: return lhs & rhs;
  case HLO_OP_XOR: case HLO_OP_SUBTRACT: return lhs ^ rhs;
  default: return 0;
  }
}

/* Ops whose result does not depend on signedness. */
static uint64_t binary_bits(hlo_opcode opcode, hlo_type type, uint64_t lhs, uint64_t rhs) {
  switch (opcode) {
  case HLO_OP_ADD: return lhs + rhs;
  case HLO_OP_SUBTRACT: return lhs - rhs;
  case HLO_OP_MULTIPLY: return lhs * rhs;
  case HLO_OP_AND: return lhs & rhs;
  case HLO_OP_OR: return lhs | rhs;
  case HLO_OP_XOR: return lhs ^ rhs;
  default: return shift(opcode, type, lhs, rhs);
  }
}

/* Returns the high half of the product of two 64-bit words, from products of their halves. */
static uint64_t high_word(uint64_t lhs, uint64_t rhs) {
  uint64_t a = lhs >> 32, b = lhs & UINT32_MAX, c = rhs >> 32, d = rhs & UINT32_MAX;
  uint64_t middle = a * d + (b * d >> 32), other = b * c + (middle & UINT32_MAX);
  return a * c + (middle >> 32) + (other >> 32);
}

static uint64_t multiply_high(hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  int bits = hlo_type_bits(type);
  if (bits < 64) return hlo_type_is_signed(type) ? (uint64_t)(lhs.s * rhs.s >> bits) : lhs.u * rhs.u >> bits;
  uint64_t high = high_word(lhs.u, rhs.u);
  if (!hlo_type_is_signed(type)) return high;
  return high - (lhs.s < 0 ? rhs.u : 0) - (rhs.s < 0 ? lhs.u : 0);
}

hlo_scalar hlo_reference_binary_integer(hlo_opcode opcode, hlo_type type, hlo_scalar lhs, hlo_scalar rhs) {
  if (type == HLO_TYPE_PRED) return (hlo_scalar){.u = binary_pred(opcode, lhs.u != 0, rhs.u != 0)};
  bool is_signed = hlo_type_is_signed(type);
  bool less = is_signed ? lhs.s < rhs.s : lhs.u < rhs.u;
  switch (opcode) {
  case HLO_OP_MAXIMUM: return less ? rhs : lhs;
  case HLO_OP_MINIMUM: return less ? lhs : rhs;
  case HLO_OP_DIVIDE:
    if (is_signed) return (hlo_scalar){.u = divide_signed(lhs.s, rhs.s)};
    return (hlo_scalar){.u = rhs.u ? lhs.u / rhs.u : UINT64_MAX};
  case HLO_OP_REMAINDER:
    if (is_signed) return (hlo_scalar){.u = remainder_signed(lhs.s, rhs.s)};
    return (hlo_scalar){.u = rhs.u ? lhs.u % rhs.u : lhs.u};
  case HLO_OP_MULTIPLY_HIGH: return (hlo_scalar){.u = multiply_high(type, lhs, rhs)};
  case HLO_OP_POWER:
    return (hlo_scalar){.u = is_signed ? power_signed(lhs.s, rhs.s) : power_unsigned(lhs.u, rhs.u)};
  default:
    return (hlo_scalar){.u = binary_bits(opcode, type, lhs.u, rhs.u)};
  }
}
