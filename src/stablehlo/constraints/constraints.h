/* StableHLO's constraints: what the specification asks of every operation, checked before anything is lowered.
 *
 * constraints.def has a row for each operation: the types its operands and results may have and the attributes it
 * must carry. What is particular to an operation is a rule in one of the constraints_*.c; labels (C1, ...) are the
 * specification's. A refusal carries the operation's line and names the operation and the label. */
#ifndef HLO_STABLEHLO_CONSTRAINTS_H
#define HLO_STABLEHLO_CONSTRAINTS_H

#include "stablehlo/mlir/mlir.h"

/* Checks every operation of the tree. False with SHAPE and the line of the first one that breaks a constraint. */
bool hlo_stablehlo_check_constraints(const hlo_mlir *tree, hlo_status *status);

/* ---- One operation under check ---- */

typedef struct hlo_check {
  const hlo_mlir *tree;
  const hlo_mlir_op *op;
  const hlo_mlir_op *const *definers; /* of each value; NULL for block arguments */
  hlo_status *status;
} hlo_check;

typedef bool hlo_check_rule(const hlo_check *c);

/* "stablehlo.concatenate [C4]: ...", at the operation's place, of "C4: ...". Always returns false. Besides what hlo_mlir_thing
 * knows, %pL is a list (hlo_check_list). */
bool hlo_check_fail(const hlo_check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

const hlo_mlir_type *hlo_check_operand(const hlo_check *c, int i);
const hlo_mlir_type *hlo_check_result(const hlo_check *c, int i);
/* Of what the row has found to be a tensor; NULL for anything else. */
const hlo_shape *hlo_check_tensor(const hlo_mlir_type *type);
const hlo_shape *hlo_check_operand_shape(const hlo_check *c, int i);
const hlo_shape *hlo_check_result_shape(const hlo_check *c, int i);
/* The value of an operand that a constant makes; NULL when it is not known. */
const hlo_literal *hlo_check_constant(const hlo_check *c, int i);

/* ---- Types (constraints_types.c) ---- */

/* Equal, where an unknown size may be any, and a bounded one any up to its bound. */
bool hlo_check_dims_agree(const hlo_shape *a, int i, const hlo_shape *b, int j);
bool hlo_check_shapes_agree(const hlo_shape *a, const hlo_shape *b);
/* The same element type; quantized: the same storage and expressed types, whatever the scales. */
bool hlo_check_elements_agree(const hlo_shape *a, const hlo_shape *b);
bool hlo_check_types_agree(const hlo_mlir_type *a, const hlo_mlir_type *b);
/* The same, and every size as well known or unknown in both. */
bool hlo_check_types_same(const hlo_mlir_type *a, const hlo_mlir_type *b);
/* Whether values of `from` can be taken into a reduction over `to` without loss of kind. */
bool hlo_check_promotable(const hlo_shape *from, const hlo_shape *to);
bool hlo_check_is_static(const hlo_shape *s, int i);
static inline bool hlo_check_per_axis(const hlo_shape *s) { return s->quantization && s->quantization->dimension >= 0; }
/* What is wrong with the quantization of a tensor type; NULL when nothing is. */
const char *hlo_check_quantization_problem(const hlo_shape *shape);
/* Parts of a tuple, whether of tensors only or with buffers among them. */
bool hlo_check_is_tuple(const hlo_mlir_type *type);
bool hlo_check_is_buffer(const hlo_mlir_type *type);
int hlo_check_part_count(const hlo_mlir_type *tuple);
hlo_mlir_type hlo_check_part(const hlo_mlir_type *tuple, int i);

/* Dimensions being inferred. */
typedef struct hlo_check_dims {
  int rank;
  int64_t sizes[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
} hlo_check_dims;
hlo_check_dims hlo_check_dims_of(const hlo_shape *shape);
void hlo_check_push(hlo_check_dims *dims, int64_t size);                        /* a static size */
void hlo_check_push_dim(hlo_check_dims *dims, const hlo_shape *shape, int i);    /* as in the shape */
void hlo_check_set(hlo_check_dims *dims, int i, hlo_dim_kind kind, int64_t size);
/* Result i has these dimensions. */
bool hlo_check_result_dims(const hlo_check *c, const char *label, int i, const hlo_check_dims *dims);
/* Result i has the element type of `like`. */
bool hlo_check_result_element(const hlo_check *c, const char *label, int i, const hlo_shape *like);
/* Result i has the type of operand j. */
bool hlo_check_result_like(const hlo_check *c, const char *label, int i, int j);

/* ---- Attributes (constraints_attributes.c) ---- */

/* Integers or booleans: array<...>, dense<...>, [...] or [[...], [...]]. */
typedef struct hlo_check_list {
  const hlo_mlir_attribute *attribute; /* NULL: missing */
  int64_t count;
  int rank;          /* 1 or 2 usually */
  int64_t dims[2];
} hlo_check_list;
hlo_check_list hlo_check_view(const hlo_mlir_attribute *attribute);
hlo_check_list hlo_check_ints(const hlo_check *c, const char *name);
int64_t hlo_check_at(const hlo_check_list *list, int64_t i);
bool hlo_check_contains(const hlo_check_list *list, int64_t value);
void hlo_check_list_text(const hlo_check_list *list, char *buffer, size_t size);
bool hlo_check_int(const hlo_check *c, const char *name, int64_t *value);       /* false when missing */
int64_t hlo_check_int_or(const hlo_check *c, const char *name, int64_t missing);
bool hlo_check_flag(const hlo_check *c, const char *name);
bool hlo_check_word(const hlo_check *c, const char *name, const char *word);    /* the enum has this value */

/* Constraints on lists, each with its label. */
bool hlo_check_size(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t size);
bool hlo_check_unique(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list);
bool hlo_constraint_disjoint(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, const char *other_name,
                        const hlo_check_list *other); /* each unique, and nothing in both */
bool hlo_check_sorted(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list);
bool hlo_check_range(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t end);
bool hlo_check_least(const hlo_check *c, const char *label, const char *name, const hlo_check_list *list, int64_t least);

/* ---- Regions (constraints_regions.c) ---- */
const hlo_mlir_block *hlo_check_block(const hlo_check *c, int region);
/* The op that ends a block; NULL when the block is empty. */
const hlo_mlir_op *hlo_check_terminator(const hlo_mlir_block *block);
const hlo_mlir_type *hlo_check_argument(const hlo_check *c, const hlo_mlir_block *block, int i);
/* A reduction function over `count` values: (scalars, scalars) -> scalars, from `inputs` and `inits` (NULL: there are none)
 * promoted to what it returns; it may work on whole slices of at most `kept` dimensions of the inputs. */
bool hlo_constraint_reducer(const hlo_check *c, const char *label, int region, int count, const hlo_shape *const *inputs,
                       const hlo_shape *const *inits, int kept);
/* Result i has the element type that the reduction function returns for it. */
bool hlo_check_reduced_element(const hlo_check *c, const char *label, int region, int i);

/* ---- Windows (constraints_window.c): window_dimensions, strides, dilations and padding, by their attributes' names ---- */
typedef struct hlo_check_window {
  hlo_check_list sizes, strides, base_dilations, dilations, padding;
  int rank;
  const char *size_label, *stride_label, *base_label, *dilation_label, *padding_label;
} hlo_check_window;
bool hlo_check_window_valid(const hlo_check *c, const hlo_check_window *w);
/* The windows' number in dimension i of `shape`; unknown sizes stay unknown. */
void hlo_check_window_push(hlo_check_dims *dims, const hlo_check_window *w, const hlo_shape *shape, int dimension, int i, int64_t window);

/* ---- Rules ---- */
/* What a function returns, once its body is checked. */
hlo_check_rule hlo_check_function_returns;
#define CONSTRAINTS(name, operands, results, attributes, regions, like, rule) extern hlo_check_rule rule;
#define no_rule hlo_check_nothing
#include "stablehlo/constraints/constraints.def"
#undef no_rule
#undef CONSTRAINTS

#endif
