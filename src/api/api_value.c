/* Values outside any program: literals read and printed, and the infeed and outfeed queues. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/text_writer.h"
#include "proto/hlo_proto.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/shape.h"

hlo_literal *hlo_api_leaf(hlo_literal *literal, int index) {
  while (hlo_shape_is_tuple(literal->shape)) {
    int i = 0;
    for (; i < literal->shape->element_count; i++) {
      int leaves = hlo_shape_leaf_count(literal->shape->elements[i]);
      if (index < leaves) break;
      index -= leaves;
    }
    literal = literal->elements[i];
  }
  return literal;
}

static hlo_value *value_object(hlo_runtime *runtime) {
  hlo_value *value = hlo_api_object(runtime, sizeof *value);
  if (!value) return NULL;
  value->runtime = runtime;
  hlo_arena_init(&value->arena);
  runtime->live_values++;
  return value;
}

HLO_API(void, hlo_api_value_free)(hlo_value *value) {
  value->runtime->live_values--;
  hlo_arena_free(&value->arena);
  free(value);
}

/* Returns the value, or NULL if making it failed. */
static hlo_value *made(hlo_value *value) {
  if (value->literal && hlo_ok(&value->runtime->status)) return value;
  hlo_api_value_free(value);
  return NULL;
}

HLO_API(hlo_value *, hlo_api_value_new)(hlo_runtime *runtime, const hlo_api_shape *shape, const void *const *leaves,
                                        const int64_t *const *sizes) {
  hlo_api_begin(runtime);
  hlo_value *value = value_object(runtime);
  if (!value) return NULL;
  const hlo_shape *copy = hlo_shape_copy(&value->arena, shape->shape, &runtime->status);
  value->literal = copy ? hlo_literal_make(&value->arena, copy, &runtime->status) : NULL;
  int count = value->literal ? hlo_shape_leaf_count(copy) : 0;
  for (int i = 0; i < count; i++) {
    hlo_literal *leaf = hlo_api_leaf(value->literal, i);
    if (!hlo_shape_is_array(leaf->shape)) continue;
    if (!hlo_layout_gather(leaf->shape, leaves[i], leaf->data, &runtime->status)) break;
    if (leaf->dynamic_sizes && sizes && sizes[i])
      memcpy(leaf->dynamic_sizes, sizes[i], (size_t)leaf->shape->rank * sizeof *leaf->dynamic_sizes);
  }
  return made(value);
}

hlo_value *hlo_api_value_copy(hlo_runtime *runtime, const hlo_literal *literal) {
  hlo_value *value = value_object(runtime);
  if (!value) return NULL;
  value->literal = hlo_literal_copy(&value->arena, literal, &runtime->status);
  return made(value);
}

HLO_API(hlo_value *, hlo_api_value_parse)(hlo_runtime *runtime, const char *text, size_t length) {
  hlo_api_begin(runtime);
  hlo_value *value = value_object(runtime);
  if (!value) return NULL;
  value->literal = hlo_literal_parse(&value->arena, text, length, &runtime->status);
  return made(value);
}

static hlo_literal *tuple_of(hlo_arena *arena, hlo_literal **elements, int count, hlo_status *status) {
  hlo_literal *tuple = hlo_arena_new(arena, hlo_literal, status);
  const hlo_shape **shapes = hlo_arena_many(arena, const hlo_shape *, count, status);
  for (int i = 0; shapes && i < count; i++) shapes[i] = elements[i]->shape;
  if (!tuple || !shapes) return NULL;
  tuple->elements = elements;
  return (tuple->shape = hlo_shape_make_tuple(arena, shapes, count, status)) ? tuple : NULL;
}

HLO_API(hlo_value *, hlo_api_value_snapshot)(hlo_runtime *runtime, const uint8_t *bytes, size_t length) {
  hlo_api_begin(runtime);
  hlo_value *value = value_object(runtime);
  if (!value) return NULL;
  hlo_arena *arena = &value->arena;
  hlo_status *status = &runtime->status;
  hlo_snapshot snapshot;
  hlo_literal **parts = hlo_arena_many(arena, hlo_literal *, 3, status);
  if (parts && hlo_proto_read_snapshot(bytes, length, arena, &snapshot, status)) {
    parts[2] = snapshot.result;
    parts[0] = tuple_of(arena, snapshot.arguments, snapshot.argument_count, status);
    parts[1] = tuple_of(arena, parts + 2, snapshot.result != NULL, status);
    if (hlo_ok(status)) value->literal = tuple_of(arena, parts, 2, status);
  }
  return made(value);
}

HLO_API(bool, hlo_api_value_shape)(hlo_value *value) {
  hlo_api_begin(value->runtime);
  hlo_api_write_shape(&value->runtime->text, value->literal->shape);
  return hlo_ok(&value->runtime->status);
}

HLO_API(bool, hlo_api_value_text)(hlo_value *value) {
  hlo_api_begin(value->runtime);
  hlo_literal_write_with_shape(&value->runtime->text, value->literal);
  return hlo_ok(&value->runtime->status);
}

HLO_API(bool, hlo_api_value_read)(hlo_value *value, void *const *leaves, int64_t *const *sizes) {
  hlo_api_begin(value->runtime);
  int count = hlo_shape_leaf_count(value->literal->shape);
  for (int i = 0; i < count; i++) {
    const hlo_literal *leaf = hlo_api_leaf(value->literal, i);
    if (!hlo_shape_is_array(leaf->shape)) continue;
    if (!hlo_layout_scatter(leaf->shape, leaf->data, leaves[i], &value->runtime->status)) return false;
    for (int d = 0; sizes && sizes[i] && d < leaf->shape->rank; d++) sizes[i][d] = hlo_literal_size(leaf, d);
  }
  return true;
}

/* ---- Queues ---- */

static void append(hlo_value **first, hlo_value **last, hlo_value *value) {
  value->next = NULL;
  if (*first) (*last)->next = value;
  else *first = value;
  *last = value;
}

static hlo_value *take(hlo_value **first, hlo_value **last) {
  hlo_value *value = *first;
  if (!value) return NULL;
  *first = value->next;
  if (!*first) *last = NULL;
  return value;
}

HLO_API(void, hlo_api_infeed_push)(hlo_value *value) {
  hlo_api_begin(value->runtime);
  append(&value->runtime->infeed, &value->runtime->infeed_last, value);
}

HLO_API(hlo_value *, hlo_api_outfeed_take)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  return take(&runtime->outfeed, &runtime->outfeed_last);
}

HLO_API(int, hlo_api_queue_length)(const hlo_runtime *runtime, bool outfeed) {
  int length = 0;
  for (const hlo_value *value = outfeed ? runtime->outfeed : runtime->infeed; value; value = value->next) length++;
  return length;
}

HLO_API(void, hlo_api_queue_clear)(hlo_runtime *runtime, bool outfeed) {
  hlo_value *value;
  while ((value = outfeed ? take(&runtime->outfeed, &runtime->outfeed_last) : take(&runtime->infeed, &runtime->infeed_last)))
    hlo_api_value_free(value);
}

bool hlo_api_infeed(hlo_runtime *runtime, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status) {
  *empty = false;
  if (hlo_shape_is_tuple(shape) && shape->element_count == 0) return true; /* an infeed of an empty tuple reads nothing */
  hlo_value *next = runtime->infeed;
  *empty = next == NULL;
  if (!next) return true;
  if (!hlo_shape_equal(next->literal->shape, shape)) {
    hlo_writer text;
    hlo_writer_init(&text, status);
    hlo_shape_write(&text, shape, true);
    hlo_write(&text, " but the oldest value in the queue is ");
    hlo_shape_write(&text, next->literal->shape, true);
    hlo_fail(status, HLO_INPUT, "infeed: the program reads %s", text.text ? text.text : "");
    hlo_writer_free(&text);
    return false;
  }
  hlo_literal_assign(value, next->literal);
  hlo_api_value_free(take(&runtime->infeed, &runtime->infeed_last));
  return true;
}

bool hlo_api_outfeed(hlo_runtime *runtime, const hlo_literal *value, hlo_status *status) {
  hlo_value *copy = calloc(1, sizeof *copy);
  if (!copy) return hlo_fail(status, HLO_OUT_OF_MEMORY, "outfeed: out of memory");
  copy->runtime = runtime;
  hlo_arena_init(&copy->arena);
  runtime->live_values++;
  /* The shape is copied: it belongs to the module, which may be freed before the value. */
  const hlo_shape *shape = hlo_shape_copy(&copy->arena, value->shape, status);
  copy->literal = shape ? hlo_literal_make(&copy->arena, shape, status) : NULL;
  if (!copy->literal) {
    hlo_api_value_free(copy);
    return false;
  }
  hlo_literal_assign(copy->literal, value);
  append(&runtime->outfeed, &runtime->outfeed_last, copy);
  return true;
}
