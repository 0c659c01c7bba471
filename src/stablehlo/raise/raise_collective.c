/* Raises operations between replicas, and those that communicate with the host. */
#include <string.h>

#include "base/arena.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/collective_groups.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/raise/raise.h"

/* Makes a two-dimensional dense array of lists of ids; -1 pads short rows. */
const hlo_mlir_attribute *hlo_raise_groups(const hlo_raise_call *c, hlo_attribute_id id) {
  const hlo_attribute *attribute = hlo_instruction_attribute(c->instruction, id);
  int64_t dims[2] = {attribute ? attribute->groups->count : 0, 0};
  for (int64_t i = 0; i < dims[0]; i++)
    if (attribute->groups->groups[i].count > dims[1]) dims[1] = attribute->groups->groups[i].count;
  if (!dims[1]) dims[0] = 0;
  if (id == HLO_ATTR_source_target_pairs) dims[1] = 2;
  if (dims[0] && dims[1] > INT64_MAX / 16 / dims[0]) return hlo_raise_refuse(c, "too many ids"), NULL;
  int64_t *ids = hlo_arena_many(c->r->arena, int64_t, dims[0] * dims[1], c->r->status);
  for (int64_t i = 0; ids && i < dims[0] * dims[1]; i++) {
    hlo_ints row = attribute->groups->groups[i / dims[1]];
    ids[i] = i % dims[1] < row.count ? row.data[i % dims[1]] : -1;
  }
  return ids ? hlo_raise_dense(c->r, ids, dims, 2, false) : NULL;
}

const hlo_mlir_attribute *hlo_raise_channel(const hlo_raise_call *c, int64_t type) {
  static const char *const names[] = {"handle", "type"};
  int64_t channel = hlo_instruction_int(c->instruction, HLO_ATTR_channel_id, 0);
  bool needed = c->instruction->opcode == HLO_OP_SEND || c->instruction->opcode == HLO_OP_RECV;
  if (channel <= 0 && !needed) return NULL;
  const hlo_mlir_attribute *elements[2] = {hlo_raise_int(c->r, HLO_TYPE_S64, channel), hlo_raise_int(c->r, HLO_TYPE_S64, type)};
  return hlo_raise_dictionary(c->r, "stablehlo.channel_handle", names, elements, 2);
}

/* StableHLO's op takes one operand: an instruction with several becomes one op for each, which a channel does not allow. */
bool hlo_raise_each(const hlo_raise_call *c) {
  int n = c->instruction->operand_count;
  if (hlo_instruction_attribute(c->instruction, HLO_ATTR_collective_slice_sizes))
    return hlo_raise_refuse(c, "of slices in place, which StableHLO has not");
  if (n == 1) return hlo_raise_formed(c);
  if (hlo_op_has(c->instruction->opcode, HLO_FLAG_PAIR) || hlo_instruction_int(c->instruction, HLO_ATTR_channel_id, 0) > 0)
    return hlo_raise_refuse(c, "of several operands started at once, or over a channel: StableHLO has it for one");
  int *values = hlo_arena_many(c->r->arena, int, n, c->r->status);
  for (int i = 0; values && i < n; i++) {
    hlo_instruction one = *c->instruction;
    hlo_raise_call call = *c;
    call.instruction = &one;
    one.operand_count = 1;
    one.operands = c->instruction->operands + i;
    one.shape = c->instruction->shape->elements[i];
    if (!hlo_raise_formed(&call)) return false;
    values[i] = c->leaves[one.index].values[0];
  }
  return values && hlo_raise_set(c, values, n);
}

static bool finish(const hlo_raise_call *c, const hlo_raise_attributes *list) {
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_finish(c, c->name, operands, count, list, NULL, 0);
}

/* ---- all-to-all ---- */

static bool push_split(const hlo_raise_call *c, hlo_raise_attributes *list, int64_t dimension, int64_t parts) {
  int regions = 0;
  hlo_raise_push(list, "concat_dimension", hlo_raise_int(c->r, HLO_TYPE_S64, dimension));
  hlo_raise_push(list, "split_count", hlo_raise_int(c->r, HLO_TYPE_S64, parts));
  return hlo_raise_forms(c, list, NULL, &regions);
}

/* Operand i goes to member i: operands are concatenated along a new first dimension, exchanged along it, and taken apart again. */
static bool exchange_operands(const hlo_raise_call *c) {
  hlo_raising *r = c->r;
  int count, n = c->instruction->operand_count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  const hlo_shape *shape = hlo_raise_operand_shape(c, 0);
  if (shape->rank == HLO_MAX_RANK || !hlo_shape_is_static(shape)) return hlo_raise_refuse(c, "of %s", HLO_SHAPE_TEXT(shape));
  int64_t dims[HLO_MAX_RANK + 1] = {1};
  for (int i = 0; i < shape->rank; i++) dims[i + 1] = shape->dims[i];
  const hlo_shape *layer = hlo_shape_make(r->arena, shape->type, dims, shape->rank + 1, r->status);
  dims[0] = n;
  const hlo_shape *stacked = hlo_shape_make(r->arena, shape->type, dims, shape->rank + 1, r->status);
  int *values = operands && stacked ? hlo_arena_many(r->arena, int, n, r->status) : NULL;
  if (!values) return false;
  for (int i = 0; i < n; i++)
    if ((values[i] = hlo_raise_one(c, "stablehlo.reshape", &operands[i], 1, NULL, layer)) < 0) return false;
  hlo_raise_attributes list = {.count = 0}, split = {.count = 0};
  hlo_raise_push(&list, "dimension", hlo_raise_int(r, HLO_TYPE_S64, 0));
  if (!push_split(c, &split, 0, n)) return false;
  int all = hlo_raise_one(c, "stablehlo.concatenate", values, n, &list, stacked);
  if (all < 0 || (all = hlo_raise_one(c, c->name, &all, 1, &split, stacked)) < 0) return false;
  for (int i = 0; i < n; i++) {
    int64_t starts[HLO_MAX_RANK + 1] = {i};
    int part = hlo_raise_slice(c, all, stacked, starts, layer);
    if (part < 0 || (values[i] = hlo_raise_one(c, "stablehlo.reshape", &part, 1, NULL, shape)) < 0) return false;
  }
  return hlo_raise_set(c, values, n);
}

bool hlo_raise_all_to_all(const hlo_raise_call *c) {
  hlo_ints dimension = *hlo_instruction_ints(c->instruction, HLO_ATTR_dimensions);
  if (!dimension.count) return exchange_operands(c);
  hlo_raise_attributes list = {.count = 0};
  if (c->instruction->operand_count != 1) return hlo_raise_refuse(c, "of several operands along a dimension");
  return push_split(c, &list, dimension.data[0], hlo_collective_group_size(c->instruction, c->r->module->replica_count, c->r->module->num_partitions)) &&
         finish(c, &list);
}

/* XLA's own form is a custom call of that name with groups and channel in its configuration. */
bool hlo_raise_ragged_all_to_all(const hlo_raise_call *c) {
  static const char *const names[] = {"replica_groups", "channel_id"}, target[] = "ragged_all_to_all";
  int64_t channel = hlo_instruction_int(c->instruction, HLO_ATTR_channel_id, 0);
  const hlo_mlir_attribute *elements[2] = {hlo_raise_groups(c, HLO_ATTR_replica_groups), channel > 0 ? hlo_raise_int(c->r, HLO_TYPE_S64, channel) : NULL};
  hlo_raise_attributes list = {.count = 0};
  hlo_raise_push(&list, "api_version", hlo_raise_int(c->r, HLO_TYPE_S32, 4));
  hlo_raise_push(&list, "backend_config", hlo_raise_dictionary(c->r, "", names, elements, 2));
  hlo_raise_push(&list, "call_target_name", hlo_raise_text(c->r, HLO_MLIR_STRING, target, sizeof target - 1));
  return finish(c, &list);
}

/* ---- Tokens and the host ---- */

bool hlo_raise_after_all(const hlo_raise_call *c) {
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  return operands && hlo_raise_finish(c, count ? c->name : "stablehlo.create_token", operands, count, NULL, NULL, 0);
}

/* Raises infeed and outfeed. */
bool hlo_raise_feed(const hlo_raise_call *c) {
  hlo_attribute_id id = c->instruction->opcode == HLO_OP_INFEED ? HLO_ATTR_infeed_config : HLO_ATTR_outfeed_config;
  const hlo_attribute *config = hlo_instruction_attribute(c->instruction, id);
  hlo_span text = config ? config->text : (hlo_span){"", 0};
  hlo_raise_attributes list = {.count = 0};
  if (text.length > 1 && text.text[0] == '"') text = (hlo_span){text.text + 1, text.length - 2};
  hlo_raise_push(&list, hlo_attribute_name(id), hlo_raise_text(c->r, HLO_MLIR_STRING, text.text, text.length));
  return finish(c, &list);
}

/* Adds the channel, whose type is 1 between devices, 2 to the host, 3 from the host. */
static void push_transfer(const hlo_raise_call *c, hlo_raise_attributes *list, int64_t host_type) {
  bool host = hlo_instruction_bool(c->instruction, HLO_ATTR_is_host_transfer, false);
  hlo_raise_push(list, "channel_handle", hlo_raise_channel(c, host ? host_type : 1));
  hlo_raise_push(list, "is_host_transfer", hlo_raise_bool(c->r, host));
  if (!host && hlo_instruction_attribute(c->instruction, HLO_ATTR_source_target_pairs))
    hlo_raise_push(list, "source_target_pairs", hlo_raise_groups(c, HLO_ATTR_source_target_pairs));
}

/* send and send-done become one op; so do recv and recv-done, which has the data and a token as results. */
bool hlo_raise_send(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  push_transfer(c, &list, 2);
  int count;
  const int *operands = hlo_raise_operands(c, 0, &count);
  int token = operands ? hlo_raise_one(c, c->name, operands, count, &list, hlo_shape_make_token(c->r->arena, c->r->status)) : -1;
  return token >= 0 && hlo_raise_started(c, &token, 1);
}

bool hlo_raise_recv(const hlo_raise_call *c) {
  hlo_raise_attributes list = {.count = 0};
  push_transfer(c, &list, 3);
  int count, data;
  const int *operands = hlo_raise_operands(c, 0, &count);
  const hlo_shape *given = c->instruction->shape;
  const hlo_shape *const *shapes = hlo_raise_leaf_shapes(c->r, given->elements[0], &data);
  const hlo_shape **results = operands && shapes ? hlo_arena_many(c->r->arena, const hlo_shape *, data + 1, c->r->status) : NULL;
  int *values = results ? hlo_arena_many(c->r->arena, int, data + 1, c->r->status) : NULL;
  if (!values) return false;
  for (int i = 0; i < data; i++) results[i] = shapes[i];
  results[data] = hlo_shape_make_token(c->r->arena, c->r->status);
  int first = hlo_raise_emit(c, c->name, operands, count, &list, NULL, 0, results, data + 1);
  for (int i = 0; i <= data; i++) values[i] = first + i;
  return first >= 0 && hlo_raise_started(c, values, data + 1);
}
