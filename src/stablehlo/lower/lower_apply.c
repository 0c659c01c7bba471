/* Ops that apply a region to elements. */
#include <string.h>

#include "stablehlo/lower/lower.h"

static bool emit(const hlo_lower_call *c, const hlo_attribute *attributes, int count) {
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  const hlo_shape *declared = c->op->result_count == 1 ? hlo_lower_result_shape(c, 0) : NULL;
  return operands && hlo_lower_results(c, hlo_lower_emit(c, c->opcode, declared, operands, c->op->operand_count, attributes, count));
}

static bool region(const hlo_lower_call *c, int i, hlo_attribute_id id, hlo_attribute *attribute) {
  if (c->op->region_count <= i) return hlo_lower_fail(c, HLO_SHAPE, "requires a region");
  *attribute = hlo_lower_computation(id, hlo_lower_applied(c, &c->op->regions[i]));
  return attribute->computation >= 0;
}

static bool with_dimensions(const hlo_lower_call *c) {
  hlo_attribute attributes[2];
  hlo_ints dimensions;
  if (!hlo_lower_list(c, "dimensions", -1, 0, &dimensions) || !region(c, 0, HLO_ATTR_to_apply, &attributes[1])) return false;
  attributes[0] = hlo_lower_ints(HLO_ATTR_dimensions, dimensions);
  return emit(c, attributes, 2);
}

bool hlo_lower_map(const hlo_lower_call *c) { return with_dimensions(c); }
bool hlo_lower_reduce(const hlo_lower_call *c) { return with_dimensions(c); }

static bool read_window(const hlo_lower_call *c, hlo_attribute *attribute) {
  int first = hlo_lower_operand(c, 0);
  if (first < 0) return false;
  int rank = c->computation->instructions[first]->shape->rank;
  hlo_ints sizes, strides, base, dilation;
  int64_t low[HLO_MAX_RANK], high[HLO_MAX_RANK];
  if (!hlo_mlir_find(c->op, "window_dimensions") && c->opcode == HLO_OP_REDUCE_WINDOW)
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute window_dimensions");
  if (!hlo_lower_list(c, "window_dimensions", rank, 1, &sizes) || !hlo_lower_list(c, "window_strides", rank, 1, &strides) ||
      !hlo_lower_list(c, "base_dilations", rank, 1, &base) || !hlo_lower_list(c, "window_dilations", rank, 1, &dilation) ||
      !hlo_lower_padding(c, "padding", rank, low, high))
    return false;
  hlo_window *window = hlo_arena_new(c->l->arena, hlo_window, c->l->status);
  hlo_window_dim *dims = hlo_arena_many(c->l->arena, hlo_window_dim, rank, c->l->status);
  if (!window || !dims) return false;
  for (int i = 0; i < rank; i++)
    dims[i] = (hlo_window_dim){sizes.data[i], strides.data[i], low[i], high[i], base.data[i], dilation.data[i], false};
  *window = (hlo_window){rank, dims};
  *attribute = (hlo_attribute){.id = HLO_ATTR_window, .window = window};
  return true;
}

bool hlo_lower_reduce_window(const hlo_lower_call *c) {
  hlo_attribute attributes[2];
  return read_window(c, &attributes[0]) && region(c, 0, HLO_ATTR_to_apply, &attributes[1]) && emit(c, attributes, 2);
}

bool hlo_lower_select_and_scatter(const hlo_lower_call *c) {
  hlo_attribute attributes[3];
  return read_window(c, &attributes[0]) && region(c, 0, HLO_ATTR_select, &attributes[1]) &&
         region(c, 1, HLO_ATTR_scatter, &attributes[2]) && emit(c, attributes, 3);
}

bool hlo_lower_sort(const hlo_lower_call *c) {
  hlo_attribute attributes[3];
  int first = hlo_lower_operand(c, 0);
  if (first < 0) return false;
  int64_t rank = c->computation->instructions[first]->shape->rank, dimension = rank - 1;
  if (hlo_mlir_find(c->op, "dimension") && !hlo_lower_required_int(c, "dimension", &dimension)) return false;
  if (dimension < -rank || dimension >= rank)
    return hlo_lower_fail(c, HLO_SHAPE, "dimension must be in [-%lld, %lld), got %lld", (long long)rank, (long long)rank,
                          (long long)dimension);
  if (dimension < 0) dimension += rank;
  int64_t *one = hlo_arena_copy(c->l->arena, &dimension, sizeof dimension, c->l->status);
  if (!one || !region(c, 0, HLO_ATTR_to_apply, &attributes[2])) return false;
  attributes[0] = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){one, 1});
  attributes[1] = hlo_lower_bool(HLO_ATTR_is_stable, hlo_lower_flag(c, "is_stable", false));
  return emit(c, attributes, 3);
}

bool hlo_lower_scan(const hlo_lower_call *c) {
  hlo_attribute attributes[5];
  int64_t dimension, inputs;
  if (!hlo_lower_required_int(c, "dimension", &dimension)) return false;
  const hlo_mlir_attribute *segments = hlo_mlir_find(c->op, "operandSegmentSizes");
  hlo_ints sizes;
  if (segments) {
    if (!hlo_lower_read_ints(c, segments, "operandSegmentSizes", &sizes)) return false;
    inputs = sizes.count ? sizes.data[0] : 0;
  } else if (!hlo_lower_required_int(c, "num_inputs", &inputs)) {
    return false;
  }
  int64_t *one = hlo_arena_copy(c->l->arena, &dimension, sizeof dimension, c->l->status);
  if (!one || !region(c, 0, HLO_ATTR_to_apply, &attributes[4])) return false;
  attributes[0] = hlo_lower_ints(HLO_ATTR_dimensions, (hlo_ints){one, 1});
  attributes[1] = hlo_lower_int(HLO_ATTR_num_carries, c->op->operand_count - inputs);
  attributes[2] = hlo_lower_bool(HLO_ATTR_is_reverse, hlo_lower_flag(c, "is_reverse", false));
  attributes[3] = hlo_lower_bool(HLO_ATTR_is_associative, hlo_lower_flag(c, "is_associative", false));
  const int *operands = hlo_lower_operands(c, 0, c->op->operand_count);
  return operands && hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_SCAN, NULL, operands, c->op->operand_count, attributes, 5));
}
