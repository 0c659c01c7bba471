/* Replaces calls, and fusions that the module came with, by the instructions that they run. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"
#include "shape/shape.h"

/* Calls of calls can grow exponentially: inlining stops at LEAST_LIMIT instructions, or at GROWTH times what the program had. Where each
 * computation is called once, it is not stopped: each step of a chain of calls adds the few instructions that it copies. */
enum { LEAST_LIMIT = 1 << 16, GROWTH = 4 };

/* True if every instruction means the same in the caller. Ops at which devices or the host meet stay in their computation. */
static bool may_move(const hlo_rewriter *r, const hlo_computation *c) {
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    if (!hlo_is_pure(r, i) && i->opcode != HLO_OP_CUSTOM_CALL && !hlo_op_has(i->opcode, HLO_FLAG_RANDOM)) return false;
  }
  return true;
}

static bool takes(const hlo_rewriter *r, const hlo_computation *c, const hlo_instruction *i) {
  if (c->parameter_count != i->operand_count || !hlo_shape_compatible(hlo_computation_root(c)->shape, i->shape)) return false;
  for (int n = 0; n < i->operand_count; n++)
    if (!hlo_shape_compatible(c->instructions[c->parameters[n]]->shape, hlo_input(r, i, n)->shape)) return false;
  return true;
}

int hlo_inline_calls(hlo_rewriter *r, const hlo_instruction *i) {
  bool is_call = i->opcode == HLO_OP_CALL;
  if (!is_call && i->opcode != HLO_OP_FUSION) return HLO_KEEP;
  const hlo_computation *c = hlo_instruction_computation(r->module, i, is_call ? HLO_ATTR_to_apply : HLO_ATTR_calls);
  int64_t limit = (int64_t)GROWTH * r->reached;
  if ((int64_t)r->total + c->instruction_count > (limit > LEAST_LIMIT ? limit : LEAST_LIMIT) || !takes(r, c, i) || !may_move(r, c)) return HLO_KEEP;
  return hlo_add_computation(r, c, i->operands);
}
