/* Removes what only guides passes: optimisation barriers, marks of domains, and the tuples that were made for them. */
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"

int hlo_remove_barriers(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_OPT_BARRIER || i->opcode == HLO_OP_DOMAIN) return i->operands[0];
  return hlo_simplify_tuples(r, i);
}
