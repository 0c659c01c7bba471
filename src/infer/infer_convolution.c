/* convolution: a window of weights over the spatial dimensions of lhs. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Marks a dimension that a label names, and refuses labels that name a dimension twice. */
static bool mark(uint64_t *seen, int dimension, int rank) {
  if (dimension < 0 || dimension >= rank || *seen >> dimension & 1) return false;
  *seen |= (uint64_t)1 << dimension;
  return true;
}

static bool check_labels(const hlo_infer *infer, const char *part, int rank, int first, int second, const int *spatial) {
  uint64_t seen = 0;
  bool each_once = mark(&seen, first, rank) && mark(&seen, second, rank);
  for (int i = 0; i < rank - 2 && each_once; i++) each_once = mark(&seen, spatial[i], rank);
  if (each_once) return true;
  return hlo_refuse(infer, "the %s part of dim_labels must name each of its %d dimensions once", part, rank);
}

static bool check_dim_labels(const hlo_infer *infer, const hlo_dim_labels *labels) {
  int rank = labels->spatial_rank + 2;
  for (int i = 0; i < 2; i++)
    if (infer->operands[i]->rank != rank)
      return hlo_refuse(infer, "dim_labels name %d dimensions, so %pO must have as many, got %pS", rank,
                        infer->operands + i, infer->operands[i]);
  return check_labels(infer, "input", rank, labels->input_batch, labels->input_feature, labels->input_spatial) &&
         check_labels(infer, "kernel", rank, labels->kernel_input_feature, labels->kernel_output_feature,
                      labels->kernel_spatial) &&
         check_labels(infer, "output", rank, labels->output_batch, labels->output_feature, labels->output_spatial);
}

static bool check_divides(const hlo_infer *infer, const char *attribute, int64_t groups, const char *what, int operand,
                          int dimension) {
  const hlo_shape *shape = infer->operands[operand];
  if (!hlo_dim_is_known(shape, dimension) || shape->dims[dimension] % groups == 0) return true;
  return hlo_refuse(infer, "%s %lld must divide the %s, %lld, of %pO %pS", attribute, (long long)groups, what,
                    (long long)shape->dims[dimension], infer->operands + operand, shape);
}

static bool check_groups(const hlo_infer *infer, const hlo_dim_labels *labels, int64_t feature_groups, int64_t batch_groups) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1];
  if (feature_groups < 1 || batch_groups < 1)
    return hlo_refuse(infer, "feature_group_count and batch_group_count must be at least 1, got %lld and %lld",
                      (long long)feature_groups, (long long)batch_groups);
  if (feature_groups > 1 && batch_groups > 1)
    return hlo_refuse(infer, "feature_group_count and batch_group_count must not both be greater than 1, got %lld and %lld",
                      (long long)feature_groups, (long long)batch_groups);
  if (!check_divides(infer, "feature_group_count", feature_groups, "input features", 0, labels->input_feature) ||
      !check_divides(infer, "feature_group_count", feature_groups, "output features", 1, labels->kernel_output_feature) ||
      !check_divides(infer, "batch_group_count", batch_groups, "batch", 0, labels->input_batch) ||
      !check_divides(infer, "batch_group_count", batch_groups, "output features", 1, labels->kernel_output_feature))
    return false;
  if (!hlo_dim_is_known(lhs, labels->input_feature) || !hlo_dim_is_known(rhs, labels->kernel_input_feature)) return true;
  int64_t features = lhs->dims[labels->input_feature], each = rhs->dims[labels->kernel_input_feature];
  if (features / feature_groups == each) return true;
  if (feature_groups == 1)
    return hlo_refuse(infer, "lhs has %lld features, so rhs must have as many input features, got %lld in rhs %pS",
                      (long long)features, (long long)each, rhs);
  return hlo_refuse(infer, "lhs has %lld features in %lld groups, so rhs must have %lld input features, got %lld in rhs %pS",
                    (long long)features, (long long)feature_groups, (long long)(features / feature_groups),
                    (long long)each, rhs);
}

/* Puts the size of each dimension in its place in the output. */
static bool place_outputs(const hlo_infer *infer, const hlo_dim_labels *labels, int64_t batch_groups, hlo_extents *extents) {
  const hlo_shape *lhs = infer->operands[0], *rhs = infer->operands[1];
  const hlo_window *window = hlo_instruction_window(infer->instruction);
  bool batch_known = hlo_dim_is_known(lhs, labels->input_batch);
  extents->rank = labels->spatial_rank + 2;
  extents->sizes[labels->output_batch] = batch_known ? lhs->dims[labels->input_batch] / batch_groups : HLO_UNKNOWN_SIZE;
  extents->kinds[labels->output_batch] = (uint8_t)hlo_shape_dim_kind(lhs, labels->input_batch);
  extents->sizes[labels->output_feature] = rhs->dims[labels->kernel_output_feature];
  extents->kinds[labels->output_feature] = (uint8_t)hlo_shape_dim_kind(rhs, labels->kernel_output_feature);
  for (int i = 0; i < labels->spatial_rank; i++) {
    int in = labels->input_spatial[i], kernel = labels->kernel_spatial[i], out = labels->output_spatial[i];
    bool known = hlo_dim_is_known(rhs, kernel);
    if (known && window->dims[i].size != rhs->dims[kernel])
      return hlo_refuse(infer, "window size must be %lld in dimension %d, the size of dimension %d of rhs %pS, got %lld",
                        (long long)rhs->dims[kernel], i, kernel, rhs, (long long)window->dims[i].size);
    extents->sizes[out] = HLO_UNKNOWN_SIZE;
    extents->kinds[out] = known ? (uint8_t)hlo_shape_dim_kind(lhs, in) : HLO_DIM_UNBOUNDED;
    if (hlo_dim_is_known(lhs, in) && known &&
        !hlo_count_positions(infer, &window->dims[i], i, lhs->dims[in], &extents->sizes[out]))
      return false;
  }
  return true;
}

const hlo_shape *hlo_infer_convolution(const hlo_infer *infer) {
  const hlo_dim_labels *labels = hlo_instruction_attribute(infer->instruction, HLO_ATTR_dim_labels)->dim_labels;
  int64_t feature_groups = hlo_instruction_int(infer->instruction, HLO_ATTR_feature_group_count, 1);
  int64_t batch_groups = hlo_instruction_int(infer->instruction, HLO_ATTR_batch_group_count, 1);
  hlo_extents extents = {0};
  hlo_type type;
  if (!hlo_check_array(infer, 1) || !hlo_product_type(infer, &type) || !check_dim_labels(infer, labels) ||
      !hlo_check_window(infer, hlo_instruction_window(infer->instruction), labels->spatial_rank,
                        "spatial dimensions that lhs", infer->operands[0]) ||
      !check_groups(infer, labels, feature_groups, batch_groups) ||
      !place_outputs(infer, labels, batch_groups, &extents))
    return NULL;
  return hlo_extents_shape(infer, type, &extents);
}
