/* Ops whose shapes or paddings are operands, which have to be known: constants, or computed from what is known of the
 * arguments where the module is specialised. */
#include "stablehlo/lower/lower.h"

/* Where nothing is inferred, the type has to say what the result is. */
static bool known(const hlo_lower_call *c) {
  const hlo_shape *shape = hlo_lower_result_shape(c, 0);
  if (shape && !c->l->refines && !hlo_shape_is_static(shape))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "its result %pS has no known shape; specialise the module to real shapes", shape);
  return shape != NULL;
}

static bool known_list(const hlo_lower_call *c, int i, const char *what, int count, hlo_ints *values) {
  return hlo_lower_known_ints(c, i, what, values) &&
         (values->count == count ||
             hlo_lower_fail(c, HLO_SHAPE, "operand %d, %s, must have %d values, got %d", i, what, count, values->count));
}

/* The rule for an op whose operand `operand` gives the shape of its result. */
static bool sized(const hlo_lower_call *c, int operand, hlo_lower_rule *rule) {
  const hlo_shape *settled;
  hlo_lower_call inner = *c;
  if (!hlo_lower_sized_result(c, 0, operand, &settled)) return false;
  inner.settled = &settled;
  return rule(&inner);
}

static bool reshape(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0);
  return operand >= 0 && hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_RESHAPE, hlo_lower_result_shape(c, 0), &operand, 1, NULL, 0));
}

bool hlo_lower_dynamic_broadcast_in_dim(const hlo_lower_call *c) { return sized(c, 1, hlo_lower_broadcast_in_dim); }
bool hlo_lower_dynamic_iota(const hlo_lower_call *c) { return sized(c, 0, hlo_lower_iota); }
bool hlo_lower_dynamic_reshape(const hlo_lower_call *c) { return sized(c, 1, reshape); }

bool hlo_lower_dynamic_pad(const hlo_lower_call *c) {
  hlo_ints low, high, interior;
  const int *operands = known(c) ? hlo_lower_operands(c, 0, 2) : NULL;
  if (!operands) return false;
  int rank = hlo_lower_shape_of(c, operands[0])->rank;
  if (!known_list(c, 2, "edge_padding_low", rank, &low) || !known_list(c, 3, "edge_padding_high", rank, &high) ||
      !known_list(c, 4, "interior_padding", rank, &interior))
    return false;
  return hlo_lower_padded(c, operands, low, high, interior);
}

bool hlo_lower_dynamic_conv(const hlo_lower_call *c) {
  hlo_ints padding;
  return known(c) && hlo_lower_known_ints(c, 2, "padding", &padding) && hlo_lower_convolution_padded(c, padding);
}

/* What does not depend on the sizes is checked before they are known: with windows of none, and a result of its rank only. */
static bool check_gather(const hlo_lower_call *c) {
  const hlo_shape *declared = hlo_lower_result_shape(c, 0);
  int operand = hlo_lower_operand(c, 0);
  if (!declared || operand < 0) return false;
  hlo_ints none = {.count = hlo_lower_shape_of(c, operand)->rank};
  int64_t sizes[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  for (int i = 0; i < HLO_MAX_RANK; i++) sizes[i] = HLO_UNKNOWN_SIZE, kinds[i] = HLO_DIM_UNBOUNDED;
  const hlo_shape *open = hlo_shape_make_dynamic(c->l->arena, declared->type, sizes, kinds, declared->rank, c->l->status);
  hlo_lower_call inner = *c;
  inner.settled = &open;
  return open && (none.data = hlo_arena_many(c->l->arena, int64_t, none.count, c->l->status)) && hlo_lower_gather_sized(&inner, none);
}

bool hlo_lower_dynamic_gather(const hlo_lower_call *c) {
  hlo_ints sizes;
  int operand = hlo_lower_operand(c, 2);
  if (operand >= 0 && !c->l->refines && !hlo_lower_constant_of(c->computation, operand) && !check_gather(c)) return false;
  return hlo_lower_known_ints(c, 2, "slice_sizes", &sizes) && hlo_lower_gather_sized(c, sizes);
}

/* Element i of an array of starts, as a scalar. */
static int start_at(const hlo_lower_call *c, int starts, int64_t i) {
  hlo_slice *slice = hlo_arena_new(c->l->arena, hlo_slice, c->l->status);
  hlo_slice_dim *dim = hlo_arena_new(c->l->arena, hlo_slice_dim, c->l->status);
  const hlo_shape *scalar = hlo_shape_make_scalar(c->l->arena, hlo_lower_shape_of(c, starts)->type, c->l->status);
  if (!slice || !dim || !scalar) return -1;
  *dim = (hlo_slice_dim){i, i + 1, 1};
  *slice = (hlo_slice){1, dim};
  hlo_attribute attribute = {.id = HLO_ATTR_slice, .slice = slice};
  int one = hlo_lower_emit(c, HLO_OP_SLICE, NULL, &starts, 1, &attribute, 1);
  return one < 0 ? -1 : hlo_lower_emit(c, HLO_OP_RESHAPE, scalar, &one, 1, NULL, 0);
}

/* Whether two instructions have the same value because they compute it alike. `budget` bounds the comparisons. */
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

/* What is added to the starts to give the limits, where that is known. */
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
  if (operand >= 0 && !hlo_lower_constant_of(c->computation, operand)) hlo_lower_want(c, operand);
}

/* Sizes of a slice whose starts are not known: of the result's type, else from limits that are starts + sizes. */
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

static bool lower_moving_slice(const hlo_lower_call *c, int operand, int starts, hlo_ints strides) {
  int rank = strides.count;
  int *operands = hlo_arena_many(c->l->arena, int, rank + 1, c->l->status);
  int64_t *sizes = hlo_arena_many(c->l->arena, int64_t, rank, c->l->status);
  if (!operands || !sizes || !slice_sizes(c, starts, sizes, rank)) return false;
  operands[0] = operand;
  for (int i = 0; i < rank; i++) {
    if (strides.data[i] != 1) {
      want_operand(c, 1);
      return hlo_lower_fail(c, HLO_UNSUPPORTED, "strides other than 1 where start_indices are not known");
    }
    if ((operands[i + 1] = start_at(c, starts, i)) < 0) return false;
  }
  hlo_attribute attribute = hlo_lower_ints(HLO_ATTR_dynamic_slice_sizes, (hlo_ints){sizes, rank});
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_DYNAMIC_SLICE, hlo_lower_result_shape(c, 0), operands, rank + 1, &attribute, 1));
}

/* With known starts and limits a slice; else the starts are read when it runs, and only sizes have to be known. */
bool hlo_lower_real_dynamic_slice(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0), starts = hlo_lower_operand(c, 1), limits = hlo_lower_operand(c, 2);
  if (operand < 0 || starts < 0 || limits < 0 || !known(c)) return false;
  int rank = hlo_lower_shape_of(c, operand)->rank;
  hlo_ints first, last, strides;
  if (!known_list(c, 3, "strides", rank, &strides)) return false;
  if (!hlo_lower_constant_of(c->computation, starts) || !hlo_lower_constant_of(c->computation, limits)) return lower_moving_slice(c, operand, starts, strides);
  if (!known_list(c, 1, "start_indices", rank, &first) || !known_list(c, 2, "limit_indices", rank, &last)) return false;
  hlo_slice *slice = hlo_arena_new(c->l->arena, hlo_slice, c->l->status);
  hlo_slice_dim *dims = hlo_arena_many(c->l->arena, hlo_slice_dim, rank, c->l->status);
  if (!slice || !dims) return false;
  for (int i = 0; i < rank; i++) dims[i] = (hlo_slice_dim){first.data[i], last.data[i], strides.data[i]};
  *slice = (hlo_slice){rank, dims};
  hlo_attribute attribute = {.id = HLO_ATTR_slice, .slice = slice};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_SLICE, hlo_lower_result_shape(c, 0), &operand, 1, &attribute, 1));
}
