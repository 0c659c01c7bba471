/* Raises constants, ops that move data, and quantization. */
#include <string.h>

#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/raise/raise.h"

/* The first operand is the result. */
bool hlo_raise_identity(const hlo_raise_call *c) {
  hlo_raise_leaves leaves;
  return hlo_raise_operand(c, 0, &leaves) && hlo_raise_set(c, leaves.values, leaves.count);
}

static bool raise_literal(const hlo_raise_call *c, const hlo_literal *literal, int **next) {
  if (hlo_shape_is_tuple(literal->shape)) {
    for (int i = 0; i < literal->shape->element_count; i++)
      if (!raise_literal(c, literal->elements[i], next)) return false;
    return true;
  }
  hlo_raise_attributes list = {.count = 0};
  if (hlo_shape_is_token(literal->shape)) return (*(*next)++ = hlo_raise_one(c, "stablehlo.create_token", NULL, 0, NULL, literal->shape)) >= 0;
  if (!hlo_shape_is_static(literal->shape)) return hlo_raise_refuse(c, "a constant of dynamic shape %s", HLO_SHAPE_TEXT(literal->shape));
  hlo_raise_push(&list, "value", hlo_raise_literal(c->r, literal));
  return (*(*next)++ = hlo_raise_one(c, c->name, NULL, 0, &list, literal->shape)) >= 0;
}

bool hlo_raise_constant(const hlo_raise_call *c) {
  int count;
  const hlo_literal *literal = hlo_instruction_attribute(c->instruction, HLO_ATTR_literal)->literal;
  int *values = hlo_raise_leaf_shapes(c->r, literal->shape, &count) ? hlo_arena_many(c->r->arena, int, count, c->r->status) : NULL, *next = values;
  return values && raise_literal(c, literal, &next) && hlo_raise_set(c, values, count);
}

bool hlo_raise_dynamic_slice(const hlo_raise_call *c) {
  int rank = hlo_raise_operand_shape(c, 0)->rank;
  if (c->instruction->operand_count != rank + 1) return hlo_raise_refuse(c, "start indices must be %d scalars", rank);
  return hlo_raise_formed(c);
}

/* Concatenates the scalars to an array of sizes. */
bool hlo_raise_dynamic_reshape(const hlo_raise_call *c) {
  hlo_raising *r = c->r;
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  if (!operands) return false;
  int sizes = count - 1, *parts = hlo_arena_many(r->arena, int, sizes, r->status);
  if (!parts) return false;
  if (!sizes) return hlo_raise_refuse(c, "no sizes are given");
  hlo_type type = hlo_raise_operand_shape(c, 1)->type;
  int64_t one = 1, all = sizes;
  const hlo_shape *part = hlo_shape_make(r->arena, type, &one, 1, r->status), *whole = hlo_shape_make(r->arena, type, &all, 1, r->status);
  for (int i = 0; i < sizes; i++)
    if ((parts[i] = hlo_raise_one(c, "stablehlo.reshape", &operands[i + 1], 1, NULL, part)) < 0) return false;
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimension", hlo_raise_int(r, HLO_TYPE_S64, 0));
  int given[2] = {operands[0], hlo_raise_one(c, "stablehlo.concatenate", parts, sizes, &list, whole)};
  return given[1] >= 0 && hlo_raise_finish(c, c->name, given, 2, NULL, NULL, 0);
}

/* ---- bitcast ---- */

static bool physical(const hlo_raise_call *c, const hlo_shape *shape, int64_t *permutation, int64_t *dims) {
  const hlo_layout *layout = shape->layout;
  if (layout && layout->tile_count) return hlo_raise_refuse(c, "%s is tiled", HLO_SHAPE_TEXT(shape));
  for (int i = 0; i < shape->rank; i++) {
    permutation[i] = layout ? layout->minor_to_major[shape->rank - 1 - i] : i;
    dims[i] = shape->dims[permutation[i]];
  }
  return true;
}

static int permuted(const hlo_raise_call *c, int value, hlo_type type, const int64_t *permutation, const int64_t *dims, int rank) {
  bool moves = false;
  for (int i = 0; i < rank; i++) moves |= permutation[i] != i;
  if (!moves) return value;
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "permutation", hlo_raise_array(c->r, HLO_TYPE_S64, permutation, rank));
  return hlo_raise_one(c, "stablehlo.transpose", &value, 1, &list, hlo_shape_make(c->r->arena, type, dims, rank, c->r->status));
}

/* Transposes the operand to its order in memory, reshapes that to the result's order in memory, and transposes it to the result. */
bool hlo_raise_bitcast(const hlo_raise_call *c) {
  const hlo_shape *from = hlo_raise_operand_shape(c, 0), *to = c->instruction->shape;
  int64_t outward[HLO_MAX_RANK], inward[HLO_MAX_RANK], back[HLO_MAX_RANK], dims[HLO_MAX_RANK];
  hlo_raise_leaves leaves;
  if (!hlo_raise_operand(c, 0, &leaves)) return false;
  if (!hlo_shape_is_array(from) || !hlo_shape_is_array(to)) return hlo_raise_identity(c);
  if (hlo_type_bits(from->type) != hlo_type_bits(to->type)) return hlo_raise_refuse(c, "from %s to %s, of other size", HLO_SHAPE_TEXT(from), HLO_SHAPE_TEXT(to));
  if (!hlo_shape_is_static(from) || !hlo_shape_is_static(to)) return hlo_raise_refuse(c, "of dynamic shape %s", HLO_SHAPE_TEXT(to));
  if (!physical(c, from, outward, dims)) return false;
  int value = permuted(c, leaves.values[0], from->type, outward, dims, from->rank);
  if (!physical(c, to, inward, dims)) return false;
  const hlo_shape *lying = hlo_shape_make(c->r->arena, from->type, dims, to->rank, c->r->status);
  if (!lying || value < 0) return false;
  value = hlo_raise_one(c, "stablehlo.reshape", &value, 1, NULL, lying);
  for (int i = 0; i < to->rank; i++) back[inward[i]] = i;
  value = value < 0 ? -1 : permuted(c, value, from->type, back, to->dims, to->rank);
  if (value >= 0 && from->type != to->type) value = hlo_raise_one(c, "stablehlo.bitcast_convert", &value, 1, NULL, to);
  return value >= 0 && hlo_raise_set(c, &value, 1);
}

/* HLO's conversion of a complex number to pred is that of its two parts; StableHLO's looks at the real part alone. */
bool hlo_raise_convert(const hlo_raise_call *c) {
  const hlo_shape *from = hlo_raise_operand_shape(c, 0), *to = c->instruction->shape;
  hlo_raise_leaves leaves;
  if (to->type != HLO_TYPE_PRED || !hlo_type_is_complex(from->type)) return hlo_raise_formed(c);
  const hlo_shape *part = hlo_shape_with_type(c->r->arena, from, hlo_type_real_part(from->type), c->r->status);
  if (!part || !hlo_raise_operand(c, 0, &leaves)) return false;
  int parts[] = {hlo_raise_one(c, "stablehlo.real", leaves.values, 1, NULL, part), hlo_raise_one(c, "stablehlo.imag", leaves.values, 1, NULL, part)};
  for (int i = 0; i < 2; i++)
    if (parts[i] < 0 || (parts[i] = hlo_raise_one(c, c->name, &parts[i], 1, NULL, to)) < 0) return false;
  return hlo_raise_finish(c, "stablehlo.or", parts, 2, NULL, NULL, 0);
}

/* ---- Quantization: integers in the graph, a type of their own in StableHLO ---- */

static const hlo_shape *quantized(const hlo_raise_call *c, const hlo_shape *shape) {
  const hlo_quantization *quantization = hlo_instruction_attribute(c->instruction, HLO_ATTR_quantization)->quantization;
  hlo_shape *own = (hlo_shape *)hlo_shape_copy(c->r->arena, shape, c->r->status);
  if (!own || !(own->quantization = hlo_quantization_copy(c->r->arena, quantization, c->r->status))) return NULL;
  return own;
}

bool hlo_raise_uniform_quantize(const hlo_raise_call *c) {
  hlo_raise_leaves leaves;
  if (!hlo_raise_operand(c, 0, &leaves)) return false;
  int value = hlo_raise_one(c, c->name, leaves.values, 1, NULL, quantized(c, c->instruction->shape));
  return value >= 0 && hlo_raise_finish(c, "stablehlo.bitcast_convert", &value, 1, NULL, NULL, 0);
}

bool hlo_raise_uniform_dequantize(const hlo_raise_call *c) {
  hlo_raise_leaves leaves;
  if (!hlo_raise_operand(c, 0, &leaves)) return false;
  int value = hlo_raise_one(c, "stablehlo.bitcast_convert", leaves.values, 1, NULL, quantized(c, hlo_raise_operand_shape(c, 0)));
  return value >= 0 && hlo_raise_finish(c, c->name, &value, 1, NULL, NULL, 0);
}
