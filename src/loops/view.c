/* Views through instructions that move elements: each renames dimensions, or scales steps along them. */
#include "loops/view.h"

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "rewrite/rewriter.h"
#include "shape/strides.h"

void hlo_view_start(hlo_view *view, const hlo_shape *value, const hlo_shape *reader) {
  *view = (hlo_view){.shape = value};
  bool is_scalar = value->rank == 0;
  for (int d = 0; d < reader->rank; d++)
    if (reader->dims[d] != 1) view->terms[view->term_count++] = (struct hlo_view_term){reader->dims[d], 1, is_scalar ? -1 : d};
}

bool hlo_is_view(const hlo_computation *computation, const hlo_instruction *i) {
  /* An op of one operand moves elements by a rule that is known before the run. A copy is left to the planner, which gives it no step. */
  if (!hlo_op_has(i->opcode, HLO_FLAG_MOVES) || hlo_op(i->opcode)->arity != 1 || i->opcode == HLO_OP_COPY) return false;
  const hlo_shape *from = hlo_operand(computation, i, 0)->shape;
  if (!hlo_shape_is_plain(from) || !hlo_shape_is_plain(i->shape)) return false;
  if (hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return false;
  return i->opcode != HLO_OP_BITCAST || (from->type == i->shape->type && hlo_is_row_major(from) && hlo_is_row_major(i->shape));
}

/* ---- Each op ---- */

/* to[d]: the dimension of the operand that becomes dimension d of the result; -1: none. */
static void rename_dims(hlo_view *view, const int *to) {
  int64_t first[HLO_MAX_RANK] = {0};
  for (int d = 0; d < view->shape->rank; d++)
    if (to[d] >= 0) first[to[d]] = view->first[d];
  for (int d = 0; d < HLO_MAX_RANK; d++) view->first[d] = first[d];
  for (int t = 0; t < view->term_count; t++)
    if (view->terms[t].dim >= 0) view->terms[t].dim = to[view->terms[t].dim];
}

/* Index i of dimension d becomes start + i * stride. */
static void scale_dim(hlo_view *view, int d, int64_t start, int64_t stride) {
  view->first[d] = start + stride * view->first[d];
  for (int t = 0; t < view->term_count; t++)
    if (view->terms[t].dim == d) view->terms[t].step *= stride;
}

bool hlo_keeps_order(hlo_ints permutation, uint32_t mask) {
  int64_t last = -1;
  for (int d = 0; d < permutation.count; d++) {
    if (mask >> d & 1) continue;
    if (permutation.data[d] < last) return false;
    last = permutation.data[d];
  }
  return true;
}

/* The slowest dimension whose elements lie at most `stride` elements apart in memory; -1: there is none. */
static int dim_of(const hlo_shape *shape, const int64_t *strides, int64_t stride) {
  for (int d = 0; d < shape->rank; d++)
    if (shape->dims[d] != 1 && strides[d] <= stride) return d;
  return -1;
}

/* Returns whether no term leaves its dimension. */
static bool stays_inside(const hlo_view *view, const hlo_shape *shape) {
  int64_t least[HLO_MAX_RANK], most[HLO_MAX_RANK];
  for (int d = 0; d < shape->rank; d++) least[d] = most[d] = view->first[d];
  for (int t = 0; t < view->term_count; t++) {
    if (view->terms[t].dim < 0) continue;
    int64_t reach = (view->terms[t].size - 1) * view->terms[t].step;
    if (reach < 0) least[view->terms[t].dim] += reach;
    else most[view->terms[t].dim] += reach;
  }
  for (int d = 0; d < shape->rank; d++)
    if (least[d] < 0 || most[d] >= shape->dims[d]) return false;
  return true;
}

/* Turns steps along dimensions of the shape into strides in memory, and these into steps along dimensions of `to`. A term that runs over
 * the end of a dimension continues as another term in the dimension before it. Returns false where a stride is no such step. */
static bool reshape(hlo_view *view, const hlo_shape *to) {
  int64_t from_strides[HLO_MAX_RANK], to_strides[HLO_MAX_RANK], offset = 0;
  hlo_shape_strides(view->shape, from_strides);
  hlo_shape_strides(to, to_strides);
  hlo_view made = {.shape = to};
  for (int d = 0; d < view->shape->rank; d++) offset += view->first[d] * from_strides[d];
  for (int d = 0; d < to->rank; d++) made.first[d] = offset / to_strides[d] % to->dims[d];
  for (int t = view->term_count - 1; t >= 0; t--) { /* terms are made from the fastest to the slowest, and reversed at the end */
    struct hlo_view_term term = view->terms[t];
    int64_t left = term.size, stride = term.dim < 0 ? 0 : term.step * from_strides[term.dim], sign = stride < 0 ? -1 : 1;
    for (stride *= sign; left > 1;) {
      if (made.term_count == HLO_VIEW_TERMS) return false;
      int d = stride ? dim_of(to, to_strides, stride) : -1;
      if (stride && (d < 0 || stride % to_strides[d])) return false;
      int64_t step = stride ? stride / to_strides[d] : 0, room = stride ? (to->dims[d] + step - 1) / step : left;
      int64_t size = left <= room ? left : room;
      if (left % size || (size < left && to->dims[d] % step) || size < 2) return false;
      made.terms[made.term_count++] = (struct hlo_view_term){size, step * sign, d};
      left /= size;
      stride *= size;
    }
  }
  for (int a = 0, b = made.term_count - 1; a < b; a++, b--) {
    struct hlo_view_term kept = made.terms[a];
    made.terms[a] = made.terms[b];
    made.terms[b] = kept;
  }
  *view = made;
  return stays_inside(view, to);
}

bool hlo_view_through(hlo_view *view, const hlo_computation *computation, const hlo_instruction *i) {
  const hlo_shape *operand = hlo_operand(computation, i, 0)->shape;
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  int to[HLO_MAX_RANK];
  switch (i->opcode) {
  case HLO_OP_BROADCAST:
    for (int d = 0; d < i->shape->rank; d++) to[d] = -1;
    for (int d = 0; d < dimensions.count; d++) to[dimensions.data[d]] = operand->dims[d] == 1 ? -1 : d; /* a dimension of 1 may be repeated */
    rename_dims(view, to);
    break;
  case HLO_OP_TRANSPOSE:
    for (int d = 0; d < dimensions.count; d++) to[d] = (int)dimensions.data[d];
    rename_dims(view, to);
    break;
  case HLO_OP_SLICE: {
    const hlo_slice *slice = hlo_instruction_attribute(i, HLO_ATTR_slice)->slice;
    for (int d = 0; d < slice->rank; d++) scale_dim(view, d, slice->dims[d].start, slice->dims[d].stride);
    break;
  }
  case HLO_OP_REVERSE:
    for (int n = 0; n < dimensions.count; n++) scale_dim(view, (int)dimensions.data[n], i->shape->dims[dimensions.data[n]] - 1, -1);
    break;
  default:
    return reshape(view, operand);
  }
  view->shape = operand;
  return true;
}

void hlo_view_strides(const hlo_view *view, hlo_strides *made) {
  int64_t strides[HLO_MAX_RANK];
  hlo_shape_strides(view->shape, strides);
  *made = (hlo_strides){0};
  for (int d = 0; d < view->shape->rank; d++) made->offset += view->first[d] * strides[d];
  for (int t = 0; t < view->term_count; t++) {
    int64_t size = view->terms[t].size, stride = view->terms[t].dim < 0 ? 0 : view->terms[t].step * strides[view->terms[t].dim];
    int last = made->count - 1;
    if (last >= 0 && made->strides[last] == stride * size) {
      made->sizes[last] *= size;
      made->strides[last] = stride;
    } else {
      made->sizes[++last] = size;
      made->strides[last] = stride;
      made->count++;
    }
  }
}
