/* Functions that inference rules share: messages that name op and operands, results under construction, and checks.
 *
 * Inside src/infer only. Checks return false after they have refused. */
#ifndef HLO_INFER_RULES_H
#define HLO_INFER_RULES_H

#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"

#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  hlo_infer_function hlo_infer_##inference;
#include "graph/op_table.def"
#undef HLO_OP

/* ---- Refusing ---- */

/* Fails with SHAPE and a message with the op's name in front. In the format, %pO with `infer->operands + i` writes an operand's name: "lhs",
 * "operands[2]", "init_values[0]"; NULL is "the result". Always returns NULL, which is also false, so that a rule can end in
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
/* Merges the dimensions of another array, which must agree: "<=N" wins over N, and either over "?". False, without a message, if they
 * differ. */
bool hlo_extents_merge(hlo_extents *extents, const hlo_shape *shape);
/* The shape they make; refuses sizes whose product overflows. */
const hlo_shape *hlo_extents_shape(const hlo_infer *infer, hlo_type type, const hlo_extents *extents);
/* Make a scalar; a tuple; `shape` with another element type; `shape` without layouts. */
const hlo_shape *hlo_scalar_shape(const hlo_infer *infer, hlo_type type);
const hlo_shape *hlo_tuple_shape(const hlo_infer *infer, const hlo_shape *const *elements, int count);
const hlo_shape *hlo_shape_of_type(const hlo_infer *infer, const hlo_shape *shape, hlo_type type);
const hlo_shape *hlo_shape_without_layout(const hlo_infer *infer, const hlo_shape *shape);

/* ---- Comparing ---- */
static inline bool hlo_dim_is_known(const hlo_shape *shape, int64_t d) {
  return hlo_shape_dim_kind(shape, (int)d) != HLO_DIM_UNBOUNDED;
}
/* Returns whether two sizes can be the same: "?" agrees with any size; "<=4" and 4 agree. */
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

/* Checks of dimension numbers; operand: the operand that they count dimensions of, or HLO_RESULT for the declared result. */
enum { HLO_RESULT = -1 };
bool hlo_check_dimension(const hlo_infer *infer, const char *attribute, int64_t dimension, int operand);
bool hlo_check_dimensions(const hlo_infer *infer, hlo_attribute_id attribute, int operand); /* and unique */
bool hlo_check_ascending(const hlo_infer *infer, hlo_attribute_id attribute);
bool hlo_check_disjoint(const hlo_infer *infer, hlo_attribute_id attribute, hlo_attribute_id other);
/* Checks that `dimensions` has exactly one entry, which is a dimension of the operand. */
bool hlo_check_one_dimension(const hlo_infer *infer, int operand, int *dimension);

/* Checks a list of sizes of a part of operand 0, one for each dimension. */
bool hlo_check_sizes(const hlo_infer *infer, hlo_attribute_id attribute);
/* Merges the dimensions of an operand into those of another, with which they must agree. */
bool hlo_check_dims_of(const hlo_infer *infer, hlo_extents *extents, int other, int operand);
/* Checks that the operands are arrays of the same dimensions, and merges these. */
bool hlo_check_common_dims(const hlo_infer *infer, int first, int count, hlo_extents *extents);

static inline const hlo_ints *hlo_ints_of(const hlo_infer *infer, hlo_attribute_id id) {
  return hlo_instruction_ints(infer->instruction, id);
}

/* ---- Called computations (infer_computation.c) ---- */
const hlo_computation *hlo_callee(const hlo_infer *infer, hlo_attribute_id attribute); /* refused if it has no root */
const hlo_computation *hlo_callee_at(const hlo_infer *infer, int64_t index, const char *what);
const hlo_shape *hlo_callee_parameter(const hlo_computation *callee, int number);
const hlo_shape *hlo_callee_result(const hlo_computation *callee);
bool hlo_check_parameter_count(const hlo_infer *infer, const hlo_computation *callee, const char *what, int expected);
/* Checks a computation that folds `count` arrays: (T0.., T0..) -> T0 or (T0..). types: of the elements; the computation may promote them (bf16
 * elements in an f32 computation). Gives the accumulators' types. init_first: the first operand that is an initial value; < 0: none. */
bool hlo_check_reducer(const hlo_infer *infer, hlo_attribute_id attribute, const hlo_type *types, int count,
                       int init_first, hlo_type *accumulators);

/* ---- Windows (infer_window.c) ---- */
/* Checks that sizes, strides and dilations are at least 1, and that the window has a dimension for each dimension of `whose`. */
bool hlo_check_window(const hlo_infer *infer, const hlo_window *window, int rank, const char *whose,
                      const hlo_shape *shape);
/* Counts the positions of a window along dimension `number`, of this size; refuses what 64 bits cannot count. */
bool hlo_count_positions(const hlo_infer *infer, const hlo_window_dim *dim, int number, int64_t base, int64_t *count);

/* ---- Dots and convolutions ---- */
/* Gives the element type of a sum of products: that of the operands, unless another one is declared and allowed. */
bool hlo_product_type(const hlo_infer *infer, hlo_type *type);

/* ---- Collectives (infer_groups.c) ---- */
/* Checks replica_groups: groups are not empty, ids are unique and (unless `some`) are 0 to n-1 without a gap, and all groups have one size if
 * `uniform`. *size: number of participants of a group; 0 if it is not known before the run. */
bool hlo_check_groups(const hlo_infer *infer, bool uniform, bool some, int64_t *size);
/* Checks source_target_pairs. */
bool hlo_check_pairs(const hlo_infer *infer);

#endif
