/* Moves loop invariants in front of a while loop: instructions of the body that depend only on elements of the state that the body hands
 * on unchanged. Their values become elements of the state. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/narrow_operand.h"
#include "passes/pass_list.h"
#include "passes/while_loop.h"
#include "rewrite/rewriter.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* An invariant of more than FREE_ELEMENTS elements that is larger than its operands together (a broadcast, say) is recomputed in the body:
 * hoisting it would trade arithmetic for memory traffic. */
enum { FREE_ELEMENTS = 1024 };

typedef struct hoist {
  hlo_rewriter *r;
  const hlo_instruction *loop;
  hlo_while_loop l;
  bool *moves;     /* by instruction of the body: it is invariant, and may move */
  bool *is_carried; /* by instruction of the body: it moves, and an instruction that stays, or is recomputed, reads it */
  int carried;
} hoist;

static bool grows(const hlo_computation *c, const hlo_instruction *i) {
  if (!hlo_shape_is_array(i->shape)) return false;
  int64_t read = 0, count = hlo_shape_element_count(i->shape);
  for (int k = 0; k < i->operand_count; k++) read += hlo_shape_element_count(hlo_operand(c, i, k)->shape);
  return count > FREE_ELEMENTS && count > read;
}

/* True if recomputing the value in every iteration takes no time worth saving: the planner gives it no step, or a fused loop makes it while
 * it reads; or if its memory is worth more than its time (a large iota). What is made of it may still be hoisted. Most ops flagged MOVES
 * (transpose, slice, gather, ...) copy their elements, and are worth hoisting. */
static bool costs_nothing(const hlo_computation *c, const hlo_instruction *i) {
  switch (i->opcode) {
  case HLO_OP_CONSTANT: case HLO_OP_BROADCAST: case HLO_OP_RESHAPE: case HLO_OP_BITCAST: case HLO_OP_BITCAST_CONVERT: case HLO_OP_COPY: case HLO_OP_OPT_BARRIER:
    return true;
  case HLO_OP_GET_TUPLE_ELEMENT: return hlo_operand(c, i, 0)->opcode == HLO_OP_PARAMETER; /* else it stands for what makes the tuple */
  default:
    return i->opcode == HLO_OP_IOTA && grows(c, i);
  }
}

/* Several results (of a decomposition, a sort) move as one does. */
static bool may_move(const hoist *h, const hlo_instruction *i) {
  int element = hlo_while_loop_element(h->l.body, i);
  if (element >= 0) return h->l.is_invariant[element] && hlo_shape_is_plain(i->shape);
  if (i->opcode == HLO_OP_PARAMETER || i->opcode == HLO_OP_TUPLE || i->opcode == HLO_OP_OPT_BARRIER || i->opcode == HLO_OP_UNIFORM_DEQUANTIZE ||
      !hlo_shape_leaves_are_plain(i->shape) || !hlo_is_pure(h->r, i) ||
      hlo_op_has(i->opcode, HLO_FLAG_FRAMES) || hlo_instruction_attribute(i, HLO_ATTR_control_predecessors))
    return false;
  for (int k = 0; k < i->operand_count; k++)
    if (!h->moves[i->operands[k]]) return false;
  return !grows(h->l.body, i) || costs_nothing(h->l.body, i);
}

/* Holds places that a reduction or a sort reads, where it sees that they count: it may be one that finds places. */
static void hold_places(const hlo_computation *body, bool *is_held) {
  for (int n = 0; n < body->instruction_count; n++) {
    const hlo_instruction *i = body->instructions[n];
    for (int k = 0; k < i->operand_count && (i->opcode == HLO_OP_REDUCE || i->opcode == HLO_OP_SORT); k++) {
      const hlo_instruction *places = hlo_operand(body, i, k);
      if (places->opcode == HLO_OP_BROADCAST) places = hlo_operand(body, places, 0);
      is_held[places->index] |= places->opcode == HLO_OP_IOTA;
    }
  }
}

static bool find(hoist *h) {
  const hlo_computation *body = h->l.body;
  hlo_arena *scratch = h->r->scratch;
  h->moves = hlo_arena_many(scratch, bool, body->instruction_count, h->r->status);
  h->is_carried = hlo_arena_many(scratch, bool, body->instruction_count, h->r->status);
  bool *is_held = hlo_arena_many(scratch, bool, body->instruction_count, h->r->status), *is_made = hlo_arena_many(scratch, bool, body->instruction_count, h->r->status);
  if (!h->moves || !h->is_carried || !is_held || !is_made || !hlo_narrow_hold(h->r->module, body, true, is_held, scratch, h->r->status)) return false;
  hold_places(body, is_held);
  for (int n = 0; n < body->instruction_count; n++) h->moves[n] = !is_held[n] && may_move(h, body->instructions[n]); /* a dot reads weights as they are stored */
  for (int n = body->instruction_count - 1; n >= 0; n--) { /* is_made: in every iteration */
    const hlo_instruction *i = body->instructions[n];
    bool is_free = h->moves[n] && is_made[n];
    for (int k = 0; k < i->operand_count && (is_made[n] || !h->moves[n]); k++) {
      int operand = i->operands[k];
      const hlo_instruction *x = body->instructions[operand];
      if (!h->moves[operand] || h->is_carried[operand]) continue;
      if (costs_nothing(body, x) || !hlo_shape_is_array(x->shape) || (is_free && x->opcode == HLO_OP_IOTA)) {
        is_made[operand] = true;
        continue;
      }
      h->is_carried[operand] = true;
      h->carried++;
    }
  }
  return h->carried > 0;
}

/* Copies the invariants in front of the loop. before[n]: the copy of instruction n of the body, or HLO_KEEP. */
static bool move_out(const hoist *h, int *before) {
  const hlo_computation *body = h->l.body;
  bool *reads = hlo_arena_many(h->r->scratch, bool, body->instruction_count, h->r->status);
  if (!reads) return false;
  for (int n = body->instruction_count - 1; n >= 0; n--) {
    reads[n] |= h->is_carried[n];
    for (int k = 0; k < body->instructions[n]->operand_count && reads[n]; k++) reads[body->instructions[n]->operands[k]] = true;
  }
  for (int n = 0; n < body->instruction_count; n++) {
    int element = hlo_while_loop_element(body, body->instructions[n]);
    before[n] = HLO_KEEP;
    if (!reads[n] || !h->moves[n]) continue;
    before[n] = element >= 0 ? hlo_while_loop_add_initial(h->r, h->loop, element) : hlo_add_copy(h->r, body->instructions[n], before);
    if (before[n] < 0) return false;
  }
  return true;
}

static int larger_loop(const hoist *h) {
  hlo_rewriter *r = h->r;
  int *before = hlo_arena_many(r->scratch, int, h->l.body->instruction_count, r->status), *place = hlo_arena_many(r->scratch, int, h->l.count, r->status);
  const hlo_literal **constants = hlo_arena_many(r->scratch, const hlo_literal *, h->l.count, r->status);
  if (!before || !place || !constants || !move_out(h, before)) return HLO_KEEP;
  for (int n = 0; n < h->l.count; n++) place[n] = n;
  for (int n = 0; n < h->l.body->instruction_count; n++)
    if (!h->is_carried[n]) before[n] = HLO_KEEP;
  const hlo_while_loop_change change = {.place = place, .kept = h->l.count, .constants = constants, .carried = before, .carried_count = h->carried};
  return hlo_while_loop_add_changed(r, h->loop, &h->l, &change);
}

int hlo_hoist_invariants(hlo_rewriter *r, const hlo_instruction *i) {
  hoist h = {.r = r, .loop = i};
  if (i->opcode != HLO_OP_WHILE || r->depth > 0 || !hlo_is_pure(r, i) || !hlo_while_loop_read(r, i, &h.l)) return HLO_KEEP;
  return find(&h) ? larger_loop(&h) : HLO_KEEP;
}
