/* Makes, copies, compares and hashes values. */
#include "shape/literal.h"

#include <string.h>

#include "base/checked.h"
#include "shape/layout.h"
#include "shape/layout_index.h"

/* ---- Making ---- */

static bool make_array(hlo_arena *arena, hlo_literal *literal, hlo_status *status) {
  const hlo_shape *shape = literal->shape;
  if (hlo_shape_has_unbounded(shape))
    return hlo_fail(status, HLO_SHAPE, "%pS has unknown sizes, so it cannot hold a value", shape);
  literal->data = hlo_arena_array(arena, hlo_shape_element_count(shape), (size_t)hlo_type_bytes(shape->type), status);
  if (literal->data && !hlo_origin_array_make(arena, hlo_shape_element_count(shape), &literal->origins, status)) return false;
  if (!literal->data) return hlo_status_append(status, " (a value of %pS)", shape);
  if (!shape->dim_kinds) return true;
  literal->dynamic_sizes = hlo_arena_copy(arena, shape->dims, (size_t)shape->rank * sizeof *shape->dims, status);
  return literal->dynamic_sizes != NULL;
}

static bool make_tuple(hlo_arena *arena, hlo_literal *literal, hlo_status *status) {
  const hlo_shape *shape = literal->shape;
  literal->elements = hlo_arena_many(arena, hlo_literal *, shape->element_count, status);
  if (!literal->elements) return false;
  for (int i = 0; i < shape->element_count; i++) {
    literal->elements[i] = hlo_literal_make(arena, shape->elements[i], status);
    if (!literal->elements[i]) return false;
  }
  return true;
}

hlo_literal *hlo_literal_make(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  hlo_literal *literal = hlo_arena_new(arena, hlo_literal, status);
  if (!literal) return NULL;
  literal->shape = shape;
  if (hlo_shape_is_array(shape)) return make_array(arena, literal, status) ? literal : NULL;
  if (hlo_shape_is_tuple(shape)) return make_tuple(arena, literal, status) ? literal : NULL;
  if (hlo_shape_is_token(shape)) return literal;
  hlo_fail(status, HLO_UNSUPPORTED, "%pS has no value", shape);
  return NULL;
}

hlo_literal *hlo_literal_wrap(hlo_arena *arena, const hlo_shape *shape, void *data, hlo_status *status) {
  hlo_literal *literal = hlo_arena_new(arena, hlo_literal, status);
  if (!literal || !hlo_origin_array_make(arena, hlo_shape_element_count(shape), &literal->origins, status)) return NULL;
  literal->shape = shape;
  literal->data = data;
  return literal;
}

/* ---- Sharing ---- */

enum { LARGE_ELEMENTS = 1 << 15, LARGE_BYTES = 1 << 16 };

bool hlo_literal_is_large(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_shape_is_static(shape) && hlo_shape_element_count(shape) > LARGE_ELEMENTS &&
         hlo_shape_dense_bytes(shape) >= LARGE_BYTES;
}

static void let_go(void *literal) {
  hlo_literal_settle(literal);
  hlo_shared_array_release(((hlo_literal *)literal)->shared);
}

bool hlo_literal_refer(hlo_arena *arena, hlo_literal *literal, hlo_shared_array *shared, hlo_status *status) {
  if (!hlo_arena_keep(arena, literal, let_go, status)) return false;
  literal->shared = hlo_shared_array_retain(shared);
  return true;
}

hlo_literal *hlo_literal_share(hlo_arena *arena, const hlo_shape *shape, hlo_shared_array *shared, hlo_status *status) {
  hlo_literal *literal = hlo_literal_wrap(arena, shape, NULL, status);
  return literal && hlo_literal_refer(arena, literal, shared, status) ? literal : NULL;
}

hlo_literal *hlo_literal_borrow(hlo_arena *arena, const hlo_literal *literal, hlo_status *status) {
  if (!literal->shared) return hlo_literal_copy(arena, literal, status);
  const hlo_shape *shape = hlo_shape_copy(arena, literal->shape, status);
  hlo_literal *borrowed = shape ? hlo_literal_share(arena, shape, literal->shared, status) : NULL;
  return borrowed && (!literal->data || hlo_literal_pin(borrowed, status)) ? borrowed : NULL;
}

bool hlo_literal_pin(hlo_literal *literal, hlo_status *status) {
  if (literal->shared && !literal->data) literal->data = (void *)hlo_shared_array_pin(literal->shared, status);
  return !literal->shared || literal->data;
}

void hlo_literal_settle(hlo_literal *literal) {
  if (!literal->shared || !literal->data) return;
  hlo_shared_array_unpin(literal->shared);
  literal->data = NULL;
}

hlo_literal *hlo_literal_make_constant(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  size_t bytes;
  bool fits = hlo_literal_is_large(shape) && hlo_checked_size(hlo_shape_dense_bytes(shape), &bytes) &&
              (!arena->limit || (arena->bytes <= arena->limit && bytes <= arena->limit - arena->bytes));
  if (!fits) return hlo_literal_make(arena, shape, status); /* which says why it does not fit */
  hlo_shared_array *shared = hlo_shared_array_make(bytes, status);
  hlo_literal *literal = shared ? hlo_literal_share(arena, shape, shared, status) : NULL;
  hlo_shared_array_release(shared);
  arena->bytes += bytes;
  return literal && hlo_literal_pin(literal, status) ? literal : NULL;
}

hlo_literal *hlo_literal_copy(hlo_arena *arena, const hlo_literal *literal, hlo_status *status) {
  const hlo_shape *shape = hlo_shape_copy(arena, literal->shape, status);
  hlo_literal *copy = shape ? hlo_literal_make(arena, shape, status) : NULL;
  if (copy) hlo_literal_assign(copy, literal);
  return copy;
}

/* ---- Elements ---- */

hlo_scalar hlo_literal_get(const hlo_literal *literal, int64_t index) {
  return hlo_scalar_from(hlo_scalar_load(literal->shape->type, literal->data, index), hlo_origin_at(literal->origins, index));
}

void hlo_literal_set(hlo_literal *literal, int64_t index, hlo_scalar value) {
  hlo_scalar_store(literal->shape->type, literal->data, index, value);
  hlo_origin_put(literal->origins, index, value.origin);
}

int64_t hlo_literal_int(const hlo_literal *literal, int64_t index) { return hlo_literal_get(literal, index).s; }
double hlo_literal_real(const hlo_literal *literal, int64_t index) { return hlo_literal_get(literal, index).f; }

void hlo_literal_set_int(hlo_literal *literal, int64_t index, int64_t value) {
  hlo_literal_set(literal, index, (hlo_scalar){.s = value});
}

void hlo_literal_set_real(hlo_literal *literal, int64_t index, double value) {
  hlo_literal_set(literal, index, (hlo_scalar){.f = value});
}

void hlo_literal_assign_elements(hlo_literal *to, const hlo_literal *from) {
  size_t bytes = hlo_literal_bytes(to);
  if (bytes) memcpy(to->data, from->data, bytes);
  for (int64_t i = 0, count = HLO_FOLLOWS_ORIGINS && bytes ? hlo_shape_element_count(to->shape) : 0; i < count; i++)
    hlo_origin_put(to->origins, i, hlo_origin_at(from->origins, i));
}

void hlo_literal_assign_element(hlo_literal *to, int64_t to_index, const hlo_literal *from, int64_t from_index) {
  size_t bytes = (size_t)hlo_type_bytes(to->shape->type);
  memcpy((char *)to->data + (size_t)to_index * bytes, (const char *)from->data + (size_t)from_index * bytes, bytes);
  hlo_origin_put(to->origins, to_index, hlo_origin_at(from->origins, from_index));
}

void hlo_literal_assign(hlo_literal *to, const hlo_literal *from) {
  if (hlo_shape_is_tuple(to->shape)) {
    for (int i = 0; i < to->shape->element_count; i++) hlo_literal_assign(to->elements[i], from->elements[i]);
    return;
  }
  hlo_literal_assign_elements(to, from);
  if (to->dynamic_sizes)
    for (int i = 0; i < to->shape->rank; i++) to->dynamic_sizes[i] = hlo_literal_size(from, i);
}

size_t hlo_literal_bytes(const hlo_literal *literal) {
  if (!hlo_shape_is_array(literal->shape)) return 0;
  return (size_t)hlo_shape_element_count(literal->shape) * (size_t)hlo_type_bytes(literal->shape->type);
}

void hlo_literal_clear_unused_bits(hlo_literal *literal) {
  hlo_type type = literal->shape->type;
  int bits = hlo_type_bits(type), unused = 8 - bits;
  uint8_t *data = literal->data;
  if (bits >= 8) return;
  for (size_t i = 0, count = hlo_literal_bytes(literal); i < count; i++) {
    if (type == HLO_TYPE_PRED) data[i] = data[i] != 0;
    else if (hlo_type_is_signed(type)) data[i] = (uint8_t)((int8_t)(data[i] << unused) >> unused);
    else data[i] &= (uint8_t)(0xff >> unused);
  }
}

/* ---- Runs: stretches of an array's data that hold actual elements ----
 *
 * A bounded dimension that is not full leaves gaps in the array. A value without gaps is one run. */

typedef struct runs {
  const hlo_literal *literal;
  size_t element_bytes;
  int outer_rank;     /* number of dimensions in front of those that a run covers */
  int64_t length;     /* elements in each run */
  int64_t sizes[HLO_MAX_RANK], at[HLO_MAX_RANK];
  bool more;
} runs;

static runs runs_of(const hlo_literal *literal) {
  const hlo_shape *shape = literal->shape;
  runs r = {.literal = literal, .element_bytes = (size_t)hlo_type_bytes(shape->type), .length = 1, .more = true};
  int d = shape->rank;
  while (d > 0 && hlo_literal_size(literal, d - 1) == shape->dims[d - 1]) r.length *= shape->dims[--d];
  if (d > 0) r.length *= hlo_literal_size(literal, --d);
  r.outer_rank = d;
  for (int i = 0; i < d; i++) {
    r.sizes[i] = hlo_literal_size(literal, i);
    r.more &= r.sizes[i] != 0;
  }
  return r;
}

/* Returns the bytes of the next run, or NULL after the last. */
static const uint8_t *next_run(runs *r) {
  if (!r->more) return NULL;
  const hlo_shape *shape = r->literal->shape;
  int64_t linear = hlo_index_linear(shape->dims, r->outer_rank, r->at);
  for (int d = r->outer_rank; d < shape->rank; d++) linear *= shape->dims[d];
  r->more = hlo_index_next(r->sizes, r->outer_rank, r->at);
  return (const uint8_t *)r->literal->data + (size_t)linear * r->element_bytes;
}

static size_t run_bytes(const runs *r) { return (size_t)r->length * r->element_bytes; }

/* ---- Comparing and hashing ---- */

static bool arrays_equal(const hlo_literal *a, const hlo_literal *b) {
  for (int i = 0; i < a->shape->rank; i++)
    if (hlo_literal_size(a, i) != hlo_literal_size(b, i)) return false;
  runs a_runs = runs_of(a), b_runs = runs_of(b);
  const uint8_t *a_run, *b_run;
  while ((a_run = next_run(&a_runs)) && (b_run = next_run(&b_runs)))
    if (memcmp(a_run, b_run, run_bytes(&a_runs)) != 0) return false;
  return true;
}

bool hlo_literal_equal_bits(const hlo_literal *a, const hlo_literal *b) {
  if (a == b) return true;
  if (!hlo_shape_compatible(a->shape, b->shape)) return false;
  if ((a->shared || b->shared) && (a->shared == b->shared || !a->data || !b->data)) return a->shared == b->shared;
  if (hlo_shape_is_array(a->shape)) return arrays_equal(a, b);
  for (int i = 0; i < a->shape->element_count; i++)
    if (!hlo_literal_equal_bits(a->elements[i], b->elements[i])) return false;
  return true;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

static uint64_t mix_bytes(uint64_t hash, const uint8_t *bytes, size_t length) {
  for (; length >= sizeof(uint64_t); bytes += sizeof(uint64_t), length -= sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    hash = mix(hash, word);
  }
  uint64_t rest = 0;
  if (length) memcpy(&rest, bytes, length);
  return mix(hash, rest ^ (uint64_t)length << 56);
}

uint64_t hlo_literal_hash(const hlo_literal *literal) {
  const hlo_shape *shape = literal->shape;
  uint64_t hash = mix(0, (uint64_t)shape->type);
  for (int i = 0; i < shape->element_count; i++) hash = mix(hash, hlo_literal_hash(literal->elements[i]));
  if (!hlo_shape_is_array(shape)) return hash;
  for (int i = 0; i < shape->rank; i++) hash = mix(hash, (uint64_t)hlo_literal_size(literal, i));
  runs r = runs_of(literal);
  for (const uint8_t *run; (run = next_run(&r));) hash = mix_bytes(hash, run, run_bytes(&r));
  return hash;
}
