/* uniform-quantize and uniform-dequantize: conversions between floating-point numbers and the integers that represent them. */
#include <math.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* Checks quantization parameters (StableHLO's constraints on quantized types, C1 to C13). */
static bool check_parameters(const hlo_infer *infer, const hlo_quantization *q, const hlo_shape *shape) {
  if (q->count < 1) return hlo_refuse(infer, "quantization must have a scale");
  if (q->dimension < 0 && q->count != 1)
    return hlo_refuse(infer, "quantization without a dimension must have one scale, got %lld", (long long)q->count);
  if (q->dimension >= shape->rank)
    return hlo_refuse(infer, "quantization is along dimension %d, but operand is %pS", q->dimension, shape);
  if (q->dimension >= 0 && hlo_dim_is_known(shape, q->dimension) && shape->dims[q->dimension] != q->count)
    return hlo_refuse(infer, "quantization must have %lld scales, as many as dimension %d of %pS has slices, got %lld",
                      (long long)shape->dims[q->dimension], q->dimension, shape, (long long)q->count);
  int64_t least, greatest;
  hlo_storage_range(q->storage_type, &least, &greatest);
  if (q->storage_min < least || q->storage_max > greatest || q->storage_min >= q->storage_max)
    return hlo_refuse(infer, "the storage range %lld:%lld is empty, or more than %s can hold", (long long)q->storage_min,
                      (long long)q->storage_max, hlo_type_name(q->storage_type));
  for (int64_t i = 0; i < q->count; i++) {
    if (!(q->scales[i] > 0) || isinf(q->scales[i]))
      return hlo_refuse(infer, "scale %lld must be positive and finite, got %g", (long long)i, q->scales[i]);
    if (!hlo_scale_fits(q->expressed_type, q->scales[i]))
      return hlo_refuse(infer, "scale %lld, %g, is beyond what the expressed type %s can hold", (long long)i, q->scales[i],
                        hlo_type_name(q->expressed_type));
    if (q->zero_points[i] < q->storage_min || q->zero_points[i] > q->storage_max)
      return hlo_refuse(infer, "zero point %lld must lie in the storage range %lld:%lld, got %lld", (long long)i,
                        (long long)q->storage_min, (long long)q->storage_max, (long long)q->zero_points[i]);
  }
  return true;
}

static const hlo_shape *converted(const hlo_infer *infer, hlo_type from, hlo_type to) {
  const hlo_quantization *q = hlo_instruction_attribute(infer->instruction, HLO_ATTR_quantization)->quantization;
  const hlo_shape *operand = infer->operands[0], *declared = infer->instruction->shape;
  if (!check_parameters(infer, q, operand)) return NULL;
  if (operand->type != from)
    return hlo_refuse(infer, "operand must have elements of type %s, as quantization says, got %pS", hlo_type_name(from), operand);
  if (declared && (!hlo_shape_is_array(declared) || declared->type != to))
    return hlo_refuse(infer, "the result must have elements of type %s, as quantization says, but %pS is declared",
                      hlo_type_name(to), declared);
  return hlo_shape_of_type(infer, operand, to);
}

const hlo_shape *hlo_infer_uniform_quantize(const hlo_infer *infer) {
  const hlo_quantization *q = hlo_instruction_attribute(infer->instruction, HLO_ATTR_quantization)->quantization;
  return converted(infer, q->expressed_type, q->storage_type);
}

const hlo_shape *hlo_infer_uniform_dequantize(const hlo_infer *infer) {
  const hlo_quantization *q = hlo_instruction_attribute(infer->instruction, HLO_ATTR_quantization)->quantization;
  return converted(infer, q->storage_type, q->expressed_type);
}
