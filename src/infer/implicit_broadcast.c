/* Brings two operands to one shape, in three steps:
 *
 *   1. each operand dimension gets its place in the result    broadcast_dimensions, for the lower-ranked operand
 *   2. each result dimension gets its size                    equal sizes, or one of them 1
 *   3. each operand is reshaped and broadcast to it           sizes 1 that must grow are dropped first */
#include "infer/implicit_broadcast.h"

/* An operand, and the place of each of its dimensions in the result. */
typedef struct side {
  const hlo_shape *shape;
  int64_t places[HLO_MAX_RANK];
} side;

typedef struct question {
  const char *op_name;
  side lhs, rhs;
  hlo_status *status;
} question;

static bool fail_with_shapes(const question *q, const char *rule) {
  return hlo_fail(q->status, HLO_SHAPE, "%s: %s, got lhs %pS and rhs %pS", q->op_name, rule, q->lhs.shape, q->rhs.shape);
}

/* ---- 1: places ---- */

static void place_in_order(side *operand) {
  for (int i = 0; i < operand->shape->rank; i++) operand->places[i] = i;
}

/* Operands of the same rank match dimension by dimension; broadcast_dimensions, if given, must say the same. */
static bool check_same_rank(const question *q, const int64_t *dims, int count) {
  bool in_order = count == 0 || count == q->lhs.shape->rank;
  for (int i = 0; i < count && in_order; i++) in_order = dims[i] == i;
  return in_order || fail_with_shapes(q, "broadcast_dimensions of operands of the same rank must be all dimensions in order");
}

static bool place_lower(const question *q, side *lower, const hlo_shape *higher, const int64_t *dims, int count) {
  const char *name = lower == &q->lhs ? "lhs" : "rhs";
  if (count != lower->shape->rank)
    return hlo_fail(q->status, HLO_SHAPE, "%s: broadcast_dimensions must have one entry for each of the %d dimensions of "
                                          "%s %pS, got %d",
                    q->op_name, lower->shape->rank, name, lower->shape, count);
  for (int i = 0; i < count; i++) {
    if (dims[i] < 0 || dims[i] >= higher->rank)
      return hlo_fail(q->status, HLO_SHAPE, "%s: broadcast_dimensions must name dimensions of %s %pS, got %lld", q->op_name,
                      lower == &q->lhs ? "rhs" : "lhs", higher, (long long)dims[i]);
    if (i > 0 && dims[i] <= dims[i - 1])
      return hlo_fail(q->status, HLO_SHAPE, "%s: broadcast_dimensions must be strictly ascending, got %lld before %lld",
                      q->op_name, (long long)dims[i - 1], (long long)dims[i]);
    lower->places[i] = dims[i];
  }
  return true;
}

static bool place(question *q, const int64_t *dims, int count) {
  int left = q->lhs.shape->rank, right = q->rhs.shape->rank;
  place_in_order(&q->lhs);
  place_in_order(&q->rhs);
  if (left == right) return check_same_rank(q, dims, count);
  side *lower = left < right ? &q->lhs : &q->rhs, *higher = left < right ? &q->rhs : &q->lhs;
  if (lower->shape->rank > 0 && count == 0)
    return fail_with_shapes(q, "operands of different rank need broadcast_dimensions, which say where the dimensions of the "
                               "lower-ranked one go");
  return place_lower(q, lower, higher->shape, dims, count);
}

/* ---- 2: sizes ---- */

static bool is_one(const hlo_shape *shape, int dimension) {
  return shape->dims[dimension] == 1 && hlo_shape_dim_kind(shape, dimension) == HLO_DIM_STATIC;
}

/* Returns the operand's dimension that goes to a place in the result; -1 if none does. */
static int dimension_at(const side *operand, int64_t place) {
  for (int i = 0; i < operand->shape->rank; i++)
    if (operand->places[i] == place) return i;
  return -1;
}

static bool size_at(const question *q, int place, int64_t *size) {
  int left = dimension_at(&q->lhs, place), right = dimension_at(&q->rhs, place);
  const hlo_shape *lhs = q->lhs.shape, *rhs = q->rhs.shape;
  if (left < 0 || right < 0) {
    *size = left < 0 ? rhs->dims[right] : lhs->dims[left];
  } else if (lhs->dims[left] == rhs->dims[right] || is_one(rhs, right)) {
    *size = lhs->dims[left];
  } else if (is_one(lhs, left)) {
    *size = rhs->dims[right];
  } else {
    return hlo_fail(q->status, HLO_SHAPE, "%s: sizes must be equal or 1, but dimension %d of lhs %pS meets dimension %d of "
                                          "rhs %pS",
                    q->op_name, left, lhs, right, rhs);
  }
  return true;
}

/* ---- 3: steps ---- */

static bool plan_step(const question *q, const side *operand, const hlo_implicit_broadcast *plan, hlo_broadcast_step *step) {
  *step = (hlo_broadcast_step){0};
  for (int i = 0; i < operand->shape->rank; i++) {
    if (operand->shape->dims[i] != plan->dims[operand->places[i]]) continue; /* 1, and must grow */
    step->sizes[step->kept] = operand->shape->dims[i];
    step->kept_dims[step->kept++] = operand->places[i];
  }
  step->reshape = step->kept < operand->shape->rank;
  step->broadcast = step->kept < plan->rank;
  if (!step->broadcast) return true;
  for (int i = 0; i < plan->rank; i++)
    if (plan->dims[i] == HLO_UNKNOWN_SIZE)
      return hlo_fail(q->status, HLO_UNSUPPORTED, "%s: an operand cannot be broadcast to a dimension of unknown size, got "
                                                  "lhs %pS and rhs %pS",
                      q->op_name, q->lhs.shape, q->rhs.shape);
  return true;
}

bool hlo_implicit_broadcast_plan(const char *op_name, const hlo_shape *lhs, const hlo_shape *rhs,
                                 const int64_t *broadcast_dimensions, int broadcast_dimension_count,
                                 hlo_implicit_broadcast *plan, hlo_status *status) {
  question q = {.op_name = op_name, .lhs = {.shape = lhs}, .rhs = {.shape = rhs}, .status = status};
  *plan = (hlo_implicit_broadcast){.rank = lhs->rank > rhs->rank ? lhs->rank : rhs->rank};
  if (!hlo_shape_is_array(lhs) || !hlo_shape_is_array(rhs)) return fail_with_shapes(&q, "operands must be arrays");
  if (!place(&q, broadcast_dimensions, broadcast_dimension_count)) return false;
  for (int i = 0; i < plan->rank; i++)
    if (!size_at(&q, i, &plan->dims[i])) return false;
  return plan_step(&q, &q.lhs, plan, &plan->lhs) && plan_step(&q, &q.rhs, plan, &plan->rhs);
}
