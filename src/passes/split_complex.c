/* Computes with complex numbers as with their real and imaginary parts: real ops have kernels and are written in fused loops. What an op
 * makes is put together as `complex`, and the next op takes the parts from there.
 *
 *   dot(a, b) -> complex(dot(ar, br) - dot(ai, bi), dot(ar, bi) + dot(ai, br))
 *
 *   exponential(x) -> complex(e^xr cos xi, e^xr sin xi)
 *
 * Products of c64 are summed in f64, which holds each of them exactly, so that a part is rounded as the definition says. Computations
 * that are applied to elements stay as they are: well-known ones (a sum, say) are recognised by their scalars. */
#include <math.h>

#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

typedef struct parts {
  int re, im;
} parts;

static bool is_complex(const hlo_rewriter *r, int value) { return hlo_type_is_complex(hlo_rewriter_value(r, value)->shape->type); }

/* The shape of a part of a value of this shape. */
static const hlo_shape *part_shape(hlo_rewriter *r, const hlo_shape *shape) {
  return hlo_shape_for(r, hlo_type_real_part(shape->type), shape->dims, shape->rank);
}

/* Adds a part of a value (opcode REAL or IMAG), which is taken before movements of what was put together of parts. */
static int part(hlo_rewriter *r, hlo_opcode opcode, int value) {
  const hlo_instruction *i = hlo_rewriter_value(r, value), *moved = i;
  if (i->opcode == HLO_OP_COMPLEX) return i->operands[opcode == HLO_OP_IMAG];
  while (hlo_is_view(r->to, moved)) moved = hlo_input(r, moved, 0);
  if (moved == i || (moved->opcode != HLO_OP_COMPLEX && moved->opcode != HLO_OP_CONSTANT)) return hlo_add_unary(r, opcode, value);
  int of = part(r, opcode, i->operands[0]);
  return hlo_add_like(r, i, hlo_op_has(i->opcode, HLO_FLAG_DECLARED) ? part_shape(r, i->shape) : NULL, &of);
}

static parts parts_of(hlo_rewriter *r, int value) { return (parts){part(r, HLO_OP_REAL, value), part(r, HLO_OP_IMAG, value)}; }

static int together(hlo_rewriter *r, int re, int im) { return hlo_add_binary(r, HLO_OP_COMPLEX, re, im); }

/* ---- Element-wise ops ---- */

/* The sum or difference of two products, in f64. */
static int sum_of_products(hlo_rewriter *r, hlo_opcode opcode, const int *factors) {
  int wide[4];
  for (int n = 0; n < 4; n++) wide[n] = hlo_add_convert(r, factors[n], HLO_TYPE_F64);
  int lhs = hlo_add_binary(r, HLO_OP_MULTIPLY, wide[0], wide[1]), rhs = hlo_add_binary(r, HLO_OP_MULTIPLY, wide[2], wide[3]);
  return hlo_add_binary(r, opcode, lhs, rhs);
}

static int multiply(hlo_rewriter *r, parts a, parts b) {
  if (a.re < 0 || a.im < 0 || b.re < 0 || b.im < 0) return HLO_KEEP;
  hlo_type type = hlo_rewriter_value(r, a.re)->shape->type;
  int re = sum_of_products(r, HLO_OP_SUBTRACT, (int[]){a.re, b.re, a.im, b.im});
  int im = sum_of_products(r, HLO_OP_ADD, (int[]){a.re, b.im, a.im, b.re});
  return together(r, hlo_add_convert(r, re, type), hlo_add_convert(r, im, type));
}

static int splat(hlo_rewriter *r, int like, double value) { return hlo_add_splat_like(r, like, (hlo_scalar){.f = value}); }
static int times(hlo_rewriter *r, int x, double factor) { return hlo_add_binary(r, HLO_OP_MULTIPLY, x, splat(r, x, factor)); }
static int compares(hlo_rewriter *r, int x, int direction, double value) { return hlo_add_comparison(r, x, direction, (hlo_scalar){.f = value}); }

/* The larger one of the parts' sizes, and the square of the other by it: 0 where that is no number. */
static parts by_size(hlo_rewriter *r, parts x) {
  int re = hlo_add_unary(r, HLO_OP_ABS, x.re), im = hlo_add_unary(r, HLO_OP_ABS, x.im);
  int most = hlo_add_binary(r, HLO_OP_MAXIMUM, re, im), least = hlo_add_binary(r, HLO_OP_MINIMUM, re, im);
  int odd = hlo_add_binary(r, HLO_OP_OR, compares(r, most, HLO_direction_EQ, 0), compares(r, most, HLO_direction_EQ, INFINITY));
  int ratio = hlo_add_select(r, odd, splat(r, least, 0), hlo_add_binary(r, HLO_OP_DIVIDE, least, most));
  return (parts){most, hlo_add_binary(r, HLO_OP_MULTIPLY, ratio, ratio)};
}

/* The modulus: infinite where a part is, even if the other is NaN. */
static int modulus(hlo_rewriter *r, parts x) {
  if (x.re < 0 || x.im < 0) return HLO_KEEP;
  int re = compares(r, hlo_add_unary(r, HLO_OP_ABS, x.re), HLO_direction_EQ, INFINITY), size = HLO_KEEP;
  int infinite = hlo_add_binary(r, HLO_OP_OR, re, compares(r, hlo_add_unary(r, HLO_OP_ABS, x.im), HLO_direction_EQ, INFINITY));
  if (hlo_rewriter_value(r, x.re)->shape->type == HLO_TYPE_F32) {
    int squares = sum_of_products(r, HLO_OP_ADD, (int[]){x.re, x.re, x.im, x.im});
    size = squares < 0 ? HLO_KEEP : hlo_add_convert(r, hlo_add_unary(r, HLO_OP_SQRT, squares), HLO_TYPE_F32);
  } else {
    parts sizes = by_size(r, x);
    int sum = hlo_add_binary(r, HLO_OP_ADD, sizes.im, splat(r, sizes.im, 1));
    size = hlo_add_binary(r, HLO_OP_MULTIPLY, sizes.re, hlo_add_unary(r, HLO_OP_SQRT, sum));
  }
  return hlo_add_select(r, infinite, splat(r, x.re, INFINITY), size);
}

/* ---- Functions, in f64 ---- */

/* e^x, of parts of c128 or of those of c64 in f64. A product by a power of e that is infinite may be finite, so then the power's root is multiplied twice;
 * of c64, that product is too large as well. */
static parts exponential(hlo_rewriter *r, hlo_type type, parts x) {
  parts turn = {hlo_add_unary(r, HLO_OP_COSINE, x.im), hlo_add_unary(r, HLO_OP_SINE, x.im)};
  int whole = hlo_add_unary(r, HLO_OP_EXPONENTIAL, x.re), of[2];
  for (int n = 0; n < 2; n++) {
    int by = n ? turn.im : turn.re;
    of[n] = hlo_add_binary(r, HLO_OP_MULTIPLY, whole, by);
    if (type != HLO_TYPE_C128) continue;
    int half = hlo_add_unary(r, HLO_OP_EXPONENTIAL, times(r, x.re, 0.5)), twice = hlo_add_binary(r, HLO_OP_MULTIPLY, hlo_add_binary(r, HLO_OP_MULTIPLY, half, by), half);
    of[n] = hlo_add_select(r, compares(r, whole, HLO_direction_EQ, INFINITY), twice, of[n]);
  }
  return (parts){of[0], hlo_add_select(r, compares(r, x.im, HLO_direction_EQ, 0), x.im, of[1])};
}

/* x by its modulus: by the larger of its sizes first, so that nothing overflows. */
static parts sign(hlo_rewriter *r, parts x) {
  parts size = by_size(r, x);
  int root = hlo_add_unary(r, HLO_OP_SQRT, hlo_add_binary(r, HLO_OP_ADD, size.im, splat(r, size.im, 1))), is_zero = compares(r, size.re, HLO_direction_EQ, 0);
  int re = hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_binary(r, HLO_OP_DIVIDE, x.re, size.re), root);
  int im = hlo_add_binary(r, HLO_OP_DIVIDE, hlo_add_binary(r, HLO_OP_DIVIDE, x.im, size.re), root);
  return (parts){hlo_add_select(r, is_zero, x.re, re), hlo_add_select(r, is_zero, x.im, im)};
}

static parts widened(hlo_rewriter *r, parts x) { return (parts){hlo_add_convert(r, x.re, HLO_TYPE_F64), hlo_add_convert(r, x.im, HLO_TYPE_F64)}; }

/* In f64, nothing of c64 overflows. */
static int function(hlo_rewriter *r, const hlo_instruction *i) {
  parts x = widened(r, parts_of(r, i->operands[0]));
  parts found = i->opcode == HLO_OP_SIGN ? sign(r, x) : exponential(r, i->shape->type, x);
  hlo_type type = hlo_type_real_part(i->shape->type);
  return together(r, hlo_add_convert(r, found.re, type), hlo_add_convert(r, found.im, type));
}

static int compare(hlo_rewriter *r, const hlo_instruction *i, parts a, parts b) {
  int direction = hlo_instruction_enum(i, HLO_ATTR_direction, HLO_direction_EQ);
  if (direction != HLO_direction_EQ && direction != HLO_direction_NE) return HLO_KEEP;
  const hlo_attribute *attribute = hlo_instruction_attribute(i, HLO_ATTR_direction);
  int re = hlo_add(r, HLO_OP_COMPARE, NULL, (int[]){a.re, b.re}, 2, attribute, 1);
  int im = hlo_add(r, HLO_OP_COMPARE, NULL, (int[]){a.im, b.im}, 2, attribute, 1);
  return hlo_add_binary(r, direction == HLO_direction_EQ ? HLO_OP_AND : HLO_OP_OR, re, im);
}

static int convert(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type type = hlo_type_real_part(i->shape->type);
  if (!is_complex(r, i->operands[0])) {
    const hlo_shape *shape = part_shape(r, i->shape);
    return shape ? together(r, hlo_add_convert(r, i->operands[0], type), hlo_add_splat(r, shape, (hlo_scalar){.f = 0})) : HLO_KEEP;
  }
  if (i->shape->type == HLO_TYPE_PRED) return HLO_KEEP; /* which looks at both parts */
  int re = hlo_add_convert(r, part(r, HLO_OP_REAL, i->operands[0]), type);
  if (!hlo_type_is_complex(i->shape->type)) return re;
  return together(r, re, hlo_add_convert(r, part(r, HLO_OP_IMAG, i->operands[0]), type));
}

static int elementwise(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_CONVERT) return convert(r, i);
  int last = i->operand_count - 1;
  switch (i->opcode) {
  case HLO_OP_REAL: case HLO_OP_IMAG: {
    const hlo_instruction *from = hlo_input(r, i, 0);
    if (!hlo_type_is_complex(from->shape->type)) return HLO_KEEP;
    while (hlo_is_view(r->to, from)) from = hlo_input(r, from, 0);
    return from->opcode == HLO_OP_COMPLEX ? part(r, i->opcode, i->operands[0]) : HLO_KEEP;
  }
  case HLO_OP_ADD: case HLO_OP_SUBTRACT: case HLO_OP_MULTIPLY: case HLO_OP_NEGATE: case HLO_OP_SELECT: case HLO_OP_COMPARE: break;
  case HLO_OP_EXPONENTIAL: case HLO_OP_SIGN:
    return is_complex(r, i->operands[0]) ? function(r, i) : HLO_KEEP;
  case HLO_OP_ABS: return is_complex(r, i->operands[0]) ? modulus(r, parts_of(r, i->operands[0])) : HLO_KEEP;
  default: return HLO_KEEP;
  }
  if (!is_complex(r, i->operands[last])) return HLO_KEEP;
  parts b = parts_of(r, i->operands[last]);
  if (i->opcode == HLO_OP_NEGATE) return together(r, hlo_add_unary(r, HLO_OP_NEGATE, b.re), hlo_add_unary(r, HLO_OP_NEGATE, b.im));
  parts a = parts_of(r, i->operands[last - 1]);
  if (i->opcode == HLO_OP_MULTIPLY) return multiply(r, a, b);
  if (i->opcode == HLO_OP_COMPARE) return compare(r, i, a, b);
  int first = i->operands[0];
  int re = hlo_add_like(r, i, NULL, last == 2 ? (int[]){first, a.re, b.re} : (int[]){a.re, b.re});
  return together(r, re, hlo_add_like(r, i, NULL, last == 2 ? (int[]){first, a.im, b.im} : (int[]){a.im, b.im}));
}

/* ---- Sums ---- */

/* dot, convolution: four products of parts. Real sides have imaginary parts of 0, whose products with infinity are NaN. */
static int product(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type lhs = hlo_input(r, i, 0)->shape->type, rhs = hlo_input(r, i, 1)->shape->type, type = lhs == rhs && hlo_type_is_complex(lhs) ? lhs : i->shape->type;
  if (!hlo_type_is_complex(type) || !hlo_type_holds(type, lhs) || !hlo_type_holds(type, rhs)) return HLO_KEEP;
  parts a = parts_of(r, hlo_add_convert(r, i->operands[0], type)), b = parts_of(r, hlo_add_convert(r, i->operands[1], type));
  const hlo_shape *shape = hlo_op_has(i->opcode, HLO_FLAG_DECLARED) ? part_shape(r, i->shape) : NULL;
  int rr = hlo_add_like(r, i, shape, (int[]){a.re, b.re}), ii = hlo_add_like(r, i, shape, (int[]){a.im, b.im});
  int ri = hlo_add_like(r, i, shape, (int[]){a.re, b.im}), ir = hlo_add_like(r, i, shape, (int[]){a.im, b.re});
  return together(r, hlo_add_binary(r, HLO_OP_SUBTRACT, rr, ii), hlo_add_binary(r, HLO_OP_ADD, ri, ir));
}

/* A sum is two folds, of either part; products have kernels. */
static int fold(hlo_rewriter *r, const hlo_instruction *i) {
  enum { MOST_OPERANDS = 3 };
  hlo_opcode opcode;
  const hlo_computation *computation = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  int count = i->operand_count, operands[2][MOST_OPERANDS];
  if (!hlo_type_is_complex(i->shape->type) || count != (i->opcode == HLO_OP_SCATTER ? 3 : 2)) return HLO_KEEP;
  if (!hlo_computation_is_binary_op(computation, &opcode) || opcode != HLO_OP_ADD) return HLO_KEEP;
  const hlo_attribute to_apply = {.id = HLO_ATTR_to_apply, .computation = hlo_add_binary_computation(r, HLO_OP_ADD, hlo_type_real_part(i->shape->type), "sum_of_parts")};
  if (to_apply.computation < 0) return HLO_KEEP;
  for (int n = 0; n < count; n++) {
    parts x = {i->operands[n], i->operands[n]}; /* indices are the same for both */
    if (is_complex(r, i->operands[n])) x = parts_of(r, i->operands[n]);
    operands[0][n] = x.re, operands[1][n] = x.im;
  }
  int re = hlo_add_with(r, i, NULL, operands[0], count, to_apply);
  return together(r, re, hlo_add_with(r, i, NULL, operands[1], count, to_apply));
}

int hlo_split_complex(hlo_rewriter *r, const hlo_instruction *i) {
  if (!hlo_shape_is_array(i->shape) || !hlo_is_plain(r, i)) return HLO_KEEP;
  if (i->opcode == HLO_OP_REDUCE || i->opcode == HLO_OP_REDUCE_WINDOW || i->opcode == HLO_OP_SCATTER) return fold(r, i);
  if (i->opcode == HLO_OP_DOT || i->opcode == HLO_OP_CONVOLUTION) return product(r, i);
  if ((i->shape->rank == 0 && hlo_is_applied(r)) || !hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE)) return HLO_KEEP;
  return hlo_type_is_complex(i->shape->type) || is_complex(r, i->operands[i->operand_count - 1]) ? elementwise(r, i) : HLO_KEEP;
}
