/* Reads attributes as lists of integers and as flags. */
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"

static hlo_check_list view_nested(const hlo_mlir_attribute *attribute) {
  hlo_check_list list = {attribute, attribute->count, 1, {attribute->count, 0}};
  if (!attribute->count || attribute->elements[0]->kind != HLO_MLIR_ARRAY) return list;
  list.rank = 2;
  list.dims[1] = attribute->elements[0]->count;
  for (int i = 1; i < attribute->count; i++)
    if (attribute->elements[i]->count != list.dims[1]) list.dims[1] = -1; /* ragged: no rule accepts this shape */
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

bool hlo_check_flag(const hlo_check *c, const char *name) {
  const hlo_mlir_attribute *a = hlo_mlir_find(c->op, name);
  return a && (a->kind == HLO_MLIR_UNIT || ((a->kind == HLO_MLIR_BOOL || a->kind == HLO_MLIR_INT) && a->integer));
}
