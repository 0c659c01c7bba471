/* Batch normalisation: one operand is a whole array, the others have one value a feature. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/shape.h"

/* Checks the attributes, and operands [1, count): each has one value a feature, except `whole`, which has the dimensions of operand 0. */
static bool check_features(const hlo_infer *infer, int count, int whole, int *feature) {
  const hlo_shape *operand = infer->operands[0];
  int64_t index = hlo_instruction_int(infer->instruction, HLO_ATTR_feature_index, 0);
  if (!hlo_check_dimension(infer, "feature_index", index, 0)) return false;
  for (int i = 1; i < count; i++) {
    const hlo_shape *shape = infer->operands[i];
    if (!hlo_check_array(infer, i) || !hlo_check_same_type(infer, 0, i)) return false;
    if (i == whole) {
      hlo_extents extents = hlo_extents_of(operand);
      if (!hlo_check_dims_of(infer, &extents, 0, i)) return false;
    } else if (shape->rank != 1 || !hlo_dims_agree(shape, 0, operand, index)) {
      return hlo_refuse(infer, "%pO must have one dimension of size %lld, that of the features of operand %pS, got %pS",
                        infer->operands + i, (long long)operand->dims[index], operand, shape);
    }
  }
  *feature = (int)index;
  return true;
}

/* Makes the tuple (dimensions of operand 0, one value a feature, one value a feature). */
static const hlo_shape *three(const hlo_infer *infer, int feature) {
  const hlo_shape *operand = infer->operands[0], *results[3];
  hlo_extents features = {0};
  if (!hlo_extents_push_from(infer, &features, operand, feature)) return NULL;
  results[0] = hlo_shape_without_layout(infer, operand);
  results[1] = results[2] = hlo_extents_shape(infer, operand->type, &features);
  return results[0] && results[1] ? hlo_tuple_shape(infer, results, 3) : NULL;
}

const hlo_shape *hlo_infer_batch_norm_training(const hlo_infer *infer) {
  int feature;
  return check_features(infer, 3, -1, &feature) ? three(infer, feature) : NULL;
}

const hlo_shape *hlo_infer_batch_norm_inference(const hlo_infer *infer) {
  int feature;
  return check_features(infer, 5, -1, &feature) ? hlo_shape_without_layout(infer, infer->operands[0]) : NULL;
}

const hlo_shape *hlo_infer_batch_norm_grad(const hlo_infer *infer) {
  int feature;
  return check_features(infer, 5, 4, &feature) ? three(infer, feature) : NULL;
}
