/* Writes ops that have no kernel as ops that have one:
 *
 *   convert to floats of 8 bits              integer operations on their bits
 *   convert between floats of 4 or 6 bits and f32, and from powers of two   integer operations on their bits
 *   convert by way of integers of 4 or 2 bits  shifts that keep their bits
 *   reduce-precision                         integer operations on bits
 *   compare, type=TOTALORDER                 a comparison of integers
 *   power(x, 3), power(x, 1.5) and their like   products and square roots
 *   divide, remainder of 8 and 16 bits by a constant   a product
 *   signed divide, remainder by a power of two   shifts and bits
 *   remainder beside the quotient            what the quotient leaves
 *   convolve bytes to s32                    a convolution of f32, where that is exact
 *   reduce-window, convolution of one feature   see expand_windows.h
 *   dot of up to eight terms                 sums of products, where one side is narrow (points times a 3 by 3 matrix)
 *   dot of a batch with vectors, of a matrix of integers with one   a fold of products
 *   dot of predicates                        a comparison with the dot that counts them
 *   dot of other types than its result's     a dot of converted sides
 *   dot of halves with one term, or of vectors that do not lie along rows   a dot of f32
 *
 * Scalars stay as they are: sorts recognise comparators by them. */
#include <math.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "loops/scalar_ops.h"
#include "passes/expand_division.h"
#include "passes/expand_windows.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

enum { F32_MANTISSA = 23, F32_BIAS = 127, F32_BITS = 0x7FFFFFFF, F32_INFINITY = 0x7F800000 };

/* ---- One value of the array's dimensions after another ---- */

static const hlo_shape *typed(hlo_rewriter *r, int value, hlo_type type) {
  const hlo_shape *shape = hlo_rewriter_value(r, value)->shape;
  return hlo_shape_for(r, type, shape->dims, shape->rank);
}

static int bits_as(hlo_rewriter *r, int value, hlo_type type) {
  const hlo_shape *shape = value < 0 ? NULL : typed(r, value, type);
  return shape ? hlo_add(r, HLO_OP_BITCAST_CONVERT, shape, &value, 1, NULL, 0) : HLO_KEEP;
}

/* The bytes of an array as another type, one of which has fewer bits than a byte; there and back is no way. */
static int bytes_as(hlo_rewriter *r, int value, hlo_type type) {
  const hlo_shape *shape = value < 0 ? NULL : typed(r, value, type);
  if (!shape) return HLO_KEEP;
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  if (i->opcode == HLO_OP_BITCAST && hlo_shape_equal(hlo_input(r, i, 0)->shape, shape)) return i->operands[0];
  return hlo_add(r, HLO_OP_BITCAST, shape, &value, 1, NULL, 0);
}

/* An operation on a value and a number. */
static int with_real(hlo_rewriter *r, hlo_opcode opcode, int value, double number) {
  return hlo_add_binary(r, opcode, value, hlo_add_splat_like(r, value, (hlo_scalar){.f = number}));
}

/* yes where `value` compares so with a number, else no. */
static int choose(hlo_rewriter *r, int direction, int value, int64_t number, int yes, int no) {
  return hlo_add_select(r, hlo_add_comparison(r, value, direction, (hlo_scalar){.s = number}), yes, no);
}

/* ---- Floats of 8 bits, and of fewer ---- */

typedef struct codes {
  int sign; /* the bit */
  int64_t magnitude, infinity, largest; /* infinity: the code behind the largest exponent of a finite number, where the format has one */
} codes;

static codes codes_of(const hlo_float_format *f) {
  codes c = {.sign = f->exponent_bits + f->mantissa_bits};
  c.magnitude = (int64_t)(((uint64_t)1 << c.sign) - 1);
  c.infinity = (((int64_t)1 << f->exponent_bits) - 1) << f->mantissa_bits;
  c.largest = f->has_infinity ? c.infinity - 1 : c.magnitude - (f->has_nan && f->has_negative_zero);
  return c;
}

/* The code of a magnitude of f32, rounded to nearest, ties to even; one that is too large is some code above the largest. */
static int encode_magnitude(hlo_rewriter *r, const hlo_float_format *f, int magnitude) {
  int shift = F32_MANTISSA - f->mantissa_bits;
  int odd = hlo_with(r, HLO_OP_AND, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, magnitude, shift), 1);
  int rounded = hlo_add_binary(r, HLO_OP_ADD, hlo_with(r, HLO_OP_ADD, magnitude, ((int64_t)1 << (shift - 1)) - 1), odd);
  int64_t rebias = (int64_t)(F32_BIAS - f->bias) << f->mantissa_bits;
  int normal = hlo_with(r, HLO_OP_SUBTRACT, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, rounded, shift), rebias);
  /* The last bit of the sum with this power of two is the least subnormal number. */
  int exponent = shift + 1 - f->bias;
  int sum = with_real(r, HLO_OP_ADD, bits_as(r, magnitude, HLO_TYPE_F32), ldexp(1, exponent));
  int subnormal = hlo_with(r, HLO_OP_SUBTRACT, bits_as(r, sum, HLO_TYPE_S32), (int64_t)(exponent + F32_BIAS) << F32_MANTISSA);
  return choose(r, HLO_direction_LT, magnitude, (int64_t)(1 - f->bias + F32_BIAS) << F32_MANTISSA, subnormal, normal);
}

static int encode(hlo_rewriter *r, int value, hlo_type type) {
  const hlo_float_format format = hlo_type_float_format(type), *f = &format;
  codes c = codes_of(f);
  int all = bits_as(r, value, HLO_TYPE_S32), magnitude = hlo_with(r, HLO_OP_AND, all, F32_BITS), code = encode_magnitude(r, f, magnitude);
  int sign = hlo_with(r, HLO_OP_AND, hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, all, 31 - c.sign), (int64_t)1 << c.sign);
  if (!f->has_nan) { /* the largest number stands for what is larger, and the zero of opposite sign for NaN */
    int turned = hlo_with(r, HLO_OP_XOR, sign, (int64_t)1 << c.sign);
    code = hlo_add_binary(r, HLO_OP_OR, hlo_with(r, HLO_OP_MINIMUM, code, c.largest), sign);
    code = choose(r, HLO_direction_GT, magnitude, F32_INFINITY, turned, code);
  } else if (f->has_negative_zero) {
    int nan = hlo_add_splat_like(r, code, (hlo_scalar){.s = f->has_infinity ? c.infinity | 1 << (f->mantissa_bits - 1) : c.magnitude});
    int over = hlo_add_splat_like(r, code, (hlo_scalar){.s = f->has_infinity ? c.infinity : c.magnitude});
    code = choose(r, HLO_direction_GT, code, c.largest, over, code);
    code = hlo_add_binary(r, HLO_OP_OR, choose(r, HLO_direction_GT, magnitude, F32_INFINITY, nan, code), sign);
  } else { /* the only NaN has the bits of a negative zero */
    int nan = hlo_add_splat_like(r, code, (hlo_scalar){.s = (int64_t)1 << c.sign});
    int negated = choose(r, HLO_direction_EQ, code, 0, code, hlo_add_binary(r, HLO_OP_OR, code, sign));
    code = choose(r, HLO_direction_GT, code, c.largest, nan, negated);
    code = choose(r, HLO_direction_GT, magnitude, F32_INFINITY, nan, code);
  }
  code = hlo_add_convert(r, code, HLO_TYPE_U8);
  return f->has_nan ? bits_as(r, code, type) : bytes_as(r, code, type);
}

/* The power of two of 8 bits that is nearest to an f32, the greater of two: its exponent. There is none for zero, negative numbers and those that are too large, which become NaN. */
static int encode_power(hlo_rewriter *r, int value, hlo_type type) {
  int all = bits_as(r, value, HLO_TYPE_S32), half = 1 << (F32_MANTISSA - 1), least = half + half / 2;
  int code = hlo_with(r, HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_with(r, HLO_OP_ADD, all, half), F32_MANTISSA);
  int zero = hlo_add_splat_like(r, code, (hlo_scalar){0}), nan = hlo_add_splat_like(r, code, (hlo_scalar){.s = 255});
  code = choose(r, HLO_direction_LT, all, least, zero, code); /* what is subnormal in f32 is 0 or 1 */
  code = choose(r, HLO_direction_GT, all, F32_INFINITY, nan, choose(r, HLO_direction_LE, all, 0, nan, code));
  return bits_as(r, hlo_add_convert(r, code, HLO_TYPE_U8), type);
}

/* The f32 of a power of two of 8 bits: its exponent, where f32 has it. The least is a subnormal number of f32. */
static int decode_power(hlo_rewriter *r, int value) {
  int all = hlo_add_convert(r, bits_as(r, value, HLO_TYPE_U8), HLO_TYPE_S32), power = hlo_with(r, HLO_OP_SHIFT_LEFT, all, F32_MANTISSA);
  int half = (int64_t)1 << (F32_MANTISSA - 1);
  power = choose(r, HLO_direction_EQ, all, 0, hlo_add_splat_like(r, all, (hlo_scalar){.s = half}), power);
  return bits_as(r, choose(r, HLO_direction_EQ, all, 255, hlo_with(r, HLO_OP_OR, power, half), power), HLO_TYPE_F32);
}

/* The f32 of a float of 4 or 6 bits. Exponent and mantissa go where f32 has them; a number below the least normal one is a multiple of the least. */
static int decode(hlo_rewriter *r, int value, hlo_type type) {
  const hlo_float_format f = hlo_type_float_format(type);
  const codes c = codes_of(&f);
  int all = hlo_add_convert(r, bytes_as(r, value, HLO_TYPE_U8), HLO_TYPE_S32), magnitude = hlo_with(r, HLO_OP_AND, all, c.magnitude);
  int exponent = hlo_with(r, HLO_OP_SHIFT_LEFT, magnitude, F32_MANTISSA - f.mantissa_bits);
  int normal = bits_as(r, hlo_with(r, HLO_OP_ADD, exponent, (int64_t)(F32_BIAS - f.bias) << F32_MANTISSA), HLO_TYPE_F32);
  int small = with_real(r, HLO_OP_MULTIPLY, hlo_add_convert(r, magnitude, HLO_TYPE_F32), ldexp(1, 1 - f.bias - f.mantissa_bits));
  int size = choose(r, HLO_direction_LT, magnitude, (int64_t)1 << f.mantissa_bits, small, normal);
  int sign = hlo_with(r, HLO_OP_SHIFT_LEFT, hlo_with(r, HLO_OP_AND, all, (int64_t)1 << c.sign), 31 - c.sign);
  return bits_as(r, hlo_add_binary(r, HLO_OP_OR, bits_as(r, size, HLO_TYPE_S32), sign), HLO_TYPE_F32);
}

/* By way of f32, which has a kernel for each of these types, and holds every value of floats and every integer that is not too large for floats of 8 bits. */
static int convert_float(hlo_rewriter *r, const hlo_instruction *i, hlo_type from, hlo_type to) {
  bool decodes = hlo_type_is_small_float(from) || from == HLO_TYPE_F8E8M0FNU, encodes = hlo_type_is_small_float(to);
  bool is_plain = hlo_type_bits(from) == 16 || hlo_type_is_integral(from) || from == HLO_TYPE_PRED;
  if (decodes && to == HLO_TYPE_F32) {
    if (from == HLO_TYPE_F8E8M0FNU) return decode_power(r, i->operands[0]);
    return hlo_type_bits(from) < 8 && hlo_is_plain(r, hlo_input(r, i, 0)) ? decode(r, i->operands[0], from) : HLO_KEEP;
  }
  if (to == HLO_TYPE_F8E8M0FNU && !decodes && (from == HLO_TYPE_F32 || hlo_type_bits(from) <= 16)) return encode_power(r, hlo_add_convert(r, i->operands[0], HLO_TYPE_F32), to);
  if (!decodes && !(encodes && (is_plain || from == HLO_TYPE_F32))) return HLO_KEEP;
  int value = hlo_add_convert(r, i->operands[0], HLO_TYPE_F32);
  return value < 0 ? HLO_KEEP : encodes ? encode(r, value, to) : hlo_add_convert(r, value, to);
}

/* ---- reduce-precision ---- */

/* The mantissa is rounded, half to even; then exponents for which there is no room become infinity or zero. NaN stays what it is. */
static int reduce_precision(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type type = i->shape->type, integer = type == HLO_TYPE_F64 ? HLO_TYPE_S64 : type == HLO_TYPE_F32 ? HLO_TYPE_S32 : HLO_TYPE_S16;
  const hlo_float_format f = hlo_type_float_format(type);
  const codes c = codes_of(&f);
  int64_t exponent_bits = hlo_instruction_int(i, HLO_ATTR_exponent_bits, 0), mantissa_bits = hlo_instruction_int(i, HLO_ATTR_mantissa_bits, 0);
  if (hlo_type_bits(type) < 16) return HLO_KEEP;
  int all = bits_as(r, i->operands[0], integer), magnitude = hlo_with(r, HLO_OP_AND, all, c.magnitude), reduced = magnitude;
  if (mantissa_bits < f.mantissa_bits) {
    int dropped = f.mantissa_bits - (int)mantissa_bits;
    int odd = hlo_with(r, HLO_OP_AND, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, magnitude, dropped), 1);
    int moved = hlo_add_binary(r, HLO_OP_ADD, hlo_with(r, HLO_OP_ADD, magnitude, ((int64_t)1 << (dropped - 1)) - 1), odd);
    reduced = hlo_with(r, HLO_OP_AND, moved, -((int64_t)1 << dropped));
  }
  if (exponent_bits < f.exponent_bits) {
    int64_t most = ((int64_t)1 << (exponent_bits - 1)) - 1;
    int infinity = hlo_add_splat_like(r, reduced, (hlo_scalar){.s = c.infinity}), zero = hlo_add_splat_like(r, reduced, (hlo_scalar){0});
    int over = choose(r, HLO_direction_GE, reduced, (f.bias + most + 1) << f.mantissa_bits, infinity, reduced);
    reduced = choose(r, HLO_direction_LT, reduced, (f.bias - most + 1) << f.mantissa_bits, zero, over);
  }
  int with_sign = hlo_add_binary(r, HLO_OP_OR, reduced, hlo_with(r, HLO_OP_AND, all, ~c.magnitude));
  return bits_as(r, choose(r, HLO_direction_GT, magnitude, c.infinity, all, with_sign), type);
}

/* ---- Integers of 4 and 2 bits ---- */

/* The lowest bits of s32, as the integers that they are. */
static int lowest_bits(hlo_rewriter *r, int value, hlo_type type) {
  int shift = 32 - hlo_type_bits(type);
  return hlo_with(r, hlo_type_is_signed(type) ? HLO_OP_SHIFT_RIGHT_ARITHMETIC : HLO_OP_SHIFT_RIGHT_LOGICAL, hlo_with(r, HLO_OP_SHIFT_LEFT, value, shift), shift);
}

/* The integers of bytes, which bitcast-convert put into a dimension of its own, as the highest bits of s32: the first one is the lowest. */
static int unpacked(hlo_rewriter *r, const hlo_instruction *packed) {
  const hlo_shape *shape = packed->shape, *bytes = hlo_input(r, packed, 0)->shape;
  int last = shape->rank - 1;
  int64_t along[HLO_MAX_RANK];
  const hlo_shape *wide = hlo_shape_for(r, HLO_TYPE_S32, shape->dims, shape->rank), *row = hlo_shape_for(r, HLO_TYPE_S32, &shape->dims[last], 1);
  hlo_literal *factors = row ? hlo_literal_make(&r->module->arena, row, r->status) : NULL;
  if (hlo_type_bits(bytes->type) != 8 || bytes->rank != last || !wide || !factors) return HLO_KEEP;
  for (int d = 0; d < last; d++) along[d] = d;
  for (int n = 0; n < shape->dims[last]; n++)
    hlo_literal_set(factors, n, (hlo_scalar){.s = (int32_t)((uint32_t)1 << (32 - (n + 1) * hlo_type_bits(shape->type)))});
  int64_t dimension = last;
  int value = hlo_add_broadcast(r, hlo_add_convert(r, packed->operands[0], HLO_TYPE_S32), wide, along);
  return hlo_add_binary(r, HLO_OP_MULTIPLY, value, hlo_add_broadcast(r, hlo_add_constant(r, factors), wide, &dimension));
}

/* The s32 of which to_nibble (below) made an array of few bits; HLO_KEEP where something else did. */
static int wide_of(hlo_rewriter *r, const hlo_instruction *narrow) {
  const hlo_instruction *bytes = narrow->opcode == HLO_OP_BITCAST ? hlo_input(r, narrow, 0) : NULL;
  if (!bytes || bytes->opcode != HLO_OP_CONVERT || hlo_type_bits(bytes->shape->type) != 8) return HLO_KEEP;
  if (!hlo_is_row_major(narrow->shape) || !hlo_is_row_major(bytes->shape)) return HLO_KEEP;
  return hlo_input(r, bytes, 0)->shape->type == HLO_TYPE_S32 ? bytes->operands[0] : HLO_KEEP;
}

/* By way of s32, and then of f32 to floats of fewer bits. Where s32 became few bits, or bytes held them, the narrow array need not exist. */
static int from_nibble(hlo_rewriter *r, const hlo_instruction *i, hlo_type type) {
  const hlo_instruction *narrow = hlo_input(r, i, 0);
  hlo_type to = i->shape->type;
  int value = hlo_is_plain(r, narrow) ? wide_of(r, narrow) : HLO_KEEP;
  if (value < 0 && narrow->opcode == HLO_OP_BITCAST_CONVERT && hlo_is_plain(r, narrow) && (value = unpacked(r, narrow)) >= 0)
    value = hlo_with(r, hlo_type_is_signed(type) ? HLO_OP_SHIFT_RIGHT_ARITHMETIC : HLO_OP_SHIFT_RIGHT_LOGICAL, value, 32 - hlo_type_bits(type));
  if (value < 0 && to != HLO_TYPE_S32) value = hlo_add_convert(r, i->operands[0], hlo_type_is_float(to) && hlo_type_bits(to) <= 16 ? HLO_TYPE_F32 : HLO_TYPE_S32);
  return value < 0 ? HLO_KEEP : hlo_add_convert(r, value, to);
}

/* Integers wrap, and real numbers saturate, as s32; the bytes of what they become are those of 8 bits. */
static int to_nibble(hlo_rewriter *r, const hlo_instruction *i, hlo_type from) {
  hlo_type type = i->shape->type;
  int value = hlo_add_convert(r, i->operands[0], HLO_TYPE_S32);
  if (hlo_type_is_float(from)) {
    int64_t least = hlo_type_is_signed(type) ? -((int64_t)1 << (hlo_type_bits(type) - 1)) : 0;
    value = hlo_with(r, HLO_OP_MINIMUM, hlo_with(r, HLO_OP_MAXIMUM, value, least), least + ((int64_t)1 << hlo_type_bits(type)) - 1);
  } else {
    value = lowest_bits(r, value, type);
  }
  return bytes_as(r, hlo_add_convert(r, value, hlo_type_of_nibble_bytes(type)), type);
}

/* ---- Total order ---- */

/* Integers in the order of floats: of negative ones, all bits but the sign are turned over. */
static int order_key(hlo_rewriter *r, int value) {
  hlo_type type = hlo_rewriter_value(r, value)->shape->type == HLO_TYPE_F64 ? HLO_TYPE_S64 : HLO_TYPE_S32;
  int bits = bits_as(r, type == HLO_TYPE_S64 ? value : hlo_add_convert(r, value, HLO_TYPE_F32), type);
  int64_t width = type == HLO_TYPE_S64 ? 64 : 32;
  int turned = hlo_with(r, HLO_OP_AND, hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, bits, width - 1), width == 64 ? INT64_MAX : INT32_MAX);
  return hlo_add_binary(r, HLO_OP_XOR, bits, turned);
}

static int compare(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type type = hlo_input(r, i, 0)->shape->type;
  const hlo_attribute *given = hlo_instruction_attribute(i, HLO_ATTR_comparison_type), *direction = hlo_instruction_attribute(i, HLO_ATTR_direction);
  if (given && given->enumerant == hlo_default_comparison_type(type)) /* as it is without, so that equal comparisons are merged */
    return hlo_add(r, HLO_OP_COMPARE, NULL, i->operands, 2, direction, 1);
  bool known = hlo_type_is_small_float(type) || type == HLO_TYPE_F64 || type == HLO_TYPE_F32 || type == HLO_TYPE_F16 || type == HLO_TYPE_BF16;
  if (!known || hlo_instruction_enum(i, HLO_ATTR_comparison_type, HLO_comparison_type_FLOAT) != HLO_comparison_type_TOTALORDER) return HLO_KEEP;
  int keys[] = {order_key(r, i->operands[0]), order_key(r, i->operands[1])};
  return hlo_add(r, HLO_OP_COMPARE, NULL, keys, 2, direction, 1);
}

/* ---- Powers ---- */

/* x to the power of 2, 3, 4, 0.5, 1.5, -0.5 or -1.5. Of the last four, the power of minus infinity is that of infinity, and no result is negative. */
static int power(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_scalar exponent;
  hlo_type type = i->shape->type;
  if ((type != HLO_TYPE_F32 && type != HLO_TYPE_F64) || !hlo_splat_of(r, i->operands[1], &exponent)) return HLO_KEEP;
  double size = fabs(exponent.f);
  int x = i->operands[0];
  if (exponent.f == 2 || exponent.f == 3 || exponent.f == 4) {
    int square = hlo_add_binary(r, HLO_OP_MULTIPLY, x, x);
    return exponent.f == 2 ? square : hlo_add_binary(r, HLO_OP_MULTIPLY, square, exponent.f == 3 ? x : square);
  }
  if (size != 0.5 && size != 1.5) return HLO_KEEP;
  int least = hlo_add_comparison(r, x, HLO_direction_EQ, (hlo_scalar){.f = -INFINITY});
  int infinite = hlo_add_splat_like(r, x, (hlo_scalar){.f = INFINITY});
  x = hlo_add_select(r, least, infinite, x);
  int root = hlo_add_unary(r, HLO_OP_SQRT, x), value = root;
  if (exponent.f == 1.5) value = hlo_add_binary(r, HLO_OP_MULTIPLY, x, root);
  if (exponent.f == -0.5) value = hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_splat_like(r, x, (hlo_scalar){.f = 1}), root);
  if (exponent.f == -1.5) value = hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_splat_like(r, x, (hlo_scalar){.f = 1}), x), root);
  return hlo_add_unary(r, HLO_OP_ABS, value);
}

/* ---- Convolutions of bytes ---- */

/* f32 holds every integer up to 2^24, and so the sums of a window, in any order, if it has few enough terms. Of several features, pairs are
 * multiplied instead. */
static int convolve_bytes(hlo_rewriter *r, const hlo_instruction *i) {
  int bits = 0, wide[2];
  if (i->shape->type != HLO_TYPE_S32) return HLO_KEEP;
  for (int n = 0; n < 2; n++) {
    hlo_type type = hlo_input(r, i, n)->shape->type;
    if (!hlo_type_is_integral(type) || hlo_type_bits(type) != 8) return HLO_KEEP;
    bits += hlo_type_is_signed(type) ? 7 : 8;
  }
  const hlo_shape *kernel = hlo_input(r, i, 1)->shape;
  const hlo_dim_labels *labels = hlo_instruction_attribute(i, HLO_ATTR_dim_labels)->dim_labels;
  int64_t features = kernel->dims[labels->kernel_output_feature];
  if (features == 0 || kernel->dims[labels->kernel_input_feature] > 1 || hlo_shape_element_count(kernel) / features > (int64_t)1 << (24 - bits)) return HLO_KEEP;
  for (int n = 0; n < 2; n++) wide[n] = hlo_add_convert(r, i->operands[n], HLO_TYPE_F32);
  const hlo_shape *shape = hlo_shape_for(r, HLO_TYPE_F32, i->shape->dims, i->shape->rank);
  int value = shape ? hlo_add(r, HLO_OP_CONVOLUTION, shape, wide, 2, i->attributes, i->attribute_count) : HLO_KEEP;
  return value < 0 ? HLO_KEEP : hlo_add_convert(r, value, HLO_TYPE_S32);
}

/* ---- Dots of few terms ---- */

enum { MOST_TERMS = 8, MOST_ALONG_ROWS = 4, NARROW = 8, LEAST_ELEMENTS = 64 };

static int place_of(const hlo_ints *dims, int64_t dim) {
  for (int n = 0; n < dims->count; n++)
    if (dims->data[n] == dim) return n;
  return -1;
}

/* A term is the product of two factors. Adds that of one side, as an array of the dot's shape. Terms are counted along the contracted dimensions, the last of
 * them first. */
static int factor(hlo_rewriter *r, const hlo_instruction *i, int side, const hlo_ints *batch, const hlo_ints *contracting, int64_t term) {
  const hlo_shape *shape = hlo_input(r, i, side)->shape;
  hlo_slice_dim slice[HLO_MAX_RANK];
  int64_t dims[HLO_MAX_RANK], places[HLO_MAX_RANK], place = side ? i->shape->rank - (shape->rank - contracting->count - batch->count) : batch->count;
  int rank = 0;
  for (int d = 0; d < shape->rank; d++) {
    slice[d] = (hlo_slice_dim){0, shape->dims[d], 1};
    if (place_of(contracting, d) >= 0) continue;
    int b = place_of(batch, d);
    dims[rank] = shape->dims[d];
    places[rank++] = b >= 0 ? b : place++;
  }
  for (int c = contracting->count - 1; c >= 0; c--) {
    int64_t dim = contracting->data[c], at = term % shape->dims[dim];
    slice[dim] = (hlo_slice_dim){at, at + 1, 1};
    term /= shape->dims[dim];
  }
  int piece = hlo_add_slice(r, i->operands[side], slice, shape->rank);
  return hlo_add_broadcast(r, hlo_add_reshape(r, piece, hlo_shape_for(r, shape->type, dims, rank)), i->shape, places);
}

/* Returns whether dots read numbers of a type as they are, to add products of another type up. */
static bool is_read(hlo_type from, hlo_type to) {
  hlo_type sums = to == HLO_TYPE_U32 ? HLO_TYPE_S32 : to;
  return from == to || (hlo_computed_type_of(from) == sums && !hlo_type_is_nibble(from)) || (from == HLO_TYPE_F32 && to == HLO_TYPE_F64);
}

/* The dot of sides converted to one type, with sums of another. */
static int converted_dot(hlo_rewriter *r, const hlo_instruction *i, hlo_type sides, hlo_type sums) {
  int operands[] = {hlo_add_convert(r, i->operands[0], sides), hlo_add_convert(r, i->operands[1], sides)};
  return hlo_add_like(r, i, hlo_shape_for(r, sums, i->shape->dims, i->shape->rank), operands);
}

/* A dot with sides that are not read is one of sides of its own type, where that holds all their values; of predicates, some product is true where they are counted. */
static int of_one_type(hlo_rewriter *r, const hlo_instruction *i, hlo_type lhs, hlo_type rhs) {
  hlo_type type = i->shape->type;
  if (type == HLO_TYPE_PRED) return hlo_add_comparison(r, converted_dot(r, i, HLO_TYPE_S8, HLO_TYPE_S32), HLO_direction_NE, (hlo_scalar){0});
  if (hlo_type_bits(type) < 32 || (is_read(lhs, type) && is_read(rhs, type)) || !hlo_type_holds(type, lhs) || !hlo_type_holds(type, rhs)) return HLO_KEEP;
  return converted_dot(r, i, type, type);
}

/* A batch of matrices, given as rows, times vectors, or of vectors times vectors: a fold of the products of each row with the vector, which is repeated. Of integers, one
 * matrix will do: floats have a kernel. */
static int fold_of_products(hlo_rewriter *r, const hlo_instruction *i, const hlo_dot_dims *d) {
  int batches = d->lhs_batch.count, contracted = d->lhs_contracting.count, side = hlo_input(r, i, 0)->shape->rank < hlo_input(r, i, 1)->shape->rank; /* that has the matrices */
  const hlo_ints *batch[2] = {&d->lhs_batch, &d->rhs_batch}, *contracting[2] = {&d->lhs_contracting, &d->rhs_contracting};
  const hlo_shape *matrix = hlo_input(r, i, side)->shape, *vector = hlo_input(r, i, 1 - side)->shape;
  int64_t permutation[HLO_MAX_RANK], places[HLO_MAX_RANK], folded[HLO_MAX_RANK], back[HLO_MAX_RANK];
  if (vector->rank != batches + contracted || (batches == 0 && !hlo_type_is_integral(i->shape->type))) return HLO_KEEP;
  int taken = 0, summed = 0, free = 0;
  for (int dim = 0; dim < matrix->rank; dim++) {
    int b = place_of(batch[side], dim), c = place_of(contracting[side], dim);
    int kept = dim - summed; /* its place among the dimensions of the sums */
    if (c >= 0) folded[summed++] = dim;
    else back[b >= 0 ? b : batches + free++] = kept; /* batches come first, in their order */
    if (b < 0 && c < 0) continue;
    permutation[taken] = c >= 0 ? contracting[1 - side]->data[c] : batch[1 - side]->data[b];
    places[taken++] = dim;
  }
  bool are_rows = folded[0] == matrix->rank - contracted;
  if (matrix->rank > vector->rank && !are_rows) return HLO_KEEP;
  int repeated = hlo_add_broadcast(r, hlo_add_transpose(r, i->operands[1 - side], permutation, taken), matrix, places);
  int products = hlo_add_binary(r, HLO_OP_MULTIPLY, i->operands[side], repeated), zero = hlo_add_scalar(r, i->shape->type, (hlo_scalar){0});
  int sums = hlo_add_reduce(r, products, zero, folded, contracted, hlo_add_binary_computation(r, HLO_OP_ADD, i->shape->type, "sum_of_products"));
  return hlo_add_transpose(r, sums, back, matrix->rank - contracted);
}

static int dot(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *shapes[] = {hlo_input(r, i, 0)->shape, hlo_input(r, i, 1)->shape};
  hlo_dot_dims d = hlo_dot_dims_of(i);
  hlo_type type = i->shape->type;
  if (hlo_type_is_complex(type)) return HLO_KEEP;
  int64_t elements = hlo_shape_element_count(i->shape), terms = 1, batches = 1, sides[2];
  for (int b = 0; b < d.lhs_batch.count; b++) batches *= i->shape->dims[b];
  if (type == HLO_TYPE_S32 && batches == elements && batches >= LEAST_ELEMENTS && hlo_type_holds(type, shapes[0]->type) && hlo_type_holds(type, shapes[1]->type) &&
      (type != shapes[0]->type || type != shapes[1]->type))
    return converted_dot(r, i, type, type);
  if (type == HLO_TYPE_PRED || type != shapes[0]->type || type != shapes[1]->type) return of_one_type(r, i, shapes[0]->type, shapes[1]->type);
  for (int c = 0; c < d.lhs_contracting.count; c++) terms *= shapes[0]->dims[d.lhs_contracting.data[c]];
  if (terms < 1 || (elements < LEAST_ELEMENTS && !(elements == 1 && hlo_type_is_integral(type)))) return HLO_KEEP;
  bool along_rows[2];
  for (int n = 0; n < 2; n++) {
    const hlo_ints *contracting = n ? &d.rhs_contracting : &d.lhs_contracting;
    sides[n] = hlo_shape_element_count(shapes[n]) / terms / batches;
    along_rows[n] = contracting->count == 1 && contracting->data[0] == shapes[n]->rank - 1;
  }
  if (hlo_type_bits(type) < 32) { /* the kernel of halves takes rows that lie side by side */
    bool is_gain = hlo_type_is_float(type) && hlo_type_bits(type) == 16 && (terms == 1 || (batches == elements && !along_rows[0]));
    return is_gain ? hlo_add_convert(r, converted_dot(r, i, HLO_TYPE_F32, HLO_TYPE_F32), type) : HLO_KEEP;
  }
  int wide = sides[0] < sides[1];
  bool are_many = terms > MOST_ALONG_ROWS, are_vectors = terms > 1 && batches == elements && along_rows[0];
  int folded = are_many || are_vectors ? fold_of_products(r, i, &d) : HLO_KEEP;
  if (folded != HLO_KEEP || are_vectors || terms > MOST_TERMS) return folded;
  if ((terms > 1 && sides[1 - wide] >= NARROW) || (are_many && along_rows[wide])) return HLO_KEEP;
  int sum = HLO_KEEP;
  for (int64_t term = 0; term < terms; term++) {
    int product = hlo_add_binary(r, HLO_OP_MULTIPLY, factor(r, i, 0, &d.lhs_batch, &d.lhs_contracting, term), factor(r, i, 1, &d.rhs_batch, &d.rhs_contracting, term));
    if (term == 0) sum = hlo_add_splat_like(r, product, (hlo_scalar){0}); /* -0 and +0 are +0 */
    sum = hlo_add_binary(r, HLO_OP_ADD, sum, product);
  }
  return sum;
}

int hlo_expand_ops(hlo_rewriter *r, const hlo_instruction *i) {
  if (!hlo_shape_is_array(i->shape) || (i->shape->rank == 0 && hlo_is_applied(r)) || !hlo_is_plain(r, i)) return HLO_KEEP;
  if (i->opcode == HLO_OP_COMPARE) return compare(r, i);
  if (i->opcode == HLO_OP_POWER) return power(r, i);
  if (i->opcode == HLO_OP_DIVIDE || i->opcode == HLO_OP_REMAINDER) return hlo_expand_division(r, i);
  if (i->opcode == HLO_OP_CONVOLUTION) {
    int convolved = convolve_bytes(r, i);
    return convolved == HLO_KEEP ? hlo_expand_convolution(r, i) : convolved;
  }
  if (i->opcode == HLO_OP_DOT) return dot(r, i);
  if (i->opcode == HLO_OP_REDUCE_WINDOW) return hlo_expand_window(r, i);
  if (i->opcode == HLO_OP_REDUCE_PRECISION) return reduce_precision(r, i);
  if (i->opcode != HLO_OP_CONVERT) return HLO_KEEP;
  hlo_type from = hlo_input(r, i, 0)->shape->type, to = i->shape->type;
  if (hlo_type_is_nibble(from)) return from_nibble(r, i, from);
  if (hlo_type_is_nibble(to) && !hlo_type_is_complex(from)) return to_nibble(r, i, from);
  return convert_float(r, i, from, to);
}
