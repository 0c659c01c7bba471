/* The builder: adds instructions to a computation call by call, and checks each shape in the call that adds it.
 *
 * An instruction is passed as an opcode, operand ids, and attributes as HLO text, so that the parser and inference of modules serve here, too. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "infer/implicit_broadcast.h"
#include "infer/infer.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"
#include "text/hlo_text.h"
#include "verify/verify.h"

struct hlo_api_builder {
  hlo_runtime *runtime;
  hlo_module *module; /* NULL once finished */
  hlo_computation *computation;
};

HLO_API(hlo_api_builder *, hlo_api_builder_new)(hlo_runtime *runtime, const char *name, size_t length) {
  hlo_api_begin(runtime);
  hlo_api_builder *builder = hlo_api_object(runtime, sizeof *builder);
  if (!builder) return NULL;
  builder->runtime = runtime;
  builder->module = hlo_module_new(name, length, &runtime->status);
  if (builder->module)
    builder->computation = hlo_module_add_computation(builder->module, name, length, &runtime->status);
  if (builder->computation) return builder;
  hlo_api_builder_free(builder);
  return NULL;
}

HLO_API(void, hlo_api_builder_free)(hlo_api_builder *builder) {
  if (builder->module) hlo_module_free(builder->module);
  free(builder);
}

static bool begin(hlo_api_builder *builder) {
  hlo_api_begin(builder->runtime);
  if (builder->module) return true;
  return hlo_fail(&builder->runtime->status, HLO_DISPOSED, "the builder has built its computation; make a new one");
}

static bool id_exists(hlo_api_builder *builder, int id) {
  if (id >= 0 && id < builder->computation->instruction_count) return true;
  return hlo_fail(&builder->runtime->status, HLO_ARGUMENT, "there is no instruction %d", id);
}

/* Adds an instruction; the answer is its shape. */
static int append(hlo_api_builder *builder, hlo_opcode opcode, const char *name, size_t name_length, const hlo_shape *shape,
                  const int *operands, int operand_count, const hlo_attribute *attributes, int attribute_count) {
  hlo_status *status = &builder->runtime->status;
  hlo_arena *arena = &builder->module->arena;
  const char *stem = name_length ? hlo_arena_text(arena, name, name_length, status) : hlo_op_name(opcode);
  if (!shape || !stem) return -1;
  const char *unique = hlo_computation_unique_name(builder->module, builder->computation, stem, status);
  if (!unique) return -1;
  const hlo_instruction *instruction =
      hlo_computation_add(builder->module, builder->computation, opcode, unique, shape, operands, operand_count,
                          attributes, attribute_count, status);
  if (!instruction) return -1;
  builder->runtime->text.length = 0;
  hlo_api_write_shape(&builder->runtime->text, shape);
  return hlo_ok(status) ? instruction->index : -1;
}

HLO_API(int, hlo_api_builder_parameter)(hlo_api_builder *builder, int number, const hlo_api_shape *shape,
                                        const char *name, size_t length) {
  if (!begin(builder)) return -1;
  hlo_status *status = &builder->runtime->status;
  if (number < 0) {
    hlo_fail(status, HLO_ARGUMENT, "a parameter number is 0 or more, got %d", number);
    return -1;
  }
  hlo_attribute attribute = {.id = HLO_ATTR_parameter_number, .integer = number};
  const hlo_shape *copy = hlo_shape_copy(&builder->module->arena, shape->shape, status);
  return append(builder, HLO_OP_PARAMETER, name, length, copy, NULL, 0, &attribute, 1);
}

static int add_literal(hlo_api_builder *builder, const hlo_literal *literal) {
  hlo_attribute attribute = {.id = HLO_ATTR_literal, .literal = literal};
  return append(builder, HLO_OP_CONSTANT, NULL, 0, literal->shape, NULL, 0, &attribute, 1);
}

/* Copies the shape of a constant to the module's arena; NULL if a constant cannot have it. */
static const hlo_shape *constant_shape(hlo_api_builder *builder, const hlo_shape *shape) {
  hlo_status *status = &builder->runtime->status;
  if (hlo_shape_is_array(shape) && hlo_shape_is_static(shape)) return hlo_shape_copy(&builder->module->arena, shape, status);
  hlo_fail(status, HLO_SHAPE, "constant: the shape must be an array of static size, got %pS", shape);
  return NULL;
}

static int add_copy(hlo_api_builder *builder, const hlo_shape *shape, const void *bytes) {
  hlo_status *status = &builder->runtime->status;
  hlo_literal *literal = hlo_literal_make_constant(&builder->module->arena, shape, status);
  return literal && hlo_layout_gather(shape, bytes, literal->data, status) ? add_literal(builder, literal) : -1;
}

HLO_API(int, hlo_api_builder_constant)(hlo_api_builder *builder, const hlo_api_shape *shape, const void *bytes) {
  const hlo_shape *copy = begin(builder) ? constant_shape(builder, shape->shape) : NULL;
  return copy ? add_copy(builder, copy, bytes) : -1;
}

/* Makes a literal of memory that the arena owns from then on; NULL: it does not. */
static hlo_literal *adopt(hlo_arena *arena, const hlo_shape *shape, void *memory, size_t bytes, hlo_status *status) {
  if (!hlo_literal_is_large(shape)) {
    hlo_literal *literal = hlo_literal_wrap(arena, shape, memory, status);
    return literal && hlo_arena_adopt(arena, memory, bytes, status) ? literal : NULL;
  }
  hlo_literal *literal = NULL;
  hlo_shared_array *shared = hlo_shared_array_new(memory, bytes, NULL, NULL, status);
  if (shared && (literal = hlo_literal_share(arena, shape, shared, status))) hlo_shared_array_own(shared, free, memory);
  hlo_shared_array_release(shared);
  return literal && hlo_literal_pin(literal, status) ? literal : NULL;
}

HLO_API(int, hlo_api_builder_own_constant)(hlo_api_builder *builder, const hlo_api_shape *shape, void *memory, size_t bytes) {
  const hlo_shape *copy = begin(builder) ? constant_shape(builder, shape->shape) : NULL;
  hlo_status *status = &builder->runtime->status;
  if (copy && hlo_layout_is_dense(copy)) {
    hlo_literal *literal = adopt(&builder->module->arena, copy, memory, bytes, status);
    if (literal) {
      hlo_api_disown(builder->runtime, bytes);
      return add_literal(builder, literal);
    }
    copy = NULL;
  }
  int id = copy ? add_copy(builder, copy, memory) : -1;
  hlo_api_release(builder->runtime, memory, bytes);
  return id;
}

HLO_API(int, hlo_api_builder_literal)(hlo_api_builder *builder, const char *text, size_t length) {
  if (!begin(builder)) return -1;
  hlo_literal *literal = hlo_literal_parse(&builder->module->arena, text, length, &builder->runtime->status);
  return literal && hlo_ok(&builder->runtime->status) ? add_literal(builder, literal) : -1;
}

HLO_API(int, hlo_api_builder_limit)(hlo_api_builder *builder, int type, int which) {
  if (!begin(builder)) return -1;
  hlo_status *status = &builder->runtime->status;
  if (type < 0 || !hlo_type_is_array((hlo_type)type) || which < 0 || which > 3) {
    hlo_fail(status, HLO_ARGUMENT, "no limit %d of type %d", which, type);
    return -1;
  }
  const hlo_shape *shape = hlo_shape_make_scalar(&builder->module->arena, (hlo_type)type, status);
  hlo_literal *literal = shape ? hlo_literal_make(&builder->module->arena, shape, status) : NULL;
  if (!literal) return -1;
  hlo_scalar (*const limits[])(hlo_type) = {hlo_type_min_value, hlo_type_max_value, hlo_scalar_zero, hlo_scalar_one};
  hlo_literal_set(literal, 0, limits[which]((hlo_type)type));
  return add_literal(builder, literal);
}

/* Infers the shape and appends; everything is in the module's arena already. */
static int infer_and_append(hlo_api_builder *builder, hlo_opcode opcode, const int *operands, int operand_count,
                            const hlo_shape *declared, const hlo_attribute *attributes, int attribute_count,
                            const char *name, size_t name_length) {
  hlo_status *status = &builder->runtime->status;
  hlo_arena *arena = &builder->module->arena;
  const hlo_shape **shapes = hlo_arena_many(arena, const hlo_shape *, operand_count, status);
  if (!shapes) return -1;
  for (int i = 0; i < operand_count; i++) {
    if (!id_exists(builder, operands[i])) return -1;
    shapes[i] = hlo_instruction_at(builder->computation, operands[i])->shape;
  }
  hlo_instruction instruction = {.opcode = opcode, .index = builder->computation->instruction_count,
                                 .name = hlo_op_name(opcode), .shape = declared,
                                 .operand_count = operand_count, .operands = operands,
                                 .attribute_count = attribute_count, .attributes = attributes};
  hlo_infer question = {builder->module, builder->computation, &instruction, operand_count, shapes, arena, status};
  const hlo_shape *inferred = hlo_infer_shape(&question);
  if (!inferred) return -1;
  return append(builder, opcode, name, name_length, declared ? declared : inferred, operands, operand_count,
                attributes, attribute_count);
}

HLO_API(int, hlo_api_builder_add)(hlo_api_builder *builder, int opcode, const int32_t *operands, int operand_count,
                                  const hlo_api_shape *shape, const char *attributes, size_t attributes_length,
                                  const char *name, size_t name_length) {
  if (!begin(builder)) return -1;
  hlo_status *status = &builder->runtime->status;
  if (opcode < 0 || opcode >= HLO_OPCODE_COUNT || opcode == HLO_OP_PARAMETER || opcode == HLO_OP_CONSTANT) {
    hlo_fail(status, HLO_ARGUMENT, "opcode %d cannot be added so", opcode);
    return -1;
  }
  const hlo_shape *declared = shape ? hlo_shape_copy(&builder->module->arena, shape->shape, status) : NULL;
  if (shape && !declared) return -1;
  /* Raw attributes keep pieces of the text, so it is copied to the arena first. */
  const char *text = hlo_arena_text(&builder->module->arena, attributes, attributes_length, status);
  if (!text) return -1;
  hlo_reader reader;
  hlo_reader_init(&reader, text, attributes_length, status);
  hlo_attribute *parsed = NULL;
  int parsed_count = 0;
  if (attributes_length > 0) {
    if (!hlo_text_parse_attributes(&reader, builder->module, builder->computation, (hlo_opcode)opcode, &parsed, &parsed_count))
      return -1;
    if (!hlo_reader_at_end(&reader)) {
      hlo_reader_fail(&reader, "%s: unexpected text after the attributes", hlo_op_name((hlo_opcode)opcode));
      return -1;
    }
  }
  return infer_and_append(builder, (hlo_opcode)opcode, operands, operand_count, declared, parsed, parsed_count,
                          name, name_length);
}

/* ---- Implicit broadcasting ---- */

static int apply_step(hlo_api_builder *builder, int id, const hlo_broadcast_step *step, const hlo_implicit_broadcast *plan) {
  hlo_status *status = &builder->runtime->status;
  hlo_arena *arena = &builder->module->arena;
  hlo_type type = hlo_instruction_at(builder->computation, id)->shape->type;
  if (step->reshape) {
    const hlo_shape *kept = hlo_shape_make(arena, type, step->sizes, step->kept, status);
    if (!kept) return -1;
    id = infer_and_append(builder, HLO_OP_RESHAPE, &id, 1, kept, NULL, 0, NULL, 0);
  }
  if (id >= 0 && step->broadcast) {
    const hlo_shape *result = hlo_shape_make(arena, type, plan->dims, plan->rank, status);
    hlo_attribute dimensions = {.id = HLO_ATTR_dimensions, .ints = {step->kept_dims, step->kept}};
    dimensions.ints.data = hlo_arena_copy(arena, step->kept_dims, sizeof(int64_t) * (size_t)step->kept, status);
    if (!result || !dimensions.ints.data) return -1;
    id = infer_and_append(builder, HLO_OP_BROADCAST, &id, 1, result, &dimensions, 1, NULL, 0);
  }
  return id;
}

HLO_API(bool, hlo_api_builder_broadcast)(hlo_api_builder *builder, int opcode, const int64_t *dimensions, int count,
                                         int32_t *operands) {
  if (!begin(builder) || !id_exists(builder, operands[0]) || !id_exists(builder, operands[1])) return false;
  hlo_status *status = &builder->runtime->status;
  if (opcode < 0 || opcode >= HLO_OPCODE_COUNT) return hlo_fail(status, HLO_ARGUMENT, "no opcode %d", opcode);
  const hlo_shape *lhs = hlo_instruction_at(builder->computation, operands[0])->shape;
  const hlo_shape *rhs = hlo_instruction_at(builder->computation, operands[1])->shape;
  hlo_implicit_broadcast plan;
  const char *name = hlo_op_name((hlo_opcode)opcode);
  if (!hlo_implicit_broadcast_plan(name, lhs, rhs, dimensions, count, &plan, status)) return false;
  operands[0] = apply_step(builder, operands[0], &plan.lhs, &plan);
  operands[1] = operands[0] < 0 ? -1 : apply_step(builder, operands[1], &plan.rhs, &plan);
  return operands[1] >= 0;
}

/* ---- Asking ---- */

HLO_API(bool, hlo_api_builder_instruction_text)(hlo_api_builder *builder, int id) {
  if (!begin(builder) || !id_exists(builder, id)) return false;
  hlo_text_write_instruction(&builder->runtime->text, builder->module, builder->computation,
                             hlo_instruction_at(builder->computation, id));
  return hlo_ok(&builder->runtime->status);
}

HLO_API(bool, hlo_api_builder_instruction_name)(hlo_api_builder *builder, int id) {
  if (!begin(builder) || !id_exists(builder, id)) return false;
  hlo_write(&builder->runtime->text, hlo_instruction_at(builder->computation, id)->name);
  return hlo_ok(&builder->runtime->status);
}

HLO_API(bool, hlo_api_builder_instruction_shape)(hlo_api_builder *builder, int id) {
  if (!begin(builder) || !id_exists(builder, id)) return false;
  hlo_api_write_shape(&builder->runtime->text, hlo_instruction_at(builder->computation, id)->shape);
  return hlo_ok(&builder->runtime->status);
}

HLO_API(bool, hlo_api_builder_import)(hlo_api_builder *builder, hlo_api_module *module, int computation) {
  if (!begin(builder)) return false;
  hlo_status *status = &builder->runtime->status;
  const hlo_module *graph = hlo_api_module_graph(module);
  if (!graph) return false;
  if (module->dynamic) computation = graph->entry;
  if (computation < 0 || computation >= graph->computation_count)
    return hlo_fail(status, HLO_ARGUMENT, "the module has no computation %d", computation);
  int index = hlo_module_import(builder->module, graph, computation, status);
  if (index < 0) return false;
  hlo_write(&builder->runtime->text, builder->module->computations[index]->name);
  return hlo_ok(status);
}

HLO_API(hlo_api_module *, hlo_api_builder_finish)(hlo_api_builder *builder, int root) {
  if (!begin(builder) || !id_exists(builder, root)) return NULL;
  hlo_status *status = &builder->runtime->status;
  builder->computation->root = root;
  builder->module->entry = builder->computation->index;
  if (!hlo_verify_module(builder->module, status)) return NULL;
  hlo_module *module = builder->module;
  builder->module = NULL;
  return hlo_api_module_wrap(builder->runtime, module, NULL);
}
