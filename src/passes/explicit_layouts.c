/* Replaces bitcasts by reshapes and transposes. Then no instruction depends on layouts, and they are removed: arrays are row-major within
 * the module. */
#include "base/status.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* Transposes to the order in memory: dimension k of the result is dimension order[k] of the array. */
static void physical_order(const hlo_shape *shape, int64_t *order) {
  for (int k = 0; k < shape->rank; k++) order[k] = shape->layout ? shape->layout->minor_to_major[shape->rank - 1 - k] : k;
}

static int bitcast(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape *from = hlo_input(r, i, 0)->shape, *to = i->shape;
  int bits = hlo_type_bits(from->type);
  if (!hlo_is_plain(r, i) || !hlo_is_order(from->layout) || !hlo_is_order(to->layout)) return HLO_KEEP;
  bool narrows = bits == 8 && hlo_type_is_integral(from->type) && hlo_type_is_nibble(to->type); /* the upper bits are lost */
  if (bits < 8 || (bits != hlo_type_bits(to->type) && !narrows)) return HLO_KEEP;
  if (hlo_type_is_complex(from->type) != hlo_type_is_complex(to->type)) return HLO_KEEP;
  int64_t order[HLO_MAX_RANK], inverse[HLO_MAX_RANK], dims[HLO_MAX_RANK];
  physical_order(from, order);
  int value = hlo_add_transpose(r, i->operands[0], order, from->rank);
  if (narrows) value = hlo_add_convert(r, value, to->type);
  else if (from->type != to->type && value >= 0)
    value = hlo_add(r, HLO_OP_BITCAST_CONVERT, hlo_shape_for(r, to->type, hlo_rewriter_value(r, value)->shape->dims, from->rank), &value, 1, NULL, 0);
  physical_order(to, order);
  for (int k = 0; k < to->rank; k++) {
    dims[k] = to->dims[order[k]];
    inverse[order[k]] = k;
  }
  return hlo_add_transpose(r, hlo_add_reshape(r, value, hlo_shape_for(r, to->type, dims, to->rank)), inverse, to->rank);
}

int hlo_explicit_layouts(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_BITCAST) {
    int value = bitcast(r, i);
    if (value >= 0 || !hlo_ok(r->status)) return value;
  }
  if (r->layouts_matter || hlo_is_row_major(i->shape)) return HLO_KEEP;
  const hlo_shape *shape = hlo_shape_without_layouts(&r->module->arena, i->shape, r->status);
  return shape ? hlo_add_like(r, i, shape, i->operands) : HLO_KEEP;
}
