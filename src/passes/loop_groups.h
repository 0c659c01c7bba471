/* Which instructions of a computation become one loop: what is common to the passes that fuse.
 *
 * A loop visits `count` elements in rows of one width. Its members are vectors, an element for every place, or have one element
 * for every row: reductions of rows, and what is computed from them. Members read each other as they are (or a row's element for
 * the whole row), and anything else through views in which a row is a run of elements, or one element.
 *
 *   p: f32[8,64]   m = reduce_add(p)   d = m / 64   b = broadcast(d)   s = p - b      members m, d, s in 8 rows of 64; b is a view
 *
 * Members vanish, and a fusion stands in the place of one of them: every value that it reads is there before, and every reader
 * comes after it. */
#ifndef HLO_PASSES_LOOP_GROUPS_H
#define HLO_PASSES_LOOP_GROUPS_H

#include "kernels/loop_program.h"
#include "passes/loop_kernels.h"
#include "passes/loop_view.h"
#include "passes/rewriter.h"

enum { HLO_GROUP_MOST = 64, HLO_GROUP_CHAIN = 16 };

/* How a member reads an operand. */
typedef struct hlo_loop_edge {
  int source;       /* the instruction that is read, behind views */
  bool is_constant; /* of one element: copied into the loop */
  bool is_moved;    /* it is not the source as it is, nor one element again and again */
  int64_t repeats;  /* each element of the source so often in a row, in order; 0: it is read in another way */
  int cut_count;    /* after how many elements, counted from the last on, the view begins anew */
  int64_t cuts[HLO_LOOP_MAX_DIMS];
} hlo_loop_edge;

typedef enum hlo_loop_role { HLO_ROLE_NONE, HLO_ROLE_ELEMENTWISE, HLO_ROLE_REDUCE, HLO_ROLE_PRODUCT } hlo_loop_role;

typedef struct hlo_loop_node {
  hlo_loop_role role;
  bool follows_reduction; /* computed from the result of a reduction of rows, element by element */
  int64_t count;          /* of elements that it visits */
  int64_t width;          /* of a reduction's rows */
  int edge_count;
  hlo_loop_edge *edges;
  int group, next; /* the first member of its group, and the next one; -1: none */
  int place;       /* where it stands, or its fusion */
} hlo_loop_node;

typedef struct hlo_loop_groups {
  hlo_rewriter *r;
  const hlo_computation *computation;
  hlo_loop_node *nodes;           /* by instruction */
  const int *first_user, *users;  /* those of instruction i: users[first_user[i] ... first_user[i + 1] - 1] */
  bool *is_live;                  /* by instruction: somebody needs it, where members read the sources of their edges */
  int *mark, stamp;               /* mark[i] == stamp: in the set that is looked at */
  int *values;                    /* by instruction: what the rewrite answers; of members HLO_KEEP until there is a fusion */
  int *inside;                    /* by instruction, while a fusion is made: what stands for it there */
  bool with_products; /* dots and convolutions are members, too */
  bool any;
} hlo_loop_groups;

/* Finds the groups, with hlo_group_unite. */
typedef bool hlo_group_finder(hlo_loop_groups *groups);
/* A rewrite made of it: fusions take the place of the groups. */
int hlo_fuse_groups(hlo_rewriter *r, hlo_group_finder *find, bool with_products);

/* Makes one group of several, each given by one of its members, or of an instruction with a role that is in none; false: that is
 * no loop with at most so many outputs, and they stay as they are. */
bool hlo_group_unite(hlo_loop_groups *groups, const int *members, int count, int most_outputs);
static inline bool hlo_is_used(const hlo_loop_groups *groups, int instruction) {
  return groups->first_user[instruction] < groups->first_user[instruction + 1] || instruction == groups->computation->root;
}

#endif
