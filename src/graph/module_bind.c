/* Binding parameters of the entry: a module in which they are constants. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/name_table.h"
#include "graph/opcode.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/shared_array.h"

enum { SMALL = 4096 }; /* bytes */

/* Makes a literal of an array: of a small one a copy, which costs less than to share it. */
static hlo_literal *make_literal(hlo_arena *arena, const hlo_shape *declared, hlo_shared_array *array, hlo_status *status) {
  const hlo_shape *shape = hlo_shape_without_layouts(arena, declared, status);
  if (!shape || hlo_shape_dense_bytes(shape) > SMALL) return shape ? hlo_literal_share(arena, shape, array, status) : NULL;
  hlo_literal *literal = hlo_literal_make(arena, shape, status);
  const void *elements = literal ? hlo_shared_array_pin(array, status) : NULL;
  if (!elements) return NULL;
  memcpy(literal->data, elements, hlo_literal_bytes(literal));
  hlo_shared_array_unpin(array);
  return literal;
}

/* Makes the instruction that stands for a parameter: a constant or, of another number, a parameter. */
static hlo_instruction *replace(hlo_module *module, const hlo_instruction *parameter, hlo_shared_array *array, int number, hlo_status *status) {
  hlo_instruction *made = hlo_arena_copy(&module->arena, parameter, sizeof *parameter, status);
  hlo_attribute *attributes = hlo_arena_many(&module->arena, hlo_attribute, parameter->attribute_count + 1, status);
  if (!made || !attributes) return NULL;
  made->attributes = attributes;
  if (array) {
    made->opcode = HLO_OP_CONSTANT;
    made->attribute_count = 1;
    attributes[0] = (hlo_attribute){.id = HLO_ATTR_literal, .literal = make_literal(&module->arena, parameter->shape, array, status)};
    return attributes[0].literal ? made : NULL;
  }
  for (int i = 0; i < made->attribute_count; i++) {
    attributes[i] = parameter->attributes[i];
    if (attributes[i].id == HLO_ATTR_parameter_number) attributes[i].integer = number;
  }
  return made;
}

static hlo_computation *bind_entry(hlo_module *module, const hlo_computation *entry, hlo_shared_array *const *arrays, hlo_status *status) {
  hlo_computation *bound = hlo_arena_copy(&module->arena, entry, sizeof *entry, status);
  hlo_instruction **instructions = hlo_arena_copy(&module->arena, entry->instructions, (size_t)entry->instruction_count * sizeof *instructions, status);
  int *parameters = hlo_arena_many(&module->arena, int, entry->parameter_count, status), count = 0;
  if (!bound || !instructions || !parameters) return NULL;
  for (int n = 0; n < entry->parameter_count; n++) {
    int index = entry->parameters[n];
    instructions[index] = replace(module, entry->instructions[index], arrays[n], count, status);
    if (!instructions[index]) return NULL;
    if (!arrays[n]) parameters[count++] = index;
  }
  bound->instructions = instructions;
  bound->capacity = bound->instruction_count;
  bound->parameters = parameters;
  bound->parameter_count = bound->parameter_capacity = count;
  return bound;
}

/* Takes the shapes of bound parameters out of the entry's layout, and fields that name parameters by number out of the header. */
static bool bind_header(hlo_module *module, const hlo_module *source, hlo_shared_array *const *arrays, hlo_status *status) {
  int parameters = hlo_module_entry(source)->parameter_count, count = 0;
  if (source->entry_parameter_shapes) {
    const hlo_shape **shapes = hlo_arena_many(&module->arena, const hlo_shape *, parameters, status);
    for (int n = 0; shapes && n < parameters; n++)
      if (!arrays[n]) shapes[count++] = source->entry_parameter_shapes[n];
    module->entry_parameter_shapes = shapes;
    module->entry_parameter_count = count;
  }
  hlo_module_field *fields = hlo_arena_many(&module->arena, hlo_module_field, source->field_count, status);
  module->field_count = 0;
  module->fields = fields;
  for (int i = 0; fields && i < source->field_count; i++)
    if (!hlo_span_is(source->fields[i].name, "input_output_alias") && !hlo_span_is(source->fields[i].name, "buffer_donor"))
      fields[module->field_count++] = source->fields[i];
  return hlo_ok(status);
}

static bool bind(hlo_module *module, const hlo_module *source, hlo_shared_array *const *arrays, hlo_status *status) {
  hlo_computation *entry = bind_entry(module, hlo_module_entry(source), arrays, status);
  if (!entry) return false;
  module->computations[source->entry] = entry;
  return bind_header(module, source, arrays, status);
}

hlo_module *hlo_module_bind(const hlo_module *source, hlo_shared_array *const *arrays, hlo_status *status) {
  hlo_module *module = hlo_module_share(source, status);
  if (!module) return NULL;
  module->pins = 0;
  if (bind(module, source, arrays, status)) return module;
  hlo_module_free(module);
  return NULL;
}
