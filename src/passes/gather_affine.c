#include "passes/gather_affine.h"

#include <math.h>

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "passes/affine.h"
#include "passes/integer_range.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum {
  MOST_LOOKS = 64, /* at instructions, from a gather back to the iotas that its indices are made of */
  FEW = 4          /* elements of a run: a longer one is better, even if it is strided */
};

/* A gather, and its indices: number k, of the dimension map.data[k] of the operand, has steps along the dimensions of the batch. */
typedef struct places {
  const hlo_instruction *gather;
  const hlo_shape *operand;
  hlo_ints map, sizes, offsets, collapsed;
  hlo_shape batch; /* of indices, without that in which they lie side by side */
  int64_t dims[HLO_MAX_RANK];
  hlo_affine of[HLO_MAX_RANK];
} places;

static bool find_places(const hlo_rewriter *r, const hlo_instruction *gather, places *p) {
  const hlo_instruction *indices = hlo_input(r, gather, 1);
  int64_t vector = hlo_instruction_int(gather, HLO_ATTR_index_vector_dim, 0);
  *p = (places){.gather = gather, .operand = hlo_input(r, gather, 0)->shape, .map = *hlo_instruction_ints(gather, HLO_ATTR_start_index_map),
                .sizes = *hlo_instruction_ints(gather, HLO_ATTR_slice_sizes), .offsets = *hlo_instruction_ints(gather, HLO_ATTR_offset_dims),
                .collapsed = *hlo_instruction_ints(gather, HLO_ATTR_collapsed_slice_dims), .batch = {.type = indices->shape->type}};
  p->batch.dims = p->dims;
  for (int d = 0; d < indices->shape->rank; d++)
    if (d != vector) p->dims[p->batch.rank++] = indices->shape->dims[d];
  for (int k = 0, looks = MOST_LOOKS; k < p->map.count; k++) {
    bool is_joined = indices->opcode == HLO_OP_CONCATENATE && indices->operand_count == p->map.count &&
                     hlo_instruction_ints(indices, HLO_ATTR_dimensions)->data[0] == vector;
    const hlo_instruction *from = is_joined ? hlo_input(r, indices, k) : indices;
    hlo_affine found;
    if ((is_joined && from->shape->dims[vector] != 1) || !hlo_find_affine(r, from->index, &looks, &found)) return false;
    p->of[k].first = found.first;
    if (vector < indices->shape->rank) p->of[k].first += k * found.steps[vector];
    for (int d = 0, b = 0; d < indices->shape->rank; d++)
      if (d != vector) p->of[k].steps[b++] = found.steps[d];
    hlo_integer_range all = hlo_affine_range_of(&p->batch, &p->of[k]);
    int64_t dim = p->map.data[k];
    if (all.least < 0 || all.most > (double)(p->operand->dims[dim] - p->sizes.data[dim])) return false;
  }
  return true;
}

/* Adds the indices that are those at 0 of dimension `without` of the batch, which they do not have. */
static int add_indices(hlo_rewriter *r, const places *p, const hlo_affine *of, int without) {
  int64_t dims[HLO_MAX_RANK], last = p->batch.rank - 1;
  int parts[HLO_MAX_RANK];
  for (int d = 0; d < last; d++) dims[d] = p->batch.dims[d + (d >= without)];
  dims[last] = 1;
  const hlo_shape *shape = hlo_shape_for(r, p->batch.type, dims, p->batch.rank);
  for (int k = 0; k < p->map.count; k++) {
    parts[k] = hlo_add_splat(r, shape, (hlo_scalar){.s = (int64_t)of[k].first});
    for (int d = 0; d < last; d++) {
      double step = of[k].steps[d + (d >= without)];
      if (step == 0) continue;
      const hlo_attribute attribute = {.id = HLO_ATTR_iota_dimension, .integer = d};
      int count = hlo_add(r, HLO_OP_IOTA, shape, NULL, 0, &attribute, 1);
      if (step != 1) count = hlo_add_binary(r, HLO_OP_MULTIPLY, count, hlo_add_splat(r, shape, (hlo_scalar){.s = (int64_t)step}));
      parts[k] = hlo_add_binary(r, HLO_OP_ADD, parts[k], count);
    }
  }
  return p->map.count == 1 ? parts[0] : hlo_add_along(r, HLO_OP_CONCATENATE, parts, p->map.count, &last, 1);
}

static int gather_at(hlo_rewriter *r, const places *p, int operand, int indices, const int64_t *sizes, const int64_t *offsets, int offset_count,
                     const int64_t *collapsed, int collapsed_count) {
  hlo_attribute vector = {.id = HLO_ATTR_index_vector_dim, .integer = p->batch.rank - 1};
  const hlo_attribute attributes[] = {
      hlo_ints_attribute(r, HLO_ATTR_offset_dims, offsets, offset_count), hlo_ints_attribute(r, HLO_ATTR_collapsed_slice_dims, collapsed, collapsed_count),
      hlo_ints_attribute(r, HLO_ATTR_start_index_map, p->map.data, p->map.count), vector, hlo_ints_attribute(r, HLO_ATTR_slice_sizes, sizes, p->sizes.count)};
  return hlo_add(r, HLO_OP_GATHER, NULL, (int[]){operand, indices}, 2, attributes, 5);
}

/* Returns the place among the offset dimensions that dimension `at` of the result has if dimension `dim` of the operand lies there; -1: these would
 * not be in the order of the operand's dimensions any more. */
static int place_of(const places *p, int64_t dim, int64_t at) {
  int before = 0, place = 0;
  for (int64_t d = 0; d < dim; d++) before += !hlo_ints_contain(p->collapsed, d);
  while (place < p->offsets.count && p->offsets.data[place] < at) place++;
  return place == before ? place : -1;
}

/* The dimension of the result that dimension d of the batch is. */
static int64_t result_dim(const places *p, int d) {
  int64_t at = 0;
  for (;; at++)
    if (!hlo_ints_contain(p->offsets, at) && d-- == 0) return at;
}

/* Returns whether index k alone counts through dimension d of the batch, in steps of one, forwards or back, and takes one element each time. */
static bool counts(const places *p, const hlo_affine *of, int k, int d) {
  int64_t dim = p->map.data[k];
  if (p->sizes.data[dim] != 1 || !hlo_ints_contain(p->collapsed, dim) || fabs(of[k].steps[d]) != 1) return false;
  for (int other = 0; other < p->map.count; other++)
    if (other != k && of[other].steps[d]) return false;
  return place_of(p, dim, result_dim(p, d)) >= 0;
}

/* Makes dimension d of the batch, which index k counts through, one of the slices. */
static int take_runs(hlo_rewriter *r, const places *p, int operand, hlo_affine *of, int k, int d) {
  int64_t sizes[HLO_MAX_RANK], offsets[HLO_MAX_RANK], collapsed[HLO_MAX_RANK], dim = p->map.data[k], at = result_dim(p, d);
  int place = place_of(p, dim, at), collapsed_count = 0;
  bool is_back = of[k].steps[d] < 0;
  for (int n = 0; n < p->sizes.count; n++) sizes[n] = n == dim ? p->batch.dims[d] : p->sizes.data[n];
  for (int n = 0; n <= p->offsets.count; n++) offsets[n] = n == place ? at : p->offsets.data[n - (n > place)];
  for (int n = 0; n < p->collapsed.count; n++)
    if (p->collapsed.data[n] != dim) collapsed[collapsed_count++] = p->collapsed.data[n];
  if (is_back) of[k].first += of[k].steps[d] * (double)(p->batch.dims[d] - 1);
  int made = gather_at(r, p, operand, add_indices(r, p, of, d), sizes, offsets, p->offsets.count + 1, collapsed, collapsed_count);
  return is_back ? hlo_add_along(r, HLO_OP_REVERSE, &made, 1, &at, 1) : made;
}

/* Finds the index and the dimension of the batch with the best runs: the last dimension, or the longest one where it has few elements. */
static bool find_runs(const places *p, const hlo_affine *of, int *k, int *d) {
  int64_t longest = 1;
  for (int n = p->batch.rank - 1; n >= 0 && longest <= FEW; n--)
    for (int i = 0; i < p->map.count; i++)
      if (p->batch.dims[n] > longest && counts(p, of, i, n)) longest = p->batch.dims[n], *k = i, *d = n;
  return longest > 1;
}

static int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

int hlo_gather_affine(hlo_rewriter *r, const hlo_instruction *gather) {
  places p;
  int k, d, operand = gather->operands[0];
  if (hlo_instruction_ints(gather, HLO_ATTR_operand_batching_dims)->count || hlo_type_bits(gather->shape->type) < 8 || hlo_shape_element_count(gather->shape) == 0) return HLO_KEEP;
  if (!find_places(r, gather, &p)) return HLO_KEEP;
  if (find_runs(&p, p.of, &k, &d)) return take_runs(r, &p, operand, p.of, k, d);
  /* Steps that have a divisor in common are taken through a slice. */
  hlo_slice_dim dims[HLO_MAX_RANK];
  for (int n = 0; n < p.operand->rank; n++) dims[n] = (hlo_slice_dim){0, p.operand->dims[n], 1};
  int64_t count = hlo_shape_element_count(p.operand);
  for (int n = 0; n < p.map.count; n++) {
    int64_t step = 0, dim = p.map.data[n];
    for (int b = 0; b < p.batch.rank; b++) step = common_divisor(step, (int64_t)fabs(p.of[n].steps[b]));
    if (step < 2 || p.sizes.data[dim] != 1) continue;
    int64_t start = (int64_t)hlo_affine_range_of(&p.batch, &p.of[n]).least % step;
    dims[dim] = (hlo_slice_dim){start, p.operand->dims[dim], step};
    count /= step;
    p.of[n].first = (p.of[n].first - (double)start) / (double)step;
    for (int b = 0; b < p.batch.rank; b++) p.of[n].steps[b] /= (double)step;
  }
  if (count > 2 * hlo_shape_element_count(gather->shape) || !find_runs(&p, p.of, &k, &d)) return HLO_KEEP;
  return take_runs(r, &p, hlo_add_slice(r, operand, dims, p.operand->rank), p.of, k, d);
}
