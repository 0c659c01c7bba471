/* Decides which transposes and reshapes are bitcasts: they move no byte.
 *
 * An array without tiles is addressed by strides, so the answer is exact. With tiles, the answer is yes only where the two tiled
 * arrays agree dimension by dimension. */
#include "base/status.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/shape.h"

/* ---- Input and output with their layouts resolved ---- */

typedef struct index_pair {
  hlo_layout_index input, output;
} index_pair;

/* Returns false if either shape has no places in memory, or if their elements differ in size. */
static bool resolve(index_pair *pair, const hlo_shape *input, const hlo_shape *output) {
  hlo_status ignored = {0};
  return hlo_layout_index_init(&pair->input, input, &ignored) &&
         hlo_layout_index_init(&pair->output, output, &ignored) &&
         hlo_layout_element_bits(input) == hlo_layout_element_bits(output) &&
         hlo_shape_element_count(input) == hlo_shape_element_count(output) &&
         pair->input.aligned_elements == pair->output.aligned_elements;
}

static bool same_tiling(const index_pair *pair) {
  hlo_layout input = *pair->input.layout, output = *pair->output.layout;
  if (input.padded_dimensions || output.padded_dimensions || input.tile_count != output.tile_count) return false;
  for (int i = 0; i < input.tile_count; i++) {
    const hlo_tile *a = &input.tiles[i], *b = &output.tiles[i];
    if (a->rank != b->rank) return false;
    for (int d = 0; d < a->rank; d++)
      if (a->dims[d] != b->dims[d]) return false;
  }
  return true;
}

/* The logical dimension at a physical place, counted from the most minor one; -1 beyond the rank. */
static int64_t dimension_at(const hlo_layout_index *index, int place) {
  return place < index->rank ? index->minor_to_major[place] : -1;
}

/* ---- Transpose ---- */

static bool transpose_keeps_strides(const index_pair *pair, const int64_t *permutation) {
  for (int i = 0; i < pair->output.rank; i++) {
    if (pair->output.shape->dims[i] == 1) continue;
    if (pair->output.strides[i] != pair->input.strides[permutation[i]]) return false;
  }
  return true;
}

static bool transpose_keeps_physical_order(const index_pair *pair, const int64_t *permutation) {
  for (int place = 0; place < pair->output.rank; place++)
    if (permutation[dimension_at(&pair->output, place)] != dimension_at(&pair->input, place)) return false;
  return true;
}

static bool transposes(const hlo_shape *input, const hlo_shape *output, const int64_t *permutation) {
  uint64_t seen = 0;
  for (int i = 0; i < output->rank; i++) {
    if (permutation[i] < 0 || permutation[i] >= input->rank || seen >> permutation[i] & 1) return false;
    if (input->dims[permutation[i]] != output->dims[i]) return false;
    seen |= (uint64_t)1 << permutation[i];
  }
  return true;
}

bool hlo_transpose_is_bitcast(const hlo_shape *input, const hlo_shape *output, const int64_t *permutation) {
  index_pair pair;
  if (input->rank != output->rank || !transposes(input, output, permutation)) return false;
  if (!resolve(&pair, input, output)) return false;
  if (pair.input.untiled && pair.output.untiled)
    return hlo_shape_element_count(input) == 0 || transpose_keeps_strides(&pair, permutation);
  return same_tiling(&pair) && transpose_keeps_physical_order(&pair, permutation);
}

/* ---- Reshape ---- */

/* Returns whether a step along each dimension of `from` is a step of as many places in `to`. Checked from both sides, this
 * decides: a reshape regroups dimensions, offsets are linear within each group, and every boundary of a group is a boundary
 * of a dimension in one of the two shapes. */
static bool unit_steps_agree(const hlo_layout_index *from, const hlo_layout_index *to) {
  int64_t linear = 1, at[HLO_MAX_RANK];
  for (int d = from->rank - 1; d >= 0; d--) {
    int64_t size = from->shape->dims[d];
    if (size == 1) continue;
    hlo_index_multi(to->shape->dims, to->rank, linear, at);
    if (hlo_layout_offset(to, at) != from->strides[d]) return false;
    linear *= size;
  }
  return true;
}

/* Returns the last dimension at or before `d` whose size is not 1, or -1. */
static int next_true_dimension(const hlo_shape *shape, int d) {
  while (d >= 0 && shape->dims[d] == 1) d--;
  return d;
}

/* Pairs the dimensions of both shapes whose size is not 1, in order. Returns false if paired sizes differ.
 * paired[i] is the output dimension for input dimension i, or -1. */
static bool pair_dimensions(const hlo_shape *input, const hlo_shape *output, int *paired) {
  int o = output->rank;
  for (int i = input->rank - 1; i >= 0; i--) {
    paired[i] = -1;
    if (input->dims[i] == 1) continue;
    o = next_true_dimension(output, o - 1);
    if (o < 0 || output->dims[o] != input->dims[i]) return false;
    paired[i] = o;
  }
  return next_true_dimension(output, o - 1) < 0;
}

static bool reshape_keeps_physical_order(const index_pair *pair) {
  const hlo_shape *input = pair->input.shape, *output = pair->output.shape;
  int paired[HLO_MAX_RANK];
  if (!pair_dimensions(input, output, paired)) return false;
  int places = input->rank > output->rank ? input->rank : output->rank;
  for (int place = 0; place < places; place++) {
    int64_t i = dimension_at(&pair->input, place), o = dimension_at(&pair->output, place);
    bool input_is_true = i >= 0 && input->dims[i] != 1, output_is_true = o >= 0 && output->dims[o] != 1;
    if (input_is_true != output_is_true || (input_is_true && paired[i] != o)) return false;
  }
  return true;
}

bool hlo_reshape_is_bitcast(const hlo_shape *input, const hlo_shape *output) {
  index_pair pair;
  if (!resolve(&pair, input, output)) return false;
  if (pair.input.untiled && pair.output.untiled)
    return hlo_shape_element_count(input) == 0 ||
           (unit_steps_agree(&pair.input, &pair.output) && unit_steps_agree(&pair.output, &pair.input));
  return same_tiling(&pair) && reshape_keeps_physical_order(&pair);
}
