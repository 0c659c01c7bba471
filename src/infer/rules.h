/* What the inference functions share: refusing in one voice, operands by name, and results under construction.
 *
 * Inside src/infer only. Checks return false after they have refused. */
#ifndef HLO_INFER_RULES_H
#define HLO_INFER_RULES_H

#include "base/checked.h"
#include "infer/infer.h"

#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  hlo_infer_function hlo_infer_##inference;
#include "graph/op_table.def"
#undef HLO_OP

/* Ops of which the table says `declared`: they take the shape that is declared, after checks of their own. */
hlo_infer_function hlo_recv_shape, hlo_all_gather_start_shape, hlo_collective_permute_start_shape;

/* ---- Refusing ---- */

/* Fails with SHAPE, the op's name in front; %pO is how messages name an operand, `infer->operands + i`: "lhs", "operands[2]",
 * "init_values[0]"; and "the result" for NULL. Always NULL, which is also false, so that a rule can end in
 * `return hlo_refuse(...)`. */
const hlo_shape *hlo_refuse(const hlo_infer *infer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with UNSUPPORTED. */
const hlo_shape *hlo_refuse_unsupported(const hlo_infer *infer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Results under construction ---- */
typedef struct hlo_extents {
  int rank;
  int64_t sizes[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
} hlo_extents;

hlo_extents hlo_extents_of(const hlo_shape *shape);
/* Appends a dimension; refuses ranks beyond HLO_MAX_RANK. */
bool hlo_extents_push(const hlo_infer *infer, hlo_extents *extents, int64_t size, hlo_dim_kind kind);
bool hlo_extents_push_from(const hlo_infer *infer, hlo_extents *extents, const hlo_shape *shape, int64_t dimension);
/* Takes what another array of the same dimensions knows of them: "<=N" wins over N, anything over "?".
 * False, and no message, where the dimensions differ. */
bool hlo_extents_merge(hlo_extents *extents, const hlo_shape *shape);
/* The shape they make; refuses sizes whose product overflows. */
const hlo_shape *hlo_extents_shape(const hlo_infer *infer, hlo_type type, const hlo_extents *extents);
/* A scalar, a token, a tuple; `shape` with other element type; `shape` without any layout. */
const hlo_shape *hlo_scalar_shape(const hlo_infer *infer, hlo_type type);
const hlo_shape *hlo_tuple_shape(const hlo_infer *infer, const hlo_shape *const *elements, int count);
const hlo_shape *hlo_shape_of_type(const hlo_infer *infer, const hlo_shape *shape, hlo_type type);
const hlo_shape *hlo_shape_without_layout(const hlo_infer *infer, const hlo_shape *shape);

/* ---- Comparing ---- */
static inline bool hlo_dim_is_known(const hlo_shape *shape, int64_t d) {
  return hlo_shape_dim_kind(shape, (int)d) != HLO_DIM_UNBOUNDED;
}
/* Sizes that can be the same: a "?" agrees with any; "<=4" and 4 agree. */
bool hlo_dims_agree(const hlo_shape *a, int64_t a_dim, const hlo_shape *b, int64_t b_dim);
static inline bool hlo_is_scalar_of(const hlo_shape *shape, hlo_type type) {
  return hlo_shape_is_scalar(shape) && shape->type == type;
}

/* ---- Checks ---- */
bool hlo_check_array(const hlo_infer *infer, int operand);
bool hlo_check_arrays(const hlo_infer *infer, int first, int count);
bool hlo_check_token(const hlo_infer *infer, int operand);
bool hlo_check_integer(const hlo_infer *infer, int operand); /* an array of s* or u* */
bool hlo_check_scalar(const hlo_infer *infer, int operand);
bool hlo_check_same_type(const hlo_infer *infer, int operand, int other);
bool hlo_check_at_least(const hlo_infer *infer, int count);

/* Of an attribute that holds dimension numbers of an operand, or of the result as it is declared. */
enum { HLO_RESULT = -1 };
bool hlo_check_dimension(const hlo_infer *infer, const char *attribute, int64_t dimension, int operand);
bool hlo_check_dimensions(const hlo_infer *infer, hlo_attribute_id attribute, int operand); /* and unique */
bool hlo_check_ascending(const hlo_infer *infer, hlo_attribute_id attribute);
bool hlo_check_disjoint(const hlo_infer *infer, hlo_attribute_id attribute, hlo_attribute_id other);
/* An INTS attribute with exactly one entry, which is a dimension of the operand. */
bool hlo_check_one_dimension(const hlo_infer *infer, int operand, int *dimension);

/* A list of sizes of a part of operand 0, one for each dimension. */
bool hlo_check_sizes(const hlo_infer *infer, hlo_attribute_id attribute);
/* Merges an operand into what is known of another's dimensions, which it must have. */
bool hlo_check_dims_of(const hlo_infer *infer, hlo_extents *extents, int other, int operand);
/* Operands that are arrays of the same dimensions: what is known of these. */
bool hlo_check_common_dims(const hlo_infer *infer, int first, int count, hlo_extents *extents);

static inline const hlo_ints *hlo_ints_of(const hlo_infer *infer, hlo_attribute_id id) {
  return hlo_instruction_ints(infer->instruction, id);
}
bool hlo_list_holds(const int64_t *list, int count, int64_t value);
static inline bool hlo_ints_hold(hlo_ints ints, int64_t value) { return hlo_list_holds(ints.data, ints.count, value); }

/* ---- Called computations (infer_computation.c) ---- */
const hlo_computation *hlo_callee(const hlo_infer *infer, hlo_attribute_id attribute); /* complete, or refused */
const hlo_computation *hlo_callee_at(const hlo_infer *infer, int64_t index, const char *what);
const hlo_shape *hlo_callee_parameter(const hlo_computation *callee, int number);
const hlo_shape *hlo_callee_result(const hlo_computation *callee);
bool hlo_check_parameter_count(const hlo_infer *infer, const hlo_computation *callee, const char *what, int expected);
/* Folds (T0.., T0..) -> T0 or (T0..): `types` of the elements and `count` of them; types may be promoted (bf16
 * elements in an f32 computation). Gives the accumulators' types. init_first < 0: no initial values. */
bool hlo_check_reducer(const hlo_infer *infer, hlo_attribute_id attribute, const hlo_type *types, int count,
                       int init_first, hlo_type *accumulators);

/* ---- Windows (infer_window.c) ---- */
/* Sizes, strides and dilations at least 1, and one window dimension for each dimension of `whose`. */
bool hlo_check_window(const hlo_infer *infer, const hlo_window *window, int rank, const char *whose,
                      const hlo_shape *shape);
/* How many positions a window has along a base of this size. False when the arithmetic overflows. */
bool hlo_window_positions(const hlo_infer *infer, const hlo_window_dim *dim, int number, int64_t base, int64_t *count);

/* ---- Dots and convolutions ---- */
/* The element type of a sum of products: the operands', unless a wider one is declared. */
bool hlo_product_type(const hlo_infer *infer, hlo_type *type);

/* ---- Collectives (infer_groups.c) ---- */
/* Groups are non-empty, ids are unique and (unless `some`) number 0 to n-1 without a gap, and groups have one size
 * where `uniform`. *size: participants of a group, 0 when that is not known before the run. */
bool hlo_check_groups(const hlo_infer *infer, bool uniform, bool some, int64_t *size);
bool hlo_check_pairs(const hlo_infer *infer); /* source_target_pairs */

#endif
