/* Uniform quantization, as StableHLO's quantize and dequantize define it: every step is rounded to the expressed type. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* The scale and zero point of element i are number i / stride % count. */
typedef struct slices {
  const hlo_quantization *quantization;
  int64_t stride;
} slices;

static slices slices_of(const hlo_instruction *instruction, const hlo_shape *shape) {
  slices s = {hlo_instruction_attribute(instruction, HLO_ATTR_quantization)->quantization, 1};
  for (int i = s.quantization->dimension + 1; s.quantization->dimension >= 0 && i < shape->rank; i++) s.stride *= shape->dims[i];
  return s;
}

static int64_t slice_of(slices s, int64_t element) {
  return s.quantization->dimension < 0 || s.stride == 0 ? 0 : element / s.stride % s.quantization->count;
}

static double clamped(double least, double value, double greatest) {
  return value < least ? least : value > greatest ? greatest : value; /* NaN stays */
}

static double round_half_to_even(double value) {
  return hlo_reference_unary_real(HLO_OP_ROUND_NEAREST_EVEN, HLO_TYPE_F64, value);
}

bool hlo_reference_uniform_quantize(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                    const hlo_literal *const *operands, hlo_literal *result) {
  slices s = slices_of(instruction, operands[0]->shape);
  const hlo_quantization *q = s.quantization;
  hlo_type type = q->expressed_type;
  double least = hlo_float_rounded(type, (double)q->storage_min), greatest = hlo_float_rounded(type, (double)q->storage_max);
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    int64_t slice = slice_of(s, i);
    double zero_point = hlo_float_rounded(type, (double)q->zero_points[slice]);
    double scaled = hlo_float_rounded(type, hlo_literal_real(operands[0], i) / hlo_float_rounded(type, q->scales[slice]));
    double value = round_half_to_even(clamped(least, hlo_float_rounded(type, scaled + zero_point), greatest));
    hlo_literal_set(result, i, hlo_scalar_convert(q->storage_type, HLO_TYPE_F64, (hlo_scalar){.f = value}));
  }
  hlo_reference_copy_sizes(result, operands[0]);
  return true;
}

bool hlo_reference_uniform_dequantize(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                      const hlo_literal *const *operands, hlo_literal *result) {
  slices s = slices_of(instruction, operands[0]->shape);
  const hlo_quantization *q = s.quantization;
  int64_t count = hlo_shape_element_count(result->shape);
  for (int64_t i = 0; i < count; i++) {
    if (!hlo_reference_tick(evaluation, 1)) return false;
    int64_t slice = slice_of(s, i);
    double steps = (double)hlo_literal_int(operands[0], i) - (double)q->zero_points[slice];
    double value = hlo_float_rounded(q->expressed_type, steps) * hlo_float_rounded(q->expressed_type, q->scales[slice]);
    hlo_literal_set_real(result, i, value);
  }
  hlo_reference_copy_sizes(result, operands[0]);
  return true;
}
