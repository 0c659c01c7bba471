/* gather and scatter: dimension numbers in full. The cN are the constraints of StableHLO's specification. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Returns how many components an index has. */
static int64_t index_length(const hlo_shape *indices, int64_t index_vector_dim) {
  return index_vector_dim == indices->rank ? 1 : indices->dims[index_vector_dim];
}

/* The attributes of gather and scatter that mean the same, under the names that each gives them. */
typedef struct indexing {
  int indexed, indices;      /* operands */
  hlo_attribute_id map;      /* operand dimension of each component */
  hlo_attribute_id absent;   /* dimensions that are not in the window */
  hlo_attribute_id batching; /* dimensions that are batched over, of the array */
  hlo_attribute_id indices_batching;
} indexing;

static bool check_index_vector(const hlo_infer *infer, const indexing *what) {
  const hlo_shape *indices = infer->operands[what->indices];
  int64_t dim = hlo_instruction_int(infer->instruction, HLO_ATTR_index_vector_dim, 0);
  if (dim < 0 || dim > indices->rank) /* gather_c2, scatter_c11 */
    return hlo_refuse(infer, "index_vector_dim must be from 0 to %d, the number of dimensions of %pO %pS, got %lld",
                      indices->rank, infer->operands + what->indices, indices, (long long)dim);
  int64_t length = index_length(indices, dim);
  int components = hlo_ints_of(infer, what->map)->count;
  if (length != HLO_UNKNOWN_SIZE && components != length) /* gather_c3, scatter_c12 */
    return hlo_refuse(infer, "%s must have one entry for each of the %lld components of an index in %pO %pS, got %d",
                      hlo_attribute_name(what->map), (long long)length, infer->operands + what->indices,
                      indices, components);
  return hlo_check_dimensions(infer, what->map, what->indexed);
}

/* gather_c5 to c7, c16 to c19, scatter_c7 to c9, c13 to c16 */
static bool check_batching(const hlo_infer *infer, const indexing *what) {
  const hlo_shape *indices = infer->operands[what->indices], *indexed = infer->operands[what->indexed];
  hlo_ints batching = *hlo_ints_of(infer, what->batching), of_indices = *hlo_ints_of(infer, what->indices_batching);
  int64_t index_vector_dim = hlo_instruction_int(infer->instruction, HLO_ATTR_index_vector_dim, 0);
  if (!hlo_check_dimensions(infer, what->absent, what->indexed) ||
      !hlo_check_ascending(infer, what->absent) ||
      !hlo_check_dimensions(infer, what->batching, what->indexed) ||
      !hlo_check_ascending(infer, what->batching) || !hlo_check_disjoint(infer, what->absent, what->batching) ||
      !hlo_check_disjoint(infer, what->map, what->batching) ||
      !hlo_check_dimensions(infer, what->indices_batching, what->indices))
    return false;
  if (hlo_ints_contain(of_indices, index_vector_dim))
    return hlo_refuse(infer, "%s must not hold index_vector_dim, which is %lld", hlo_attribute_name(what->indices_batching),
                      (long long)index_vector_dim);
  if (batching.count != of_indices.count)
    return hlo_refuse(infer, "%s and %s must have as many entries as each other, got %d and %d",
                      hlo_attribute_name(what->batching), hlo_attribute_name(what->indices_batching), batching.count,
                      of_indices.count);
  for (int i = 0; i < batching.count; i++)
    if (!hlo_dims_agree(indexed, batching.data[i], indices, of_indices.data[i]))
      return hlo_refuse(infer, "dimension %lld of %pO %pS and dimension %lld of %pO %pS are batched together and must have "
                               "the same size",
                        (long long)batching.data[i], infer->operands + what->indexed, indexed,
                        (long long)of_indices.data[i], infer->operands + what->indices, indices);
  return true;
}

static bool check_indexing(const hlo_infer *infer, const indexing *what) {
  return hlo_check_array(infer, what->indexed) && hlo_check_integer(infer, what->indices) &&
         check_index_vector(infer, what) && check_batching(infer, what);
}

/* Returns whether the window has this dimension of the indexed array. */
static bool in_window(const hlo_infer *infer, const indexing *what, int d) {
  return !hlo_ints_contain(*hlo_ints_of(infer, what->absent), d) && !hlo_ints_contain(*hlo_ints_of(infer, what->batching), d);
}

/* ---- Gather ---- */

static const indexing gather_indexing = {0, 1, HLO_ATTR_start_index_map, HLO_ATTR_collapsed_slice_dims,
                                         HLO_ATTR_operand_batching_dims, HLO_ATTR_start_indices_batching_dims};

static bool check_slice_sizes(const hlo_infer *infer) {
  hlo_ints sizes = *hlo_ints_of(infer, HLO_ATTR_slice_sizes);
  if (!hlo_check_sizes(infer, HLO_ATTR_slice_sizes)) return false; /* gather_c11, c12 */
  for (int d = 0; d < sizes.count; d++) {
    int64_t size = sizes.data[d];
    if (size > 1 && !in_window(infer, &gather_indexing, d)) /* gather_c9, c10 */
      return hlo_refuse(infer, "slice_sizes must be at most 1 in a collapsed or batching dimension, got %lld in dimension %d",
                        (long long)size, d);
  }
  return true;
}

/* Returns whether the slices have no elements along a dimension that the result leaves out. */
static bool takes_nothing(const hlo_infer *infer) {
  hlo_ints sizes = *hlo_ints_of(infer, HLO_ATTR_slice_sizes);
  for (int d = 0; d < sizes.count; d++)
    if (sizes.data[d] == 0 && !in_window(infer, &gather_indexing, d)) return true;
  return false;
}

/* Makes the result: the window's dimensions go to offset_dims, those of the indices to the rest, both in order. */
static bool gathered(const hlo_infer *infer, int rank, hlo_extents *extents) {
  const hlo_shape *operand = infer->operands[0], *indices = infer->operands[1];
  hlo_ints offset_dims = *hlo_ints_of(infer, HLO_ATTR_offset_dims), sizes = *hlo_ints_of(infer, HLO_ATTR_slice_sizes);
  int64_t index_vector_dim = hlo_instruction_int(infer->instruction, HLO_ATTR_index_vector_dim, 0);
  int window = 0, batch = 0;
  for (int d = 0; d < rank; d++) {
    if (hlo_ints_contain(offset_dims, d)) {
      while (!in_window(infer, &gather_indexing, window)) window++;
      bool whole = sizes.data[window] == operand->dims[window];
      hlo_dim_kind kind = hlo_shape_dim_kind(operand, window);
      kind = whole && kind == HLO_DIM_BOUNDED ? kind : HLO_DIM_STATIC;
      if (!hlo_extents_push(infer, extents, sizes.data[window++], kind)) return false;
    } else {
      if (batch == index_vector_dim) batch++;
      if (!hlo_extents_push_from(infer, extents, indices, batch++)) return false;
    }
  }
  return true;
}

const hlo_shape *hlo_infer_gather(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *indices = infer->operands[1];
  hlo_ints offset_dims = *hlo_ints_of(infer, HLO_ATTR_offset_dims);
  if (!check_indexing(infer, &gather_indexing) || !check_slice_sizes(infer)) return NULL;
  int window = 0;
  for (int d = 0; d < operand->rank; d++) window += in_window(infer, &gather_indexing, d);
  if (offset_dims.count != window) /* gather_c1 */
    return hlo_refuse(infer, "offset_dims must have one entry for each of the %d dimensions of operand %pS that are neither "
                             "collapsed nor batching, got %d",
                      window, operand, offset_dims.count);
  bool scalar_index = hlo_instruction_int(infer->instruction, HLO_ATTR_index_vector_dim, 0) == indices->rank;
  int rank = window + indices->rank - !scalar_index;
  hlo_extents extents = {0};
  for (int i = 0; i < offset_dims.count; i++)
    if (offset_dims.data[i] < 0 || offset_dims.data[i] >= rank) /* gather_c5 */
      return hlo_refuse(infer, "offset_dims must name dimensions of the result, which has %d, got %lld", rank,
                        (long long)offset_dims.data[i]);
  if (!hlo_check_ascending(infer, HLO_ATTR_offset_dims) || !gathered(infer, rank, &extents))
    return NULL;
  const hlo_shape *result = hlo_extents_shape(infer, operand->type, &extents);
  if (!result || !takes_nothing(infer) || hlo_shape_has_unbounded(result) || hlo_shape_element_count(result) == 0) return result;
  return hlo_refuse(infer, "slice_sizes must be 1 in collapsed and batching dimensions, as the result %pS has elements", result);
}

/* ---- Scatter ---- */

/* Checks the dimensions of updates: those of the window, no larger than the operand's, and those of the indices, both in order. */
static bool check_updates(const hlo_infer *infer, const indexing *what, int window) {
  const hlo_shape *operand = infer->operands[0], *indices = infer->operands[what->indices];
  const hlo_shape *updates = infer->operands[what->indices + 1];
  const hlo_shape *const *name = infer->operands + what->indices + 1;
  hlo_ints window_dims = *hlo_ints_of(infer, HLO_ATTR_update_window_dims);
  int64_t index_vector_dim = hlo_instruction_int(infer->instruction, HLO_ATTR_index_vector_dim, 0);
  int rank = window + indices->rank - (index_vector_dim != indices->rank);
  if (updates->rank != rank) /* scatter_c4 */
    return hlo_refuse(infer, "%pO must have %d dimensions: %d of the window and %d of the indices, got %pS", name, rank,
                      window, rank - window, updates);
  if (!hlo_check_dimensions(infer, HLO_ATTR_update_window_dims, what->indices + 1) || /* scatter_c7 */
      !hlo_check_ascending(infer, HLO_ATTR_update_window_dims))
    return false;
  int of_operand = 0, of_indices = 0;
  for (int d = 0; d < rank; d++) {
    if (hlo_ints_contain(window_dims, d)) {
      while (!in_window(infer, what, of_operand)) of_operand++;
      if (hlo_dim_is_known(updates, d) && hlo_dim_is_known(operand, of_operand) &&
          updates->dims[d] > operand->dims[of_operand])
        return hlo_refuse(infer, "%pO must be at most as large as the operand in its window: dimension %d of %pS has more "
                                 "than the %lld of dimension %d of %pS",
                          name, d, updates, (long long)operand->dims[of_operand], of_operand, operand);
      of_operand++;
    } else {
      if (of_indices == index_vector_dim) of_indices++;
      if (!hlo_dims_agree(updates, d, indices, of_indices))
        return hlo_refuse(infer, "dimension %d of %pO %pS must have the size of dimension %d of scatter_indices %pS", d, name,
                          updates, of_indices, indices);
      of_indices++;
    }
  }
  return true;
}

static const hlo_shape *scattered(const hlo_infer *infer, int count) {
  const hlo_shape **results = hlo_arena_many(infer->arena, const hlo_shape *, count, infer->status);
  if (!results) return NULL;
  for (int i = 0; i < count; i++)
    if (!(results[i] = hlo_shape_without_layout(infer, infer->operands[i]))) return NULL;
  return count == 1 ? results[0] : hlo_tuple_shape(infer, results, count);
}

const hlo_shape *hlo_infer_scatter(const hlo_infer *infer) {
  if (infer->operand_count < 3 || infer->operand_count % 2 == 0)
    return hlo_refuse(infer, "takes N operands, scatter_indices and N updates, got %d operands in all",
                      infer->operand_count);
  int count = infer->operand_count / 2;
  indexing what = {0, count, HLO_ATTR_scatter_dims_to_operand_dims, HLO_ATTR_inserted_window_dims,
                   HLO_ATTR_input_batching_dims, HLO_ATTR_scatter_indices_batching_dims};
  hlo_extents extents;
  hlo_type *types = hlo_arena_many(infer->arena, hlo_type, count, infer->status);
  hlo_type *accumulators = hlo_arena_many(infer->arena, hlo_type, count, infer->status);
  if (!types || !accumulators || !hlo_check_common_dims(infer, 0, count, &extents) ||
      !hlo_check_common_dims(infer, count + 1, count, &extents) ||
      !check_indexing(infer, &what))
    return NULL;
  for (int i = 0; i < count; i++) {
    types[i] = infer->operands[i]->type;
    if (!hlo_check_same_type(infer, i, count + 1 + i)) return NULL; /* scatter_c6 */
  }
  const hlo_shape *operand = infer->operands[0];
  int window = 0, given = hlo_ints_of(infer, HLO_ATTR_update_window_dims)->count;
  for (int d = 0; d < operand->rank; d++) window += in_window(infer, &what, d);
  if (given != window) /* scatter_c2 */
    return hlo_refuse(infer, "update_window_dims must have one entry for each of the %d dimensions of %pO %pS that are "
                             "neither inserted nor batching, got %d",
                      window, infer->operands, operand, given);
  if (!check_updates(infer, &what, window) ||
      !hlo_check_reducer(infer, HLO_ATTR_to_apply, types, count, -1, accumulators))
    return NULL;
  return scattered(infer, count);
}
