/* Element-wise ops and reductions of rows that read each other become one loop: from the last instruction to the first, each
 * joins those that read it. */
#include "passes/loop_groups.h"
#include "passes/rewrites.h"

enum { MOST_READERS = 8 };

static bool is_joined_to(const hlo_loop_groups *g, int user, int source) {
  const hlo_loop_node *node = &g->nodes[user];
  for (int k = 0; k < node->edge_count; k++)
    if (node->edges[k].source == source && node->edges[k].repeats && !node->edges[k].is_constant) return true;
  return false;
}

/* One member of each group that reads the instruction, the first in place first. */
static int readers_of(const hlo_loop_groups *g, int instruction, int *readers) {
  int count = 0;
  for (int k = g->first_user[instruction]; k < g->first_user[instruction + 1]; k++) {
    int user = g->users[k], place = g->nodes[user].place, n = 0;
    if (!is_joined_to(g, user, instruction)) continue;
    while (n < count && g->nodes[readers[n]].place < place) n++;
    if (n == MOST_READERS || (n < count && g->nodes[readers[n]].place == place)) continue;
    if (count < MOST_READERS) count++;
    for (int m = count - 1; m > n; m--) readers[m] = readers[m - 1];
    readers[n] = user;
  }
  return count;
}

static bool find(hlo_loop_groups *g) {
  for (int n = g->computation->instruction_count - 1; n >= 0; n--) {
    int readers[MOST_READERS];
    if (!g->nodes[n].role || !hlo_is_used(g, n)) continue;
    hlo_group_unite(g, &n, 1, HLO_GROUP_OUTPUTS);
    int count = readers_of(g, n, readers);
    for (int k = 0; k < count; k++)
      if (g->nodes[readers[k]].group != g->nodes[n].group) hlo_group_unite(g, (int[]){n, readers[k]}, 2, HLO_GROUP_OUTPUTS);
  }
  return true;
}

int hlo_fuse_loops(hlo_rewriter *r, const hlo_instruction *i) { return hlo_fuse_groups(r, find, false); }
