/* Makes shapes, and answers questions about them that need no layout. */
#include "shape/shape.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "shape/element_type.h"
#include "shape/layout_index.h"

enum {
  MAX_TUPLE_DEPTH = 128,     /* nesting: every walk over a shape is recursive */
  MAX_TUPLE_NODES = 1 << 20, /* elements may be shared, so that 40 steps could make a tuple of 2^40 leaves */
};

/* ---- Making ---- */

static hlo_shape *new_shape(hlo_arena *arena, hlo_type type, hlo_status *status) {
  hlo_shape *shape = hlo_arena_new(arena, hlo_shape, status);
  if (shape) shape->type = type;
  return shape;
}

/* A limit that no memory reaches, and that keeps counts of elements, bytes and bits exact in 64 bits and as a double. */
#define MOST_ELEMENTS (INT64_C(1) << 53)

/* Checks the product of all sizes, with zeros counted as ones: then every partial product and every stride fits, too. */
static bool check_dims(const int64_t *dims, const uint8_t *dim_kinds, int rank, hlo_status *status) {
  if (rank < 0 || rank > HLO_MAX_RANK)
    return hlo_fail(status, HLO_LIMIT, "a shape has at most %d dimensions, not %d", HLO_MAX_RANK, rank);
  int64_t product = 1;
  for (int i = 0; i < rank; i++) {
    if (dim_kinds && dim_kinds[i] == HLO_DIM_UNBOUNDED) continue;
    if (dim_kinds && dim_kinds[i] > HLO_DIM_UNBOUNDED)
      return hlo_fail(status, HLO_ARGUMENT, "dimension %d has the unknown kind %d", i, dim_kinds[i]);
    if (dims[i] < 0)
      return hlo_fail(status, HLO_SHAPE, "dimension %d has the negative size %lld", i, (long long)dims[i]);
    if (!hlo_checked_mul(product, dims[i] ? dims[i] : 1, &product) || product > MOST_ELEMENTS)
      return hlo_fail(status, HLO_SHAPE, "the number of elements is more than 2^53");
  }
  return true;
}

const hlo_shape *hlo_shape_make_dynamic(hlo_arena *arena, hlo_type type, const int64_t *dims,
                                        const uint8_t *dim_kinds, int rank, hlo_status *status) {
  if (!hlo_type_is_array(type)) {
    hlo_fail(status, HLO_SHAPE, "%s is not the element type of an array", hlo_type_name(type));
    return NULL;
  }
  if (!check_dims(dims, dim_kinds, rank, status)) return NULL;
  hlo_shape *shape = new_shape(arena, type, status);
  int64_t *sizes = hlo_arena_many(arena, int64_t, rank, status);
  if (!shape || !sizes) return NULL;
  bool dynamic = false;
  for (int i = 0; i < rank; i++) {
    hlo_dim_kind kind = dim_kinds ? (hlo_dim_kind)dim_kinds[i] : HLO_DIM_STATIC;
    sizes[i] = kind == HLO_DIM_UNBOUNDED ? HLO_UNKNOWN_SIZE : dims[i];
    dynamic |= kind != HLO_DIM_STATIC;
  }
  if (dynamic) {
    shape->dim_kinds = hlo_arena_copy(arena, dim_kinds, (size_t)rank, status);
    if (!shape->dim_kinds) return NULL;
  }
  shape->rank = rank;
  shape->dims = sizes;
  return shape;
}

const hlo_shape *hlo_shape_make(hlo_arena *arena, hlo_type type, const int64_t *dims, int rank, hlo_status *status) {
  return hlo_shape_make_dynamic(arena, type, dims, NULL, rank, status);
}

const hlo_shape *hlo_shape_make_scalar(hlo_arena *arena, hlo_type type, hlo_status *status) {
  return hlo_shape_make(arena, type, NULL, 0, status);
}

const hlo_shape *hlo_shape_make_token(hlo_arena *arena, hlo_status *status) {
  return new_shape(arena, HLO_TYPE_TOKEN, status);
}

const hlo_shape *hlo_shape_make_opaque(hlo_arena *arena, hlo_status *status) {
  return new_shape(arena, HLO_TYPE_OPAQUE, status);
}

/* Returns whether the shape has at most `depth` levels and `*nodes` nodes; subtracts its nodes from `*nodes`. */
static bool within_limits(const hlo_shape *shape, int depth, int *nodes) {
  if (depth == 0 || --*nodes < 0) return false;
  for (int i = 0; i < shape->element_count; i++)
    if (!within_limits(shape->elements[i], depth - 1, nodes)) return false;
  return true;
}

/* Numbers the leaves of a tuple whose elements are set. */
static bool number_leaves(hlo_arena *arena, hlo_shape *tuple, hlo_status *status) {
  int *first_leaf = hlo_arena_many(arena, int, (int64_t)tuple->element_count + 1, status);
  if (!first_leaf) return false;
  for (int i = 0; i < tuple->element_count; i++) first_leaf[i + 1] = first_leaf[i] + hlo_shape_leaf_count(tuple->elements[i]);
  tuple->first_leaf = first_leaf;
  return true;
}

const hlo_shape *hlo_shape_make_tuple(hlo_arena *arena, const hlo_shape *const *elements, int count,
                                      hlo_status *status) {
  hlo_shape *shape = new_shape(arena, HLO_TYPE_TUPLE, status);
  const hlo_shape **copy = hlo_arena_many(arena, const hlo_shape *, count, status);
  if (!shape || !copy) return NULL;
  for (int i = 0; i < count; i++) copy[i] = elements[i];
  shape->element_count = count;
  shape->elements = copy;
  int nodes = MAX_TUPLE_NODES;
  if (!within_limits(shape, MAX_TUPLE_DEPTH, &nodes)) {
    hlo_fail(status, HLO_LIMIT, "a tuple is nested at most %d deep and has at most %d elements in all", MAX_TUPLE_DEPTH,
             MAX_TUPLE_NODES);
    return NULL;
  }
  return number_leaves(arena, shape, status) ? shape : NULL;
}

/* Drops E(n) if values of the new type have more bits than that; then elements take their own size again. */
static const hlo_layout *layout_for_type(hlo_arena *arena, const hlo_layout *layout, hlo_type type,
                                         hlo_status *status) {
  if (!layout || layout->element_size_in_bits == 0) return layout;
  int64_t bits = layout->element_size_in_bits;
  if (bits >= hlo_type_bits(type) && bits <= 8 * hlo_type_bytes(type)) return layout;
  hlo_layout *own = hlo_arena_copy(arena, layout, sizeof *layout, status);
  if (own) own->element_size_in_bits = 0;
  return own;
}

const hlo_shape *hlo_shape_with_type(hlo_arena *arena, const hlo_shape *shape, hlo_type type, hlo_status *status) {
  if (!hlo_shape_is_array(shape) || !hlo_type_is_array(type)) {
    hlo_fail(status, HLO_SHAPE, "%pS cannot take the element type %s", shape, hlo_type_name(type));
    return NULL;
  }
  const hlo_layout *layout = layout_for_type(arena, shape->layout, type, status);
  hlo_shape *result = hlo_arena_copy(arena, shape, sizeof *shape, status);
  if (!result || (shape->layout && !layout)) return NULL;
  result->type = type;
  result->layout = layout;
  result->quantization = NULL;
  return result;
}

const hlo_shape *hlo_shape_with_layout(hlo_arena *arena, const hlo_shape *shape, const hlo_layout *layout,
                                       hlo_status *status) {
  if (layout && !hlo_layout_check(shape, layout, status)) return NULL;
  hlo_shape *result = hlo_arena_copy(arena, shape, sizeof *shape, status);
  if (result) result->layout = layout;
  return result;
}

const hlo_shape *hlo_shape_without_layouts(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  if (!hlo_shape_is_tuple(shape)) return shape->layout ? hlo_shape_with_layout(arena, shape, NULL, status) : shape;
  const hlo_shape **elements = hlo_arena_many(arena, const hlo_shape *, shape->element_count, status);
  for (int n = 0; elements && n < shape->element_count; n++)
    if (!(elements[n] = hlo_shape_without_layouts(arena, shape->elements[n], status))) return NULL;
  return elements ? hlo_shape_make_tuple(arena, elements, shape->element_count, status) : NULL;
}

/* ---- Copying ---- */

void hlo_storage_range(hlo_type storage_type, int64_t *least, int64_t *greatest) {
  int bits = hlo_type_bits(storage_type);
  bool is_signed = hlo_type_is_signed(storage_type);
  int value_bits = is_signed ? bits - 1 : bits;
  *greatest = value_bits >= 63 ? INT64_MAX : ((int64_t)1 << value_bits) - 1;
  *least = is_signed ? -*greatest - 1 : 0;
}

bool hlo_scale_fits(hlo_type expressed_type, double scale) {
  hlo_float_format format = hlo_type_float_format(expressed_type);
  double least = ldexp(1.0, 1 - format.bias - format.mantissa_bits);
  return scale >= least && !isinf(hlo_float_decode(expressed_type, hlo_float_encode(expressed_type, scale)));
}

const hlo_quantization *hlo_quantization_copy(hlo_arena *arena, const hlo_quantization *from, hlo_status *status) {
  hlo_quantization *copy = hlo_arena_copy(arena, from, sizeof *from, status);
  if (!copy) return NULL;
  size_t count = (size_t)from->count;
  copy->scales = hlo_arena_copy(arena, from->scales, count * sizeof *from->scales, status);
  copy->zero_points = hlo_arena_copy(arena, from->zero_points, count * sizeof *from->zero_points, status);
  return hlo_ok(status) ? copy : NULL;
}

static bool copy_elements(hlo_arena *arena, hlo_shape *copy, hlo_status *status) {
  const hlo_shape **elements = hlo_arena_many(arena, const hlo_shape *, copy->element_count, status);
  if (!elements) return false;
  for (int i = 0; i < copy->element_count; i++) {
    elements[i] = hlo_shape_copy(arena, copy->elements[i], status);
    if (!elements[i]) return false;
  }
  copy->elements = elements;
  return number_leaves(arena, copy, status);
}

const hlo_shape *hlo_shape_copy(hlo_arena *arena, const hlo_shape *shape, hlo_status *status) {
  hlo_shape *copy = hlo_arena_copy(arena, shape, sizeof *shape, status);
  if (!copy) return NULL;
  size_t rank = (size_t)shape->rank;
  if (rank) copy->dims = hlo_arena_copy(arena, shape->dims, rank * sizeof *shape->dims, status);
  else copy->dims = NULL;
  if (shape->dim_kinds) copy->dim_kinds = hlo_arena_copy(arena, shape->dim_kinds, rank, status);
  if (shape->layout) copy->layout = hlo_layout_copy(arena, shape->layout, status);
  if (shape->quantization) copy->quantization = hlo_quantization_copy(arena, shape->quantization, status);
  if (!hlo_ok(status) || (hlo_shape_is_tuple(copy) && !copy_elements(arena, copy, status))) return NULL;
  return copy;
}

/* ---- Asking ---- */

static bool any_dimension(const hlo_shape *shape, bool (*test)(hlo_dim_kind)) {
  for (int i = 0; shape->dim_kinds && i < shape->rank; i++)
    if (test(hlo_shape_dim_kind(shape, i))) return true;
  for (int i = 0; i < shape->element_count; i++)
    if (any_dimension(shape->elements[i], test)) return true;
  return false;
}
static bool is_dynamic(hlo_dim_kind kind) { return kind != HLO_DIM_STATIC; }
static bool is_unbounded(hlo_dim_kind kind) { return kind == HLO_DIM_UNBOUNDED; }

bool hlo_shape_is_static(const hlo_shape *shape) { return !any_dimension(shape, is_dynamic); }
bool hlo_shape_is_plain(const hlo_shape *s) { return hlo_shape_is_array(s) && !s->quantization && hlo_shape_is_static(s); }

bool hlo_shape_leaves_are_plain(const hlo_shape *shape) {
  for (int n = hlo_shape_leaf_count(shape); n-- > 0;)
    if (!hlo_shape_is_plain(hlo_shape_leaf(shape, n))) return false;
  return true;
}

bool hlo_shape_has_unbounded(const hlo_shape *shape) { return any_dimension(shape, is_unbounded); }

int64_t hlo_shape_element_count(const hlo_shape *shape) {
  if (!hlo_shape_is_array(shape)) return 0;
  int64_t count = 1;
  for (int i = 0; i < shape->rank; i++) {
    if (hlo_shape_dim_kind(shape, i) == HLO_DIM_UNBOUNDED) return HLO_UNKNOWN_SIZE;
    count *= shape->dims[i];
  }
  return count;
}

int hlo_shape_true_rank(const hlo_shape *shape) {
  int true_rank = 0;
  for (int i = 0; i < shape->rank; i++) true_rank += shape->dims[i] != 1;
  return true_rank;
}

bool hlo_shape_dimension_number(const hlo_shape *shape, int64_t dimension, int *result, hlo_status *status) {
  int64_t rank = shape->rank;
  if (dimension < -rank || dimension >= rank)
    return hlo_fail(status, HLO_ARGUMENT, "dimension %lld is out of range: %pS has %d dimensions", (long long)dimension,
                    shape, shape->rank);
  *result = (int)(dimension < 0 ? dimension + rank : dimension);
  return true;
}

bool hlo_shape_same_dims(const hlo_shape *a, const hlo_shape *b) {
  if (a->rank != b->rank) return false;
  for (int i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i] || hlo_shape_dim_kind(a, i) != hlo_shape_dim_kind(b, i)) return false;
  return true;
}

bool hlo_quantization_equal(const hlo_quantization *a, const hlo_quantization *b) {
  if (a == b) return true;
  if (!a || !b || a->storage_type != b->storage_type || a->expressed_type != b->expressed_type) return false;
  if (a->storage_min != b->storage_min || a->storage_max != b->storage_max) return false;
  if (a->dimension != b->dimension || a->count != b->count) return false;
  for (int64_t i = 0; i < a->count; i++)
    if (a->scales[i] != b->scales[i] || a->zero_points[i] != b->zero_points[i]) return false;
  return true;
}

/* Returns whether two shapes have the same nesting, and `same` holds for each pair of leaves. */
static bool leaves_agree(const hlo_shape *a, const hlo_shape *b, bool (*same)(const hlo_shape *, const hlo_shape *)) {
  if (a == b) return true;
  if (!hlo_shape_is_tuple(a) || !hlo_shape_is_tuple(b))
    return hlo_shape_is_tuple(a) == hlo_shape_is_tuple(b) && same(a, b);
  if (a->element_count != b->element_count) return false;
  for (int i = 0; i < a->element_count; i++)
    if (!leaves_agree(a->elements[i], b->elements[i], same)) return false;
  return true;
}

static bool same_leaf(const hlo_shape *a, const hlo_shape *b) {
  return a->type == b->type && hlo_shape_same_dims(a, b) && hlo_quantization_equal(a->quantization, b->quantization);
}

static bool same_leaf_of_any_type(const hlo_shape *a, const hlo_shape *b) {
  if (!hlo_shape_is_array(a) || !hlo_shape_is_array(b)) return a->type == b->type;
  return hlo_shape_same_dims(a, b);
}

static bool same_leaf_and_layout(const hlo_shape *a, const hlo_shape *b) {
  return same_leaf(a, b) && hlo_layout_equal(a->layout, b->layout);
}

bool hlo_shape_compatible(const hlo_shape *a, const hlo_shape *b) { return leaves_agree(a, b, same_leaf); }
bool hlo_shape_compatible_ignoring_type(const hlo_shape *a, const hlo_shape *b) {
  return leaves_agree(a, b, same_leaf_of_any_type);
}
bool hlo_shape_equal(const hlo_shape *a, const hlo_shape *b) { return leaves_agree(a, b, same_leaf_and_layout); }

int hlo_shape_leaf_count(const hlo_shape *shape) {
  return hlo_shape_is_tuple(shape) ? shape->first_leaf[shape->element_count] : 1;
}

/* Returns the element of a tuple that a leaf belongs to: the last one that begins at or before it. */
static int element_of_leaf(const hlo_shape *tuple, int leaf) {
  int low = 0, high = tuple->element_count - 1;
  while (low < high) {
    int middle = high - (high - low) / 2;
    if (tuple->first_leaf[middle] <= leaf) low = middle;
    else high = middle - 1;
  }
  return low;
}

const hlo_shape *hlo_shape_leaf(const hlo_shape *shape, int index) {
  if (index < 0 || index >= hlo_shape_leaf_count(shape)) return NULL;
  while (hlo_shape_is_tuple(shape)) {
    int element = element_of_leaf(shape, index);
    index -= shape->first_leaf[element];
    shape = shape->elements[element];
  }
  return shape;
}
