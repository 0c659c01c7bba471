#include "passes/expand_windows.h"

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "loops/fusion_groups.h"
#include "numbers/short_sum.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum {
  WIDEST_GAP = 64, /* what fills gaps takes memory */
  LONGEST_F32_SIDE = 32, /* positions of lines that are transposed, of f32 */
  LEAST_LINES = 16,
  MOST_CELLS = 25, /* that a loop combines */
  FEW_EXTREMES = 4, /* cells of extremes of floats that a loop always combines */
  LEAST_GROUP = 16, /* elements that the kernel folds side by side as well */
  SHORT_LINE = 256, /* elements */
  FEW_POSITIONS = 32, /* of windows side by side: the kernel takes long lines */
  LARGEST_IMAGE = 1 << 17 /* elements of an array that is convolved by slices: padding it takes memory */
};

/* Gaps hold what windows begin with. */
static int reduce_dilated(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_window *window = hlo_instruction_window(i);
  hlo_padding_dim gaps[HLO_MAX_RANK] = {0};
  hlo_window_dim dims[HLO_MAX_RANK];
  int64_t widest = 0;
  hlo_opcode opcode;
  if (!hlo_computation_is_binary_op(hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply), &opcode) || !hlo_init_repeats(r, opcode, i->operands[1])) return HLO_KEEP;
  for (int d = 0; d < window->rank; d++) {
    gaps[d].interior = window->dims[d].base_dilation - 1;
    dims[d] = window->dims[d];
    dims[d].base_dilation = 1;
    if (gaps[d].interior > widest) widest = gaps[d].interior;
  }
  if (widest == 0 || widest > WIDEST_GAP) return HLO_KEEP;
  return hlo_add_windowed(r, i, NULL, hlo_add_pad(r, i->operands[0], i->operands[1], gaps, window->rank), i->operands[1], dims);
}

/* Returns whether a window folds arrays with one well-known operation. */
static bool folds(const hlo_rewriter *r, const hlo_instruction *i, hlo_opcode *opcode) {
  const hlo_computation *by = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  hlo_type type = i->shape->type;
  if (i->operand_count != 2 || hlo_type_is_complex(type) || hlo_shape_element_count(i->shape) == 0) return false;
  if (hlo_input(r, i, 0)->shape->type != type || hlo_input(r, i, 1)->shape->type != type) return false;
  return hlo_computation_is_binary_op(by, opcode) && hlo_computation_root(by)->shape->type == type;
}

typedef struct window_sizes {
  int64_t cells, group; /* group: elements that lie side by side behind the last dimension that the window covers */
  int64_t positions;    /* in that dimension */
  bool overlaps;        /* in that dimension */
} window_sizes;

/* Measures a window. Returns false where it covers nothing, or a dimension in a way that has a kernel of its own: running totals, gaps, negative padding; windows of
 * predicates, which kernels take by the byte, are left to theirs. */
static bool measure(const hlo_rewriter *r, const hlo_instruction *i, window_sizes *s) {
  const hlo_window *window = hlo_instruction_window(i);
  int last = window->rank - 1;
  *s = (window_sizes){.cells = hlo_window_cells(window), .group = 1};
  for (; last >= 0 && window->dims[last].size == 1; last--) s->group *= i->shape->dims[last];
  if (last < 0 || i->shape->type == HLO_TYPE_PRED) return false;
  s->positions = i->shape->dims[last], s->overlaps = window->dims[last].stride < window->dims[last].size;
  for (int d = 0; d < window->rank; d++) {
    const hlo_window_dim *dim = &window->dims[d];
    bool is_total = dim->size >= hlo_input(r, i, 0)->shape->dims[d] && i->shape->dims[d] > 1;
    if (dim->base_dilation != 1 || dim->reversal || dim->padding_low < 0 || dim->padding_high < 0 || is_total) return false;
  }
  return true;
}

/* ---- Cells as slices. dims: the window, by dimensions of the array ---- */

static const hlo_window_dim still = {.size = 1, .stride = 1, .window_dilation = 1, .base_dilation = 1};

/* Returns how far elements that stand side by side in the result lie apart in the array. */
static int64_t step_of(const hlo_shape *in, const hlo_shape *out, const hlo_window_dim *dims) {
  int64_t apart = 1;
  for (int d = out->rank - 1; d >= 0; apart *= in->dims[d--])
    if (out->dims[d] > 1) return apart * dims[d].stride;
  return 1;
}

static bool is_padded(const hlo_window_dim *dims, int rank) {
  bool padded = false;
  for (int d = 0; d < rank; d++) padded |= dims[d].padding_low || dims[d].padding_high;
  return padded;
}

/* Adds the array with its padding. */
static int padded(hlo_rewriter *r, int array, int value, const hlo_window_dim *dims, int rank) {
  hlo_padding_dim padding[HLO_MAX_RANK] = {0};
  for (int d = 0; d < rank; d++) padding[d].low = dims[d].padding_low, padding[d].high = dims[d].padding_high;
  return is_padded(dims, rank) ? hlo_add_pad(r, array, value, padding, rank) : array;
}

/* Adds what a cell of all windows reads of the padded array. */
static int cell_of(hlo_rewriter *r, int array, const hlo_shape *out, const hlo_window_dim *dims, const int64_t *cell) {
  hlo_slice_dim slice[HLO_MAX_RANK];
  for (int d = 0; d < out->rank; d++) {
    int64_t start = cell[d] * dims[d].window_dilation;
    slice[d] = (hlo_slice_dim){start, start + (out->dims[d] - 1) * dims[d].stride + 1, dims[d].stride};
  }
  return hlo_add_slice(r, array, slice, out->rank);
}

/* Goes on to the next cell, the last dimension fastest. Returns false after the last one. */
static bool next_cell(const hlo_window_dim *dims, int rank, int64_t *cell) {
  for (int d = rank - 1; d >= 0; cell[d--] = 0)
    if (++cell[d] < dims[d].size) return true;
  return false;
}

/* The array is cut into the windows, and these are reduced, along the last dimension first. */
static int as_reductions(hlo_rewriter *r, const hlo_instruction *i, hlo_opcode opcode) {
  const hlo_window *window = hlo_instruction_window(i);
  const hlo_shape *in = hlo_input(r, i, 0)->shape;
  int64_t dims[2 * HLO_MAX_RANK], places[HLO_MAX_RANK];
  int rank = 0, count = 0;
  if (!hlo_init_repeats(r, opcode, i->operands[1])) return HLO_KEEP;
  for (int d = 0; d < window->rank; d++) {
    const hlo_window_dim *dim = &window->dims[d];
    int64_t positions = i->shape->dims[d];
    if (positions * dim->size != in->dims[d] || dim->window_dilation != 1 || (dim->stride != dim->size && positions > 1) || rank + 2 > HLO_MAX_RANK) return HLO_KEEP;
    dims[rank++] = positions;
    if (dim->size == 1) continue;
    places[count++] = rank;
    dims[rank++] = dim->size;
  }
  int value = hlo_add_reshape(r, i->operands[0], hlo_shape_for(r, in->type, dims, rank));
  while (count-- > 0) value = hlo_add_reduce(r, value, i->operands[1], &places[count], 1, hlo_instruction_attribute(i, HLO_ATTR_to_apply)->computation);
  return value;
}

/* The cells of all windows are combined one after another. */
static int as_slices(hlo_rewriter *r, const hlo_instruction *i, hlo_opcode opcode) {
  const hlo_window_dim *dims = hlo_instruction_window(i)->dims;
  int rank = i->shape->rank, init = i->operands[1];
  int64_t cell[HLO_MAX_RANK] = {0};
  if (step_of(hlo_input(r, i, 0)->shape, i->shape, dims) > HLO_GROUP_STEP || (is_padded(dims, rank) && !hlo_init_repeats(r, opcode, init))) return HLO_KEEP;
  int array = padded(r, i->operands[0], init, dims, rank), value = hlo_add_broadcast(r, init, i->shape, NULL);
  do value = hlo_add_binary(r, opcode, value, cell_of(r, array, i->shape, dims, cell));
  while (next_cell(dims, rank, cell));
  return value;
}

/* Windows along the last dimension are folded for many lines at once: that dimension comes first, and goes back. Of f32, long lines have a loop. */
static int fold_side_by_side(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_window *window = hlo_instruction_window(i);
  int last = window->rank - 1;
  int64_t permutation[HLO_MAX_RANK], back[HLO_MAX_RANK];
  hlo_window_dim turned[HLO_MAX_RANK];
  if (last < 1 || i->operand_count != 2) return HLO_KEEP;
  int64_t length = i->shape->dims[last];
  if ((length > LONGEST_F32_SIDE && i->shape->type == HLO_TYPE_F32) || window->dims[last].size == 1 || hlo_shape_element_count(i->shape) < LEAST_LINES * length) return HLO_KEEP;
  for (int d = 0; d <= last; d++) {
    const hlo_window_dim *dim = &window->dims[d];
    if (d < last && (dim->size != 1 || dim->stride != 1 || dim->padding_low || dim->padding_high || dim->base_dilation != 1)) return HLO_KEEP;
    permutation[d] = d ? d - 1 : last;
    back[d] = d < last ? d + 1 : 0;
    turned[d] = window->dims[permutation[d]];
  }
  int by_lines = hlo_add_windowed(r, i, NULL, hlo_add_transpose(r, i->operands[0], permutation, last + 1), i->operands[1], turned);
  return hlo_add_transpose(r, by_lines, back, last + 1);
}

/* Returns whether a window sums floats of 16 bits or fewer. */
static bool sums_narrow(const hlo_instruction *i, hlo_opcode opcode) { return opcode == HLO_OP_ADD && hlo_type_is_float(i->shape->type) && hlo_type_bits(i->shape->type) < 32; }

/* Returns whether a few cells are best combined by a loop. Engines take several instructions for an extreme of floats, in a loop or not; those of 16 bits have a kernel for
 * long lines. */
static bool is_for_loop(const hlo_instruction *i, hlo_opcode opcode, const window_sizes *s) {
  bool is_extreme = hlo_type_is_float(i->shape->type) && (opcode == HLO_OP_MAXIMUM || opcode == HLO_OP_MINIMUM), is_long = s->positions * s->group > SHORT_LINE;
  if (s->cells > (sums_narrow(i, opcode) ? HLO_SHORT_SUM : MOST_CELLS)) return false;
  return !is_extreme || s->cells <= FEW_EXTREMES || (s->group < LEAST_GROUP && !(is_long && hlo_type_bits(i->shape->type) == 16));
}

/* Rewrites a window of a few cells, or along the last dimension; HLO_KEEP where it is neither. */
static int of_few_cells(hlo_rewriter *r, const hlo_instruction *i, hlo_opcode opcode) {
  window_sizes s;
  int value = measure(r, i, &s) && is_for_loop(i, opcode, &s) ? as_slices(r, i, opcode) : HLO_KEEP;
  return value == HLO_KEEP ? fold_side_by_side(r, i) : value;
}

/* Windows of many cells are folded along the last dimension first, and then along the others. */
static int apart(hlo_rewriter *r, const hlo_instruction *i, hlo_opcode opcode) {
  const hlo_window *window = hlo_instruction_window(i);
  hlo_window_dim dims[2][HLO_MAX_RANK];
  int along = window->rank - 1;
  bool others = false;
  if (!hlo_init_repeats(r, opcode, i->operands[1])) return HLO_KEEP;
  while (along >= 0 && window->dims[along].size == 1) along--;
  for (int d = 0; d < window->rank; d++) {
    dims[0][d] = d == along ? window->dims[d] : still;
    dims[1][d] = d == along ? still : window->dims[d];
    others |= d != along && window->dims[d].size > 1;
  }
  if (!others) return HLO_KEEP;
  int value = i->operands[0];
  for (int n = 0; n < 2; n++) {
    value = hlo_add_windowed(r, i, NULL, value, i->operands[1], dims[n]);
    int expanded = value < 0 ? HLO_KEEP : of_few_cells(r, hlo_rewriter_value(r, value), opcode);
    if (expanded != HLO_KEEP) value = expanded;
  }
  return value;
}

int hlo_expand_window(hlo_rewriter *r, const hlo_instruction *i) {
  window_sizes s;
  hlo_opcode opcode;
  int value = reduce_dilated(r, i);
  if (value != HLO_KEEP) return value;
  if (!folds(r, i, &opcode)) return fold_side_by_side(r, i);
  bool in_order = hlo_type_is_float(i->shape->type) && (opcode == HLO_OP_MULTIPLY || sums_narrow(i, opcode)); /* another order may leave the range of the type, or round otherwise */
  bool is_many = measure(r, i, &s) && s.cells > MOST_CELLS && s.group < LEAST_GROUP && !in_order;
  if (is_many && s.positions <= FEW_POSITIONS) value = as_reductions(r, i, opcode);
  if (is_many && value == HLO_KEEP && s.overlaps) value = apart(r, i, opcode);
  return value == HLO_KEEP ? of_few_cells(r, i, opcode) : value;
}

/* ---- Convolutions ---- */

/* Returns whether a convolution has one feature and several weights, and arrays of which dimensions have the same places; sets `dims`. */
static bool is_simple(const hlo_rewriter *r, const hlo_instruction *i, const hlo_dim_labels *labels, hlo_window_dim *dims) {
  const hlo_window *window = hlo_instruction_window(i);
  const hlo_shape *in = hlo_input(r, i, 0)->shape, *kernel = hlo_input(r, i, 1)->shape;
  hlo_type type = i->shape->type;
  if (hlo_shape_element_count(in) > LARGEST_IMAGE || window->rank != labels->spatial_rank) return false;
  if (in->type != type || kernel->type != type || hlo_type_is_complex(type) || hlo_type_bits(type) < 32 || hlo_shape_element_count(kernel) < 2) return false;
  if (in->dims[labels->input_feature] != 1 || i->shape->dims[labels->output_feature] != 1 || hlo_shape_element_count(i->shape) == 0) return false;
  if (labels->input_batch != labels->output_batch || labels->input_feature != labels->output_feature || in->dims[labels->input_batch] != i->shape->dims[labels->output_batch])
    return false;
  for (int d = 0; d < i->shape->rank; d++) dims[d] = still;
  for (int d = 0; d < window->rank; d++) {
    const hlo_window_dim *dim = &window->dims[d];
    if (labels->input_spatial[d] != labels->output_spatial[d] || dim->base_dilation != 1 || dim->padding_low < 0 || dim->padding_high < 0) return false;
    dims[labels->input_spatial[d]] = *dim;
  }
  return step_of(in, i->shape, dims) <= HLO_GROUP_STEP;
}

/* The kernel computes windows that touch padding one at a time: of many weights, the array is padded before. */
static int pad_before(hlo_rewriter *r, const hlo_instruction *i, const hlo_window_dim *padding) {
  const hlo_window *window = hlo_instruction_window(i);
  hlo_window_dim dims[HLO_MAX_RANK];
  for (int d = 0; d < window->rank; d++) dims[d] = window->dims[d], dims[d].padding_low = dims[d].padding_high = 0;
  int array = padded(r, i->operands[0], hlo_add_scalar(r, i->shape->type, (hlo_scalar){0}), padding, i->shape->rank);
  return array == i->operands[0] ? HLO_KEEP : hlo_add_windowed(r, i, i->shape, array, i->operands[1], dims);
}

int hlo_expand_convolution(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(i, HLO_ATTR_dim_labels)->dim_labels;
  hlo_window_dim dims[HLO_MAX_RANK];
  int64_t cell[HLO_MAX_RANK] = {0};
  if (!is_simple(r, i, labels, dims)) return HLO_KEEP;
  if (hlo_shape_element_count(hlo_input(r, i, 1)->shape) > MOST_CELLS) return pad_before(r, i, dims);
  int rank = i->shape->rank, zero = hlo_add_scalar(r, i->shape->type, (hlo_scalar){0});
  int array = padded(r, i->operands[0], zero, dims, rank), sum = hlo_add_broadcast(r, zero, i->shape, NULL);
  do {
    hlo_slice_dim weight[HLO_MAX_RANK];
    for (int d = 0; d < rank; d++) weight[d] = (hlo_slice_dim){0, 1, 1};
    for (int n = 0; n < labels->spatial_rank; n++) {
      const hlo_window_dim *dim = &dims[labels->input_spatial[n]];
      int64_t at = cell[labels->input_spatial[n]], place = dim->reversal ? dim->size - 1 - at : at;
      weight[labels->kernel_spatial[n]] = (hlo_slice_dim){place, place + 1, 1};
    }
    int scalar = hlo_add_reshape(r, hlo_add_slice(r, i->operands[1], weight, rank), hlo_shape_for(r, i->shape->type, NULL, 0));
    int product = hlo_add_binary(r, HLO_OP_MULTIPLY, cell_of(r, array, i->shape, dims, cell), hlo_add_broadcast(r, scalar, i->shape, NULL));
    sum = hlo_add_binary(r, HLO_OP_ADD, sum, product);
  } while (next_cell(dims, rank, cell));
  return sum;
}
