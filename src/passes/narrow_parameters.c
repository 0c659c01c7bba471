/* An entry that takes narrow arrays and widens them: the instructions of the old one, with other values for some of its parameters. */
#include "passes/narrow_parameters.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "graph/parameter_path.h"
#include "infer/infer.h"
#include "passes/drop_uncalled.h"
#include "passes/parameter_uses.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

/* A narrowed parameter: the indices of what the new entry takes for it, and of what it makes of that. */
typedef struct narrowed {
  const hlo_narrowing *how; /* NULL: the parameter stays */
  int whole, scale, minimum, wide; /* -1: not there, or not yet */
} narrowed;

typedef struct narrower {
  hlo_module *module;
  const hlo_computation *from;
  hlo_computation *to;
  narrowed *parameters; /* by number */
  int *map;             /* by index in `from` */
  hlo_status *status;
} narrower;

/* ---- Adding ---- */

/* A list of numbers as an attribute of an instruction that is added: its numbers move to the module. */
static hlo_attribute list_of(narrower *w, hlo_attribute_id id, const int64_t *numbers, int count) {
  return (hlo_attribute){.id = id, .ints = {hlo_arena_copy(&w->module->arena, numbers, (size_t)count * sizeof *numbers, w->status), count}};
}

static const hlo_shape *shape_of(narrower *w, hlo_type type, const int64_t *dims, int rank) {
  return hlo_shape_make(&w->module->arena, type, dims, rank, w->status);
}

static int add(narrower *w, hlo_opcode opcode, const hlo_shape *shape, const int *operands, int count, const hlo_attribute *attributes, int attribute_count) {
  for (int n = 0; n < count; n++)
    if (operands[n] < 0) return -1;
  const char *name = hlo_ok(w->status) ? hlo_computation_unique_name(w->module, w->to, hlo_op_name(opcode), w->status) : NULL;
  if (!name || !shape) return -1;
  const hlo_instruction *i = hlo_computation_add(w->module, w->to, opcode, name, shape, operands, count, attributes, attribute_count, w->status);
  return i ? i->index : -1;
}

static int add_convert(narrower *w, int value, hlo_type type) {
  const hlo_shape *from = value < 0 ? NULL : w->to->instructions[value]->shape;
  if (!from || from->type == type) return value;
  return add(w, HLO_OP_CONVERT, shape_of(w, type, from->dims, from->rank), &value, 1, NULL, 0);
}

static int add_reshape(narrower *w, int value, const hlo_shape *to) {
  return value < 0 ? -1 : add(w, HLO_OP_RESHAPE, shape_of(w, w->to->instructions[value]->shape->type, to->dims, to->rank), &value, 1, NULL, 0);
}

/* Repeats a value along the dimensions of `shape` whose bits are set. */
static int add_broadcast(narrower *w, int value, const hlo_shape *shape, uint32_t along) {
  int64_t dims[HLO_MAX_RANK];
  int count = 0;
  for (int d = 0; d < shape->rank; d++)
    if (!(along >> d & 1)) dims[count++] = d;
  hlo_attribute attribute = list_of(w, HLO_ATTR_dimensions, dims, count);
  return add(w, HLO_OP_BROADCAST, shape_of(w, HLO_TYPE_F32, shape->dims, shape->rank), &value, 1, &attribute, 1);
}

static int add_binary(narrower *w, hlo_opcode opcode, int lhs, int rhs) {
  return lhs < 0 ? -1 : add(w, opcode, w->to->instructions[lhs]->shape, (int[]){lhs, rhs}, 2, NULL, 0);
}

/* ---- Parameters ---- */

/* Adds a parameter with the path of the old one and this ending. */
static int add_parameter(narrower *w, const hlo_instruction *old, const char *ending, const hlo_shape *shape, int number) {
  hlo_writer path, name;
  hlo_writer_init(&path, w->status);
  hlo_writer_init(&name, w->status);
  hlo_write_parameter_path(&path, old);
  hlo_write_format(&path, "%s", ending);
  hlo_write_format(&name, "%s%s", old->name, ending);
  hlo_attribute attributes[2] = {{.id = HLO_ATTR_parameter_number, .integer = number}};
  const hlo_instruction *i = NULL;
  if (hlo_ok(w->status) && shape && hlo_make_op_name((hlo_span){path.text, path.length}, &w->module->arena, &attributes[1], w->status)) {
    const char *unique = hlo_computation_unique_name(w->module, w->to, name.text, w->status);
    if (unique) i = hlo_computation_add(w->module, w->to, HLO_OP_PARAMETER, unique, shape, NULL, 0, attributes, 2, w->status);
  }
  hlo_writer_free(&path);
  hlo_writer_free(&name);
  return i ? i->index : -1;
}

static int only_dimension(uint32_t dims) {
  int d = 0;
  while (!(dims >> d & 1)) d++;
  return d;
}

/* The shape with dimension d cut into groups: [.., k / group, group, ..]; `inside` false: without the groups' own dimension. */
static const hlo_shape *grouped(narrower *w, hlo_type type, const hlo_shape *shape, int d, int64_t group, bool inside) {
  int64_t dims[HLO_MAX_RANK + 1];
  int rank = 0;
  for (int k = 0; k < shape->rank; k++) {
    dims[rank++] = k == d ? shape->dims[k] / group : shape->dims[k];
    if (k == d && inside) dims[rank++] = group;
  }
  return shape_of(w, type, dims, rank);
}

static const hlo_shape *without(narrower *w, hlo_type type, const hlo_shape *shape, uint32_t left_out) {
  int64_t dims[HLO_MAX_RANK];
  int rank = 0;
  for (int d = 0; d < shape->rank; d++)
    if (!(left_out >> d & 1)) dims[rank++] = shape->dims[d];
  return shape_of(w, type, dims, rank);
}

static bool may_narrow(const narrower *w, const hlo_instruction *old, const hlo_narrowing *how) {
  const hlo_shape *shape = old->shape;
  bool floats = hlo_shape_is_plain(shape) && (shape->type == HLO_TYPE_F32 || shape->type == HLO_TYPE_BF16 || shape->type == HLO_TYPE_F16);
  if (!floats) return hlo_fail(w->status, HLO_ARGUMENT, "parameter %s is %pS; arrays of f32, bf16 and f16 can be narrowed", old->name, shape);
  if (!how->summed || how->summed >> shape->rank) return hlo_fail(w->status, HLO_ARGUMENT, "parameter %s, %pS, has no such dimensions", old->name, shape);
  if (how->type == HLO_NARROWING_S8) return true;
  int d = only_dimension(how->summed);
  if (how->summed == 1u << d && shape->rank < HLO_MAX_RANK && how->group > 0 && shape->dims[d] % how->group == 0) return true;
  return hlo_fail(w->status, HLO_ARGUMENT, "parameter %s, %pS, has no single dimension that groups of %lld divide", old->name, shape, (long long)how->group);
}

static bool add_narrow(narrower *w, const hlo_instruction *old, narrowed *p, int number, int *next) {
  const hlo_narrowing *how = p->how;
  if (!may_narrow(w, old, how)) return false;
  if (how->type == HLO_NARROWING_S8) {
    p->whole = add_parameter(w, old, "", shape_of(w, HLO_TYPE_S8, old->shape->dims, old->shape->rank), number);
    p->scale = add_parameter(w, old, ".scale", without(w, HLO_TYPE_F32, old->shape, how->summed), (*next)++);
    return p->whole >= 0 && p->scale >= 0;
  }
  int d = only_dimension(how->summed);
  p->whole = add_parameter(w, old, "", shape_of(w, HLO_TYPE_U4, old->shape->dims, old->shape->rank), number);
  p->scale = add_parameter(w, old, ".scale", grouped(w, HLO_TYPE_F16, old->shape, d, how->group, false), (*next)++);
  p->minimum = add_parameter(w, old, ".minimum", grouped(w, HLO_TYPE_F16, old->shape, d, how->group, false), (*next)++);
  return p->whole >= 0 && p->scale >= 0 && p->minimum >= 0;
}

/* ---- Widening ---- */

/* Makes whole * scale + minimum of narrow values in the type of `to`, where scale and minimum repeat along the dimensions of `along`. */
static int add_wide(narrower *w, int whole, int scale, int minimum, uint32_t along, const hlo_shape *to) {
  if (whole < 0 || scale < 0) return -1;
  const hlo_shape *shape = w->to->instructions[whole]->shape;
  int value = add_binary(w, HLO_OP_MULTIPLY, add_convert(w, whole, HLO_TYPE_F32), add_broadcast(w, add_convert(w, scale, HLO_TYPE_F32), shape, along));
  if (minimum >= 0) value = add_binary(w, HLO_OP_ADD, value, add_broadcast(w, add_convert(w, minimum, HLO_TYPE_F32), shape, along));
  if (shape->rank != to->rank) value = add_reshape(w, value, to);
  return add_convert(w, value, to->type);
}

/* The same for an array of which dimension d was cut into groups of this length. */
static int add_wide_groups(narrower *w, int whole, int scale, int minimum, int d, int64_t group, const hlo_shape *to) {
  const hlo_shape *shape = whole < 0 ? NULL : grouped(w, HLO_TYPE_U4, to, d, group, true);
  return shape ? add_wide(w, add_reshape(w, whole, shape), scale, minimum, 1u << (d + 1), to) : -1;
}

static int wide(narrower *w, const hlo_instruction *old, narrowed *p) {
  if (p->wide >= 0) return p->wide;
  const hlo_narrowing *how = p->how;
  if (how->type == HLO_NARROWING_S8) p->wide = add_wide(w, p->whole, p->scale, -1, how->summed, old->shape);
  else p->wide = add_wide_groups(w, p->whole, p->scale, p->minimum, only_dimension(how->summed), how->group, old->shape);
  return p->wide;
}

/* Gathers rows of an array whose first dimension is that of the table. */
static int add_rows(narrower *w, int table, const hlo_instruction *gather) {
  if (table < 0) return -1;
  const hlo_shape *from = w->to->instructions[table]->shape;
  const hlo_instruction *indices = hlo_operand(w->from, gather, 1);
  int batch = gather->shape->rank - 1;
  int64_t dims[2 * HLO_MAX_RANK], sizes[HLO_MAX_RANK] = {1}, offsets[HLO_MAX_RANK];
  for (int d = 0; d < batch; d++) dims[d] = gather->shape->dims[d];
  for (int d = 1; d < from->rank; d++) {
    dims[batch + d - 1] = sizes[d] = from->dims[d];
    offsets[d - 1] = batch + d - 1;
  }
  const int64_t first[] = {0};
  const hlo_attribute attributes[] = {list_of(w, HLO_ATTR_offset_dims, offsets, from->rank - 1),
                                      list_of(w, HLO_ATTR_collapsed_slice_dims, first, 1),
                                      list_of(w, HLO_ATTR_start_index_map, first, 1),
                                      {.id = HLO_ATTR_index_vector_dim, .integer = hlo_instruction_int(gather, HLO_ATTR_index_vector_dim, 0)},
                                      list_of(w, HLO_ATTR_slice_sizes, sizes, from->rank)};
  return add(w, HLO_OP_GATHER, shape_of(w, from->type, dims, batch + from->rank - 1), (int[]){table, w->map[indices->index]}, 2, attributes, 5);
}

/* A gather of whole rows takes them narrow, and widens no others. */
static int gathered(narrower *w, const hlo_instruction *gather, const narrowed *p) {
  int whole = add_rows(w, p->whole, gather), scale = add_rows(w, p->scale, gather);
  int last = gather->shape->rank - 1;
  if (p->how->type == HLO_NARROWING_S8) return add_wide(w, whole, scale, -1, 1u << last, gather->shape);
  return add_wide_groups(w, whole, scale, add_rows(w, p->minimum, gather), last, p->how->group, gather->shape);
}

/* ---- The entry ---- */

static narrowed *narrowed_operand(narrower *w, const hlo_instruction *i, int n) {
  const hlo_instruction *operand = hlo_operand(w->from, i, n);
  if (operand->opcode != HLO_OP_PARAMETER) return NULL;
  narrowed *p = &w->parameters[hlo_instruction_int(operand, HLO_ATTR_parameter_number, 0)];
  return p->how ? p : NULL;
}

static bool takes_rows(narrower *w, const hlo_instruction *i) {
  const narrowed *p = i->opcode == HLO_OP_GATHER ? narrowed_operand(w, i, 0) : NULL;
  return p && p->how->summed == 2 && hlo_gathers_rows(w->from, i);
}

/* Attributes that name instructions get their new indices. */
static const hlo_attribute *translated(narrower *w, const hlo_instruction *i) {
  hlo_attribute *own = hlo_arena_copy(&w->module->arena, i->attributes, (size_t)i->attribute_count * sizeof *own, w->status);
  for (int n = 0; own && n < i->attribute_count; n++) {
    if (own[n].id != HLO_ATTR_control_predecessors) continue;
    int64_t *indices = hlo_arena_many(&w->module->arena, int64_t, own[n].ints.count, w->status);
    for (int k = 0; indices && k < own[n].ints.count; k++) indices[k] = w->map[own[n].ints.data[k]];
    own[n].ints.data = indices;
  }
  return own;
}

static int copied(narrower *w, const hlo_instruction *i) {
  int *operands = hlo_arena_many(&w->module->arena, int, i->operand_count, w->status);
  for (int n = 0; operands && n < i->operand_count; n++) {
    narrowed *p = narrowed_operand(w, i, n);
    operands[n] = p ? wide(w, hlo_operand(w->from, i, n), p) : w->map[i->operands[n]];
    if (operands[n] < 0) return -1;
  }
  const hlo_attribute *attributes = translated(w, i);
  const char *name = operands && attributes ? hlo_computation_unique_name(w->module, w->to, i->name, w->status) : NULL;
  const hlo_instruction *copy =
      name ? hlo_computation_add(w->module, w->to, i->opcode, name, i->shape, operands, i->operand_count, attributes, i->attribute_count, w->status) : NULL;
  return copy ? copy->index : -1;
}

static bool add_parameters(narrower *w) {
  int next = w->from->parameter_count;
  for (int n = 0; n < w->from->parameter_count; n++) {
    const hlo_instruction *old = w->from->instructions[w->from->parameters[n]];
    narrowed *p = &w->parameters[n];
    if (p->how) {
      if (!add_narrow(w, old, p, n, &next)) return false;
      w->map[old->index] = p->whole;
    } else {
      w->map[old->index] = copied(w, old);
      if (w->map[old->index] < 0) return false;
    }
  }
  return true;
}

static bool add_instructions(narrower *w) {
  for (int n = 0; n < w->from->instruction_count; n++) {
    const hlo_instruction *i = w->from->instructions[n];
    if (i->opcode == HLO_OP_PARAMETER) continue;
    w->map[n] = takes_rows(w, i) ? gathered(w, i, narrowed_operand(w, i, 0)) : copied(w, i);
    if (w->map[n] < 0) return false;
  }
  return true;
}

/* The root, which may be a parameter that was narrowed. */
static bool set_root(narrower *w) {
  const hlo_instruction *root = hlo_computation_root(w->from);
  narrowed *p = root->opcode == HLO_OP_PARAMETER ? &w->parameters[hlo_instruction_int(root, HLO_ATTR_parameter_number, 0)] : NULL;
  w->to->root = p && p->how ? wide(w, root, p) : w->map[root->index];
  return w->to->root >= 0;
}

static bool list_parameters(narrower *w, const hlo_narrowing *list, int count) {
  for (int n = 0; n < w->from->parameter_count; n++) w->parameters[n] = (narrowed){NULL, -1, -1, -1, -1};
  for (int n = 0; n < count; n++) {
    const hlo_narrowing *how = &list[n];
    bool known = how->parameter >= 0 && how->parameter < w->from->parameter_count && how->type < HLO_NARROWING_TYPES;
    if (!known) return hlo_fail(w->status, HLO_ARGUMENT, "there is no parameter %d to narrow", how->parameter);
    if (w->parameters[how->parameter].how) return hlo_fail(w->status, HLO_ARGUMENT, "parameter %d is narrowed twice", how->parameter);
    w->parameters[how->parameter].how = how;
  }
  return true;
}

bool hlo_narrow_parameters(hlo_module *module, const hlo_narrowing *list, int count, hlo_status *status) {
  narrower w = {.module = module, .from = hlo_module_entry(module), .status = status};
  const char *name = hlo_module_unique_name(module, w.from->name, status);
  w.to = name ? hlo_module_add_computation(module, name, hlo_span_of(name).length, status) : NULL;
  w.parameters = hlo_arena_many(&module->arena, narrowed, w.from->parameter_count, status);
  w.map = hlo_arena_many(&module->arena, int, w.from->instruction_count, status);
  if (!w.to || !w.parameters || !w.map || !list_parameters(&w, list, count)) return false;
  if (!add_parameters(&w) || !add_instructions(&w) || !set_root(&w)) return false;
  module->entry = w.to->index;
  module->entry_parameter_count = 0;
  module->entry_parameter_shapes = NULL;
  bool ignored = false;
  return hlo_drop_uncalled(module, &ignored, status);
}
