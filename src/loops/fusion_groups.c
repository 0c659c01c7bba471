/* Groups of instructions that become one fused loop: the test of a member, the test of a set of members, and the union of groups. */
#include "loops/fusion_groups.h"

#include "base/arena.h"
#include "base/heap_sort.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "kernels/elementwise/elementwise.h"
#include "loops/narrow_operand.h"
#include "loops/scalar_ops.h"
#include "loops/view.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* LONG_ROW: rows with more elements leave the cache between a reduction and its reader, so that fusing the two gains nothing.
 * WIDE_ROW: per-row values that do not follow a reduction are computed one element at a time; beside rows of this width that is cheap. */
enum { WIDE_ROW = 32, LONG_ROW = 1 << 15 };

/* Numbers of c128 fill no vector of emitted code: a loop with any would be interpreted as a whole. */
static bool is_plain(const hlo_shape *shape) {
  return hlo_shape_is_plain(shape) && shape->type != HLO_TYPE_C128 && hlo_shape_element_count(shape) > 0;
}

static bool is_one_constant(const hlo_instruction *i) {
  return i->opcode == HLO_OP_CONSTANT && is_plain(i->shape) && hlo_shape_element_count(i->shape) == 1;
}

/* ---- Edges ---- */

/* Describes how a loop reads a view. Returns false where a row is neither a run of elements, perhaps every second, third or fourth, nor one repeated element. */
static bool describe(const hlo_view *view, hlo_fused_edge *edge) {
  hlo_strides s;
  hlo_view_strides(view, &s);
  int64_t source = hlo_shape_element_count(view->shape), run = s.count ? s.sizes[s.count - 1] : 1, cut = 1;
  if (s.count > HLO_FUSED_MAX_DIMS) return false;
  if (s.count && (s.strides[s.count - 1] < 0 || s.strides[s.count - 1] > HLO_GROUP_STEP)) return false;
  edge->cut_count = 0;
  for (int t = s.count - 1; t > 0; t--) edge->cuts[edge->cut_count++] = cut *= s.sizes[t];
  bool repeats = s.count && s.strides[s.count - 1] == 0;
  int kept = s.count - repeats;
  edge->is_moved |= s.count > 1;
  edge->steps = s.count && s.strides[s.count - 1] > 1;
  bool in_order = s.offset == 0 && (kept == 0 ? source == 1 : kept == 1 && s.strides[0] == 1 && s.sizes[0] == source);
  edge->repeats = !in_order ? 0 : repeats ? run : 1;
  return true;
}

/* Follows views from an operand to their source, as far as a loop can read through them. */
static void find_edge(const hlo_computation *c, int operand, const hlo_shape *reader, hlo_fused_edge *edge) {
  hlo_view view;
  bool moved = false;
  const hlo_instruction *i = c->instructions[operand];
  hlo_view_start(&view, i->shape, reader);
  *edge = (hlo_fused_edge){.source = operand};
  describe(&view, edge);
  for (int n = 0; n < HLO_GROUP_CHAIN && hlo_is_view(c, i) && hlo_view_through(&view, c, i); n++) {
    moved |= i->opcode != HLO_OP_BROADCAST && i->opcode != HLO_OP_RESHAPE && i->opcode != HLO_OP_BITCAST;
    i = c->instructions[i->operands[0]];
    hlo_fused_edge further = {.source = i->index, .is_moved = moved};
    if (!describe(&view, &further)) return;
    *edge = further;
  }
  edge->is_constant = is_one_constant(c->instructions[edge->source]);
}

/* ---- Roles ---- */

/* The product of the reduced dimensions if they are the last ones; else 0. */
static int64_t reduced_width(const hlo_shape *operand, uint32_t reduced) {
  int64_t width = 1;
  int d = operand->rank;
  while (d > 0 && ((reduced >> (d - 1) & 1) || operand->dims[d - 1] == 1)) width *= operand->dims[--d];
  for (; d > 0; d--)
    if ((reduced >> (d - 1) & 1) && operand->dims[d - 1] != 1) return 0;
  return width;
}

static hlo_fused_role role_of(const hlo_fused_groups *g, const hlo_instruction *i, hlo_fused_node *node) {
  const hlo_computation *c = g->computation;
  hlo_reduction reduction;
  if (!is_plain(i->shape) || hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return HLO_ROLE_NONE;
  for (int n = 0; n < i->operand_count; n++)
    if (!is_plain(hlo_operand(c, i, n)->shape)) return HLO_ROLE_NONE;
  node->count = hlo_shape_element_count(i->shape);
  switch (i->opcode) {
  case HLO_OP_DOT: case HLO_OP_CONVOLUTION:
    return i->shape->type == HLO_TYPE_F32 ? HLO_ROLE_PRODUCT : HLO_ROLE_NONE;
  case HLO_OP_REDUCE:
    if (!hlo_reduction_for(g->r->module, c, i, &reduction) || !is_one_constant(hlo_operand(c, i, 1))) return HLO_ROLE_NONE;
    node->count = hlo_shape_element_count(hlo_operand(c, i, 0)->shape);
    node->width = reduced_width(hlo_operand(c, i, 0)->shape, hlo_ints_mask(hlo_instruction_ints(i, HLO_ATTR_dimensions)));
    return node->width > 1 ? HLO_ROLE_REDUCE : HLO_ROLE_NONE;
  default:
    return hlo_scalar_op_for(c, i) != HLO_SCALAR_NONE ? HLO_ROLE_ELEMENTWISE : HLO_ROLE_NONE;
  }
}

static bool add_edges(hlo_fused_groups *g, const hlo_instruction *i, hlo_fused_node *node) {
  node->edge_count = i->operand_count;
  node->edges = hlo_arena_many(g->r->scratch, hlo_fused_edge, node->edge_count, g->r->status);
  for (int n = 0; node->edges && n < node->edge_count; n++) {
    hlo_fused_edge *edge = &node->edges[n];
    if (node->role == HLO_ROLE_PRODUCT) {
      *edge = (hlo_fused_edge){.source = i->operands[n]};
      continue;
    }
    if (node->role == HLO_ROLE_REDUCE && n == 1) *edge = (hlo_fused_edge){.source = i->operands[1], .is_constant = true};
    else find_edge(g->computation, i->operands[n], node->role == HLO_ROLE_REDUCE ? hlo_operand(g->computation, i, 0)->shape : i->shape, edge);
    const hlo_fused_node *source = &g->nodes[edge->source];
    if (node->role == HLO_ROLE_ELEMENTWISE && edge->repeats == 1)
      node->follows_reduction |= source->role == HLO_ROLE_REDUCE || source->follows_reduction;
  }
  return node->edges != NULL;
}

/* ---- Users ---- */

/* The k-th instruction that instruction n reads: for a member the source of its edge, for others an operand. -1: there is none, or n
 * is not live. Views between a member and its source are live only if another instruction reads them. */
static int reads(const hlo_fused_groups *g, int n, int k) {
  const hlo_instruction *i = g->computation->instructions[n];
  const hlo_fused_node *node = &g->nodes[n];
  if (!g->is_live[n] || k >= i->operand_count) return -1;
  return node->role ? node->edges[k].source : i->operands[k];
}

static bool find_users(hlo_fused_groups *g) {
  const hlo_computation *c = g->computation;
  int count = c->instruction_count, total = 0;
  int *first = hlo_arena_many(g->r->scratch, int, (int64_t)count + 2, g->r->status);
  if (!first) return false;
  g->is_live[c->root] = true;
  for (int n = count - 1; n >= 0; n--) {
    g->is_live[n] |= c->instructions[n]->opcode == HLO_OP_PARAMETER || !hlo_is_pure(g->r, c->instructions[n]);
    for (int k = 0, source; (source = reads(g, n, k)) >= 0; k++) {
      g->is_live[source] = true;
      first[source + 2]++;
      total++;
    }
  }
  int *users = hlo_arena_many(g->r->scratch, int, total, g->r->status);
  if (!users) return false;
  for (int n = 2; n <= count; n++) first[n] += first[n - 1];
  for (int n = 0; n < count; n++)
    for (int k = 0, source; (source = reads(g, n, k)) >= 0; k++) users[first[source + 1]++] = n;
  g->first_user = first;
  g->users = users;
  return true;
}

bool hlo_groups_survey(hlo_fused_groups *g) {
  const hlo_computation *c = g->computation;
  int count = c->instruction_count;
  g->nodes = hlo_arena_many(g->r->scratch, hlo_fused_node, count, g->r->status);
  g->mark = hlo_arena_many(g->r->scratch, int, count, g->r->status);
  g->values = hlo_arena_many(g->r->scratch, int, count, g->r->status);
  g->inside = hlo_arena_many(g->r->scratch, int, count, g->r->status);
  g->is_live = hlo_arena_many(g->r->scratch, bool, count, g->r->status);
  bool *is_held = hlo_arena_many(g->r->scratch, bool, count, g->r->status);
  if (!g->nodes || !g->mark || !g->values || !g->inside || !g->is_live || !is_held) return false;
  for (int n = 0; n < count; n++) {
    hlo_ints before = *hlo_instruction_ints(c->instructions[n], HLO_ATTR_control_predecessors);
    for (int k = 0; k < before.count; k++) is_held[before.data[k]] = true;
  }
  if (!hlo_narrow_hold(g->r->module, c, false, is_held, g->r->scratch, g->r->status)) return false;
  for (int n = 0; n < count; n++) {
    hlo_fused_node *node = &g->nodes[n];
    *node = (hlo_fused_node){.group = -1, .next = -1, .place = n};
    g->values[n] = HLO_KEEP;
    if (is_held[n]) continue;
    node->role = role_of(g, c->instructions[n], node);
    if (node->role == HLO_ROLE_PRODUCT && !g->with_products) node->role = HLO_ROLE_NONE;
    if (node->role && !add_edges(g, c->instructions[n], node)) return false;
  }
  return find_users(g);
}

/* ---- What a set of members must be like ---- */

typedef struct set {
  int count, members[HLO_GROUP_MOST]; /* in the order of the computation */
  int64_t elements, width;            /* elements of a vector; width of rows, 0: any */
  int cut_count;
  int64_t cuts[HLO_FUSED_MAX_DIMS];       /* ascending */
  int input_count, inputs[HLO_FUSED_MAX_INPUTS];
  int value_count, output_count;
  int after, before; /* the fusion must stand between these two places */
} set;

static bool gather(const hlo_fused_groups *g, const int *members, int count, set *s) {
  for (int n = 0; n < count; n++)
    for (int m = g->nodes[members[n]].group < 0 ? members[n] : g->nodes[members[n]].group; m >= 0; m = g->nodes[m].next) {
      if (s->count == HLO_GROUP_MOST) return false;
      s->members[s->count++] = m;
    }
  hlo_heap_sort(s->members, (size_t)s->count, sizeof *s->members, hlo_compare_ints);
  return true;
}

/* Returns whether a member has one element for every row: a reduction, or an instruction of fewer elements than a vector. */
static bool is_per_row(const set *s, const hlo_fused_node *node) { return node->role == HLO_ROLE_REDUCE || node->count < s->elements; }

static bool find_rows(const hlo_fused_groups *g, set *s) {
  bool has_product = false;
  for (int n = 0; n < s->count; n++)
    if (g->nodes[s->members[n]].count > s->elements) s->elements = g->nodes[s->members[n]].count;
  for (int n = 0; n < s->count; n++) {
    const hlo_fused_node *node = &g->nodes[s->members[n]];
    bool fewer = node->count < s->elements;
    int64_t width = fewer ? s->elements / node->count : node->width;
    has_product |= node->role == HLO_ROLE_PRODUCT;
    if (width == 0) continue;
    if ((fewer && (node->role != HLO_ROLE_ELEMENTWISE || s->elements % node->count)) || (s->width && s->width != width)) return false;
    if (fewer && !node->follows_reduction && width < WIDE_ROW) return false;
    s->width = width;
  }
  return !s->width || !has_product;
}

static bool add_cut(set *s, int64_t cut) {
  int n = 0;
  while (n < s->cut_count && s->cuts[n] < cut) n++;
  if (cut == s->elements || (n < s->cut_count && s->cuts[n] == cut)) return true;
  if (s->cut_count == HLO_FUSED_MAX_DIMS) return false;
  for (int k = s->cut_count++; k > n; k--) s->cuts[k] = s->cuts[k - 1];
  s->cuts[n] = cut;
  return true;
}

static bool add_input(set *s, int source) {
  for (int n = 0; n < s->input_count; n++)
    if (s->inputs[n] == source) return true;
  if (s->input_count == HLO_FUSED_MAX_INPUTS) return false;
  s->inputs[s->input_count++] = source;
  return true;
}

static bool reads_member(const hlo_fused_groups *g, const set *s, const hlo_fused_node *node, const hlo_fused_edge *edge) {
  bool from_row = is_per_row(s, &g->nodes[edge->source]);
  bool to_row = node->role != HLO_ROLE_REDUCE && is_per_row(s, node);
  if (from_row == to_row) return edge->repeats == 1 || s->elements == 1;
  return from_row && edge->repeats == s->width && s->width <= LONG_ROW;
}

static bool check_edges(const hlo_fused_groups *g, set *s) {
  for (int n = 0; n < s->count; n++) {
    const hlo_fused_node *node = &g->nodes[s->members[n]];
    s->value_count += 1 + 2 * (node->role == HLO_ROLE_REDUCE);
    for (int k = 0; k < node->edge_count; k++) {
      const hlo_fused_edge *edge = &node->edges[k];
      s->value_count += g->mark[edge->source] != g->stamp;
      if (edge->is_constant) continue;
      if (g->mark[edge->source] == g->stamp) {
        if (!reads_member(g, s, node, edge)) return false;
        continue;
      }
      if (!add_input(s, edge->source)) return false;
      if (g->nodes[edge->source].place > s->after) s->after = g->nodes[edge->source].place;
      int64_t scale = node->count < s->elements ? s->width : 1;
      for (int m = 0; m < edge->cut_count; m++)
        if (!add_cut(s, edge->cuts[m] * scale)) return false;
    }
  }
  return s->value_count <= HLO_FUSED_MAX_VALUES;
}

/* Returns whether no row crosses a cut of a view, and cuts divide each other. */
static bool check_cuts(set *s) {
  if (s->width && !add_cut(s, s->width)) return false;
  for (int n = 1; n < s->cut_count; n++)
    if (s->cuts[n] % s->cuts[n - 1]) return false;
  return s->cut_count == 0 || s->width == 0 || s->cuts[0] == s->width;
}

static void find_readers(const hlo_fused_groups *g, set *s) {
  s->before = g->computation->instruction_count;
  for (int n = 0; n < s->count; n++) {
    int m = s->members[n];
    bool is_output = m == g->computation->root;
    for (int k = g->first_user[m]; k < g->first_user[m + 1]; k++) {
      int user = g->users[k];
      if (g->mark[user] == g->stamp) continue;
      is_output = true;
      if (g->nodes[user].place < s->before) s->before = g->nodes[user].place;
    }
    s->output_count += is_output;
  }
}

static bool is_loop(hlo_fused_groups *g, set *s, int most_outputs) {
  g->stamp++;
  for (int n = 0; n < s->count; n++) g->mark[s->members[n]] = g->stamp;
  s->after = -1;
  if (!find_rows(g, s) || !check_edges(g, s) || !check_cuts(s)) return false;
  find_readers(g, s);
  return s->output_count <= most_outputs;
}

/* ---- Groups ---- */

bool hlo_group_unite(hlo_fused_groups *g, const int *members, int count, int most_outputs) {
  set s = {0};
  if (!gather(g, members, count, &s) || !is_loop(g, &s, most_outputs)) return false;
  int place = -1;
  for (int n = 0; n < s.count && place < 0; n++) {
    int candidate = g->nodes[s.members[n]].place;
    if (candidate > s.after && candidate < s.before) place = candidate;
  }
  for (int n = 0; n < s.count && place >= 0; n++) {
    hlo_fused_node *node = &g->nodes[s.members[n]];
    node->group = s.members[0];
    node->next = n + 1 < s.count ? s.members[n + 1] : -1;
    node->place = place;
  }
  return place >= 0;
}
