/* Appends operations, and ties instructions to the values they become. */
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"
#include "stablehlo/raise/raise.h"

/* Branches and asynchronous computations are raised wherever they are used: this bounds the number of operations. */
enum { MAX_OPS = 1 << 19 };

bool hlo_raise_refuse(const hlo_raise_call *c, const char *format, ...) {
  char message[HLO_STATUS_MESSAGE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  hlo_format_arguments(message, sizeof message, format, arguments);
  va_end(arguments);
  return hlo_fail(c->r->status, HLO_UNSUPPORTED, "computation %s, instruction %s: %s: %s", c->computation->name, c->instruction->name,
                  hlo_op_name(c->instruction->opcode), message);
}

bool hlo_raise_no_equal(const hlo_raise_call *c) { return hlo_raise_refuse(c, "%s", c->name); }

const hlo_mlir_type *hlo_raise_type(hlo_raising *r, const hlo_shape *shape) {
  int count;
  const hlo_shape *const *leaves = hlo_raise_leaf_shapes(r, shape, &count);
  for (int i = 0; leaves && i < count; i++)
    if (leaves[i]->type == HLO_TYPE_OPAQUE) return hlo_fail(r->status, HLO_UNSUPPORTED, "StableHLO has no type for opaque[]"), NULL;
  hlo_mlir_type *type = leaves ? hlo_arena_new(r->arena, hlo_mlir_type, r->status) : NULL;
  if (!type || !(type->shape = hlo_shape_copy(r->arena, shape, r->status))) return NULL;
  type->kind = HLO_MLIR_SHAPED;
  return type;
}

int hlo_raise_value(hlo_raising *r, const hlo_shape *shape) {
  hlo_mlir_value value = {.type = hlo_raise_type(r, shape)};
  return value.type && hlo_list_push(&r->values, &value, r->status) ? r->values.count - 1 : -1;
}

int hlo_raise_emit(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                   const hlo_raise_attributes *attributes, const hlo_mlir_region *regions, int region_count,
                   const hlo_shape *const *results, int result_count) {
  hlo_raising *r = c->r;
  if (!hlo_ok(r->status)) return -1;
  if (++r->op_count > MAX_OPS) return hlo_fail(r->status, HLO_LIMIT, "the module would become more than %d operations", MAX_OPS), -1;
  hlo_mlir_op *op = hlo_arena_new(r->arena, hlo_mlir_op, r->status);
  if (!op) return -1;
  int attribute_count = attributes ? attributes->count : 0;
  *op = (hlo_mlir_op){.name = {name, strlen(name)}, .operand_count = operand_count, .result_count = result_count,
                      .attribute_count = attribute_count, .region_count = region_count};
  op->operands = hlo_arena_copy(r->arena, operands, (size_t)operand_count * sizeof *operands, r->status);
  op->attributes = hlo_arena_copy(r->arena, attributes ? attributes->items : NULL, (size_t)attribute_count * sizeof *op->attributes, r->status);
  op->regions = hlo_arena_copy(r->arena, regions, (size_t)region_count * sizeof *regions, r->status);
  op->first_result = r->values.count;
  for (int i = 0; i < result_count; i++)
    if (hlo_raise_value(r, results[i]) < 0) return -1;
  return hlo_list_push(c->ops, &op, r->status) && hlo_ok(r->status) ? op->first_result : -1;
}

int hlo_raise_one(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                  const hlo_raise_attributes *attributes, const hlo_shape *result) {
  return result ? hlo_raise_emit(c, name, operands, operand_count, attributes, NULL, 0, &result, 1) : -1;
}

static bool bind(const hlo_raise_call *c, const int *values, int count, bool started) {
  int *own = hlo_arena_copy(c->r->arena, values, (size_t)count * sizeof *values, c->r->status);
  c->leaves[c->instruction->index] = (hlo_raise_leaves){count, own, started};
  return own != NULL;
}

bool hlo_raise_set(const hlo_raise_call *c, const int *values, int count) { return bind(c, values, count, false); }
bool hlo_raise_started(const hlo_raise_call *c, const int *values, int count) { return bind(c, values, count, true); }

bool hlo_raise_finish(const hlo_raise_call *c, const char *name, const int *operands, int operand_count,
                      const hlo_raise_attributes *attributes, const hlo_mlir_region *regions, int region_count) {
  int count;
  const hlo_shape *shape = c->instruction->shape;
  hlo_opcode opcode = c->instruction->opcode;
  if (opcode == HLO_OP_ALL_GATHER_START || opcode == HLO_OP_COLLECTIVE_PERMUTE_START) { /* ((operands), result, ...) */
    if (!hlo_shape_is_tuple(shape) || shape->element_count < 2)
      return hlo_raise_refuse(c, "the shape %s does not hold what it gives", HLO_SHAPE_TEXT(shape));
    shape = shape->elements[1];
  }
  const hlo_shape *const *shapes = hlo_raise_leaf_shapes(c->r, shape, &count);
  hlo_raise_attributes all = attributes ? *attributes : (hlo_raise_attributes){.count = 0};
  const hlo_attribute *sharding = hlo_instruction_attribute(c->instruction, HLO_ATTR_sharding);
  if (sharding) hlo_raise_push(&all, "mhlo.sharding", hlo_raise_text(c->r, HLO_MLIR_STRING, sharding->text.text, sharding->text.length));
  int first = shapes ? hlo_raise_emit(c, name, operands, operand_count, &all, regions, region_count, shapes, count) : -1;
  int *values = first < 0 ? NULL : hlo_arena_many(c->r->arena, int, count, c->r->status);
  for (int i = 0; values && i < count; i++) values[i] = first + i;
  return values && bind(c, values, count, hlo_op_has(opcode, HLO_FLAG_PAIR));
}

/* ---- Operands ---- */

bool hlo_raise_operand(const hlo_raise_call *c, int i, hlo_raise_leaves *leaves) {
  *leaves = c->leaves[c->instruction->operands[i]];
  return !leaves->started || hlo_raise_refuse(c, "operand %d is what a start gives, which StableHLO has no value for; only its done may use it", i);
}

const int *hlo_raise_operands(const hlo_raise_call *c, int first, int *count) {
  *count = 0;
  for (int i = first; i < c->instruction->operand_count; i++) *count += c->leaves[c->instruction->operands[i]].count;
  int *values = hlo_arena_many(c->r->arena, int, *count, c->r->status);
  for (int i = first, next = 0; values && i < c->instruction->operand_count; i++) {
    hlo_raise_leaves leaves;
    if (!hlo_raise_operand(c, i, &leaves)) return NULL;
    for (int k = 0; k < leaves.count; k++) values[next++] = leaves.values[k];
  }
  return values;
}

/* ---- Tuples ---- */

static int count_leaves(const hlo_shape *shape) {
  if (!hlo_shape_is_tuple(shape)) return 1;
  int count = 0;
  for (int i = 0; i < shape->element_count; i++) count += count_leaves(shape->elements[i]);
  return count;
}

static const hlo_shape **list_leaves(const hlo_shape *shape, const hlo_shape **next) {
  if (!hlo_shape_is_tuple(shape)) *next++ = shape;
  else
    for (int i = 0; i < shape->element_count; i++) next = list_leaves(shape->elements[i], next);
  return next;
}

const hlo_shape *const *hlo_raise_leaf_shapes(hlo_raising *r, const hlo_shape *shape, int *count) {
  *count = count_leaves(shape);
  const hlo_shape **shapes = hlo_arena_many(r->arena, const hlo_shape *, *count, r->status);
  if (shapes) list_leaves(shape, shapes);
  return shapes;
}

int hlo_raise_pack(const hlo_raise_call *c, const hlo_shape *shape, const int *leaves) {
  if (!hlo_shape_is_tuple(shape)) return leaves[0];
  int *elements = hlo_arena_many(c->r->arena, int, shape->element_count, c->r->status);
  for (int i = 0; elements && i < shape->element_count; i++) {
    if ((elements[i] = hlo_raise_pack(c, shape->elements[i], leaves)) < 0) return -1;
    leaves += count_leaves(shape->elements[i]);
  }
  return elements ? hlo_raise_one(c, "stablehlo.tuple", elements, shape->element_count, NULL, shape) : -1;
}

bool hlo_raise_unpack(const hlo_raise_call *c, int value, const hlo_shape *shape, int **next) {
  if (value < 0) return false;
  if (!hlo_shape_is_tuple(shape)) return *(*next)++ = value, true;
  for (int i = 0; i < shape->element_count; i++) {
    hlo_raise_attributes list = {.count = 0};
    hlo_raise_push(&list, "index", hlo_raise_int(c->r, HLO_TYPE_S32, i));
    int element = hlo_raise_one(c, "stablehlo.get_tuple_element", &value, 1, &list, shape->elements[i]);
    if (!hlo_raise_unpack(c, element, shape->elements[i], next)) return false;
  }
  return true;
}

int hlo_raise_slice(const hlo_raise_call *c, int value, const hlo_shape *shape, const int64_t *starts, const hlo_shape *part) {
  int64_t limits[HLO_MAX_RANK], strides[HLO_MAX_RANK];
  for (int i = 0; part && i < shape->rank; i++) limits[i] = starts[i] + part->dims[i], strides[i] = 1;
  if (!part) return -1;
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "limit_indices", hlo_raise_array(c->r, HLO_TYPE_S64, limits, shape->rank));
  hlo_raise_push(&list, "start_indices", hlo_raise_array(c->r, HLO_TYPE_S64, starts, shape->rank));
  hlo_raise_push(&list, "strides", hlo_raise_array(c->r, HLO_TYPE_S64, strides, shape->rank));
  return hlo_raise_one(c, "stablehlo.slice", &value, 1, &list, part);
}
