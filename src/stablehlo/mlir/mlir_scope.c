/* Values, their names in scope, and the operands that refer to them. */
#include <stdlib.h>

#include "base/list.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

int hlo_mlir_new_value(hlo_mlir_reader *r, const hlo_mlir_type *type, hlo_span name) {
  hlo_mlir *tree = r->tree;
  if (!hlo_list_grow_allocated(&tree->values, tree->value_count, &r->value_capacity, sizeof *tree->values, r->status)) return -1;
  tree->values[tree->value_count] = (hlo_mlir_value){type, name};
  return tree->value_count++;
}

static unsigned hash_name(hlo_span name) {
  unsigned hash = 2166136261u;
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
  return hash;
}

static const hlo_mlir_binding *find_binding(const hlo_mlir_reader *r, hlo_span name) {
  unsigned hash = hash_name(name);
  for (int i = r->buckets[hash % HLO_MLIR_BUCKETS]; i >= r->scope_floor; i = r->bindings[i].next)
    if (r->bindings[i].hash == hash && hlo_span_equal(r->bindings[i].name, name))
      return &r->bindings[i];
  return NULL;
}

bool hlo_mlir_bind(hlo_mlir_reader *r, hlo_span name, int first, int count) {
  if (find_binding(r, name))
    return hlo_reader_fail_at(&r->text, name.text, HLO_PARSE, "'%%%.*s' is defined twice", (int)name.length, name.text);
  if (!hlo_list_grow_allocated(&r->bindings, r->binding_count, &r->binding_capacity, sizeof *r->bindings, r->status)) return false;
  unsigned hash = hash_name(name);
  int *bucket = &r->buckets[hash % HLO_MLIR_BUCKETS];
  r->bindings[r->binding_count] = (hlo_mlir_binding){name, first, count, *bucket, hash};
  *bucket = r->binding_count++;
  return true;
}

void hlo_mlir_leave_scope(hlo_mlir_reader *r, int mark) {
  while (r->binding_count > mark) {
    const hlo_mlir_binding *b = &r->bindings[--r->binding_count];
    r->buckets[b->hash % HLO_MLIR_BUCKETS] = b->next;
  }
}

/* Fails, with the one defined name that is near. Numbers are not corrected: each is as near as any other. */
static bool undefined(hlo_mlir_reader *r, const char *where, hlo_span name) {
  hlo_nearest_name nearest = {.name = name};
  bool is_word = name.length && (name.text[0] < '0' || name.text[0] > '9');
  for (int i = r->scope_floor; is_word && i < r->binding_count; i++) hlo_nearest_name_offer(&nearest, r->bindings[i].name);
  return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "'%%%.*s' is not defined before this use%s", (int)name.length, name.text,
                            nearest.tied ? "" : HLO_DID_YOU_MEAN(&nearest, "%"));
}

bool hlo_mlir_read_operand(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  const char *where = (hlo_reader_peek(&r->text), r->text.cursor);
  if (!hlo_reader_expect(&r->text, "%")) return false;
  hlo_span name = hlo_mlir_read_suffix(r);
  const hlo_mlir_binding *b = find_binding(r, name);
  int64_t part = 0;
  if (!b) return undefined(r, where, name);
  if (r->text.cursor < r->text.end && *r->text.cursor == '#') {
    r->text.cursor++;
    if (!hlo_reader_int(&r->text, &part)) return false;
  }
  if (part < 0 || part >= b->count)
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "'%%%.*s' has %d values, there is no number %lld", (int)name.length, name.text, b->count, (long long)part);
  int value = b->first + (int)part;
  return hlo_list_push(&p->operands, &value, r->status);
}

bool hlo_mlir_read_operands(hlo_mlir_reader *r, hlo_mlir_pending *p) {
  if (hlo_reader_peek(&r->text) != '%') return true;
  for (;;) {
    if (!hlo_mlir_read_operand(r, p)) return false;
    const char *after = r->text.cursor;
    if (!hlo_reader_accept(&r->text, ",")) return true;
    if (hlo_reader_peek(&r->text) == '%') continue;
    r->text.cursor = after; /* the comma belongs to a keyword: %a, %b, dim = 0 */
    return true;
  }
}

bool hlo_mlir_take_types(hlo_mlir_reader *r, hlo_mlir_pending *p, const hlo_mlir_type *function) {
  if (!function) return false;
  if (function->input_count != p->operands.count)
    return hlo_reader_fail_at(&r->text, p->where, HLO_PARSE, "%.*s has %d operands, but %d operand types", (int)p->op.name.length,
                              p->op.name.text, p->operands.count, function->input_count);
  for (int i = 0; i < function->input_count; i++) {
    hlo_span written = function->inputs[i]->text;
    const hlo_mlir_value *value = &r->tree->values[((int *)p->operands.items)[i]];
    const hlo_mlir_type *a = function->inputs[i], *b = value->type;
    bool same = a->kind == b->kind && (a->kind != HLO_MLIR_SHAPED || hlo_shape_compatible(a->shape, b->shape));
    if (!same)
      return hlo_reader_fail_at(&r->text, p->where, HLO_SHAPE, "%.*s uses '%%%.*s' as %.*s, but its type is %.*s", (int)p->op.name.length,
                                p->op.name.text, (int)value->name.length, value->name.text, (int)written.length, written.text,
                                (int)b->text.length, b->text.text);
  }
  for (int i = 0; i < function->result_count; i++)
    if (!hlo_list_push(&p->result_types, &function->results[i], r->status)) return false;
  return true;
}
