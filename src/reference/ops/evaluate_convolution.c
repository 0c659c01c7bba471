/* convolution: for each position of the window, batch and output feature, the sum of products of the window's
 * weights and the elements under them.
 *
 * Padding, and the holes of a dilated input, are zeros, as the specification pads: a weight over them adds nothing unless it
 * is infinite or NaN, and then NaN. */
#include <math.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/wide.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"
#include "shape/window.h"

/* A cell of the window: offsets of the first channel in the gathered arrays. */
typedef struct tap {
  int64_t lhs, rhs; /* lhs: -1 over padding */
} tap;

typedef struct convolution {
  const hlo_dim_labels *labels;
  const hlo_window *window;
  hlo_wide lhs; /* [batch, spatial, feature] */
  hlo_wide rhs; /* [output feature, spatial, input feature of a group] */
  int64_t batch, features, channels, output_features; /* channels: how many input features one output feature sums over */
  int64_t feature_groups, batch_groups;
  int64_t lhs_sizes[HLO_MAX_RANK], lhs_strides[HLO_MAX_RANK]; /* of the spatial dimensions of the gathered arrays */
  int64_t window_dims[HLO_MAX_RANK], rhs_strides[HLO_MAX_RANK];
  int64_t lhs_image, rhs_filter;   /* how many elements one batch has in lhs, and one output feature in rhs */
  tap *taps;
  bool counts_padding; /* some weight is not finite */
  hlo_wide zeros;      /* for counts_padding: the channels of padding */
} convolution;

static bool gather_operands(hlo_evaluation *evaluation, convolution *c, const hlo_literal *lhs, const hlo_literal *rhs,
                            hlo_type type) {
  const hlo_dim_labels *labels = c->labels;
  int spatial = labels->spatial_rank;
  int64_t order[HLO_MAX_RANK];
  order[0] = labels->input_batch;
  order[spatial + 1] = labels->input_feature;
  for (int d = 0; d < spatial; d++) order[d + 1] = labels->input_spatial[d];
  if (!hlo_wide_gather(evaluation, lhs, type, c->rhs_filter, order, &c->lhs)) return false;
  order[0] = labels->kernel_output_feature;
  order[spatial + 1] = labels->kernel_input_feature;
  for (int d = 0; d < spatial; d++) order[d + 1] = labels->kernel_spatial[d];
  return hlo_wide_gather(evaluation, rhs, type, c->rhs_filter, order, &c->rhs);
}

static bool all_finite(const double *values, int64_t count) {
  for (int64_t i = 0; values && i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Prepares the zeros that padding holds, where they make a difference. */
static bool prepare_padding(hlo_evaluation *evaluation, convolution *c, int64_t weights) {
  c->counts_padding = !all_finite(c->rhs.real, weights) || !all_finite(c->rhs.imaginary, weights);
  if (!c->counts_padding) return true;
  double *zeros = hlo_arena_many(evaluation->scratch, double, c->channels, evaluation->status);
  c->zeros = (hlo_wide){.arithmetic = c->rhs.arithmetic, .real = zeros, .imaginary = c->rhs.imaginary ? zeros : NULL};
  return zeros && hlo_origin_array_make(evaluation->scratch, c->channels, &c->zeros.origins, evaluation->status);
}

static bool prepare(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *lhs,
                    const hlo_literal *rhs, hlo_type type, convolution *c) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(instruction, HLO_ATTR_dim_labels)->dim_labels;
  int spatial = labels->spatial_rank;
  c->labels = labels;
  c->window = hlo_instruction_window(instruction);
  c->batch = lhs->shape->dims[labels->input_batch];
  c->features = lhs->shape->dims[labels->input_feature];
  c->channels = rhs->shape->dims[labels->kernel_input_feature];
  c->output_features = rhs->shape->dims[labels->kernel_output_feature];
  c->feature_groups = hlo_instruction_int(instruction, HLO_ATTR_feature_group_count, 1);
  c->batch_groups = hlo_instruction_int(instruction, HLO_ATTR_batch_group_count, 1);
  c->lhs_image = c->features;
  c->rhs_filter = c->channels;
  int64_t cells = 1;
  for (int d = spatial - 1; d >= 0; d--) {
    c->lhs_sizes[d] = lhs->shape->dims[labels->input_spatial[d]];
    c->window_dims[d] = rhs->shape->dims[labels->kernel_spatial[d]];
    c->lhs_strides[d] = c->lhs_image;
    c->rhs_strides[d] = c->rhs_filter;
    c->lhs_image *= c->lhs_sizes[d];
    c->rhs_filter *= c->window_dims[d];
    cells *= c->window_dims[d];
  }
  c->taps = hlo_arena_many(evaluation->scratch, tap, cells, evaluation->status);
  return c->taps && gather_operands(evaluation, c, lhs, rhs, type) &&
         prepare_padding(evaluation, c, hlo_shape_element_count(rhs->shape));
}

/* Lists the cells that count when the window stands at `position`. Returns how many. */
static int64_t find_taps(const convolution *c, const int64_t *position) {
  int spatial = c->labels->spatial_rank;
  int64_t cell[HLO_MAX_RANK] = {0}, count = 0;
  if (hlo_box_is_empty(c->window_dims, spatial)) return 0;
  do {
    tap found = {0};
    bool inside = true;
    for (int d = 0; d < spatial; d++) {
      const hlo_window_dim *window = &c->window->dims[d];
      int64_t element = 0, weight = window->reversal ? c->window_dims[d] - 1 - cell[d] : cell[d];
      inside &= hlo_window_element(window, position[d], cell[d], c->lhs_sizes[d], &element);
      found.lhs += element * c->lhs_strides[d];
      found.rhs += weight * c->rhs_strides[d];
    }
    if (!inside) found.lhs = -1;
    if (inside || c->counts_padding) c->taps[count++] = found;
  } while (hlo_index_next(c->window_dims, spatial, cell));
  return count;
}

/* Computes one output element: output feature `o` sums over the channels of its feature group, for batches of its batch group. */
static hlo_scalar output_element(const convolution *c, int64_t tap_count, int64_t b, int64_t o) {
  int64_t feature_group = o / (c->output_features / c->feature_groups);
  int64_t batch_group = o / (c->output_features / c->batch_groups);
  int64_t image = batch_group * (c->batch / c->batch_groups) + b;
  int64_t lhs = image * c->lhs_image + feature_group * c->channels, rhs = o * c->rhs_filter;
  hlo_wide_sum sum = {0};
  for (int64_t t = 0; t < tap_count; t++) {
    bool padding = c->taps[t].lhs < 0;
    hlo_wide_dot(padding ? &c->zeros : &c->lhs, padding ? 0 : lhs + c->taps[t].lhs, &c->rhs, rhs + c->taps[t].rhs, c->channels, &sum);
  }
  return hlo_wide_total(c->lhs.arithmetic, &sum);
}

static void set_sizes(const convolution *c, const hlo_literal *lhs, const hlo_literal *rhs, hlo_literal *result) {
  const hlo_dim_labels *labels = c->labels;
  hlo_size_set(result, labels->output_batch, hlo_literal_size(lhs, labels->input_batch) / c->batch_groups);
  hlo_size_set(result, labels->output_feature, hlo_literal_size(rhs, labels->kernel_output_feature));
  for (int d = 0; d < labels->spatial_rank; d++)
    hlo_size_set(result, labels->output_spatial[d],
                 hlo_window_positions(&c->window->dims[d], hlo_literal_size(lhs, labels->input_spatial[d])));
}

bool hlo_reference_convolution(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result) {
  convolution c = {0};
  if (!prepare(evaluation, instruction, operands[0], operands[1], result->shape->type, &c)) return false;
  const hlo_dim_labels *labels = c.labels;
  hlo_place natural = hlo_place_of(result);
  int64_t positions[HLO_MAX_RANK], position[HLO_MAX_RANK] = {0};
  int64_t batch = result->shape->dims[labels->output_batch], batch_stride = natural.strides[labels->output_batch];
  int64_t features = result->shape->dims[labels->output_feature];
  int64_t feature_stride = natural.strides[labels->output_feature];
  for (int d = 0; d < labels->spatial_rank; d++) positions[d] = result->shape->dims[labels->output_spatial[d]];
  hlo_literal_clear(result);
  set_sizes(&c, operands[0], operands[1], result);
  if (hlo_box_is_empty(positions, labels->spatial_rank)) return true;
  do {
    int64_t at = 0, tap_count = find_taps(&c, position);
    for (int d = 0; d < labels->spatial_rank; d++) at += position[d] * natural.strides[labels->output_spatial[d]];
    for (int64_t b = 0; b < batch; b++)
      for (int64_t o = 0; o < features; o++)
        if (!hlo_reference_tick(evaluation, 1 + tap_count * c.channels)) return false;
        else hlo_literal_set(result, at + b * batch_stride + o * feature_stride, output_element(&c, tap_count, b, o));
  } while (hlo_index_next(positions, labels->spatial_rank, position));
  return true;
}
