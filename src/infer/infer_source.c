/* Ops that make values: parameters, constants, counters, random numbers, ids. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* For an op without a rule of its own: any declared shape is accepted. */
const hlo_shape *hlo_infer_declared(const hlo_infer *infer) { return infer->instruction->shape; }

const hlo_shape *hlo_infer_parameter(const hlo_infer *infer) {
  int64_t number = hlo_instruction_int(infer->instruction, HLO_ATTR_parameter_number, 0);
  if (number >= 0) return infer->instruction->shape;
  return hlo_refuse(infer, "the number must not be negative, got %lld", (long long)number);
}

const hlo_shape *hlo_infer_constant(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  const hlo_literal *literal = hlo_instruction_attribute(infer->instruction, HLO_ATTR_literal)->literal;
  if (hlo_shapes_agree(declared, literal->shape)) return declared;
  return hlo_refuse(infer, "the value has the shape %pS, but %pS is declared", literal->shape, declared);
}

const hlo_shape *hlo_infer_iota(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  int64_t dimension = hlo_instruction_int(infer->instruction, HLO_ATTR_iota_dimension, 0);
  if (!hlo_shape_is_array(declared) || declared->rank == 0)
    return hlo_refuse(infer, "the result must be an array of at least one dimension, but %pS is declared", declared);
  if (declared->type == HLO_TYPE_PRED)
    return hlo_refuse(infer, "the result must have integer, floating-point or complex elements, but %pS is declared", declared);
  if (!hlo_check_dimension(infer, "iota_dimension", dimension, HLO_RESULT)) return NULL;
  return declared;
}

/* ---- Random numbers ---- */

const hlo_shape *hlo_infer_rng(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  bool normal = hlo_instruction_enum(infer->instruction, HLO_ATTR_distribution, 0) == HLO_distribution_rng_normal;
  if (!hlo_shape_is_array(declared))
    return hlo_refuse(infer, "the result must be an array, but %pS is declared", declared);
  if (infer->operand_count != 2)
    return hlo_refuse(infer, "%s takes 2 parameters (%s), got %d", normal ? "rng_normal" : "rng_uniform",
                      normal ? "mean and deviation" : "the bounds a and b", infer->operand_count);
  if (normal ? !hlo_type_is_float(declared->type) : hlo_type_is_complex(declared->type))
    return hlo_refuse(infer, "the result must have %s elements, but %pS is declared",
                      normal ? "floating-point" : "pred, integer or floating-point", declared);
  for (int i = 0; i < 2; i++)
    if (!hlo_is_scalar_of(infer->operands[i], declared->type))
      return hlo_refuse(infer, "%pO must be a scalar of the result's element type, %s[], got %pS",
                        infer->operands + i, hlo_type_name(declared->type), infer->operands[i]);
  return declared;
}

const hlo_shape *hlo_infer_rng_get_and_update_state(const hlo_infer *infer) {
  const hlo_shape *shape = infer->instruction->shape;
  if (shape->type == HLO_TYPE_U64 && shape->rank == 1 && shape->dims[0] == 2) return shape;
  return hlo_refuse(infer, "the state is u64[2], but %pS is declared", shape);
}

/* Returns whether the state fits the algorithm: a key of 64 bits and a counter of 64 bits, or, for Philox, of 128. */
static bool state_fits(int algorithm, const hlo_shape *state) {
  if (state->type != HLO_TYPE_U64 || state->rank != 1) return false;
  if (!hlo_dim_is_known(state, 0) || algorithm == HLO_rng_algorithm_rng_default) return true;
  return state->dims[0] == 2 || (state->dims[0] == 3 && algorithm == HLO_rng_algorithm_rng_philox);
}

const hlo_shape *hlo_infer_rng_bit_generator(const hlo_infer *infer) {
  const hlo_shape *state = infer->operands[0], *declared = infer->instruction->shape;
  int algorithm = hlo_instruction_enum(infer->instruction, HLO_ATTR_rng_algorithm, 0);
  if (!state_fits(algorithm, state))
    return hlo_refuse(infer, "state must be %s, got %pS",
                      algorithm == HLO_rng_algorithm_rng_three_fry ? "u64[2] for rng_three_fry"
                      : algorithm == HLO_rng_algorithm_rng_philox  ? "u64[2] or u64[3] for rng_philox"
                                                                   : "a vector of u64",
                      state);
  if (!hlo_shape_is_tuple(declared) || declared->element_count != 2 || !hlo_shapes_agree(declared->elements[0], state))
    return hlo_refuse(infer, "the result is (state, bits) with a state of shape %pS, but %pS is declared",
                      state, declared);
  const hlo_shape *bits = declared->elements[1];
  if (!hlo_shape_is_array(bits) || bits->type == HLO_TYPE_PRED || hlo_type_is_complex(bits->type))
    return hlo_refuse(infer, "the bits must be an array of integers or floating-point numbers, but %pS is declared", bits);
  return declared;
}

/* ---- Ids ---- */

const hlo_shape *hlo_infer_id(const hlo_infer *infer) { return hlo_scalar_shape(infer, HLO_TYPE_U32); }
