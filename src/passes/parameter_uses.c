/* What the entry does with its parameters: which are sides of products, through reshapes, transposes and conversions. */
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "graph/parameter_path.h"
#include "passes/narrow_parameters.h"
#include "passes/parameter_uses.h"
#include "passes/pass_list.h"
#include "passes/pipeline.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* ---- Programs without calls ---- */

static int inlining(void) {
  int n = 0;
  while (hlo_pass_list[n].rewrite != hlo_inline_calls) n++;
  return n;
}

static bool import_entry(hlo_module *to, const hlo_module *from, hlo_status *status) {
  to->replica_count = from->replica_count;
  to->num_partitions = from->num_partitions;
  to->entry = hlo_module_import(to, from, from->entry, status);
  return to->entry >= 0;
}

hlo_module *hlo_module_inlined(const hlo_module *source, hlo_status *status) {
  hlo_module *shared = hlo_pass_run(source, inlining(), status);
  if (!shared) return NULL;
  hlo_module *copy = hlo_module_new(source->name, hlo_span_of(source->name).length, status);
  bool ok = copy && import_entry(copy, shared, status);
  hlo_module_free(shared);
  if (ok) return copy;
  hlo_module_free(copy);
  return NULL;
}

/* ---- Constants ---- */

static bool is_large_constant(const hlo_instruction *i, int64_t least) {
  return i->opcode == HLO_OP_CONSTANT && hlo_shape_is_plain(i->shape) && hlo_shape_element_count(i->shape) >= least;
}

const hlo_instruction *hlo_large_constant(const hlo_module *module, int64_t least, int number) {
  const hlo_computation *c = hlo_module_entry(module);
  for (int n = 0; n < c->instruction_count; n++)
    if (is_large_constant(c->instructions[n], least) && number-- == 0) return c->instructions[n];
  return NULL;
}

/* Makes a constant the last parameter. Its name becomes its path, so that every form of the program tells it. */
static bool lift(hlo_module *module, hlo_computation *c, hlo_instruction *constant, int *parameters, hlo_status *status) {
  hlo_attribute own[2] = {{.id = HLO_ATTR_parameter_number, .integer = c->parameter_count}};
  if (!hlo_make_op_name(hlo_span_of(constant->name), &module->arena, &own[1], status)) return false;
  constant->attributes = hlo_arena_copy(&module->arena, own, sizeof own, status);
  if (!constant->attributes) return false;
  constant->attribute_count = 2;
  constant->opcode = HLO_OP_PARAMETER;
  parameters[c->parameter_count++] = constant->index;
  return true;
}

bool hlo_lift_constants(hlo_module *module, int64_t least, hlo_status *status) {
  hlo_computation *c = module->computations[module->entry];
  int count = 0;
  while (hlo_large_constant(module, least, count)) count++;
  int *parameters = hlo_arena_many(&module->arena, int, c->parameter_count + count, status);
  if (!parameters) return false;
  for (int n = 0; n < c->parameter_count; n++) parameters[n] = c->parameters[n];
  c->parameters = parameters;
  c->parameter_capacity = c->parameter_count + count;
  for (int n = 0; n < c->instruction_count; n++)
    if (is_large_constant(c->instructions[n], least) && !lift(module, c, c->instructions[n], parameters, status)) return false;
  return true;
}

/* ---- Dimensions, followed backwards ---- */

static uint32_t through_transpose(const hlo_instruction *i, uint32_t dims) {
  const hlo_ints *permutation = hlo_instruction_ints(i, HLO_ATTR_dimensions);
  uint32_t before = 0;
  for (int d = 0; d < permutation->count; d++)
    if (dims >> d & 1) before |= 1u << permutation->data[d];
  return before;
}

/* Returns the dimensions of `from` that share elements with those of `to`: both are cut where their products of sizes meet. */
static uint32_t through_reshape(const hlo_shape *from, const hlo_shape *to, uint32_t dims) {
  uint32_t before = 0;
  for (int a = 0, b = 0; a < from->rank && b < to->rank;) {
    int64_t left = from->dims[a], right = to->dims[b];
    uint32_t lefts = 1u << a++, rights = 1u << b++;
    while (left != right) {
      if (left < right && a < from->rank) left *= from->dims[a], lefts |= 1u << a++;
      else if (right < left && b < to->rank) right *= to->dims[b], rights |= 1u << b++;
      else break;
    }
    if (dims & rights) before |= lefts;
  }
  return before;
}

/* Follows an operand back to a parameter of the entry, and its dimensions; NULL where it is no moved parameter. */
static const hlo_instruction *parameter_behind(const hlo_computation *c, const hlo_instruction *i, uint32_t *dims) {
  for (;;) {
    const hlo_instruction *before = i->operand_count == 1 ? hlo_operand(c, i, 0) : NULL;
    switch (i->opcode) {
    case HLO_OP_PARAMETER: return i;
    case HLO_OP_COPY: case HLO_OP_CONVERT: break;
    case HLO_OP_TRANSPOSE: *dims = through_transpose(i, *dims); break;
    case HLO_OP_RESHAPE: *dims = through_reshape(before->shape, i->shape, *dims); break;
    default: return NULL;
    }
    i = before;
  }
}

/* ---- Uses ---- */

static bool moves(const hlo_instruction *i) {
  return i->opcode == HLO_OP_COPY || i->opcode == HLO_OP_CONVERT || i->opcode == HLO_OP_TRANSPOSE || i->opcode == HLO_OP_RESHAPE;
}

static hlo_parameter_use *use_of(hlo_parameter_use *uses, const hlo_instruction *parameter) {
  return &uses[hlo_instruction_int(parameter, HLO_ATTR_parameter_number, 0)];
}

static void note_product(const hlo_computation *c, const hlo_instruction *i, hlo_parameter_use *uses) {
  static const hlo_attribute_id contracting[] = {HLO_ATTR_lhs_contracting_dims, HLO_ATTR_rhs_contracting_dims};
  for (int side = 0; side < 2; side++) {
    uint32_t dims = hlo_ints_mask(hlo_instruction_ints(i, contracting[side]));
    const hlo_instruction *parameter = parameter_behind(c, hlo_operand(c, i, side), &dims);
    if (!parameter) continue;
    hlo_parameter_use *use = use_of(uses, parameter);
    use->products++;
    use->summed |= dims;
  }
}

bool hlo_gathers_rows(const hlo_computation *c, const hlo_instruction *i) {
  if (i->opcode != HLO_OP_GATHER) return false;
  const hlo_shape *table = hlo_operand(c, i, 0)->shape;
  const hlo_ints *sizes = hlo_instruction_ints(i, HLO_ATTR_slice_sizes), *offsets = hlo_instruction_ints(i, HLO_ATTR_offset_dims);
  const hlo_ints *collapsed = hlo_instruction_ints(i, HLO_ATTR_collapsed_slice_dims), *starts = hlo_instruction_ints(i, HLO_ATTR_start_index_map);
  return table->rank == 2 && sizes->count == 2 && sizes->data[0] == 1 && sizes->data[1] == table->dims[1] && collapsed->count == 1 &&
         collapsed->data[0] == 0 && starts->count == 1 && starts->data[0] == 0 && offsets->count == 1 &&
         offsets->data[0] == i->shape->rank - 1 && hlo_instruction_ints(i, HLO_ATTR_operand_batching_dims)->count == 0;
}

/* Notes a use that is no product: of a parameter itself, or of what a parameter became on its way to a product. */
static void note_other(const hlo_computation *c, const hlo_instruction *i, int operand, hlo_parameter_use *uses) {
  uint32_t none = 0;
  const hlo_instruction *value = hlo_operand(c, i, operand), *parameter = parameter_behind(c, value, &none);
  if (!parameter) return;
  hlo_parameter_use *use = use_of(uses, parameter);
  if (value == parameter && operand == 0 && hlo_gathers_rows(c, i)) {
    use->gathers++;
    use->summed |= 2;
    return;
  }
  use->others++;
  use->other = i;
}

bool hlo_find_parameter_uses(const hlo_module *module, hlo_parameter_use *uses, hlo_status *status) {
  if (module->entry < 0) return hlo_fail(status, HLO_VERIFY, "the module has no entry computation");
  const hlo_computation *c = hlo_module_entry(module);
  for (int n = 0; n < c->parameter_count; n++) uses[n] = (hlo_parameter_use){0};
  for (int n = 0; n < c->instruction_count; n++) {
    const hlo_instruction *i = c->instructions[n];
    if (i->opcode == HLO_OP_DOT) note_product(c, i, uses);
    else if (!moves(i))
      for (int k = 0; k < i->operand_count; k++) note_other(c, i, k, uses);
  }
  const hlo_instruction *root = hlo_computation_root(c);
  uint32_t none = 0;
  const hlo_instruction *returned = parameter_behind(c, root, &none);
  if (returned) use_of(uses, returned)->others++, use_of(uses, returned)->other = root;
  return true;
}
