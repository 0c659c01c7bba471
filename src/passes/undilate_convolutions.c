/* Takes dilation of the input (a transposed convolution, the gradient of one with strides) out of convolutions, so that the zeros between elements
 * are not multiplied. Of every s positions of the result, each reads its own taps of the kernel: they become s times as many features of a
 * convolution of the input as it is, and are put in their places behind it. One dimension is taken at a time.
 *
 *   s = 2, 4 taps, padding 3     result 2q + r = sum over j of input q + j - 1 times tap 2j + 1 - r
 *
 * One element may have any dilation: with that of the kernel's size, each position has one tap.
 *
 * In general, with padding p s + s - 1, position q s + r reads the input at q + j - p through tap j s + s - 1 - r. Where the padding is another one, there
 * are `skipped` positions more at the beginning, which are cut off. Where s does not divide the taps, some positions have a tap less than
 * others: they have a convolution of their own.
 *
 * Zero times infinity is NaN: where a tap that meets zeros alone is not finite, a position's own taps are NaN. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

typedef struct undilation {
  hlo_rewriter *r;
  const hlo_instruction *i;
  const hlo_dim_labels *labels;
  int d;                       /* the spatial dimension */
  int64_t step, padding, skipped; /* step: s; padding: p */
  int64_t taps, positions;     /* of the new convolution along the dimension */
  int64_t whole;               /* of the s positions, so many have all these taps, and the others one less */
} undilation;

static int64_t floor_divide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

static int reshaped(hlo_rewriter *r, int value, const int64_t *dims, int rank) {
  return value < 0 ? HLO_KEEP : hlo_add_reshape(r, value, hlo_shape_for(r, hlo_rewriter_value(r, value)->shape->type, dims, rank));
}

/* Splits dimension `at` of `dims` in two, the second of `size` elements. */
static void split(int64_t *dims, int rank, int at, int64_t size) {
  for (int k = rank; k > at + 1; k--) dims[k] = dims[k - 1];
  dims[at] /= size;
  dims[at + 1] = size;
}

/* Moves dimension `from` so that it stands right before or right behind dimension `by`, which is another one. */
static int moved(hlo_rewriter *r, int value, int rank, int from, int by, bool behind) {
  int64_t permutation[HLO_MAX_RANK];
  int count = 0;
  for (int k = 0; k < rank; k++) {
    if (k == by && !behind) permutation[count++] = from;
    if (k != from) permutation[count++] = k;
    if (k == by && behind) permutation[count++] = from;
  }
  return hlo_add_transpose(r, value, permutation, rank);
}

/* ---- The kernel ---- */

/* Splits the kernel along the dimension in taps, and offsets among s of them. */
static int split_kernel(const undilation *u, bool reversed) {
  hlo_rewriter *r = u->r;
  const hlo_shape *shape = hlo_input(r, u->i, 1)->shape;
  int rank = shape->rank, at = u->labels->kernel_spatial[u->d], value = u->i->operands[1];
  hlo_padding_dim dims[HLO_MAX_RANK] = {0};
  int64_t along = at, sizes[HLO_MAX_RANK + 1], size = u->taps > 1 ? u->taps * u->step : shape->dims[at];
  if (reversed) value = hlo_add_along(r, HLO_OP_REVERSE, &value, 1, &along, 1);
  dims[at] = (hlo_padding_dim){.high = size - shape->dims[at]};
  value = hlo_add_pad(r, value, hlo_add_scalar(r, shape->type, (hlo_scalar){.f = 0}), dims, rank);
  for (int k = 0; k < rank; k++) sizes[k] = k == at ? size : shape->dims[k];
  split(sizes, rank, at, size / u->taps);
  return reshaped(r, value, sizes, rank + 1);
}

/* Returns whether taps that are not finite have a say: by feature of the result, how many there are; *by_offset: by offset as well. */
static bool count_infinite(const undilation *u, int value, int *counts, int *by_offset) {
  hlo_rewriter *r = u->r;
  hlo_type type = hlo_input(r, u->i, 1)->shape->type;
  if (value < 0 || !hlo_type_is_float(type) || !hlo_type_float_format(type).has_nan) return false;
  const hlo_shape *shape = hlo_rewriter_value(r, value)->shape, *numbers = hlo_shape_for(r, HLO_TYPE_S32, shape->dims, shape->rank);
  int at = u->labels->kernel_spatial[u->d], feature = u->labels->kernel_output_feature, by = hlo_add_binary_computation(r, HLO_OP_ADD, HLO_TYPE_S32, "count");
  int64_t others[HLO_MAX_RANK], offset = at + 1 > feature + (feature > at);
  int count = 0, zero = hlo_add_scalar(r, HLO_TYPE_S32, (hlo_scalar){.s = 0});
  if (!numbers) return false;
  for (int k = 0; k < shape->rank; k++)
    if (k != at + 1 && k != feature + (feature > at)) others[count++] = k;
  int each = hlo_add_select(r, hlo_add_unary(r, HLO_OP_IS_FINITE, value), hlo_add_splat(r, numbers, (hlo_scalar){.s = 0}), hlo_add_splat(r, numbers, (hlo_scalar){.s = 1}));
  *by_offset = hlo_add_reduce(r, each, zero, others, count, by);
  *counts = hlo_add_reduce(r, *by_offset, zero, &offset, 1, by);
  return true;
}

/* `value` with NaN where counts, whose dimensions lie along these of it, are not 0. */
static int with_nan(hlo_rewriter *r, int value, int counts, const int64_t *dimensions) {
  if (value < 0 || counts < 0) return HLO_KEEP;
  const hlo_shape *shape = hlo_rewriter_value(r, value)->shape, *flags = hlo_shape_for(r, HLO_TYPE_PRED, shape->dims, shape->rank);
  int found = hlo_add_comparison(r, counts, HLO_direction_NE, (hlo_scalar){.s = 0});
  if (!flags || found < 0) return HLO_KEEP;
  return hlo_add_select(r, hlo_add_broadcast(r, found, flags, dimensions), hlo_add_splat(r, shape, (hlo_scalar){.f = NAN}), value);
}

/* Makes taps NaN where taps of other offsets, which meet zeros, are not finite. */
static int spoil(const undilation *u, int value, int counts, int by_offset) {
  hlo_rewriter *r = u->r;
  if (counts < 0 || by_offset < 0) return HLO_KEEP;
  int at = u->labels->kernel_spatial[u->d], feature = u->labels->kernel_output_feature;
  int64_t by_feature = feature > at, dimensions[2];
  dimensions[by_feature] = feature + (feature > at);
  dimensions[!by_feature] = at + 1;
  int all = hlo_add_broadcast(r, counts, hlo_rewriter_value(r, by_offset)->shape, &by_feature);
  return with_nan(r, value, hlo_add_binary(r, HLO_OP_SUBTRACT, all, by_offset), dimensions);
}

/* Taps 0 to taps - 1 of some offsets, as features of the result, those of the first position first. */
static int part_of_kernel(const undilation *u, int value, int64_t first, int64_t limit, int64_t taps) {
  hlo_rewriter *r = u->r;
  if (value < 0) return HLO_KEEP;
  const hlo_shape *shape = hlo_rewriter_value(r, value)->shape;
  int rank = shape->rank, at = u->labels->kernel_spatial[u->d], feature = u->labels->kernel_output_feature;
  int64_t along = at + 1, sizes[HLO_MAX_RANK + 1];
  hlo_slice_dim slice[HLO_MAX_RANK + 1];
  for (int k = 0; k < rank; k++) slice[k] = (hlo_slice_dim){0, shape->dims[k], 1};
  slice[at].limit = taps;
  slice[at + 1] = (hlo_slice_dim){first, limit, 1};
  value = hlo_add_slice(r, value, slice, rank);
  if (value >= 0) value = hlo_add_along(r, HLO_OP_REVERSE, &value, 1, &along, 1);
  value = value < 0 ? HLO_KEEP : moved(r, value, rank, at + 1, feature + (feature > at), false);
  for (int k = 0; k < rank - 1; k++) sizes[k] = k == at ? taps : hlo_input(r, u->i, 1)->shape->dims[k] * (k == feature ? limit - first : 1);
  return reshaped(r, value, sizes, rank - 1);
}

/* ---- The results ---- */

/* The shape of results of `count` of the s positions, which are features. */
static const hlo_shape *shape_of(const undilation *u, int64_t count) {
  int64_t sizes[HLO_MAX_RANK];
  for (int k = 0; k < u->i->shape->rank; k++) sizes[k] = u->i->shape->dims[k];
  sizes[u->labels->output_spatial[u->d]] = u->positions;
  sizes[u->labels->output_feature] *= count;
  return hlo_shape_for(u->r, u->i->shape->type, sizes, u->i->shape->rank);
}

/* Positions without a tap: sums of zeros, times taps of other positions. counts: how many of these are not finite, by feature; HLO_KEEP: none can be. */
static int without_taps(const undilation *u, int64_t count, int counts) {
  hlo_rewriter *r = u->r;
  const hlo_shape *shape = shape_of(u, count), *halves;
  int64_t sizes[HLO_MAX_RANK + 1], feature = u->labels->output_feature, behind = feature + 1;
  if (!shape || counts < 0) return shape ? hlo_add_splat(r, shape, (hlo_scalar){.f = 0}) : HLO_KEEP;
  for (int k = 0; k < shape->rank; k++) sizes[k] = shape->dims[k];
  split(sizes, shape->rank, (int)feature, shape->dims[feature] / count);
  halves = hlo_shape_for(r, shape->type, sizes, shape->rank + 1);
  int value = halves ? with_nan(r, hlo_add_splat(r, halves, (hlo_scalar){.f = 0}), counts, &behind) : HLO_KEEP;
  return reshaped(r, value, shape->dims, shape->rank);
}

static int convolved(const undilation *u, const hlo_window *window, int filter, int64_t taps, int64_t count) {
  hlo_rewriter *r = u->r;
  const hlo_instruction *i = u->i;
  hlo_window_dim dims[HLO_MAX_RANK];
  const hlo_shape *shape = shape_of(u, count);
  if (!shape || filter < 0) return HLO_KEEP;
  int64_t high = u->positions - 1 + taps - hlo_input(r, i, 0)->shape->dims[u->labels->input_spatial[u->d]] - u->padding;
  memcpy(dims, window->dims, (size_t)window->rank * sizeof *dims);
  dims[u->d] = (hlo_window_dim){.size = taps, .stride = 1, .padding_low = u->padding, .padding_high = high, .window_dilation = 1, .base_dilation = 1};
  return hlo_add_windowed(r, i, shape, i->operands[0], filter, dims);
}

/* Puts the features of s positions side by side along the dimension. */
static int in_place(const undilation *u, int value) {
  hlo_rewriter *r = u->r;
  const hlo_shape *shape = u->i->shape;
  int rank = shape->rank, at = u->labels->output_spatial[u->d], feature = u->labels->output_feature;
  int64_t sizes[HLO_MAX_RANK + 1];
  hlo_slice_dim slice[HLO_MAX_RANK];
  for (int k = 0; k < rank; k++) sizes[k] = k == at ? u->positions : k == feature ? shape->dims[k] * u->step : shape->dims[k];
  split(sizes, rank, feature, shape->dims[feature]);
  value = reshaped(r, value, sizes, rank + 1);
  value = value < 0 ? HLO_KEEP : moved(r, value, rank + 1, feature, at + (at > feature), true);
  for (int k = 0; k < rank; k++) {
    sizes[k] = k == at ? u->positions * u->step : shape->dims[k];
    slice[k] = (hlo_slice_dim){0, shape->dims[k], 1};
    if (k == at) slice[k].start = u->skipped, slice[k].limit += u->skipped;
  }
  value = reshaped(r, value, sizes, rank);
  return value < 0 ? HLO_KEEP : hlo_add_slice(r, value, slice, rank);
}

static int undilated(const undilation *u, const hlo_window *window) {
  hlo_rewriter *r = u->r;
  int counts = HLO_KEEP, by_offset = HLO_KEEP, kernel = split_kernel(u, window->dims[u->d].reversal);
  int64_t less = u->step - u->whole, feature = u->labels->output_feature;
  if (count_infinite(u, kernel, &counts, &by_offset)) kernel = spoil(u, kernel, counts, by_offset);
  int value = convolved(u, window, part_of_kernel(u, kernel, 0, u->whole, u->taps), u->taps, u->whole);
  if (less > 0) {
    int before = u->taps == 1 ? without_taps(u, less, counts)
                              : convolved(u, window, part_of_kernel(u, kernel, u->whole, u->step, u->taps - 1), u->taps - 1, less);
    value = value < 0 || before < 0 ? HLO_KEEP : hlo_add_along(r, HLO_OP_CONCATENATE, (int[]){before, value}, 2, &feature, 1);
  }
  return value < 0 ? HLO_KEEP : in_place(u, value);
}

int hlo_undilate_convolutions(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode != HLO_OP_CONVOLUTION || !hlo_is_plain(r, i) || hlo_type_is_complex(i->shape->type)) return HLO_KEEP;
  if (hlo_instruction_int(i, HLO_ATTR_feature_group_count, 1) != 1 || hlo_instruction_int(i, HLO_ATTR_batch_group_count, 1) != 1) return HLO_KEEP;
  bool empty = hlo_shape_element_count(i->shape) == 0;
  for (int n = 0; n < 2; n++) empty |= hlo_shape_element_count(hlo_input(r, i, n)->shape) == 0;
  if (empty) return HLO_KEEP;
  const hlo_window *window = hlo_instruction_window(i);
  undilation u = {.r = r, .i = i, .labels = hlo_instruction_attribute(i, HLO_ATTR_dim_labels)->dim_labels};
  for (; u.d < window->rank; u.d++) {
    const hlo_window_dim *dim = &window->dims[u.d];
    int64_t size = i->shape->dims[u.labels->output_spatial[u.d]];
    u.step = dim->base_dilation;
    if (u.step == 1 && hlo_input(r, i, 0)->shape->dims[u.labels->input_spatial[u.d]] == 1) u.step = dim->size;
    if (u.step == 1 || u.step > size || dim->stride != 1 || dim->window_dilation != 1) continue; /* s positions take memory */
    u.padding = floor_divide(dim->padding_low, u.step);
    u.skipped = u.step - 1 - (dim->padding_low - u.padding * u.step);
    u.taps = hlo_ceil_div(dim->size, u.step);
    u.whole = dim->size - (u.taps - 1) * u.step;
    u.positions = hlo_ceil_div(size + u.skipped, u.step);
    return undilated(&u, window);
  }
  return HLO_KEEP;
}
