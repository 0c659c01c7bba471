/* Copying computations from one module into another, callees first. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "shape/dims.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shape_cache.h"

typedef struct importer {
  hlo_module *to;
  const hlo_module *from;
  hlo_status *status;
  int *map; /* by computation of `from`: its index in `to`; UNSEEN or OPEN before that is known */
  hlo_shape_cache *shapes;
  hlo_arena attributes; /* of the instruction that is being copied */
} importer;

enum { UNSEEN = -1, OPEN = -2 };

/* ---- Attributes ---- */

static hlo_span copy_span(hlo_arena *arena, hlo_span span, hlo_status *status) {
  return (hlo_span){hlo_arena_text(arena, span.text, span.length, status), span.length};
}

static hlo_ints copy_ints(hlo_arena *arena, hlo_ints ints, hlo_status *status) {
  return (hlo_ints){hlo_arena_copy(arena, ints.data, (size_t)ints.count * sizeof *ints.data, status), ints.count};
}

static hlo_ints map_computations(importer *in, hlo_ints ints) {
  int64_t *mapped = hlo_arena_many(&in->to->arena, int64_t, ints.count, in->status);
  for (int i = 0; mapped && i < ints.count; i++) mapped[i] = in->map[ints.data[i]];
  return (hlo_ints){mapped, ints.count};
}

static const hlo_window *copy_window(hlo_arena *arena, const hlo_window *from, hlo_status *status) {
  hlo_window *window = hlo_arena_copy(arena, from, sizeof *from, status);
  if (window) window->dims = hlo_arena_copy(arena, from->dims, (size_t)from->rank * sizeof *from->dims, status);
  return window;
}

static const hlo_padding_config *copy_padding(hlo_arena *arena, const hlo_padding_config *from, hlo_status *status) {
  hlo_padding_config *padding = hlo_arena_copy(arena, from, sizeof *from, status);
  if (padding) padding->dims = hlo_arena_copy(arena, from->dims, (size_t)from->rank * sizeof *from->dims, status);
  return padding;
}

static const hlo_slice *copy_slice(hlo_arena *arena, const hlo_slice *from, hlo_status *status) {
  hlo_slice *slice = hlo_arena_copy(arena, from, sizeof *from, status);
  if (slice) slice->dims = hlo_arena_copy(arena, from->dims, (size_t)from->rank * sizeof *from->dims, status);
  return slice;
}

static const hlo_groups *copy_groups(hlo_arena *arena, const hlo_groups *from, hlo_status *status) {
  hlo_groups *groups = hlo_arena_copy(arena, from, sizeof *from, status);
  hlo_ints *copies = hlo_arena_many(arena, hlo_ints, from->count, status);
  if (!groups || !copies) return NULL;
  for (int i = 0; i < from->count; i++) copies[i] = copy_ints(arena, from->groups[i], status);
  groups->groups = copies;
  if (from->verbatim.length) groups->verbatim = copy_span(arena, from->verbatim, status);
  return groups;
}

/* Copies the values that an attribute points to. Failures are in the status. */
static void copy_attribute(importer *in, hlo_attribute *to, const hlo_attribute *from) {
  hlo_arena *arena = &in->to->arena;
  *to = *from;
  switch (hlo_attribute_kind_of(from->id)) {
  case HLO_KIND_STRING: case HLO_KIND_RAW: to->text = copy_span(arena, from->text, in->status); return;
  case HLO_KIND_INTS: case HLO_KIND_INSTRUCTIONS: to->ints = copy_ints(arena, from->ints, in->status); return;
  case HLO_KIND_COMPUTATIONS: to->ints = map_computations(in, from->ints); return;
  case HLO_KIND_COMPUTATION: to->computation = in->map[from->computation]; return;
  case HLO_KIND_WINDOW: to->window = copy_window(arena, from->window, in->status); return;
  case HLO_KIND_PADDING: to->padding = copy_padding(arena, from->padding, in->status); return;
  case HLO_KIND_SLICE: to->slice = copy_slice(arena, from->slice, in->status); return;
  case HLO_KIND_DIM_LABELS: to->dim_labels = hlo_arena_copy(arena, from->dim_labels, sizeof *from->dim_labels, in->status); return;
  case HLO_KIND_SHAPE: to->shape = hlo_shape_copy(arena, from->shape, in->status); return;
  case HLO_KIND_QUANTIZATION: to->quantization = hlo_quantization_copy(arena, from->quantization, in->status); return;
  case HLO_KIND_GROUPS: to->groups = copy_groups(arena, from->groups, in->status); return;
  case HLO_KIND_LITERAL: to->literal = hlo_literal_borrow(arena, from->literal, in->status); return;
  default: return; /* the attribute itself holds the value */
  }
}

/* ---- One computation ---- */

static bool copy_instruction(importer *in, hlo_computation *to, const hlo_instruction *from) {
  hlo_arena *arena = &in->to->arena;
  hlo_arena_reset(&in->attributes);
  hlo_attribute *attributes = hlo_arena_many(&in->attributes, hlo_attribute, from->attribute_count, in->status);
  const hlo_shape *shape = hlo_shape_cache_copy(in->shapes, arena, from->shape, in->status);
  if (!attributes || !shape) return false;
  for (int i = 0; i < from->attribute_count; i++) copy_attribute(in, &attributes[i], &from->attributes[i]);
  if (!hlo_ok(in->status)) return false;
  hlo_instruction *copy = hlo_computation_add(in->to, to, from->opcode, from->name, shape, from->operands, from->operand_count,
                                              attributes, from->attribute_count, in->status);
  if (copy) copy->line = from->line;
  return copy != NULL;
}

static int copy_computation(importer *in, const hlo_computation *from) {
  const char *name = hlo_module_unique_name(in->to, from->name, in->status);
  hlo_computation *to = name ? hlo_module_add_computation(in->to, name, strlen(name), in->status) : NULL;
  if (!to || !hlo_computation_reserve(in->to, to, from->instruction_count, in->status)) return -1;
  to->line = from->line;
  if (from->execution_thread.length) to->execution_thread = copy_span(&in->to->arena, from->execution_thread, in->status);
  for (int i = 0; i < from->instruction_count; i++)
    if (!copy_instruction(in, to, from->instructions[i])) return -1;
  to->root = from->root;
  return hlo_ok(in->status) ? to->index : -1;
}

/* ---- A copy made before ---- */

static bool same_attribute(const importer *in, const hlo_attribute *to, const hlo_attribute *from) {
  if (to->id != from->id) return false;
  hlo_attribute_kind kind = hlo_attribute_kind_of(from->id);
  if (kind == HLO_KIND_COMPUTATION) return to->computation == in->map[from->computation];
  if (kind != HLO_KIND_COMPUTATIONS) return hlo_attribute_equal(to, from);
  bool same = to->ints.count == from->ints.count;
  for (int i = 0; same && i < from->ints.count; i++) same = to->ints.data[i] == in->map[from->ints.data[i]];
  return same;
}

static bool same_instruction(const importer *in, const hlo_instruction *to, const hlo_instruction *from) {
  bool same = to->opcode == from->opcode && to->operand_count == from->operand_count &&
              to->attribute_count == from->attribute_count && hlo_shape_equal(to->shape, from->shape);
  for (int i = 0; same && i < from->operand_count; i++) same = to->operands[i] == from->operands[i];
  for (int i = 0; same && i < from->attribute_count; i++) same = same_attribute(in, &to->attributes[i], &from->attributes[i]);
  return same;
}

static bool same_computation(const importer *in, const hlo_computation *to, const hlo_computation *from) {
  bool same = to->instruction_count == from->instruction_count && to->root == from->root;
  for (int i = 0; same && i < from->instruction_count; i++) same = same_instruction(in, to->instructions[i], from->instructions[i]);
  return same;
}

/* Finds an equal computation among those called name, name.1, name.2, ..., as copy_computation names its copies; -1 if there is none. */
static int find_copy(const importer *in, const hlo_computation *from) {
  const char *name = from->name;
  for (int suffix = 1;; suffix++) {
    int index = hlo_module_find_computation(in->to, hlo_span_of(name));
    if (index < 0 || same_computation(in, in->to->computations[index], from)) return index;
    name = hlo_arena_format(&in->to->arena, in->status, "%s.%d", from->name, suffix);
    if (!name) return -1;
  }
}

static bool import_one(importer *in, int index) {
  const hlo_computation *from = in->from->computations[index];
  int found = find_copy(in, from);
  in->map[index] = found >= 0 ? found : copy_computation(in, from);
  return in->map[index] >= 0;
}

/* ---- All that is called ---- */

/* A computation on the stack, and how far it has been searched for calls. */
typedef struct visit {
  int computation, instruction, call;
} visit;

/* Returns the next computation that `v` calls, or -1 at its end. */
static int next_call(const importer *in, visit *v) {
  const hlo_computation *c = in->from->computations[v->computation];
  int called;
  for (; v->instruction < c->instruction_count; v->instruction++, v->call = 0)
    if (hlo_instruction_call(c->instructions[v->instruction], v->call++, &called)) return called;
  return -1;
}

static bool import_all(importer *in, visit *stack, int first) {
  int depth = 0;
  stack[depth++] = (visit){first, 0, 0};
  in->map[first] = OPEN;
  while (depth > 0) {
    int called = next_call(in, &stack[depth - 1]);
    if (called < 0) {
      if (!import_one(in, stack[--depth].computation)) return false;
    } else if (in->map[called] == UNSEEN) {
      in->map[called] = OPEN;
      stack[depth++] = (visit){called, 0, 0};
    } else if (in->map[called] == OPEN) {
      return hlo_fail(in->status, HLO_VERIFY, "computation '%s' calls itself", in->from->computations[called]->name);
    }
  }
  return true;
}

int hlo_module_import(hlo_module *module, const hlo_module *from, int computation, hlo_status *status) {
  if (module == from) return computation;
  hlo_arena scratch;
  hlo_arena_init(&scratch);
  importer in = {module, from, status, hlo_arena_many(&scratch, int, from->computation_count, status), hlo_arena_new(&scratch, hlo_shape_cache, status), {0}};
  visit *stack = hlo_arena_many(&scratch, visit, from->computation_count, status);
  for (int i = 0; in.map && i < from->computation_count; i++) in.map[i] = UNSEEN;
  int result = in.map && in.shapes && stack && import_all(&in, stack, computation) ? in.map[computation] : -1;
  hlo_arena_free(&in.attributes);
  hlo_arena_free(&scratch);
  return result;
}

/* ---- A whole module ---- */

static bool copy_header(hlo_module *to, const hlo_module *from, hlo_status *status) {
  hlo_arena *arena = &to->arena;
  to->replica_count = from->replica_count;
  to->num_partitions = from->num_partitions;
  to->pins = from->pins;
  to->trailer = copy_span(arena, from->trailer, status);
  to->field_count = from->field_count;
  to->fields = hlo_arena_many(arena, hlo_module_field, from->field_count, status);
  for (int i = 0; to->fields && i < from->field_count; i++)
    to->fields[i] = (hlo_module_field){copy_span(arena, from->fields[i].name, status), copy_span(arena, from->fields[i].text, status)};
  to->entry_parameter_count = from->entry_parameter_count;
  if (from->entry_parameter_shapes) to->entry_parameter_shapes = hlo_arena_many(arena, const hlo_shape *, from->entry_parameter_count, status);
  for (int i = 0; to->entry_parameter_shapes && i < from->entry_parameter_count; i++)
    to->entry_parameter_shapes[i] = hlo_shape_copy(arena, from->entry_parameter_shapes[i], status);
  if (from->entry_result_shape) to->entry_result_shape = hlo_shape_copy(arena, from->entry_result_shape, status);
  return hlo_ok(status);
}

hlo_module *hlo_module_copy(const hlo_module *source, hlo_status *status) {
  hlo_module *module = hlo_module_new(source->name, strlen(source->name), status);
  if (!module) return NULL;
  bool ok = copy_header(module, source, status);
  module->entry = ok ? hlo_module_import(module, source, source->entry, status) : -1;
  if (module->entry >= 0) return module;
  hlo_module_free(module);
  return NULL;
}
