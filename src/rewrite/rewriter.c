/* Rewriting one computation: a backward walk finds the instructions that are needed, a forward walk rewrites them. */
#include "rewrite/rewriter.h"

#include <string.h>

#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/name_table.h"
#include "infer/infer.h"

enum { MAX_DEPTH = 24 };

/* ---- What is needed ---- */

/* Custom calls that are named after LAPACK's routines compute, and do nothing else. */
static bool only_computes(const hlo_instruction *i) {
  if (i->opcode != HLO_OP_CUSTOM_CALL || hlo_instruction_bool(i, HLO_ATTR_custom_call_has_side_effect, false)) return false;
  return hlo_span_begins(hlo_instruction_attribute(i, HLO_ATTR_custom_call_target)->text, "lapack_");
}

bool hlo_has_effect(const bool *effects, int known, const hlo_instruction *i) {
  const unsigned lasting = HLO_FLAG_SIDE_EFFECT | HLO_FLAG_COLLECTIVE | HLO_FLAG_RANDOM | HLO_FLAG_PAIR;
  if (hlo_op(i->opcode)->flags & lasting) return !only_computes(i);
  for (int n = 0, called; hlo_instruction_call(i, n, &called); n++)
    if (called >= known || effects[called]) return true;
  return false;
}

bool hlo_is_applied(const hlo_rewriter *r) { return r->from->index >= r->known || r->applied[r->from->index]; }
bool hlo_is_pure(const hlo_rewriter *r, const hlo_instruction *i) { return !hlo_has_effect(r->effects, r->known, i); }

const hlo_instruction *hlo_rewriter_value(const hlo_rewriter *r, int index) { return r->to->instructions[index]; }
const hlo_instruction *hlo_input(const hlo_rewriter *r, const hlo_instruction *i, int n) { return hlo_rewriter_value(r, i->operands[n]); }

static hlo_ints predecessors(const hlo_instruction *i) { return *hlo_instruction_ints(i, HLO_ATTR_control_predecessors); }

/* Counts users: an instruction is visited if users[i] > 0. The root and instructions with effects get one user more; parameters are
 * always visited. */
static void find_users(const hlo_rewriter *r, int *users) {
  const hlo_computation *c = r->from;
  users[c->root]++;
  for (int n = c->instruction_count - 1; n >= 0; n--) {
    const hlo_instruction *i = c->instructions[n];
    if (!users[n] && i->opcode != HLO_OP_PARAMETER && hlo_is_pure(r, i)) continue;
    if (!users[n]) users[n] = 1;
    for (int k = 0; k < i->operand_count; k++) users[i->operands[k]]++;
    hlo_ints before = predecessors(i);
    for (int k = 0; k < before.count; k++) users[before.data[k]]++;
  }
}

/* ---- Layouts ---- */

bool hlo_is_order(const hlo_layout *l) {
  return !l || (!l->tile_count && !l->element_size_in_bits && !l->padded_dimensions && !l->verbatim.length);
}

bool hlo_is_row_major(const hlo_shape *shape) {
  for (int n = 0; n < shape->element_count; n++)
    if (!hlo_is_row_major(shape->elements[n])) return false;
  const hlo_layout *layout = shape->layout;
  if (!layout) return true;
  for (int d = 0; d < layout->rank; d++)
    if (layout->minor_to_major[d] != layout->rank - 1 - d) return false;
  return hlo_is_order(layout);
}

/* Returns whether the instruction would give something else if its operands or its result had another layout. */
static bool tells_layouts(const hlo_computation *c, const hlo_instruction *i) {
  switch (i->opcode) {
  case HLO_OP_BITCAST: case HLO_OP_INFEED: case HLO_OP_OUTFEED: case HLO_OP_SEND: case HLO_OP_RECV:
    for (int n = 0; n < i->operand_count; n++)
      if (!hlo_is_row_major(hlo_operand(c, i, n)->shape)) return true;
    return !hlo_is_row_major(i->shape);
  default:
    return false;
  }
}

/* ---- Appending ---- */

static bool reserve(hlo_rewriter *r, int count) {
  hlo_computation *to = r->to;
  if (count <= to->capacity) return true;
  int capacity = 2 * count;
  hlo_instruction **instructions = hlo_arena_many(r->scratch, hlo_instruction *, capacity, r->status);
  int *uses = hlo_arena_many(r->scratch, int, capacity, r->status);
  if (!instructions || !uses) return false;
  for (int n = 0; n < to->instruction_count; n++) {
    instructions[n] = to->instructions[n];
    uses[n] = r->uses[n];
  }
  to->instructions = instructions;
  to->capacity = capacity;
  r->uses = uses;
  return true;
}

static int append(hlo_rewriter *r, const hlo_instruction *node, int uses) {
  if (!reserve(r, r->to->instruction_count + 1)) return HLO_KEEP;
  int index = r->to->instruction_count++;
  r->to->instructions[index] = (hlo_instruction *)node; /* instructions in `to` are never changed, but for their names */
  r->uses[index] = uses;
  return index;
}

/* Appends a copy; attributes are shared with the original. */
static int append_copy(hlo_rewriter *r, const hlo_instruction *i, int uses) {
  hlo_arena *arena = r->nodes;
  hlo_instruction *copy = hlo_arena_copy(arena, i, sizeof *i, r->status);
  if (!copy) return HLO_KEEP;
  copy->index = r->to->instruction_count;
  copy->operands = hlo_arena_copy(arena, i->operands, (size_t)i->operand_count * sizeof *i->operands, r->status);
  if (!copy->operands) return HLO_KEEP;
  r->changed = true;
  r->total++;
  return append(r, copy, uses);
}

/* Makes a name that no instruction of `to` has and none of `from` had. */
static const char *new_name(hlo_rewriter *r, const char *stem) {
  hlo_name_table *names = &r->to->names;
  int taken = names->count == 0 && r->from ? r->from->instruction_count : 0; /* the names of `from` are entered before the first new name */
  for (int k = 0; k < taken; k++)
    if (!hlo_name_table_add(names, r->scratch, r->from->instructions[k]->name, k, r->status)) return NULL;
  const char *name = hlo_name_table_unique(names, &r->module->arena, stem, r->status);
  return name && hlo_name_table_add(names, r->scratch, name, 0, r->status) ? name : NULL;
}

/* ---- Adding ---- */

static const hlo_shape *infer(hlo_rewriter *r, const hlo_instruction *i) {
  const hlo_shape **operands = hlo_arena_many(r->scratch, const hlo_shape *, i->operand_count, r->status);
  for (int n = 0; operands && n < i->operand_count; n++) operands[n] = hlo_input(r, i, n)->shape;
  hlo_infer question = {.module = r->module, .computation = r->to, .instruction = i, .operand_count = i->operand_count,
                        .operands = operands, .arena = &r->module->arena, .status = r->status};
  return operands ? hlo_infer_shape(&question) : NULL;
}

/* Copies attributes, and adds the metadata of the instruction that the new one is added for. */
static const hlo_attribute *own_attributes(hlo_rewriter *r, const hlo_attribute *attributes, int *count) {
  const hlo_attribute *metadata = r->origin ? hlo_instruction_attribute(r->origin, HLO_ATTR_metadata) : NULL;
  hlo_attribute *own = hlo_arena_many(&r->module->arena, hlo_attribute, *count + 1, r->status);
  if (!own) return NULL;
  for (int n = 0; n < *count; n++) {
    bool replaced = metadata && attributes[n].id == HLO_ATTR_metadata;
    own[n] = replaced ? *metadata : attributes[n];
    if (replaced) metadata = NULL;
  }
  if (metadata) own[(*count)++] = *metadata;
  return own;
}

/* Asks the pass about an instruction. */
static int ask(hlo_rewriter *r, const hlo_instruction *instruction) {
  return hlo_meter_take(r->meter, 1, r->status) ? r->rewrite(r, instruction) : HLO_KEEP;
}

int hlo_add(hlo_rewriter *r, hlo_opcode opcode, const hlo_shape *shape, const int *operands, int operand_count,
            const hlo_attribute *attributes, int attribute_count) {
  hlo_instruction i = {.opcode = opcode, .index = r->to->instruction_count, .shape = shape, .operand_count = operand_count,
                       .operands = operands, .attribute_count = attribute_count, .line = r->origin ? r->origin->line : 0};
  for (int n = 0; n < operand_count; n++)
    if (operands[n] < 0) return HLO_KEEP;
  i.attributes = own_attributes(r, attributes, &i.attribute_count);
  if (!i.attributes || !hlo_ok(r->status) || !(i.shape = infer(r, &i))) return HLO_KEEP;
  int value = HLO_KEEP;
  r->depth++;
  if (r->rewrite && r->depth < MAX_DEPTH) value = ask(r, &i);
  r->depth--;
  if (value >= 0 || !hlo_ok(r->status)) return value;
  for (int n = 0; n < operand_count; n++) r->uses[operands[n]]++;
  return append_copy(r, &i, 0);
}

int hlo_add_like(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, const int *operands) {
  return hlo_add(r, like->opcode, shape, operands, like->operand_count, like->attributes, like->attribute_count);
}

int hlo_add_with(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, const int *operands, int operand_count, hlo_attribute other) {
  hlo_attribute *attributes = hlo_arena_copy(r->scratch, like->attributes, (size_t)like->attribute_count * sizeof *attributes, r->status);
  for (int n = 0; attributes && n < like->attribute_count; n++)
    if (attributes[n].id == other.id) attributes[n] = other;
  return attributes ? hlo_add(r, like->opcode, shape, operands, operand_count, attributes, like->attribute_count) : HLO_KEEP;
}

int hlo_add_windowed(hlo_rewriter *r, const hlo_instruction *like, const hlo_shape *shape, int first, int second, const hlo_window_dim *dims) {
  hlo_window window = *hlo_instruction_window(like);
  window.dims = hlo_arena_copy(&r->module->arena, dims, (size_t)window.rank * sizeof *dims, r->status);
  const hlo_window *own = window.dims ? hlo_arena_copy(&r->module->arena, &window, sizeof window, r->status) : NULL;
  return own ? hlo_add_with(r, like, shape, (int[]){first, second}, 2, (hlo_attribute){.id = HLO_ATTR_window, .window = own}) : HLO_KEEP;
}

int hlo_add_unary(hlo_rewriter *r, hlo_opcode opcode, int operand) { return hlo_add(r, opcode, NULL, &operand, 1, NULL, 0); }

int hlo_add_binary(hlo_rewriter *r, hlo_opcode opcode, int lhs, int rhs) {
  return hlo_add(r, opcode, NULL, (int[]){lhs, rhs}, 2, NULL, 0);
}

int hlo_with(hlo_rewriter *r, hlo_opcode opcode, int lhs, int64_t rhs) {
  return hlo_add_binary(r, opcode, lhs, hlo_add_splat_like(r, lhs, (hlo_scalar){.s = rhs}));
}

int hlo_add_constant(hlo_rewriter *r, const hlo_literal *literal) {
  return hlo_add(r, HLO_OP_CONSTANT, literal->shape, NULL, 0, &(hlo_attribute){.id = HLO_ATTR_literal, .literal = literal}, 1);
}

int hlo_add_scalar(hlo_rewriter *r, hlo_type type, hlo_scalar value) {
  const hlo_shape *shape = hlo_shape_for(r, type, NULL, 0);
  hlo_literal *literal = shape ? hlo_literal_make(&r->module->arena, shape, r->status) : NULL;
  if (!literal) return HLO_KEEP;
  hlo_literal_set(literal, 0, value);
  return hlo_add_constant(r, literal);
}

int hlo_add_splat(hlo_rewriter *r, const hlo_shape *shape, hlo_scalar value) {
  if (!shape) return HLO_KEEP;
  int scalar = hlo_add_scalar(r, shape->type, value);
  return shape->rank == 0 ? scalar : hlo_add_broadcast(r, scalar, shape, NULL);
}

int hlo_add_splat_like(hlo_rewriter *r, int like, hlo_scalar value) {
  return like < 0 ? HLO_KEEP : hlo_add_splat(r, hlo_rewriter_value(r, like)->shape, value);
}

int hlo_add_comparison(hlo_rewriter *r, int operand, int direction, hlo_scalar number) {
  const hlo_attribute attribute = {.id = HLO_ATTR_direction, .enumerant = direction};
  return hlo_add(r, HLO_OP_COMPARE, NULL, (int[]){operand, hlo_add_splat_like(r, operand, number)}, 2, &attribute, 1);
}

int hlo_add_select(hlo_rewriter *r, int predicate, int on_true, int on_false) {
  return hlo_add(r, HLO_OP_SELECT, NULL, (int[]){predicate, on_true, on_false}, 3, NULL, 0);
}

int hlo_add_convert(hlo_rewriter *r, int operand, hlo_type type) {
  if (operand < 0 || hlo_rewriter_value(r, operand)->shape->type == type) return operand;
  const hlo_shape *from = hlo_rewriter_value(r, operand)->shape;
  return hlo_add(r, HLO_OP_CONVERT, hlo_shape_for(r, type, from->dims, from->rank), &operand, 1, NULL, 0);
}

int hlo_add_reshape(hlo_rewriter *r, int operand, const hlo_shape *shape) {
  if (operand < 0 || !shape || hlo_shape_compatible(hlo_rewriter_value(r, operand)->shape, shape)) return shape ? operand : HLO_KEEP;
  return hlo_add(r, HLO_OP_RESHAPE, hlo_shape_for(r, shape->type, shape->dims, shape->rank), &operand, 1, NULL, 0);
}

int hlo_add_along(hlo_rewriter *r, hlo_opcode opcode, const int *operands, int operand_count, const int64_t *dimensions,
                  int count) {
  hlo_attribute attribute = hlo_ints_attribute(r, HLO_ATTR_dimensions, dimensions, count);
  return hlo_add(r, opcode, NULL, operands, operand_count, &attribute, 1);
}

int hlo_add_reduce(hlo_rewriter *r, int operand, int init, const int64_t *dimensions, int count, int computation) {
  const hlo_attribute attributes[] = {hlo_ints_attribute(r, HLO_ATTR_dimensions, dimensions, count),
                                      {.id = HLO_ATTR_to_apply, .computation = computation}};
  return computation < 0 ? HLO_KEEP : hlo_add(r, HLO_OP_REDUCE, NULL, (int[]){operand, init}, 2, attributes, 2);
}

int hlo_add_transpose(hlo_rewriter *r, int operand, const int64_t *permutation, int rank) {
  return hlo_add_along(r, HLO_OP_TRANSPOSE, &operand, 1, permutation, rank);
}

int hlo_add_broadcast(hlo_rewriter *r, int operand, const hlo_shape *shape, const int64_t *dimensions) {
  if (operand < 0 || !shape) return HLO_KEEP;
  hlo_attribute attribute = hlo_ints_attribute(r, HLO_ATTR_dimensions, dimensions, hlo_rewriter_value(r, operand)->shape->rank);
  const hlo_shape *plain = hlo_shape_for(r, shape->type, shape->dims, shape->rank);
  return plain ? hlo_add(r, HLO_OP_BROADCAST, plain, &operand, 1, &attribute, 1) : HLO_KEEP;
}

int hlo_add_slice(hlo_rewriter *r, int operand, const hlo_slice_dim *dims, int rank) {
  hlo_slice slice = {rank, hlo_arena_copy(&r->module->arena, dims, (size_t)rank * sizeof *dims, r->status)};
  hlo_attribute attribute = {.id = HLO_ATTR_slice, .slice = hlo_arena_copy(&r->module->arena, &slice, sizeof slice, r->status)};
  return attribute.slice ? hlo_add(r, HLO_OP_SLICE, NULL, &operand, 1, &attribute, 1) : HLO_KEEP;
}

int hlo_add_pad(hlo_rewriter *r, int operand, int value, const hlo_padding_dim *dims, int rank) {
  hlo_padding_config padding = {rank, hlo_arena_copy(&r->module->arena, dims, (size_t)rank * sizeof *dims, r->status)};
  hlo_attribute attribute = {.id = HLO_ATTR_padding, .padding = hlo_arena_copy(&r->module->arena, &padding, sizeof padding, r->status)};
  return attribute.padding ? hlo_add(r, HLO_OP_PAD, NULL, (int[]){operand, value}, 2, &attribute, 1) : HLO_KEEP;
}

int hlo_add_tuple(hlo_rewriter *r, const int *elements, int count) { return hlo_add(r, HLO_OP_TUPLE, NULL, elements, count, NULL, 0); }

int hlo_add_element(hlo_rewriter *r, int tuple, int64_t index) {
  return hlo_add(r, HLO_OP_GET_TUPLE_ELEMENT, NULL, &tuple, 1, &(hlo_attribute){.id = HLO_ATTR_index, .integer = index}, 1);
}

const hlo_shape *hlo_shape_for(hlo_rewriter *r, hlo_type type, const int64_t *dims, int rank) {
  return hlo_shape_make(&r->module->arena, type, dims, rank, r->status);
}

hlo_ints hlo_ints_copy(hlo_rewriter *r, const int64_t *values, int count) {
  return (hlo_ints){hlo_arena_copy(&r->module->arena, values, (size_t)count * sizeof *values, r->status), count};
}

hlo_attribute hlo_ints_attribute(hlo_rewriter *r, hlo_attribute_id id, const int64_t *values, int count) {
  return (hlo_attribute){.id = id, .ints = hlo_ints_copy(r, values, count)};
}

/* ---- Asking ---- */

bool hlo_are_plain(const hlo_rewriter *r, const hlo_instruction *i) {
  for (int n = 0; n < i->operand_count; n++)
    if (!hlo_shape_is_plain(hlo_input(r, i, n)->shape)) return false;
  return hlo_shape_leaves_are_plain(i->shape);
}

bool hlo_is_plain(const hlo_rewriter *r, const hlo_instruction *i) { return hlo_shape_is_array(i->shape) && hlo_are_plain(r, i); }

const hlo_literal *hlo_constant_of(const hlo_rewriter *r, int index) {
  const hlo_instruction *i = index < 0 ? NULL : hlo_rewriter_value(r, index);
  bool is_known = i && i->opcode == HLO_OP_CONSTANT && hlo_shape_is_plain(i->shape);
  return is_known ? hlo_instruction_attribute(i, HLO_ATTR_literal)->literal : NULL;
}

/* Follows broadcasts and reshapes back to what they are made from. */
static int source_of(const hlo_rewriter *r, int index) {
  for (;;) {
    const hlo_instruction *i = hlo_rewriter_value(r, index);
    if ((i->opcode != HLO_OP_BROADCAST && i->opcode != HLO_OP_RESHAPE) || !hlo_is_plain(r, i)) return index;
    index = i->operands[0];
  }
}

bool hlo_splat_of(const hlo_rewriter *r, int index, hlo_scalar *value) {
  enum { MOST_BYTES = 1 << 12 };
  const hlo_literal *literal = hlo_constant_of(r, source_of(r, index));
  size_t bytes = literal ? hlo_literal_bytes(literal) : 0, each = literal ? (size_t)hlo_type_bytes(literal->shape->type) : 1;
  if (bytes == 0 || bytes > MOST_BYTES || !literal->data || memcmp(literal->data, (char *)literal->data + each, bytes - each) != 0) return false;
  *value = hlo_literal_get(literal, 0);
  return true;
}

bool hlo_init_repeats(const hlo_rewriter *r, hlo_opcode opcode, int init) {
  if (opcode == HLO_OP_MAXIMUM || opcode == HLO_OP_MINIMUM || opcode == HLO_OP_AND || opcode == HLO_OP_OR) return true;
  hlo_scalar value;
  if ((opcode != HLO_OP_ADD && opcode != HLO_OP_MULTIPLY) || !hlo_splat_of(r, init, &value)) return false;
  int neutral = opcode == HLO_OP_MULTIPLY;
  return hlo_type_is_integral(hlo_rewriter_value(r, init)->shape->type) ? value.s == neutral : value.f == neutral && value.im == 0;
}

bool hlo_repeats_scalar(const hlo_rewriter *r, int index, int *scalar) {
  *scalar = source_of(r, index);
  return hlo_shape_is_scalar(hlo_rewriter_value(r, *scalar)->shape);
}

/* Rewrites the operands of an instruction to indices in `to`; *same is set if that changes nothing. */
static bool translate(hlo_rewriter *r, const hlo_instruction *i, const int *map, hlo_instruction *translated, bool *same) {
  *translated = *i;
  translated->index = r->to->instruction_count;
  *same = translated->index == i->index;
  int *operands = hlo_arena_many(r->scratch, int, i->operand_count, r->status);
  if (!operands) return false;
  for (int n = 0; n < i->operand_count; n++) *same &= (operands[n] = map[i->operands[n]]) == i->operands[n];
  translated->operands = operands;
  hlo_ints before = predecessors(i);
  if (before.count == 0) return true;
  hlo_attribute *attributes = hlo_arena_copy(&r->module->arena, i->attributes, (size_t)i->attribute_count * sizeof *attributes, r->status);
  int64_t *mapped = hlo_arena_many(&r->module->arena, int64_t, before.count, r->status);
  if (!attributes || !mapped) return false;
  for (int n = 0; n < before.count; n++) *same &= (mapped[n] = map[before.data[n]]) == before.data[n];
  for (int n = 0; n < i->attribute_count; n++)
    if (attributes[n].id == HLO_ATTR_control_predecessors) attributes[n].ints.data = mapped;
  translated->attributes = attributes;
  return true;
}

/* ---- Whole computations ---- */

int hlo_add_copy(hlo_rewriter *r, const hlo_instruction *i, const int *map) {
  hlo_instruction translated;
  bool same;
  if (!translate(r, i, map, &translated, &same)) return HLO_KEEP;
  int value = HLO_KEEP;
  r->depth++;
  if (r->rewrite && r->depth < MAX_DEPTH) value = ask(r, &translated);
  r->depth--;
  if (value >= 0 || !hlo_ok(r->status)) return value;
  translated.index = r->to->instruction_count;
  translated.name = new_name(r, i->name);
  for (int n = 0; n < i->operand_count; n++) r->uses[translated.operands[n]]++;
  return translated.name ? append_copy(r, &translated, 0) : HLO_KEEP;
}

int hlo_add_computation(hlo_rewriter *r, const hlo_computation *c, const int *arguments) {
  int *map = hlo_arena_many(r->scratch, int, c->instruction_count, r->status);
  for (int n = 0; map && n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    if (i->opcode == HLO_OP_PARAMETER) {
      map[n] = arguments[hlo_instruction_int(i, HLO_ATTR_parameter_number, 0)];
      hlo_instruction copy = {.opcode = HLO_OP_COPY, .shape = i->shape, .operand_count = 1, .operands = &map[n], .line = i->line};
      if (!hlo_shape_equal(i->shape, hlo_rewriter_value(r, map[n])->shape)) map[n] = append_copy(r, &copy, 1); /* its layout may matter */
    } else {
      map[n] = hlo_add_copy(r, i, map);
    }
    if (map[n] < 0) return HLO_KEEP;
  }
  return map ? map[c->root] : HLO_KEEP;
}

bool hlo_begin_computation(hlo_rewriter *outer, hlo_rewriter *inner, hlo_computation *to) {
  *to = (hlo_computation){0};
  *inner = *outer;
  inner->rewrite = NULL;
  inner->from = NULL;
  inner->to = to;
  inner->uses = NULL;
  inner->map = NULL;
  return reserve(inner, 8);
}

void hlo_call_it(hlo_rewriter *r, int value, const char *name) {
  if (value >= 0 && !hlo_rewriter_value(r, value)->name) r->to->instructions[value]->name = new_name(r, name);
}

/* The new computation takes over the old one's name, and the old one gets the new name: usually nothing calls it any more. */
static bool take_name(hlo_module *module, hlo_computation *c, const hlo_computation *replaced, hlo_status *status) {
  hlo_computation *old = hlo_arena_copy(&module->arena, replaced, sizeof *old, status);
  if (!old) return false;
  old->name = c->name;
  c->name = replaced->name;
  c->line = replaced->line;
  module->computations[old->index] = old;
  return true;
}

int hlo_end_computation(hlo_rewriter *inner, const hlo_computation *replaced, const char *stem, int root) {
  if (root < 0) return HLO_KEEP;
  hlo_module *module = inner->module;
  const char *name = hlo_module_unique_name(module, stem, inner->status);
  hlo_computation *c = name ? hlo_module_add_computation(module, name, strlen(name), inner->status) : NULL;
  if (!c) return HLO_KEEP;
  c->root = root;
  c->instruction_count = c->capacity = inner->to->instruction_count;
  c->instructions = hlo_arena_copy(&module->arena, inner->to->instructions, (size_t)c->capacity * sizeof *c->instructions, inner->status);
  if (!c->instructions) return HLO_KEEP;
  for (int n = 0; n < c->instruction_count; n++) {
    hlo_instruction *i = c->instructions[n];
    if (!i->name) i->name = new_name(inner, hlo_op_name(i->opcode));
    if (i->opcode == HLO_OP_PARAMETER) c->parameter_count++;
  }
  c->parameter_capacity = c->parameter_count;
  c->parameters = hlo_arena_many(&module->arena, int, c->parameter_count, inner->status);
  for (int n = 0; c->parameters && n < c->instruction_count; n++)
    if (c->instructions[n]->opcode == HLO_OP_PARAMETER)
      c->parameters[hlo_instruction_int(c->instructions[n], HLO_ATTR_parameter_number, 0)] = n;
  if (replaced && !take_name(module, c, replaced, inner->status)) return HLO_KEEP;
  return hlo_ok(inner->status) ? c->index : HLO_KEEP;
}

int hlo_add_parameter(hlo_rewriter *r, const hlo_shape *shape, int number) {
  return hlo_add(r, HLO_OP_PARAMETER, shape, NULL, 0, &(hlo_attribute){.id = HLO_ATTR_parameter_number, .integer = number}, 1);
}

int hlo_add_binary_computation(hlo_rewriter *outer, hlo_opcode opcode, hlo_type type, const char *stem) {
  hlo_rewriter inner;
  hlo_computation to;
  if (!hlo_begin_computation(outer, &inner, &to)) return HLO_KEEP;
  const hlo_shape *scalar = hlo_shape_for(outer, type, NULL, 0);
  int lhs = hlo_add_parameter(&inner, scalar, 0), rhs = hlo_add_parameter(&inner, scalar, 1);
  return hlo_end_computation(&inner, NULL, stem, hlo_add_binary(&inner, opcode, lhs, rhs));
}

/* ---- One visit ---- */

/* Names the instructions that were added from index `first` on; the one that replaces the visited instruction gets its name. */
static bool name_added(hlo_rewriter *r, int first, int value) {
  for (int n = first; n < r->to->instruction_count; n++) {
    hlo_instruction *i = r->to->instructions[n];
    if (i->name) continue;
    bool heir = r->heir >= 0 ? n == r->heir : n == value && (r->origin->opcode != HLO_OP_PARAMETER || i->opcode == HLO_OP_PARAMETER);
    i->name = heir ? r->origin->name : new_name(r, hlo_op_name(i->opcode));
    if (!i->name) return false;
  }
  return true;
}

/* Gives the value the layout that the instruction had, if an instruction of the computation tells layouts apart. */
static int in_layout(hlo_rewriter *r, const hlo_instruction *i, int value) {
  if (!r->layouts_matter || hlo_shape_equal(hlo_rewriter_value(r, value)->shape, i->shape)) return value;
  const hlo_instruction copy = {.opcode = HLO_OP_COPY, .shape = i->shape, .operand_count = 1, .operands = &value, .line = i->line};
  return append_copy(r, &copy, 0);
}

static bool visit(hlo_rewriter *r, int index, int users) {
  const hlo_instruction *i = r->from->instructions[index], *now = i;
  hlo_instruction translated;
  int first = r->to->instruction_count;
  bool same = !r->changed && first == index; /* so far, every value has the index that it had */
  r->origin = i;
  r->heir = HLO_KEEP;
  if (!same) {
    if (!translate(r, i, r->map, &translated, &same)) return false;
    now = &translated;
  }
  int value = r->rewrite ? ask(r, now) : HLO_KEEP;
  if (value >= 0) value = in_layout(r, i, value);
  if (!hlo_ok(r->status)) return hlo_status_append(r->status, " (while %s of computation %s was rewritten)", i->name, r->from->name);
  if (value == HLO_GONE) {
    r->changed = true;
  } else if (value < 0) {
    same &= r->to->instruction_count == first;
    value = same ? append(r, i, users) : append_copy(r, now, users);
    if (value < 0) return false;
  } else {
    r->changed = true;
    r->uses[value] += users - (value < first);
    if (!hlo_shape_compatible(hlo_rewriter_value(r, value)->shape, i->shape))
      return hlo_fail(r->status, HLO_SHAPE, "computation %s, instruction %s: rewritten to %pS, but it is %pS", r->from->name, i->name,
                      hlo_rewriter_value(r, value)->shape, i->shape);
  }
  r->map[index] = value;
  return name_added(r, first, value);
}

/* ---- One computation ---- */

/* Puts the rewritten computation in the place of the old one. */
static bool commit(hlo_rewriter *r) {
  hlo_arena *arena = r->nodes;
  hlo_computation *c = hlo_arena_copy(arena, r->from, sizeof *c, r->status);
  if (!c) return false;
  c->instruction_count = c->capacity = r->to->instruction_count;
  c->instructions = hlo_arena_copy(arena, r->to->instructions, (size_t)c->instruction_count * sizeof *c->instructions, r->status);
  c->parameters = hlo_arena_many(arena, int, c->parameter_count, r->status);
  if (!c->instructions || !c->parameters) return false;
  c->parameter_capacity = c->parameter_count;
  for (int n = 0; n < c->parameter_count; n++) c->parameters[n] = r->map[r->from->parameters[n]];
  c->root = r->map[r->from->root];
  c->names = (hlo_name_table){0};
  r->module->computations[c->index] = c;
  return true;
}

bool hlo_rewrite_computation(hlo_rewriter *r, int number) {
  const hlo_computation *from = r->from = r->module->computations[number];
  int count = from->instruction_count;
  hlo_computation to = {.capacity = count + 8};
  hlo_arena_reset(r->scratch);
  r->to = &to;
  r->state = NULL;
  r->order = NULL;
  r->layouts_matter = r->changed = false;
  to.instructions = hlo_arena_many(r->scratch, hlo_instruction *, to.capacity, r->status);
  r->uses = hlo_arena_many(r->scratch, int, to.capacity, r->status);
  r->map = hlo_arena_many(r->scratch, int, count, r->status);
  int *users = hlo_arena_many(r->scratch, int, count, r->status);
  if (!to.instructions || !r->uses || !r->map || !users) return false;
  for (int n = 0; n < count && !r->layouts_matter; n++) r->layouts_matter = tells_layouts(from, from->instructions[n]);
  find_users(r, users);
  for (int n = 0; n < count; n++) r->map[n] = -1;
  for (int n = 0; n < count; n++) {
    int index = r->order ? r->order[n] : n;
    if (users[index] == 0) r->changed = true;
    else if (!visit(r, index, users[index])) return false;
  }
  return !r->changed || commit(r);
}
