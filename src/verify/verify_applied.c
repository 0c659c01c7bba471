/* Computations applied to elements: they may run any number of times in any order, so they touch nothing but their
 * parameters; and as they run inside the instruction that applies them, their nesting is bounded. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "verify/verify_checks.h"

enum { MAX_NESTING = 32 };

/* Facts about a computation, from its own instructions and from all that it calls. */
typedef struct knowledge {
  const hlo_computation *home;      /* the computation of `culprit` */
  const hlo_instruction *culprit;   /* an instruction that reaches beyond the computation; NULL: none */
  int nesting;                      /* depth of computations applied to elements */
} knowledge;

/* A custom call is taken to be pure here, whatever its flags in the op table say. */
static bool reaches_out(hlo_opcode opcode) {
  if (hlo_op_has(opcode, HLO_FLAG_COLLECTIVE)) return true;
  return hlo_op_has(opcode, HLO_FLAG_SIDE_EFFECT) && opcode != HLO_OP_CUSTOM_CALL;
}

static bool check_callee(const hlo_verification *v, const hlo_computation *c, const hlo_instruction *i, int callee,
                         const knowledge *known, knowledge *own) {
  bool applies = hlo_op_has(i->opcode, HLO_FLAG_CALLS);
  const char *name = v->module->computations[callee]->name;
  if (applies && known[callee].culprit)
    return hlo_verify_fail(v, c, i, HLO_VERIFY,
                           "computation %s is applied to elements, so it must not hold %s (%s in computation %s)", name,
                           hlo_op_name(known[callee].culprit->opcode), known[callee].culprit->name,
                           known[callee].home->name);
  int nesting = known[callee].nesting + applies;
  if (nesting > MAX_NESTING)
    return hlo_verify_fail(v, c, i, HLO_LIMIT, "computations applied to elements nest more than %d deep", MAX_NESTING);
  if (nesting > own->nesting) own->nesting = nesting;
  if (!own->culprit) {
    own->culprit = known[callee].culprit;
    own->home = known[callee].home;
  }
  return true;
}

static bool learn(const hlo_verification *v, const hlo_computation *c, knowledge *known) {
  knowledge *own = &known[c->index];
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    int *called, count;
    hlo_arena_reset(v->scratch);
    if (!hlo_called_of(i, v->scratch, &called, &count, v->status)) return false;
    for (int k = 0; k < count; k++)
      if (!check_callee(v, c, i, called[k], known, own)) return false;
    if (own->culprit || !reaches_out(i->opcode)) continue;
    own->culprit = i;
    own->home = c;
  }
  return true;
}

bool hlo_check_applied(const hlo_verification *v) {
  knowledge *known = hlo_arena_many(v->arena, knowledge, v->module->computation_count, v->status);
  if (!known) return false;
  for (int n = 0; n < v->module->computation_count; n++)
    if (!learn(v, v->module->computations[v->order[n]], known)) return false;
  return true;
}
