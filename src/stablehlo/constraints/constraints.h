/* StableHLO's constraints that HLO does not have: checked before anything is lowered.
 *
 * operation_table.def has a row for each operation: the types its operands and results may have and the attributes it
 * must carry. What is particular to an operation is a rule in one of the constraints_*.c. Most other constraints of the
 * specification are HLO's too: lowering asks inference for the shape of every instruction, which refuses what breaks them;
 * lowering itself checks what it takes apart. Where shapes are open, both see an operation when the module is specialised.
 * A refusal carries the operation's line and names the operation. */
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

/* "stablehlo.concatenate: ...", at the operation's place; `format` as hlo_mlir_thing has it. Always returns false. */
bool hlo_check_fail(const hlo_check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

const hlo_mlir_type *hlo_check_operand(const hlo_check *c, int i);
const hlo_mlir_type *hlo_check_result(const hlo_check *c, int i);
/* Of what the row has found to be a tensor; NULL for anything else. */
const hlo_shape *hlo_check_tensor(const hlo_mlir_type *type);
const hlo_shape *hlo_check_operand_shape(const hlo_check *c, int i);
const hlo_shape *hlo_check_result_shape(const hlo_check *c, int i);

/* ---- Types (constraints_types.c) ---- */

/* The same element type; quantized: the same storage and expressed types, whatever the scales. */
bool hlo_check_elements_agree(const hlo_shape *a, const hlo_shape *b);
/* An unknown size may be any, and a bounded one any up to its bound. */
bool hlo_check_types_agree(const hlo_mlir_type *a, const hlo_mlir_type *b);
/* The same, and every size as well known or unknown in both. */
bool hlo_check_types_same(const hlo_mlir_type *a, const hlo_mlir_type *b);
static inline bool hlo_check_per_axis(const hlo_shape *s) { return s->quantization && s->quantization->dimension >= 0; }
/* What is wrong with the quantization of a tensor type; NULL when nothing is. */
const char *hlo_check_quantization_problem(const hlo_shape *shape);
/* Parts of a tuple, whether of tensors only or with buffers among them. */
bool hlo_check_is_tuple(const hlo_mlir_type *type);
bool hlo_check_is_buffer(const hlo_mlir_type *type);
int hlo_check_part_count(const hlo_mlir_type *tuple);
hlo_mlir_type hlo_check_part(const hlo_mlir_type *tuple, int i);

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
bool hlo_check_flag(const hlo_check *c, const char *name);

/* ---- Regions ---- */
const hlo_mlir_block *hlo_check_block(const hlo_check *c, int region);
/* The op that ends a block; NULL when the block is empty. */
const hlo_mlir_op *hlo_check_terminator(const hlo_mlir_block *block);

/* ---- Rules ---- */
/* What a function returns, once its body is checked. */
hlo_check_rule hlo_check_function_returns;
#define OPERATION(name, opcode, lowering, operands, results, attributes, regions, like, rule) extern hlo_check_rule rule;
#define no_rule hlo_check_nothing
#include "stablehlo/forms/operation_table.def"
#undef no_rule
#undef OPERATION

#endif
