/* Cutting and joining: what cuts or joins nothing goes, cuts at known places become slices, cuts of joins find their part. */
#include <string.h>

#include "passes/rewrites.h"

static const hlo_slice *slice_of(const hlo_instruction *i) { return hlo_instruction_attribute(i, HLO_ATTR_slice)->slice; }
static int64_t dimension_of(const hlo_instruction *i) { return hlo_instruction_ints(i, HLO_ATTR_dimensions)->data[0]; }

/* ---- slice ---- */

static int slice_of_slice(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *inner) {
  const hlo_slice *outer = slice_of(i), *first = slice_of(inner);
  hlo_slice_dim dims[HLO_MAX_RANK];
  for (int d = 0; d < outer->rank; d++) {
    hlo_slice_dim o = outer->dims[d], f = first->dims[d];
    int64_t last = i->shape->dims[d] ? o.start + (i->shape->dims[d] - 1) * o.stride : o.start - 1; /* that is kept, in `inner` */
    dims[d] = (hlo_slice_dim){f.start + o.start * f.stride, f.start + last * f.stride + 1, o.stride * f.stride};
    if (i->shape->dims[d] == 0) dims[d].start = dims[d].limit = 0;
    if (i->shape->dims[d] <= 1) dims[d].stride = 1;
  }
  return hlo_add_slice(r, inner->operands[0], dims, outer->rank);
}

/* Of one operand of a concatenate, where it needs no other. */
static int slice_of_join(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *join) {
  int64_t dimension = dimension_of(join), begin = 0;
  const hlo_slice *slice = slice_of(i);
  for (int n = 0; n < join->operand_count; n++) {
    int64_t size = hlo_input(r, join, n)->shape->dims[dimension];
    hlo_slice_dim dims[HLO_MAX_RANK];
    memcpy(dims, slice->dims, (size_t)slice->rank * sizeof *dims);
    dims[dimension].start -= begin;
    dims[dimension].limit -= begin;
    if (dims[dimension].start >= 0 && dims[dimension].limit <= size) return hlo_add_slice(r, join->operands[n], dims, slice->rank);
    begin += size;
  }
  return HLO_KEEP;
}

static int slice(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  int scalar;
  if (hlo_shape_compatible(inner->shape, i->shape)) return inner->index;
  if (i->shape->rank && hlo_repeats_scalar(r, inner->index, &scalar) && inner->opcode == HLO_OP_BROADCAST)
    return hlo_add_broadcast(r, scalar, i->shape, NULL);
  if (!hlo_is_plain(r, inner)) return HLO_KEEP;
  if (inner->opcode == HLO_OP_SLICE) return slice_of_slice(r, i, inner);
  return inner->opcode == HLO_OP_CONCATENATE ? slice_of_join(r, i, inner) : HLO_KEEP;
}

/* ---- dynamic-slice, dynamic-update-slice, gather ---- */

/* Start indices as they will be, clamped to fit. */
static bool known_starts(const hlo_rewriter *r, const hlo_instruction *i, int first, const hlo_shape *operand, const int64_t *sizes, int64_t *starts) {
  for (int d = 0; d < operand->rank; d++) {
    int64_t most = operand->dims[d] - sizes[d];
    bool vector = i->operand_count == first + 1 && hlo_input(r, i, first)->shape->rank == 1;
    const hlo_literal *start = hlo_constant_of(r, i->operands[vector ? first : first + d]);
    if (most == 0) {
      starts[d] = 0;
      continue;
    }
    if (!start) return false;
    hlo_scalar value = hlo_literal_get(start, vector ? d : 0);
    bool negative = hlo_type_is_signed(start->shape->type) && value.s < 0;
    starts[d] = negative ? 0 : value.u > (uint64_t)most ? most : value.s;
  }
  return true;
}

static int dynamic_slice(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *operand = hlo_input(r, i, 0)->shape;
  int64_t starts[HLO_MAX_RANK];
  hlo_slice_dim dims[HLO_MAX_RANK];
  if (!known_starts(r, i, 1, operand, i->shape->dims, starts)) return HLO_KEEP;
  for (int d = 0; d < operand->rank; d++) dims[d] = (hlo_slice_dim){starts[d], starts[d] + i->shape->dims[d], 1};
  return hlo_add_slice(r, i->operands[0], dims, operand->rank);
}

static int dynamic_update_slice(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *update = hlo_input(r, i, 1)->shape;
  if (hlo_shape_compatible(update, i->shape)) return i->operands[1];
  return hlo_shape_element_count(update) == 0 ? i->operands[0] : HLO_KEEP;
}

/* Of one slice only: a dynamic-slice. */
static int gather(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *operand = hlo_input(r, i, 0)->shape, *indices = hlo_input(r, i, 1)->shape;
  hlo_ints map = *hlo_instruction_ints(i, HLO_ATTR_start_index_map), sizes = *hlo_instruction_ints(i, HLO_ATTR_slice_sizes);
  if (hlo_shape_element_count(indices) != map.count || hlo_instruction_ints(i, HLO_ATTR_operand_batching_dims)->count)
    return HLO_KEEP;
  for (int d = 0; d < indices->rank; d++)
    if (indices->dims[d] != (d == hlo_instruction_int(i, HLO_ATTR_index_vector_dim, 0) ? map.count : 1)) return HLO_KEEP;
  int operands[1 + HLO_MAX_RANK] = {i->operands[0]};
  int vector = hlo_add_reshape(r, i->operands[1], hlo_shape_for(r, indices->type, (int64_t[]){map.count}, 1));
  const hlo_shape *scalar = hlo_shape_for(r, indices->type, NULL, 0);
  for (int d = 0; d < operand->rank; d++) {
    operands[1 + d] = HLO_KEEP;
    for (int k = 0; k < map.count; k++)
      if (map.data[k] == d) operands[1 + d] = hlo_add_reshape(r, hlo_add_slice(r, vector, &(hlo_slice_dim){k, k + 1, 1}, 1), scalar);
    if (operands[1 + d] < 0) operands[1 + d] = hlo_add_scalar(r, indices->type, hlo_scalar_zero(indices->type));
  }
  hlo_attribute attribute = hlo_ints_attribute(r, HLO_ATTR_dynamic_slice_sizes, sizes.data, sizes.count);
  return hlo_add_reshape(r, hlo_add(r, HLO_OP_DYNAMIC_SLICE, NULL, operands, 1 + operand->rank, &attribute, 1), i->shape);
}

/* ---- pad ---- */

static int pad(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_padding_config *padding = hlo_instruction_attribute(i, HLO_ATTR_padding)->padding;
  const hlo_shape *operand = hlo_input(r, i, 0)->shape;
  hlo_slice_dim dims[HLO_MAX_RANK];
  bool cuts = true;
  for (int d = 0; d < padding->rank; d++) {
    hlo_padding_dim p = padding->dims[d];
    cuts &= p.low <= 0 && p.high <= 0 && (p.interior == 0 || operand->dims[d] <= 1) && -p.low <= operand->dims[d] + p.high;
    dims[d] = (hlo_slice_dim){-p.low, operand->dims[d] + p.high, 1};
  }
  if (cuts) return hlo_add_slice(r, i->operands[0], dims, padding->rank);
  return hlo_shape_element_count(operand) == 0 && i->shape->rank ? hlo_add_broadcast(r, i->operands[1], i->shape, NULL) : HLO_KEEP;
}

/* ---- concatenate ---- */

/* Whether b begins where a ends, both being slices of one array. */
static bool continues(const hlo_instruction *a, const hlo_instruction *b, int64_t dimension) {
  if (a->opcode != HLO_OP_SLICE || b->opcode != HLO_OP_SLICE || a->operands[0] != b->operands[0]) return false;
  const hlo_slice *x = slice_of(a), *y = slice_of(b);
  for (int d = 0; d < x->rank; d++) {
    bool follows = d == dimension ? x->dims[d].limit == y->dims[d].start && x->dims[d].stride == 1 && y->dims[d].stride == 1
                                  : memcmp(&x->dims[d], &y->dims[d], sizeof x->dims[d]) == 0;
    if (!follows) return false;
  }
  return true;
}

static int joined_slices(hlo_rewriter *r, const hlo_instruction *a, const hlo_instruction *b, int64_t dimension) {
  hlo_slice_dim dims[HLO_MAX_RANK];
  memcpy(dims, slice_of(a)->dims, (size_t)slice_of(a)->rank * sizeof *dims);
  dims[dimension].limit = slice_of(b)->dims[dimension].limit;
  return hlo_add_slice(r, a->operands[0], dims, slice_of(a)->rank);
}

static int concatenate(hlo_rewriter *r, const hlo_instruction *i) {
  int64_t dimension = dimension_of(i);
  int total = 0, count = 0, first_scalar, scalar;
  for (int n = 0; n < i->operand_count; n++) total += hlo_input(r, i, n)->opcode == HLO_OP_CONCATENATE ? hlo_input(r, i, n)->operand_count : 1;
  int *parts = hlo_arena_many(r->scratch, int, total, r->status);
  if (!parts) return HLO_KEEP;
  bool changes = i->operand_count == 1;
  for (int n = 0; n < i->operand_count; n++) {
    const hlo_instruction *part = hlo_input(r, i, n);
    bool nested = part->opcode == HLO_OP_CONCATENATE && dimension_of(part) == dimension && hlo_is_plain(r, part);
    changes |= nested;
    for (int k = 0; k < (nested ? part->operand_count : 1); k++) {
      int piece = nested ? part->operands[k] : part->index;
      if (hlo_value(r, piece)->shape->dims[dimension] == 0 && total > 1) {
        changes = true;
      } else if (count > 0 && continues(hlo_value(r, parts[count - 1]), hlo_value(r, piece), dimension)) {
        changes = true;
        parts[count - 1] = joined_slices(r, hlo_value(r, parts[count - 1]), hlo_value(r, piece), dimension);
        if (parts[count - 1] < 0) return HLO_KEEP;
      } else {
        parts[count++] = piece;
      }
    }
  }
  bool repeats = count > 0 && hlo_repeats_scalar(r, parts[0], &first_scalar);
  for (int n = 1; repeats && n < count; n++) repeats = hlo_repeats_scalar(r, parts[n], &scalar) && scalar == first_scalar;
  if (repeats && hlo_shape_element_count(i->shape) > 1) return hlo_add_broadcast(r, first_scalar, i->shape, NULL);
  if (count == 0) return i->operands[0];
  if (count == 1) return parts[0];
  return changes ? hlo_add_along(r, HLO_OP_CONCATENATE, parts, count, &dimension, 1) : HLO_KEEP;
}

int hlo_simplify_slices(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->operand_count == 0 || !hlo_is_plain(r, i)) return HLO_KEEP;
  switch (i->opcode) {
  case HLO_OP_SLICE: return slice(r, i);
  case HLO_OP_DYNAMIC_SLICE: return dynamic_slice(r, i);
  case HLO_OP_DYNAMIC_UPDATE_SLICE: return dynamic_update_slice(r, i);
  case HLO_OP_GATHER: return gather(r, i);
  case HLO_OP_PAD: return pad(r, i);
  case HLO_OP_CONCATENATE: return concatenate(r, i);
  default: return HLO_KEEP;
  }
}
