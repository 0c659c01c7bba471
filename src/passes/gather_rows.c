#include "passes/gather_rows.h"

#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum { MOST_STEPS = 12 }; /* from the gather to the stored elements */

/* Returns whether the gather takes whole entries along the first dimension, with those of the result behind the batch. */
static bool takes_rows(const hlo_instruction *gather, const hlo_shape *table) {
  hlo_ints offsets = *hlo_instruction_ints(gather, HLO_ATTR_offset_dims), sizes = *hlo_instruction_ints(gather, HLO_ATTR_slice_sizes);
  hlo_ints collapsed = *hlo_instruction_ints(gather, HLO_ATTR_collapsed_slice_dims), map = *hlo_instruction_ints(gather, HLO_ATTR_start_index_map);
  if (hlo_instruction_ints(gather, HLO_ATTR_operand_batching_dims)->count) return false;
  if (collapsed.count != 1 || collapsed.data[0] != 0 || map.count != 1 || map.data[0] != 0 || sizes.data[0] != 1) return false;
  for (int d = 1; d < table->rank; d++)
    if (sizes.data[d] != table->dims[d] || offsets.data[d - 1] != gather->shape->rank - table->rank + d) return false;
  return true;
}

static bool is_step(const hlo_rewriter *r, const hlo_instruction *i, int steps) {
  if (steps == 0 || i->shape->rank == 0 || !hlo_is_plain(r, i) || hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return false;
  switch (i->opcode) {
  case HLO_OP_CONVERT: case HLO_OP_MULTIPLY: case HLO_OP_ADD: case HLO_OP_SUBTRACT: return true;
  case HLO_OP_RESHAPE: {
    const hlo_shape *from = hlo_input(r, i, 0)->shape;
    return from->rank > 0 && from->dims[0] == i->shape->dims[0];
  }
  case HLO_OP_BROADCAST: {
    hlo_ints to = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
    for (int d = 1; d < to.count; d++)
      if (to.data[d] == 0) return false;
    return true;
  }
  default: return false;
  }
}

static bool widens(const hlo_rewriter *r, int index, int steps) {
  const hlo_instruction *i = hlo_rewriter_value(r, index);
  if (!is_step(r, i, steps)) return false;
  if (i->opcode == HLO_OP_CONVERT && hlo_type_bits(hlo_input(r, i, 0)->shape->type) < hlo_type_bits(i->shape->type)) return true;
  for (int n = 0; n < i->operand_count; n++)
    if (widens(r, i->operands[n], steps - 1)) return true;
  return false;
}

/* Adds the gather of an array with as many rows as the table. */
static int gather_of(hlo_rewriter *r, const hlo_instruction *gather, int array, int batch) {
  const hlo_shape *shape = hlo_rewriter_value(r, array)->shape;
  int64_t sizes[HLO_MAX_RANK] = {1}, offsets[HLO_MAX_RANK], first = 0;
  for (int d = 1; d < shape->rank; d++) sizes[d] = shape->dims[d], offsets[d - 1] = batch + d - 1;
  const hlo_attribute attributes[] = {
      hlo_ints_attribute(r, HLO_ATTR_offset_dims, offsets, shape->rank - 1), hlo_ints_attribute(r, HLO_ATTR_collapsed_slice_dims, &first, 1),
      hlo_ints_attribute(r, HLO_ATTR_start_index_map, &first, 1), *hlo_instruction_attribute(gather, HLO_ATTR_index_vector_dim),
      hlo_ints_attribute(r, HLO_ATTR_slice_sizes, sizes, shape->rank)};
  return hlo_add(r, HLO_OP_GATHER, NULL, (int[]){array, gather->operands[1]}, 2, attributes, 5);
}

/* Adds what the gather takes of an array. */
static int take(hlo_rewriter *r, const hlo_instruction *gather, int array, int batch, int steps) {
  const hlo_instruction *i = array < 0 ? NULL : hlo_rewriter_value(r, array);
  if (!i || batch + i->shape->rank - 1 > HLO_MAX_RANK) return HLO_KEEP;
  if (!is_step(r, i, steps)) return gather_of(r, gather, array, batch);
  int64_t dims[HLO_MAX_RANK], to[HLO_MAX_RANK];
  int rank = batch + i->shape->rank - 1, operands[2], count = 0;
  for (int d = 0; d < rank; d++) dims[d] = d < batch ? gather->shape->dims[d] : i->shape->dims[d - batch + 1];
  const hlo_shape *shape = hlo_shape_for(r, i->shape->type, dims, rank);
  if (i->opcode == HLO_OP_BROADCAST) {
    hlo_ints from = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
    bool has_rows = from.count && from.data[0] == 0;
    for (int d = 0; has_rows && d < batch; d++) to[count++] = d;
    for (int d = has_rows ? 1 : 0; d < from.count; d++) to[count++] = from.data[d] + batch - 1;
    return hlo_add_broadcast(r, has_rows ? take(r, gather, i->operands[0], batch, steps - 1) : i->operands[0], shape, to);
  }
  for (int n = 0; n < i->operand_count; n++) {
    operands[n] = take(r, gather, i->operands[n], batch, steps - 1);
    if (operands[n] < 0) return HLO_KEEP;
  }
  return i->opcode == HLO_OP_RESHAPE ? hlo_add_reshape(r, operands[0], shape) : hlo_add_like(r, i, shape, operands);
}

int hlo_gather_rows(hlo_rewriter *r, const hlo_instruction *gather) {
  const hlo_shape *table = hlo_input(r, gather, 0)->shape;
  if (table->rank == 0 || hlo_shape_element_count(gather->shape) >= hlo_shape_element_count(table) || !takes_rows(gather, table)) return HLO_KEEP;
  if (!widens(r, gather->operands[0], MOST_STEPS)) return HLO_KEEP;
  return take(r, gather, gather->operands[0], gather->shape->rank - table->rank + 1, MOST_STEPS);
}
