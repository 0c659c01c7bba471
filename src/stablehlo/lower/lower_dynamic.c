/* Lowers ops whose shapes or paddings are operands. These must be known: constants, or, when the module is specialised, computed
 * from what is known of the arguments. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"

/* Returns whether the result's shape is known: if nothing is inferred, its type must give it. */
static bool known(const hlo_lower_call *c) {
  const hlo_shape *shape = hlo_lower_result_shape(c, 0);
  if (shape && !c->l->refines && !hlo_shape_is_static(shape))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "its result %pS has no known shape; specialise the module to real shapes", shape);
  return shape != NULL;
}

/* Applies `rule` to an op whose operand `operand` gives the shape of its result. */
bool hlo_lower_with_shape_operand(const hlo_lower_call *c, int operand, hlo_lower_rule *rule) {
  const hlo_shape *settled;
  hlo_lower_call inner = *c;
  if (!hlo_lower_sized_result(c, 0, operand, &settled)) return false;
  inner.known = (const char *const[]){NULL};
  inner.first_known = operand;
  inner.settled = &settled;
  return rule(&inner);
}

bool hlo_lower_dynamic_broadcast_in_dim(const hlo_lower_call *c) { return hlo_lower_with_shape_operand(c, 1, hlo_lower_broadcast_in_dim); }
bool hlo_lower_dynamic_iota(const hlo_lower_call *c) { return hlo_lower_with_shape_operand(c, 0, hlo_lower_formed); }
bool hlo_lower_dynamic_reshape(const hlo_lower_call *c) { return hlo_lower_with_shape_operand(c, 1, hlo_lower_formed); }

bool hlo_lower_dynamic_pad(const hlo_lower_call *c) {
  static const char *const names[] = {"edge_padding_low", "edge_padding_high", "interior_padding", NULL};
  return known(c) && hlo_lower_with_known_operands(c, HLO_OP_PAD, 2, names);
}

bool hlo_lower_dynamic_conv(const hlo_lower_call *c) {
  static const char *const names[] = {"padding", NULL};
  return known(c) && hlo_lower_with_known_operands(c, HLO_OP_CONVOLUTION, 2, names);
}

static bool gather(const hlo_lower_call *c) {
  static const char *const names[] = {"slice_sizes", NULL};
  return hlo_lower_with_known_operands(c, HLO_OP_GATHER, 2, names);
}

/* Checks what does not depend on the slice sizes before they are known: with empty windows, and only the result's rank. */
static bool check_gather(const hlo_lower_call *c) {
  const hlo_shape *declared = hlo_lower_result_shape(c, 0);
  const int *operands = hlo_lower_operands(c, 0, 3);
  int64_t sizes[HLO_MAX_RANK], rank = operands ? hlo_lower_shape_of(c, operands[0])->rank : 0;
  uint8_t kinds[HLO_MAX_RANK];
  if (!declared || !operands) return false;
  for (int i = 0; i < HLO_MAX_RANK; i++) sizes[i] = HLO_UNKNOWN_SIZE, kinds[i] = HLO_DIM_UNBOUNDED;
  const hlo_shape *open = hlo_shape_make_dynamic(c->l->arena, declared->type, sizes, kinds, declared->rank, c->l->status);
  const hlo_shape *shape = open ? hlo_shape_make(c->l->arena, HLO_TYPE_S64, &rank, 1, c->l->status) : NULL;
  hlo_attribute none = {.id = HLO_ATTR_literal, .literal = shape ? hlo_literal_make(c->l->arena, shape, c->l->status) : NULL};
  int given[] = {operands[0], operands[1], none.literal ? hlo_lower_emit(c, HLO_OP_CONSTANT, shape, NULL, 0, &none, 1) : -1};
  hlo_lower_call inner = *c;
  inner.given = given;
  inner.settled = &open;
  return given[2] >= 0 && gather(&inner);
}

bool hlo_lower_dynamic_gather(const hlo_lower_call *c) {
  int sizes = hlo_lower_operand(c, 2);
  bool open = sizes >= 0 && !c->l->refines && !hlo_lower_constant_of(c->computation, sizes);
  return (!open || check_gather(c)) && gather(c);
}

/* Makes a scalar of element i of an array of starts. */
static int start_at(const hlo_lower_call *c, int starts, int64_t i) {
  const hlo_shape *scalar = hlo_shape_make_scalar(c->l->arena, hlo_lower_shape_of(c, starts)->type, c->l->status);
  const int64_t from = i, size = 1;
  int one = scalar ? hlo_lower_slice(c, starts, 1, &from, &size) : -1;
  return one < 0 ? -1 : hlo_lower_emit(c, HLO_OP_RESHAPE, scalar, &one, 1, NULL, 0);
}

/* Returns whether two instructions compute the same value in the same way. `budget` bounds the number of comparisons. */
static bool same_value(const hlo_computation *computation, int a, int b, int *budget) {
  const hlo_instruction *x = computation->instructions[a], *y = computation->instructions[b];
  if (a == b) return true;
  if (--*budget < 0 || x->opcode != y->opcode || x->opcode == HLO_OP_PARAMETER || !hlo_shape_compatible(x->shape, y->shape)) return false;
  if (hlo_op_has(x->opcode, HLO_FLAG_RANDOM) || hlo_op_has(x->opcode, HLO_FLAG_SIDE_EFFECT) || hlo_op_has(x->opcode, HLO_FLAG_CALLS)) return false;
  if (x->operand_count != y->operand_count || x->attribute_count != y->attribute_count) return false;
  for (int i = 0; i < x->attribute_count; i++)
    if (!hlo_attribute_equal(&x->attributes[i], &y->attributes[i])) return false;
  for (int i = 0; i < x->operand_count; i++)
    if (!same_value(computation, x->operands[i], y->operands[i], budget)) return false;
  return true;
}

/* Returns what was added to the starts to compute the limits, if that is a constant. */
static const hlo_literal *added_to_starts(const hlo_lower_call *c, int starts, const hlo_instruction *limits) {
  enum { MAX_COMPARISONS = 1000 };
  for (int i = 0; i < 2 && limits->opcode == HLO_OP_ADD; i++) {
    const hlo_literal *added = hlo_lower_constant_of(c->computation, limits->operands[1 - i]);
    int budget = MAX_COMPARISONS;
    if (added && same_value(c->computation, limits->operands[i], starts, &budget)) return added;
  }
  return NULL;
}

static void want_operand(const hlo_lower_call *c, int i) {
  int operand = hlo_lower_operand(c, i);
  if (operand >= 0 && !hlo_lower_constant_of(c->computation, operand)) hlo_lower_want_arguments(c, operand);
}

/* Finds the sizes of a slice whose starts are not known: those of the result's type, or the constant in limits = starts + sizes. */
static bool slice_sizes(const hlo_lower_call *c, int starts, int64_t *sizes, int rank) {
  const hlo_shape *declared = hlo_lower_result_shape(c, 0);
  const hlo_literal *added = added_to_starts(c, starts, c->computation->instructions[hlo_lower_operand(c, 2)]);
  for (int i = 0; i < rank; i++) {
    bool said = hlo_shape_dim_kind(declared, i) == HLO_DIM_STATIC;
    if (!said && !added) {
      for (int k = 1; k <= 2; k++) want_operand(c, k);
      return hlo_lower_fail(c, HLO_UNSUPPORTED,
          "the size of its result %pS in dimension %d is not known: operands 1 and 2, start_indices and limit_indices, depend on values",
          declared, i);
    }
    sizes[i] = said ? declared->dims[i] : hlo_literal_get(added, i).s;
  }
  return true;
}

static bool lower_moving_slice(const hlo_lower_call *c, int operand, int starts) {
  int rank = hlo_lower_shape_of(c, operand)->rank;
  hlo_ints strides;
  if (!hlo_lower_known_ints(c, 3, "strides", &strides)) return false;
  int *operands = hlo_arena_many(c->l->arena, int, rank + 1, c->l->status);
  int64_t *sizes = hlo_arena_many(c->l->arena, int64_t, rank, c->l->status);
  if (!operands || !sizes || !slice_sizes(c, starts, sizes, rank)) return false;
  operands[0] = operand;
  for (int i = 0; i < rank; i++) {
    if (i < strides.count && strides.data[i] != 1) {
      want_operand(c, 1);
      return hlo_lower_fail(c, HLO_UNSUPPORTED, "strides other than 1 where start_indices are not known");
    }
    if ((operands[i + 1] = start_at(c, starts, i)) < 0) return false;
  }
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_dynamic_slice_sizes, (hlo_ints){sizes, rank});
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_DYNAMIC_SLICE, hlo_lower_result_shape(c, 0), operands, rank + 1, &attribute, 1));
}

/* Known starts and limits make a slice. Otherwise the starts are read at run time, and only the sizes have to be known. */
bool hlo_lower_real_dynamic_slice(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0), starts = hlo_lower_operand(c, 1), limits = hlo_lower_operand(c, 2);
  if (operand < 0 || starts < 0 || limits < 0 || !known(c)) return false;
  if (!hlo_lower_constant_of(c->computation, starts) || !hlo_lower_constant_of(c->computation, limits))
    return lower_moving_slice(c, operand, starts);
  return hlo_lower_with_known_operands(c, HLO_OP_SLICE, 1, (const char *const[]){"start_indices", "limit_indices", "strides", NULL});
}
