/* Lowers operations between replicas, and those that communicate with the host. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

/* Reads a two-dimensional dense array of ids as lists; -1 pads short rows. */
const hlo_groups *hlo_lower_groups(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name) {
  if (hlo_span_is(attribute->text, "stablehlo.replica_group_mesh_axes"))
    return hlo_lower_fail(c, HLO_UNSUPPORTED, "%s by the axes of a mesh are not supported: give them as a dense array of ids",
                          name), NULL;
  if (attribute->kind != HLO_MLIR_DENSE || attribute->literal->shape->rank != 2)
    return hlo_lower_fail(c, HLO_SHAPE, "%s must be a dense array of two dimensions", name), NULL;
  const int64_t *dims = attribute->literal->shape->dims;
  hlo_groups *groups = hlo_arena_new(c->l->arena, hlo_groups, c->l->status);
  hlo_ints *rows = hlo_arena_many(c->l->arena, hlo_ints, dims[0], c->l->status);
  if (!groups || !rows) return NULL;
  for (int64_t i = 0; i < dims[0]; i++) {
    int64_t *ids = hlo_arena_many(c->l->arena, int64_t, dims[1], c->l->status);
    if (!ids) return NULL;
    for (int64_t k = 0; k < dims[1]; k++) {
      int64_t id = hlo_literal_get(attribute->literal, i * dims[1] + k).s;
      if (id >= 0) ids[rows[i].count++] = id;
      else if (id < -1 || c->opcode != HLO_OP_ALL_REDUCE) return hlo_lower_fail(c, HLO_SHAPE, "%s holds the id %lld", name, (long long)id), NULL;
    }
    rows[i].data = ids;
  }
  *groups = (hlo_groups){.count = (int)dims[0], .groups = rows};
  return groups;
}

/* Makes a scalar that is true on the first replica of each group; on replica 0 where no groups are given. */
static int is_root(const hlo_lower_call *c, const hlo_groups *groups) {
  int replica = hlo_lower_emit(c, HLO_OP_REPLICA_ID, NULL, NULL, 0, NULL, 0), any = -1;
  hlo_attribute direction = hlo_lower_enum(HLO_ATTR_direction, HLO_direction_EQ);
  for (int i = 0; i < groups->count || (i == 0 && groups->count == 0); i++) {
    uint64_t root = groups->count && groups->groups[i].count ? (uint64_t)groups->groups[i].data[0] : 0;
    int pair[2] = {replica, hlo_lower_scalar(c, HLO_TYPE_U32, (hlo_scalar){.u = root})};
    int here = replica < 0 || pair[1] < 0 ? -1 : hlo_lower_emit(c, HLO_OP_COMPARE, NULL, pair, 2, &direction, 1);
    int both[2] = {any, here};
    any = here < 0 || any < 0 ? here : hlo_lower_emit(c, HLO_OP_OR, NULL, both, 2, NULL, 0);
    if (any < 0) return -1;
  }
  return any;
}

/* Replaces the results by zeros on all replicas but the roots. */
static bool keep_at_roots(const hlo_lower_call *c, const hlo_groups *groups) {
  int root = groups ? is_root(c, groups) : -1;
  for (int i = 0; root >= 0 && i < c->op->result_count; i++) {
    int *value = &c->l->instruction_of[c->op->first_result + i];
    const hlo_shape *shape = hlo_lower_shape_of(c, *value);
    int zero = hlo_lower_scalar(c, shape->type, hlo_scalar_zero(shape->type));
    int operands[3] = {root, *value, zero < 0 ? -1 : hlo_lower_stretch(c, zero, NULL, shape)};
    if (operands[2] < 0 || (*value = hlo_lower_emit(c, HLO_OP_SELECT, NULL, operands, 3, NULL, 0)) < 0) return false;
  }
  return root >= 0;
}

/* The root of a group of replicas is its first member, and the others get zeros. Where the groups are of replicas and partitions, or the
 * last operand gives the root, every member gets the sum. */
bool hlo_lower_collective_reduce(const hlo_lower_call *c) {
  hlo_mlir_op op = *c->op;
  hlo_lower_call inner = *c;
  bool dynamic = hlo_lower_flag(c, "has_dynamic_root", false);
  if (dynamic && op.operand_count > 1) op.operand_count--;
  inner.op = &op;
  if (!hlo_lower_formed(&inner)) return false;
  const hlo_mlir_attribute *handle = hlo_mlir_find(c->op, "channel_handle"), *groups = hlo_mlir_find(c->op, "replica_groups");
  const hlo_mlir_attribute *channel = handle ? hlo_mlir_entry(handle, "handle") : hlo_mlir_find(c->op, "channel_id");
  if (dynamic || !groups || (channel && channel->integer > 0)) return true;
  return keep_at_roots(&inner, hlo_lower_groups(c, groups, "replica_groups"));
}

bool hlo_lower_collective_broadcast(const hlo_lower_call *c) {
  if (hlo_lower_flag(c, "has_dynamic_root", false)) return hlo_lower_fail(c, HLO_UNSUPPORTED, "a root that is an operand");
  return hlo_lower_formed(c);
}

/* XLA's form is a custom call with groups and channel in its configuration. */
bool hlo_lower_ragged_all_to_all(const hlo_lower_call *c) {
  const hlo_mlir_attribute *config = hlo_mlir_find(c->op, "backend_config");
  hlo_mlir_named *named = hlo_arena_many(c->l->arena, hlo_mlir_named, config->count, c->l->status);
  hlo_mlir_op op = *c->op;
  hlo_lower_call inner = *c;
  if (!named) return false;
  for (int i = 0; i < config->count; i++) named[i] = (hlo_mlir_named){config->names[i], config->elements[i]};
  op.attributes = named;
  op.attribute_count = config->count;
  inner.op = &op;
  inner.opcode = HLO_OP_RAGGED_ALL_TO_ALL;
  return hlo_lower_formed(&inner);
}

/* Checks that there are groups, and their size: each member gives one part to each other. */
static bool check_members(const hlo_lower_call *c, const hlo_lower_attributes *list, int64_t parts) {
  for (int i = 0; i < list->count; i++)
    if (list->items[i].id == HLO_ATTR_replica_groups && list->items[i].groups->count == 0)
      return hlo_lower_fail(c, HLO_SHAPE, "replica_groups must hold groups of %lld members, got none", (long long)parts);
  for (int i = 0; i < list->count; i++)
    for (int k = 0; list->items[i].id == HLO_ATTR_replica_groups && k < list->items[i].groups->count; k++)
      if (list->items[i].groups->groups[k].count != parts)
        return hlo_lower_fail(c, HLO_SHAPE, "split_count must be the size of a group, %lld, got %lld",
                              (long long)list->items[i].groups->groups[k].count, (long long)parts);
  return true;
}

/* StableHLO's all_to_all splits one dimension and concatenates along another; HLO's does both along one. So
 *   [.., s*d, .., j, ..] -> split s off, all-to-all along it, move it before j, merge. */
bool hlo_lower_all_to_all(const hlo_lower_call *c) {
  int64_t split, join, parts;
  if (!hlo_lower_required_int(c, "split_dimension", &split) || !hlo_lower_required_int(c, "concat_dimension", &join) ||
      !hlo_lower_required_int(c, "split_count", &parts))
    return false;
  for (int n = 0; n < c->op->operand_count; n++) {
    hlo_lower_attributes list = {.count = 0};
    int operand = hlo_lower_operand(c, n);
    if (operand < 0 || !hlo_lower_read_forms(c, &list) || !check_members(c, &list, parts)) return false;
    const hlo_shape *shape = c->computation->instructions[operand]->shape, *result;
    if (split < 0 || split >= shape->rank || join < 0 || join >= shape->rank || parts < 1 || shape->dims[split] % parts)
      return hlo_lower_fail(c, HLO_SHAPE, "split_dimension %lld, concat_dimension %lld and split_count %lld do not fit %pS",
                            (long long)split, (long long)join, (long long)parts, shape);
    int64_t dims[HLO_MAX_RANK + 1], order[HLO_MAX_RANK + 1];
    int rank = shape->rank + 1;
    if (rank > HLO_MAX_RANK) return hlo_lower_fail(c, HLO_LIMIT, "more than %d dimensions", HLO_MAX_RANK - 1);
    for (int i = 0, k = 0; k < shape->rank; k++) {
      if (k == split) dims[i++] = parts, dims[i++] = shape->dims[k] / parts;
      else dims[i++] = shape->dims[k];
    }
    const hlo_shape *ranged = hlo_shape_make(c->l->arena, shape->type, dims, rank, c->l->status);
    int value = ranged ? hlo_lower_emit(c, HLO_OP_RESHAPE, ranged, &operand, 1, NULL, 0) : -1;
    if (value < 0 || (value = hlo_lower_emit(c, HLO_OP_ALL_TO_ALL, ranged, &value, 1, list.items, list.count)) < 0) return false;
    int next = 0;
    for (int k = 0; k < shape->rank; k++) {
      if (k == join) order[next++] = split;
      order[next++] = k < split ? k : k + 1;
    }
    memcpy(dims, shape->dims, (size_t)shape->rank * sizeof *dims);
    dims[split] /= parts;
    dims[join] *= parts;
    const hlo_shape *joined = hlo_shape_make(c->l->arena, shape->type, dims, shape->rank, c->l->status);
    if (!joined || !hlo_lower_settle_result(c, n, joined, &result) || (value = hlo_lower_permute(c, value, order)) < 0 ||
        (value = hlo_lower_emit(c, HLO_OP_RESHAPE, result, &value, 1, NULL, 0)) < 0)
      return false;
    c->l->instruction_of[c->op->first_result + n] = value;
  }
  return true;
}

/* ---- Tokens and the host ---- */

/* Returns the tuple of all results' shapes but the last, which is the token. */
static const hlo_shape *data_tuple(const hlo_lower_call *c) {
  int count = c->op->result_count - 1;
  if (count < 0 || !hlo_shape_is_token(hlo_mlir_result_type(c->l->tree, c->op, count)->shape))
    return hlo_lower_fail(c, HLO_SHAPE, "its last result must be a token"), NULL;
  const hlo_shape **shapes = hlo_arena_many(c->l->arena, const hlo_shape *, count, c->l->status);
  for (int i = 0; shapes && i < count; i++)
    if (!(shapes[i] = hlo_lower_result_shape(c, i))) return NULL;
  return shapes ? hlo_shape_make_tuple(c->l->arena, shapes, count, c->l->status) : NULL;
}

/* HLO gives (data, token), StableHLO the elements of data and then the token. */
static bool spread(const hlo_lower_call *c, int pair) {
  int data = pair < 0 ? -1 : hlo_lower_element(c, pair, 0), last = c->op->result_count - 1;
  for (int i = 0; data >= 0 && i < last; i++)
    if ((c->l->instruction_of[c->op->first_result + i] = hlo_lower_element(c, data, i)) < 0) return false;
  return data >= 0 && (c->l->instruction_of[c->op->first_result + last] = hlo_lower_element(c, pair, 1)) >= 0;
}

static const hlo_shape *pair_shape(const hlo_lower_call *c, const hlo_shape *data, bool context) {
  const hlo_shape *u32 = context ? hlo_shape_make_scalar(c->l->arena, HLO_TYPE_U32, c->l->status) : NULL;
  const hlo_shape *parts[3] = {data, context ? u32 : hlo_shape_make_token(c->l->arena, c->l->status), context ? hlo_shape_make_token(c->l->arena, c->l->status) : NULL};
  return data ? hlo_shape_make_tuple(c->l->arena, parts, context ? 3 : 2, c->l->status) : NULL;
}

bool hlo_lower_infeed(const hlo_lower_call *c) {
  int token = hlo_lower_operand(c, 0);
  const hlo_shape *shape = token < 0 ? NULL : pair_shape(c, data_tuple(c), false);
  return shape && spread(c, hlo_lower_emit(c, HLO_OP_INFEED, shape, &token, 1, NULL, 0));
}

static int sent_data(const hlo_lower_call *c, int *operands) {
  int count = c->op->operand_count - 1;
  const int *all = count < 0 ? NULL : hlo_lower_operands(c, 0, count + 1);
  if (!all) return -1;
  operands[1] = all[count];
  return operands[0] = count == 1 ? all[0] : hlo_lower_tuple(c, all, count);
}

bool hlo_lower_outfeed(const hlo_lower_call *c) {
  int operands[2];
  if (sent_data(c, operands) < 0) return false;
  hlo_attribute attribute = {.id = HLO_ATTR_outfeed_shape, .shape = c->computation->instructions[operands[0]]->shape};
  return hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_OUTFEED, NULL, operands, 2, &attribute, 1));
}

/* A transfer to the host uses its channel like one between devices. */
bool hlo_lower_send(const hlo_lower_call *c) {
  hlo_lower_attributes list = {.count = 0};
  int operands[2];
  if (sent_data(c, operands) < 0 || !hlo_lower_read_forms(c, &list)) return false;
  int send = hlo_lower_emit(c, HLO_OP_SEND, NULL, operands, 2, list.items, list.count);
  return send >= 0 && hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_SEND_DONE, NULL, &send, 1, list.items, 1));
}

bool hlo_lower_recv(const hlo_lower_call *c) {
  hlo_lower_attributes list = {.count = 0};
  int token = hlo_lower_operand(c, 0);
  const hlo_shape *data = token < 0 || !hlo_lower_read_forms(c, &list) ? NULL : data_tuple(c);
  bool one = data && data->element_count == 1;
  const hlo_shape *shape = data ? pair_shape(c, one ? data->elements[0] : data, true) : NULL;
  int recv = shape ? hlo_lower_emit(c, HLO_OP_RECV, shape, &token, 1, list.items, list.count) : -1;
  int done = recv < 0 ? -1 : hlo_lower_emit(c, HLO_OP_RECV_DONE, NULL, &recv, 1, list.items, 1);
  return done >= 0 && (one ? hlo_lower_result_elements(c, done, 0) : spread(c, done));
}
