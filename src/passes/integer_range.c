#include "passes/integer_range.h"

#include <math.h>

#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/element_type.h"
#include "shape/shape.h"

enum { MOST_LOOKS = 24 /* at instructions */ };
#define EXACT 0x1p52 /* whole numbers below are exact as a double */

static hlo_integer_range range_of_type(hlo_type type) {
  if (type == HLO_TYPE_PRED) return (hlo_integer_range){0, 1};
  bool is_signed = hlo_type_is_signed(type);
  double end = ldexp(1, hlo_type_bits(type) - is_signed);
  return (hlo_integer_range){is_signed ? -end : 0, end - 1};
}

/* The range from least to most; that of the whole type, if an operation may leave the type and so wrap around. */
static hlo_integer_range within(hlo_type type, double least, double most) {
  hlo_integer_range all = range_of_type(type);
  return least < all.least || most > all.most || least < -EXACT || most > EXACT ? all : (hlo_integer_range){least, most};
}

static double shifted(double value, double count) { return floor(ldexp(value, -(int)count)); }

static hlo_integer_range range_of(const hlo_rewriter *r, int value, int *looks);

/* A quotient, a remainder, or what is shifted to the right, by a constant. */
static hlo_integer_range by_constant(const hlo_instruction *i, hlo_integer_range a, double by) {
  hlo_type type = i->shape->type;
  bool is_count = by >= 0 && by < hlo_type_bits(type);
  switch (i->opcode) {
  case HLO_OP_DIVIDE: return by > 0 ? within(type, trunc(a.least / by), trunc(a.most / by)) : range_of_type(type);
  case HLO_OP_REMAINDER:
    by = fabs(by) - 1;
    return by >= 0 ? within(type, a.least < 0 ? fmax(a.least, -by) : 0, a.most > 0 ? fmin(a.most, by) : 0) : range_of_type(type);
  default:
    if (!is_count || (i->opcode == HLO_OP_SHIFT_RIGHT_LOGICAL ? a.least < 0 : hlo_type_is_unsigned(type))) return range_of_type(type);
    return within(type, shifted(a.least, by), shifted(a.most, by));
  }
}

static hlo_integer_range of_two(const hlo_instruction *i, hlo_integer_range a, hlo_integer_range b) {
  hlo_type type = i->shape->type;
  switch (i->opcode) {
  case HLO_OP_ADD: return within(type, a.least + b.least, a.most + b.most);
  case HLO_OP_SUBTRACT: return within(type, a.least - b.most, a.most - b.least);
  case HLO_OP_MULTIPLY: {
    double products[] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most}, least = products[0], most = products[0];
    for (int n = 1; n < 4; n++) least = fmin(least, products[n]), most = fmax(most, products[n]);
    return within(type, least, most);
  }
  case HLO_OP_MAXIMUM: return (hlo_integer_range){fmax(a.least, b.least), fmax(a.most, b.most)};
  case HLO_OP_MINIMUM: return (hlo_integer_range){fmin(a.least, b.least), fmin(a.most, b.most)};
  case HLO_OP_AND:
    if (a.least < 0 && b.least < 0) return range_of_type(type);
    return (hlo_integer_range){0, a.least < 0 ? b.most : b.least < 0 ? a.most : fmin(a.most, b.most)};
  default: return b.least == b.most ? by_constant(i, a, b.least) : range_of_type(type);
  }
}

static hlo_integer_range range_of(const hlo_rewriter *r, int value, int *looks) {
  const hlo_instruction *i = hlo_rewriter_value(r, value);
  hlo_type type = i->shape->type;
  hlo_integer_range all = range_of_type(type), found = all;
  hlo_scalar known;
  if (--*looks < 0 || !hlo_is_plain(r, i)) return all;
  if (hlo_splat_of(r, value, &known)) {
    double number = hlo_type_is_signed(type) ? (double)known.s : (double)known.u;
    return fabs(number) > EXACT ? all : (hlo_integer_range){number, number};
  }
  switch (i->opcode) {
  case HLO_OP_IOTA: return within(type, 0, (double)(i->shape->dims[hlo_instruction_int(i, HLO_ATTR_iota_dimension, 0)] - 1));
  case HLO_OP_POPCNT: case HLO_OP_COUNT_LEADING_ZEROS: return within(type, 0, hlo_type_bits(type));
  case HLO_OP_SIGN: return within(type, hlo_type_is_signed(type) ? -1 : 0, 1);
  case HLO_OP_CONVERT: {
    hlo_type from = hlo_input(r, i, 0)->shape->type;
    if (!hlo_type_is_integral(from) && from != HLO_TYPE_PRED) return all;
    found = range_of(r, i->operands[0], looks);
    return within(type, found.least, found.most);
  }
  case HLO_OP_BROADCAST: case HLO_OP_RESHAPE: case HLO_OP_TRANSPOSE: case HLO_OP_SLICE: case HLO_OP_REVERSE: case HLO_OP_COPY: case HLO_OP_DYNAMIC_SLICE: case HLO_OP_GATHER:
    return range_of(r, i->operands[0], looks);
  case HLO_OP_SELECT: {
    hlo_integer_range a = range_of(r, i->operands[1], looks), b = range_of(r, i->operands[2], looks);
    return (hlo_integer_range){fmin(a.least, b.least), fmax(a.most, b.most)};
  }
  case HLO_OP_ADD: case HLO_OP_SUBTRACT: case HLO_OP_MULTIPLY: case HLO_OP_MAXIMUM: case HLO_OP_MINIMUM: case HLO_OP_AND: case HLO_OP_DIVIDE: case HLO_OP_REMAINDER:
  case HLO_OP_SHIFT_RIGHT_LOGICAL: case HLO_OP_SHIFT_RIGHT_ARITHMETIC:
    found = range_of(r, i->operands[0], looks);
    return of_two(i, found, range_of(r, i->operands[1], looks));
  default: return all;
  }
}

hlo_integer_range hlo_integer_range_of(const hlo_rewriter *r, int value) {
  int looks = MOST_LOOKS;
  return range_of(r, value, &looks);
}
