/* dot, dot_general and ragged_dot: dimensions that are batched, contracted, ragged. */
#include "stablehlo/constraints/constraints.h"

typedef struct dot_numbers {
  hlo_check_list lhs_batching, rhs_batching, lhs_contracting, rhs_contracting;
} dot_numbers;

static dot_numbers read_numbers(const hlo_mlir_attribute *dict) {
  return (dot_numbers){hlo_check_view(hlo_mlir_entry(dict, "lhs_batching_dimensions")),
      hlo_check_view(hlo_mlir_entry(dict, "rhs_batching_dimensions")),
                       hlo_check_view(hlo_mlir_entry(dict, "lhs_contracting_dimensions")),
                           hlo_check_view(hlo_mlir_entry(dict, "rhs_contracting_dimensions"))};
}

static bool check_pairs(const hlo_check *c, const char *label, const char *what, const hlo_check_list *lhs, const hlo_check_list *rhs) {
  const hlo_shape *a = hlo_check_operand_shape(c, 0), *b = hlo_check_operand_shape(c, 1);
  for (int64_t i = 0; i < lhs->count; i++) {
    int p = (int)hlo_check_at(lhs, i), q = (int)hlo_check_at(rhs, i);
    if (!hlo_check_dims_agree(a, p, b, q))
      return hlo_check_fail(c,
          "%s: %s dimensions must have the same size, got %lld (dimension %d of lhs) and %lld (dimension %d of rhs)", label, what,
          (long long)a->dims[p], p, (long long)b->dims[q], q);
  }
  return true;
}

/* dot_general_c1 to dot_general_c10 */
static bool check_numbers(const hlo_check *c, const dot_numbers *n) {
  int lhs = hlo_check_operand_shape(c, 0)->rank, rhs = hlo_check_operand_shape(c, 1)->rank;
  if (n->lhs_batching.count != n->rhs_batching.count)
    return hlo_check_fail(c, "C1: lhs and rhs must have as many batching dimensions, got %lld and %lld",
                          (long long)n->lhs_batching.count, (long long)n->rhs_batching.count);
  if (n->lhs_contracting.count != n->rhs_contracting.count)
    return hlo_check_fail(c, "C2: lhs and rhs must have as many contracting dimensions, got %lld and %lld",
                          (long long)n->lhs_contracting.count, (long long)n->rhs_contracting.count);
  return hlo_constraint_disjoint(c, "C3", "lhs_batching_dimensions", &n->lhs_batching, "lhs_contracting_dimensions", &n->lhs_contracting) &&
         hlo_constraint_disjoint(c, "C4", "rhs_batching_dimensions", &n->rhs_batching, "rhs_contracting_dimensions", &n->rhs_contracting) &&
         hlo_check_range(c, "C5", "lhs_batching_dimensions", &n->lhs_batching, lhs) &&
         hlo_check_range(c, "C6", "lhs_contracting_dimensions", &n->lhs_contracting, lhs) &&
         hlo_check_range(c, "C7", "rhs_batching_dimensions", &n->rhs_batching, rhs) &&
         hlo_check_range(c, "C8", "rhs_contracting_dimensions", &n->rhs_contracting, rhs) &&
         check_pairs(c, "C9", "batching", &n->lhs_batching, &n->rhs_batching) &&
         check_pairs(c, "C10", "contracting", &n->lhs_contracting, &n->rhs_contracting);
}

static void push_free(hlo_check_dims *dims, const hlo_shape *shape, const hlo_check_list *batching, const hlo_check_list *contracting,
                      const hlo_check_list *group) {
  for (int i = 0; i < shape->rank; i++)
    if (!hlo_check_contains(batching, i) && !hlo_check_contains(contracting, i) && !(group && hlo_check_contains(group, i)))
      hlo_check_push_dim(dims, shape, i);
}

static bool check_precision_count(const hlo_check *c) {
  const hlo_mlir_attribute *precision = hlo_mlir_find(c->op, "precision_config");
  for (int i = 0; precision && hlo_mlir_find(c->op, "algorithm") && i < precision->count; i++)
    if (!hlo_span_is(precision->elements[i]->text, "DEFAULT"))
      return hlo_check_fail(c, "C21: precision_config must be DEFAULT where an algorithm is given");
  if (!precision || precision->count <= 2) return true;
  return hlo_check_fail(c, "C11: precision_config must be empty or have a precision for each operand, got %d", precision->count);
}

/* dot_general_c14 to dot_general_c20 */
static bool check_quantized_dot(const hlo_check *c, const hlo_check_list *rhs_contracting) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1), *result = hlo_check_result_shape(c, 0);
  const hlo_quantization *p = lhs->quantization, *q = rhs->quantization, *r = result->quantization;
  if (p && !q) return hlo_check_fail(c, "C14: rhs must be quantized as lhs is");
  if (!q) return !r || hlo_check_fail(c, "C14: the result cannot be quantized when no operand is");
  for (int64_t i = 0; i < q->count; i++)
    if (q->zero_points[i] != 0)
      return hlo_check_fail(c, "C15: zero points of rhs must be 0, got %lld", (long long)q->zero_points[i]);
  if (q->dimension >= 0 && hlo_check_contains(rhs_contracting, q->dimension))
    return hlo_check_fail(c, "C16: rhs must not be quantized along a contracting dimension, %d", q->dimension);
  if (!p) {
    if (!r && lhs->type == q->expressed_type && result->type == q->expressed_type) return true;
    return hlo_check_fail(c,
        "C20: lhs, the expressed type of rhs and the result must have the same element type, got %pS, %s and {r}", lhs,
        hlo_type_name(q->expressed_type));
  }
  if (!r) return hlo_check_fail(c, "C14: the result must be quantized as the operands are");
  if (p->storage_type != q->storage_type)
    return hlo_check_fail(c, "C17: lhs and rhs must have the same storage type, got %s and %s", hlo_type_name(p->storage_type),
                          hlo_type_name(q->storage_type));
  if (p->expressed_type != q->expressed_type || p->expressed_type != r->expressed_type)
    return hlo_check_fail(c, "C18: lhs, rhs and result must have the same expressed type, got %s, %s and %s",
                          hlo_type_name(p->expressed_type), hlo_type_name(q->expressed_type), hlo_type_name(r->expressed_type));
  if (q->dimension < 0 && r->dimension >= 0) return hlo_check_fail(c, "C19: the result must be quantized per tensor as rhs is");
  return true;
}

bool hlo_check_dot_general(const hlo_check *c) {
  const hlo_mlir_attribute *dict = hlo_mlir_find(c->op, "dot_dimension_numbers");
  if (dict->kind != HLO_MLIR_DICT) return hlo_check_fail(c, "I3: dot_dimension_numbers must be #stablehlo.dot<...>");
  dot_numbers n = read_numbers(dict);
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  hlo_check_dims dims = {.rank = 0};
  if (!check_numbers(c, &n) || !check_precision_count(c)) return false;
  for (int64_t i = 0; i < n.lhs_batching.count; i++) hlo_check_push_dim(&dims, lhs, (int)hlo_check_at(&n.lhs_batching, i));
  push_free(&dims, lhs, &n.lhs_batching, &n.lhs_contracting, NULL);
  push_free(&dims, rhs, &n.rhs_batching, &n.rhs_contracting, NULL);
  return hlo_check_result_dims(c, "C12", 0, &dims) && check_quantized_dot(c, &n.rhs_contracting);
}

/* Vectors and matrices: the last dimension of lhs against the first of rhs. */
bool hlo_check_dot(const hlo_check *c) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  hlo_check_dims dims = {.rank = 0};
  if (lhs->rank < 1 || lhs->rank > 2 || rhs->rank < 1 || rhs->rank > 2)
    return hlo_check_fail(c, "C1: lhs and rhs must be vectors or matrices, got {0} and {1}");
  if (!hlo_check_dims_agree(lhs, lhs->rank - 1, rhs, 0))
    return hlo_check_fail(c, "C2: the contracted dimensions must have the same size, got %lld and %lld",
                          (long long)lhs->dims[lhs->rank - 1], (long long)rhs->dims[0]);
  if (lhs->rank == 2) hlo_check_push_dim(&dims, lhs, 0);
  if (rhs->rank == 2) hlo_check_push_dim(&dims, rhs, 1);
  return check_precision_count(c) && hlo_check_result_dims(c, "C3", 0, &dims);
}

/* ---- chlo.ragged_dot ---- */

static bool check_ragged_numbers(const hlo_check *c, const dot_numbers *n, const hlo_check_list *ragged, const hlo_check_list *groups) {
  int lhs = hlo_check_operand_shape(c, 0)->rank, rhs = hlo_check_operand_shape(c, 1)->rank;
  if (!check_numbers(c, n)) return false;
  if (ragged->count != 1)
    return hlo_check_fail(c, "C11: there must be one ragged dimension of lhs, got %lld", (long long)ragged->count);
  if (!hlo_check_range(c, "C12", "lhs_ragged_dimensions", ragged, lhs) || !hlo_check_range(c, "C13", "rhs_group_dimensions", groups, rhs) ||
      !hlo_constraint_disjoint(c, "C14", "rhs_group_dimensions", groups, "rhs_batching_dimensions", &n->rhs_batching) ||
      !hlo_constraint_disjoint(c, "C15", "rhs_group_dimensions", groups, "rhs_contracting_dimensions", &n->rhs_contracting))
    return false;
  int64_t dimension = hlo_check_at(ragged, 0);
  bool free_dimension = !hlo_check_contains(&n->lhs_batching, dimension) && !hlo_check_contains(&n->lhs_contracting, dimension);
  if (groups->count != free_dimension)
    return hlo_check_fail(c, "C16: there must be %s of rhs when the ragged dimension is %s, got %lld",
                          free_dimension ? "one group dimension" : "no group dimension",
                          free_dimension ? "neither batching nor contracting" : "batching or contracting",
                          (long long)groups->count);
  return true;
}

/* group_sizes has the dimensions of lhs that come before the ragged one and do not vanish, then one of the groups. */
static bool check_group_sizes(const hlo_check *c, const dot_numbers *n, int ragged, int64_t *groups) {
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *sizes = hlo_check_operand_shape(c, 2);
  bool batch = hlo_check_contains(&n->lhs_batching, ragged), contracting = hlo_check_contains(&n->lhs_contracting, ragged);
  hlo_check_dims prefix = {.rank = 0};
  for (int64_t i = 0; i < n->lhs_batching.count && !(batch && hlo_check_at(&n->lhs_batching, i) == ragged); i++)
    hlo_check_push_dim(&prefix, lhs, (int)hlo_check_at(&n->lhs_batching, i));
  for (int64_t i = 0; contracting && i < n->lhs_contracting.count && hlo_check_at(&n->lhs_contracting, i) != ragged; i++)
    hlo_check_push_dim(&prefix, lhs, (int)hlo_check_at(&n->lhs_contracting, i));
  for (int i = 0; !batch && !contracting && i < ragged; i++)
    if (!hlo_check_contains(&n->lhs_batching, i) && !hlo_check_contains(&n->lhs_contracting, i)) hlo_check_push_dim(&prefix, lhs, i);
  *groups = sizes->rank ? sizes->dims[sizes->rank - 1] : 0;
  if (sizes->rank == 1) return true; /* the same groups everywhere */
  if (sizes->rank != prefix.rank + 1)
    return hlo_check_fail(c, "C17: group_sizes must have rank %s%d, got %d", prefix.rank ? "1 or " : "", prefix.rank + 1,
                          sizes->rank);
  hlo_shape wanted = {.type = HLO_TYPE_S64, .rank = prefix.rank, .dims = prefix.sizes, .dim_kinds = prefix.kinds};
  for (int i = 0; i < prefix.rank; i++)
    if (!hlo_check_dims_agree(&wanted, i, sizes, i))
      return hlo_check_fail(c, "C17: group_sizes must have dimensions %pD and then the groups, got %pD", &wanted, sizes);
  return true;
}

bool hlo_check_ragged_dot(const hlo_check *c) {
  const hlo_mlir_attribute *dict = hlo_mlir_find(c->op, "ragged_dot_dimension_numbers");
  if (dict->kind != HLO_MLIR_DICT) return hlo_check_fail(c, "I4: ragged_dot_dimension_numbers must be #chlo.ragged_dot<...>");
  dot_numbers n = read_numbers(dict);
  hlo_check_list ragged = hlo_check_view(hlo_mlir_entry(dict, "lhs_ragged_dimensions")),
      group = hlo_check_view(hlo_mlir_entry(dict, "rhs_group_dimensions"));
  const hlo_shape *lhs = hlo_check_operand_shape(c, 0), *rhs = hlo_check_operand_shape(c, 1);
  hlo_check_dims dims = {.rank = 0};
  int64_t groups;
  if (!check_ragged_numbers(c, &n, &ragged, &group) || !check_precision_count(c)) return false;
  int dimension = (int)hlo_check_at(&ragged, 0);
  if (!check_group_sizes(c, &n, dimension, &groups)) return false;
  if (group.count && hlo_check_is_static(rhs, (int)hlo_check_at(&group, 0)) && groups != HLO_UNKNOWN_SIZE &&
      rhs->dims[hlo_check_at(&group, 0)] != groups)
    return hlo_check_fail(c, "C18: the group dimension of rhs must have size %lld, as group_sizes has, got %lld",
                          (long long)groups, (long long)rhs->dims[hlo_check_at(&group, 0)]);
  if (hlo_check_contains(&n.lhs_contracting, dimension)) {
    hlo_check_push(&dims, groups);
    if (groups == HLO_UNKNOWN_SIZE) hlo_check_set(&dims, 0, HLO_DIM_UNBOUNDED, 0);
  }
  for (int64_t i = 0; i < n.lhs_batching.count; i++) hlo_check_push_dim(&dims, lhs, (int)hlo_check_at(&n.lhs_batching, i));
  push_free(&dims, lhs, &n.lhs_batching, &n.lhs_contracting, NULL);
  push_free(&dims, rhs, &n.rhs_batching, &n.rhs_contracting, &group);
  return hlo_check_result_dims(c, "C19", 0, &dims);
}
