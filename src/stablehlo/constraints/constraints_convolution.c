/* convolution and dynamic_conv. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir_conv_numbers.h"

/* ---- Dimension numbers ---- */

static bool check_dims(const hlo_check *c, const char *label, const char *what, const hlo_mlir_conv_dims *dims, int rank) {
  int64_t seen[HLO_MAX_RANK] = {0};
  for (int i = -2; i < dims->spatial_count; i++) {
    int64_t d = i == -2 ? dims->batch : i == -1 ? dims->feature : dims->spatial[i];
    if (d < 0 || d >= rank)
      return hlo_check_fail(c, "%s: %s dimensions must be in [0, %d), got %lld", label, what, rank, (long long)d);
    if (seen[d]++) return hlo_check_fail(c, "%s: %s dimensions must not repeat, got %lld twice", label, what, (long long)d);
  }
  return true;
}

static bool check_numbers(const hlo_check *c, const hlo_mlir_conv_numbers *n, int rank) {
  int spatial = n->input.spatial_count;
  if (n->kernel.spatial_count != spatial || n->output.spatial_count != spatial)
    return hlo_check_fail(c, "C17: input, kernel and output must have as many spatial dimensions, got %d, %d and %d", spatial,
                          n->kernel.spatial_count, n->output.spatial_count);
  if (spatial + 2 != rank)
    return hlo_check_fail(c, "C12: lhs, rhs and result must have rank %d, as the dimension numbers say, got %d", spatial + 2,
                          rank);
  return check_dims(c, "C13", "input", &n->input, rank) && check_dims(c, "C18", "kernel", &n->kernel, rank) &&
      check_dims(c, "C20", "output", &n->output, rank);
}

/* ---- Groups ---- */

static bool divides(const hlo_check *c, const char *label, const hlo_shape *shape, int64_t dimension, const char *what, const char *name,
                    int64_t groups) {
  if (!hlo_check_is_static(shape, (int)dimension) || shape->dims[dimension] % groups == 0) return true;
  return hlo_check_fail(c, "%s: the %s dimension, %lld, must be a multiple of %s, %lld", label, what,
                        (long long)shape->dims[dimension], name, (long long)groups);
}

static bool check_groups(const hlo_check *c, const hlo_mlir_conv_numbers *n) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  int64_t features = hlo_check_int_or(c, "feature_group_count", 1), batches = hlo_check_int_or(c, "batch_group_count", 1);
  if (features > 1 && batches > 1)
    return hlo_check_fail(c, "C23: feature_group_count or batch_group_count must be 1, got %lld and %lld", (long long)features,
                          (long long)batches);
  if (!divides(c, "C10", lhs, n->input.batch, "input batch", "batch_group_count", batches) ||
      !divides(c, "C11", lhs, n->input.feature, "input feature", "feature_group_count", features) ||
      !divides(c, "C15", rhs, n->kernel.batch, "kernel output feature", "batch_group_count", batches) ||
      !divides(c, "C16", rhs, n->kernel.batch, "kernel output feature", "feature_group_count", features))
    return false;
  bool known = hlo_check_is_static(lhs, (int)n->input.feature) && hlo_check_is_static(rhs, (int)n->kernel.feature);
  if (known && lhs->dims[n->input.feature] / features != rhs->dims[n->kernel.feature])
    return hlo_check_fail(c,
        "C14: the kernel input feature dimension must be %lld, the input's divided by feature_group_count, got %lld",
        (long long)(lhs->dims[n->input.feature] / features), (long long)rhs->dims[n->kernel.feature]);
  return true;
}

/* ---- Quantized ---- */

/* convolution_c27 to convolution_c34 */
static bool check_quantized(const hlo_check *c, const hlo_mlir_conv_numbers *n) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1), *result = hlo_check_result_shape(c, 0);
  const hlo_quantization *p = lhs->quantization, *q = rhs->quantization, *r = result->quantization;
  if (!p && !q && !r)
    return lhs->type == rhs->type ||
        hlo_check_fail(c, "C26: lhs and rhs must have the same element type, got %pS and %pS", lhs, rhs);
  if (!q || (p && !r) || (!p && r)) return hlo_check_fail(c, "C28: lhs, rhs and result must all be quantized, or rhs alone");
  if (q->dimension >= 0 && q->dimension != n->kernel.batch)
    return hlo_check_fail(c, "C29: rhs must be quantized along its output feature dimension, %lld, got %d",
                          (long long)n->kernel.batch, q->dimension);
  if (r && r->dimension >= 0 && r->dimension != n->output.feature)
    return hlo_check_fail(c, "C30: the result must be quantized along its feature dimension, %lld, got %d",
                          (long long)n->output.feature, r->dimension);
  if (!p) {
    if (lhs->type == q->expressed_type && result->type == q->expressed_type) return true;
    return hlo_check_fail(c,
        "C34: lhs, the expressed type of rhs and the result must have the same element type, got %pS, %s and %pS", lhs,
        hlo_type_name(q->expressed_type), result);
  }
  if (p->storage_type != q->storage_type)
    return hlo_check_fail(c, "C31: lhs and rhs must have the same storage type, got %s and %s", hlo_type_name(p->storage_type),
                          hlo_type_name(q->storage_type));
  if (p->expressed_type != q->expressed_type || p->expressed_type != r->expressed_type)
    return hlo_check_fail(c, "C32: lhs, rhs and result must have the same expressed type, got %s, %s and %s",
                          hlo_type_name(p->expressed_type), hlo_type_name(q->expressed_type), hlo_type_name(r->expressed_type));
  if (q->dimension < 0 && r->dimension >= 0) return hlo_check_fail(c, "C33: the result must be quantized per tensor as rhs is");
  return true;
}

/* ---- The whole ---- */

static bool check_result(const hlo_check *c, const hlo_mlir_conv_numbers *n, const hlo_check_window *w) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  hlo_check_dims dims = {.rank = lhs->rank}, one;
  int64_t batches = hlo_check_int_or(c, "batch_group_count", 1);
  for (int i = 0; i < w->rank; i++) {
    one.rank = 0;
    int kernel = (int)n->kernel.spatial[i];
    hlo_check_window_push(&one, w, lhs, (int)n->input.spatial[i], i, hlo_check_is_static(rhs, kernel) ? rhs->dims[kernel] : HLO_UNKNOWN_SIZE);
    hlo_check_set(&dims, (int)n->output.spatial[i], (hlo_dim_kind)one.kinds[0], one.sizes[0]);
  }
  int batch = (int)n->input.batch, feature = (int)n->kernel.batch;
  hlo_dim_kind kind = hlo_shape_dim_kind(lhs, batch);
  hlo_check_set(&dims, (int)n->output.batch, kind, kind == HLO_DIM_UNBOUNDED ? 0 : lhs->dims[batch] / batches);
  hlo_check_set(&dims, (int)n->output.feature, hlo_shape_dim_kind(rhs, feature), rhs->dims[feature]);
  return hlo_check_result_dims(c, "C25", 0, &dims);
}

static bool check_window_sizes(const hlo_check *c, const hlo_check_window *w, const hlo_mlir_conv_numbers *n) {
  const hlo_shape *rhs = hlo_check_operand_shape(c, 1);
  hlo_check_list reversal = hlo_check_ints(c, "window_reversal");
  if (!hlo_check_window_valid(c, w)) return false;
  if (reversal.attribute && !hlo_check_size(c, "C9", "window_reversal", &reversal, w->rank)) return false;
  for (int i = 0; i < w->rank; i++) {
    int kernel = (int)n->kernel.spatial[i];
    if (hlo_check_is_static(rhs, kernel) && rhs->dims[kernel] < 1)
      return hlo_check_fail(c, "C25: the window must have a positive size in spatial dimension %d, got %lld", i,
                            (long long)rhs->dims[kernel]);
  }
  return true;
}

static bool check_convolution(const hlo_check *c, bool dynamic_padding) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  hlo_mlir_conv_numbers n = {.input = {.batch = -1, .feature = -1}, .kernel = {.batch = -1, .feature = -1}, .output = {.batch = -1, .feature = -1}};
  hlo_check_window w = {.strides = hlo_check_ints(c, "window_strides"), .base_dilations = hlo_check_ints(c, "lhs_dilation"),
                        .dilations = hlo_check_ints(c, "rhs_dilation"), .padding = hlo_check_ints(c, "padding"), .rank = lhs->rank - 2,
                        .size_label = "C25", .stride_label = "C2", .base_label = "C5", .dilation_label = "C7", .padding_label = "C4"};
  const hlo_mlir_attribute *precision = hlo_mlir_find(c->op, "precision_config");
  if (dynamic_padding && !hlo_shape_is_static(lhs)) w.strides = (hlo_check_list){0}; /* JAX exports two strides for one dimension there */
  if (lhs->rank != rhs->rank) return hlo_check_fail(c, "C1: lhs and rhs must have the same rank, got {0} and {1}");
  if (lhs->rank < 2) return hlo_check_fail(c, "C1: lhs and rhs must have rank 2 at least, got {0} and {1}");
  if (!hlo_mlir_conv_read(hlo_mlir_find(c->op, "dimension_numbers"), &n))
    return hlo_check_fail(c, "I9: dimension_numbers must be #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>");
  if (!check_numbers(c, &n, lhs->rank) || !check_window_sizes(c, &w, &n) || !check_groups(c, &n)) return false;
  if (precision && precision->count > 2)
    return hlo_check_fail(c, "C24: precision_config must be empty or have a precision for each operand, got %d", precision->count);
  if (!check_quantized(c, &n)) return false;
  return dynamic_padding || check_result(c, &n, &w);
}

bool hlo_check_convolution(const hlo_check *c) { return check_convolution(c, false); }

bool hlo_check_dynamic_conv(const hlo_check *c) {
  const hlo_shape *padding = hlo_check_operand_shape(c, 2);
  int64_t wanted[2] = {hlo_check_operand_shape(c, 0)->rank - 2, 2};
  hlo_shape shape = {.type = padding->type, .rank = 2, .dims = wanted};
  if (!check_convolution(c, true)) return false;
  if (!hlo_check_shapes_agree(&shape, padding))
    return hlo_check_fail(c, "C4: padding must have shape %pD, got {2}", &shape);
  if (hlo_check_result_shape(c, 0)->rank == hlo_check_operand_shape(c, 0)->rank) return true;
  return hlo_check_fail(c, "C25: the result must have rank %d, got {r}", hlo_check_operand_shape(c, 0)->rank);
}
