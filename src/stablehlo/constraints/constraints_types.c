/* Compares types: unknown and bounded sizes, quantized elements, tuples. */
#include <math.h>
#include <string.h>

#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"

/* ---- Tensors ---- */

const hlo_shape *hlo_check_tensor(const hlo_mlir_type *type) {
  return type->kind == HLO_MLIR_SHAPED && hlo_shape_is_array(type->shape) ? type->shape : NULL;
}

static bool dims_agree(const hlo_shape *a, int i, const hlo_shape *b, int j) {
  hlo_dim_kind p = hlo_shape_dim_kind(a, i), q = hlo_shape_dim_kind(b, j);
  if (p == HLO_DIM_UNBOUNDED || q == HLO_DIM_UNBOUNDED) return true;
  if (p == HLO_DIM_BOUNDED && q == HLO_DIM_BOUNDED) return true;
  if (p == HLO_DIM_BOUNDED) return b->dims[j] <= a->dims[i];
  if (q == HLO_DIM_BOUNDED) return a->dims[i] <= b->dims[j];
  return a->dims[i] == b->dims[j];
}

static bool shapes_agree(const hlo_shape *a, const hlo_shape *b) {
  if (a->rank != b->rank) return false;
  for (int i = 0; i < a->rank; i++)
    if (!dims_agree(a, i, b, i)) return false;
  return true;
}

bool hlo_check_elements_agree(const hlo_shape *a, const hlo_shape *b) {
  const hlo_quantization *p = a->quantization, *q = b->quantization;
  if (a->type != b->type || !p != !q) return false;
  return !p || (p->storage_type == q->storage_type && p->expressed_type == q->expressed_type &&
                p->storage_min == q->storage_min && p->storage_max == q->storage_max);
}

static double least_scale(hlo_type type) {
  hlo_float_format f = hlo_type_float_format(type);
  return ldexp(1.0, 1 - f.bias - f.mantissa_bits);
}

const char *hlo_check_quantization_problem(const hlo_shape *shape) {
  const hlo_quantization *q = shape->quantization;
  if (!q) return NULL;
  int64_t least, greatest;
  hlo_storage_range(q->storage_type, &least, &greatest);
  if (q->storage_min < least || q->storage_max > greatest) return "the storage type cannot hold storage_min and storage_max";
  if (q->storage_min > q->storage_max) return "storage_min is above storage_max";
  for (int64_t i = 0; i < q->count; i++) {
    if (!(q->scales[i] > 0) || isinf(q->scales[i])) return "scales must be positive and finite";
    if (q->scales[i] < least_scale(q->expressed_type)) return "a scale is below what the expressed type can hold";
    if (q->zero_points[i] < q->storage_min || q->zero_points[i] > q->storage_max) return "a zero point is outside the storage range";
  }
  if (q->dimension < 0) return q->count == 1 ? NULL : "one scale is expected";
  if (q->dimension >= shape->rank) return "the quantization dimension is beyond the rank";
  bool sized = hlo_shape_dim_kind(shape, q->dimension) == HLO_DIM_STATIC;
  return sized && shape->dims[q->dimension] != q->count ? "there must be a scale for each slice of the quantization dimension" : NULL;
}

/* ---- Any types ---- */

static bool shaped_agree(const hlo_shape *a, const hlo_shape *b) {
  if (hlo_shape_is_tuple(a) || hlo_shape_is_tuple(b)) {
    if (a->type != b->type || a->element_count != b->element_count) return false;
    for (int i = 0; i < a->element_count; i++)
      if (!shaped_agree(a->elements[i], b->elements[i])) return false;
    return true;
  }
  return hlo_check_elements_agree(a, b) && shapes_agree(a, b);
}

bool hlo_check_types_agree(const hlo_mlir_type *a, const hlo_mlir_type *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == HLO_MLIR_SHAPED) return a->is_index == b->is_index && shaped_agree(a->shape, b->shape);
  if (a->kind == HLO_MLIR_SCALAR || a->kind == HLO_MLIR_UNRANKED) return a->element == b->element && a->is_index == b->is_index;
  if (a->kind == HLO_MLIR_FUTURE || hlo_check_is_tuple(a)) {
    if (a->result_count != b->result_count) return false;
    for (int i = 0; i < a->result_count; i++)
      if (!hlo_check_types_agree(a->results[i], b->results[i])) return false;
    return true;
  }
  return hlo_span_equal(a->text, b->text);
}

bool hlo_check_types_same(const hlo_mlir_type *a, const hlo_mlir_type *b) {
  if (!hlo_check_types_agree(a, b)) return false;
  return a->kind != HLO_MLIR_SHAPED || (hlo_shape_compatible(a->shape, b->shape) &&
                                        hlo_quantization_equal(a->shape->quantization, b->shape->quantization));
}

bool hlo_check_is_buffer(const hlo_mlir_type *type) { return type->kind == HLO_MLIR_OTHER && hlo_span_begins(type->text, "memref<"); }

bool hlo_check_is_tuple(const hlo_mlir_type *type) {
  if (type->kind == HLO_MLIR_SHAPED) return hlo_shape_is_tuple(type->shape);
  return type->kind == HLO_MLIR_OTHER && hlo_span_begins(type->text, "tuple<");
}

int hlo_check_part_count(const hlo_mlir_type *tuple) {
  return tuple->kind == HLO_MLIR_SHAPED ? tuple->shape->element_count : tuple->result_count;
}

hlo_mlir_type hlo_check_part(const hlo_mlir_type *tuple, int i) {
  if (tuple->kind != HLO_MLIR_SHAPED) return *tuple->results[i];
  return (hlo_mlir_type){.kind = HLO_MLIR_SHAPED, .shape = tuple->shape->elements[i]};
}

/* ---- Types of operands, results and regions ---- */

const hlo_mlir_type *hlo_check_operand(const hlo_check *c, int i) { return hlo_mlir_operand_type(c->tree, c->op, i); }
const hlo_mlir_type *hlo_check_result(const hlo_check *c, int i) { return hlo_mlir_result_type(c->tree, c->op, i); }
const hlo_shape *hlo_check_operand_shape(const hlo_check *c, int i) { return hlo_check_tensor(hlo_check_operand(c, i)); }
const hlo_shape *hlo_check_result_shape(const hlo_check *c, int i) { return hlo_check_tensor(hlo_check_result(c, i)); }

const hlo_mlir_block *hlo_check_block(const hlo_check *c, int region) { return &c->op->regions[region].block; }

const hlo_mlir_op *hlo_check_terminator(const hlo_mlir_block *block) {
  const hlo_mlir_op *last = block->op_count ? block->ops[block->op_count - 1] : NULL;
  return last && hlo_mlir_is_return(last) ? last : NULL;
}
