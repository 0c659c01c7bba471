/* Starts and dones: each start has exactly one done, and no other instruction uses its result. The result of a send or recv may also go through
 * the state of a while loop, to a done in its body or after it. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "verify/verify_checks.h"

/* A start, the op that may follow it or an earlier update (the done, if there are no updates), and the done. */
typedef struct pairing {
  hlo_opcode start, update, done;
} pairing;

static const pairing pairings[] = {
    {HLO_OP_ASYNC_START, HLO_OP_ASYNC_UPDATE, HLO_OP_ASYNC_DONE},
    {HLO_OP_ALL_GATHER_START, HLO_OP_ALL_GATHER_DONE, HLO_OP_ALL_GATHER_DONE},
    {HLO_OP_ALL_REDUCE_START, HLO_OP_ALL_REDUCE_DONE, HLO_OP_ALL_REDUCE_DONE},
    {HLO_OP_COLLECTIVE_PERMUTE_START, HLO_OP_COLLECTIVE_PERMUTE_DONE, HLO_OP_COLLECTIVE_PERMUTE_DONE},
    {HLO_OP_COPY_START, HLO_OP_COPY_DONE, HLO_OP_COPY_DONE},
    {HLO_OP_SEND, HLO_OP_SEND_DONE, HLO_OP_SEND_DONE},
    {HLO_OP_RECV, HLO_OP_RECV_DONE, HLO_OP_RECV_DONE},
};

static const pairing *pairing_of(hlo_opcode opcode) {
  if (!hlo_op_has(opcode, HLO_FLAG_PAIR)) return NULL;
  for (size_t i = 0; i < sizeof pairings / sizeof *pairings; i++)
    if (pairings[i].start == opcode || pairings[i].update == opcode || pairings[i].done == opcode) return &pairings[i];
  return NULL;
}

static bool is_under_way(const pairing *p, hlo_opcode opcode) {
  return opcode == p->start || (opcode == p->update && p->update != p->done);
}
static bool may_travel(const pairing *p) { return p->start == HLO_OP_SEND || p->start == HLO_OP_RECV; }
static bool waits(const pairing *p, hlo_opcode opcode) { return opcode == p->update || opcode == p->done; }

/* Checks that attributes which a done repeats are those of its start. */
static bool check_same(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i,
                       const hlo_instruction *start, hlo_attribute_id id) {
  const hlo_attribute *own = hlo_instruction_attribute(i, id), *its = hlo_instruction_attribute(start, id);
  if (!own || !its || hlo_attribute_equal(own, its)) return true;
  return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s: %s must be the same as that of %s", hlo_op_name(i->opcode),
                         hlo_attribute_name(id), start->name);
}

/* waiter[o]: the instruction that waits for o; -1: none so far. */
static bool check_operand(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i, int operand,
                          int *waiter) {
  const hlo_instruction *start = hlo_operand(c, i, operand);
  const pairing *p = pairing_of(start->opcode);
  if (!p || !is_under_way(p, start->opcode)) return true;
  if (!waits(p, i->opcode) && !(may_travel(p) && i->opcode == HLO_OP_TUPLE))
    return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s: %s is under way (%s), so only %s may use it", hlo_op_name(i->opcode),
                           start->name, hlo_op_name(start->opcode), hlo_op_name(p->done));
  if (waiter[start->index] >= 0)
    return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s: %s is waited for already, by %s", hlo_op_name(i->opcode), start->name,
                           c->instructions[waiter[start->index]]->name);
  waiter[start->index] = i->index;
  return check_same(v, c, i, start, HLO_ATTR_channel_id) && check_same(v, c, i, start, HLO_ATTR_calls) &&
         check_same(v, c, i, start, HLO_ATTR_is_host_transfer);
}

static bool check_instruction(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i, int *waiter) {
  const pairing *p = pairing_of(i->opcode);
  waiter[i->index] = -1;
  bool arrives = p && may_travel(p) && waits(p, i->opcode) && hlo_operand(c, i, 0)->opcode == HLO_OP_GET_TUPLE_ELEMENT;
  if (p && waits(p, i->opcode) && !arrives && !is_under_way(p, hlo_operand(c, i, 0)->opcode))
    return hlo_verify_fail(v, c, i, HLO_VERIFY, "%s: operand must be %s, got %s %s", hlo_op_name(i->opcode),
                           hlo_op_name(p->start), hlo_op_name(hlo_operand(c, i, 0)->opcode), hlo_operand(c, i, 0)->name);
  for (int n = 0; n < i->operand_count; n++)
    if (!check_operand(v, c, i, n, waiter)) return false;
  return true;
}

static bool check_computation(const hlo_verification *v, const hlo_computation *c) {
  hlo_arena_reset(v->scratch);
  int *waiter = hlo_arena_many(v->scratch, int, c->instruction_count, v->status);
  if (!waiter) return false;
  for (int i = 0; i < c->instruction_count; i++)
    if (!check_instruction(v, c, c->instructions[i], waiter)) return false;
  for (int i = 0; i < c->instruction_count; i++) {
    const pairing *p = pairing_of(c->instructions[i]->opcode);
    if (p && is_under_way(p, c->instructions[i]->opcode) && waiter[i] < 0)
      return hlo_verify_fail(v, c, c->instructions[i], HLO_VERIFY, "%s: there must be %s that waits for it",
                             hlo_op_name(c->instructions[i]->opcode), hlo_op_name(p->done));
  }
  return true;
}

bool hlo_check_starts(const hlo_verification *v) {
  for (int i = 0; i < v->module->computation_count; i++)
    if (!check_computation(v, v->module->computations[i])) return false;
  return true;
}
