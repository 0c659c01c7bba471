/* Removes reductions that fold nothing, or a few arrays put beside each other, transposes in front of reductions, and arrays of several whose results nothing reads. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/view.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* True for reductions by a well-known computation of two numbers whose result does not depend on the order of elements. */
static bool folds_with(const hlo_rewriter *r, const hlo_instruction *i, hlo_opcode *opcode) {
  const hlo_computation *c = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  return i->operand_count == 2 && hlo_computation_is_binary_op(c, opcode) && hlo_op_has(*opcode, HLO_FLAG_COMMUTATIVE) &&
         c->instructions[c->parameters[0]]->shape->type == i->shape->type && hlo_input(r, i, 0)->shape->type == i->shape->type &&
         hlo_input(r, i, 1)->shape->type == i->shape->type;
}

static int fold_transposed(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *transpose) {
  hlo_ints permutation = *hlo_instruction_ints(transpose, HLO_ATTR_dimensions);
  hlo_ints folded = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  uint32_t folds = hlo_ints_mask(&folded);
  int64_t dims[HLO_MAX_RANK];
  if (!hlo_keeps_order(permutation, folds)) return HLO_KEEP;
  for (int d = 0, count = 0; d < permutation.count; d++)
    for (int k = 0; k < permutation.count; k++)
      if (permutation.data[k] == d && (folds >> k & 1)) dims[count++] = d;
  return hlo_add_reduce(r, transpose->operands[0], i->operands[1], dims, folded.count,
                        hlo_instruction_attribute(i, HLO_ATTR_to_apply)->computation);
}

/* The init of a reduction, repeated over the shape of its result: each element of the result begins with it. */
static int repeated_init(hlo_rewriter *r, const hlo_instruction *i) {
  return i->shape->rank ? hlo_add_broadcast(r, i->operands[1], i->shape, NULL) : i->operands[1];
}

/* Arrays, up to MOST, that are put beside each other only to be folded are combined one after another. Sums of narrow floats are not: they are rounded once. */
static int fold_pieces(hlo_rewriter *r, const hlo_instruction *i, const hlo_instruction *pieces, hlo_opcode opcode) {
  enum { MOST = 32 };
  hlo_ints folded = *hlo_instruction_ints(i, HLO_ATTR_dimensions);
  int64_t dimension = hlo_instruction_ints(pieces, HLO_ATTR_dimensions)->data[0];
  if (folded.count != 1 || folded.data[0] != dimension || pieces->operand_count > MOST || pieces->operand_count != pieces->shape->dims[dimension]) return HLO_KEEP;
  for (int n = 0; n < pieces->operand_count; n++)
    if (hlo_input(r, pieces, n)->shape->dims[dimension] != 1) return HLO_KEEP;
  if (opcode == HLO_OP_ADD && hlo_type_is_float(i->shape->type) && hlo_type_bits(i->shape->type) < 32) return HLO_KEEP;
  int value = repeated_init(r, i);
  for (int n = 0; n < pieces->operand_count; n++) value = hlo_add_binary(r, opcode, value, hlo_add_reshape(r, pieces->operands[n], i->shape));
  return value;
}

/* ---- Several arrays ---- */

enum { MOST_PARTS = 32 };

/* Returns, by instruction of the computation, which of its results something reads, by bits: all of them, unless only elements are. Counted once a computation. */
static const uint32_t *results_read(hlo_rewriter *r) {
  const hlo_computation *c = r->from;
  if (r->state) return r->state;
  uint32_t *read = hlo_arena_many(r->scratch, uint32_t, c->instruction_count, r->status);
  for (int n = 0; read && n < c->instruction_count; n++) {
    const hlo_instruction *i = hlo_instruction_at(c, n);
    uint32_t element = i->opcode == HLO_OP_GET_TUPLE_ELEMENT && hlo_instruction_int(i, HLO_ATTR_index, 0) < MOST_PARTS ? 1u << hlo_instruction_int(i, HLO_ATTR_index, 0) : UINT32_MAX;
    for (int k = 0; k < i->operand_count; k++) read[i->operands[k]] |= element;
  }
  if (read) read[c->root] = UINT32_MAX;
  return r->state = read;
}

/* Sets `needed` to what instructions of the computation the results are made of, and adds the results that these read in turn. */
static uint32_t parts_needed(const hlo_computation *c, int parts, uint32_t read, bool *needed) {
  const hlo_instruction *root = hlo_computation_root(c);
  for (uint32_t before = 0; before != read;) {
    before = read;
    for (int p = 0; p < parts; p++) needed[root->operands[p]] |= read >> p & 1;
    for (int n = c->instruction_count - 1; n >= 0; n--) {
      const hlo_instruction *i = hlo_instruction_at(c, n);
      if (!needed[n]) continue;
      if (i->opcode == HLO_OP_PARAMETER) read |= 1u << hlo_instruction_int(i, HLO_ATTR_parameter_number, 0) % parts;
      for (int k = 0; k < i->operand_count; k++) needed[i->operands[k]] = true;
    }
  }
  return read;
}

/* Adds the computation of the results that are left. */
static int smaller_computation(hlo_rewriter *r, const hlo_computation *c, int parts, uint32_t left, const bool *needed) {
  hlo_rewriter inner;
  hlo_computation to;
  int *map = hlo_arena_many(r->scratch, int, c->instruction_count, r->status), results[MOST_PARTS], count = 0, all = __builtin_popcount(left);
  if (!map || !hlo_begin_computation(r, &inner, &to)) return HLO_KEEP;
  for (int n = 0; n < 2 * parts; n++) {
    const hlo_instruction *parameter = hlo_instruction_at(c, c->parameters[n]);
    if (left >> n % parts & 1) map[parameter->index] = hlo_add_parameter(&inner, parameter->shape, (n < parts ? 0 : all) + __builtin_popcount(left & ((1u << n % parts) - 1)));
  }
  for (int n = 0; n < c->instruction_count; n++)
    if (needed[n] && hlo_instruction_at(c, n)->opcode != HLO_OP_PARAMETER) map[n] = hlo_add_copy(&inner, hlo_instruction_at(c, n), map);
  for (int p = 0; p < parts; p++)
    if (left >> p & 1) results[count++] = map[hlo_computation_root(c)->operands[p]];
  return hlo_end_computation(&inner, NULL, "of_what_is_read", count > 1 ? hlo_add_tuple(&inner, results, count) : results[0]);
}

/* Returns whether an instruction of the computation reduces several plain arrays. */
static bool reduces_several(const hlo_rewriter *r, const hlo_instruction *i, int parts) {
  return parts <= MOST_PARTS && hlo_shape_is_tuple(i->shape) && r->depth == 0 && r->origin->opcode == HLO_OP_REDUCE && hlo_are_plain(r, i);
}

/* Arrays whose results nothing reads, nor what makes the others, are not reduced: the init stands for these. */
static int drop_unread(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_computation *c = hlo_instruction_computation(r->module, i, HLO_ATTR_to_apply);
  int parts = i->operand_count / 2, operands[2 * MOST_PARTS], elements[MOST_PARTS], count = 0;
  if (hlo_computation_root(c)->opcode != HLO_OP_TUPLE || !reduces_several(r, i, parts)) return HLO_KEEP;
  const uint32_t *reads = results_read(r);
  uint32_t read = reads ? reads[r->origin->index] : 0, all = parts == 32 ? UINT32_MAX : (1u << parts) - 1;
  bool *needed = read & all ? hlo_arena_many(r->scratch, bool, c->instruction_count, r->status) : NULL;
  uint32_t left = needed ? parts_needed(c, parts, read & all, needed) : all;
  if (left == all) return HLO_KEEP;
  for (int n = 0; n < 2 * parts; n++)
    if (left >> n % parts & 1) operands[count++] = i->operands[n];
  int by = smaller_computation(r, c, parts, left, needed);
  int made = by < 0 ? HLO_KEEP : hlo_add_with(r, i, NULL, operands, count, (hlo_attribute){.id = HLO_ATTR_to_apply, .computation = by});
  for (int p = 0, next = 0; p < parts; p++) {
    if (!(left >> p & 1)) elements[p] = hlo_add_broadcast(r, hlo_add_convert(r, i->operands[parts + p], hlo_shape_leaf(i->shape, p)->type), hlo_shape_leaf(i->shape, p), NULL);
    else elements[p] = count > 2 ? hlo_add_element(r, made, next++) : made;
  }
  return made < 0 ? HLO_KEEP : hlo_add_tuple(r, elements, parts);
}

int hlo_simplify_reductions(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_REDUCE && i->operand_count > 2) return drop_unread(r, i);
  hlo_opcode opcode;
  if (i->opcode != HLO_OP_REDUCE || !hlo_is_plain(r, i) || !folds_with(r, i, &opcode)) return HLO_KEEP;
  const hlo_instruction *operand = hlo_input(r, i, 0);
  int64_t from = hlo_shape_element_count(operand->shape), to = hlo_shape_element_count(i->shape);
  if (from == 0) return repeated_init(r, i);
  if (from == to) return hlo_add_binary(r, opcode, repeated_init(r, i), hlo_add_reshape(r, operand->index, i->shape));
  if (!hlo_is_plain(r, operand)) return HLO_KEEP;
  if (operand->opcode == HLO_OP_CONCATENATE) return fold_pieces(r, i, operand, opcode);
  return operand->opcode == HLO_OP_TRANSPOSE ? fold_transposed(r, i, operand) : HLO_KEEP;
}
