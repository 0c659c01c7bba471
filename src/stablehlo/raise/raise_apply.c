/* Ops that apply a computation to elements: it becomes a region. */
#include "stablehlo/raise/raise.h"

static bool with_regions(const hlo_raise_call *c, const hlo_raise_attributes *list, const hlo_attribute_id *ids, int count) {
  hlo_mlir_region regions[2] = {{.block_count = 0}, {.block_count = 0}};
  int operand_count;
  const int *operands = hlo_raise_operands(c, 0, &operand_count);
  if (!operands) return false;
  for (int i = 0; i < count; i++)
    if (!hlo_raise_region(c, hlo_instruction_attribute(c->instruction, ids[i])->computation, &regions[i])) return false;
  return hlo_raise_finish(c, c->name, operands, operand_count, list, regions, count);
}

static bool apply(const hlo_raise_call *c, const hlo_raise_attributes *list) {
  return with_regions(c, list, (const hlo_attribute_id[]){HLO_ATTR_to_apply}, 1);
}

bool hlo_raise_map(const hlo_raise_call *c) {
  int64_t dims[HLO_MAX_RANK];
  for (int i = 0; i < c->instruction->shape->rank; i++) dims[i] = i;
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimensions", hlo_raise_array(c->r, HLO_TYPE_S64, dims, c->instruction->shape->rank));
  return apply(c, &list);
}

bool hlo_raise_reduce(const hlo_raise_call *c) {
  hlo_ints dims = hlo_instruction_ints(c->instruction, HLO_ATTR_dimensions);
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimensions", hlo_raise_array(c->r, HLO_TYPE_S64, dims.data, dims.count));
  return apply(c, &list);
}

static void push_window(const hlo_raise_call *c, hlo_raise_attributes *list, bool dilated) {
  const hlo_window *window = hlo_instruction_window(c->instruction);
  int rank = hlo_raise_operand_shape(c, 0)->rank;
  int64_t sizes[HLO_MAX_RANK], strides[HLO_MAX_RANK], base[HLO_MAX_RANK], dilation[HLO_MAX_RANK], padding[2 * HLO_MAX_RANK], pairs[2] = {rank, 2};
  for (int i = 0; i < rank; i++) {
    hlo_window_dim dim = i < window->rank ? window->dims[i] : (hlo_window_dim){1, 1, 0, 0, 1, 1, false};
    sizes[i] = dim.size, strides[i] = dim.stride, base[i] = dim.base_dilation, dilation[i] = dim.window_dilation;
    padding[2 * i] = dim.padding_low, padding[2 * i + 1] = dim.padding_high;
  }
  if (dilated) hlo_raise_push(list, "base_dilations", hlo_raise_array(c->r, HLO_TYPE_S64, base, rank));
  hlo_raise_push(list, "padding", hlo_raise_dense(c->r, padding, pairs, 2, false));
  if (dilated) hlo_raise_push(list, "window_dilations", hlo_raise_array(c->r, HLO_TYPE_S64, dilation, rank));
  hlo_raise_push(list, "window_dimensions", hlo_raise_array(c->r, HLO_TYPE_S64, sizes, rank));
  hlo_raise_push(list, "window_strides", hlo_raise_array(c->r, HLO_TYPE_S64, strides, rank));
}

bool hlo_raise_reduce_window(const hlo_raise_call *c) {
  const hlo_window *window = hlo_instruction_window(c->instruction);
  hlo_raise_attributes list = {.count = 0};
  for (int i = 0; i < window->rank; i++)
    if (window->dims[i].reversal) return hlo_raise_refuse(c, "StableHLO has no reversal of windows here");
  push_window(c, &list, true);
  return apply(c, &list);
}

bool hlo_raise_select_and_scatter(const hlo_raise_call *c) {
  const hlo_window *window = hlo_instruction_window(c->instruction);
  hlo_raise_attributes list = {.count = 0};
  for (int i = 0; i < window->rank; i++)
    if (window->dims[i].base_dilation != 1 || window->dims[i].window_dilation != 1 || window->dims[i].reversal)
      return hlo_raise_refuse(c, "StableHLO has no dilation or reversal of windows here");
  push_window(c, &list, false);
  return with_regions(c, &list, (const hlo_attribute_id[]){HLO_ATTR_select, HLO_ATTR_scatter}, 2);
}

bool hlo_raise_sort(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimension", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_ints(c->instruction, HLO_ATTR_dimensions).data[0]));
  hlo_raise_push(&list, "is_stable", hlo_raise_bool(c->r, hlo_instruction_bool(c->instruction, HLO_ATTR_is_stable, false)));
  return apply(c, &list);
}

/* inputs and then inits in; outputs and then carries out. */
bool hlo_raise_scan(const hlo_raise_call *c) {
  int64_t carries = hlo_instruction_int(c->instruction, HLO_ATTR_num_carries, 0), results;
  int leaves;
  if (!hlo_raise_leaf_shapes(c->r, c->instruction->shape, &leaves)) return false;
  results = leaves;
  int64_t operands[2] = {c->instruction->operand_count - carries, carries}, given[2] = {results - carries, carries};
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "dimension", hlo_raise_int(c->r, HLO_TYPE_S64, hlo_instruction_ints(c->instruction, HLO_ATTR_dimensions).data[0]));
  if (hlo_instruction_bool(c->instruction, HLO_ATTR_is_associative, false)) hlo_raise_push(&list, "is_associative", hlo_raise_bool(c->r, true));
  hlo_raise_push(&list, "is_reverse", hlo_raise_bool(c->r, hlo_instruction_bool(c->instruction, HLO_ATTR_is_reverse, false)));
  hlo_raise_push(&list, "operandSegmentSizes", hlo_raise_array(c->r, HLO_TYPE_S32, operands, 2));
  hlo_raise_push(&list, "resultSegmentSizes", hlo_raise_array(c->r, HLO_TYPE_S32, given, 2));
  return apply(c, &list);
}
