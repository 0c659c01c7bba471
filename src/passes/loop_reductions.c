/* Writes reductions to few results, by a computation that no kernel knows, as loops over their elements, in their order: a loop is emitted
 * whole, where the kernel of any computation goes through a list of operations for each element.
 *
 *   reduce(x), x: f32[4096] -> while (i < 4096) result = f(result, x[i++]) */
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/elementwise/applied_program.h"
#include "kernels/reduce/applied_fold.h"
#include "loops/applied_program_make.h"
#include "loops/scalar_ops.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

enum {
  MOST_PARTS = 8,       /* arrays that are reduced together */
  MOST_RESULTS = 32,    /* of an array */
  MOST_VALUES = 64,     /* of the computation */
  LEAST_LENGTH = 4      /* elements of a result */
};

typedef struct reduction {
  const hlo_computation *by;
  int parts;
  int64_t length, results; /* elements of a result; results of an array */
  hlo_type types[MOST_PARTS];
  int rank, along; /* of an array, in which neighbouring dimensions that are both reduced, or both kept, are one; the one that is reduced */
  int64_t dims[3]; /* of such an array */
} reduction;

/* Returns whether loops do an operation as fast as kernels do: not that of elements of fewer than eight bits, of powers of two, or of integers raised to a power, nor counts of 64 bits. */
static bool suits_loops(const hlo_instruction *i) {
  hlo_type type = i->shape->type;
  bool is_integral = hlo_type_is_integral(type), counts = i->opcode == HLO_OP_POPCNT || i->opcode == HLO_OP_COUNT_LEADING_ZEROS;
  return (type == HLO_TYPE_PRED || hlo_type_bits(type) >= 8) && type != HLO_TYPE_F8E8M0FNU && !(is_integral && (i->opcode == HLO_OP_POWER || (counts && hlo_type_bits(type) == 64)));
}

/* Returns whether the computation makes scalars of scalars, one operation after another. */
static bool is_of_scalars(const hlo_computation *c) {
  if (c->instruction_count > MOST_VALUES) return false;
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = hlo_instruction_at(c, n);
    if (i->opcode == HLO_OP_TUPLE && n == c->root) continue;
    bool is_known = i->opcode == HLO_OP_PARAMETER || i->opcode == HLO_OP_CONSTANT || hlo_op_has(i->opcode, HLO_FLAG_ELEMENTWISE);
    if (!is_known || !hlo_shape_is_plain(i->shape) || !hlo_shape_is_scalar(i->shape) || !suits_loops(i)) return false;
  }
  return true;
}

/* Returns whether some kernel folds so, and fast: by the operation, by places, or in segments. */
static bool has_kernel(const hlo_rewriter *r, const hlo_instruction *i, const reduction *f) {
  hlo_reduction known;
  hlo_opcode opcode;
  hlo_applied_program program;
  bool is_operation = hlo_computation_is_binary_op(f->by, &opcode), is_long = f->length >= HLO_APPLIED_FOLD_LEAST;
  if (hlo_reduction_for(r->module, r->to, i, &known)) return true;
  if (is_operation && hlo_type_is_complex(f->types[0])) return true;
  if (is_operation && hlo_type_is_integral(f->types[0])) return is_long;
  if (is_operation && opcode == HLO_OP_ADD) return true; /* the reference does not round each */
  if (f->parts > 2 || !hlo_applied_program_make(f->by, &program) || !program.chooses) return false;
  return is_long || (f->parts == 2 && (f->types[1] == HLO_TYPE_S32 || f->types[1] == HLO_TYPE_S64));
}

/* Describes a reduction to few results whose arrays, inits and results have the types of its computation. */
static bool describe(const hlo_rewriter *r, const hlo_instruction *i, reduction *f) {
  const hlo_computation *by = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  int64_t elements = hlo_shape_element_count(hlo_input(r, i, 0)->shape);
  *f = (reduction){.by = by, .parts = i->operand_count / 2, .results = hlo_shape_element_count(hlo_shape_leaf(i->shape, 0))};
  if (!hlo_are_plain(r, i) || f->parts > MOST_PARTS || f->results < 1 || f->results > MOST_RESULTS || elements / f->results < LEAST_LENGTH) return false;
  f->length = elements / f->results;
  if (f->length > INT32_MAX) return false;
  for (int n = 0; n < i->operand_count; n++) {
    hlo_type type = hlo_input(r, i, n)->shape->type;
    if (n < f->parts) f->types[n] = type;
    else if (f->types[n - f->parts] != type) return false;
    if (hlo_instruction_at(by, by->parameters[n])->shape->type != type) return false;
    int part = n % f->parts;
    if (hlo_shape_leaf(i->shape, part)->type != type || hlo_shape_leaf(hlo_computation_root(by)->shape, part)->type != type) return false;
  }
  return is_of_scalars(by);
}

/* ---- The loop ---- */

/* The results have no dimension where there is one of each array. */
static const hlo_shape *results_shape(hlo_rewriter *r, const reduction *f, hlo_type type) { return hlo_shape_for(r, type, &f->results, f->results > 1); }

/* Adds the computation for all results at once. Sets what[n] to part n of what it makes. */
static bool add_applied(hlo_rewriter *r, const reduction *f, const int *arguments, int *what) {
  int map[MOST_VALUES];
  const hlo_computation *c = f->by;
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = hlo_instruction_at(c, n);
    if (i->opcode == HLO_OP_TUPLE) continue;
    int operands[MOST_VALUES];
    for (int k = 0; k < i->operand_count; k++) operands[k] = map[i->operands[k]];
    if (i->opcode == HLO_OP_PARAMETER) map[n] = arguments[hlo_instruction_int(i, HLO_ATTR_parameter_number, 0)];
    else if (i->opcode != HLO_OP_CONSTANT) map[n] = hlo_add_like(r, i, hlo_op_has(i->opcode, HLO_FLAG_DECLARED) ? results_shape(r, f, i->shape->type) : NULL, operands);
    else map[n] = hlo_add_constant(r, hlo_instruction_attribute(i, HLO_ATTR_literal)->literal);
    if (i->opcode == HLO_OP_CONSTANT && f->results > 1) map[n] = hlo_add_broadcast(r, map[n], results_shape(r, f, i->shape->type), NULL);
    if (map[n] < 0) return false;
  }
  const hlo_instruction *root = hlo_computation_root(c);
  for (int p = 0; p < f->parts; p++) what[p] = map[root->opcode == HLO_OP_TUPLE ? root->operands[p] : c->root];
  return true;
}

/* Adds the elements of an array at a place: one for each result. */
static int elements_at(hlo_rewriter *r, const reduction *f, int array, int place) {
  int64_t sizes[3];
  int operands[4] = {array}, zero = hlo_add_scalar(r, HLO_TYPE_S32, (hlo_scalar){0});
  for (int d = 0; d < f->rank; d++) sizes[d] = d == f->along ? 1 : f->dims[d], operands[1 + d] = d == f->along ? place : zero;
  hlo_attribute attribute = hlo_ints_attribute(r, HLO_ATTR_dynamic_slice_sizes, sizes, f->rank);
  int slice = hlo_add(r, HLO_OP_DYNAMIC_SLICE, NULL, operands, 1 + f->rank, &attribute, 1);
  return slice < 0 ? HLO_KEEP : hlo_add_reshape(r, slice, results_shape(r, f, hlo_rewriter_value(r, slice)->shape->type));
}

/* The state is a counter, the results so far, and the arrays. */
static int add_condition(hlo_rewriter *r, const reduction *f, const hlo_shape *state) {
  hlo_rewriter inner;
  hlo_computation to;
  if (!hlo_begin_computation(r, &inner, &to)) return HLO_KEEP;
  int counter = hlo_add_element(&inner, hlo_add_parameter(&inner, state, 0), 0);
  return hlo_end_computation(&inner, NULL, "more_elements", hlo_add_comparison(&inner, counter, HLO_direction_LT, (hlo_scalar){.s = f->length}));
}

static int add_body(hlo_rewriter *r, const reduction *f, const hlo_shape *state) {
  hlo_rewriter inner;
  hlo_computation to;
  int next[1 + 2 * MOST_PARTS], arguments[2 * MOST_PARTS];
  if (!hlo_begin_computation(r, &inner, &to)) return HLO_KEEP;
  int before = hlo_add_parameter(&inner, state, 0), counter = hlo_add_element(&inner, before, 0);
  next[0] = hlo_add_binary(&inner, HLO_OP_ADD, counter, hlo_add_scalar(&inner, HLO_TYPE_S32, (hlo_scalar){.s = 1}));
  for (int p = 0; p < f->parts; p++) {
    arguments[p] = hlo_add_element(&inner, before, 1 + p);
    next[1 + f->parts + p] = hlo_add_element(&inner, before, 1 + f->parts + p);
    arguments[f->parts + p] = elements_at(&inner, f, next[1 + f->parts + p], counter);
  }
  bool added = add_applied(&inner, f, arguments, next + 1);
  return hlo_end_computation(&inner, NULL, "next_element", added ? hlo_add_tuple(&inner, next, 1 + 2 * f->parts) : HLO_KEEP);
}

/* Sets rank, along and dims. Returns false where the dimensions that are reduced do not follow each other: what is reduced comes first then. */
static bool arrange(reduction *f, const hlo_shape *shape, uint32_t folds) {
  f->rank = 0, f->along = -1;
  bool folded = false;
  for (int d = 0; d < shape->rank; d++) {
    if (shape->dims[d] == 1) continue;
    bool is_next = f->rank > 0 && folded == (folds >> d & 1);
    folded = folds >> d & 1;
    if (is_next) f->dims[f->rank - 1] *= shape->dims[d];
    else if (folded && f->along >= 0) break;
    else f->dims[f->rank++] = shape->dims[d];
    if (folded) f->along = f->rank - 1;
  }
  if (f->dims[f->along] == f->length) return true;
  f->rank = f->results > 1 ? 2 : 1, f->along = 0;
  f->dims[0] = f->length, f->dims[1] = f->results;
  return false;
}

/* Adds an array so arranged. */
static int arranged(hlo_rewriter *r, const reduction *f, int array, uint32_t folds, bool in_order) {
  const hlo_shape *shape = hlo_rewriter_value(r, array)->shape;
  int64_t permutation[HLO_MAX_RANK];
  int places[2] = {__builtin_popcount(folds), 0};
  for (int d = 0; d < shape->rank; d++) permutation[places[folds >> d & 1]++] = d;
  if (!in_order) array = hlo_add_transpose(r, array, permutation, shape->rank);
  return hlo_add_reshape(r, array, hlo_shape_for(r, shape->type, f->dims, f->rank));
}

static int as_loop(hlo_rewriter *r, const hlo_instruction *i, reduction *f) {
  uint32_t folds = hlo_ints_mask(hlo_instruction_ints(i, HLO_ATTR_dimensions));
  bool in_order = arrange(f, hlo_input(r, i, 0)->shape, folds);
  int state[1 + 2 * MOST_PARTS] = {hlo_add_scalar(r, HLO_TYPE_S32, (hlo_scalar){0})}, results[MOST_PARTS];
  for (int p = 0; p < f->parts; p++) {
    int init = i->operands[f->parts + p];
    state[1 + p] = f->results > 1 ? hlo_add_broadcast(r, init, results_shape(r, f, f->types[p]), NULL) : init;
    state[1 + f->parts + p] = arranged(r, f, i->operands[p], folds, in_order);
  }
  int initial = hlo_add_tuple(r, state, 1 + 2 * f->parts);
  if (initial < 0) return HLO_KEEP;
  const hlo_shape *shape = hlo_rewriter_value(r, initial)->shape;
  const hlo_attribute attributes[] = {{.id = HLO_ATTR_condition, .computation = add_condition(r, f, shape)},
                                      {.id = HLO_ATTR_body, .computation = add_body(r, f, shape)}};
  if (attributes[0].computation < 0 || attributes[1].computation < 0) return HLO_KEEP;
  int loop = hlo_add(r, HLO_OP_WHILE, NULL, &initial, 1, attributes, 2);
  for (int p = 0; p < f->parts; p++) results[p] = hlo_add_reshape(r, hlo_add_element(r, loop, 1 + p), hlo_shape_leaf(i->shape, p));
  return hlo_shape_is_array(i->shape) ? results[0] : hlo_add_tuple(r, results, f->parts);
}

int hlo_loop_reductions(hlo_rewriter *r, const hlo_instruction *i) {
  reduction f;
  if (i->opcode != HLO_OP_REDUCE || hlo_is_applied(r)) return HLO_KEEP;
  return describe(r, i, &f) && !has_kernel(r, i, &f) ? as_loop(r, i, &f) : HLO_KEEP;
}
