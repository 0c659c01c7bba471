/* Chains of a dot, fused loops and a dot of which each is all that reads the one before: where they fit, the last runs them all by blocks of
 * rows, and what lies between needs no memory. */
#include "base/status.h"
#include "graph/module.h"
#include "loops/dot_chain.h"
#include "plan/planner.h"
#include "shape/shape.h"
#include "steps/dot_chain_steps.h"
#include "steps/kernel_table.h"

/* Follows a dot, by what alone reads each value, to the next one. Returns how many members there are on the way, these two included; 0: it leads to none. */
static int find(const hlo_routine_plan *r, const int *readers, int first, hlo_chain_link *links) {
  int count = 1;
  links[0] = (hlo_chain_link){first, -1, &r->choices[first]};
  for (int value = first, next; (next = readers[value] - 1) >= 0; value = next) {
    if (!hlo_shape_is_array(hlo_plan_instruction(r, next)->shape)) return 0;
    if (r->actions[next] == HLO_ACTION_ALIAS) continue;
    if (r->actions[next] != HLO_ACTION_KERNEL || count == HLO_CHAIN_MOST) return 0;
    links[count++] = (hlo_chain_link){next, value, &r->choices[next]};
    if (hlo_chain_takes_dot(&r->choices[next])) return count;
  }
  return 0;
}

bool hlo_plan_chain(hlo_routine_plan *r, const int *readers, int first) {
  hlo_planner *p = r->planner;
  hlo_chain_link links[HLO_CHAIN_MOST];
  hlo_kernel_question question = {.arena = p->arena, .threads = p->threads, .status = p->status};
  int count = hlo_chain_takes_dot(&r->choices[first]) ? find(r, readers, first, links) : 0;
  if (count == 0) return true;
  int last = links[count - 1].instruction;
  if (hlo_chain_choose(&question, links, count, &r->choices[last]))
    for (int member = first; member != last; member = readers[member] - 1) r->actions[member] = HLO_ACTION_NONE;
  return hlo_ok(p->status);
}
