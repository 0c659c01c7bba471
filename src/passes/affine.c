#include "passes/affine.h"

#include <math.h>

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "passes/integer_range.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"

enum { MOST_LITERAL = 1 << 16 /* elements of a constant that is looked through */ };
#define EXACT 0x1p52 /* whole numbers below are exact as a double */

hlo_integer_range hlo_affine_range_of(const hlo_shape *shape, const hlo_affine *a) {
  hlo_integer_range found = {a->first, a->first};
  for (int d = 0; d < shape->rank; d++) {
    double reach = a->steps[d] * (double)(shape->dims[d] - 1);
    if (reach < 0) found.least += reach;
    else found.most += reach;
  }
  return found;
}

/* Returns whether no integer leaves its type. */
static bool fits(const hlo_shape *shape, const hlo_affine *a) {
  hlo_integer_range found = hlo_affine_range_of(shape, a);
  bool is_signed = hlo_type_is_signed(shape->type);
  double limit = fmin(ldexp(1, hlo_type_bits(shape->type) - is_signed), EXACT);
  return found.least >= (is_signed ? -limit : 0) && found.most < limit;
}

static hlo_affine sum(const hlo_affine *a, const hlo_affine *b, double factor) {
  hlo_affine made = {a->first + factor * b->first, {0}};
  for (int d = 0; d < HLO_MAX_RANK; d++) made.steps[d] = a->steps[d] + factor * b->steps[d];
  return made;
}

static hlo_affine scaled(const hlo_affine *a, double factor) { return sum(&(hlo_affine){0}, a, factor); }

static bool is_constant(const hlo_affine *a) {
  for (int d = 0; d < HLO_MAX_RANK; d++)
    if (a->steps[d]) return false;
  return true;
}

/* ---- What indices are made of ---- */

static double number_at(const hlo_literal *literal, int64_t index) {
  hlo_scalar value = hlo_literal_get(literal, index);
  return hlo_type_is_signed(literal->shape->type) ? (double)value.s : (double)value.u;
}

static bool of_literal(const hlo_literal *literal, hlo_affine *a) {
  const hlo_shape *shape = literal->shape;
  int64_t count = hlo_shape_element_count(shape), place = 1, index[HLO_MAX_RANK] = {0};
  if (literal->shared || count > MOST_LITERAL) return false;
  a->first = number_at(literal, 0);
  for (int d = shape->rank - 1; d >= 0; place *= shape->dims[d--])
    if (shape->dims[d] > 1) a->steps[d] = number_at(literal, place) - a->first;
  for (int64_t n = 0; n < count; n++) {
    double expected = a->first;
    for (int d = 0; d < shape->rank; d++) expected += a->steps[d] * (double)index[d];
    if (number_at(literal, n) != expected) return false;
    for (int d = shape->rank - 1; d >= 0 && ++index[d] == shape->dims[d]; d--) index[d] = 0;
  }
  return true;
}

/* Gives the dimensions of `to` steps, where those of `from` have them. Both are cut into parts of as many elements, through which the integers
 * must grow in one step. */
static bool of_reshaped(const hlo_shape *from, const hlo_affine *a, const hlo_shape *to, hlo_affine *made) {
  made->first = a->first;
  for (int f = from->rank - 1, t = to->rank - 1; f >= 0 && t >= 0;) {
    if (from->dims[f] == 1 || to->dims[t] == 1) {
      if (from->dims[f] == 1) f--;
      else t--;
      continue;
    }
    double step = a->steps[f];
    for (int64_t have = 1, want = 1; have == 1 || have != want;) {
      if (have <= want) {
        if (from->dims[f] > 1 && a->steps[f] != step * (double)have) return false;
        have *= from->dims[f--];
      } else {
        if (to->dims[t] > 1) made->steps[t] = step * (double)want;
        want *= to->dims[t--];
      }
    }
  }
  return true;
}

static bool of_operation(const hlo_rewriter *r, const hlo_instruction *i, int *looks, hlo_affine *made) {
  hlo_affine of[2] = {0};
  const hlo_shape *first = i->operand_count ? hlo_input(r, i, 0)->shape : NULL;
  if (i->opcode == HLO_OP_IOTA) {
    int64_t d = hlo_instruction_int(i, HLO_ATTR_iota_dimension, 0);
    made->steps[d] = i->shape->dims[d] > 1;
    return true;
  }
  switch (i->opcode) {
  case HLO_OP_ADD: case HLO_OP_SUBTRACT: case HLO_OP_MULTIPLY: case HLO_OP_NEGATE: case HLO_OP_CONVERT: case HLO_OP_BROADCAST: case HLO_OP_RESHAPE: case HLO_OP_TRANSPOSE: case HLO_OP_REVERSE: case HLO_OP_SLICE: break;
  default: return false;
  }
  for (int n = 0; n < i->operand_count; n++)
    if (!hlo_find_affine(r, i->operands[n], looks, &of[n])) return false;
  hlo_ints dimensions = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  switch (i->opcode) {
  case HLO_OP_ADD: *made = sum(&of[0], &of[1], 1); return true;
  case HLO_OP_SUBTRACT: *made = sum(&of[0], &of[1], -1); return true;
  case HLO_OP_NEGATE: *made = scaled(&of[0], -1); return true;
  case HLO_OP_CONVERT: *made = of[0]; return true;
  case HLO_OP_MULTIPLY:
    if (!is_constant(&of[0]) && !is_constant(&of[1])) return false;
    *made = is_constant(&of[0]) ? scaled(&of[1], of[0].first) : scaled(&of[0], of[1].first);
    return true;
  case HLO_OP_RESHAPE: return of_reshaped(first, &of[0], i->shape, made);
  default: break;
  }
  made->first = of[0].first;
  switch (i->opcode) {
  case HLO_OP_BROADCAST:
    for (int d = 0; d < dimensions.count; d++) made->steps[dimensions.data[d]] = of[0].steps[d];
    break;
  case HLO_OP_TRANSPOSE:
    for (int d = 0; d < dimensions.count; d++) made->steps[d] = of[0].steps[dimensions.data[d]];
    break;
  case HLO_OP_REVERSE:
    *made = of[0];
    for (int n = 0; n < dimensions.count; n++) {
      int64_t d = dimensions.data[n];
      made->first += made->steps[d] * (double)(i->shape->dims[d] - 1);
      made->steps[d] *= -1;
    }
    break;
  default: { /* a slice */
    const hlo_slice *slice = hlo_instruction_attribute(i, HLO_ATTR_slice)->slice;
    for (int d = 0; d < slice->rank; d++) {
      made->first += of[0].steps[d] * (double)slice->dims[d].start;
      made->steps[d] = i->shape->dims[d] > 1 ? of[0].steps[d] * (double)slice->dims[d].stride : 0;
    }
  }
  }
  return true;
}

bool hlo_find_affine(const hlo_rewriter *r, int index, int *looks, hlo_affine *a) {
  const hlo_instruction *i = hlo_rewriter_value(r, index);
  hlo_scalar value;
  *a = (hlo_affine){0};
  if (--*looks < 0 || !hlo_is_plain(r, i) || !hlo_type_is_integral(i->shape->type) || hlo_shape_element_count(i->shape) == 0) return false;
  if (hlo_splat_of(r, index, &value)) {
    a->first = hlo_type_is_signed(i->shape->type) ? (double)value.s : (double)value.u;
  } else {
    const hlo_literal *literal = hlo_constant_of(r, index);
    if (literal ? !of_literal(literal, a) : !of_operation(r, i, looks, a)) return false;
  }
  return fits(i->shape, a);
}
