/* Computes element-wise ops and reductions of 8 and 16 bits in f32 or s32, and rounds or wraps back after each op. f32 has more than twice the
 * digits of f16 and bf16, so that one operation rounded twice gives the same as rounded once. Dequantised integers are computed in f32. Computations
 * that are applied to elements stay as they are, but for shifts and for arithmetic of several floats: well-known ones (a sum, say) are recognised by their scalars. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "loops/scalar_ops.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* Returns whether all elements of s32 are numbers of the narrow integers: what no sum or product, nor a shift to the left, was made of since they were widened. */
static bool are_narrow(const hlo_rewriter *r, int value, hlo_type narrow, int depth) {
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  hlo_scalar number;
  switch (i->opcode) {
  case HLO_OP_CONVERT: return hlo_input(r, i, 0)->shape->type == narrow;
  case HLO_OP_AND: case HLO_OP_OR: case HLO_OP_XOR: case HLO_OP_MAXIMUM: case HLO_OP_MINIMUM: case HLO_OP_SELECT: case HLO_OP_CLAMP:
    for (int n = i->opcode == HLO_OP_SELECT; n < i->operand_count; n++)
      if (depth == 0 || !are_narrow(r, i->operands[n], narrow, depth - 1)) return false;
    return true;
  default:
    if (hlo_splat_of(r, value, &number)) return number.s >= hlo_type_min_value(narrow).s && number.s <= hlo_type_max_value(narrow).s;
    return i->opcode == HLO_OP_BROADCAST && depth > 0 && are_narrow(r, i->operands[0], narrow, depth - 1);
  }
}

/* Returns whether the lower bits of a result depend on no others of the operands: these may have any bits above their own, as the result has. */
static bool keeps_lower_bits(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_ADD: case HLO_OP_SUBTRACT: case HLO_OP_MULTIPLY: case HLO_OP_NEGATE: case HLO_OP_AND: case HLO_OP_OR: case HLO_OP_XOR: case HLO_OP_NOT: return true;
  default: return false;
  }
}

/* Adds a conversion for an operand of an operation; a broadcast scalar is converted before the broadcast. */
static int widened(hlo_rewriter *r, int operand, hlo_type type, hlo_opcode opcode) {
  enum { DEPTH = 6 };
  const hlo_instruction *x = hlo_rewriter_value(r, operand);
  bool is_back = x->opcode == HLO_OP_CONVERT && type == HLO_TYPE_S32 && hlo_input(r, x, 0)->shape->type == type && hlo_type_is_integral(x->shape->type);
  if (is_back && (keeps_lower_bits(opcode) || are_narrow(r, x->operands[0], x->shape->type, DEPTH))) return x->operands[0];
  if (x->shape->rank > 0 && x->opcode == HLO_OP_BROADCAST) {
    const hlo_shape *shape = hlo_shape_for(r, type, x->shape->dims, x->shape->rank);
    int narrow = x->operands[0], wide = widened(r, narrow, type, opcode);
    return shape && wide >= 0 ? hlo_add_like(r, x, shape, &wide) : HLO_KEEP;
  }
  return hlo_add_convert(r, operand, type);
}

/* ---- Quantised integers ---- */

/* True for integers of a few bits, which f32 holds exactly, as their differences: converted from a byte, or a small constant. */
static bool is_small(const hlo_rewriter *r, int index) {
  enum { LARGE = 1 << 20 };
  hlo_scalar value;
  if (hlo_splat_of(r, index, &value)) return value.s > -LARGE && value.s < LARGE;
  const hlo_instruction *i = hlo_rewriter_value(r, index);
  while (i->opcode == HLO_OP_BROADCAST || i->opcode == HLO_OP_RESHAPE || i->opcode == HLO_OP_TRANSPOSE) i = hlo_input(r, i, 0);
  hlo_type from = i->opcode == HLO_OP_CONVERT ? hlo_input(r, i, 0)->shape->type : HLO_TYPE_F32;
  return hlo_type_bytes(from) == 1 && (hlo_type_classify(from) == HLO_CLASS_SIGNED || hlo_type_classify(from) == HLO_CLASS_UNSIGNED);
}

/* f32(q - zero) of small integers: the difference of floats is the same, and a dot reads through it. */
static int difference(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *x = hlo_input(r, i, 0);
  if (i->shape->type != HLO_TYPE_F32 || x->shape->type != HLO_TYPE_S32 || x->opcode != HLO_OP_SUBTRACT || r->uses[x->index] > 1) return HLO_KEEP;
  if (!is_small(r, x->operands[0]) || !is_small(r, x->operands[1])) return HLO_KEEP;
  int lhs = hlo_add_convert(r, x->operands[0], HLO_TYPE_F32), rhs = hlo_add_convert(r, x->operands[1], HLO_TYPE_F32);
  return hlo_add_binary(r, HLO_OP_SUBTRACT, lhs, rhs);
}

/* Adds an array of the numbers of every slice, repeated over the shape. */
static int slices(hlo_rewriter *r, const hlo_quantization *q, const hlo_shape *shape, bool scales) {
  int64_t dimension = q->dimension, count = q->count;
  if (dimension < 0) {
    hlo_scalar value = {.f = scales ? (float)q->scales[0] : (double)q->zero_points[0]};
    return hlo_add_splat(r, shape, value);
  }
  hlo_literal *literal = hlo_literal_make(&r->module->arena, hlo_shape_for(r, HLO_TYPE_F32, &count, 1), r->status);
  for (int64_t n = 0; literal && n < count; n++) ((float *)literal->data)[n] = scales ? (float)q->scales[n] : (float)q->zero_points[n];
  return literal ? hlo_add_broadcast(r, hlo_add_constant(r, literal), shape, &dimension) : HLO_KEEP;
}

/* uniform-dequantize(q) -> (f32(q) - zero) * scale, for zeros so small that the difference is exact. */
static int dequantize(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_quantization *q = hlo_instruction_attribute(i, HLO_ATTR_quantization)->quantization;
  bool any = false;
  if (i->shape->type != HLO_TYPE_F32 || hlo_type_bytes(hlo_input(r, i, 0)->shape->type) != 1) return HLO_KEEP;
  for (int64_t n = 0; n < q->count; n++) {
    if (q->zero_points[n] > 1 << 20 || q->zero_points[n] < -(1 << 20)) return HLO_KEEP;
    any |= q->zero_points[n] != 0;
  }
  int value = hlo_add_convert(r, i->operands[0], HLO_TYPE_F32);
  if (any) value = hlo_add_binary(r, HLO_OP_SUBTRACT, value, slices(r, q, i->shape, false));
  return hlo_add_binary(r, HLO_OP_MULTIPLY, value, slices(r, q, i->shape, true));
}

/* ---- Ops ---- */

/* Converts by way of the wide type, and to 16-bit floats by way of f32, which holds every value of a narrow type. */
static int conversion(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type from = hlo_input(r, i, 0)->shape->type, wide = hlo_widened_type_of(from), to = i->shape->type;
  if (wide == from || wide == to) return difference(r, i);
  int value = hlo_add_convert(r, i->operands[0], wide);
  if (hlo_widened_type_of(to) == HLO_TYPE_F32) value = hlo_add_convert(r, value, HLO_TYPE_F32);
  return to == HLO_TYPE_F32 ? value : hlo_add_convert(r, value, to);
}

/* The ones, or leading zeros, of the bits of integers of 8 and 16 bits. */
static int count_bits(hlo_rewriter *r, const hlo_instruction *i) {
  int bits = hlo_type_bits(i->shape->type);
  if (bits != 8 && bits != 16) return HLO_KEEP;
  int value = hlo_add_convert(r, i->operands[0], HLO_TYPE_S32);
  value = hlo_add_binary(r, HLO_OP_AND, value, hlo_add_splat_like(r, value, (hlo_scalar){.s = (1 << bits) - 1}));
  value = hlo_add_unary(r, i->opcode, value);
  if (i->opcode == HLO_OP_COUNT_LEADING_ZEROS) value = hlo_add_binary(r, HLO_OP_SUBTRACT, value, hlo_add_splat_like(r, value, (hlo_scalar){.s = 32 - bits}));
  return hlo_add_convert(r, value, i->shape->type);
}

/* Shifts integers of 8 and 16 bits. What is shifted to the right needs zeros or signs above it, whatever the sign of the type; a count that
 * is too large stays too large. */
static int shift(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type type = i->shape->type, from = type;
  int bits = hlo_type_bits(type);
  if (bits != 8 && bits != 16) return HLO_KEEP;
  if (i->opcode == HLO_OP_SHIFT_RIGHT_LOGICAL) from = bits == 8 ? HLO_TYPE_U8 : HLO_TYPE_U16;
  if (i->opcode == HLO_OP_SHIFT_RIGHT_ARITHMETIC) from = bits == 8 ? HLO_TYPE_S8 : HLO_TYPE_S16;
  int value = hlo_add_convert(r, hlo_add_convert(r, i->operands[0], from), HLO_TYPE_S32);
  value = hlo_add_binary(r, i->opcode, value, widened(r, i->operands[1], HLO_TYPE_S32, i->opcode));
  return hlo_add_convert(r, value, type);
}

static int elementwise(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_CONVERT) return conversion(r, i);
  if (i->opcode == HLO_OP_POPCNT || i->opcode == HLO_OP_COUNT_LEADING_ZEROS) return count_bits(r, i);
  int operands[HLO_ELEMENTWISE_MAX_OPERANDS], variant = HLO_ANY_VARIANT;
  if (i->operand_count < 1 || i->operand_count > HLO_ELEMENTWISE_MAX_OPERANDS) return HLO_KEEP;
  hlo_type narrow = hlo_input(r, i, 0)->shape->type, wide = hlo_computed_type_of(narrow), type = i->shape->type;
  for (int n = 0; n < i->operand_count; n++)
    if (wide == narrow || hlo_input(r, i, n)->shape->type != narrow) return HLO_KEEP;
  if (i->opcode == HLO_OP_COMPARE) {
    int own = hlo_default_comparison_type(narrow);
    if (hlo_instruction_enum(i, HLO_ATTR_comparison_type, own) != own) return HLO_KEEP;
    variant = hlo_instruction_enum(i, HLO_ATTR_direction, HLO_direction_EQ);
  }
  if (!hlo_elementwise_kernel_of(i->opcode, wide, hlo_computed_type_of(type), variant)) return HLO_KEEP;
  for (int n = 0; n < i->operand_count; n++) operands[n] = widened(r, i->operands[n], wide, i->opcode);
  /* The comparison type is dropped: it may name the signedness of the narrow type. */
  int value = i->opcode == HLO_OP_COMPARE
                  ? hlo_add(r, HLO_OP_COMPARE, NULL, operands, 2, hlo_instruction_attribute(i, HLO_ATTR_direction), 1)
                  : hlo_add_like(r, i, NULL, operands);
  return type == narrow ? hlo_add_convert(r, value, type) : value;
}

/* Sums are defined in the wide type or wrap; maximum and minimum, and operations on the bits of integers, are the same in either type. */
static int reduce(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_opcode opcode;
  const hlo_computation *computation = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  if (i->operand_count != 2 || !hlo_computation_is_binary_op(computation, &opcode)) return HLO_KEEP;
  hlo_type type = i->shape->type, wide = hlo_computed_type_of(type);
  bool is_of_bits = opcode == HLO_OP_AND || opcode == HLO_OP_OR || opcode == HLO_OP_XOR;
  if (opcode != HLO_OP_ADD && opcode != HLO_OP_MAXIMUM && opcode != HLO_OP_MINIMUM && !is_of_bits) return HLO_KEEP;
  for (int n = 0; n < 2; n++)
    if (wide == type || hlo_input(r, i, n)->shape->type != type || hlo_instruction_at(computation, computation->parameters[n])->shape->type != type)
      return HLO_KEEP;
  int by = hlo_add_binary_computation(r, opcode, wide, "wide");
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  int operand = widened(r, i->operands[0], wide, opcode), init = widened(r, i->operands[1], wide, opcode);
  return hlo_add_convert(r, hlo_add_reduce(r, operand, init, dimensions.data, dimensions.count, by), type);
}

/* Dots and convolutions of floats of 8 bits. */
static int product(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_type type = i->shape->type;
  int operands[2];
  if (i->operand_count != 2 || hlo_computed_type_of(type) != HLO_TYPE_F32) return HLO_KEEP;
  if (!hlo_type_is_small_float(hlo_input(r, i, 0)->shape->type) && !hlo_type_is_small_float(hlo_input(r, i, 1)->shape->type)) return HLO_KEEP;
  for (int n = 0; n < 2; n++) {
    if (hlo_computed_type_of(hlo_input(r, i, n)->shape->type) != HLO_TYPE_F32) return HLO_KEEP;
    operands[n] = widened(r, i->operands[n], HLO_TYPE_F32, i->opcode);
  }
  const hlo_shape *shape = hlo_op_has(i->opcode, HLO_FLAG_DECLARED) ? hlo_shape_for(r, HLO_TYPE_F32, i->shape->dims, i->shape->rank) : NULL;
  return hlo_add_convert(r, hlo_add_like(r, i, shape, operands), type);
}

/* ---- Windows and scatters of 16 and of 8 bits ---- */

/* Adds the computation of a select-and-scatter that compares its parameters: the same comparison of f32. Returns HLO_KEEP for any other. */
static int wide_comparison(hlo_rewriter *r, const hlo_computation *c) {
  hlo_rewriter inner;
  hlo_computation to;
  const hlo_instruction *root = hlo_computation_root(c);
  int numbers[2];
  if (root->opcode != HLO_OP_COMPARE) return HLO_KEEP;
  if (hlo_instruction_enum(root, HLO_ATTR_comparison_type, HLO_comparison_type_FLOAT) != HLO_comparison_type_FLOAT) return HLO_KEEP;
  for (int n = 0; n < 2; n++) {
    const hlo_instruction *operand = hlo_operand(c, root, n);
    if (operand->opcode != HLO_OP_PARAMETER) return HLO_KEEP;
    numbers[n] = (int)hlo_instruction_int(operand, HLO_ATTR_parameter_number, 0);
  }
  if (!hlo_begin_computation(r, &inner, &to)) return HLO_KEEP;
  const hlo_shape *scalar = hlo_shape_for(r, HLO_TYPE_F32, NULL, 0);
  int parameters[] = {hlo_add_parameter(&inner, scalar, 0), hlo_add_parameter(&inner, scalar, 1)};
  int operands[] = {parameters[numbers[0]], parameters[numbers[1]]};
  return hlo_end_computation(&inner, NULL, "wide", hlo_add(&inner, HLO_OP_COMPARE, NULL, operands, 2, hlo_instruction_attribute(root, HLO_ATTR_direction), 1));
}

/* Adds the instruction with its elements, and its computations, in the wide type. */
static int widened_like(hlo_rewriter *r, const hlo_instruction *i, hlo_type wide, int to_apply, int select) {
  enum { MOST_OPERANDS = 3 };
  int operands[MOST_OPERANDS];
  hlo_attribute *attributes = hlo_arena_copy(r->scratch, i->attributes, (size_t)i->attribute_count * sizeof *attributes, r->status);
  if (!attributes || i->operand_count > MOST_OPERANDS || to_apply < 0) return HLO_KEEP;
  for (int n = 0; n < i->attribute_count; n++) {
    if (attributes[n].id == HLO_ATTR_to_apply || attributes[n].id == HLO_ATTR_scatter) attributes[n].computation = to_apply;
    if (attributes[n].id == HLO_ATTR_select) attributes[n].computation = select;
  }
  for (int n = 0; n < i->operand_count; n++)
    operands[n] = hlo_input(r, i, n)->shape->type == i->shape->type ? hlo_add_convert(r, i->operands[n], wide) : i->operands[n];
  int value = hlo_add(r, i->opcode, NULL, operands, i->operand_count, attributes, i->attribute_count);
  return value < 0 ? HLO_KEEP : hlo_add_convert(r, value, i->shape->type);
}

/* Sums of scatters are rounded once, as long ones are by definition. Sums of windows may be short and stay as they are, and so do scatters of integers and their running totals,
 * whose windows have as many cells as the array. Extremes of floats of 16 bits are found by their bits. */
static int folds(hlo_rewriter *r, const hlo_instruction *i) {
  enum { FEW_CELLS = 64 };
  hlo_opcode opcode;
  hlo_type type = i->shape->type, wide = hlo_computed_type_of(type);
  bool selects = i->opcode == HLO_OP_SELECT_AND_SCATTER, scatters = i->opcode == HLO_OP_SCATTER;
  if (wide == type || (!hlo_type_is_float(type) && (i->opcode != HLO_OP_REDUCE_WINDOW || hlo_window_cells(hlo_instruction_window(i)) > FEW_CELLS))) return HLO_KEEP;
  const hlo_computation *by = hlo_instruction_computation(r->module, i, selects ? HLO_ATTR_scatter : HLO_ATTR_to_apply);
  if (!hlo_computation_is_binary_op(by, &opcode) || hlo_computation_root(by)->shape->type != type) return HLO_KEEP;
  bool is_extreme = opcode == HLO_OP_MAXIMUM || opcode == HLO_OP_MINIMUM;
  if (selects || scatters ? opcode != HLO_OP_ADD : !is_extreme || (hlo_type_is_float(type) && hlo_type_bits(type) == 16)) return HLO_KEEP;
  int select = selects ? wide_comparison(r, hlo_instruction_computation(r->module, i, HLO_ATTR_select)) : HLO_KEEP;
  if ((selects && select < 0) || i->operand_count != (i->opcode == HLO_OP_REDUCE_WINDOW ? 2 : 3)) return HLO_KEEP;
  for (int n = 0; n < i->operand_count; n++)
    if (hlo_input(r, i, n)->shape->type != type && !(scatters && n == 1)) return HLO_KEEP;
  return widened_like(r, i, wide, hlo_add_binary_computation(r, opcode, wide, "wide"), select);
}

/* Returns whether the computation is more than one operation, and makes floats of 8 or 16 bits other than by comparing and choosing: no kernel recognises it. */
static bool computes_narrow(const hlo_rewriter *r) {
  hlo_opcode opcode;
  if (!r->from || hlo_computation_is_binary_op(r->from, &opcode) || hlo_computation_root(r->from)->shape->type == HLO_TYPE_PRED) return false;
  for (int n = 0; n < r->from->instruction_count; n++) {
    const hlo_instruction *i = hlo_instruction_at(r->from, n);
    bool chooses = i->opcode == HLO_OP_SELECT || i->opcode == HLO_OP_MAXIMUM || i->opcode == HLO_OP_MINIMUM || i->opcode == HLO_OP_CONVERT;
    if (!chooses && hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE) && hlo_type_is_float(i->shape->type) && hlo_computed_type_of(i->shape->type) != i->shape->type) return true;
  }
  return false;
}

int hlo_widen_narrow(hlo_rewriter *r, const hlo_instruction *i) {
  if (!hlo_shape_is_array(i->shape) || !hlo_is_plain(r, i)) return HLO_KEEP;
  if (i->opcode == HLO_OP_REDUCE) return reduce(r, i);
  if (i->opcode == HLO_OP_REDUCE_WINDOW || i->opcode == HLO_OP_SCATTER || i->opcode == HLO_OP_SELECT_AND_SCATTER) return folds(r, i);
  if (i->opcode == HLO_OP_DOT || i->opcode == HLO_OP_CONVOLUTION) return product(r, i);
  if (i->opcode == HLO_OP_UNIFORM_DEQUANTIZE) return dequantize(r, i);
  if (hlo_op_shifts(i->opcode)) return shift(r, i);
  if (!hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE)) return HLO_KEEP;
  return i->shape->rank > 0 || !hlo_is_applied(r) || computes_narrow(r) ? elementwise(r, i) : HLO_KEEP;
}
