/* Evaluates instructions of constant operands, by the reference, if operands and result are small. */
#include "base/arena.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/narrow_operand.h"
#include "passes/pass_list.h"
#include "reference/fold_constant.h"
#include "reference/reference.h"
#include "rewrite/rewriter.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* MOST_ELEMENTS bounds operands and results; MOST_WORK bounds the product of their sizes for ops that may read many elements for each
 * element of the result. */
enum { MOST_ELEMENTS = 1 << 15, MOST_WORK = 1 << 20 };

/* True if each element is read about once, so that the time is that of its operands' and result's elements together. */
static bool reads_elements_once(hlo_opcode opcode) {
  return hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE | HLO_FLAG_MOVES) || opcode == HLO_OP_BITCAST_CONVERT || opcode == HLO_OP_REDUCE;
}

typedef struct extent {
  int64_t results, read, largest; /* elements: of the result, of all operands, of the largest one */
} extent;

static extent extent_of(const hlo_instruction *i, const hlo_literal *const *operands) {
  extent e = {.results = hlo_shape_element_count(i->shape)};
  for (int n = 0; n < i->operand_count; n++) {
    int64_t count = hlo_shape_element_count(operands[n]->shape);
    e.read += count;
    if (count > e.largest) e.largest = count;
  }
  return e;
}

static int64_t work_of(const hlo_instruction *i, extent e) {
  return reads_elements_once(i->opcode) ? e.results + e.largest : (e.results + 1) * (e.largest + 1);
}

static bool is_small(const hlo_instruction *i, extent e) {
  if (e.results > MOST_ELEMENTS || e.read > MOST_ELEMENTS || e.results > 2 * e.read + 16) return false;
  return reads_elements_once(i->opcode) || work_of(i, e) <= MOST_WORK;
}

/* Returns whether the instruction being visited widens an array of scales that a dot can read as it is. */
static bool is_read_narrow(hlo_rewriter *r, const hlo_instruction *i, const hlo_literal *operand) {
  enum { FEW = 1024 };
  if (i->opcode != HLO_OP_CONVERT || r->depth || hlo_shape_element_count(i->shape) <= FEW ||
      hlo_type_bytes(operand->shape->type) >= hlo_type_bytes(i->shape->type))
    return false;
  if (!r->state) {
    bool *is_held = hlo_arena_many(r->scratch, bool, r->from->instruction_count, r->status);
    if (!is_held || !hlo_narrow_hold(r->module, r->from, true, is_held, r->scratch, r->status)) return true;
    r->state = is_held;
  }
  return ((const bool *)r->state)[r->origin->index];
}

/* Adds a constant with the same elements under other dimensions. */
static int reshaped(hlo_rewriter *r, const hlo_instruction *i, const hlo_literal *operand) {
  hlo_literal *literal = hlo_arena_copy(&r->module->arena, operand, sizeof *operand, r->status);
  if (!literal) return HLO_KEEP;
  literal->shape = i->shape;
  return hlo_add_constant(r, literal);
}

/* Evaluates an instruction; the elements of shared operands are at hand for as long as that takes. */
static bool evaluate(hlo_rewriter *r, const hlo_instruction *i, const hlo_literal **operands, hlo_literal *result, hlo_status *status) {
  bool *is_pinned = hlo_arena_many(r->scratch, bool, i->operand_count, status), ok = is_pinned;
  for (int n = 0; ok && n < i->operand_count; n++)
    if (operands[n]->shared && !operands[n]->data) ok = is_pinned[n] = hlo_literal_pin((hlo_literal *)operands[n], status);
  ok = ok && hlo_reference_fold(NULL, r->module, r->to, i, operands, result, status);
  for (int n = 0; is_pinned && n < i->operand_count; n++)
    if (is_pinned[n]) hlo_literal_settle((hlo_literal *)operands[n]);
  return ok;
}

int hlo_fold_constants(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->operand_count == 0 || i->opcode == HLO_OP_BROADCAST || i->opcode == HLO_OP_BITCAST || i->opcode == HLO_OP_OPT_BARRIER ||
      !hlo_is_plain(r, i) || !hlo_is_pure(r, i) || !hlo_reference_function_of(i->opcode))
    return HLO_KEEP;
  const hlo_literal **operands = hlo_arena_many(r->scratch, const hlo_literal *, i->operand_count, r->status);
  for (int n = 0; operands && n < i->operand_count; n++)
    if (!(operands[n] = hlo_constant_of(r, i->operands[n]))) return HLO_KEEP;
  if (!operands) return HLO_KEEP;
  if (i->opcode == HLO_OP_RESHAPE) return reshaped(r, i, operands[0]);
  extent e = extent_of(i, operands);
  if (!is_small(i, e) || is_read_narrow(r, i, operands[0])) return HLO_KEEP;
  if (!hlo_meter_take(r->meter, work_of(i, e), r->status)) return HLO_KEEP;
  hlo_status tried = {0};
  hlo_literal *result = hlo_literal_make(&r->module->arena, i->shape, r->status);
  if (!result || !evaluate(r, i, operands, result, &tried)) {
    hlo_status_out_of_memory(r->status, &tried);
    return HLO_KEEP;
  }
  return hlo_add_constant(r, result);
}
