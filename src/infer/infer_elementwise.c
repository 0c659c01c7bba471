/* Element-wise ops: all operands have the same dimensions, and so has the result. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- One operand ---- */

const hlo_shape *hlo_infer_unary(const hlo_infer *infer) {
  return hlo_shape_without_layout(infer, infer->operands[0]);
}

const hlo_shape *hlo_infer_unary_to_real(const hlo_infer *infer) {
  return hlo_shape_of_type(infer, infer->operands[0], hlo_type_real_part(infer->operands[0]->type));
}

const hlo_shape *hlo_infer_unary_to_pred(const hlo_infer *infer) {
  return hlo_shape_of_type(infer, infer->operands[0], HLO_TYPE_PRED);
}

const hlo_shape *hlo_infer_reduce_precision(const hlo_infer *infer) {
  int64_t exponent = hlo_instruction_int(infer->instruction, HLO_ATTR_exponent_bits, 0);
  int64_t mantissa = hlo_instruction_int(infer->instruction, HLO_ATTR_mantissa_bits, 0);
  if (exponent < 1)
    return hlo_refuse(infer, "exponent_bits must be at least 1, to tell zero from infinity, got %lld", (long long)exponent);
  if (mantissa < 0) return hlo_refuse(infer, "mantissa_bits must not be negative, got %lld", (long long)mantissa);
  return hlo_shape_without_layout(infer, infer->operands[0]);
}

/* Checks that the declared shape has the dimensions of the operand. */
static const hlo_shape *declared_with_dims_of(const hlo_infer *infer, int operand) {
  const hlo_shape *declared = infer->instruction->shape, *shape = infer->operands[operand];
  if (!hlo_shape_is_array(declared))
    return hlo_refuse(infer, "the result must be an array, but %pS is declared", declared);
  hlo_extents extents = hlo_extents_of(declared);
  if (!hlo_extents_merge(&extents, shape))
    return hlo_refuse(infer, "the result must have the dimensions of %pO %pS, but %pS is declared",
                      infer->operands + operand, shape, declared);
  return declared;
}

const hlo_shape *hlo_infer_convert(const hlo_infer *infer) { return declared_with_dims_of(infer, 0); }

/* ---- Two and three operands ---- */

/* Merges the dimensions of an operand into those of another. */
static bool merge_operand(const hlo_infer *infer, hlo_extents *extents, int into, int operand) {
  if (hlo_extents_merge(extents, infer->operands[operand])) return true;
  const hlo_shape *const *first = infer->operands + into, *const *second = infer->operands + operand;
  return hlo_refuse(infer, "%pO and %pO must have the same dimensions, got %pO %pS and %pO %pS", first, second, first,
                    *first, second, *second);
}

static bool pair(const hlo_infer *infer, hlo_extents *extents) {
  if (!hlo_check_arrays(infer, 0, 2) || !hlo_check_same_type(infer, 0, 1)) return false;
  *extents = hlo_extents_of(infer->operands[0]);
  return merge_operand(infer, extents, 0, 1);
}

const hlo_shape *hlo_infer_binary(const hlo_infer *infer) {
  hlo_extents extents;
  return pair(infer, &extents) ? hlo_extents_shape(infer, infer->operands[0]->type, &extents) : NULL;
}

const hlo_shape *hlo_infer_complex(const hlo_infer *infer) {
  hlo_extents extents;
  hlo_type type = infer->operands[0]->type;
  if (type != HLO_TYPE_F32 && type != HLO_TYPE_F64)
    return hlo_refuse(infer, "real must have f32 or f64 elements, got %pS", infer->operands[0]);
  return pair(infer, &extents) ? hlo_extents_shape(infer, hlo_type_complex_of(type), &extents) : NULL;
}

/* Returns whether elements of the type can be compared in this way (StableHLO, compare_c3). */
static bool comparison_fits(int comparison_type, hlo_type type) {
  switch (comparison_type) {
    case HLO_comparison_type_FLOAT: return hlo_type_is_float(type) || hlo_type_is_complex(type);
    case HLO_comparison_type_TOTALORDER: return hlo_type_is_float(type);
    case HLO_comparison_type_SIGNED: return hlo_type_is_signed(type);
    case HLO_comparison_type_UNSIGNED: return hlo_type_is_unsigned(type) || type == HLO_TYPE_PRED;
    default: return true;
  }
}

const hlo_shape *hlo_infer_compare(const hlo_infer *infer) {
  hlo_extents extents;
  if (!pair(infer, &extents)) return NULL;
  hlo_type type = infer->operands[0]->type;
  int comparison_type = hlo_instruction_enum(infer->instruction, HLO_ATTR_comparison_type, -1);
  if (!comparison_fits(comparison_type, type))
    return hlo_refuse(infer, "type=%s does not fit elements of type %s",
                      hlo_attribute_enum_names(hlo_attribute_kind_of(HLO_ATTR_comparison_type))[comparison_type],
                      hlo_type_name(type));
  return hlo_extents_shape(infer, HLO_TYPE_PRED, &extents);
}

const hlo_shape *hlo_infer_stochastic_convert(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *random = infer->operands[1];
  hlo_extents extents = hlo_extents_of(operand);
  if (!hlo_check_array(infer, 1)) return NULL;
  if (!hlo_type_is_unsigned(random->type) || hlo_type_bits(random->type) != hlo_type_bits(operand->type))
    return hlo_refuse(infer, "random must have unsigned elements of %d bits, as wide as those of operand, got %pS",
                      hlo_type_bits(operand->type), random);
  if (!merge_operand(infer, &extents, 0, 1)) return NULL;
  const hlo_shape *declared = declared_with_dims_of(infer, 0);
  if (declared && !hlo_type_is_float(declared->type) && !hlo_type_is_integral(declared->type))
    return hlo_refuse(infer, "the result must have floating-point or integer elements, but %pS is declared", declared);
  return declared;
}

/* Merges the dimensions of an operand that may be a scalar into those of operand 1. */
static bool is_scalar_or_merges(const hlo_infer *infer, hlo_extents *extents, int operand) {
  const hlo_shape *const *name = infer->operands + operand, *const *other = infer->operands + 1;
  return hlo_shape_is_scalar(*name) || hlo_extents_merge(extents, *name) ||
         hlo_refuse(infer, "%pO must be a scalar or have the dimensions of %pO %pS, got %pS", name, other, *other, *name);
}

const hlo_shape *hlo_infer_clamp(const hlo_infer *infer) {
  if (!hlo_check_arrays(infer, 0, 3)) return NULL;
  hlo_extents extents = hlo_extents_of(infer->operands[1]);
  for (int bound = 0; bound < 3; bound += 2)
    if (!hlo_check_same_type(infer, bound, 1) || !is_scalar_or_merges(infer, &extents, bound)) return NULL;
  return hlo_extents_shape(infer, infer->operands[1]->type, &extents);
}

const hlo_shape *hlo_infer_select(const hlo_infer *infer) {
  if (!hlo_check_arrays(infer, 1, 2) || !hlo_check_same_type(infer, 1, 2)) return NULL;
  hlo_extents extents = hlo_extents_of(infer->operands[1]);
  if (!merge_operand(infer, &extents, 1, 2) || !is_scalar_or_merges(infer, &extents, 0)) return NULL;
  return hlo_extents_shape(infer, infer->operands[1]->type, &extents);
}

/* ---- Other bits of the same array ---- */

/* If widths differ, the array of narrower elements has one more dimension, the last, over the parts of a wide element. Returns whether
 * `narrow` is such an array for `wide`. */
static bool splits(const hlo_shape *narrow, const hlo_shape *wide, int64_t parts) {
  if (narrow->rank != wide->rank + 1) return false;
  for (int i = 0; i < wide->rank; i++)
    if (!hlo_dims_agree(narrow, i, wide, i)) return false;
  return !hlo_dim_is_known(narrow, wide->rank) || narrow->dims[wide->rank] == parts;
}

const hlo_shape *hlo_infer_bitcast_convert(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *declared = infer->instruction->shape;
  if (!hlo_shape_is_array(declared))
    return hlo_refuse(infer, "the result must be an array, but %pS is declared", declared);
  if (hlo_type_is_complex(operand->type) != hlo_type_is_complex(declared->type))
    return hlo_refuse(infer, "complex elements can only be read as complex ones, got %pS for operand %pS",
                      declared, operand);
  int from = hlo_type_bits(operand->type), to = hlo_type_bits(declared->type);
  if (from == to) return declared_with_dims_of(infer, 0);
  const hlo_shape *narrow = from < to ? operand : declared, *wide = from < to ? declared : operand;
  int parts = from < to ? to / from : from / to;
  if (from % to && to % from)
    return hlo_refuse(infer, "elements of %d bits cannot be read as elements of %d bits, got %pS for operand %pS", from, to,
                      declared, operand);
  if (!splits(narrow, wide, parts))
    return hlo_refuse(infer, "%s must have the dimensions of %s and then one of size %d, as %d elements of %s make one "
                             "of %s, got %pS for operand %pS",
                      narrow == operand ? "operand" : "the result", narrow == operand ? "the result" : "operand", parts,
                      parts, hlo_type_name(narrow->type), hlo_type_name(wide->type), declared, operand);
  return declared;
}
