/* Identities of element-wise ops: the rows of algebra.def, and those that need a function. */
#include <math.h>

#include "base/status.h"
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/scalar_ops.h"
#include "passes/integer_range.h"
#include "passes/pass_list.h"
#include "reference/reference.h"
#include "rewrite/rewriter.h"
#include "shape/element_type.h"
#include "shape/shape.h"

typedef enum { LEFT, RIGHT } side;
typedef enum { ZERO, NEGATIVE_ZERO, ONE, MINUS_ONE, TWO, LEAST, GREATEST } value;
typedef enum { OTHER, ITSELF, NEGATED, ONES, ZEROS, SQUARED, INVERTED, INVERSE, X, ONCE } result;

/* Sets of classes of types. */
enum { p = 1 << HLO_CLASS_PRED, s = 1 << HLO_CLASS_SIGNED, u = 1 << HLO_CLASS_UNSIGNED, f = 1 << HLO_CLASS_FLOAT, c = 1 << HLO_CLASS_COMPLEX };
enum { su = s | u, psu = p | su, sf = s | f, suf = su | f, psuf = p | suf, sufc = suf | c };

/* The form of an identity: a constant operand, two equal operands, or an op applied to its own result. */
typedef enum { ON_CONSTANT, ON_SAME, ON_ITSELF } form;

typedef struct identity {
  uint8_t opcode, types, form, side, value, result;
} identity;

static const identity identities[] = {
#define CONSTANT(op, types, side, value, result) {HLO_OP_##op, types, ON_CONSTANT, side, value, result},
#define SAME(op, types, result) {HLO_OP_##op, types, ON_SAME, LEFT, ZERO, result},
#define TWICE(op, types, result) {HLO_OP_##op, types, ON_ITSELF, LEFT, ZERO, result},
#include "passes/algebra.def"
#undef CONSTANT
#undef SAME
#undef TWICE
};

static bool has_type(int types, hlo_type type) { return types >> hlo_type_classify(type) & 1; }

static const identity *find(form form, const identity *after, hlo_opcode opcode, hlo_type type) {
  for (const identity *row = after ? after + 1 : identities; row < identities + sizeof identities / sizeof *identities; row++)
    if (row->form == form && row->opcode == opcode && has_type(row->types, type)) return row;
  return NULL;
}

/* ---- Values ---- */

static bool same_scalar(hlo_type type, hlo_scalar a, hlo_scalar b) {
  if (hlo_type_is_float(type)) return a.f == b.f && signbit(a.f) == signbit(b.f);
  return a.u == b.u;
}

static hlo_scalar negated(hlo_type type, hlo_scalar x) { return hlo_reference_unary_scalar(HLO_OP_NEGATE, type, x); }

static bool holds(hlo_type type, hlo_scalar x, value wanted) {
  hlo_scalar one = hlo_scalar_one(type);
  switch (wanted) {
  case ZERO: return same_scalar(type, x, hlo_scalar_zero(type));
  case NEGATIVE_ZERO: return x.f == 0 && signbit(x.f);
  case ONE: return same_scalar(type, x, one);
  case MINUS_ONE:
    if (type == HLO_TYPE_PRED) return x.u == 1;
    return same_scalar(type, x, hlo_type_is_unsigned(type) ? hlo_type_max_value(type) : negated(type, one));
  case TWO: return hlo_type_is_float(type) ? x.f == 2 : x.u == 2;
  case LEAST: return same_scalar(type, x, hlo_type_min_value(type));
  default: return same_scalar(type, x, hlo_type_max_value(type));
  }
}

static int make(hlo_rewriter *r, const hlo_instruction *i, result result, int x, int constant) {
  hlo_type type = i->shape->type;
  switch (result) {
  case OTHER: case X: return x;
  case ITSELF: return constant;
  case NEGATED: return hlo_add_unary(r, HLO_OP_NEGATE, x);
  case INVERSE: return hlo_add_unary(r, HLO_OP_NOT, x);
  case ONES: return hlo_add_splat(r, i->shape, hlo_scalar_one(type));
  case ZEROS: return hlo_add_splat(r, i->shape, hlo_scalar_zero(type));
  case SQUARED: return hlo_add_binary(r, HLO_OP_MULTIPLY, x, x);
  default: return hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_splat(r, i->shape, hlo_scalar_one(type)), x);
  }
}

/* ---- Binary ops ---- */

/* x / d -> x * (1 / d), where 1 / d is exact: both are rounded alike. */
static int divide(hlo_rewriter *r, const hlo_instruction *i, hlo_scalar divisor) {
  int exponent;
  hlo_type type = i->shape->type;
  if (type != HLO_TYPE_F32 && type != HLO_TYPE_F64 && type != HLO_TYPE_F16 && type != HLO_TYPE_BF16) return HLO_KEEP;
  if (!isfinite(divisor.f) || fabs(frexp(divisor.f, &exponent)) != 0.5) return HLO_KEEP;
  double inverse = 1 / divisor.f;
  if (!isfinite(inverse) || hlo_float_decode(type, hlo_float_encode(type, inverse)) != inverse) return HLO_KEEP;
  return hlo_add_binary(r, HLO_OP_MULTIPLY, i->operands[0], hlo_add_splat(r, i->shape, (hlo_scalar){.f = inverse}));
}

/* Division and remainder of unsigned integers by a power of two become a shift and a mask. */
static int divide_bits(hlo_rewriter *r, const hlo_instruction *i, uint64_t divisor) {
  if (divisor == 0 || (divisor & (divisor - 1))) return HLO_KEEP;
  bool divides = i->opcode == HLO_OP_DIVIDE;
  hlo_scalar mask = {.u = divides ? (uint64_t)__builtin_ctzll(divisor) : divisor - 1};
  return hlo_add_binary(r, divides ? HLO_OP_SHIFT_RIGHT_LOGICAL : HLO_OP_AND, i->operands[0], hlo_add_splat(r, i->shape, mask));
}

/* (x op a) op b -> x op (a op b), where the op is associative to the bit. */
static int reassociate(hlo_rewriter *r, const hlo_instruction *i, hlo_scalar b) {
  hlo_type type = i->shape->type;
  if (!has_type(psu, type) || !hlo_op_has(i->opcode, HLO_FLAG_COMMUTATIVE) || i->opcode == HLO_OP_MULTIPLY_HIGH) return HLO_KEEP;
  const hlo_instruction *inner = hlo_input(r, i, 0);
  hlo_scalar a;
  if (inner->opcode != i->opcode || !hlo_splat_of(r, inner->operands[1], &a)) return HLO_KEEP;
  int both = hlo_add_splat(r, i->shape, hlo_reference_binary_scalar(i->opcode, type, a, b));
  return hlo_add_binary(r, i->opcode, inner->operands[0], both);
}

static int with_constant(hlo_rewriter *r, const hlo_instruction *i, side side, hlo_scalar value) {
  hlo_type type = i->shape->type;
  for (const identity *row = NULL; (row = find(ON_CONSTANT, row, i->opcode, type));)
    if (row->side == side && holds(type, value, row->value)) return make(r, i, row->result, i->operands[1 - side], i->operands[side]);
  if (side == LEFT) return HLO_KEEP;
  if (i->opcode == HLO_OP_DIVIDE && hlo_type_is_float(type)) return divide(r, i, value);
  if ((i->opcode == HLO_OP_DIVIDE || i->opcode == HLO_OP_REMAINDER) && hlo_type_is_unsigned(type)) return divide_bits(r, i, value.u);
  return reassociate(r, i, value);
}

/* x + -y -> x - y, x - -y -> x + y, -x * -y -> x * y */
static int with_negations(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *x = hlo_input(r, i, 0), *y = hlo_input(r, i, 1);
  if (!has_type(suf, i->shape->type)) return HLO_KEEP;
  bool left = x->opcode == HLO_OP_NEGATE, right = y->opcode == HLO_OP_NEGATE;
  switch (i->opcode) {
  case HLO_OP_ADD:
    if (right) return hlo_add_binary(r, HLO_OP_SUBTRACT, x->index, y->operands[0]);
    return left ? hlo_add_binary(r, HLO_OP_SUBTRACT, y->index, x->operands[0]) : HLO_KEEP;
  case HLO_OP_SUBTRACT:
    return right ? hlo_add_binary(r, HLO_OP_ADD, x->index, y->operands[0]) : HLO_KEEP;
  case HLO_OP_MULTIPLY:
    return left && right ? hlo_add_binary(r, HLO_OP_MULTIPLY, x->operands[0], y->operands[0]) : HLO_KEEP;
  default:
    return HLO_KEEP;
  }
}

/* ---- Quotients rounded down, and their remainders, as JAX writes them ---- */

static bool is_comparison_with(const hlo_rewriter *r, const hlo_instruction *i, int direction, int64_t number) {
  hlo_scalar value;
  return i->opcode == HLO_OP_COMPARE && hlo_is_plain(r, i) && hlo_type_is_signed(hlo_input(r, i, 0)->shape->type) &&
         hlo_instruction_enum(i, HLO_ATTR_direction, HLO_direction_EQ) == direction && hlo_splat_of(r, i->operands[1], &value) && value.s == number;
}

/* x < 0 and x != 0 -> x < 0. A remainder that is not zero has the sign of the dividend: sign(x) != 1 and x % 7 != 0 -> x % 7 < 0. */
static int both(hlo_rewriter *r, const hlo_instruction *i) {
  for (int n = 0; n < 2; n++) {
    const hlo_instruction *is_other = hlo_input(r, i, n), *is_rest = hlo_input(r, i, 1 - n);
    if (!is_comparison_with(r, is_rest, HLO_direction_NE, 0)) continue;
    const hlo_instruction *rest = hlo_input(r, is_rest, 0);
    bool has_sign = is_comparison_with(r, is_other, HLO_direction_LT, 0) || is_comparison_with(r, is_other, HLO_direction_GT, 0);
    if (has_sign && is_other->operands[0] == rest->index) return is_other->index;
    bool is_positive = is_comparison_with(r, is_other, HLO_direction_NE, 1);
    if (!is_positive && !is_comparison_with(r, is_other, HLO_direction_NE, -1)) continue;
    const hlo_instruction *sign = hlo_input(r, is_other, 0);
    if (sign->opcode != HLO_OP_SIGN || rest->opcode != HLO_OP_REMAINDER || sign->operands[0] != rest->operands[0]) continue;
    return hlo_add_comparison(r, rest->index, is_positive ? HLO_direction_LT : HLO_direction_GT, (hlo_scalar){0});
  }
  return HLO_KEEP;
}

/* By 2^k, the quotient rounded down is a shift, and the remainder that belongs to it a mask:
 * select(x % 8 < 0, x / 8 - 1, x / 8) -> x >> 3, select(x % 8 < 0, x % 8 + 8, x % 8) -> x & 7. */
static int rounded_down(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *predicate = hlo_input(r, i, 0), *when_less = hlo_input(r, i, 1), *other = hlo_input(r, i, 2);
  hlo_scalar divisor, same, more;
  if (!is_comparison_with(r, predicate, HLO_direction_LT, 0) || predicate->shape->rank != i->shape->rank) return HLO_KEEP;
  const hlo_instruction *rest = hlo_input(r, predicate, 0);
  if (rest->opcode != HLO_OP_REMAINDER || !hlo_splat_of(r, rest->operands[1], &divisor) || divisor.s < 2 || (divisor.u & (divisor.u - 1))) return HLO_KEEP;
  if (when_less->operand_count != 2 || when_less->operands[0] != other->index || !hlo_splat_of(r, when_less->operands[1], &more)) return HLO_KEEP;
  int x = rest->operands[0];
  if (other->index == rest->index && when_less->opcode == HLO_OP_ADD && more.s == divisor.s)
    return hlo_with(r, HLO_OP_AND, x, divisor.s - 1);
  if (other->opcode != HLO_OP_DIVIDE || other->operands[0] != x || !hlo_splat_of(r, other->operands[1], &same) || same.s != divisor.s) return HLO_KEEP;
  if (when_less->opcode != HLO_OP_SUBTRACT || more.s != 1) return HLO_KEEP;
  return hlo_with(r, HLO_OP_SHIFT_RIGHT_ARITHMETIC, x, __builtin_ctzll(divisor.u));
}

/* ---- Any binary op, comparisons ---- */

/* The operand of a maximum (sign 1) or minimum (-1) of integers that is never the lesser, or the greater; HLO_KEEP: there is none. */
static int extreme(const hlo_rewriter *r, int a, int b, int sign) {
  hlo_integer_range of[] = {hlo_integer_range_of(r, a), hlo_integer_range_of(r, b)};
  if (of[0].least >= of[1].most) return sign > 0 ? a : b;
  return of[0].most <= of[1].least ? sign > 0 ? b : a : HLO_KEEP;
}

static int binary(hlo_rewriter *r, const hlo_instruction *i) {
  int lhs = i->operands[0], rhs = i->operands[1];
  hlo_type type = i->shape->type;
  hlo_scalar left, right;
  bool known_left = hlo_splat_of(r, lhs, &left), known_right = hlo_splat_of(r, rhs, &right);
  if (known_left && !known_right && hlo_op_has(i->opcode, HLO_FLAG_COMMUTATIVE)) return hlo_add_binary(r, i->opcode, rhs, lhs);
  const identity *same = lhs == rhs ? find(ON_SAME, NULL, i->opcode, type) : NULL;
  if (same) return make(r, i, same->result, lhs, lhs);
  if (i->opcode == HLO_OP_AND && type == HLO_TYPE_PRED && !known_left && !known_right) return both(r, i);
  if ((i->opcode == HLO_OP_MAXIMUM || i->opcode == HLO_OP_MINIMUM) && hlo_type_is_integral(type)) {
    int always = extreme(r, lhs, rhs, i->opcode == HLO_OP_MAXIMUM ? 1 : -1);
    if (always >= 0) return always;
  }
  int value = known_right ? with_constant(r, i, RIGHT, right) : known_left ? with_constant(r, i, LEFT, left) : HLO_KEEP;
  return value >= 0 || !hlo_ok(r->status) ? value : with_negations(r, i);
}

/* Returns what a comparison of integers gives for any of two ranges: 0 or 1; -1: that depends on the integers. */
static int decided(int direction, hlo_integer_range a, hlo_integer_range b) {
  switch (direction) {
  case HLO_direction_LT: return a.most < b.least ? 1 : a.least >= b.most ? 0 : -1;
  case HLO_direction_LE: return a.most <= b.least ? 1 : a.least > b.most ? 0 : -1;
  case HLO_direction_GT: return decided(HLO_direction_LT, b, a);
  case HLO_direction_GE: return decided(HLO_direction_LE, b, a);
  default: return a.most < b.least || a.least > b.most ? direction == HLO_direction_NE : -1;
  }
}

static int compare(hlo_rewriter *r, const hlo_instruction *i) {
  int direction = hlo_instruction_enum(i, HLO_ATTR_direction, HLO_direction_EQ);
  hlo_type type = hlo_input(r, i, 0)->shape->type;
  hlo_scalar value;
  if (i->operands[0] == i->operands[1] && has_type(psu, type))
    return hlo_add_splat(r, i->shape, (hlo_scalar){.u = direction == HLO_direction_EQ || direction == HLO_direction_GE || direction == HLO_direction_LE});
  if (hlo_type_is_integral(type) && hlo_instruction_enum(i, HLO_ATTR_comparison_type, hlo_default_comparison_type(type)) == (int)hlo_default_comparison_type(type)) {
    int result = decided(direction, hlo_integer_range_of(r, i->operands[0]), hlo_integer_range_of(r, i->operands[1]));
    if (result >= 0) return hlo_add_splat(r, i->shape, (hlo_scalar){.u = (uint64_t)result});
  }
  if (type != HLO_TYPE_PRED || (direction != HLO_direction_EQ && direction != HLO_direction_NE)) return HLO_KEEP;
  for (int n = 0; n < 2; n++) { /* p == true -> p */
    if (!hlo_splat_of(r, i->operands[n], &value)) continue;
    bool keeps = (value.u != 0) == (direction == HLO_direction_EQ);
    return keeps ? i->operands[1 - n] : hlo_add_unary(r, HLO_OP_NOT, i->operands[1 - n]);
  }
  return HLO_KEEP;
}

/* ---- Conversions ---- */

/* Returns whether every element is one of a narrower type: it was converted from that type, or chosen among such; at most `depth` ops deep. */
static bool holds_only(const hlo_rewriter *r, int index, hlo_type type, int depth) {
  const hlo_instruction *i = hlo_rewriter_value(r, index);
  hlo_scalar value;
  if (!depth || !hlo_is_plain(r, i)) return false;
  if (hlo_splat_of(r, index, &value)) {
    hlo_scalar back = hlo_scalar_convert(i->shape->type, type, hlo_scalar_convert(type, i->shape->type, value));
    return back.u == value.u && back.im == value.im;
  }
  switch (i->opcode) {
  case HLO_OP_CONVERT: return hlo_input(r, i, 0)->shape->type == type;
  case HLO_OP_NEGATE: case HLO_OP_ABS:
    if (type != HLO_TYPE_F16 && type != HLO_TYPE_BF16) return false;
    break;
  case HLO_OP_MAXIMUM: case HLO_OP_MINIMUM: case HLO_OP_CLAMP: case HLO_OP_BROADCAST: case HLO_OP_RESHAPE: case HLO_OP_TRANSPOSE: break;
  default: return false;
  }
  for (int n = 0; n < i->operand_count; n++)
    if (!holds_only(r, i->operands[n], type, depth - 1)) return false;
  return true;
}

static int convert(hlo_rewriter *r, const hlo_instruction *i) {
  enum { DEPTH = 4 };
  const hlo_instruction *inner = hlo_input(r, i, 0);
  if (inner->shape->type == i->shape->type) return i->operands[0];
  if (inner->opcode != HLO_OP_CONVERT || !hlo_is_plain(r, inner) || hlo_type_is_complex(inner->shape->type)) return HLO_KEEP;
  hlo_type from = hlo_input(r, inner, 0)->shape->type, through = inner->shape->type, to = i->shape->type;
  bool saturates = hlo_type_is_float(through) && hlo_type_is_integral(to) && !hlo_type_is_float(from); /* integers wrap */
  if (from == to && hlo_type_holds(from, through) && holds_only(r, inner->operands[0], through, DEPTH)) return inner->operands[0];
  if (!hlo_type_holds(through, from) || (saturates && !hlo_type_holds(to, from)) || (from != to && through == hlo_computed_type_of(from))) return HLO_KEEP;
  return hlo_add_convert(r, inner->operands[0], i->shape->type);
}

static int bitcast_convert(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  if (inner->shape->type == i->shape->type) return i->operands[0];
  if (inner->opcode != HLO_OP_BITCAST_CONVERT || !hlo_is_plain(r, inner)) return HLO_KEEP;
  return hlo_shape_compatible(hlo_input(r, inner, 0)->shape, i->shape) ? inner->operands[0] : HLO_KEEP;
}

/* ---- The rest ---- */

static int clamp(hlo_rewriter *r, const hlo_instruction *i) {
  int x = i->operands[1];
  bool is_within = hlo_type_is_integral(i->shape->type) && extreme(r, x, i->operands[0], 1) == x && extreme(r, x, i->operands[2], -1) == x;
  return is_within ? x : HLO_KEEP;
}

static int select(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_scalar chosen, yes, no;
  int on_true = i->operands[1], on_false = i->operands[2];
  if (on_true == on_false) return on_true;
  if (hlo_splat_of(r, i->operands[0], &chosen)) return chosen.u ? on_true : on_false;
  const hlo_instruction *predicate = hlo_input(r, i, 0);
  if (predicate->opcode == HLO_OP_NOT) return hlo_add_select(r, predicate->operands[0], on_false, on_true);
  bool whole = i->shape->type == HLO_TYPE_PRED && hlo_shape_compatible(predicate->shape, i->shape);
  if (!whole || !hlo_splat_of(r, on_true, &yes) || !hlo_splat_of(r, on_false, &no)) return rounded_down(r, i);
  return yes.u == no.u ? on_true : yes.u ? i->operands[0] : hlo_add_unary(r, HLO_OP_NOT, i->operands[0]);
}

static int unary(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  hlo_opcode opcode = i->opcode;
  if (opcode == HLO_OP_SQUARE && has_type(suf, i->shape->type)) return hlo_add_binary(r, HLO_OP_MULTIPLY, inner->index, inner->index);
  if (inner->opcode == opcode) {
    const identity *row = find(ON_ITSELF, NULL, opcode, i->shape->type);
    return !row ? HLO_KEEP : row->result == X ? inner->operands[0] : inner->index;
  }
  if (opcode == HLO_OP_ABS && inner->opcode == HLO_OP_NEGATE && hlo_type_is_float(i->shape->type))
    return hlo_add_unary(r, HLO_OP_ABS, inner->operands[0]);
  if (inner->opcode == HLO_OP_COMPLEX && (opcode == HLO_OP_REAL || opcode == HLO_OP_IMAG)) return inner->operands[opcode == HLO_OP_IMAG];
  if (opcode == HLO_OP_NOT && inner->opcode == HLO_OP_COMPARE && !hlo_type_is_float(hlo_input(r, inner, 0)->shape->type) &&
      !hlo_type_is_complex(hlo_input(r, inner, 0)->shape->type)) {
    static const int opposite[] = {HLO_direction_NE, HLO_direction_EQ, HLO_direction_LT, HLO_direction_LE, HLO_direction_GT, HLO_direction_GE};
    hlo_attribute attributes[] = {{.id = HLO_ATTR_direction, .enumerant = opposite[hlo_instruction_enum(inner, HLO_ATTR_direction, 0)]}};
    return hlo_add(r, HLO_OP_COMPARE, NULL, inner->operands, 2, attributes, 1);
  }
  return HLO_KEEP;
}

int hlo_simplify_algebra(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->operand_count == 0 || !hlo_is_plain(r, i)) return HLO_KEEP;
  switch (i->opcode) {
  case HLO_OP_COMPARE: return compare(r, i);
  case HLO_OP_CONVERT: return convert(r, i);
  case HLO_OP_BITCAST_CONVERT: return bitcast_convert(r, i);
  case HLO_OP_SELECT: return select(r, i);
  case HLO_OP_CLAMP: return clamp(r, i);
  default:
    if (!hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE) || i->shape->type == HLO_TYPE_F8E8M0FNU /* has no sign and no zero */) return HLO_KEEP;
    return i->operand_count == 1 ? unary(r, i) : i->operand_count == 2 && hlo_input(r, i, 0)->shape->type == i->shape->type ? binary(r, i) : HLO_KEEP;
  }
}
