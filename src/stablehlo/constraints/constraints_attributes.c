/* Attributes as the constraints see them: lists of integers, flags, words. */
#include <string.h>

#include "base/format.h"
#include "stablehlo/constraints/constraints.h"

/* ---- Lists ---- */

static hlo_check_list view_nested(const hlo_mlir_attribute *attribute) {
  hlo_check_list list = {attribute, attribute->count, 1, {attribute->count, 0}};
  if (!attribute->count || attribute->elements[0]->kind != HLO_MLIR_ARRAY) return list;
  list.rank = 2;
  list.dims[1] = attribute->elements[0]->count;
  for (int i = 1; i < attribute->count; i++)
    if (attribute->elements[i]->count != list.dims[1]) list.dims[1] = -1; /* ragged: no shape that any rule accepts */
  list.count = list.dims[1] < 0 ? 0 : list.dims[0] * list.dims[1];
  return list;
}

hlo_check_list hlo_check_view(const hlo_mlir_attribute *attribute) {
  hlo_check_list list = {0};
  if (!attribute) return list;
  list.attribute = attribute;
  if (attribute->kind == HLO_MLIR_ARRAY) return view_nested(attribute);
  if (attribute->kind != HLO_MLIR_DENSE || !attribute->literal) return list;
  const hlo_shape *shape = attribute->literal->shape;
  list.count = hlo_shape_element_count(shape);
  list.rank = shape->rank;
  for (int i = 0; i < shape->rank && i < 2; i++) list.dims[i] = shape->dims[i];
  return list;
}

hlo_check_list hlo_check_ints(const hlo_check *c, const char *name) { return hlo_check_view(hlo_mlir_find(c->op, name)); }

int64_t hlo_check_at(const hlo_check_list *list, int64_t i) {
  const hlo_mlir_attribute *a = list->attribute;
  if (a->kind == HLO_MLIR_DENSE) return hlo_literal_get(a->literal, i).s;
  if (list->rank == 2) return a->elements[i / list->dims[1]]->elements[i % list->dims[1]]->integer;
  return a->elements[i]->integer;
}

bool hlo_check_contains(const hlo_check_list *list, int64_t value) {
  for (int64_t i = 0; i < list->count; i++)
    if (hlo_check_at(list, i) == value) return true;
  return false;
}

void hlo_check_list_text(const hlo_check_list *list, char *buffer, size_t size) {
  size_t used = (size_t)hlo_format(buffer, size, "[");
  for (int64_t i = 0; i < list->count && used + 30 < size; i++)
    used += (size_t)hlo_format(buffer + used, size - used, "%s%lld", i ? ", " : "", (long long)hlo_check_at(list, i));
  hlo_format(buffer + used, size - used, "]");
}

/* ---- Single values ---- */

bool hlo_check_int(const hlo_check *c, const char *name, int64_t *value) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  if (!a || (a->kind != HLO_MLIR_INT && a->kind != HLO_MLIR_BOOL)) return false;
  *value = a->integer;
  return true;
}

int64_t hlo_check_int_or(const hlo_check *c, const char *name, int64_t missing) {
  int64_t value;
  return hlo_check_int(c, name, &value) ? value : missing;
}

bool hlo_check_flag(const hlo_check *c, const char *name) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  return a && (a->kind == HLO_MLIR_UNIT || ((a->kind == HLO_MLIR_BOOL || a->kind == HLO_MLIR_INT) && a->integer));
}

bool hlo_check_word(const hlo_check *c, const char *name, const char *word) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  return a && (a->kind == HLO_MLIR_ENUM || a->kind == HLO_MLIR_STRING) && hlo_span_is(a->text, word);
}

/* ---- Constraints on lists ---- */

bool hlo_check_size(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t size) {
  if (list->count == size && list->rank <= 1) return true;
  if (list->rank > 1)
    return hlo_check_fail(c, "%s: %s must be a list of %lld, got one of rank %d", label, name, (long long)size, list->rank);
  return hlo_check_fail(c, "%s: %s must have %lld element%s, got %lld", label, name, (long long)size, size == 1 ? "" : "s",
                        (long long)list->count);
}

bool hlo_check_unique(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list) {
  for (int64_t i = 0; i < list->count; i++)
    for (int64_t j = 0; j < i; j++)
      if (hlo_check_at(list, i) == hlo_check_at(list, j))
        return hlo_check_fail(c, "%s: %s must not repeat a dimension, got %pL", label, name, list);
  return true;
}

bool hlo_constraint_disjoint(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, const char *other_name,
                        const hlo_check_list *other) {
  if (!hlo_check_unique(c, label, name, list) || !hlo_check_unique(c, label, other_name, other)) return false;
  for (int64_t i = 0; i < list->count; i++)
    if (hlo_check_contains(other, hlo_check_at(list, i)))
      return hlo_check_fail(c, "%s: dimension %lld is in both %s and %s", label, (long long)hlo_check_at(list, i), name,
                            other_name);
  return true;
}

bool hlo_check_sorted(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list) {
  for (int64_t i = 1; i < list->count; i++)
    if (hlo_check_at(list, i - 1) > hlo_check_at(list, i))
      return hlo_check_fail(c, "%s: %s must be sorted, got %pL", label, name, list);
  return true;
}

bool hlo_check_range(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t end) {
  for (int64_t i = 0; i < list->count; i++)
    if (hlo_check_at(list, i) < 0 || hlo_check_at(list, i) >= end)
      return hlo_check_fail(c, "%s: %s must be in [0, %lld), got %lld", label, name, (long long)end,
                            (long long)hlo_check_at(list, i));
  return true;
}

bool hlo_check_least(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t least) {
  for (int64_t i = 0; i < list->count; i++)
    if (hlo_check_at(list, i) < least)
      return hlo_check_fail(c, "%s: %s must be at least %lld, got %lld at index %lld", label, name, (long long)least,
                            (long long)hlo_check_at(list, i), (long long)i);
  return true;
}
