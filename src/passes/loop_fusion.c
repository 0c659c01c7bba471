/* Turns the groups of loops/fusion_groups.h into fusion instructions: orders the members one after another, and makes the computations that
 * the fusions call. */
#include "passes/loop_fusion.h"

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "loops/fused_loop.h"
#include "loops/scalar_ops.h"
#include "loops/view.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- The order ---- */

typedef struct sequence {
  const hlo_fused_groups *g;
  int *order, count;
  bool *is_placed;
  int *chain; /* views that are waiting to be placed, from the reader back */
} sequence;

static void place(sequence *s, int n) {
  if (s->is_placed[n]) return;
  s->is_placed[n] = true;
  s->order[s->count++] = n;
}

/* True for views and constants, which are placed in front of their first reader; a fusion may have taken in all readers. */
static bool can_wait(const sequence *s, int n) {
  const hlo_instruction *i = s->g->computation->instructions[n];
  return s->g->nodes[n].group < 0 && (i->opcode == HLO_OP_CONSTANT || hlo_is_view(s->g->computation, i));
}

static void place_read(sequence *s, int n) {
  int length = 0;
  while (!s->is_placed[n] && can_wait(s, n)) {
    const hlo_instruction *i = s->g->computation->instructions[n];
    s->chain[length++] = n;
    if (i->operand_count == 0) break;
    n = i->operands[0];
  }
  while (length > 0) place(s, s->chain[--length]);
}

static void place_group(sequence *s, int first) {
  const hlo_fused_node *nodes = s->g->nodes;
  for (int m = first; m >= 0; m = nodes[m].next)
    for (int k = 0; k < nodes[m].edge_count; k++)
      if (!nodes[m].edges[k].is_constant) place_read(s, nodes[m].edges[k].source);
  for (int m = first; m >= 0; m = nodes[m].next) place(s, m);
}

static void place_one(sequence *s, int n) {
  const hlo_instruction *i = s->g->computation->instructions[n];
  hlo_ints before = *hlo_instruction_ints(i, HLO_ATTR_control_predecessors);
  for (int k = 0; k < i->operand_count; k++) place_read(s, i->operands[k]);
  for (int k = 0; k < before.count; k++) place_read(s, (int)before.data[k]);
  place(s, n);
}

static bool order(hlo_fused_groups *g) {
  hlo_rewriter *r = g->r;
  int count = g->computation->instruction_count;
  sequence s = {.g = g, .order = hlo_arena_many(r->scratch, int, count, r->status), .chain = hlo_arena_many(r->scratch, int, count, r->status),
                .is_placed = hlo_arena_many(r->scratch, bool, count, r->status)};
  if (!s.order || !s.chain || !s.is_placed) return false;
  for (int n = 0; n < count; n++) {
    const hlo_fused_node *node = &g->nodes[n];
    if (node->group >= 0 && node->place == n) place_group(&s, node->group);
    if (node->group < 0 && (n == 0 || n == g->computation->root || (g->is_live[n] && !can_wait(&s, n)))) place_one(&s, n);
  }
  for (int n = 0; n < count; n++) {
    if (s.is_placed[n]) continue;
    g->values[n] = HLO_GONE;
    place(&s, n);
  }
  r->order = s.order;
  return true;
}

/* ---- A fusion ---- */

/* The computation of a fusion while it is made. Where mark[i] is the stamp, inside[i] stands for instruction i of the outer computation. */
typedef struct body {
  hlo_fused_groups *g;
  hlo_rewriter inner;
  hlo_computation to;
  int operand_count, operands[HLO_FUSED_MAX_INPUTS];
} body;

static void set_inside(body *b, int n, int value) {
  b->g->inside[n] = value;
  b->g->mark[n] = b->g->stamp;
}

static void add_inputs(body *b, int first) {
  const hlo_fused_groups *g = b->g;
  for (int m = first; m >= 0; m = g->nodes[m].next)
    for (int k = 0; k < g->nodes[m].edge_count; k++) {
      const hlo_fused_edge *edge = &g->nodes[m].edges[k];
      const hlo_instruction *source = g->computation->instructions[edge->source];
      if (edge->is_constant || g->mark[edge->source] == g->stamp || g->nodes[edge->source].group == first) continue;
      int parameter = hlo_add_parameter(&b->inner, source->shape, b->operand_count);
      hlo_call_it(&b->inner, parameter, source->name);
      b->operands[b->operand_count++] = g->r->map[edge->source];
      set_inside(b, edge->source, parameter);
    }
}

/* Adds the views (and the constant they end in) between a member's operand and a value that is inside already. */
static bool add_operand(body *b, int operand) {
  const hlo_computation *c = b->g->computation;
  int length = 0, chain[HLO_GROUP_CHAIN + 1];
  for (int n = operand; b->g->mark[n] != b->g->stamp; n = c->instructions[n]->operands[0]) {
    chain[length++] = n;
    if (c->instructions[n]->operand_count == 0) break;
  }
  while (length > 0 && hlo_ok(b->g->r->status)) {
    int n = chain[--length];
    set_inside(b, n, hlo_add_copy(&b->inner, c->instructions[n], b->g->inside));
  }
  return hlo_ok(b->g->r->status);
}

static bool add_members(body *b, int first) {
  for (int m = first; m >= 0; m = b->g->nodes[m].next) {
    const hlo_instruction *i = b->g->computation->instructions[m];
    for (int k = 0; k < i->operand_count; k++)
      if (!add_operand(b, i->operands[k])) return false;
    set_inside(b, m, hlo_add_copy(&b->inner, i, b->g->inside));
  }
  return hlo_ok(b->g->r->status);
}

static bool is_read_outside(const hlo_fused_groups *g, int member) {
  for (int k = g->first_user[member]; k < g->first_user[member + 1]; k++)
    if (g->nodes[g->users[k]].group != g->nodes[member].group) return true;
  return member == g->computation->root;
}

static int add_fusion(body *b, int first, int calls) {
  hlo_rewriter *r = b->g->r;
  bool has_product = false;
  for (int m = first; m >= 0; m = b->g->nodes[m].next) has_product |= b->g->nodes[m].role == HLO_ROLE_PRODUCT;
  if (calls < 0) return HLO_KEEP;
  const hlo_attribute attributes[] = {{.id = HLO_ATTR_fusion_kind, .enumerant = has_product ? HLO_fusion_kind_kOutput : HLO_fusion_kind_kLoop},
                                      {.id = HLO_ATTR_calls, .computation = calls}};
  int fusion = hlo_add(r, HLO_OP_FUSION, NULL, b->operands, b->operand_count, attributes, 2);
  hlo_call_it(r, fusion, "fusion");
  return fusion;
}

static bool fuse(hlo_fused_groups *g, int first) {
  hlo_rewriter *r = g->r;
  body b = {.g = g};
  int outputs[HLO_GROUP_MOST], roots[HLO_GROUP_MOST], count = 0;
  g->stamp++;
  if (!hlo_begin_computation(r, &b.inner, &b.to)) return false;
  b.inner.origin = NULL;
  add_inputs(&b, first);
  if (!add_members(&b, first)) return false;
  for (int m = first; m >= 0; m = g->nodes[m].next) {
    g->values[m] = HLO_GONE;
    if (!is_read_outside(g, m)) continue;
    roots[count] = g->inside[m];
    outputs[count++] = m;
  }
  int root = count == 1 ? roots[0] : hlo_add_tuple(&b.inner, roots, count);
  int fusion = add_fusion(&b, first, hlo_end_computation(&b.inner, NULL, "fused_computation", root));
  for (int n = 0; n < count && fusion >= 0; n++) {
    int value = count == 1 ? fusion : hlo_add_element(r, fusion, n);
    if (value < 0) return false;
    if (count > 1) r->to->instructions[value]->name = g->computation->instructions[outputs[n]]->name;
    g->values[outputs[n]] = value;
  }
  return fusion >= 0;
}

static int visit(hlo_fused_groups *g, int n) {
  const hlo_fused_node *node = &g->nodes[n];
  if (node->group >= 0 && g->values[n] == HLO_KEEP && !fuse(g, node->group)) return HLO_KEEP;
  return g->values[n];
}

/* ---- The pass ---- */

/* Returns whether rows are so short that a loop folds them in less time than the kernel, which begins anew for each. Extremes of floats take several instructions, and are slow where
 * a row is not whole vectors. */
static bool are_short(const hlo_fused_groups *g, int n, hlo_type type) {
  enum { SHORT = 64, SHORT_LONGS = 32, SHORT_EXTREMES = 12, FEW = 3 };
  int64_t width = g->nodes[n].width;
  const hlo_instruction *fold = hlo_computation_root(hlo_instruction_computation(g->r->module, g->computation->instructions[n], HLO_ATTR_to_apply));
  bool is_extreme = fold->opcode == HLO_OP_MAXIMUM || fold->opcode == HLO_OP_MINIMUM;
  bool is_long = hlo_type_bits(type) == 64;
  if (is_extreme && hlo_type_is_float(type)) return width <= FEW || (width <= SHORT_EXTREMES && width % 4 == 0);
  return width <= (is_long ? SHORT_LONGS : SHORT);
}

/* Returns whether a loop that is written for one instruction alone takes less time than its kernel: functions (an exponential, say), which the kernel computes for few elements at a
 * time, shifts of words by counts of their own, shifts of 64 bits by one constant, and reductions of short rows. */
static bool is_worth_writing(const hlo_fused_groups *g, int n) {
  enum { MANY = 1024 };
  const hlo_instruction *i = g->computation->instructions[n];
  const hlo_shape *read = hlo_operand(g->computation, i, 0)->shape;
  if (g->with_products || hlo_shape_element_count(read) < MANY) return false;
  if (g->nodes[n].role == HLO_ROLE_REDUCE) return are_short(g, n, read->type);
  if (hlo_op_shifts(i->opcode)) return hlo_type_bits(read->type) == 32 || (hlo_type_bits(read->type) == 64 && g->nodes[n].edges[1].is_constant);
  return i->shape->type == HLO_TYPE_F32 && hlo_scalar_op_cost(hlo_scalar_op_for(g->computation, i)) == HLO_COST_FUNCTION;
}

/* Removes groups of one member, unless a view moves what the member reads, or it is worth writing; sets g->any. */
static void drop_singles(hlo_fused_groups *g) {
  for (int n = 0; n < g->computation->instruction_count; n++) {
    hlo_fused_node *node = &g->nodes[n];
    bool is_single = node->group == n && node->next < 0, gains = false;
    for (int k = 0; is_single && k < node->edge_count; k++) gains |= node->edges[k].is_moved;
    if (is_single && !gains && !is_worth_writing(g, n)) node->group = -1;
    g->any |= node->group >= 0;
  }
}

/* Returns whether the computation has instructions that could be fused, and products if these are asked for. */
static bool may_fuse(const hlo_computation *c, bool with_products) {
  int products = 0, ops = 0;
  for (int n = 0; n < c->instruction_count; n++) {
    hlo_opcode opcode = c->instructions[n]->opcode;
    products += opcode == HLO_OP_DOT || opcode == HLO_OP_CONVOLUTION;
    ops += hlo_op_has(opcode, HLO_FLAG_ELEMENTWISE) || opcode == HLO_OP_REDUCE;
  }
  return ops > 0 && (!with_products || products > 0);
}

static hlo_fused_groups *make_groups(hlo_rewriter *r, hlo_group_finder *find, bool with_products) {
  hlo_fused_groups *g = hlo_arena_new(r->scratch, hlo_fused_groups, r->status);
  if (!g) return NULL;
  *g = (hlo_fused_groups){.r = r, .computation = r->from, .with_products = with_products};
  if (!may_fuse(r->from, with_products) || r->layouts_matter || hlo_is_applied(r)) return g;
  if (!hlo_groups_survey(g) || !find(g)) return NULL;
  drop_singles(g);
  return !g->any || order(g) ? g : NULL;
}

int hlo_fuse_groups(hlo_rewriter *r, hlo_group_finder *find, bool with_products) {
  if (r->depth > 0) return HLO_KEEP;
  if (!r->state) r->state = make_groups(r, find, with_products);
  hlo_fused_groups *g = r->state;
  return !g || !g->any ? HLO_KEEP : visit(g, r->origin->index);
}
