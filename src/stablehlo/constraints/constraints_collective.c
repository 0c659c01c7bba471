/* Operations between processes: replica groups, channels, and the shapes that they split and gather. */
#include <string.h>

#include "stablehlo/constraints/constraints.h"

/* ---- Replica groups ---- */

static bool symbol_exists(const hlo_check *c, hlo_span name) {
  for (int i = 0; i < c->tree->body.op_count; i++) {
    const hlo_mlir_attribute *symbol = hlo_mlir_find(c->tree->body.ops[i], "sym_name");
    if (symbol && hlo_span_equal(symbol->text, name)) return true;
  }
  return false;
}

/* Groups along the axes of a mesh. */
static bool check_mesh(const hlo_check *c, const hlo_mlir_attribute *groups) {
  const hlo_mlir_attribute *mesh = hlo_mlir_entry(groups, "mesh");
  if (!mesh || mesh->kind != HLO_MLIR_SYMBOL) return true;
  return symbol_exists(c, mesh->text) || hlo_check_fail(c, "I: replica_groups: there is no mesh @%pN", &mesh->text);
}

/* Unique ids; `covering`: every id from 0 on is in some group; `padded`: -1 fills up a shorter group. `size` becomes the
 * groups' size, 0 where it is not known. */
static bool check_groups(const hlo_check *c, const char *unique, const char *range, bool covering, bool padded, int64_t *size) {
  const hlo_mlir_attribute *attribute = hlo_mlir_find(c->op, "replica_groups");
  hlo_check_list groups = hlo_check_view(attribute);
  int64_t ids = 0;
  *size = 0;
  if (attribute->kind == HLO_MLIR_DICT) return check_mesh(c, attribute);
  if (attribute->kind != HLO_MLIR_DENSE && attribute->kind != HLO_MLIR_ARRAY) return true;
  if (!groups.count && hlo_check_flag(c, "use_global_device_ids"))
    return hlo_check_fail(c, "%s: replica_groups must not be empty with use_global_device_ids", range);
  if (groups.rank != 2 && groups.count) return hlo_check_fail(c, "I: replica_groups must be of rank 2, got rank %d", groups.rank);
  for (int64_t i = 0; i < groups.count; i++) {
    int64_t id = hlo_check_at(&groups, i);
    if (id == -1 && padded) continue;
    if (id < 0) return hlo_check_fail(c, "%s: ids in replica_groups must not be negative, got %lld", range, (long long)id);
    for (int64_t j = 0; j < i; j++)
      if (hlo_check_at(&groups, j) == id) return hlo_check_fail(c, "%s: id %lld is in replica_groups twice", unique, (long long)id);
    ids++;
  }
  for (int64_t id = 0; covering && id < ids; id++)
    if (!hlo_check_contains(&groups, id))
      return hlo_check_fail(c, "%s: replica_groups must have all ids in [0, %lld), %lld is missing", range, (long long)ids,
                            (long long)id);
  if (groups.count && !hlo_check_contains(&groups, -1)) *size = groups.dims[1];
  return true;
}

static int64_t handle_part(const hlo_check *c, const char *part) {
  const hlo_mlir_attribute *value = hlo_mlir_entry(hlo_mlir_find(c->op, "channel_handle"), part);
  return value ? value->integer : 0;
}

/* use_global_device_ids needs a channel */
static bool check_channel(const hlo_check *c, const char *label) {
  int64_t channel = handle_part(c, "handle");
  if (!hlo_check_flag(c, "use_global_device_ids") || channel > 0) return true;
  return hlo_check_fail(c, "%s: use_global_device_ids needs a channel of a positive id, got %lld", label, (long long)channel);
}

static bool check_pairs(const hlo_check *c, const char *label) {
  if (c->op->operand_count && c->op->operand_count == c->op->result_count) return true;
  return hlo_check_fail(c, "%s: takes one operand at least and gives a result for each, got %d and %d", label,
                        c->op->operand_count, c->op->result_count);
}

/* ---- all_gather, all_to_all, reduce_scatter: a dimension that grows or shrinks by the groups' size ---- */

static bool check_gathered(const hlo_check *c, int i, int64_t dimension, int64_t size) {
  const hlo_shape *operand = hlo_check_operand_shape(c, i), *result = hlo_check_result_shape(c, i);
  if (dimension >= operand->rank)
    return hlo_check_fail(c, "C1: all_gather_dim must be in [0, %d), got %lld", operand->rank, (long long)dimension);
  if (!hlo_check_result_element(c, "C6", i, operand)) return false;
  if (operand->rank != result->rank)
    return hlo_check_fail(c, "C6: operand and result must have the same rank, got %d and %d", operand->rank, result->rank);
  for (int d = 0; d < operand->rank; d++)
    if (d != dimension && !hlo_check_dims_agree(operand, d, result, d))
      return hlo_check_fail(c, "C6: operand and result must agree outside all_gather_dim, got %pD and %pD", operand, result);
  int d = (int)dimension;
  if (!hlo_check_is_static(operand, d) || !hlo_check_is_static(result, d)) return true;
  if (operand->dims[d] == 0) return hlo_check_fail(c, "C6: the gathered dimension must not be 0");
  bool fits = size ? result->dims[d] / size == operand->dims[d] && result->dims[d] % size == 0 : result->dims[d] % operand->dims[d] == 0;
  return fits ||
      hlo_check_fail(c, "C6: dimension %d of the result must be %lld times %lld, got %lld", d, (long long)size,
                     (long long)operand->dims[d], (long long)result->dims[d]);
}

bool hlo_check_all_gather(const hlo_check *c) {
  int64_t size;
  if (!check_pairs(c, "C6") || !check_groups(c, "C2", "C4", true, false, &size) || !check_channel(c, "C5")) return false;
  for (int i = 0; i < c->op->operand_count; i++)
    if (!check_gathered(c, i, hlo_check_int_or(c, "all_gather_dim", 0), size)) return false;
  return true;
}

static bool check_split(const hlo_check *c, int i, int64_t split, int64_t concat, int64_t count) {
  const hlo_shape *operand = hlo_check_operand_shape(c, i);
  hlo_check_dims dims = hlo_check_dims_of(operand);
  if (split >= operand->rank)
    return hlo_check_fail(c, "C1: split_dimension must be in [0, %d), got %lld", operand->rank, (long long)split);
  if (concat >= operand->rank)
    return hlo_check_fail(c, "C3: concat_dimension must be in [0, %d), got %lld", operand->rank, (long long)concat);
  if (hlo_check_is_static(operand, (int)split) && operand->dims[split] % count)
    return hlo_check_fail(c, "C2: the split dimension must be a multiple of split_count, %lld, got %lld", (long long)count,
                          (long long)operand->dims[split]);
  if (dims.kinds[split] != HLO_DIM_UNBOUNDED) dims.sizes[split] /= count;
  if (dims.kinds[concat] != HLO_DIM_UNBOUNDED && __builtin_mul_overflow(dims.sizes[concat], count, &dims.sizes[concat]))
    return hlo_check_fail(c, "C9: the concatenated dimension is too large");
  return hlo_check_result_element(c, "C9", i, operand) && hlo_check_result_dims(c, "C9", i, &dims);
}

bool hlo_check_all_to_all(const hlo_check *c) {
  int64_t size, count = hlo_check_int_or(c, "split_count", 1);
  if (!check_pairs(c, "C9") || !check_groups(c, "C5", "C7", true, false, &size)) return false;
  if (size && size != count)
    return hlo_check_fail(c, "C8: replica_groups must have groups of split_count, %lld, got %lld", (long long)count,
                          (long long)size);
  for (int i = 0; i < c->op->operand_count; i++)
    if (!check_split(c, i, hlo_check_int_or(c, "split_dimension", 0), hlo_check_int_or(c, "concat_dimension", 0), count)) return false;
  return true;
}

static bool check_scattered(const hlo_check *c, int64_t dimension, int64_t size) {
  const hlo_shape *operand = hlo_check_operand_shape(c, 0), *result = hlo_check_result_shape(c, 0);
  if (operand->rank != result->rank)
    return hlo_check_fail(c, "C8: operand and result must have the same rank, got %d and %d", operand->rank, result->rank);
  for (int d = 0; d < operand->rank; d++)
    if (d != dimension && !hlo_check_dims_agree(operand, d, result, d))
      return hlo_check_fail(c, "C8: operand and result must agree outside scatter_dimension, got %pD and %pD", operand, result);
  int d = (int)dimension;
  if (!hlo_check_is_static(operand, d) || !hlo_check_is_static(result, d)) return true;
  if (operand->dims[d] == 0 || result->dims[d] == 0) return hlo_check_fail(c, "C8: the scattered dimension must not be 0");
  if (operand->dims[d] % result->dims[d] == 0 && (!size || operand->dims[d] / result->dims[d] == size)) return true;
  return hlo_check_fail(c, "C8: dimension %d of the operand, %lld, must be that of the result times the groups' size, got %lld",
                        d, (long long)operand->dims[d], (long long)result->dims[d]);
}

/* The reduction function over operands, of which only the elements count. */
static bool check_reduction(const hlo_check *c, const char *label, const char *element_label, int count) {
  for (int i = 0; i < count; i++) {
    const hlo_shape *operand = hlo_check_operand_shape(c, i);
    if (!hlo_constraint_reducer(c, label, 0, 1, &operand, NULL, 0) || !hlo_check_reduced_element(c, element_label, 0, 0)) return false;
  }
  return true;
}

bool hlo_check_reduce_scatter(const hlo_check *c) {
  int64_t size, dimension = hlo_check_int_or(c, "scatter_dimension", 0);
  int rank = hlo_check_operand_shape(c, 0)->rank;
  if (!check_groups(c, "C3", "C5", true, false, &size) || !check_channel(c, "C6")) return false;
  if (dimension >= rank) return hlo_check_fail(c, "C2: scatter_dimension must be in [0, %d), got %lld", rank, (long long)dimension);
  return check_reduction(c, "C7", "C9", 1) && check_scattered(c, dimension, size);
}

/* ---- Shapes that stay ---- */

static bool check_kept_dims(const hlo_check *c, const char *label, int count) {
  for (int i = 0; i < count; i++) {
    hlo_check_dims dims = hlo_check_dims_of(hlo_check_operand_shape(c, i));
    if (!hlo_check_result_dims(c, label, i, &dims)) return false;
  }
  return true;
}

bool hlo_check_all_reduce(const hlo_check *c) {
  int64_t size;
  return check_pairs(c, "C6") && check_groups(c, "C1", "C3", true, true, &size) && check_channel(c, "C4") &&
         check_reduction(c, "C5", "C7", c->op->operand_count) && check_kept_dims(c, "C6", c->op->operand_count);
}

/* With has_dynamic_root the last operand holds a root for each of the others. */
static bool check_root(const hlo_check *c, int *count) {
  bool dynamic = hlo_check_flag(c, "has_dynamic_root");
  *count = c->op->operand_count - dynamic;
  if (*count < 1)
    return hlo_check_fail(c, "%s: takes at least one operand%s, got %d operands", dynamic ? "C4" : "C3",
                          dynamic ? " and the root" : "", c->op->operand_count);
  if (dynamic) {
    const hlo_shape *root = hlo_check_operand_shape(c, *count);
    if (root->type != HLO_TYPE_S32 || root->rank != 1)
      return hlo_check_fail(c, "C4: the root must be i32 of rank 1, got %pT", hlo_check_operand(c, *count));
    if (hlo_check_is_static(root, 0) && root->dims[0] != *count)
      return hlo_check_fail(c, "C4: the root must have %d elements, one for each operand, got %lld", *count,
                            (long long)root->dims[0]);
  }
  return c->op->result_count == *count ||
      hlo_check_fail(c, "C3: gives a result for each of %d operands, got %d", *count, c->op->result_count);
}

bool hlo_check_collective_broadcast(const hlo_check *c) {
  int64_t size;
  int count;
  if (!check_root(c, &count) || !check_groups(c, "C1", "C2", false, false, &size)) return false;
  for (int i = 0; i < count; i++)
    if (!hlo_check_result_like(c, "C3", i, i)) return false;
  return true;
}

bool hlo_check_collective_reduce(const hlo_check *c) {
  int64_t size;
  int count;
  return check_root(c, &count) && check_groups(c, "C1", "C2", false, false, &size) && check_reduction(c, "C5", "C6", count) &&
      check_kept_dims(c, "C6", count);
}

bool hlo_check_collective_permute(const hlo_check *c) {
  hlo_check_list pairs = hlo_check_ints(c, "source_target_pairs");
  if (pairs.count && pairs.rank != 2)
    return hlo_check_fail(c, "I2: source_target_pairs must be of rank 2, got rank %d", pairs.rank);
  if (pairs.count && pairs.dims[1] != 2)
    return hlo_check_fail(c, "C1: source_target_pairs must have two columns, got %lld", (long long)pairs.dims[1]);
  for (int64_t i = 0; i < pairs.count; i++) {
    if (hlo_check_at(&pairs, i) < 0)
      return hlo_check_fail(c, "C4: source_target_pairs must not be negative, got %lld", (long long)hlo_check_at(&pairs, i));
    for (int64_t j = i % 2; j < i; j += 2)
      if (hlo_check_at(&pairs, j) == hlo_check_at(&pairs, i))
        return hlo_check_fail(c, "%s: a process can be a %s once only, got %lld twice", i % 2 ? "C3" : "C2",
                              i % 2 ? "target" : "source", (long long)hlo_check_at(&pairs, i));
  }
  if (!check_pairs(c, "C5")) return false;
  for (int i = 0; i < c->op->operand_count; i++)
    if (!hlo_check_result_like(c, "C5", i, i)) return false;
  return true;
}

/* ---- infeed, send, recv ---- */

/* Results are tensors, and then a token. */
static bool check_results_with_token(const hlo_check *c, const char *count_label, const char *tensor_label, const char *token_label) {
  int last = c->op->result_count - 1;
  if (last < 0) return hlo_check_fail(c, "%s: gives a token at least, got no results", count_label);
  const hlo_mlir_type *token = hlo_check_result(c, last);
  if (token->kind != HLO_MLIR_SHAPED ||
      !hlo_shape_is_token(token->shape))
        return hlo_check_fail(c, "%s: the last result must be a token, got %pT", token_label, token);
  for (int i = 0; i < last; i++)
    if (!hlo_check_result_shape(c, i) || !hlo_shape_is_static(hlo_check_result_shape(c, i)))
      return hlo_check_fail(c, "%s: result %d must be a tensor of static shape, got %pT", tensor_label, i, hlo_check_result(c, i));
  return true;
}

bool hlo_check_infeed(const hlo_check *c) {
  const hlo_mlir_attribute *layout = hlo_mlir_find(c->op, "layout");
  if (!check_results_with_token(c, "C1", "C2", "C3") || !layout) return !layout && hlo_ok(c->status);
  if (layout->kind != HLO_MLIR_ARRAY) return hlo_check_fail(c, "I3: layout must be a list of layouts");
  if (layout->count != c->op->result_count - 1)
    return hlo_check_fail(c, "I3: layout must have %d elements, one for each result but the token, got %d",
                          c->op->result_count - 1, layout->count);
  for (int i = 0; i < layout->count; i++) {
    const hlo_mlir_attribute *one = layout->elements[i];
    bool integers = one->kind == HLO_MLIR_ARRAY;
    for (int j = 0; integers && j < one->count; j++) integers = one->elements[j]->kind == HLO_MLIR_INT;
    if (!integers) return hlo_check_fail(c, "I3: layout %d must be a list of integers", i);
  }
  return true;
}

/* Channels: 1 between devices, 2 from a device to the host, 3 from the host to a device. */
static bool check_channel_type(const hlo_check *c, int64_t host_type, const char *name) {
  bool host = hlo_check_flag(c, "is_host_transfer");
  int64_t type = handle_part(c, "type"), wanted = host ? host_type : 1;
  if (type == wanted) return true;
  return hlo_check_fail(c, "C1: channel_type must be %s when is_host_transfer is %s, got %lld", host ? name : "DEVICE_TO_DEVICE",
                        host ? "true" : "false", (long long)type);
}

bool hlo_check_send(const hlo_check *c) { return check_channel_type(c, 2, "DEVICE_TO_HOST"); }
bool hlo_check_recv(const hlo_check *c) { return check_channel_type(c, 3, "HOST_TO_DEVICE") && check_results_with_token(c, "C2", "C3", "C4"); }
