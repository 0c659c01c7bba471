/* Fuses a dot or a convolution with its epilogue, the element-wise ops (bias, activation, residual) that read its result, and with
 * element-wise producers that only the epilogue reads. */
#include "graph/module.h"
#include "loops/fusion_groups.h"
#include "passes/loop_fusion.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"

/* The fusion while it grows. closings[n]: a number of members at which only the last one is read outside, so that the fusion may end there. */
typedef struct epilogue {
  const hlo_fused_groups *g;
  int count, members[HLO_GROUP_MOST];
  int closing_count, closings[HLO_GROUP_MOST];
} epilogue;

static bool has(const epilogue *e, int instruction) {
  for (int n = 0; n < e->count; n++)
    if (e->members[n] == instruction) return true;
  return false;
}

static bool can_join(const epilogue *e, int instruction) {
  const hlo_fused_node *node = &e->g->nodes[instruction];
  return node->role == HLO_ROLE_ELEMENTWISE && node->group < 0 && node->count == e->g->nodes[e->members[0]].count;
}

/* Returns the first instruction outside that reads a member; -1 if there is none, or if a reader cannot join. */
static int next_of(const epilogue *e) {
  const hlo_fused_groups *g = e->g;
  int next = -1;
  for (int n = 0; n < e->count; n++) {
    int m = e->members[n];
    if (m == g->computation->root) return -1;
    for (int k = g->first_user[m]; k < g->first_user[m + 1]; k++) {
      int user = g->users[k];
      if (has(e, user)) continue;
      if (!can_join(e, user)) return -1;
      if (next < 0 || user < next) next = user;
    }
  }
  return next;
}

/* True if no instruction outside reads a member other than the last one. */
static bool is_closed(const epilogue *e) {
  for (int n = 0; n < e->count - 1; n++)
    for (int k = e->g->first_user[e->members[n]]; k < e->g->first_user[e->members[n] + 1]; k++)
      if (!has(e, e->g->users[k])) return false;
  return true;
}

static bool is_read_by_group_only(const hlo_fused_groups *g, int instruction, int group) {
  for (int k = g->first_user[instruction]; k < g->first_user[instruction + 1]; k++)
    if (g->nodes[g->users[k]].group != group) return false;
  return instruction != g->computation->root;
}

/* Returns an element-wise producer that only the group reads; -1 if there is none. */
static int producer_of(const hlo_fused_groups *g, int group) {
  for (int m = group; m >= 0; m = g->nodes[m].next)
    for (int k = 0; k < g->nodes[m].edge_count; k++) {
      const hlo_fused_edge *edge = &g->nodes[m].edges[k];
      const hlo_fused_node *source = &g->nodes[edge->source];
      if (edge->repeats == 1 && source->role == HLO_ROLE_ELEMENTWISE && source->group < 0 && is_read_by_group_only(g, edge->source, group))
        return edge->source;
    }
  return -1;
}

static bool find(hlo_fused_groups *g) {
  for (int n = 0; n < g->computation->instruction_count; n++) {
    if (g->nodes[n].role != HLO_ROLE_PRODUCT || !hlo_is_used(g, n)) continue;
    epilogue e = {.g = g, .count = 1, .members = {n}};
    for (int next; e.count < HLO_GROUP_MOST && (next = next_of(&e)) >= 0;) {
      e.members[e.count++] = next;
      if (is_closed(&e)) e.closings[e.closing_count++] = e.count;
    }
    while (e.closing_count > 0 && !hlo_group_unite(g, e.members, e.closings[e.closing_count - 1], 1)) e.closing_count--;
    for (int producer; e.closing_count > 0 && (producer = producer_of(g, g->nodes[n].group)) >= 0;)
      if (!hlo_group_unite(g, (int[]){n, producer}, 2, 1)) break;
  }
  return true;
}

int hlo_fuse_epilogues(hlo_rewriter *r, const hlo_instruction *i) { return hlo_fuse_groups(r, find, true); }
