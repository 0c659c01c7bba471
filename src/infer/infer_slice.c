/* Cutting and joining: slice, dynamic-slice, dynamic-update-slice, pad, concatenate, and the sizes of dimensions. */
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Slices ---- */

/* A part of a "<=N" dimension is bounded as well, except a part of one element, whose size is known. */
static hlo_dim_kind part_kind(const hlo_shape *operand, int d, int64_t size) {
  return hlo_shape_dim_kind(operand, d) == HLO_DIM_BOUNDED && size != 1 ? HLO_DIM_BOUNDED : HLO_DIM_STATIC;
}

static bool check_slice_dim(const hlo_infer *infer, int d, hlo_slice_dim dim) {
  const hlo_shape *operand = infer->operands[0];
  if (dim.start < 0)
    return hlo_refuse(infer, "start must not be negative, got %lld in dimension %d", (long long)dim.start, d);
  if (dim.limit < dim.start)
    return hlo_refuse(infer, "limit must not be less than start, got [%lld:%lld] in dimension %d", (long long)dim.start,
                      (long long)dim.limit, d);
  if (hlo_dim_is_known(operand, d) && dim.limit > operand->dims[d])
    return hlo_refuse(infer, "limit must be at most %lld, the size of dimension %d of operand %pS, got %lld",
                      (long long)operand->dims[d], d, operand, (long long)dim.limit);
  if (dim.stride < 1)
    return hlo_refuse(infer, "stride must be at least 1, got %lld in dimension %d", (long long)dim.stride, d);
  return true;
}

const hlo_shape *hlo_infer_slice(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  const hlo_slice *slice = hlo_instruction_attribute(infer->instruction, HLO_ATTR_slice)->slice;
  hlo_extents extents = {0};
  if (slice->rank != operand->rank)
    return hlo_refuse(infer, "slice must have a range for each of the %d dimensions of operand %pS, got %d",
                      operand->rank, operand, slice->rank);
  for (int d = 0; d < slice->rank; d++) {
    if (!check_slice_dim(infer, d, slice->dims[d])) return NULL;
    int64_t size = hlo_ceil_div(slice->dims[d].limit - slice->dims[d].start, slice->dims[d].stride);
    if (!hlo_extents_push(infer, &extents, size, part_kind(operand, d, size))) return NULL;
  }
  return hlo_extents_shape(infer, operand->type, &extents);
}

/* Checks start indices: an integer scalar for each dimension, or one vector. */
static bool check_starts(const hlo_infer *infer, int first) {
  const hlo_shape *operand = infer->operands[0];
  int count = infer->operand_count - first;
  if (count == 1 && hlo_shape_is_array(infer->operands[first]) && infer->operands[first]->rank == 1) {
    const hlo_shape *starts = infer->operands[first];
    if (!hlo_check_integer(infer, first)) return false;
    if (!hlo_dim_is_known(starts, 0) || starts->dims[0] == operand->rank) return true;
    return hlo_refuse(infer, "start_indices must have %d elements, one for each dimension of operand %pS, got %pS",
                      operand->rank, operand, starts);
  }
  if (count != operand->rank)
    return hlo_refuse(infer, "there must be one of start_indices for each of the %d dimensions of operand %pS, got %d",
                      operand->rank, operand, count);
  for (int i = first; i < infer->operand_count; i++) {
    if (!hlo_check_integer(infer, i) || !hlo_check_same_type(infer, first, i) || !hlo_check_scalar(infer, i)) return false;
  }
  return true;
}

const hlo_shape *hlo_infer_dynamic_slice(const hlo_infer *infer) {
  hlo_ints sizes = *hlo_ints_of(infer, HLO_ATTR_dynamic_slice_sizes);
  hlo_extents extents = {0};
  if (!hlo_check_at_least(infer, 1) || !check_starts(infer, 1)) return NULL;
  const hlo_shape *operand = infer->operands[0];
  if (!hlo_check_sizes(infer, HLO_ATTR_dynamic_slice_sizes)) return NULL;
  for (int d = 0; d < sizes.count; d++) {
    int64_t size = sizes.data[d];
    bool known = hlo_dim_is_known(operand, d);
    bool whole = known && size == operand->dims[d];
    if (!hlo_extents_push(infer, &extents, size, whole ? part_kind(operand, d, size) : HLO_DIM_STATIC)) return NULL;
  }
  return hlo_extents_shape(infer, operand->type, &extents);
}

const hlo_shape *hlo_infer_dynamic_update_slice(const hlo_infer *infer) {
  if (!hlo_check_at_least(infer, 2) || !hlo_check_array(infer, 1) || !hlo_check_same_type(infer, 0, 1)) return NULL;
  const hlo_shape *operand = infer->operands[0], *update = infer->operands[1];
  if (update->rank != operand->rank)
    return hlo_refuse(infer, "update must have as many dimensions as operand, got update %pS and operand %pS",
                      update, operand);
  for (int d = 0; d < update->rank; d++)
    if (hlo_dim_is_known(update, d) && hlo_dim_is_known(operand, d) && update->dims[d] > operand->dims[d])
      return hlo_refuse(infer, "update must not be larger than operand in any dimension, got update %pS and operand %pS",
                        update, operand);
  return check_starts(infer, 2) ? hlo_shape_without_layout(infer, operand) : NULL;
}

/* ---- Pad ---- */

/* low + size + (size - 1) * interior + high */
static bool padded_size(int64_t size, hlo_padding_dim dim, int64_t *result) {
  int64_t between;
  return hlo_checked_mul(size > 0 ? size - 1 : 0, dim.interior, &between) && hlo_checked_add(size, between, result) &&
         hlo_checked_add(*result, dim.low, result) && hlo_checked_add(*result, dim.high, result);
}

const hlo_shape *hlo_infer_pad(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  const hlo_padding_config *padding = hlo_instruction_attribute(infer->instruction, HLO_ATTR_padding)->padding;
  hlo_extents extents = {0};
  if (!hlo_check_same_type(infer, 0, 1) || !hlo_check_scalar(infer, 1)) return NULL;
  if (padding->rank != operand->rank)
    return hlo_refuse(infer, "padding must be given for each of the %d dimensions of operand %pS, got %d", operand->rank,
                      operand, padding->rank);
  for (int d = 0; d < padding->rank; d++) {
    int64_t size = operand->dims[d];
    hlo_padding_dim dim = padding->dims[d];
    if (dim.interior < 0)
      return hlo_refuse(infer, "interior padding must not be negative, got %lld in dimension %d", (long long)dim.interior, d);
    if (hlo_dim_is_known(operand, d) && !padded_size(operand->dims[d], dim, &size))
      return hlo_refuse(infer, "the padded size of dimension %d does not fit into 64 bits", d);
    if (hlo_dim_is_known(operand, d) && size < 0)
      return hlo_refuse(infer, "padding %lld_%lld_%lld would give dimension %d of operand %pS the negative size %lld",
                        (long long)dim.low, (long long)dim.high, (long long)dim.interior, d, operand,
                        (long long)size);
    if (!hlo_extents_push(infer, &extents, size, hlo_shape_dim_kind(operand, d))) return NULL;
  }
  return hlo_extents_shape(infer, operand->type, &extents);
}

/* ---- Concatenate ---- */

/* Appends an operand along the dimension: sizes are added, and a sum with a "?" is a "?". */
static bool append(const hlo_infer *infer, hlo_extents *extents, int dimension, int number) {
  const hlo_shape *operand = infer->operands[number], *first = infer->operands[0];
  if (!hlo_check_array(infer, number) || !hlo_check_same_type(infer, 0, number)) return false;
  if (operand->rank != extents->rank)
    return hlo_refuse(infer, "operands[%d] must have %d dimensions as operands[0] has, got %pS", number, extents->rank, operand);
  for (int d = 0; d < operand->rank; d++)
    if (d != dimension && !hlo_dims_agree(operand, d, first, d))
      return hlo_refuse(infer, "operands[%d] must have size %lld in dimension %d as operands[0] has, got %pS", number,
                        (long long)first->dims[d], d, operand);
  int64_t joined = extents->sizes[dimension];
  uint8_t kind = extents->kinds[dimension], added = (uint8_t)hlo_shape_dim_kind(operand, dimension);
  extents->sizes[dimension] = operand->dims[dimension]; /* equal for now, so that the other dimensions merge */
  extents->kinds[dimension] = added;
  if (!hlo_extents_merge(extents, operand))
    return hlo_refuse(infer, "operands[%d] must have the dimensions of the operands before it but for dimension %d, got %pS",
                      number, dimension, operand);
  extents->kinds[dimension] = kind > added ? kind : added;
  if (extents->kinds[dimension] == HLO_DIM_UNBOUNDED) extents->sizes[dimension] = HLO_UNKNOWN_SIZE;
  else if (!hlo_checked_add(joined, operand->dims[dimension], &extents->sizes[dimension]))
    return hlo_refuse(infer, "the size of dimension %d of the result does not fit into 64 bits", dimension);
  return true;
}

const hlo_shape *hlo_infer_concatenate(const hlo_infer *infer) {
  int dimension;
  if (!hlo_check_at_least(infer, 1) || !hlo_check_one_dimension(infer, 0, &dimension)) return NULL;
  hlo_extents extents = hlo_extents_of(infer->operands[0]);
  for (int i = 1; i < infer->operand_count; i++)
    if (!append(infer, &extents, dimension, i)) return NULL;
  return hlo_extents_shape(infer, infer->operands[0]->type, &extents);
}

/* ---- Sizes of dimensions ---- */

const hlo_shape *hlo_infer_get_dimension_size(const hlo_infer *infer) {
  int dimension;
  return hlo_check_one_dimension(infer, 0, &dimension) ? hlo_scalar_shape(infer, HLO_TYPE_S32) : NULL;
}

/* Returns whether operand 1 is a constant of this value. */
static bool size_is(const hlo_infer *infer, int64_t value) {
  if (!infer->computation || infer->instruction->operand_count != 2) return false;
  const hlo_instruction *size = hlo_operand(infer->computation, infer->instruction, 1);
  if (size->opcode != HLO_OP_CONSTANT) return false;
  return hlo_literal_get(hlo_instruction_attribute(size, HLO_ATTR_literal)->literal, 0).s == value;
}

const hlo_shape *hlo_infer_set_dimension_size(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  int dimension;
  if (!hlo_check_one_dimension(infer, 0, &dimension)) return NULL;
  if (!hlo_is_scalar_of(infer->operands[1], HLO_TYPE_S32))
    return hlo_refuse(infer, "size must be s32[], got %pS", infer->operands[1]);
  hlo_extents extents = hlo_extents_of(operand);
  if (extents.kinds[dimension] != HLO_DIM_UNBOUNDED)
    extents.kinds[dimension] = size_is(infer, operand->dims[dimension]) ? HLO_DIM_STATIC : HLO_DIM_BOUNDED;
  return hlo_extents_shape(infer, operand->type, &extents);
}
