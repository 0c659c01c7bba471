/* Rules for custom_call: layouts, aliases of outputs with operands, buffers. */
#include <string.h>

#include "base/text_reader.h"
#include "shape/shape.h"
#include "stablehlo/constraints/constraints.h"
#include "stablehlo/mlir/mlir.h"

/* ---- operand_layouts, result_layouts ---- */

/* Returns whether a layout is a permutation of the tensor's dimensions; it must be empty for other types. */
static bool layout_fits(const hlo_mlir_type *type, const hlo_mlir_attribute *layout) {
  const hlo_shape *shape = hlo_check_tensor(type);
  hlo_check_list list = hlo_check_view(layout);
  bool fits = !hlo_check_is_tuple(type) && list.rank == 1 && list.count == (shape ? shape->rank : 0);
  for (int d = 0; fits && d < list.count; d++) fits = hlo_check_contains(&list, d);
  return fits;
}

/* Checks a list of layouts, one for each operand or result. For a single result that is a tuple: one for each of its elements. */
static bool check_layouts(const hlo_check *c, const char *name, bool operands) {
  const hlo_mlir_attribute *layouts = hlo_mlir_find(c->op, name);
  if (!layouts != !hlo_mlir_find(c->op, operands ? "result_layouts" : "operand_layouts"))
    return hlo_check_fail(c, "operand_layouts and result_layouts must both be given, or neither");
  int count = operands ? c->op->operand_count : c->op->result_count;
  const hlo_mlir_type *tuple = !operands && count == 1 && hlo_check_is_tuple(hlo_check_result(c, 0)) ? hlo_check_result(c, 0) : NULL;
  if (tuple) count = hlo_check_part_count(tuple);
  if (layouts && layouts->count != count) return hlo_check_fail(c, "%s must hold %d layouts, got %d", name, count, layouts->count);
  for (int i = 0; layouts && i < count; i++) {
    hlo_mlir_type type = tuple ? hlo_check_part(tuple, i) : operands ? *hlo_check_operand(c, i) : *hlo_check_result(c, i);
    if (!layout_fits(&type, layouts->elements[i]))
      return hlo_check_fail(c, "%s: number %d must be a permutation of the dimensions of %pT, got %pA", name, i, &type,
                            layouts->elements[i]);
  }
  return true;
}

/* ---- output_operand_aliases ---- */

/* Finds the type at the end of a path through tuples; false if the path leads out of them. */
static bool follow(hlo_mlir_type type, const hlo_check_list *indices, int64_t from, hlo_mlir_type *part) {
  for (int64_t i = from; i < indices->count; i++) {
    int64_t index = hlo_check_at(indices, i);
    if (!hlo_check_is_tuple(&type) || index < 0 || index >= hlo_check_part_count(&type)) return false;
    type = hlo_check_part(&type, (int)index);
  }
  *part = type;
  return true;
}

/* Finds the output that a path leads to: with several results, the first index is that of the result. */
static bool output_part(const hlo_check *c, const hlo_check_list *indices, hlo_mlir_type *part) {
  if (c->op->result_count == 1) return follow(*hlo_check_result(c, 0), indices, 0, part);
  if (!indices->count || hlo_check_at(indices, 0) < 0 || hlo_check_at(indices, 0) >= c->op->result_count) return false;
  return follow(*hlo_check_result(c, (int)hlo_check_at(indices, 0)), indices, 1, part);
}

typedef struct alias {
  const hlo_mlir_attribute *whole, *operand;
  hlo_check_list from, to;
} alias;

static alias alias_at(const hlo_mlir_attribute *aliases, int i) {
  const hlo_mlir_attribute *a = aliases->elements[i];
  return (alias){a, hlo_mlir_entry(a, "operand_index"), hlo_check_view(hlo_mlir_entry(a, "operand_tuple_indices")),
                 hlo_check_view(hlo_mlir_entry(a, "output_tuple_indices"))};
}

static bool check_alias(const hlo_check *c, const alias *a, hlo_mlir_type *part) {
  hlo_mlir_type output;
  bool known = a->operand && a->operand->integer >= 0 && a->operand->integer < c->op->operand_count;
  if (!known || !follow(*hlo_check_operand(c, (int)a->operand->integer), &a->from, 0, part))
    return hlo_check_fail(c, "operand_index and operand_tuple_indices must lead to one of %d operands or a part of it, got %pA",
                          c->op->operand_count, a->whole);
  if (!output_part(c, &a->to, &output))
    return hlo_check_fail(c, "output_tuple_indices must lead to one of %d results or a part of it, got %pA", c->op->result_count, a->whole);
  if (hlo_check_types_agree(part, &output)) return true;
  return hlo_check_fail(c, "the operand and the output of an alias must have the same type, got %pT and %pT", part, &output);
}

static bool same_list(const hlo_check_list *a, const hlo_check_list *b) {
  bool same = a->count == b->count;
  for (int64_t i = 0; same && i < a->count; i++) same = hlo_check_at(a, i) == hlo_check_at(b, i);
  return same;
}

/* Checks that no earlier alias takes or gives the same buffer. */
static bool check_buffer_once(const hlo_check *c, const hlo_mlir_attribute *aliases, int i) {
  alias a = alias_at(aliases, i);
  for (int j = 0; j < i; j++) {
    alias b = alias_at(aliases, j);
    if (same_list(&a.to, &b.to) || (b.operand && a.operand->integer == b.operand->integer && same_list(&a.from, &b.from)))
      return hlo_check_fail(c, "a buffer is in output_operand_aliases twice: %pA and %pA", a.whole, b.whole);
  }
  return true;
}

static bool is_aliased(const hlo_mlir_attribute *aliases, const int *path, int length) {
  for (int i = 0; aliases && i < aliases->count; i++) {
    hlo_check_list list = alias_at(aliases, i).to;
    bool same = list.count == length;
    for (int j = 0; same && j < length; j++) same = hlo_check_at(&list, j) == path[j];
    if (same) return true;
  }
  return false;
}

enum { DEEPEST = 16 };

/* Checks that every buffer in the outputs is an alias of an operand. */
static bool check_output_buffers(const hlo_check *c, const hlo_mlir_attribute *aliases, const hlo_mlir_type *type, int *path, int length) {
  if (hlo_check_is_buffer(type) && !is_aliased(aliases, path, length))
    return hlo_check_fail(c, "a buffer of the output, at index %d, is not in output_operand_aliases", length ? path[length - 1] : 0);
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
  if (aliases && aliases->kind != HLO_MLIR_ARRAY) return hlo_check_fail(c, "output_operand_aliases must be a list");
  for (int i = 0; aliases && i < aliases->count; i++) {
    alias a = alias_at(aliases, i);
    hlo_mlir_type part;
    if (!check_alias(c, &a, &part) || (hlo_check_is_buffer(&part) && !check_buffer_once(c, aliases, i))) return false;
  }
  for (int i = 0; i < c->op->result_count; i++) {
    path[0] = i;
    if (!check_output_buffers(c, aliases, hlo_check_result(c, i), path, c->op->result_count > 1)) return false;
  }
  return true;
}

/* ---- Targets that create and release buffers ---- */

/* Compares memref<2xf32> with tensor<2xf32>. */
static bool same_contents(const hlo_mlir_type *buffer, const hlo_mlir_type *tensor) {
  size_t skip = strlen("memref"), other = strlen("tensor");
  if (!hlo_check_is_buffer(buffer) || !hlo_check_tensor(tensor) || tensor->text.length < other) return false;
  return buffer->text.length == tensor->text.length && memcmp(buffer->text.text + skip, tensor->text.text + other, tensor->text.length - other) == 0;
}

static bool check_buffer_target(const hlo_check *c, hlo_span target, bool *special) {
  bool pin = hlo_span_is(target, "Pin"), unpin = hlo_span_is(target, "Unpin"), create = hlo_span_is(target, "CreateBuffer");
  *special = (pin || unpin || create) && !hlo_mlir_find(c->op, "output_operand_aliases");
  if (!*special) return true;
  if (c->op->operand_count != !create || c->op->result_count != 1)
    return hlo_check_fail(c, "%pN takes %d operands and gives one result, got %d and %d", &target, !create, c->op->operand_count, c->op->result_count);
  const hlo_mlir_type *result = hlo_check_result(c, 0), *operand = create ? NULL : hlo_check_operand(c, 0);
  bool fits = create ? hlo_check_is_buffer(result) : pin ? same_contents(result, operand) : same_contents(operand, result);
  return fits || hlo_check_fail(c, "%pN gives %s, got {r}", &target,
                                create ? "a buffer" : pin ? "a buffer of what it takes" : "what the buffer that it takes holds");
}

static bool check_backend_config(const hlo_check *c) {
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "backend_config"), *version = hlo_mlir_find(c->op, "api_version");
  int64_t api = version && version->kind == HLO_MLIR_INT ? version->integer : 1;
  if (api < 0 || api > 4) return hlo_check_fail(c, "api_version must be in [0, 4], got %lld", (long long)api);
  return !config || config->kind == (api == 4 ? HLO_MLIR_DICT : HLO_MLIR_STRING) ||
         hlo_check_fail(c, "backend_config must be a %s for api_version %lld, got %pA", api == 4 ? "dictionary" : "string", (long long)api, config);
}

bool hlo_check_custom_call(const hlo_check *c) {
  bool special;
  if (!check_buffer_target(c, hlo_mlir_find(c->op, "call_target_name")->text, &special)) return false;
  return check_layouts(c, "operand_layouts", true) && check_layouts(c, "result_layouts", false) && (special || check_aliases(c)) &&
         check_backend_config(c);
}
