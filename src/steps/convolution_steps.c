/* convolution: of bytes as quads of them or pairs of s16; else as a dot where the window is a single point; else by the kernel for convolutions, or by the depthwise
 * one. */
#include <assert.h>

#include "base/alignment.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "kernels/move/strided_copy.h"
#include "kernels/product/batched_dot.h"
#include "kernels/product/byte_convolution.h"
#include "kernels/product/byte_dot.h"
#include "kernels/product/convolution.h"
#include "kernels/product/convolution_run.h"
#include "kernels/product/dot.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "shape/strides.h"
#include "steps/convolution_steps.h"
#include "steps/dot_steps.h"
#include "steps/kernel_table.h"
#include "steps/packing.h"
#include "steps/widened_steps.h"

/* The three arrays, with row-major strides in elements. */
typedef struct arrays {
  const hlo_shape *in, *kernel, *out;
  int64_t in_strides[HLO_MAX_RANK], kernel_strides[HLO_MAX_RANK], out_strides[HLO_MAX_RANK];
} arrays;

/* Describes spatial dimension d. A reversed window runs backwards through the kernel, from its last tap, to which *kernel_offset moves. */
static hlo_convolution_dim spatial_dimension(const arrays *a, const hlo_dim_labels *labels, int d, hlo_window_dim window,
                                                 int64_t *kernel_offset) {
  int in = labels->input_spatial[d], kernel = labels->kernel_spatial[d], out = labels->output_spatial[d];
  hlo_convolution_dim dim = {
      .in_size = a->in->dims[in], .window = a->kernel->dims[kernel], .out_size = a->out->dims[out],
      .stride = window.stride, .padding_low = window.padding_low,
      .base_dilation = window.base_dilation, .window_dilation = window.window_dilation,
      .in_stride = a->in_strides[in], .kernel_stride = a->kernel_strides[kernel], .out_stride = a->out_strides[out]};
  if (window.reversal && dim.window > 0) {
    *kernel_offset += dim.kernel_stride * (dim.window - 1);
    dim.kernel_stride = -dim.kernel_stride;
  }
  return dim;
}

/* Sets what is per group. Feature groups divide the features of the input, batch groups its batch; both divide the features of the
 * output. */
static void set_groups(hlo_convolution *c, const arrays *a, const hlo_dim_labels *labels, int64_t feature_groups,
                       int64_t batch_groups) {
  c->groups = feature_groups * batch_groups;
  c->batch = a->in->dims[labels->input_batch] / batch_groups;
  c->in_features = a->kernel->dims[labels->kernel_input_feature];
  c->out_features = a->kernel->dims[labels->kernel_output_feature] / c->groups;
  c->in_batch_stride = a->in_strides[labels->input_batch];
  c->in_feature_stride = a->in_strides[labels->input_feature];
  c->in_group_stride = batch_groups > 1 ? c->batch * c->in_batch_stride : c->in_features * c->in_feature_stride;
  c->kernel_in_stride = a->kernel_strides[labels->kernel_input_feature];
  c->kernel_out_stride = a->kernel_strides[labels->kernel_output_feature];
  c->kernel_group_stride = c->out_features * c->kernel_out_stride;
  c->out_batch_stride = a->out_strides[labels->output_batch];
  c->out_feature_stride = a->out_strides[labels->output_feature];
  c->out_group_stride = c->out_features * c->out_feature_stride;
}

bool hlo_convolution_describe(const hlo_kernel_question *question, hlo_convolution *c) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_dim_labels *labels = hlo_instruction_attribute(instruction, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_window *window = hlo_instruction_window(instruction);
  arrays a = {.in = hlo_kernel_operand(question, 0),
              .kernel = hlo_kernel_operand(question, 1), .out = instruction->shape};
  int64_t feature_groups = hlo_instruction_int(instruction, HLO_ATTR_feature_group_count, 1);
  int64_t batch_groups = hlo_instruction_int(instruction, HLO_ATTR_batch_group_count, 1);
  hlo_dot_type type;
  if (!hlo_widened_type(question, &type) || labels->spatial_rank > HLO_CONVOLUTION_MAX_SPATIAL) return false;
  if (feature_groups > 1 && batch_groups > 1) return false;
  hlo_shape_strides(a.in, a.in_strides);
  hlo_shape_strides(a.kernel, a.kernel_strides);
  hlo_shape_strides(a.out, a.out_strides);
  *c = (hlo_convolution){.type = type, .taps = 1, .positions = 1, .spatial_rank = labels->spatial_rank};
  set_groups(c, &a, labels, feature_groups, batch_groups);
  for (int d = 0; d < c->spatial_rank; d++) {
    hlo_window_dim plain = {.size = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
    c->dims[d] = spatial_dimension(&a, labels, d, d < window->rank ? window->dims[d] : plain, &c->kernel_offset);
    c->taps *= c->dims[d].window;
    c->positions *= c->dims[d].out_size;
  }
  return true;
}

/* ---- As a dot ---- */

/* Returns whether windows are runs of one line and one feature, and none reaches beyond it: they are rows of a matrix, which overlap. */
static bool is_line(const hlo_convolution *c) {
  const hlo_convolution_dim *dim = c->dims;
  if (c->spatial_rank != 1 || c->in_features != 1 || c->groups != 1 || dim->padding_low != 0 || dim->base_dilation != 1 || c->kernel_offset != 0)
    return false;
  return (dim->out_size - 1) * dim->stride + (dim->window - 1) * dim->window_dilation < dim->in_size && !hlo_convolution_is_depthwise(c);
}

/* Returns whether each position reads the one point of the input that has its coordinates: the window is a point, and moves by one. */
static bool is_pointwise(const hlo_convolution *c) {
  for (int d = 0; d < c->spatial_rank; d++) {
    const hlo_convolution_dim *dim = &c->dims[d];
    if (dim->window != 1 || dim->stride != 1 || dim->padding_low != 0 || dim->base_dilation != 1 || dim->in_size != dim->out_size)
      return false;
  }
  return c->groups == 1;
}

/* Merges the spatial dimensions into one, with one stride in the input and one in the output. False: there are no such strides. */
static bool merge_positions(const hlo_convolution *c, int64_t *in_stride, int64_t *out_stride) {
  bool found = false;
  int64_t in_next = 0, out_next = 0;
  *in_stride = *out_stride = 1;
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    const hlo_convolution_dim *dim = &c->dims[d];
    if (dim->out_size == 1) continue;
    if (found && (dim->in_stride != in_next || dim->out_stride != out_next)) return false;
    if (!found) *in_stride = dim->in_stride, *out_stride = dim->out_stride;
    in_next = dim->in_stride * dim->out_size;
    out_next = dim->out_stride * dim->out_size;
    found = true;
  }
  return true;
}

bool hlo_setup_convolution_as_dot(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  hlo_convolution c;
  hlo_batched_dot p = {.batch_count = 1};
  if (!hlo_convolution_describe(question, &c)) return false;
  bool line = is_line(&c);
  if (!line && !is_pointwise(&c)) return false;
  if (!merge_positions(&c, &p.dot.lhs_m_stride, &p.dot.out_m_stride)) return false;
  p.type = c.type;
  p.dot.m = c.positions;
  p.dot.n = c.out_features;
  p.dot.k = c.in_features;
  p.dot.lhs_k_stride = c.in_feature_stride;
  p.dot.rhs_k_stride = c.kernel_in_stride;
  p.dot.rhs_n_stride = c.kernel_out_stride;
  p.dot.out_n_stride = c.out_feature_stride;
  if (line) {
    p.dot.k = c.dims->window;
    p.dot.lhs_m_stride = c.dims->stride * c.dims->in_stride;
    p.dot.lhs_k_stride = c.dims->window_dilation * c.dims->in_stride;
    p.dot.rhs_k_stride = c.dims->kernel_stride;
  }
  if (c.positions == 1) { /* rows are the images of the batch; else their positions, and where strides allow it those of all images */
    p.dot.m = c.batch, p.dot.lhs_m_stride = c.in_batch_stride, p.dot.out_m_stride = c.out_batch_stride;
  } else if (c.in_batch_stride == c.positions * p.dot.lhs_m_stride && c.out_batch_stride == c.positions * p.dot.out_m_stride) {
    p.dot.m *= c.batch;
  } else {
    p.batch_rank = 1;
    p.batch_dims[0] = p.batch_count = c.batch;
    p.lhs.batch_strides[0] = c.in_batch_stride;
    p.out_batch_stride = c.out_batch_stride;
  }
  return hlo_dot_choose(question, &p, choice);
}

bool hlo_convolution_turns(const hlo_convolution *c) {
  bool columns = c->out_feature_stride != 1;
  return c->in_feature_stride != 1 && !columns && c->taps > 1 && c->groups == 1;
}

/* Has the input copied so that the features of a point lie side by side, as the windows are gathered by tap and feature: the gradient of a
 * filter, say, whose features are the images of a batch. */
static void turn(const hlo_kernel_question *question, hlo_convolution *c, hlo_convolution_parameters *p, int64_t *bytes) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(question->instruction, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_shape *in = hlo_kernel_operand(question, 0);
  int64_t old[HLO_MAX_RANK], made[HLO_MAX_RANK], stride = in->dims[labels->input_feature];
  if (!hlo_convolution_turns(c) || hlo_shape_element_count(in) == 0) return;
  hlo_shape_strides(in, old);
  made[labels->input_feature] = 1;
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    c->dims[d].in_stride = made[labels->input_spatial[d]] = stride;
    stride *= c->dims[d].in_size;
  }
  c->in_feature_stride = 1;
  c->in_batch_stride = made[labels->input_batch] = stride;
  p->turns = true;
  int element = hlo_dot_bytes(c->type);
  p->turn = (hlo_strided_map){.rank = in->rank, .element_bytes = element};
  for (int d = 0; d < in->rank; d++) {
    p->turn.dims[d] = in->dims[d];
    p->turn.in_strides[d] = old[d] * element;
    p->turn.out_strides[d] = made[d] * element;
  }
  hlo_strided_map_simplify(&p->turn);
  *bytes = hlo_shape_element_count(in) * element;
}

/* Packs a constant kernel where that is worth it and there is memory. */
static void pack(const hlo_kernel_question *question, hlo_convolution_parameters *p, hlo_kernel_choice *choice) {
  p->packed = hlo_pack_convolution(question, &p->convolution);
  if (p->packed) choice->operand_count = 1;
}

bool hlo_setup_convolution(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  enum { DEPTHWISE = 2 };
  static const char *const names[][3] = {[HLO_DOT_F32] = {"f32_convolution_simd128", "f32_convolution_packed_simd128", "f32_depthwise_simd128"},
                                         [HLO_DOT_F64] = {"f64_convolution_simd128", "f64_convolution_packed_simd128", "f64_depthwise_simd128"},
                                         [HLO_DOT_S32] = {"s32_convolution_simd128", "s32_convolution_packed_simd128", "s32_depthwise_simd128"},
                                         [HLO_DOT_S64] = {"s64_convolution_simd128", "s64_convolution_packed_simd128", "s64_depthwise_simd128"}};
  hlo_convolution_parameters p = {0};
  if (!hlo_convolution_describe(question, &p.convolution)) return false;
  p.is_depthwise = hlo_convolution_is_depthwise(&p.convolution);
  if (p.is_depthwise) {
    choice->kernel = names[p.convolution.type][DEPTHWISE];
    choice->epilogue_width = hlo_depthwise_epilogue_width(&p.convolution);
  } else {
    int64_t turned = 0;
    turn(question, &p.convolution, &p, &turned);
    pack(question, &p, choice);
    choice->kernel = names[p.convolution.type][p.packed != NULL];
    p.turned_offset = hlo_aligned((int64_t)hlo_convolution_scratch_bytes(&p.convolution, p.packed != NULL, question->threads));
    choice->scratch_bytes = p.turned_offset + turned;
    choice->epilogue_width = hlo_convolution_epilogue_width(&p.convolution);
  }
  choice->run_shared = hlo_convolution_run;
  if (choice->epilogue_width) choice->run_with_epilogue = hlo_convolution_run_with_epilogue;
  choice->resumes = true;
  choice->parameters = HLO_KERNEL_COPY(question, p);
  return choice->parameters && hlo_widened_wrap(question, choice);
}

/* ---- Of bytes ---- */

/* Describes how an operand's bytes become elements: `order` lists its dimensions, the features last, of which each group has `features`. */
static void describe_bytes(const hlo_shape *shape, const int *order, int64_t features, hlo_byte_dot_operand *operand) {
  int64_t strides[HLO_MAX_RANK], stride = hlo_shape_strides(shape, strides);
  *operand = (hlo_byte_dot_operand){.is_signed = shape->type == HLO_TYPE_S8, .batch = 1, .free = stride / features, .k = features};
  operand->copy = (hlo_strided_map){.rank = shape->rank, .element_bytes = 1};
  for (int i = 0; i < shape->rank; i++) {
    stride /= operand->copy.dims[i] = shape->dims[order[i]];
    operand->copy.in_strides[i] = strides[order[i]];
    operand->copy.out_strides[i] = stride;
  }
  hlo_strided_map_simplify(&operand->copy);
  operand->copied = operand->copy.rank > 1 || (operand->copy.rank == 1 && operand->copy.in_strides[0] != 1);
}

/* Returns whether an operand is `batch` matrices of k rows, and has its rows interleaved instead of copied. */
static bool interleaves(hlo_byte_dot_operand *operand, int64_t batch, int64_t k) {
  hlo_byte_dot_operand seen = *operand;
  seen.batch = batch, seen.free = operand->free * operand->k / (batch * k), seen.k = k;
  if (!operand->copied || k % operand->k || (k != operand->k && operand->k % operand->width) || !hlo_byte_dot_interleaves(&seen)) return false;
  *operand = seen;
  operand->copied = false;
  return operand->interleaves = true;
}

/* Chooses the elements and sets their strides. The signed side is the kernel where positions are columns, which the input must have interleaved
 * for that; else it is the input. */
static void stride_elements(hlo_convolution *c, hlo_byte_dot_operand operands[2], int64_t feature_groups) {
  int64_t features = c->in_features * feature_groups, out_features = c->out_features * c->groups, images = c->batch * (c->groups / feature_groups);
  int64_t k = c->taps * c->in_features;
  bool columns = hlo_convolution_has_columns(c);
  hlo_byte_dot_set_width(&operands[columns], &operands[!columns], k);
  bool in_rows = interleaves(&operands[0], images, features);
  if (columns && !in_rows) columns = false, hlo_byte_dot_set_width(&operands[0], &operands[1], k);
  bool kernel_rows = interleaves(&operands[1], 1, k);
  int64_t count = (c->in_features + operands[0].width - 1) / operands[0].width;
  c->type = hlo_byte_dot_type(&operands[0]);
  c->row_factor = hlo_byte_dot_row_factor(&operands[!columns]);
  if (columns && c->row_factor) c->padding = 0x80808080;
  int64_t in_stride = in_rows ? 1 : count * feature_groups, kernel_stride = kernel_rows ? count * out_features : count;
  c->in_features = count;
  c->kernel_offset = 0;
  c->kernel_in_stride = kernel_rows ? out_features : 1;
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    hlo_convolution_dim *dim = &c->dims[d];
    bool is_reversed = dim->kernel_stride < 0;
    dim->in_stride = in_stride, dim->kernel_stride = is_reversed ? -kernel_stride : kernel_stride;
    if (is_reversed) c->kernel_offset += kernel_stride * (dim->window - 1);
    in_stride *= dim->in_size, kernel_stride *= dim->window;
  }
  c->in_feature_stride = in_rows ? in_stride : 1;
  c->in_batch_stride = in_rows ? in_stride * count * feature_groups : in_stride;
  c->in_group_stride = feature_groups < c->groups ? c->batch * c->in_batch_stride : count * c->in_feature_stride;
  c->kernel_out_stride = kernel_rows ? 1 : kernel_stride;
  c->kernel_group_stride = c->out_features * c->kernel_out_stride;
  assert(columns == hlo_convolution_has_columns(c));
}

/* A single feature would be paired with zeros: see also hlo_expand_ops. */
bool hlo_setup_byte_convolution(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(question->instruction, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_shape *shapes[2] = {hlo_kernel_operand(question, 0), hlo_kernel_operand(question, 1)};
  hlo_byte_convolution p = {.packed = NULL};
  hlo_convolution *c = &p.convolution;
  if (!hlo_multiplies_bytes(question) || !hlo_convolution_describe(question, c) || c->in_features < 2) return false;
  if (hlo_shape_element_count(shapes[0]) == 0 || hlo_shape_element_count(shapes[1]) == 0) return false;
  int order[2][HLO_MAX_RANK] = {{labels->input_batch}, {labels->kernel_output_feature}}, rank = c->spatial_rank;
  for (int d = 0; d < rank; d++) order[0][d + 1] = labels->input_spatial[d], order[1][d + 1] = labels->kernel_spatial[d];
  order[0][rank + 1] = labels->input_feature, order[1][rank + 1] = labels->kernel_input_feature;
  int64_t bytes = 0, groups = shapes[0]->dims[labels->input_feature] / c->in_features;
  for (int i = 0; i < 2; i++) describe_bytes(shapes[i], order[i], c->in_features, &p.operands[i]);
  stride_elements(c, p.operands, groups);
  p.packed = hlo_pack_byte_convolution(question, &p);
  if (p.packed) choice->operand_count = 1;
  static const char *const names[2][2] = {{"s16_pairs_convolution_simd128", "s16_pairs_convolution_packed_simd128"},
                                          {"s8_quads_convolution_simd128", "s8_quads_convolution_packed_simd128"}};
  choice->kernel = names[c->type == HLO_DOT_S8_QUADS][p.packed != NULL];
  for (int i = 0; i < choice->operand_count; i++) {
    int64_t copy = p.operands[i].copied ? hlo_shape_element_count(shapes[i]) : 0;
    if (copy > bytes) bytes = copy;
  }
  for (int i = 0; i < choice->operand_count; i++) {
    p.operands[i].offset = hlo_aligned(bytes);
    bytes = p.operands[i].offset + p.operands[i].batch * p.operands[i].free * hlo_byte_dot_length(&p.operands[i]) * 4;
  }
  p.convolution_offset = hlo_aligned(bytes);
  choice->scratch_bytes = p.convolution_offset + (int64_t)hlo_convolution_scratch_bytes(c, p.packed != NULL, question->threads);
  choice->epilogue_width = hlo_convolution_epilogue_width(c);
  if (choice->epilogue_width) choice->run_with_epilogue = hlo_byte_convolution_run_with_epilogue;
  return HLO_RUN(question, choice, hlo_byte_convolution_run, p);
}
