/* Lowers quantized values. In the graph they are the stored integers, and ops that only move values move these integers. All
 * other ops get the expressed values, and their results are quantized again (StableHLO's dequantize_op_quantize):
 *
 *   stablehlo.add : q1, q2 -> q3   becomes   uniform-quantize(q3)(add(uniform-dequantize(q1)(lhs), uniform-dequantize(q2)(rhs))) */
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

const hlo_quantization *hlo_lower_quantization(const hlo_mlir_type *type) {
  return type->kind == HLO_MLIR_SHAPED ? type->shape->quantization : NULL;
}

static bool any_quantized(const hlo_lower_call *c) {
  for (int i = 0; i < c->op->operand_count; i++)
    if (hlo_lower_quantization(hlo_mlir_operand_type(c->l->tree, c->op, i))) return true;
  for (int i = 0; i < c->op->result_count; i++)
    if (hlo_lower_quantization(hlo_mlir_result_type(c->l->tree, c->op, i))) return true;
  return false;
}

/* Returns whether all quantized operands and results have the same quantization, so that moving them converts nothing. */
static bool all_alike(const hlo_lower_call *c) {
  const hlo_quantization *first = NULL;
  for (int i = 0; i < c->op->operand_count + c->op->result_count; i++) {
    int result = i - c->op->operand_count;
    const hlo_quantization *q = hlo_lower_quantization(result < 0 ? hlo_mlir_operand_type(c->l->tree, c->op, i)
                                                                  : hlo_mlir_result_type(c->l->tree, c->op, result));
    if (first && q && !hlo_quantization_equal(first, q)) return false;
    if (!first) first = q;
  }
  return true;
}

bool hlo_lower_works_expressed(const hlo_lower_call *c) {
  if (!any_quantized(c)) return false;
  switch (c->opcode) {
  case HLO_OP_UNIFORM_QUANTIZE: case HLO_OP_UNIFORM_DEQUANTIZE: case HLO_OP_DOT: case HLO_OP_RAGGED_DOT: case HLO_OP_CONVOLUTION:
  case HLO_OP_IOTA: case HLO_OP_CHOLESKY: case HLO_OP_TRIANGULAR_SOLVE: case HLO_OP_BATCH_NORM_TRAINING:
  case HLO_OP_BATCH_NORM_INFERENCE: case HLO_OP_BATCH_NORM_GRAD: return true;
  case HLO_OP_SELECT: case HLO_OP_CONCATENATE: case HLO_OP_PAD: case HLO_OP_DYNAMIC_UPDATE_SLICE: return !all_alike(c);
  default: return hlo_op_has(c->opcode, HLO_FLAG_ELEMENTWISE);
  }
}

static int converted(const hlo_lower_call *c, hlo_opcode opcode, int instruction, hlo_type type, const hlo_quantization *quantization) {
  const hlo_shape *shape = hlo_shape_with_type(c->l->arena, hlo_lower_shape_of(c, instruction), type, c->l->status);
  hlo_attribute attribute = {.id = HLO_ATTR_quantization, .quantization = hlo_quantization_copy(c->l->arena, quantization, c->l->status)};
  return shape && attribute.quantization ? hlo_lower_emit(c, opcode, shape, &instruction, 1, &attribute, 1) : -1;
}

int hlo_lower_quantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization) {
  return converted(c, HLO_OP_UNIFORM_QUANTIZE, instruction, quantization->storage_type, quantization);
}

int hlo_lower_dequantized(const hlo_lower_call *c, int instruction, const hlo_quantization *quantization) {
  return converted(c, HLO_OP_UNIFORM_DEQUANTIZE, instruction, quantization->expressed_type, quantization);
}
