/* Ops that apply a computation along dimensions: map, reduce, sort, scan; and topk, which sorts without one. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Checks that the computation has `each` scalar parameters of each operand's type, operand after operand. */
static bool check_elements(const hlo_infer *infer, const hlo_computation *callee, int each) {
  if (!hlo_check_parameter_count(infer, callee, "to_apply", each * infer->operand_count)) return false;
  for (int i = 0; i < callee->parameter_count; i++)
    if (!hlo_is_scalar_of(hlo_callee_parameter(callee, i), infer->operands[i / each]->type))
      return hlo_refuse(infer, "parameter %d of to_apply %s must be %s[], an element of operands[%d], got %pS", i,
                        callee->name, hlo_type_name(infer->operands[i / each]->type), i / each,
                        hlo_callee_parameter(callee, i));
  return true;
}

/* ---- map ---- */

const hlo_shape *hlo_infer_map(const hlo_infer *infer) {
  hlo_extents extents;
  if (!hlo_check_at_least(infer, 1) || !hlo_check_common_dims(infer, 0, infer->operand_count, &extents)) return NULL;
  hlo_ints dims = *hlo_ints_of(infer, HLO_ATTR_dimensions);
  bool given = hlo_instruction_attribute(infer->instruction, HLO_ATTR_dimensions) != NULL, all = dims.count == extents.rank;
  for (int i = 0; i < dims.count && all; i++) all = dims.data[i] == i;
  if (given && !all)
    return hlo_refuse(infer, "dimensions must name all dimensions of operands[0] %pS in order", infer->operands[0]);
  const hlo_computation *callee = hlo_callee(infer, HLO_ATTR_to_apply);
  if (!callee || !check_elements(infer, callee, 1)) return NULL;
  const hlo_shape *result = hlo_callee_result(callee);
  if (!hlo_shape_is_scalar(result))
    return hlo_refuse(infer, "to_apply %s must give a scalar, but gives %pS", callee->name, result);
  return hlo_extents_shape(infer, result->type, &extents);
}

/* ---- reduce ---- */

const hlo_shape *hlo_infer_reduce(const hlo_infer *infer) {
  if (infer->operand_count < 2 || infer->operand_count % 2)
    return hlo_refuse(infer, "takes N operands and N init_values, got %d operands in all", infer->operand_count);
  int count = infer->operand_count / 2;
  hlo_extents extents, kept = {0};
  const hlo_shape **results = hlo_arena_many(infer->arena, const hlo_shape *, count, infer->status);
  hlo_type *types = hlo_arena_many(infer->arena, hlo_type, 2 * (int64_t)count, infer->status);
  if (!results || !types || !hlo_check_common_dims(infer, 0, count, &extents) ||
      !hlo_check_dimensions(infer, HLO_ATTR_dimensions, 0))
    return NULL;
  for (int i = 0; i < count; i++) types[i] = infer->operands[i]->type;
  if (!hlo_check_reducer(infer, HLO_ATTR_to_apply, types, count, count, types + count)) return NULL;
  for (int d = 0; d < extents.rank; d++)
    if (!hlo_ints_contain(*hlo_ints_of(infer, HLO_ATTR_dimensions), d) &&
        !hlo_extents_push(infer, &kept, extents.sizes[d], (hlo_dim_kind)extents.kinds[d]))
      return NULL;
  for (int i = 0; i < count; i++)
    if (!(results[i] = hlo_extents_shape(infer, types[count + i], &kept))) return NULL;
  return count == 1 ? results[0] : hlo_tuple_shape(infer, results, count);
}

/* ---- sort, topk ---- */

/* Checks a comparator: (a of operand 0, b of operand 0, a of operand 1, ...) -> pred[]. */
static bool check_comparator(const hlo_infer *infer) {
  const hlo_computation *callee = hlo_callee(infer, HLO_ATTR_to_apply);
  if (!callee || !check_elements(infer, callee, 2)) return false;
  if (hlo_is_scalar_of(hlo_callee_result(callee), HLO_TYPE_PRED)) return true;
  return hlo_refuse(infer, "to_apply %s must give pred[], but gives %pS", callee->name,
                    hlo_callee_result(callee));
}

const hlo_shape *hlo_infer_sort(const hlo_infer *infer) {
  hlo_extents extents;
  int dimension;
  if (!hlo_check_at_least(infer, 1) || !hlo_check_common_dims(infer, 0, infer->operand_count, &extents) ||
      !hlo_check_one_dimension(infer, 0, &dimension) || !check_comparator(infer))
    return NULL;
  const hlo_shape **results = hlo_arena_many(infer->arena, const hlo_shape *, infer->operand_count, infer->status);
  if (!results) return NULL;
  for (int i = 0; i < infer->operand_count; i++)
    if (!(results[i] = hlo_extents_shape(infer, infer->operands[i]->type, &extents))) return NULL;
  return infer->operand_count == 1 ? results[0] : hlo_tuple_shape(infer, results, infer->operand_count);
}

const hlo_shape *hlo_infer_topk(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *results[2];
  int64_t k = hlo_instruction_int(infer->instruction, HLO_ATTR_k, 0);
  int last = operand->rank - 1;
  if (operand->rank == 0) return hlo_refuse(infer, "operand must have at least one dimension, got %pS", operand);
  if (k < 0 || (hlo_dim_is_known(operand, last) && k > operand->dims[last]))
    return hlo_refuse(infer, "k must be from 0 to the size of the last dimension of operand %pS, got %lld",
                      operand, (long long)k);
  hlo_extents extents = hlo_extents_of(operand);
  extents.sizes[last] = k;
  extents.kinds[last] = HLO_DIM_STATIC;
  results[0] = hlo_extents_shape(infer, operand->type, &extents);
  results[1] = hlo_extents_shape(infer, HLO_TYPE_S32, &extents);
  return results[0] && results[1] ? hlo_tuple_shape(infer, results, 2) : NULL;
}

/* ---- scan ---- */

/* Makes the shape of an array without the scanned dimension. */
static const hlo_shape *scanned_slice(const hlo_infer *infer, const hlo_shape *shape, int dimension) {
  hlo_extents extents = {0};
  for (int d = 0; d < shape->rank; d++)
    if (d != dimension && !hlo_extents_push_from(infer, &extents, shape, d)) return NULL;
  return hlo_extents_shape(infer, shape->type, &extents);
}

/* Makes the shape of the stacked outputs of all steps: one output with the scanned dimension inserted. */
static const hlo_shape *stacked(const hlo_infer *infer, const hlo_shape *shape, int dimension, int64_t size, hlo_dim_kind kind) {
  hlo_extents extents = {0};
  if (!hlo_shape_is_array(shape) || dimension > shape->rank)
    return hlo_refuse(infer, "an output of to_apply must be an array of at least %d dimensions, to be stacked along "
                             "dimension %d, got %pS",
                      dimension, dimension, shape);
  for (int d = 0; d <= shape->rank; d++) {
    if (d == dimension && !hlo_extents_push(infer, &extents, size, kind)) return NULL;
    if (d < shape->rank && !hlo_extents_push_from(infer, &extents, shape, d)) return NULL;
  }
  return hlo_extents_shape(infer, shape->type, &extents);
}

static bool check_scan_inputs(const hlo_infer *infer, const hlo_computation *callee, int inputs, int dimension) {
  for (int i = 0; i < inputs; i++) {
    const hlo_shape *input = infer->operands[i], *parameter = hlo_callee_parameter(callee, i);
    if (!hlo_check_array(infer, i) || !hlo_check_dimension(infer, "dimensions", dimension, i))
      return false;
    if (!hlo_dims_agree(input, dimension, infer->operands[0], dimension))
      return hlo_refuse(infer, "inputs[%d] must have size %lld in dimension %d as inputs[0] has, got %pS", i,
                        (long long)infer->operands[0]->dims[dimension], dimension, input);
    const hlo_shape *slice = scanned_slice(infer, input, dimension);
    if (!slice) return false;
    if (!hlo_shapes_agree(slice, parameter))
      return hlo_refuse(infer, "parameter %d of to_apply %s must be %pS, a slice of inputs[%d], got %pS", i, callee->name,
                        slice, i, parameter);
  }
  return true;
}

/* Checks carried values, which are the inits, the last parameters of to_apply and its last results. */
static bool check_scan_carries(const hlo_infer *infer, const hlo_computation *callee, int inputs, int outputs) {
  const hlo_shape *result = hlo_callee_result(callee);
  for (int i = 0; i < infer->operand_count - inputs; i++) {
    const hlo_shape *init = infer->operands[inputs + i];
    if (!hlo_check_array(infer, inputs + i)) return false;
    if (!hlo_shapes_agree(init, hlo_callee_parameter(callee, inputs + i)))
      return hlo_refuse(infer, "parameter %d of to_apply %s must be %pS as inits[%d] is, got %pS", inputs + i, callee->name,
                        init, i, hlo_callee_parameter(callee, inputs + i));
    if (!hlo_shapes_agree(init, result->elements[outputs + i]))
      return hlo_refuse(infer, "result %d of to_apply %s must be %pS as inits[%d] is, got %pS", outputs + i, callee->name,
                        init, i, result->elements[outputs + i]);
  }
  return true;
}

/* to_apply(input slices.., carries..) gives (outputs.., carries..). The result has the stacked outputs, and the carries of the last step. */
const hlo_shape *hlo_infer_scan(const hlo_infer *infer) {
  int64_t carries = hlo_instruction_int(infer->instruction, HLO_ATTR_num_carries, 0);
  int dimension;
  if (carries < 0 || carries >= infer->operand_count)
    return hlo_refuse(infer, "num_carries must be at least 0 and leave at least one of the %d operands as an input, got %lld",
                      infer->operand_count, (long long)carries);
  int inputs = infer->operand_count - (int)carries;
  if (!hlo_check_array(infer, 0) || !hlo_check_one_dimension(infer, 0, &dimension)) return NULL;
  const hlo_computation *callee = hlo_callee(infer, HLO_ATTR_to_apply);
  if (!callee || !hlo_check_parameter_count(infer, callee, "to_apply", infer->operand_count)) return NULL;
  const hlo_shape *result = hlo_callee_result(callee);
  if (!hlo_shape_is_tuple(result) || result->element_count < carries)
    return hlo_refuse(infer, "to_apply %s must give a tuple that ends in the %lld carried values, but gives %pS",
                      callee->name, (long long)carries, result);
  int outputs = result->element_count - (int)carries;
  const hlo_shape **results = hlo_arena_many(infer->arena, const hlo_shape *, result->element_count, infer->status);
  if (!results || !check_scan_inputs(infer, callee, inputs, dimension) ||
      !check_scan_carries(infer, callee, inputs, outputs))
    return NULL;
  const hlo_shape *first = infer->operands[0];
  for (int i = 0; i < result->element_count; i++) {
    results[i] = i < outputs ? stacked(infer, result->elements[i], dimension, first->dims[dimension],
                                       hlo_shape_dim_kind(first, dimension))
                             : hlo_shape_without_layout(infer, result->elements[i]);
    if (!results[i]) return NULL;
  }
  return hlo_tuple_shape(infer, results, result->element_count);
}
