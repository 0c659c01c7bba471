/* Groups of instructions that become fused loops: what the passes that fuse have in common.
 *
 * A loop visits `count` elements in rows of one width. A member is a vector (an element for every place) or per-row (an element for
 * every row: a reduction of rows, or computed from one). A member reads other members element by element, or a per-row one for the whole
 * row; it reads everything else through views in which a row is a run of elements, one of which is taken in each one to four, or one repeated element.
 *
 *   p: f32[8,64]   m = reduce_add(p)   d = m / 64   b = broadcast(d)   s = p - b      members m, d, s in 8 rows of 64; b is a view
 *
 * A fusion takes the place of one of the members, and the others vanish: all that it reads stands before that place, and all readers
 * of its results behind it. */
#ifndef HLO_LOOPS_FUSION_GROUPS_H
#define HLO_LOOPS_FUSION_GROUPS_H

#include "graph/module.h"
#include "loops/fused_loop.h"
#include "rewrite/rewriter.h"

enum { HLO_GROUP_MOST = 112, HLO_GROUP_CHAIN = 16, HLO_GROUP_STEP = 4 /* elements of a row that lie farther apart are brought together first */ };

/* A member reading an operand. */
typedef struct hlo_fused_edge {
  int source;       /* the instruction that is read through views */
  bool is_constant; /* the source is a constant of one element, which is copied into the loop */
  bool is_moved;    /* a view moves elements, beside repeating them */
  bool steps;       /* elements of a row lie apart */
  int64_t repeats;  /* the reader has each element of the source so many times in a row, in order; 0: it reads them otherwise */
  int cut_count;    /* numbers of trailing elements after which the view jumps */
  int64_t cuts[HLO_FUSED_MAX_DIMS];
} hlo_fused_edge;

typedef enum hlo_fused_role { HLO_ROLE_NONE, HLO_ROLE_ELEMENTWISE, HLO_ROLE_REDUCE, HLO_ROLE_PRODUCT } hlo_fused_role;

typedef struct hlo_fused_node {
  hlo_fused_role role;
  bool follows_reduction; /* computed from the result of a reduction of rows, element by element */
  int64_t count;          /* elements that it visits */
  int64_t width;          /* of a reduction's rows */
  int edge_count;
  hlo_fused_edge *edges;
  int group, next; /* the first member of its group, and the next one; -1: none */
  int place;       /* where the instruction stands, or the fusion of its group will stand */
} hlo_fused_node;

typedef struct hlo_fused_groups {
  hlo_rewriter *r;
  const hlo_computation *computation;
  hlo_fused_node *nodes;           /* by instruction */
  const int *first_user, *users;  /* the users of instruction i are users[first_user[i]] to users[first_user[i + 1] - 1] */
  bool *is_live;                  /* by instruction: it is needed, if members read the sources of their edges */
  int *mark, stamp;               /* mark[i] == stamp: instruction i is in the set at hand */
  int *values;                    /* by instruction: what the rewrite returns for it; for members HLO_KEEP until their fusion is made */
  int *inside;                    /* by instruction, while a fusion is made: its index in the fused computation */
  bool with_products; /* dots and convolutions are members, too */
  bool any;
} hlo_fused_groups;

/* Finds the role, edges and users of each instruction of groups->computation. Returns false where memory ran out. */
bool hlo_groups_survey(hlo_fused_groups *groups);
/* Unites groups, each given by one of its members (an instruction with a role that is in no group counts as a group of its own). Returns
 * false, and leaves them as they are, where they do not make one loop with at most `most_outputs` outputs. */
bool hlo_group_unite(hlo_fused_groups *groups, const int *members, int count, int most_outputs);
static inline bool hlo_is_used(const hlo_fused_groups *groups, int instruction) {
  return groups->first_user[instruction] < groups->first_user[instruction + 1] || instruction == groups->computation->root;
}

#endif
