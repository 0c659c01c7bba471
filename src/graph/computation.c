/* Facts about computations, and names for attributes that refer to them. */
#include "base/nearest_name.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"

/* ---- Names ---- */

static int find_computation(void *context, hlo_span name) {
  const hlo_graph_scope *scope = context;
  return hlo_module_find_computation(scope->module, name);
}

static int find_instruction(void *context, hlo_span name) {
  const hlo_graph_scope *scope = context;
  return scope->computation ? hlo_computation_find(scope->computation, name) : -1;
}

static void write_computation(void *context, hlo_writer *writer, int index) {
  const hlo_graph_scope *scope = context;
  hlo_write_name(writer, &scope->module->names, scope->module->computations[index]->name);
}

static void write_instruction(void *context, hlo_writer *writer, int index) {
  const hlo_graph_scope *scope = context;
  hlo_write_name(writer, &scope->computation->names, scope->computation->instructions[index]->name);
}

void hlo_computation_offer_names(const hlo_computation *computation, hlo_nearest_name *nearest) {
  for (int i = 0; i < computation->instruction_count; i++)
    hlo_nearest_name_offer(nearest, hlo_span_of(computation->instructions[i]->name));
}

static void offer(void *context, bool computations, hlo_nearest_name *nearest) {
  const hlo_graph_scope *scope = context;
  if (!computations && scope->computation) hlo_computation_offer_names(scope->computation, nearest);
  for (int i = 0; computations && i < scope->module->computation_count; i++)
    hlo_nearest_name_offer(nearest, hlo_span_of(scope->module->computations[i]->name));
}

hlo_name_scope hlo_graph_name_scope(hlo_graph_scope *scope_storage) {
  return (hlo_name_scope){scope_storage, find_computation, find_instruction, write_computation, write_instruction, offer, NULL};
}

/* ---- Well-known computations ---- */

/* Returns whether operand n of the root is parameter `number`, a scalar of the root's type. */
static bool operand_is_parameter(const hlo_computation *c, const hlo_instruction *root, int n, int number) {
  const hlo_instruction *operand = hlo_operand(c, root, n);
  return operand->index == c->parameters[number] && hlo_shape_is_scalar(operand->shape) &&
         operand->shape->type == root->shape->type;
}

bool hlo_computation_is_binary_op(const hlo_computation *c, hlo_opcode *opcode) {
  if (c->parameter_count != 2 || c->root < 0) return false;
  const hlo_instruction *root = hlo_computation_root(c);
  if (!hlo_op_has(root->opcode, HLO_FLAG_ELEMENTWISE) || root->opcode == HLO_OP_COMPARE) return false;
  if (hlo_op(root->opcode)->arity != 2 || root->operand_count != 2 || !hlo_shape_is_scalar(root->shape)) return false;
  bool in_order = operand_is_parameter(c, root, 0, 0) && operand_is_parameter(c, root, 1, 1);
  bool swapped = operand_is_parameter(c, root, 0, 1) && operand_is_parameter(c, root, 1, 0);
  if (!in_order && !(swapped && hlo_op_has(root->opcode, HLO_FLAG_COMMUTATIVE))) return false;
  *opcode = root->opcode;
  return true;
}

/* ---- Well-known arrays ---- */

int64_t hlo_counted_dimension(const hlo_computation *c, const hlo_instruction *array) {
  if (array->opcode == HLO_OP_IOTA) return hlo_instruction_int(array, HLO_ATTR_iota_dimension, 0);
  if (array->opcode != HLO_OP_BROADCAST) return -1;
  hlo_ints dimensions = *hlo_instruction_ints(array, HLO_ATTR_dimensions);
  return dimensions.count == 1 && hlo_counted_dimension(c, hlo_operand(c, array, 0)) == 0 ? dimensions.data[0] : -1;
}
