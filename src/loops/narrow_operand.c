#include "loops/narrow_operand.h"

#include "graph/attribute.h"
#include "graph/opcode.h"
#include "infer/infer.h"
#include "loops/view.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"

enum { FEW = 1 << 15 }; /* a smaller constant is better widened when the program is compiled */

/* The way from the dot to the stored elements. */
typedef struct way {
  const hlo_narrow_place *place;
  const hlo_computation *computation; /* where `at` stands: the outer one, once the way has left the fusion */
  const hlo_instruction *at;
  bool inside; /* the dot is part of a fusion, and the way has not left it */
  hlo_view view;
  int64_t n, k;
  hlo_narrow_operand *found;
  /* What is done to the elements, from the dot on: in the other order than the program does it. */
  int count;
  struct narrow_action {
    int which; /* HLO_NARROW_ZERO, ...; HLO_NARROW_VALUES: rounding */
    hlo_narrow_rounding rounding;
    hlo_narrow_values values;
  } actions[HLO_NARROW_CHAIN];
} way;

/* ---- Strides ---- */

/* Takes terms that together number `size` elements off the end of the strides: at most two, (outer, inner). Returns how many; -1: more. */
static int take(hlo_strides *s, int64_t size, int64_t sizes[2], int64_t strides[2]) {
  int count = 0;
  sizes[0] = sizes[1] = 1, strides[0] = strides[1] = 0;
  while (size > 1) {
    int last = s->count - 1;
    if (last < 0 || count == 2) return -1;
    int64_t part = s->sizes[last] < size ? s->sizes[last] : size;
    if (size % part || s->sizes[last] % part) return -1;
    sizes[1 - count] = part, strides[1 - count++] = s->strides[last];
    s->sizes[last] /= part, s->strides[last] *= part, size /= part;
    if (s->sizes[last] == 1) s->count--;
  }
  return count;
}

/* Takes the only term of so many elements off the end. *stride is 0 of one element. Returns false if there are more terms. */
static bool take_one(hlo_strides *s, int64_t size, int64_t *stride) {
  int64_t sizes[2], strides[2];
  int count = take(s, size, sizes, strides);
  *stride = strides[1];
  return count == 0 || count == 1;
}

/* Finds the strides of the stored elements: one along k, one along n. */
static bool find_matrix(const way *w, hlo_narrow_form *form) {
  hlo_strides s;
  hlo_view_strides(&w->view, &s);
  form->offset = s.offset;
  if (!take_one(&s, w->k, &form->k_stride) || !take_one(&s, w->n, &form->n_stride)) return false;
  if (w->k == 1) form->k_stride = 1;
  if (w->n == 1) form->n_stride = 1;
  return form->k_stride == 1 ? form->n_stride > 0 : form->n_stride == 1 && form->k_stride > 0;
}

/* Finds those of an array: one along n, one from group to group. */
static bool find_values(const way *w, const hlo_view *view, hlo_narrow_values *values) {
  hlo_strides s;
  int64_t sizes[2], strides[2];
  hlo_view_strides(view, &s);
  values->offset = s.offset;
  int terms = take(&s, w->k, sizes, strides);
  if (terms < 0) return false;
  if (terms == 1 && strides[1] != 0) sizes[0] = sizes[1], strides[0] = strides[1], sizes[1] = 1, strides[1] = 0;
  if (strides[1] != 0) return false;
  values->group = sizes[0] > 1 ? sizes[1] : w->k;
  values->g_stride = strides[0];
  if (!take_one(&s, w->n, &values->n_stride) || values->n_stride < 0 || values->g_stride < 0) return false;
  return values->group > 1 || w->k == 1;
}

/* ---- Steps of the way ---- */

static bool is_plain_array(const hlo_shape *shape) { return hlo_shape_is_plain(shape) && hlo_shape_element_count(shape) > 0; }

/* Counts the instructions of a computation that read another; being the root counts as one. */
static int readers(const way *w, const hlo_instruction *read) {
  const hlo_computation *c = w->computation;
  if (w->place->readers && !w->inside) return w->place->readers[read->index];
  int count = c->root == read->index;
  for (int i = 0; i < c->instruction_count; i++)
    for (int n = 0; n < c->instructions[i]->operand_count; n++) count += c->instructions[i]->operands[n] == read->index;
  return count;
}

/* Leaves the fusion where the way has come to one of its parameters that only the way reads. */
static bool leave_fusion(way *w) {
  if (!w->inside || w->at->opcode != HLO_OP_PARAMETER) return true;
  if (readers(w, w->at) != 1) return false;
  const hlo_instruction *fusion = w->place->fusion;
  int number = (int)hlo_instruction_int(w->at, HLO_ATTR_parameter_number, 0), uses = 0;
  for (int n = 0; n < fusion->operand_count; n++) uses += fusion->operands[n] == fusion->operands[number];
  w->computation = w->place->outer;
  w->at = hlo_operand(w->computation, fusion, number);
  w->inside = false;
  return uses == 1;
}

/* Goes on to an operand. Between the dot and the elements each value is read once. */
static bool go(way *w, int operand) {
  hlo_narrow_operand *found = w->found;
  if (!w->inside) {
    if (found->chain_count == HLO_NARROW_CHAIN) return false;
    found->chain[found->chain_count++] = w->at->index;
  }
  if (readers(w, w->at) != 1) return false;
  w->at = hlo_operand(w->computation, w->at, operand);
  return is_plain_array(w->at->shape) && leave_fusion(w);
}

static struct narrow_action *add_action(way *w, int which) {
  if (w->count == HLO_NARROW_CHAIN) return NULL;
  w->actions[w->count] = (struct narrow_action){.which = which};
  return &w->actions[w->count++];
}

static bool add_rounding(way *w, hlo_type type) {
  struct narrow_action *action = add_action(w, HLO_NARROW_VALUES);
  if (action) action->rounding = type == HLO_TYPE_BF16 ? HLO_ROUND_BF16 : HLO_ROUND_F16;
  return action != NULL;
}

static bool is_integer(hlo_type type) {
  hlo_type_class class = hlo_type_classify(type);
  return class == HLO_CLASS_SIGNED || class == HLO_CLASS_UNSIGNED;
}
static bool is_short_float(hlo_type type) { return type == HLO_TYPE_BF16 || type == HLO_TYPE_F16; }

/* Types of small integers and of small floats; every value of them is one of bf16, and but for powers of two, of f16. */
static bool is_byte(hlo_type type) {
  return hlo_type_bytes(type) == 1 && (is_integer(type) || hlo_type_is_float(type)) && type != HLO_TYPE_F8E8M0FNU;
}

/* A conversion that changes no number, or rounds it to bf16 or f16. */
static bool convert(way *w) {
  hlo_type from = hlo_operand(w->computation, w->at, 0)->shape->type, to = w->at->shape->type;
  if (from == to || to == HLO_TYPE_F32) {
    if (from != to && !is_byte(from) && !is_short_float(from) && !is_integer(from)) return false;
    return go(w, 0);
  }
  if (is_short_float(to)) {
    if (is_byte(from)) return go(w, 0);
    return (from == HLO_TYPE_F32 || is_short_float(from)) && add_rounding(w, to) && go(w, 0);
  }
  bool widens = is_integer(to) && is_integer(from) && (hlo_type_is_signed(to) || !hlo_type_is_signed(from));
  return widens && hlo_type_bits(to) - hlo_type_bits(from) >= (hlo_type_is_signed(to) != hlo_type_is_signed(from)) && go(w, 0);
}

/* Follows an operand of an op to an array that is repeated. */
static bool follow_values(const way *w, int operand, struct narrow_action *action, int *instruction) {
  const hlo_computation *c = w->computation;
  const hlo_instruction *i = hlo_operand(c, w->at, operand);
  hlo_view view = w->view;
  for (int n = 0; n < HLO_NARROW_CHAIN; n++) {
    if (!is_plain_array(i->shape)) return false;
    bool is_copy = i->opcode == HLO_OP_COPY;
    if (!is_copy && !(hlo_is_view(c, i) && hlo_view_through(&view, c, i))) break;
    if (is_copy) view.shape = hlo_operand(c, i, 0)->shape;
    i = hlo_operand(c, i, 0);
  }
  action->values.value = 0;
  *instruction = i->index;
  return (hlo_shape_element_count(i->shape) < w->n * w->k || i->shape->rank == 0) && find_values(w, &view, &action->values);
}

/* Remembers an array as an operand, or the value of a constant of one element. */
static bool set_values(way *w, int instruction, struct narrow_action *action) {
  hlo_narrow_operand *found = w->found;
  const hlo_instruction *i = hlo_instruction_at(w->computation, instruction);
  if (i->opcode == HLO_OP_CONSTANT && hlo_shape_element_count(i->shape) == 1) {
    const hlo_literal *literal = hlo_instruction_attribute(i, HLO_ATTR_literal)->literal;
    action->values.operand = -1;
    action->values.value = is_integer(i->shape->type) ? (float)hlo_literal_int(literal, 0) : (float)hlo_literal_real(literal, 0);
    return true;
  }
  found->has_integers |= i->shape->type != HLO_TYPE_F32;
  if (i->opcode == HLO_OP_CONVERT && found->chain_count < HLO_NARROW_CHAIN) found->chain[found->chain_count++] = instruction; /* may be read through */
  for (int n = 1; n < found->operand_count; n++)
    if (found->operands[n] == instruction) return action->values.operand = n, true;
  if (found->operand_count == HLO_NARROW_OPERANDS) return false;
  action->values.operand = found->operand_count;
  found->operands[found->operand_count++] = instruction;
  return true;
}

/* multiply, add or subtract with an array. In narrow floats the result is rounded. */
static bool combine(way *w, int which) {
  hlo_type type = w->at->shape->type;
  int last = which == HLO_NARROW_ZERO ? 1 : 0;
  if (w->inside || (type != HLO_TYPE_F32 && !is_short_float(type) && !(which == HLO_NARROW_ZERO && is_integer(type) && hlo_type_bytes(type) > 1)))
    return false;
  if (is_short_float(type) && !add_rounding(w, type)) return false;
  struct narrow_action *action = add_action(w, which);
  for (int operand = 1; action && operand >= last; operand--) {
    int instruction;
    if (!follow_values(w, operand, action, &instruction)) continue;
    w->found->has_integers |= is_integer(type);
    return set_values(w, instruction, action) && go(w, 1 - operand);
  }
  return false;
}

/* Makes one step; false: `at` is no op that the way leads through. */
static bool step(way *w) {
  const hlo_instruction *i = w->at;
  if (hlo_instruction_attribute(i, HLO_ATTR_control_predecessors)) return false;
  switch (i->opcode) {
  case HLO_OP_CONVERT: return convert(w);
  case HLO_OP_MULTIPLY: return combine(w, HLO_NARROW_SCALE);
  case HLO_OP_ADD: return combine(w, HLO_NARROW_MORE);
  case HLO_OP_SUBTRACT: return combine(w, HLO_NARROW_ZERO);
  case HLO_OP_COPY: w->view.shape = hlo_operand(w->computation, i, 0)->shape; return go(w, 0);
  case HLO_OP_BROADCAST: return false;
  default: return hlo_is_view(w->computation, i) && hlo_view_through(&w->view, w->computation, i) && go(w, 0);
  }
}

/* ---- The whole ---- */

static bool is_computed_in_f32(hlo_type type) { return type == HLO_TYPE_F32 || is_short_float(type); }

static void add_dimension(way *w, const hlo_shape *shape, int d, int64_t *size) {
  *size *= shape->dims[d];
  if (shape->dims[d] != 1) w->view.terms[w->view.term_count++] = (struct hlo_view_term){shape->dims[d], 1, d};
}

/* The kernel of a convolution: by output features, and then as its product goes through it (kernels/product/convolution.c). */
static bool number_kernel(way *w, const hlo_shape *shape) {
  const hlo_instruction *convolution = w->place->dot;
  const hlo_dim_labels *labels = hlo_instruction_attribute(convolution, HLO_ATTR_dim_labels)->dim_labels;
  const hlo_window *window = hlo_instruction_window(convolution);
  bool by_features = labels->output_feature != convolution->shape->rank - 1;
  for (int d = 0; d < window->rank; d++)
    if (window->dims[d].reversal) return false;
  add_dimension(w, shape, labels->kernel_output_feature, &w->n);
  if (by_features) add_dimension(w, shape, labels->kernel_input_feature, &w->k);
  for (int d = 0; d < labels->spatial_rank; d++) add_dimension(w, shape, labels->kernel_spatial[d], &w->k);
  if (!by_features) add_dimension(w, shape, labels->kernel_input_feature, &w->k);
  return shape->dims[labels->kernel_input_feature] > 1;
}

/* The operand of a dot: by free dimensions, and then contracting ones. */
static bool number_operand(way *w, const hlo_shape *const shapes[2], int side) {
  const hlo_shape *shape = shapes[side];
  hlo_dot_dims dims = hlo_dot_dims_of(w->place->dot);
  const hlo_ints *batch = side ? &dims.rhs_batch : &dims.lhs_batch, *contracting = side ? &dims.rhs_contracting : &dims.lhs_contracting;
  for (int n = 0; n < batch->count; n++)
    if (shape->dims[batch->data[n]] != 1) return false;
  uint32_t taken = hlo_ints_mask(contracting) | hlo_ints_mask(batch);
  for (int d = 0; d < shape->rank; d++)
    if (!(taken >> d & 1)) add_dimension(w, shape, d, &w->n);
  for (int n = 0; n < contracting->count; n++) add_dimension(w, shape, (int)contracting->data[n], &w->k);
  return true;
}

/* Starts at an operand of the dot or convolution, its elements numbered by columns and then k. */
static bool start(way *w, int side) {
  const hlo_narrow_place *place = w->place;
  const hlo_shape *shapes[2] = {hlo_operand(place->computation, place->dot, 0)->shape, hlo_operand(place->computation, place->dot, 1)->shape};
  if (!is_plain_array(shapes[0]) || !is_plain_array(shapes[1]) || !is_computed_in_f32(place->dot->shape->type)) return false;
  if (!is_computed_in_f32(shapes[0]->type) || !is_computed_in_f32(shapes[1]->type)) return false;
  w->view = (hlo_view){.shape = shapes[side]};
  w->n = w->k = 1;
  if (!(place->dot->opcode == HLO_OP_DOT ? number_operand(w, shapes, side) : number_kernel(w, shapes[1]))) return false;
  w->computation = place->computation;
  w->inside = place->fusion != NULL;
  w->at = hlo_operand(w->computation, place->dot, side);
  return leave_fusion(w);
}

/* Where stored elements come from. Floats of 16 bits may be activations as well: these are computed. */
static bool is_weight(const way *w) {
  const hlo_instruction *i = w->at;
  hlo_type type = i->shape->type;
  switch (i->opcode) {
  case HLO_OP_COPY: return false;
  case HLO_OP_CONVERT: return is_byte(type) && !is_byte(hlo_operand(w->computation, i, 0)->shape->type);
  case HLO_OP_CONSTANT: return (is_byte(type) || is_short_float(type)) && hlo_shape_element_count(i->shape) > FEW;
  case HLO_OP_PARAMETER: case HLO_OP_GET_TUPLE_ELEMENT: case HLO_OP_DYNAMIC_SLICE: return is_byte(type) || is_short_float(type);
  default: return is_byte(type) && !hlo_is_view(w->computation, i);
  }
}

static const hlo_narrow_stage nothing = {
    .is_plain = true, .has_no_zero = true, .has_no_more = true, .values = {{.operand = -1, .value = 0, .group = 1}, {.operand = -1, .value = 1, .group = 1}, {.operand = -1, .value = -0.0f, .group = 1}}};

/* Makes stages of the actions, from the stored elements on. */
static bool make_stages(const way *w, hlo_narrow_form *form) {
  int next = HLO_NARROW_ZERO; /* what a stage may still do */
  form->stages[0] = nothing;
  form->stage_count = 1;
  form->group = w->k;
  for (int a = w->count - 1; a >= 0; a--) {
    const struct narrow_action *action = &w->actions[a];
    if (action->which < next) {
      if (form->stage_count == HLO_NARROW_STAGES) return false;
      form->stages[form->stage_count++] = nothing;
    }
    hlo_narrow_stage *stage = &form->stages[form->stage_count - 1];
    next = action->which + 1;
    if (action->which == HLO_NARROW_VALUES) {
      stage->rounding = action->rounding;
      next = HLO_NARROW_VALUES + 1;
      continue;
    }
    stage->is_plain = false;
    stage->has_no_zero &= action->which != HLO_NARROW_ZERO;
    stage->has_no_more &= action->which != HLO_NARROW_MORE;
    stage->values[action->which] = action->values;
    int64_t group = action->values.group;
    if (action->values.operand < 0) continue;
    if (group % form->group && form->group % group) return false;
    if (group < form->group) form->group = group;
  }
  return form->k_stride != 1 || form->group >= HLO_NARROW_SHORT || form->group == w->k;
}

static bool find_side(const hlo_narrow_place *place, int side, hlo_narrow_operand *found) {
  way w = {.place = place, .found = found};
  *found = (hlo_narrow_operand){.side = side, .operand_count = 1};
  if (!start(&w, side) || w.n == 1) return false;
  while (!is_weight(&w))
    if (!step(&w)) return false;
  found->type = w.at->shape->type;
  found->operands[0] = w.at->index;
  found->form.k = w.k, found->form.n = w.n;
  return !w.inside && find_matrix(&w, &found->form) && make_stages(&w, &found->form);
}

/* Returns how many elements of an operand are not contracted. */
static int64_t free_size(const hlo_narrow_place *place, int side) {
  way w = {.place = place};
  hlo_narrow_operand ignored;
  w.found = &ignored;
  start(&w, side);
  return w.n;
}

bool hlo_narrow_find(const hlo_narrow_place *place, hlo_narrow_operand *found) {
  if (find_side(place, 1, found)) return true;
  return place->dot->opcode == HLO_OP_DOT && find_side(place, 0, found) && free_size(place, 0) > free_size(place, 1);
}

static bool is_product(const hlo_instruction *i) { return i->opcode == HLO_OP_DOT || i->opcode == HLO_OP_CONVOLUTION; }

/* Returns the one dot or convolution of a fusion; NULL: there is none, or more than one. */
static const hlo_instruction *product_of(const hlo_computation *c) {
  const hlo_instruction *found = NULL;
  for (int i = 0; i < c->instruction_count; i++) {
    if (!is_product(c->instructions[i])) continue;
    if (found) return NULL;
    found = c->instructions[i];
  }
  return found;
}

/* Counts the readers of every instruction, up to two. NULL: no memory. */
static const uint8_t *count_readers(const hlo_computation *c, hlo_arena *scratch, hlo_status *status) {
  uint8_t *readers = hlo_arena_many(scratch, uint8_t, c->instruction_count, status);
  if (!readers) return NULL;
  readers[c->root] = 1;
  for (int i = 0; i < c->instruction_count; i++)
    for (int n = 0; n < c->instructions[i]->operand_count; n++) {
      uint8_t *count = &readers[c->instructions[i]->operands[n]];
      *count += *count < 2;
    }
  return readers;
}

bool hlo_narrow_hold(const hlo_module *module, const hlo_computation *computation, bool with_integers, bool *is_held, hlo_arena *scratch, hlo_status *status) {
  const uint8_t *readers = count_readers(computation, scratch, status);
  for (int i = 0; readers && i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    hlo_narrow_place place = {.module = module, .computation = computation, .dot = instruction, .readers = readers};
    hlo_narrow_operand found;
    if (instruction->opcode == HLO_OP_FUSION) {
      place.computation = hlo_instruction_computation(module, instruction, HLO_ATTR_calls);
      place.dot = product_of(place.computation);
      place.outer = computation, place.fusion = instruction;
    }
    if (!place.dot || !is_product(place.dot) || !hlo_narrow_find(&place, &found)) continue;
    if (found.has_integers && !with_integers) continue;
    for (int n = 0; n < found.chain_count; n++) is_held[found.chain[n]] = true;
  }
  return readers != NULL;
}
