/* convolution: as one dot where the window is a single point, else with windows gathered by the kernel. */
#include "kernels/f32_convolution.h"
#include "plan/dot_parameters.h"
#include "plan/widened_steps.h"

typedef struct convolution_parameters {
  hlo_f32_convolution convolution;
  const void *packed; /* the kernel, a constant; else NULL */
} convolution_parameters;

static void run_telling(const void *parameters, const void *const *operands, void *result, void *scratch, const hlo_finish *finish,
                        hlo_team *team) {
  const convolution_parameters *p = parameters;
  const void *kernel = p->packed ? p->packed : operands[1];
  hlo_f32_convolution_simd128(&p->convolution, operands[0], kernel, p->packed != NULL, result, scratch, finish, team);
}

static void run_convolution(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  run_telling(parameters, operands, result, scratch, NULL, team);
}

static void run_depthwise(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const convolution_parameters *p = parameters;
  hlo_f32_depthwise_simd128(&p->convolution, operands[0], operands[1], result, team);
}

typedef struct arrays {
  const hlo_shape *in, *kernel, *out;
  int64_t in_strides[HLO_MAX_RANK], kernel_strides[HLO_MAX_RANK], out_strides[HLO_MAX_RANK];
} arrays;

static hlo_f32_convolution_dim spatial_dimension(const arrays *a, const hlo_dim_labels *labels, int d, hlo_window_dim window,
                                                 int64_t *kernel_offset) {
  int in = labels->input_spatial[d], kernel = labels->kernel_spatial[d], out = labels->output_spatial[d];
  hlo_f32_convolution_dim dim = {
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

/* Feature groups split the features of the input, batch groups its batch; both split the output's features. */
static void set_groups(hlo_f32_convolution *c, const arrays *a, const hlo_dim_labels *labels, int64_t feature_groups,
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

static bool describe(const hlo_kernel_question *question, hlo_f32_convolution *c, hlo_dot_type *type) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_dim_labels *labels = hlo_instruction_attribute(instruction, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_window *window = hlo_instruction_window(instruction);
  arrays a = {.in = hlo_kernel_operand(question, 0),
              .kernel = hlo_kernel_operand(question, 1), .out = instruction->shape};
  int64_t feature_groups = hlo_instruction_int(instruction, HLO_ATTR_feature_group_count, 1);
  int64_t batch_groups = hlo_instruction_int(instruction, HLO_ATTR_batch_group_count, 1);
  if (!hlo_widened_type(question, type) || labels->spatial_rank > HLO_CONVOLUTION_MAX_SPATIAL) return false;
  if (feature_groups > 1 && batch_groups > 1) return false;
  hlo_row_major_strides(a.in, a.in_strides);
  hlo_row_major_strides(a.kernel, a.kernel_strides);
  hlo_row_major_strides(a.out, a.out_strides);
  *c = (hlo_f32_convolution){.is_s32 = *type == HLO_DOT_S32, .taps = 1, .positions = 1, .spatial_rank = labels->spatial_rank};
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

/* Whether position p of every spatial dimension is read at place p: a window of one point that moves by one. */
static bool is_pointwise(const hlo_f32_convolution *c) {
  for (int d = 0; d < c->spatial_rank; d++) {
    const hlo_f32_convolution_dim *dim = &c->dims[d];
    if (dim->window != 1 || dim->stride != 1 || dim->padding_low != 0 || dim->base_dilation != 1 || dim->in_size != dim->out_size)
      return false;
  }
  return c->groups == 1;
}

/* The spatial dimensions as one, with one stride in the input and one in the output. */
static bool merge_positions(const hlo_f32_convolution *c, int64_t *in_stride, int64_t *out_stride) {
  bool found = false;
  int64_t in_next = 0, out_next = 0;
  *in_stride = *out_stride = 1;
  for (int d = c->spatial_rank - 1; d >= 0; d--) {
    const hlo_f32_convolution_dim *dim = &c->dims[d];
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
  hlo_f32_convolution c;
  hlo_dot_parameters p = {.batch_count = 1};
  if (!describe(question, &c, &p.type) || !is_pointwise(&c)) return false;
  if (!merge_positions(&c, &p.dot.lhs_m_stride, &p.dot.out_m_stride)) return false;
  p.dot.m = c.positions;
  p.dot.n = c.out_features;
  p.dot.k = c.in_features;
  p.dot.lhs_k_stride = c.in_feature_stride;
  p.dot.rhs_k_stride = c.kernel_in_stride;
  p.dot.rhs_n_stride = c.kernel_out_stride;
  p.dot.out_n_stride = c.out_feature_stride;
  if (c.positions == 1) { /* the batch is all there is of rows */
    p.dot.m = c.batch, p.dot.lhs_m_stride = c.in_batch_stride, p.dot.out_m_stride = c.out_batch_stride;
  } else if (c.in_batch_stride == c.positions * p.dot.lhs_m_stride && c.out_batch_stride == c.positions * p.dot.out_m_stride) {
    p.dot.m *= c.batch;
  } else {
    p.batch_rank = 1;
    p.batch_dims[0] = p.batch_count = c.batch;
    p.lhs.batch_strides[0] = c.in_batch_stride;
    p.out_batch_stride = c.out_batch_stride;
  }
  return hlo_dot_finish(question, &p, choice);
}

static void pack(const hlo_kernel_question *question, convolution_parameters *p, hlo_kernel_choice *choice) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  const void *constant = hlo_widened_constant(question, 1, &arena);
  void *packed = constant ? hlo_kernel_packing(question, hlo_f32_convolution_packed_bytes(&p->convolution)) : NULL;
  if (packed) {
    hlo_f32_convolution_pack(&p->convolution, constant, packed);
    p->packed = packed;
    choice->operand_count = 1;
  }
  hlo_arena_free(&arena);
}

bool hlo_setup_convolution(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  static const char *const names[][2] = {{"f32_convolution_simd128", "f32_convolution_packed_simd128"},
                                         {"s32_convolution_simd128", "s32_convolution_packed_simd128"}};
  convolution_parameters p = {0};
  hlo_dot_type type;
  if (!describe(question, &p.convolution, &type) || type == HLO_DOT_F64) return false;
  if (hlo_f32_convolution_is_depthwise(&p.convolution)) {
    choice->kernel = "f32_depthwise_simd128";
    choice->run_shared = run_depthwise;
  } else {
    pack(question, &p, choice);
    choice->kernel = names[p.convolution.is_s32][p.packed != NULL];
    choice->run_shared = run_convolution;
    choice->told_width = hlo_f32_convolution_finish_width(&p.convolution);
    if (choice->told_width) choice->run_telling = run_telling;
    choice->scratch_bytes = (int64_t)hlo_f32_convolution_scratch_bytes(&p.convolution, p.packed != NULL, question->threads);
  }
  choice->parameters = HLO_KEEP(question, p);
  return choice->parameters && hlo_widened_finish(question, choice);
}
