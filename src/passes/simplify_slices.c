/* Simplifies slices, pads and concatenates: an op that does nothing goes, a dynamic slice at a known place becomes a slice, and a slice of a
 * concatenate reads the operand that it comes from. */
#include <string.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/first_sorted.h"
#include "passes/gather_affine.h"
#include "passes/gather_rows.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

static const hlo_slice *slice_of(const hlo_instruction *i) { return hlo_instruction_attribute(i, HLO_ATTR_slice)->slice; }
static int64_t dimension_of(const hlo_instruction *i) { return hlo_instruction_ints(i, HLO_ATTR_dimensions)->data[0]; }

/* ---- slice ---- */

static int slice_of_slice(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *inner) {
  const hlo_slice *outer = slice_of(i), *first = slice_of(inner);
  hlo_slice_dim dims[HLO_MAX_RANK];
  for (int d = 0; d < outer->rank; d++) {
    hlo_slice_dim o = outer->dims[d], f = first->dims[d];
    int64_t last = i->shape->dims[d] ? o.start + (i->shape->dims[d] - 1) * o.stride : o.start - 1; /* the last element that is kept, as an index of `inner` */
    dims[d] = (hlo_slice_dim){f.start + o.start * f.stride, f.start + last * f.stride + 1, o.stride * f.stride};
    if (i->shape->dims[d] == 0) dims[d].start = dims[d].limit = 0;
    if (i->shape->dims[d] <= 1) dims[d].stride = 1;
  }
  return hlo_add_slice(r, inner->operands[0], dims, outer->rank);
}

/* Facts about a concatenate that its slices ask for. */
typedef struct join {
  bool is_plain;       /* hlo_is_plain */
  const int64_t *ends; /* by operand: where it ends along the dimension */
} join;

/* The state of this pass: what is known about concatenates, by their index in `to`. */
typedef struct joins {
  join **known; /* NULL: nothing yet */
  int capacity;
} joins;

static joins *joins_up_to(hlo_rewriter *r, int index) {
  joins *all = r->state ? r->state : (r->state = hlo_arena_new(r->scratch, joins, r->status));
  if (!all || index < all->capacity) return all;
  int capacity = 2 * r->to->instruction_count;
  join **known = hlo_arena_many(r->scratch, join *, capacity, r->status);
  if (!known) return NULL;
  for (int n = 0; n < all->capacity; n++) known[n] = all->known[n];
  *all = (joins){known, capacity};
  return all;
}

/* Returns what is known about a concatenate; its operands are looked at the first time. NULL: no memory. */
static const join *join_of(hlo_rewriter *r, const hlo_instruction *i) {
  joins *all = joins_up_to(r, i->index);
  if (!all || all->known[i->index]) return all ? all->known[i->index] : NULL;
  join *made = hlo_arena_new(r->scratch, join, r->status);
  int64_t *ends = hlo_arena_many(r->scratch, int64_t, i->operand_count, r->status), end = 0;
  if (!made || !ends) return NULL;
  made->is_plain = hlo_is_plain(r, i);
  for (int n = 0; n < i->operand_count && made->is_plain; n++) ends[n] = end += hlo_input(r, i, n)->shape->dims[dimension_of(i)];
  made->ends = ends;
  return all->known[i->index] = made;
}

/* Returns the first operand that ends at or after the limit; the last one if none does. */
static int operand_up_to(const join *known, int operand_count, int64_t limit) {
  int low = 0, high = operand_count - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (known->ends[middle] >= limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* A slice of a concatenate that lies within one operand becomes a slice of that operand. */
static int slice_of_join(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *concatenate) {
  const join *known = join_of(r, concatenate);
  if (!known || !known->is_plain) return HLO_KEEP;
  int64_t dimension = dimension_of(concatenate);
  const hlo_slice *slice = slice_of(i);
  int n = operand_up_to(known, concatenate->operand_count, slice->dims[dimension].limit);
  int64_t begin = n > 0 ? known->ends[n - 1] : 0;
  if (slice->dims[dimension].start < begin || slice->dims[dimension].limit > known->ends[n]) return HLO_KEEP;
  hlo_slice_dim dims[HLO_MAX_RANK];
  memcpy(dims, slice->dims, (size_t)slice->rank * sizeof *dims);
  dims[dimension].start -= begin;
  dims[dimension].limit -= begin;
  return hlo_add_slice(r, concatenate->operands[n], dims, slice->rank);
}

static int slice(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *inner = hlo_input(r, i, 0);
  int scalar;
  if (hlo_shape_compatible(inner->shape, i->shape)) return inner->index;
  if (i->shape->rank && hlo_repeats_scalar(r, inner->index, &scalar) && inner->opcode == HLO_OP_BROADCAST)
    return hlo_add_broadcast(r, scalar, i->shape, NULL);
  if (inner->opcode == HLO_OP_CONCATENATE) return slice_of_join(r, i, inner);
  if (inner->opcode == HLO_OP_SLICE && hlo_is_plain(r, inner)) return slice_of_slice(r, i, inner);
  return hlo_first_sorted(r, i);
}

/* ---- dynamic-slice, dynamic-update-slice, gather, scatter ---- */

/* Reads start indices that are constants, and clamps them to fit. */
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

/* A slice or gather of a converted array converts the elements that it takes: a table of narrow rows is not widened as a whole. */
static int of_converted(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *all = hlo_input(r, i, 0);
  if (all->opcode != HLO_OP_CONVERT || !hlo_is_plain(r, all) || hlo_instruction_attribute(all, HLO_ATTR_control_predecessors)) return HLO_KEEP;
  if (hlo_shape_element_count(i->shape) >= hlo_shape_element_count(all->shape)) return HLO_KEEP;
  int *operands = hlo_arena_many(r->scratch, int, i->operand_count, r->status);
  if (!operands) return HLO_KEEP;
  for (int n = 0; n < i->operand_count; n++) operands[n] = n ? i->operands[n] : all->operands[0];
  return hlo_add_convert(r, hlo_add_like(r, i, NULL, operands), i->shape->type);
}

/* Adds the index at which the window of a gather or scatter begins, dimension by dimension. Returns false where there are several windows. */
static bool add_starts(hlo_rewriter *r, const hlo_instruction *i, hlo_attribute_id map_id, int *starts) {
  const hlo_shape *operand = hlo_input(r, i, 0)->shape, *indices = hlo_input(r, i, 1)->shape;
  hlo_ints map = *hlo_instruction_ints(i, map_id);
  if (hlo_shape_element_count(indices) != map.count) return false;
  for (int d = 0; d < indices->rank; d++)
    if (indices->dims[d] != (d == hlo_instruction_int(i, HLO_ATTR_index_vector_dim, 0) ? map.count : 1)) return false;
  int vector = hlo_add_reshape(r, i->operands[1], hlo_shape_for(r, indices->type, (int64_t[]){map.count}, 1));
  const hlo_shape *scalar = hlo_shape_for(r, indices->type, NULL, 0);
  for (int d = 0; d < operand->rank; d++) {
    starts[d] = HLO_KEEP;
    for (int k = 0; k < map.count; k++)
      if (map.data[k] == d) starts[d] = hlo_add_reshape(r, hlo_add_slice(r, vector, &(hlo_slice_dim){k, k + 1, 1}, 1), scalar);
    if (starts[d] < 0) starts[d] = hlo_add_scalar(r, indices->type, hlo_scalar_zero(indices->type));
  }
  return true;
}

static int window_at(hlo_rewriter *r, int operand, const int *starts, const int64_t *sizes, int rank) {
  int operands[1 + HLO_MAX_RANK] = {operand};
  memcpy(operands + 1, starts, (size_t)rank * sizeof *starts);
  hlo_attribute attribute = hlo_ints_attribute(r, HLO_ATTR_dynamic_slice_sizes, sizes, rank);
  return hlo_add(r, HLO_OP_DYNAMIC_SLICE, NULL, operands, 1 + rank, &attribute, 1);
}

/* A gather of a single slice becomes a dynamic-slice. */
static int gather(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *operand = hlo_input(r, i, 0)->shape;
  hlo_ints sizes = *hlo_instruction_ints(i, HLO_ATTR_slice_sizes);
  int starts[HLO_MAX_RANK];
  if (hlo_type_bits(operand->type) == 4) return HLO_KEEP; /* the kernel of gathers may read them packed */
  if (hlo_instruction_ints(i, HLO_ATTR_operand_batching_dims)->count || !add_starts(r, i, HLO_ATTR_start_index_map, starts)) return HLO_KEEP;
  return hlo_add_reshape(r, window_at(r, i->operands[0], starts, sizes.data, sizes.count), i->shape);
}

/* A scatter of a single small window becomes a dynamic-update-slice, which writes what is there where the window does not fit. */
static int scatter(hlo_rewriter *r, const hlo_instruction *i) {
  enum { LARGEST = 64 };
  const hlo_shape *operand = i->shape, *update = hlo_input(r, i, 2)->shape;
  const hlo_computation *c = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  const hlo_instruction *root = hlo_computation_root(c);
  hlo_ints windows = *hlo_instruction_ints(i, HLO_ATTR_update_window_dims);
  uint32_t absent = hlo_ints_mask(hlo_instruction_ints(i, HLO_ATTR_inserted_window_dims)), mapped = hlo_ints_mask(hlo_instruction_ints(i, HLO_ATTR_scatter_dims_to_operand_dims));
  int64_t sizes[HLO_MAX_RANK];
  int operands[2 + HLO_MAX_RANK] = {i->operands[0]}, *starts = operands + 2, fits = HLO_KEEP;
  hlo_opcode opcode;
  bool sets = root->index == c->parameters[1];
  if (!hlo_shape_is_array(operand) || hlo_instruction_ints(i, HLO_ATTR_input_batching_dims)->count || hlo_shape_element_count(update) > LARGEST) return HLO_KEEP;
  if (hlo_type_bits(hlo_input(r, i, 1)->shape->type) < 32) return HLO_KEEP; /* of fewer bits, the last place may be no index */
  if (root->shape->type != operand->type || update->type != operand->type || (!sets && !hlo_computation_is_binary_op(c, &opcode))) return HLO_KEEP;
  for (int d = 0, w = 0; d < operand->rank; d++) {
    sizes[d] = absent >> d & 1 ? 1 : update->dims[windows.data[w++]];
    if (sizes[d] > operand->dims[d]) return HLO_KEEP;
  }
  if (!add_starts(r, i, HLO_ATTR_scatter_dims_to_operand_dims, starts)) return HLO_KEEP;
  for (int n = 0; n < 2 * operand->rank; n++) {
    int d = n / 2;
    if (!(mapped >> d & 1)) continue;
    int within = hlo_add_comparison(r, starts[d], n % 2 ? HLO_direction_LE : HLO_direction_GE, (hlo_scalar){.s = n % 2 ? operand->dims[d] - sizes[d] : 0});
    fits = fits < 0 ? within : hlo_add_binary(r, HLO_OP_AND, fits, within);
  }
  int old = window_at(r, i->operands[0], starts, sizes, operand->rank), made = hlo_add_reshape(r, i->operands[2], hlo_shape_for(r, operand->type, sizes, operand->rank));
  if (!sets) made = hlo_add_binary(r, opcode, old, made);
  if (fits >= 0) made = hlo_add_select(r, hlo_add_broadcast(r, fits, hlo_shape_for(r, HLO_TYPE_PRED, sizes, operand->rank), NULL), made, old);
  operands[1] = made;
  return hlo_add(r, HLO_OP_DYNAMIC_UPDATE_SLICE, NULL, operands, 2 + operand->rank, NULL, 0);
}

/* A select by one predicate, between an array with a window updated and the array as it was, becomes an update by what is selected of the window. */
static int select(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_instruction *predicate = hlo_input(r, i, 0);
  int by = i->operands[0], operands[2 + HLO_MAX_RANK];
  if (predicate->opcode == HLO_OP_BROADCAST) by = predicate->operands[0];
  if (hlo_rewriter_value(r, by)->shape->rank != 0) return HLO_KEEP;
  for (int n = 1; n <= 2; n++) {
    const hlo_instruction *updated = hlo_input(r, i, n);
    if (updated->opcode != HLO_OP_DYNAMIC_UPDATE_SLICE || updated->operands[0] != i->operands[3 - n] || r->uses[updated->index] > 1 || !hlo_is_plain(r, updated)) continue;
    if (hlo_input(r, updated, updated->operand_count - 1)->shape->rank > 0) continue; /* one vector of starts */
    const hlo_shape *window = hlo_input(r, updated, 1)->shape;
    memcpy(operands, updated->operands, (size_t)updated->operand_count * sizeof *operands);
    int old = window_at(r, operands[0], operands + 2, window->dims, window->rank), made = operands[1];
    by = hlo_add_broadcast(r, by, hlo_shape_for(r, HLO_TYPE_PRED, window->dims, window->rank), NULL);
    operands[1] = n == 1 ? hlo_add_select(r, by, made, old) : hlo_add_select(r, by, old, made);
    return hlo_add_like(r, updated, NULL, operands);
  }
  return HLO_KEEP;
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

/* True if a and b are slices of one array, and b begins where a ends. */
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
      if (hlo_rewriter_value(r, piece)->shape->dims[dimension] == 0 && total > 1) {
        changes = true;
      } else if (count > 0 && continues(hlo_rewriter_value(r, parts[count - 1]), hlo_rewriter_value(r, piece), dimension)) {
        changes = true;
        parts[count - 1] = joined_slices(r, hlo_rewriter_value(r, parts[count - 1]), hlo_rewriter_value(r, piece), dimension);
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
  case HLO_OP_DYNAMIC_SLICE: {
    int value = of_converted(r, i);
    return value < 0 ? dynamic_slice(r, i) : value;
  }
  case HLO_OP_DYNAMIC_UPDATE_SLICE: return dynamic_update_slice(r, i);
  case HLO_OP_GATHER: {
    int value = hlo_gather_rows(r, i);
    if (value < 0) value = of_converted(r, i);
    if (value < 0) value = gather(r, i);
    return value < 0 ? hlo_gather_affine(r, i) : value;
  }
  case HLO_OP_SCATTER: return i->operand_count == 3 ? scatter(r, i) : HLO_KEEP;
  case HLO_OP_SELECT: return select(r, i);
  case HLO_OP_PAD: return pad(r, i);
  case HLO_OP_CONCATENATE: return concatenate(r, i);
  default: return HLO_KEEP;
  }
}
