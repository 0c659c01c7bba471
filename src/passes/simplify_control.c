/* A conditional whose branch is known becomes a call, and a while loop that runs never or once goes. The state of other loops loses elements
 * that are not needed, or that are always one known constant; elements that never change are read from the initial state. */
#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "passes/pass_list.h"
#include "passes/while_loop.h"
#include "reference/reference.h"
#include "rewrite/rewriter.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- conditional ---- */

static int conditional(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_scalar index;
  if (!hlo_splat_of(r, i->operands[0], &index)) return HLO_KEEP;
  hlo_ints branches = *hlo_instruction_ints(i, HLO_ATTR_branch_computations);
  bool is_pred = hlo_input(r, i, 0)->shape->type == HLO_TYPE_PRED;
  int count = branches.count ? branches.count : 2;
  int chosen = is_pred ? !index.u : index.s < 0 || index.s >= count ? count - 1 : (int)index.s;
  const hlo_computation *c = branches.count ? r->module->computations[branches.data[chosen]]
                                            : hlo_instruction_computation(r->module, i, chosen ? HLO_ATTR_false_computation : HLO_ATTR_true_computation);
  hlo_attribute attribute = {.id = HLO_ATTR_to_apply, .computation = c->index};
  bool fits = hlo_shape_compatible(hlo_computation_root(c)->shape, i->shape) &&
              hlo_shape_compatible(c->instructions[c->parameters[0]]->shape, hlo_input(r, i, 1 + chosen)->shape);
  if (!fits) return HLO_KEEP;
  hlo_instruction call = {.opcode = HLO_OP_CALL, .index = i->index, .shape = i->shape, .operand_count = 1, .operands = &i->operands[1 + chosen],
                          .attributes = &attribute, .attribute_count = 1};
  int value = hlo_inline_calls(r, &call);
  return value >= 0 || !hlo_ok(r->status) ? value : hlo_add(r, HLO_OP_CALL, NULL, call.operands, 1, &attribute, 1);
}

/* ---- How often a loop runs ---- */

/* Evaluates a scalar of the condition in iteration 0 or 1; false if its value is not known. */
static bool value_at(const hlo_rewriter *r, const hlo_instruction *loop, const hlo_while_loop *l, const hlo_instruction *i, int iteration, hlo_scalar *value) {
  if (i->opcode == HLO_OP_CONSTANT && hlo_shape_is_scalar(i->shape)) {
    *value = hlo_literal_get(hlo_instruction_attribute(i, HLO_ATTR_literal)->literal, 0);
    return true;
  }
  int element = hlo_while_loop_element(l->condition, i), initial = element < 0 ? HLO_KEEP : hlo_while_loop_initial(r, loop, element);
  if (initial < 0 || !hlo_shape_is_scalar(i->shape) || !hlo_splat_of(r, initial, value)) return false;
  if (iteration == 0 || l->is_invariant[element]) return true;
  const hlo_instruction *next = l->body->instructions[l->next[element]];
  if (next->opcode == HLO_OP_CONSTANT) {
    *value = hlo_literal_get(hlo_instruction_attribute(next, HLO_ATTR_literal)->literal, 0);
    return true;
  }
  if (next->opcode != HLO_OP_ADD && next->opcode != HLO_OP_SUBTRACT) return false;
  const hlo_instruction *lhs = hlo_operand(l->body, next, 0), *rhs = hlo_operand(l->body, next, 1);
  if (next->opcode == HLO_OP_ADD && lhs->opcode == HLO_OP_CONSTANT) {
    const hlo_instruction *kept = lhs;
    lhs = rhs;
    rhs = kept;
  }
  if (hlo_while_loop_element(l->body, lhs) != element || rhs->opcode != HLO_OP_CONSTANT) return false;
  hlo_scalar step = hlo_literal_get(hlo_instruction_attribute(rhs, HLO_ATTR_literal)->literal, 0);
  *value = hlo_reference_binary_scalar(next->opcode, next->shape->type, *value, step);
  return hlo_type_is_integral(next->shape->type);
}

/* Returns 1 if the loop runs the iteration, 0 if it ends before it, -1 if that is not known. */
static int goes_on(const hlo_rewriter *r, const hlo_instruction *loop, const hlo_while_loop *l, int iteration) {
  const hlo_instruction *root = hlo_computation_root(l->condition);
  hlo_scalar lhs, rhs;
  if (value_at(r, loop, l, root, iteration, &lhs)) return lhs.u != 0;
  if (root->opcode != HLO_OP_COMPARE || !hlo_shape_is_scalar(root->shape)) return -1;
  const hlo_instruction *x = hlo_operand(l->condition, root, 0), *y = hlo_operand(l->condition, root, 1);
  if (!value_at(r, loop, l, x, iteration, &lhs) || !value_at(r, loop, l, y, iteration, &rhs)) return -1;
  int type = hlo_instruction_enum(root, HLO_ATTR_comparison_type, hlo_default_comparison_type(x->shape->type));
  return hlo_reference_compare_scalar(hlo_instruction_enum(root, HLO_ATTR_direction, 0), type, x->shape->type, lhs, rhs);
}

/* ---- The state ---- */

typedef struct state {
  hlo_rewriter *r;
  const hlo_instruction *loop;
  hlo_while_loop l;
  bool *wanted;                 /* by element: read after the loop */
  bool *needed;                 /* by element: stays in the state */
  const hlo_literal **constant; /* by element: its value if it never changes and is known, or NULL */
  int *place;                   /* by element: its new number; -1: it is removed */
} state;

/* Marks what an instruction of the computation needs, elements of the state included; returns whether an element was marked anew. */
static bool mark(const state *s, const hlo_computation *c, bool *live) {
  bool found = false;
  for (int n = c->instruction_count - 1; n >= 0; n--) {
    const hlo_instruction *i = c->instructions[n];
    if (!live[n] && (hlo_is_pure(s->r, i) || i->opcode == HLO_OP_PARAMETER)) continue;
    live[n] = true;
    for (int k = 0; k < i->operand_count; k++) live[i->operands[k]] = true;
    int element = hlo_while_loop_element(c, i);
    if (element < 0 || s->needed[element] || s->constant[element]) continue;
    s->needed[element] = found = true;
  }
  return found;
}

/* The state of this pass: who reads each instruction of `from`. Those that read instruction n, in order:
 * indices[first[n]] ... indices[first[n + 1] - 1]. */
typedef struct readers {
  int *first, *indices;
} readers;

/* Lists the readers, once for each computation. NULL: no memory. */
static const readers *readers_of(hlo_rewriter *r) {
  const hlo_computation *from = r->from;
  if (r->state) return r->state;
  int total = 0, *first = hlo_arena_many(r->scratch, int, (int64_t)from->instruction_count + 2, r->status);
  for (int n = 0; first && n < from->instruction_count; n++) {
    total += from->instructions[n]->operand_count;
    for (int k = 0; k < from->instructions[n]->operand_count; k++) first[from->instructions[n]->operands[k] + 2]++;
  }
  int *indices = hlo_arena_many(r->scratch, int, total, r->status);
  readers *all = hlo_arena_new(r->scratch, readers, r->status);
  if (!first || !indices || !all) return NULL;
  for (int n = 2; n < from->instruction_count + 2; n++) first[n] += first[n - 1];
  for (int n = 0; n < from->instruction_count; n++) /* first[m + 1] moves from where the readers of m begin to where they end */
    for (int k = 0; k < from->instructions[n]->operand_count; k++) indices[first[from->instructions[n]->operands[k] + 1]++] = n;
  *all = (readers){first, indices};
  return r->state = all;
}

/* Finds the elements that are read after the loop: all of them, if an instruction reads the whole state. */
static bool find_wanted(const state *s, const readers *all) {
  const hlo_computation *from = s->r->from;
  int loop = s->r->origin->index;
  bool whole = from->root == loop;
  for (int n = all->first[loop]; n < all->first[loop + 1] && !whole; n++) {
    const hlo_instruction *reader = from->instructions[all->indices[n]];
    if (reader->opcode == HLO_OP_GET_TUPLE_ELEMENT) s->wanted[hlo_instruction_int(reader, HLO_ATTR_index, 0)] = true;
    else whole = true;
  }
  for (int n = 0; n < s->l.count; n++) s->wanted[n] |= whole;
  return !whole;
}

static bool find_needed(const state *s) {
  const hlo_while_loop *l = &s->l;
  bool *in_condition = hlo_arena_many(s->r->scratch, bool, l->condition->instruction_count, s->r->status);
  bool *in_body = hlo_arena_many(s->r->scratch, bool, l->body->instruction_count, s->r->status);
  if (!in_condition || !in_body) return false;
  in_condition[l->condition->root] = true;
  mark(s, l->condition, in_condition);
  for (int n = 0; n < l->count; n++) s->needed[n] |= s->wanted[n] && !l->is_invariant[n];
  do
    for (int n = 0; n < l->count; n++)
      if (s->needed[n]) in_body[l->next[n]] = true;
  while (mark(s, l->body, in_body));
  return true;
}

static int simplify_state(hlo_rewriter *r, const hlo_instruction *i, const hlo_while_loop *l) {
  state s = {r, i, *l, hlo_arena_many(r->scratch, bool, l->count, r->status), hlo_arena_many(r->scratch, bool, l->count, r->status),
             hlo_arena_many(r->scratch, const hlo_literal *, l->count, r->status), hlo_arena_many(r->scratch, int, l->count, r->status)};
  const readers *all = readers_of(r);
  if (!s.wanted || !s.needed || !s.constant || !s.place || !all) return HLO_KEEP;
  for (int n = 0; n < l->count; n++)
    if (l->is_invariant[n]) s.constant[n] = hlo_constant_of(r, hlo_while_loop_initial(r, i, n));
  bool apart = find_wanted(&s, all);
  if (!find_needed(&s)) return HLO_KEEP;
  int kept = 0;
  bool reads_invariant = false;
  for (int n = 0; n < l->count; n++) {
    s.place[n] = s.needed[n] ? kept++ : -1;
    reads_invariant |= apart && s.wanted[n] && l->is_invariant[n];
  }
  int *carried = hlo_arena_many(r->scratch, int, l->body->instruction_count, r->status);
  for (int n = 0; carried && n < l->body->instruction_count; n++) carried[n] = HLO_KEEP;
  const hlo_while_loop_change change = {.place = s.place, .kept = kept, .constants = s.constant, .carried = carried};
  return carried && kept > 0 && (kept < l->count || reads_invariant) ? hlo_while_loop_add_changed(r, i, l, &change) : HLO_KEEP;
}

static int loop(hlo_rewriter *r, const hlo_instruction *i) {
  hlo_while_loop l;
  bool quiet = hlo_is_pure(r, i);
  if (!hlo_while_loop_read(r, i, &l)) return HLO_KEEP;
  int first = goes_on(r, i, &l, 0);
  if (first == 0 && quiet) return i->operands[0];
  if (first == 1 && quiet && goes_on(r, i, &l, 1) == 0) return hlo_add_computation(r, l.body, i->operands);
  return r->depth == 0 ? simplify_state(r, i, &l) : HLO_KEEP; /* the readers of an instruction that is still being added are not known */
}

int hlo_simplify_control(hlo_rewriter *r, const hlo_instruction *i) {
  if (i->opcode == HLO_OP_CONDITIONAL) return conditional(r, i);
  return i->opcode == HLO_OP_WHILE ? loop(r, i) : HLO_KEEP;
}
