/* MLIR attributes as values of HLO attributes. */
#include <string.h>

#include "stablehlo/lower/lower.h"

hlo_attribute hlo_lower_int(hlo_attribute_id id, int64_t value) { return (hlo_attribute){.id = id, .integer = value}; }
hlo_attribute hlo_lower_bool(hlo_attribute_id id, bool value) { return (hlo_attribute){.id = id, .boolean = value}; }
hlo_attribute hlo_lower_enum(hlo_attribute_id id, int value) { return (hlo_attribute){.id = id, .enumerant = value}; }
hlo_attribute hlo_lower_ints(hlo_attribute_id id, hlo_ints value) { return (hlo_attribute){.id = id, .ints = value}; }
hlo_attribute hlo_lower_computation(hlo_attribute_id id, int computation) { return (hlo_attribute){.id = id, .computation = computation}; }

void hlo_lower_push(hlo_lower_attributes *list, hlo_attribute attribute) { list->items[list->count++] = attribute; }
void hlo_lower_push_int(hlo_lower_attributes *list, hlo_attribute_id id, int64_t value) { hlo_lower_push(list, hlo_lower_int(id, value)); }
void hlo_lower_push_bool(hlo_lower_attributes *list, hlo_attribute_id id, bool value) { hlo_lower_push(list, hlo_lower_bool(id, value)); }
void hlo_lower_push_enum(hlo_lower_attributes *list, hlo_attribute_id id, int value) { hlo_lower_push(list, hlo_lower_enum(id, value)); }
void hlo_lower_push_ints(hlo_lower_attributes *list, hlo_attribute_id id, hlo_ints value) { hlo_lower_push(list, hlo_lower_ints(id, value)); }
void hlo_lower_push_computation(hlo_lower_attributes *list, hlo_attribute_id id, int computation) {
  hlo_lower_push(list, hlo_lower_computation(id, computation));
}

static bool one_int(const hlo_mlir_attribute *attribute, int64_t *value) {
  if (attribute->kind != HLO_MLIR_INT && attribute->kind != HLO_MLIR_BOOL) return false;
  *value = attribute->integer;
  return true;
}

bool hlo_lower_read_ints(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name, hlo_ints *values) {
  bool dense = attribute->kind == HLO_MLIR_DENSE, list = attribute->kind == HLO_MLIR_ARRAY;
  hlo_type type = dense ? attribute->literal->shape->type : HLO_TYPE_S64;
  if ((!dense && !list) || (dense && type != HLO_TYPE_PRED && !hlo_type_is_integral(type)))
    return hlo_lower_fail(c, HLO_SHAPE, "%s must be a list of integers", name);
  int64_t count = dense ? hlo_shape_element_count(attribute->literal->shape) : attribute->count;
  int64_t *data = hlo_arena_many(c->l->arena, int64_t, count, c->l->status);
  if (!data) return false;
  for (int64_t i = 0; i < count; i++) {
    if (dense) data[i] = hlo_literal_get(attribute->literal, i).s;
    else if (!one_int(attribute->elements[i], &data[i])) return hlo_lower_fail(c, HLO_SHAPE, "%s must be a list of integers", name);
  }
  *values = (hlo_ints){data, (int)count};
  return true;
}

bool hlo_lower_list(const hlo_lower_call *c, const char *name, int count, int64_t missing, hlo_ints *values) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  if (attribute) {
    if (!hlo_lower_read_ints(c, attribute, name, values)) return false;
    return count < 0 || values->count == count ||
           hlo_lower_fail(c, HLO_SHAPE, "%s must have %d values, one for each dimension, got %d", name, count, values->count);
  }
  if (count < 0) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  int64_t *data = hlo_arena_many(c->l->arena, int64_t, count, c->l->status);
  for (int i = 0; data && i < count; i++) data[i] = missing;
  *values = (hlo_ints){data, count};
  return data != NULL;
}

bool hlo_lower_required_int(const hlo_lower_call *c, const char *name, int64_t *value) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  if (!attribute) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name);
  return one_int(attribute, value) || hlo_lower_fail(c, HLO_SHAPE, "%s must be an integer", name);
}

bool hlo_lower_flag(const hlo_lower_call *c, const char *name, bool missing) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  return !attribute ? missing : attribute->kind == HLO_MLIR_UNIT || attribute->integer != 0;
}

int hlo_lower_word(const hlo_lower_call *c, const char *name, const char *const *names) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  if (!attribute || (attribute->kind != HLO_MLIR_ENUM && attribute->kind != HLO_MLIR_STRING))
    return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", name), -1;
  for (int i = 0; names[i]; i++)
    if (hlo_span_is(attribute->text, names[i])) return i;
  hlo_lower_fail(c, HLO_SHAPE, "%pN is no value of %s", &attribute->text, name);
  return -1;
}

bool hlo_lower_padding(const hlo_lower_call *c, const char *name, int rank, int64_t *low, int64_t *high) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, name);
  for (int i = 0; i < rank; i++) low[i] = high[i] = 0;
  if (!attribute) return true;
  if (attribute->kind == HLO_MLIR_ARRAY) { /* [[1, 1], [0, 2]] of pretty convolutions */
    if (attribute->count != rank)
      return hlo_lower_fail(c, HLO_SHAPE, "%s must have a pair for each of %d dimensions, got %d", name, rank, attribute->count);
    for (int i = 0; i < rank; i++) {
      hlo_ints pair;
      if (!hlo_lower_read_ints(c, attribute->elements[i], name, &pair)) return false;
      if (pair.count != 2) return hlo_lower_fail(c, HLO_SHAPE, "%s must hold pairs", name);
      low[i] = pair.data[0];
      high[i] = pair.data[1];
    }
    return true;
  }
  hlo_ints values;
  if (!hlo_lower_read_ints(c, attribute, name, &values)) return false;
  if (values.count != 2 * rank)
    return hlo_lower_fail(c, HLO_SHAPE, "%s must have a pair for each of %d dimensions, got %d values", name, rank, values.count);
  for (int i = 0; i < rank; i++) low[i] = values.data[2 * i], high[i] = values.data[2 * i + 1];
  return true;
}
