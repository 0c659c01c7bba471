/* custom_call: layouts, aliases of outputs with operands, buffers. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

/* ---- operand_layouts, result_layouts ---- */

static bool check_layout(const hlo_check *c, const char *kind, int i, const hlo_mlir_type *type, const hlo_mlir_attribute *layout) {
  const hlo_shape *shape = hlo_check_tensor(type);
  hlo_check_list list = hlo_check_view(layout);
  if (hlo_check_is_tuple(type)) return hlo_check_fail(c, "I7: %s %d is a tuple, which has no layout", kind, i);
  if (!shape) return list.count == 0 ||
      hlo_check_fail(c, "I7: %s %d of type %pT is no tensor and cannot have layout %pL", kind, i, type, &list);
  bool valid = list.rank == 1 && list.count == shape->rank;
  for (int d = 0; valid && d < shape->rank; d++) valid = hlo_check_contains(&list, d);
  return valid ||
      hlo_check_fail(c, "I7: the layout of %s %d must be a permutation of [0, %d), got %pL", kind, i, shape->rank, &list);
}

static bool check_layouts(const hlo_check *c) {
  const hlo_mlir_attribute *operands = hlo_mlir_find(c->op, "operand_layouts"), *results = hlo_mlir_find(c->op, "result_layouts");
  if (!operands && !results) return true;
  if (!operands || !results) return hlo_check_fail(c, "I7: operand_layouts and result_layouts must both be given, or neither");
  const hlo_mlir_type *tuple = c->op->result_count == 1 && hlo_check_is_tuple(hlo_check_result(c, 0)) ? hlo_check_result(c, 0) : NULL;
  int count = tuple ? hlo_check_part_count(tuple) : c->op->result_count;
  if (operands->count != c->op->operand_count)
    return hlo_check_fail(c, "I7: operand_layouts must have a layout for each of %d operands, got %d", c->op->operand_count,
                          operands->count);
  if (results->count != count)
    return hlo_check_fail(c, "I7: result_layouts must have a layout for each of %d results, got %d", count, results->count);
  for (int i = 0; i < operands->count; i++)
    if (!check_layout(c, "operand", i, hlo_check_operand(c, i), operands->elements[i])) return false;
  for (int i = 0; i < count; i++) {
    hlo_mlir_type part = tuple ? hlo_check_part(tuple, i) : *hlo_check_result(c, i);
    if (!check_layout(c, "result", i, &part, results->elements[i])) return false;
  }
  return true;
}

/* ---- output_operand_aliases ---- */

typedef struct buffer_path {
  int value;
  hlo_check_list indices;
} buffer_path;

/* The type at the end of a path through tuples; false when the path leads out of them. */
static bool follow(hlo_mlir_type type, const hlo_check_list *indices, int64_t from, hlo_mlir_type *part) {
  for (int64_t i = from; i < indices->count; i++) {
    int64_t index = hlo_check_at(indices, i);
    if (!hlo_check_is_tuple(&type) || index < 0 || index >= hlo_check_part_count(&type)) return false;
    type = hlo_check_part(&type, (int)index);
  }
  *part = type;
  return true;
}

/* With several results the first index says which. */
static bool output_part(const hlo_check *c, const hlo_check_list *indices, hlo_mlir_type *part) {
  if (c->op->result_count == 1) return follow(*hlo_check_result(c, 0), indices, 0, part);
  if (!indices->count || hlo_check_at(indices, 0) < 0 || hlo_check_at(indices, 0) >= c->op->result_count) return false;
  return follow(*hlo_check_result(c, (int)hlo_check_at(indices, 0)), indices, 1, part);
}

static bool check_alias(const hlo_check *c, const hlo_mlir_attribute *alias, hlo_mlir_type *part) {
  const hlo_mlir_attribute *index = hlo_mlir_entry(alias, "operand_index");
  hlo_check_list from = hlo_check_view(hlo_mlir_entry(alias, "operand_tuple_indices")),
      to = hlo_check_view(hlo_mlir_entry(alias, "output_tuple_indices"));
  hlo_mlir_type output;
  if (!index || index->integer < 0 || index->integer >= c->op->operand_count)
    return hlo_check_fail(c, "I8: operand_index of an alias must be in [0, %d), got %lld", c->op->operand_count,
                          index ? (long long)index->integer : -1);
  if (!follow(*hlo_check_operand(c, (int)index->integer), &from, 0,
              part)) return hlo_check_fail(c, "I8: operand_tuple_indices of an alias lead nowhere: %pL", &from);
  if (!output_part(c, &to, &output)) return hlo_check_fail(c, "I8: output_tuple_indices of an alias lead nowhere: %pL", &to);
  if (hlo_check_types_agree(part, &output)) return true;
  return hlo_check_fail(c, "I8: the operand and the output of an alias must have the same type, got %pT and %pT", part, &output);
}

static bool same_list(const hlo_check_list *a, const hlo_check_list *b) {
  if (a->count != b->count) return false;
  for (int64_t i = 0; i < a->count; i++)
    if (hlo_check_at(a, i) != hlo_check_at(b, i)) return false;
  return true;
}

/* A buffer is handed over once: no other alias takes it or gives it. */
static bool check_buffer_once(const hlo_check *c, const hlo_mlir_attribute *aliases, int i) {
  const hlo_mlir_attribute *a = aliases->elements[i];
  hlo_check_list from = hlo_check_view(hlo_mlir_entry(a, "operand_tuple_indices")), to = hlo_check_view(hlo_mlir_entry(a, "output_tuple_indices"));
  for (int j = 0; j < i; j++) {
    const hlo_mlir_attribute *b = aliases->elements[j];
    hlo_check_list other_from = hlo_check_view(hlo_mlir_entry(b, "operand_tuple_indices")),
        other_to = hlo_check_view(hlo_mlir_entry(b, "output_tuple_indices"));
    const hlo_mlir_attribute *p = hlo_mlir_entry(a, "operand_index"), *q = hlo_mlir_entry(b, "operand_index");
    if (p && q && p->integer == q->integer && same_list(&from, &other_from))
      return hlo_check_fail(c, "I8: buffer %pL of operand %lld is in output_operand_aliases twice", &from, (long long)p->integer);
    if (same_list(&to, &other_to)) return hlo_check_fail(c, "I8: buffer %pL of the output is in output_operand_aliases twice", &to);
  }
  return true;
}

static bool is_aliased(const hlo_mlir_attribute *aliases, const char *name, const int *path, int length) {
  for (int i = 0; aliases && i < aliases->count; i++) {
    hlo_check_list list = hlo_check_view(hlo_mlir_entry(aliases->elements[i], name));
    bool same = list.count == length;
    for (int j = 0; same && j < length; j++) same = hlo_check_at(&list, j) == path[j];
    if (same) return true;
  }
  return false;
}

enum { DEEPEST = 16 };

/* Every buffer among the outputs is some operand's. */
static bool check_output_buffers(const hlo_check *c, const hlo_mlir_attribute *aliases, const hlo_mlir_type *type, int *path, int length) {
  if (hlo_check_is_buffer(type) && !is_aliased(aliases, "output_tuple_indices", path, length))
    return hlo_check_fail(c, "I8: a buffer of the output, at index %d, is not in output_operand_aliases",
                          length ? path[length - 1] : 0);
  if (!hlo_check_is_tuple(type) || type->kind == HLO_MLIR_SHAPED || length == DEEPEST) return true;
  for (int i = 0; i < hlo_check_part_count(type); i++) {
    hlo_mlir_type part = hlo_check_part(type, i);
    path[length] = i;
    if (!check_output_buffers(c, aliases, &part, path, length + 1)) return false;
  }
  return true;
}

static bool check_aliases(const hlo_check *c) {
  const hlo_mlir_attribute *aliases = hlo_mlir_find(c->op, "output_operand_aliases");
  int path[DEEPEST + 1];
  if (aliases && aliases->kind != HLO_MLIR_ARRAY) return hlo_check_fail(c, "I8: output_operand_aliases must be a list");
  for (int i = 0; aliases && i < aliases->count; i++) {
    hlo_mlir_type part;
    if (!check_alias(c, aliases->elements[i], &part)) return false;
    if (hlo_check_is_buffer(&part) && !check_buffer_once(c, aliases, i)) return false;
  }
  for (int i = 0; i < c->op->result_count; i++) {
    path[0] = i;
    if (!check_output_buffers(c, aliases, hlo_check_result(c, i), path, c->op->result_count > 1)) return false;
  }
  return true;
}

/* ---- Targets that make and end buffers ---- */

/* memref<2xf32> against tensor<2xf32> */
static bool same_contents(const hlo_mlir_type *buffer, const hlo_mlir_type *tensor) {
  size_t skip = strlen("memref"), other = strlen("tensor");
  if (!hlo_check_is_buffer(buffer) || !hlo_check_tensor(tensor) || tensor->text.length < other) return false;
  return buffer->text.length == tensor->text.length && memcmp(buffer->text.text + skip, tensor->text.text + other, tensor->text.length - other) == 0;
}

static bool check_buffer_target(const hlo_check *c, hlo_span target, bool *special) {
  bool pin = hlo_span_is(target, "Pin"), unpin = hlo_span_is(target, "Unpin"), create = hlo_span_is(target, "CreateBuffer");
  *special = (pin || unpin || create) && !hlo_mlir_find(c->op, "output_operand_aliases");
  if (!*special) return true;
  if (create && c->op->operand_count) return hlo_check_fail(c, "I1: CreateBuffer takes no operands, got %d", c->op->operand_count);
  if (!create && c->op->operand_count != 1)
    return hlo_check_fail(c, "I1: %pN takes one operand, got %d", &target, c->op->operand_count);
  if (c->op->result_count != 1) return hlo_check_fail(c, "O1: %pN gives one result, got %d", &target, c->op->result_count);
  const hlo_mlir_type *result = hlo_check_result(c, 0), *operand = create ? NULL : hlo_check_operand(c, 0);
  if ((pin || create) && !hlo_check_is_buffer(result)) return hlo_check_fail(c, "O1: %pN gives a buffer, got %pT", &target, result);
  if (unpin && !hlo_check_is_buffer(operand)) return hlo_check_fail(c, "I1: Unpin takes a buffer, got %pT", operand);
  if (create || (pin ? same_contents(result, operand) : same_contents(operand, result))) return true;
  return hlo_check_fail(c, "O1: %pN must keep the contents' type, got %pT and %pT", &target, operand, result);
}

static bool check_backend_config(const hlo_check *c) {
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "backend_config"), *version = hlo_mlir_find(c->op, "api_version");
  int64_t api = version && version->kind == HLO_MLIR_INT ? version->integer : 1;
  if (api < 0 || api > 4) return hlo_check_fail(c, "I4: api_version must be in [0, 4], got %lld", (long long)api);
  if (!config) return true;
  if (api == 4) return config->kind == HLO_MLIR_DICT ||
      hlo_check_fail(c, "I3: backend_config must be a dictionary for api_version 4");
  return config->kind == HLO_MLIR_STRING ||
      hlo_check_fail(c, "I3: backend_config must be a string for api_version %lld", (long long)api);
}

bool hlo_check_custom_call(const hlo_check *c) {
  bool special;
  if (!check_buffer_target(c, hlo_mlir_find(c->op, "call_target_name")->text, &special)) return false;
  return check_layouts(c) && (special || check_aliases(c)) && check_backend_config(c);
}
