/* Lowers operations between replicas, and those that communicate with the host. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

enum { MOST_REPLICAS = 4096 }; /* that any grid has */

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

/* Makes a scalar that is true on the first member of each group, where groups may hold partitions as well: on the device whose numbers
 * its group's first member has. */
static int is_first_member(const hlo_lower_call *c, const hlo_groups *groups, int64_t channel) {
  static const hlo_opcode numbers[] = {HLO_OP_REPLICA_ID, HLO_OP_PARTITION_ID};
  bool flattened = hlo_lower_flag(c, "use_global_device_ids", false);
  /* Reductions combine members in the order of their group, so that this one finds what the first member has. */
  int first = hlo_lower_function_of_two(c, "first", HLO_OP_PARAMETER, HLO_TYPE_U32), both[2];
  if (first < 0) return -1;
  hlo_attribute equal = hlo_lower_enum(HLO_ATTR_direction, HLO_direction_EQ);
  for (int i = 0; i < 2; i++) {
    hlo_attribute attributes[4] = {{.id = HLO_ATTR_channel_id, .integer = channel}, {.id = HLO_ATTR_replica_groups, .groups = groups},
                                   {.id = HLO_ATTR_to_apply, .computation = first}, hlo_lower_bool(HLO_ATTR_use_global_device_ids, true)};
    int own = hlo_lower_emit(c, numbers[i], NULL, NULL, 0, NULL, 0);
    int pair[2] = {own, own < 0 ? -1 : hlo_lower_emit(c, HLO_OP_ALL_REDUCE, NULL, &own, 1, attributes, flattened ? 4 : 3)};
    both[i] = pair[1] < 0 ? -1 : hlo_lower_emit(c, HLO_OP_COMPARE, NULL, pair, 2, &equal, 1);
    if (both[i] < 0) return -1;
  }
  return hlo_lower_emit(c, HLO_OP_AND, NULL, both, 2, NULL, 0);
}

/* ---- A root that is an operand: for each of the others, a place in the group ---- */

static int as_scalar(const hlo_lower_call *c, int operand, hlo_opcode opcode) {
  const hlo_shape *scalar = hlo_shape_make_scalar(c->l->arena, HLO_TYPE_S32, c->l->status);
  return operand < 0 || !scalar ? -1 : hlo_lower_emit(c, opcode, scalar, &operand, 1, NULL, 0);
}

static int root_of(const hlo_lower_call *c, int64_t i) {
  int roots = hlo_lower_operand(c, c->op->operand_count - 1);
  int64_t one = 1;
  return roots < 0 ? -1 : as_scalar(c, hlo_lower_slice(c, roots, 1, &i, &one), HLO_OP_RESHAPE);
}

/* Makes the place of this replica in its group, from a table of the places of all replicas; it is the replica's number where all are one
 * group. */
static int place_in_group(const hlo_lower_call *c, const hlo_groups *groups) {
  int replica = hlo_lower_emit(c, HLO_OP_REPLICA_ID, NULL, NULL, 0, NULL, 0);
  int64_t size = 0, one = 1;
  for (int g = 0; g < groups->count; g++)
    for (int k = 0; k < groups->groups[g].count; k++)
      if (groups->groups[g].data[k] >= size) size = groups->groups[g].data[k] + 1;
  if (size > MOST_REPLICAS) return hlo_lower_fail(c, HLO_SHAPE, "replica_groups holds the id %lld", (long long)size - 1), -1;
  if (size == 0) return as_scalar(c, replica, HLO_OP_CONVERT);
  const hlo_shape *shape = hlo_shape_make(c->l->arena, HLO_TYPE_S32, &size, 1, c->l->status);
  hlo_literal *places = shape ? hlo_literal_make(c->l->arena, shape, c->l->status) : NULL;
  if (!places) return -1;
  for (int64_t id = 0; id < size; id++) hlo_literal_set_int(places, id, -1);
  for (int g = 0; g < groups->count; g++)
    for (int k = 0; k < groups->groups[g].count; k++) hlo_literal_set_int(places, groups->groups[g].data[k], k);
  int64_t *sizes = hlo_arena_copy(c->l->arena, &one, sizeof one, c->l->status);
  hlo_attribute table = {.id = HLO_ATTR_literal, .literal = places}, slice = hlo_lower_ints(HLO_ATTR_dynamic_slice_sizes, (hlo_ints){sizes, 1});
  int operands[2] = {hlo_lower_emit(c, HLO_OP_CONSTANT, shape, NULL, 0, &table, 1), replica};
  if (!sizes || operands[0] < 0 || replica < 0) return -1;
  return as_scalar(c, hlo_lower_emit(c, HLO_OP_DYNAMIC_SLICE, NULL, operands, 2, &slice, 1), HLO_OP_RESHAPE);
}

static int is_given_root(const hlo_lower_call *c, int place, int64_t i) {
  int pair[2] = {place, root_of(c, i)};
  hlo_attribute equal = hlo_lower_enum(HLO_ATTR_direction, HLO_direction_EQ);
  return pair[0] < 0 || pair[1] < 0 ? -1 : hlo_lower_emit(c, HLO_OP_COMPARE, NULL, pair, 2, &equal, 1);
}

/* ---- collective_reduce, collective_broadcast ---- */

/* Replaces result i by zeros where `root` is false. */
static bool keep_at_root(const hlo_lower_call *c, int i, int root) {
  int *value = &c->l->instruction_of[c->op->first_result + i];
  const hlo_shape *shape = hlo_lower_shape_of(c, *value);
  int zero = root < 0 ? -1 : hlo_lower_scalar(c, shape->type, hlo_scalar_zero(shape->type));
  int operands[3] = {root, *value, zero < 0 ? -1 : hlo_lower_stretch(c, zero, NULL, shape)};
  return operands[2] >= 0 && (*value = hlo_lower_emit(c, HLO_OP_SELECT, NULL, operands, 3, NULL, 0)) >= 0;
}

static int64_t channel_of(const hlo_lower_call *c) {
  const hlo_mlir_attribute *handle = hlo_mlir_find(c->op, "channel_handle");
  const hlo_mlir_attribute *channel = handle ? hlo_mlir_entry(handle, "handle") : hlo_mlir_find(c->op, "channel_id");
  return channel ? channel->integer : 0;
}

static bool check_dynamic_root(const hlo_lower_call *c) {
  return channel_of(c) <= 0 || hlo_lower_fail(c, HLO_UNSUPPORTED, "a root that is an operand, for groups across a channel");
}

/* The root of a group is its first member, or the one whose place the last operand gives, and the others get zeros. */
bool hlo_lower_collective_reduce(const hlo_lower_call *c) {
  hlo_mlir_op op = *c->op;
  hlo_lower_call inner = *c;
  bool dynamic = hlo_lower_flag(c, "has_dynamic_root", false);
  if (dynamic && op.operand_count > 1) op.operand_count--;
  inner.op = &op;
  const hlo_mlir_attribute *given = hlo_mlir_find(c->op, "replica_groups");
  if ((dynamic && !check_dynamic_root(c)) || !hlo_lower_formed(&inner)) return false;
  const hlo_groups *groups = given ? hlo_lower_groups(c, given, "replica_groups") : NULL;
  if (!groups) return !given;
  int64_t channel = channel_of(c);
  int root = dynamic ? place_in_group(c, groups) : channel > 0 ? is_first_member(c, groups, channel) : is_root(c, groups);
  for (int i = 0; root >= 0 && i < c->op->result_count; i++)
    if (!keep_at_root(c, i, dynamic ? is_given_root(c, root, i) : root)) return false;
  return root >= 0;
}

/* Returns the groups with member k of each in front. */
static const hlo_groups *with_first(const hlo_lower_call *c, const hlo_groups *groups, int k) {
  hlo_groups *changed = hlo_arena_new(c->l->arena, hlo_groups, c->l->status);
  hlo_ints *rows = hlo_arena_many(c->l->arena, hlo_ints, groups->count, c->l->status);
  if (!changed || !rows) return NULL;
  for (int g = 0; g < groups->count; g++) {
    const hlo_ints *ids = &groups->groups[g];
    int64_t *row = hlo_arena_copy(c->l->arena, ids->data, (size_t)ids->count * sizeof *row, c->l->status);
    if (!row) return NULL;
    row[0] = ids->data[k], row[k] = ids->data[0];
    rows[g] = (hlo_ints){row, ids->count};
  }
  *changed = (hlo_groups){.count = groups->count, .groups = rows};
  return changed;
}

/* Makes what the member at a place of the group has: of what each member in turn gives to all, that of this one. */
static int value_of_member(const hlo_lower_call *c, int operand, int place, const hlo_groups *groups) {
  int members = groups->count ? groups->groups[0].count : 0, value = -1;
  hlo_attribute equal = hlo_lower_enum(HLO_ATTR_direction, HLO_direction_EQ);
  if (members == 0) return hlo_lower_fail(c, HLO_UNSUPPORTED, "a root that is an operand, where replica_groups names no members"), -1;
  for (int k = 0; k < members; k++) {
    hlo_attribute turn = {.id = HLO_ATTR_replica_groups, .groups = with_first(c, groups, k)};
    int given = turn.groups ? hlo_lower_emit(c, HLO_OP_COLLECTIVE_BROADCAST, NULL, &operand, 1, &turn, 1) : -1;
    int pair[2] = {place, given < 0 ? -1 : hlo_lower_scalar(c, HLO_TYPE_S32, (hlo_scalar){.s = k})};
    int chosen[3] = {pair[1] < 0 ? -1 : hlo_lower_emit(c, HLO_OP_COMPARE, NULL, pair, 2, &equal, 1), given, value};
    if (chosen[0] < 0) return -1;
    value = k == 0 ? given : hlo_lower_emit(c, HLO_OP_SELECT, NULL, chosen, 3, NULL, 0);
    if (value < 0) return -1;
  }
  return value;
}

bool hlo_lower_collective_broadcast(const hlo_lower_call *c) {
  if (!hlo_lower_flag(c, "has_dynamic_root", false)) return hlo_lower_formed(c);
  const hlo_mlir_attribute *given = hlo_mlir_find(c->op, "replica_groups");
  const hlo_groups *groups = check_dynamic_root(c) && given ? hlo_lower_groups(c, given, "replica_groups") : NULL;
  for (int i = 0; groups && i < c->op->result_count; i++) {
    int operand = hlo_lower_operand(c, i), place = operand < 0 ? -1 : root_of(c, i);
    int value = place < 0 ? -1 : value_of_member(c, operand, place, groups);
    if (value < 0) return false;
    c->l->instruction_of[c->op->first_result + i] = value;
  }
  return groups != NULL;
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
    if (!hlo_lower_is_known(c, shape)) return false;
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
  return hlo_lower_tuple_shape(c, count);
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

/* Returns the token of an infeed that comes after the computation's infeeds before it. StableHLO runs in the order of the program, HLO
 * wants infeeds in a total order: one whose token is older than the last infeed, or is nobody's, waits for that one's token as well. */
static int ordered_token(const hlo_lower_call *c, int token) {
  int last = c->computation->instruction_count - 1;
  while (last >= 0 && c->computation->instructions[last]->opcode != HLO_OP_INFEED) last--;
  if (token < 0 || last < 0) return token;
  const hlo_instruction *given = c->computation->instructions[token];
  if (token > last && !(given->opcode == HLO_OP_AFTER_ALL && given->operand_count == 0)) return token;
  int both[2] = {token, hlo_lower_element(c, last, 1)};
  return both[1] < 0 ? -1 : hlo_lower_emit(c, HLO_OP_AFTER_ALL, NULL, both, 2, NULL, 0);
}

bool hlo_lower_infeed(const hlo_lower_call *c) {
  int token = ordered_token(c, hlo_lower_operand(c, 0));
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
