/* Building modules, computations and instructions; their lists grow in the module's arena. */
#include "graph/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "shape/literal.h"

enum { MAX_PARAMETERS = 1 << 20 };

/* ---- Modules ---- */

hlo_module *hlo_module_new(const char *name, size_t length, hlo_status *status) {
  hlo_module *module = calloc(1, sizeof *module);
  if (!module) {
    hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a module");
    return NULL;
  }
  hlo_arena_init(&module->arena);
  module->entry = -1;
  module->replica_count = module->num_partitions = module->pins = 1;
  module->name = hlo_name_fit(&module->arena, (hlo_span){name, length}, status);
  if (module->name) return module;
  hlo_module_free(module);
  return NULL;
}

hlo_module *hlo_module_share(const hlo_module *source, hlo_status *status) {
  hlo_module *module = hlo_module_new(source->name, strlen(source->name), status);
  if (!module) return NULL;
  hlo_arena arena = module->arena;
  const char *name = module->name;
  *module = *source;
  module->arena = arena;
  module->name = name;
  module->names = (hlo_name_table){0};
  module->capacity = module->computation_count;
  module->computations = hlo_arena_copy(&module->arena, source->computations,
                                        (size_t)source->computation_count * sizeof *source->computations, status);
  for (int n = 0; n < source->computation_count && hlo_ok(status); n++)
    hlo_name_table_add(&module->names, &module->arena, source->computations[n]->name, n, status);
  if (hlo_ok(status)) return module;
  hlo_module_free(module);
  return NULL;
}

/* Calls `change` for the literal of each constant; stops, and returns false, at the first for which it fails. */
static bool change_constants(const hlo_module *module, bool (*change)(hlo_literal *literal, hlo_status *status), hlo_status *status) {
  for (int c = 0; c < module->computation_count; c++)
    for (int i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_instruction *instruction = module->computations[c]->instructions[i];
      const hlo_attribute *value = instruction->opcode == HLO_OP_CONSTANT ? hlo_instruction_attribute(instruction, HLO_ATTR_literal) : NULL;
      if (value && value->literal && value->literal->shared && !change((hlo_literal *)value->literal, status)) return false;
    }
  return true;
}

static bool settle(hlo_literal *literal, hlo_status *status) {
  hlo_literal_settle(literal);
  return true;
}

bool hlo_module_pin(hlo_module *module, hlo_status *status) {
  if (module->pins++ > 0 || change_constants(module, hlo_literal_pin, status)) return true;
  hlo_module_settle(module);
  return false;
}

void hlo_module_settle(hlo_module *module) {
  if (--module->pins == 0) change_constants(module, settle, NULL);
}

void hlo_module_free(hlo_module *module) {
  if (!module) return;
  hlo_arena_free(&module->arena);
  free(module);
}

/* ---- Computations ---- */

hlo_computation *hlo_module_add_computation(hlo_module *module, const char *name, size_t length, hlo_status *status) {
  hlo_arena *arena = &module->arena;
  const char *fit = hlo_name_fit(arena, (hlo_span){name, length}, status);
  if (!fit) return NULL;
  if (hlo_name_table_find(&module->names, hlo_span_of(fit)) >= 0) {
    hlo_fail(status, HLO_ARGUMENT, "there is a computation '%s' already", fit);
    return NULL;
  }
  hlo_computation *computation = hlo_arena_new(arena, hlo_computation, status);
  if (!computation ||
      !hlo_list_grow(arena, &module->computations, module->computation_count, &module->capacity, sizeof computation, status) ||
      !hlo_name_table_add(&module->names, arena, fit, module->computation_count, status))
    return NULL;
  computation->name = fit;
  computation->index = module->computation_count;
  computation->root = -1;
  module->computations[module->computation_count++] = computation;
  return computation;
}

const char *hlo_module_unique_name(hlo_module *module, const char *stem, hlo_status *status) {
  const char *fit = hlo_name_fit(&module->arena, hlo_span_of(stem), status);
  return fit ? hlo_name_table_unique(&module->names, &module->arena, fit, status) : NULL;
}

int hlo_module_find_computation(const hlo_module *module, hlo_span name) {
  return hlo_name_table_find(&module->names, name);
}

/* ---- Instructions ---- */

const char *hlo_computation_unique_name(hlo_module *module, hlo_computation *computation, const char *stem, hlo_status *status) {
  const char *fit = hlo_name_is_fit(hlo_span_of(stem)) ? stem : hlo_name_fit(&module->arena, hlo_span_of(stem), status);
  return fit ? hlo_name_table_unique(&computation->names, &module->arena, fit, status) : NULL;
}

int hlo_computation_find(const hlo_computation *computation, hlo_span name) {
  int index = hlo_name_table_find(&computation->names, name);
  return index < computation->instruction_count ? index : -1;
}

/* Returns the place of an attribute in the op's row. */
static int place_of(hlo_opcode opcode, hlo_attribute_id id) {
  const hlo_op_info *op = hlo_op(opcode);
  for (int i = 0; i < op->attribute_count; i++)
    if (op->attributes[i].id == id) return i;
  return op->attribute_count + (int)id;
}

/* Copies attributes in the order of the op's row. */
static const hlo_attribute *copy_attributes(hlo_arena *arena, hlo_opcode opcode, const hlo_attribute *attributes, int count,
                                            hlo_status *status) {
  static const hlo_attribute none;
  if (count == 0) return &none;
  hlo_attribute *copy = hlo_arena_many(arena, hlo_attribute, count, status);
  if (!copy) return NULL;
  for (int i = 0; i < count; i++) {
    int at = i;
    for (; at > 0 && place_of(opcode, copy[at - 1].id) > place_of(opcode, attributes[i].id); at--) copy[at] = copy[at - 1];
    copy[at] = attributes[i];
  }
  return copy;
}

static const int *copy_operands(hlo_arena *arena, const int *operands, int count, int index, hlo_status *status) {
  for (int i = 0; i < count; i++) {
    if (operands[i] >= 0 && operands[i] < index) continue;
    hlo_fail(status, HLO_ARGUMENT, "operand %d is instruction %d, which does not come before instruction %d", i, operands[i],
             index);
    return NULL;
  }
  static const int none;
  return count ? hlo_arena_copy(arena, operands, (size_t)count * sizeof *operands, status) : &none;
}

/* Enters a parameter into `parameters`. */
static bool add_parameter(hlo_arena *arena, hlo_computation *c, const hlo_instruction *instruction, hlo_status *status) {
  int64_t number = hlo_instruction_int(instruction, HLO_ATTR_parameter_number, -1);
  if (number < 0) return hlo_fail(status, HLO_VERIFY, "a parameter number must be 0 or more");
  if (number >= MAX_PARAMETERS) return hlo_fail(status, HLO_LIMIT, "a computation has at most %d parameters", MAX_PARAMETERS);
  while (c->parameter_count <= number) {
    if (!hlo_list_grow(arena, &c->parameters, c->parameter_count, &c->parameter_capacity, sizeof *c->parameters, status))
      return false;
    c->parameters[c->parameter_count++] = -1;
  }
  int *place = &c->parameters[number];
  if (*place >= 0)
    return hlo_fail(status, HLO_VERIFY, "parameter %d is given twice: '%s' is the first", (int)number,
                    c->instructions[*place]->name);
  *place = instruction->index;
  return true;
}

static bool check_name(const hlo_computation *computation, const char *name, hlo_status *status) {
  if (!hlo_name_is_fit(hlo_span_of(name))) return hlo_fail(status, HLO_ARGUMENT, "'%s' cannot be the name of an instruction", name);
  if (hlo_name_table_find(&computation->names, hlo_span_of(name)) < 0) return true;
  return hlo_fail(status, HLO_ARGUMENT, "there is an instruction '%s' already", name);
}

bool hlo_computation_reserve(hlo_module *module, hlo_computation *computation, int count, hlo_status *status) {
  computation->instructions = hlo_arena_many(&module->arena, hlo_instruction *, count, status);
  computation->capacity = computation->instructions ? count : 0;
  return computation->instructions && hlo_name_table_reserve(&computation->names, &module->arena, count, status);
}

hlo_instruction *hlo_computation_add(hlo_module *module, hlo_computation *computation, hlo_opcode opcode,
                                     const char *name, const hlo_shape *shape, const int *operands, int operand_count,
                                     const hlo_attribute *attributes, int attribute_count, hlo_status *status) {
  hlo_arena *arena = &module->arena;
  if (!check_name(computation, name, status)) return NULL;
  hlo_instruction *instruction = hlo_arena_new(arena, hlo_instruction, status);
  if (!instruction) return NULL;
  instruction->opcode = opcode;
  instruction->index = computation->instruction_count;
  instruction->name = hlo_arena_text(arena, name, strlen(name), status);
  instruction->shape = shape;
  instruction->operand_count = operand_count;
  instruction->operands = copy_operands(arena, operands, operand_count, instruction->index, status);
  instruction->attribute_count = attribute_count;
  instruction->attributes = copy_attributes(arena, opcode, attributes, attribute_count, status);
  if (!instruction->name || !instruction->operands || !instruction->attributes) return NULL;
  if (opcode == HLO_OP_PARAMETER && !add_parameter(arena, computation, instruction, status)) return NULL;
  if (!hlo_list_grow(arena, &computation->instructions, computation->instruction_count, &computation->capacity,
            sizeof instruction, status) ||
      !hlo_name_table_add(&computation->names, arena, instruction->name, instruction->index, status))
    return NULL;
  computation->instructions[computation->instruction_count++] = instruction;
  return instruction;
}
