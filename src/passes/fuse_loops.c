/* Fuses element-wise ops and reductions of rows into fused loops. From the last instruction to the first, each joins the groups that read
 * it; groups that stand near each other and read the same value are united, so that the value is read once. */
#include "graph/module.h"
#include "loops/fused_loop.h"
#include "loops/fusion_groups.h"
#include "passes/loop_fusion.h"
#include "passes/pass_list.h"
#include "rewrite/rewriter.h"

enum { MOST_READERS = 8, NEAR = 32 };

static bool reads(const hlo_fused_groups *g, int user, int source, bool repeated) {
  const hlo_fused_node *node = &g->nodes[user];
  for (int k = 0; k < node->edge_count; k++)
    if (node->edges[k].source == source && !node->edges[k].is_constant && (repeated ? node->edges[k].repeats > 0 : node->edges[k].repeats == 1 || node->edges[k].steps))
      return true;
  return false;
}

/* Finds one member of each group that reads the instruction, in the order of their places. repeated: readers that use one element for a
 * whole row count as well. */
static int readers_of(const hlo_fused_groups *g, int instruction, bool repeated, int *readers) {
  int count = 0;
  for (int k = g->first_user[instruction]; k < g->first_user[instruction + 1]; k++) {
    int user = g->users[k], place = g->nodes[user].place, n = 0;
    if (!reads(g, user, instruction, repeated)) continue;
    while (n < count && g->nodes[readers[n]].place < place) n++;
    if (n == MOST_READERS || (n < count && g->nodes[readers[n]].place == place)) continue;
    if (count < MOST_READERS) count++;
    for (int m = count - 1; m > n; m--) readers[m] = readers[m - 1];
    readers[n] = user;
  }
  return count;
}

static void join(hlo_fused_groups *g, int a, int b) {
  if (g->nodes[a].group < 0 || g->nodes[a].group != g->nodes[b].group) hlo_group_unite(g, (int[]){a, b}, 2, HLO_FUSED_MAX_OUTPUTS);
}

static bool find(hlo_fused_groups *g) {
  for (int n = g->computation->instruction_count - 1; n >= 0; n--) {
    int readers[MOST_READERS];
    bool is_member = g->nodes[n].role != HLO_ROLE_NONE;
    if (!hlo_is_used(g, n) || (is_member && !hlo_group_unite(g, &n, 1, HLO_FUSED_MAX_OUTPUTS))) continue;
    int count = readers_of(g, n, is_member, readers);
    for (int k = is_member ? 0 : 1; k < count; k++)
      if (is_member || g->nodes[readers[k]].place - g->nodes[readers[0]].place <= NEAR) join(g, is_member ? n : readers[0], readers[k]);
  }
  return true;
}

int hlo_fuse_loops(hlo_rewriter *r, const hlo_instruction *i) { return hlo_fuse_groups(r, find, false); }
