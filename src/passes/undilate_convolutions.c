/* Takes dilation of the input (a transposed convolution, the gradient of one with strides) out of convolutions, so that the zeros between elements
 * are not multiplied. Of every s positions of the result, each reads its own taps of the kernel: they become s times as many features of a
 * convolution of the input as it is, and are put in their places behind it. One dimension is taken at a time.
 *
 *   s = 2, 4 taps, padding 3     result 2q + r = sum over j of input q + j - 1 times tap 2j + 1 - r
 *
 * In general, with padding p s + s - 1, position q s + r reads the input at q + j - p through tap j s + s - 1 - r. Where the padding is another one, there
 * are `skipped` positions more at the beginning, which are cut off.
 *
 * Zeros between elements make NaN of an infinite tap, and a missing tap makes NaN of an infinite input. So floats are asked first whether
 * all of them are finite; where they are not, a convolution runs over the input with its zeros. */
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
} undilation;

static int64_t floor_divide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

static int reshaped(hlo_rewriter *r, int value, const int64_t *dims, int rank) {
  return value < 0 ? HLO_KEEP : hlo_add_reshape(r, value, hlo_shape_for(r, hlo_rewriter_value(r, value)->shape->type, dims, rank));
}

/* Pads an array with zeros. */
static int padded(hlo_rewriter *r, int value, const hlo_shape *shape, const hlo_padding_dim *dims) {
  const hlo_padding_config config = {shape->rank, hlo_arena_copy(&r->module->arena, dims, (size_t)shape->rank * sizeof *dims, r->status)};
  const hlo_attribute padding = {.id = HLO_ATTR_padding, .padding = hlo_arena_copy(&r->module->arena, &config, sizeof config, r->status)};
  if (!config.dims || !padding.padding || value < 0) return HLO_KEEP;
  return hlo_add(r, HLO_OP_PAD, NULL, (int[]){value, hlo_add_scalar(r, shape->type, (hlo_scalar){0})}, 2, &padding, 1);
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

/* The taps of each of s positions, as features of the result, those of the first position first. */
static int kernel(const undilation *u, bool reversed) {
  hlo_rewriter *r = u->r;
  const hlo_shape *shape = hlo_input(r, u->i, 1)->shape;
  int rank = shape->rank, at = u->labels->kernel_spatial[u->d], feature = u->labels->kernel_output_feature, value = u->i->operands[1];
  hlo_padding_dim dims[HLO_MAX_RANK] = {0};
  int64_t along = at, sizes[HLO_MAX_RANK + 1];
  if (reversed) value = hlo_add_along(r, HLO_OP_REVERSE, &value, 1, &along, 1);
  dims[at] = (hlo_padding_dim){.high = u->taps * u->step - shape->dims[at]};
  value = padded(r, value, shape, dims);
  for (int k = 0; k < rank; k++) sizes[k] = k == at ? u->taps * u->step : shape->dims[k];
  split(sizes, rank, at, u->step);
  value = reshaped(r, value, sizes, rank + 1);
  along = at + 1;
  if (value >= 0) value = hlo_add_along(r, HLO_OP_REVERSE, &value, 1, &along, 1);
  value = value < 0 ? HLO_KEEP : moved(r, value, rank + 1, at + 1, feature + (feature > at), false);
  for (int k = 0; k < rank; k++) sizes[k] = k == at ? u->taps : k == feature ? shape->dims[k] * u->step : shape->dims[k];
  return reshaped(r, value, sizes, rank);
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

static int without_dilation(hlo_rewriter *r, int value);

static int undilated(undilation *u, const hlo_window *window) {
  hlo_rewriter *r = u->r;
  const hlo_instruction *i = u->i;
  const hlo_shape *in = hlo_input(r, i, 0)->shape;
  int64_t sizes[HLO_MAX_RANK];
  hlo_window_dim *dims = hlo_arena_copy(&r->module->arena, window->dims, (size_t)window->rank * sizeof *dims, r->status);
  hlo_window *own = hlo_arena_copy(&r->module->arena, window, sizeof *own, r->status);
  hlo_attribute *attributes = hlo_arena_copy(r->scratch, i->attributes, (size_t)i->attribute_count * sizeof *attributes, r->status);
  if (!dims || !own || !attributes) return HLO_KEEP;
  hlo_window_dim *dim = &dims[u->d];
  own->dims = dims;
  int64_t high = u->positions - 1 + u->taps - in->dims[u->labels->input_spatial[u->d]] - u->padding;
  int filter = kernel(u, dim->reversal);
  *dim = (hlo_window_dim){.size = u->taps, .stride = 1, .padding_low = u->padding, .padding_high = high, .window_dilation = 1, .base_dilation = 1};
  for (int n = 0; n < i->attribute_count; n++)
    if (attributes[n].id == HLO_ATTR_window) attributes[n].window = own;
  for (int k = 0; k < i->shape->rank; k++) sizes[k] = i->shape->dims[k];
  sizes[u->labels->output_spatial[u->d]] = u->positions;
  sizes[u->labels->output_feature] *= u->step;
  const hlo_shape *shape = hlo_shape_for(r, i->shape->type, sizes, i->shape->rank);
  int value = shape ? hlo_add(r, HLO_OP_CONVOLUTION, shape, (int[]){i->operands[0], filter}, 2, attributes, i->attribute_count) : HLO_KEEP;
  value = value < 0 ? HLO_KEEP : without_dilation(r, value);
  return value < 0 ? HLO_KEEP : in_place(u, value);
}

/* Finds the first dimension whose dilation can be taken out. */
static bool find_dilation(undilation *u, hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode != HLO_OP_CONVOLUTION || !hlo_is_plain(r, i) || hlo_shape_element_count(i->shape) == 0) return false;
  if (hlo_instruction_int(i, HLO_ATTR_feature_group_count, 1) != 1 || hlo_instruction_int(i, HLO_ATTR_batch_group_count, 1) != 1) return false;
  const hlo_window *window = hlo_instruction_window(i);
  *u = (undilation){.r = r, .i = i, .labels = hlo_instruction_attribute(i, HLO_ATTR_dim_labels)->dim_labels};
  for (; u->d < window->rank; u->d++) {
    const hlo_window_dim *dim = &window->dims[u->d];
    if (dim->base_dilation == 1 || dim->stride != 1 || dim->window_dilation != 1 || dim->size < 1) continue;
    u->step = dim->base_dilation;
    u->padding = floor_divide(dim->padding_low, u->step);
    u->skipped = u->step - 1 - (dim->padding_low - u->padding * u->step);
    u->taps = hlo_ceil_div(dim->size, u->step);
    u->positions = hlo_ceil_div(i->shape->dims[u->labels->output_spatial[u->d]] + u->skipped, u->step);
    return true;
  }
  return false;
}

/* A value, or what stands for it if it is a convolution with dilation. */
static int without_dilation(hlo_rewriter *r, int value) {
  undilation u;
  return find_dilation(&u, r, hlo_rewriter_value(r, value)) ? undilated(&u, hlo_instruction_window(u.i)) : value;
}

/* ---- Numbers that are not finite ---- */

/* A scalar that is NaN where an element is not finite, and else zero. */
static int zero_if_finite(hlo_rewriter *r, int value) {
  const hlo_shape *shape = hlo_rewriter_value(r, value)->shape;
  int64_t dimensions[HLO_MAX_RANK];
  for (int k = 0; k < shape->rank; k++) dimensions[k] = k;
  int product = hlo_add_binary(r, HLO_OP_MULTIPLY, value, hlo_add_splat(r, shape, (hlo_scalar){0}));
  int add = hlo_add_binary_computation(r, HLO_OP_ADD, shape->type, "add");
  if (product < 0 || add < 0) return HLO_KEEP;
  return hlo_add_reduce(r, product, hlo_add_scalar(r, shape->type, (hlo_scalar){0}), dimensions, shape->rank, add);
}

/* The convolution of the input with its zeros. */
static int over_zeros(hlo_rewriter *r, const hlo_instruction *i, const hlo_dim_labels *labels, const hlo_window *window, int input, int filter) {
  const hlo_shape *shape = hlo_rewriter_value(r, input)->shape;
  hlo_padding_dim pads[HLO_MAX_RANK] = {0};
  hlo_window_dim *dims = hlo_arena_copy(&r->module->arena, window->dims, (size_t)window->rank * sizeof *dims, r->status);
  hlo_window *own = hlo_arena_copy(&r->module->arena, window, sizeof *own, r->status);
  hlo_attribute *attributes = hlo_arena_copy(r->scratch, i->attributes, (size_t)i->attribute_count * sizeof *attributes, r->status);
  if (!dims || !own || !attributes) return HLO_KEEP;
  own->dims = dims;
  for (int d = 0; d < window->rank; d++) {
    pads[labels->input_spatial[d]] = (hlo_padding_dim){dims[d].padding_low, dims[d].padding_high, dims[d].base_dilation - 1};
    dims[d].padding_low = dims[d].padding_high = 0;
    dims[d].base_dilation = 1;
  }
  input = padded(r, input, shape, pads);
  for (int n = 0; n < i->attribute_count; n++)
    if (attributes[n].id == HLO_ATTR_window) attributes[n].window = own;
  return input < 0 ? HLO_KEEP : hlo_add(r, HLO_OP_CONVOLUTION, i->shape, (int[]){input, filter}, 2, attributes, i->attribute_count);
}

/* A computation of (input, kernel) that convolves them, over zeros or without them. */
static int branch(hlo_rewriter *outer, const undilation *u, const hlo_window *window, const hlo_shape *operands, bool zeros) {
  hlo_rewriter inner;
  hlo_computation to;
  if (!hlo_begin_computation(outer, &inner, &to)) return HLO_KEEP;
  int both = hlo_add_parameter(&inner, operands, 0), input = hlo_add_element(&inner, both, 0), filter = hlo_add_element(&inner, both, 1), value;
  if (zeros) value = over_zeros(&inner, u->i, u->labels, window, input, filter);
  else value = hlo_add_like(&inner, u->i, u->i->shape, (int[]){input, filter});
  if (value >= 0) value = without_dilation(&inner, value);
  return hlo_end_computation(&inner, NULL, zeros ? "over_zeros" : "without_zeros", value);
}

static int chosen(hlo_rewriter *r, const undilation *u, const hlo_window *window) {
  int input = zero_if_finite(r, u->i->operands[0]), filter = zero_if_finite(r, u->i->operands[1]), sum = hlo_add_binary(r, HLO_OP_ADD, input, filter);
  int operands = hlo_add_tuple(r, u->i->operands, 2);
  if (sum < 0 || operands < 0) return HLO_KEEP;
  const hlo_attribute direction = {.id = HLO_ATTR_direction, .enumerant = HLO_direction_EQ};
  int finite = hlo_add(r, HLO_OP_COMPARE, NULL, (int[]){sum, sum}, 2, &direction, 1);
  const hlo_shape *shape = hlo_rewriter_value(r, operands)->shape;
  int without = branch(r, u, window, shape, false), over = branch(r, u, window, shape, true);
  if (finite < 0 || without < 0 || over < 0) return HLO_KEEP;
  const hlo_attribute branches[] = {{.id = HLO_ATTR_true_computation, .computation = without}, {.id = HLO_ATTR_false_computation, .computation = over}};
  return hlo_add(r, HLO_OP_CONDITIONAL, NULL, (int[]){finite, operands, operands}, 3, branches, 2);
}

int hlo_undilate_convolutions(hlo_rewriter *r, const hlo_instruction *i) {
  undilation u;
  if (!find_dilation(&u, r, i)) return HLO_KEEP;
  const hlo_window *window = hlo_instruction_window(i);
  bool may_be_infinite = hlo_type_is_float(i->shape->type) || hlo_type_is_complex(i->shape->type);
  return may_be_infinite ? chosen(r, &u, window) : undilated(&u, window);
}
