/* Checks StableHLO's constraints before anything is lowered.
 *
 * operation_table.def has a row for each operation: the types its operands and results may have and the attributes it must have.
 * Further constraints of an operation are a rule in one of the constraints_*.c. Most other constraints of the specification are also
 * HLO's: lowering asks inference for the shape of every instruction, which checks them, and checks what it takes apart itself. If
 * shapes are open, both see the operation when the module is specialised.
 * A failure has the operation's line and name. */
#ifndef HLO_STABLEHLO_CONSTRAINTS_CONSTRAINTS_H
#define HLO_STABLEHLO_CONSTRAINTS_CONSTRAINTS_H

#include "base/status.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"

/* Checks every operation of the tree. False with SHAPE and the line of the first one that breaks a constraint. */
bool hlo_stablehlo_check_constraints(const hlo_mlir *tree, hlo_status *status);

/* ---- One operation under check ---- */

typedef struct hlo_check {
  const hlo_mlir *tree;
  const hlo_mlir_op *op;
  const hlo_mlir_op *const *definers; /* the operation that defines each value; NULL for block arguments */
  hlo_status *status;
} hlo_check;

typedef bool hlo_check_rule(const hlo_check *c);

/* Fails with "stablehlo.concatenate: ..." at the operation's place; `format` is that of hlo_mlir_thing. Always returns false. */
bool hlo_check_fail(const hlo_check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

const hlo_mlir_type *hlo_check_operand(const hlo_check *c, int i);
const hlo_mlir_type *hlo_check_result(const hlo_check *c, int i);
/* Returns the shape of a tensor; NULL if the type is anything else. */
const hlo_shape *hlo_check_tensor(const hlo_mlir_type *type);
const hlo_shape *hlo_check_operand_shape(const hlo_check *c, int i);
const hlo_shape *hlo_check_result_shape(const hlo_check *c, int i);

/* ---- Types (constraints_types.c) ---- */

/* Returns whether element types are the same; if quantized, the storage and expressed types, whatever the scales. */
bool hlo_check_elements_agree(const hlo_shape *a, const hlo_shape *b);
/* Returns whether a value may have both types: an unknown size may be any, and a bounded one any up to its bound. */
bool hlo_check_types_agree(const hlo_mlir_type *a, const hlo_mlir_type *b);
/* Like hlo_check_types_agree, and every size is known in both or unknown in both. */
bool hlo_check_types_same(const hlo_mlir_type *a, const hlo_mlir_type *b);
static inline bool hlo_check_per_axis(const hlo_shape *s) { return s->quantization && s->quantization->dimension >= 0; }
/* Returns what is wrong with the quantization of a tensor type; NULL if nothing is. */
const char *hlo_check_quantization_problem(const hlo_shape *shape);
/* Access to the parts of a tuple, which may include buffers. */
bool hlo_check_is_tuple(const hlo_mlir_type *type);
bool hlo_check_is_buffer(const hlo_mlir_type *type);
int hlo_check_part_count(const hlo_mlir_type *tuple);
hlo_mlir_type hlo_check_part(const hlo_mlir_type *tuple, int i);

/* ---- Attributes (constraints_attributes.c) ---- */

/* A list of integers or booleans: array<...>, dense<...>, [...] or [[...], [...]]. */
typedef struct hlo_check_list {
  const hlo_mlir_attribute *attribute; /* NULL: the attribute is missing */
  int64_t count;
  int rank;          /* usually 1 or 2 */
  int64_t dims[2];
} hlo_check_list;
hlo_check_list hlo_check_view(const hlo_mlir_attribute *attribute);
hlo_check_list hlo_check_ints(const hlo_check *c, const char *name);
int64_t hlo_check_at(const hlo_check_list *list, int64_t i);
bool hlo_check_contains(const hlo_check_list *list, int64_t value);
bool hlo_check_flag(const hlo_check *c, const char *name);
/* Returns the value of an operand that a constant of integers defines; NULL if it is not known. */
const hlo_literal *hlo_check_known(const hlo_check *c, int operand);

/* ---- Regions ---- */
const hlo_mlir_block *hlo_check_block(const hlo_check *c, int region);
/* Returns the operation that ends a block; NULL if the block is empty. */
const hlo_mlir_op *hlo_check_terminator(const hlo_mlir_block *block);

/* ---- Rules ---- */
/* Checks the values that a function returns, after its body has been checked. */
hlo_check_rule hlo_check_function_returns;
#define OPERATION(name, opcode, lowering, operands, results, attributes, regions, like, rule) extern hlo_check_rule rule;
#define no_rule hlo_check_nothing
#include "stablehlo/forms/operation_table.def"
#undef no_rule
#undef OPERATION

#endif
