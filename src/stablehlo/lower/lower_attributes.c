/* Reads MLIR attributes as values of HLO attributes. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "graph/attribute.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

hlo_attribute hlo_lower_int(hlo_attribute_id id, int64_t value) { return (hlo_attribute){.id = id, .integer = value}; }
hlo_attribute hlo_lower_bool(hlo_attribute_id id, bool value) { return (hlo_attribute){.id = id, .boolean = value}; }
hlo_attribute hlo_lower_enum(hlo_attribute_id id, int value) { return (hlo_attribute){.id = id, .enumerant = value}; }
hlo_attribute hlo_lower_ints(hlo_attribute_id id, hlo_ints value) { return (hlo_attribute){.id = id, .ints = value}; }
hlo_attribute hlo_lower_computation(hlo_attribute_id id, int computation) { return (hlo_attribute){.id = id, .computation = computation}; }

void hlo_lower_push(hlo_lower_attributes *list, hlo_attribute attribute) { list->items[list->count++] = attribute; }

static bool one_int(const hlo_mlir_attribute *attribute, int64_t *value) {
  if (attribute->kind != HLO_MLIR_INT && attribute->kind != HLO_MLIR_BOOL) return false;
  *value = attribute->integer;
  return true;
}

static int64_t count_ints(const hlo_mlir_attribute *attribute) {
  int64_t count = 0;
  for (int i = 0; attribute->kind == HLO_MLIR_ARRAY && i < attribute->count; i++) count += count_ints(attribute->elements[i]);
  return attribute->kind == HLO_MLIR_ARRAY ? count : 1;
}

/* Writes the integers of a list, or of nested lists ([[1, 1], [0, 2]] in pretty convolutions), one after another. */
static bool put_ints(const hlo_mlir_attribute *attribute, int64_t **next) {
  if (attribute->kind != HLO_MLIR_ARRAY) return one_int(attribute, (*next)++);
  for (int i = 0; i < attribute->count; i++)
    if (!put_ints(attribute->elements[i], next)) return false;
  return true;
}

bool hlo_lower_literal_ints(const hlo_lower_call *c, const hlo_literal *literal, const char *name, hlo_ints *values) {
  hlo_type type = literal->shape->type;
  if (type != HLO_TYPE_PRED && !hlo_type_is_integral(type))
    return hlo_lower_fail(c, HLO_SHAPE, "%s must be a list of integers", name);
  int64_t count = hlo_shape_element_count(literal->shape), *data = hlo_arena_many(c->l->arena, int64_t, count, c->l->status);
  for (int64_t i = 0; data && i < count; i++) data[i] = hlo_literal_get(literal, i).s;
  *values = (hlo_ints){data, (int)count};
  return data != NULL;
}

bool hlo_lower_read_ints(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name, hlo_ints *values) {
  if (attribute->kind == HLO_MLIR_DENSE) return hlo_lower_literal_ints(c, attribute->literal, name, values);
  int64_t count = attribute->kind == HLO_MLIR_ARRAY ? count_ints(attribute) : 0;
  int64_t *data = hlo_arena_many(c->l->arena, int64_t, count, c->l->status), *next = data;
  if (!data) return false;
  *values = (hlo_ints){data, (int)count};
  return (attribute->kind == HLO_MLIR_ARRAY && put_ints(attribute, &next)) ||
         hlo_lower_fail(c, HLO_SHAPE, "%s must be a list of integers", name);
}

/* Returns the operand that stands for an attribute of this name; -1 if none does. */
static int known_operand(const hlo_lower_call *c, const char *name) {
  for (int i = 0; c->known && c->known[i]; i++)
    if (strcmp(c->known[i], name) == 0) return c->first_known + i;
  return -1;
}

bool hlo_lower_list(const hlo_lower_call *c, const char *name, int count, int64_t missing, hlo_ints *values) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  int operand = known_operand(c, name);
  if (operand >= 0 || attribute) {
    if (operand >= 0 ? !hlo_lower_known_ints(c, operand, name, values) : !hlo_lower_read_ints(c, attribute, name, values))
      return false;
    return count < 0 || values->count == count ||
           hlo_lower_fail(c, HLO_SHAPE, "%s must have %d values for all dimensions, got %d", name, count, values->count);
  }
  if (count < 0) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  int64_t *data = hlo_arena_many(c->l->arena, int64_t, count, c->l->status);
  for (int i = 0; data && i < count; i++) data[i] = missing;
  *values = (hlo_ints){data, count};
  return data != NULL;
}

bool hlo_lower_required_int(const hlo_lower_call *c, const char *name, int64_t *value) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  hlo_ints values;
  int operand = known_operand(c, name);
  if (operand >= 0) {
    if (!hlo_lower_known_ints(c, operand, name, &values)) return false;
    if (values.count != 1) return hlo_lower_fail(c, HLO_SHAPE, "%s must be one number, got %d", name, values.count);
    *value = values.data[0];
    return true;
  }
  if (!attribute) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  return one_int(attribute, value) || hlo_lower_fail(c, HLO_SHAPE, "%s must be an integer", name);
}

bool hlo_lower_flag(const hlo_lower_call *c, const char *name, bool missing) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  return !attribute ? missing : attribute->kind == HLO_MLIR_UNIT || attribute->integer != 0;
}
